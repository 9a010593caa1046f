"""What the contract promises of a game, asked of every one of them."""

import re
from collections.abc import Iterator, Mapping
from random import Random

import pytest

from validators import SYSTEMS
from validators.canonical import canonical_text
from validators.contract import GameSystem, Terms, UnreadableEdition, UnreadableForce
from validators.editions import EditionTitle
from validators.restrictions import Restrictions
from validators.scenario import Answers, Scenario
from validators.sheet import Facts, Table

GAMES = list(SYSTEMS.values())
SWAPPED = {"a": "b", "b": "a", "draw": "draw"}


def samples(game: GameSystem) -> Iterator[tuple[Terms, str, int]]:
    """Terms, a faction and a seed: every faction of every edition, at the default size."""
    for edition in game.editions:
        for seed, faction in enumerate(edition.factions):
            yield Terms(edition, game.default_size), faction, seed


@pytest.mark.parametrize("game", GAMES, ids=SYSTEMS)
def test_a_sample_is_legal_told_in_lines_and_put_on_a_sheet(game: GameSystem) -> None:
    for terms, faction, seed in samples(game):
        document = game.sample_force(terms, faction, seed)
        verdict = game.check_force(document, terms)
        assert verdict.legal, verdict.problems
        summary = game.summarise(document, terms.edition)
        assert summary.lines
        assert (summary.faction, summary.total) == (faction, verdict.total)
        assert game.mendings(document, terms) == ()
        assert all(one.label and one.value for one in game.derived(document, terms))
        sheets = game.sheets(document, terms)
        assert all(sheet.title and sheet.blocks[0].title for sheet in sheets)
        for block in (block for sheet in sheets for block in sheet.blocks):
            if isinstance(block, Table):
                assert {len(row) for row in (*block.rows, block.total or block.columns)} == {len(block.columns)}
            if isinstance(block, Facts):
                assert block.figures


@pytest.mark.parametrize("game", GAMES, ids=SYSTEMS)
def test_a_force_goes_out_and_comes_back_as_it_was(game: GameSystem) -> None:
    for terms, faction, seed in samples(game):
        document = game.sample_force(terms, faction, seed)
        assert canonical_text(game.read_force(document, terms.edition)) == canonical_text(document)
        assert game.export_formats[0].id == "json"
        for one in game.export_formats:
            assert game.export_force(document, terms.edition, one.id)
        read = game.import_force("force.json", game.export_force(document, terms.edition, "json"), terms.edition)
        assert canonical_text(read.document) == canonical_text(document)
        assert read.total == game.summarise(document, terms.edition).total
        with pytest.raises(KeyError):
            game.export_force(document, terms.edition, "nothing")


@pytest.mark.parametrize("game", GAMES, ids=SYSTEMS)
def test_the_parts_of_a_force_are_its_lines(game: GameSystem) -> None:
    for terms, faction, seed in samples(game):
        document = game.sample_force(terms, faction, seed)
        places = range(len(game.summarise(document, terms.edition).lines))
        assert canonical_text(game.part_of(document, places)) == canonical_text(document)
        first = game.part_of(document, [0])
        assert len(game.summarise(first, terms.edition).lines) == 1


@pytest.mark.parametrize("game", GAMES, ids=SYSTEMS)
def test_a_new_force_can_be_shown_and_judged(game: GameSystem) -> None:
    for terms, faction, _ in samples(game):
        blank = game.blank_force(terms.edition, faction)
        view = game.builder(blank, terms, {})
        assert view.verdict == game.check_force(blank, terms)
        assert (view.total, view.size, view.left) == (view.verdict.total, terms.size, terms.size - view.verdict.total)
        assert game.sheets(blank, terms)


@pytest.mark.parametrize("game", GAMES, ids=SYSTEMS)
def test_what_an_event_adds_is_told_and_judged_under_the_game_s_ids(game: GameSystem) -> None:
    terms, faction, seed = next(samples(game))
    document = game.sample_force(terms, faction, seed)
    prefix = game.rules[0].id.partition(".")[0]
    assert {rule.id.partition(".")[0] for rule in (*game.rules, *game.event_rules)} == {prefix}
    other = Terms(terms.edition, terms.size, Restrictions(factions=("Nobody",)))
    assert f"{prefix}.event.factions" in {problem.rule for problem in game.check_force(document, other).problems}
    assert [rule.id for rule in game.rules_added(other)] == [f"{prefix}.event.factions"]
    assert game.rules_added(terms) == ()


def possible(game: GameSystem, scenario: Scenario, dice: Random) -> dict[str, int | str]:
    """A random report that is not refused."""
    answers: dict[str, int | str] = {}
    for question in scenario.questions:
        many = min(question.most, 60)
        wanted = dice.choice(question.choices) if question.kind == "choice" else dice.randint(question.least, many)
        if not any(doubt.refused for doubt in game.check_answers(scenario, answers | {question.key: wanted})):
            answers[question.key] = wanted
    return answers


class Noted(Mapping[str, int | str]):
    """Answers that note which questions were read."""

    def __init__(self, answers: Answers) -> None:
        self.answers = answers
        self.read: set[str] = set()

    def __getitem__(self, key: str) -> int | str:
        self.read.add(key)
        return self.answers[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.answers)

    def __len__(self) -> int:
        return len(self.answers)


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("game", GAMES, ids=SYSTEMS)
def test_the_score_reads_what_is_asked_and_knows_no_chairs(game: GameSystem, seed: int) -> None:
    for scenario in game.scenarios:
        answers = possible(game, scenario, Random(f"{scenario.id}/{seed}"))
        noted = Noted(answers)
        score = game.score(scenario, noted)
        assert noted.read <= {question.key for question in scenario.questions}
        other = game.score(scenario, {SWAPPED[key[0]] + key[1:]: value for key, value in answers.items()})
        assert (score.a, score.b, score.outcome) == (other.b, other.a, SWAPPED[other.outcome]), (scenario.id, answers)
        assert {question.side for question in scenario.questions} == {"a", "b"}


@pytest.mark.parametrize("game", GAMES, ids=SYSTEMS)
@pytest.mark.parametrize(
    "data",
    [b"", b"{}", b"[]", b"null", b"3", b"\xff\xfe", b"{", b'{"system": "golf"}', b"A list", b"<xml/>", b"PK\x03\x04"],
)
def test_what_is_no_force_is_refused_in_words(game: GameSystem, data: bytes) -> None:
    with pytest.raises(UnreadableForce) as caught:
        game.import_force("upload", data, game.editions[0])
    assert all(len(fault) > 10 for fault in caught.value.faults)


@pytest.mark.parametrize("game", GAMES, ids=SYSTEMS)
def test_a_force_of_another_edition_or_game_is_not_read(game: GameSystem) -> None:
    terms, faction, seed = next(samples(game))
    document = game.sample_force(terms, faction, seed)
    for wrong in ({"edition": "no-such-edition"}, {"system": "golf"}, {"surely_no_field": 1}):
        with pytest.raises(UnreadableForce):
            game.read_force(document | wrong, terms.edition)


@pytest.mark.parametrize("game", GAMES, ids=SYSTEMS)
def test_every_broken_rule_is_one_that_the_game_prints(game: GameSystem) -> None:
    printed = {rule.id for rule in (*game.rules, *game.event_rules)}
    for terms, faction, seed in samples(game):
        document = game.sample_force(terms, faction, seed)
        small = game.check_force(document, Terms(terms.edition, game.default_size // 4))
        stranger = game.check_force(document | {"faction": "Nobody's Own"}, terms)
        for verdict in (small, stranger, game.check_force(game.blank_force(terms.edition, faction), terms)):
            assert not verdict.legal
            for finding in (*verdict.problems, *verdict.queries):
                assert finding.rule in printed
                assert finding.message and len(finding.models) == len(finding.places)


@pytest.mark.parametrize("game", GAMES, ids=SYSTEMS)
def test_an_edition_comes_back_from_its_file(game: GameSystem) -> None:
    files = game.edition_files
    for edition in game.editions if files else ():
        assert files is not None
        again = files.read(files.write(edition))
        assert again == edition and files.write(again) == files.write(edition)
        assert files.compare(edition, again).rows == ()
        assert files.price_lists(edition)


@pytest.mark.parametrize("game", GAMES, ids=SYSTEMS)
def test_both_sides_are_asked_the_same_and_what_cannot_be_is_refused_there(game: GameSystem) -> None:
    for scenario in game.scenarios:
        asked = {
            side: [
                (q.key[1:], q.kind, q.label, q.least, q.most, q.choices) for q in scenario.questions if q.side == side
            ]
            for side in ("a", "b")
        }
        assert asked["a"] == asked["b"]
        for question in scenario.questions:
            wrong = "no such choice" if question.kind == "choice" else question.most + 1
            doubts = game.check_answers(scenario, {question.key: wrong})
            assert any(doubt.refused and question.key in doubt.keys for doubt in doubts), question.key
        assert any(doubt.refused for doubt in game.check_answers(scenario, {"c.nonsense": 1}))


@pytest.mark.parametrize("game", [game for game in GAMES if game.tallies], ids=lambda game: game.id)
def test_what_a_force_says_of_a_report_answers_its_questions(game: GameSystem) -> None:
    assert game.tallies is not None
    for terms, faction, seed in samples(game):
        document = game.sample_force(terms, faction, seed)
        told = [tally for one in game.scenarios for tally in game.tallies(one, "a", document, terms.edition)]
        assert told
        for scenario in game.scenarios:
            asked = {question.key: question for question in scenario.questions}
            for tally in game.tallies(scenario, "b", document, terms.edition):
                question = asked[tally.question]
                assert (question.side, question.kind) == ("b", "figure")
                keys = [count.key for count in tally.counts]
                assert len(set(keys)) == len(keys)
                everything = tally.known or sum(count.most * count.worth for count in tally.counts)
                assert question.least <= everything <= question.most


@pytest.mark.parametrize("game", [game for game in GAMES if game.edition_files], ids=lambda game: game.id)
def test_a_game_promises_catalogues_only_where_it_reads_them(game: GameSystem) -> None:
    files = game.edition_files
    assert files is not None
    with pytest.raises(UnreadableEdition) as refused:
        files.read_catalogues([("a.cat", b"<catalogue/>")], EditionTitle(date="2020-01-01"))
    none = re.search("no catalogues of other programs|no program's catalogues", str(refused.value))
    assert files.catalogues == (none is None)
