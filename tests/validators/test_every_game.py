"""The contract of every game, and that a new game is one entry in the list of systems."""

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import reduce
from itertools import product
from operator import getitem
from pathlib import Path
from random import Random
from typing import Any

import pytest

import validators
from models.play import ReportSide
from tests.kit.papers import texts
from tests.kit.person import Person
from tests.kit.profiles import full_run
from tests.kit.stage import Stage
from validators import SYSTEMS
from validators.contract import Document, Terms, UnreadableEdition, UnreadableForce
from validators.edition_file import HeadOfEdition
from validators.game_system import GameSystem, Scoring
from validators.kit.suggestions import replaced, without
from validators.restrictions import Restrictions
from validators.scenario import Question, Scenario, Score
from validators.sheet import Table
from validators.strict_json import canonical_text

GAMES = list(SYSTEMS.values())
SWAPPED = {"a": "b", "b": "a", "draw": "draw"}


def samples(
    games: Sequence[GameSystem] = GAMES, *, of_all_sizes: bool = False
) -> Iterator[tuple[GameSystem, Terms, str, int, Document]]:
    """A sample force of every faction of every edition, at all recommended sizes or the default one, and its seed.

    Factions whose costs no edition states are left out.
    """
    for game in games:
        for edition in game.editions:
            sizes = game.sizes if of_all_sizes else (game.default_size,)
            for seed, (faction, size) in enumerate(product(edition.factions, sizes)):
                terms = Terms(edition, size)
                document = game.forces.sample(terms, faction, seed)
                if game.forces.summarise(document, edition).total:
                    yield game, terms, faction, seed, document


def first_samples() -> list[tuple[GameSystem, Terms, str, int, Document]]:
    return [next(samples([game])) for game in GAMES]


def test_every_scenario_file_is_in_its_game_and_event_rules_use_its_words() -> None:
    for game in GAMES:
        files = Path(validators.__file__).parent.glob(f"{game.id}/data/scenarios/*.json")
        assert sorted(file.stem for file in files) == sorted(scenario.id for scenario in game.scenarios)
        assert f"Painted {game.words.forces}" in [rule.title for rule in game.checks.event_rules], game.id


@pytest.mark.slow
def test_sample_is_legal_and_has_lines_and_sheets() -> None:
    for game, terms, faction, seed, document in samples(of_all_sizes=True):
        verdict = game.checks.check(document, terms)
        assert (verdict.legal, verdict.queries) == (True, ()), verdict.problems
        assert document == game.forces.sample(terms, faction, seed), game.id
        assert verdict.total > terms.size // 2, game.id
        summary = game.forces.summarise(document, terms.edition)
        assert summary.lines and (summary.faction, summary.total) == (faction, verdict.total), game.id
        assert game.forces.fixes(document, terms) == (), game.id
        for table in (block for sheet in game.papers.sheets(document, terms) for block in sheet.blocks):
            if isinstance(table, Table):
                widths = {len(row) for row in (*table.rows, table.total or table.columns)}
                assert widths == {len(table.columns)}, game.id


def test_force_survives_export_and_import() -> None:
    for game, terms, *_, document in samples():
        files, edition = game.forces.files, terms.edition
        assert canonical_text(game.forces.read(document, edition)) == canonical_text(document), game.id
        assert files.formats[0].id == "json", game.id
        assert all(files.export(document, edition, force_format.id) for force_format in files.formats), game.id
        read = files.import_("force.json", files.export(document, edition, "json"), edition)
        assert canonical_text(read.document) == canonical_text(document), game.id
        assert read.total == game.forces.summarise(document, edition).total, game.id


def test_each_line_of_a_force_is_a_part_of_it() -> None:
    for game, terms, *_, document in samples():
        places = range(len(game.forces.summarise(document, terms.edition).lines))
        assert canonical_text(game.forces.part_of(document, places)) == canonical_text(document), game.id
        first = game.forces.part_of(document, [0])
        assert len(game.forces.summarise(first, terms.edition).lines) == 1, game.id


def test_blank_force_can_be_shown_and_checked() -> None:
    for game, terms, faction, *_ in samples():
        blank = game.forces.blank(terms.edition, faction)
        page, verdict = game.forces.builder(blank, terms, {}).page, game.checks.check(blank, terms)
        assert page.verdict == verdict, game.id
        assert (page.total, page.size, page.left) == (verdict.total, terms.size, terms.size - verdict.total), game.id
        assert bool(game.papers.sheets(blank, terms)) is game.papers.has_sheets, game.id
        assert game.papers.card(blank, terms.edition) == (), game.id


def test_event_rules_are_listed_and_checked_under_the_games_ids() -> None:
    for game, terms, *_, document in first_samples():
        rule = f"{game.checks.rules[0].id.partition('.')[0]}.event.factions"
        other = Terms(terms.edition, terms.size, Restrictions(factions=("Nobody",)))
        assert rule in {problem.rule for problem in game.checks.check(document, other).problems}, game.id
        assert [added.id for added in game.checks.rules_added(other)] == [rule], game.id
        assert game.checks.rules_added(terms) == (), game.id


def random_answers(game: GameSystem, scenario: Scenario, dice: Random) -> dict[str, int | str]:
    answers: dict[str, int | str] = {}
    for question in scenario.questions:
        many = min(question.most, 60)
        wanted = dice.choice(question.choices) if question.kind == "choice" else dice.randint(0, many)
        if not any(doubt.refused for doubt in game.scoring.check(scenario, answers | {question.key: wanted})):
            answers[question.key] = wanted
    return answers


def test_score_reads_only_the_questions_and_treats_both_sides_alike() -> None:
    unasked = dict.fromkeys(("c.r1", "a.r0", "b.r13", "a.nonsense", "", "a"), 1)
    for game in GAMES:
        for scenario, seed in product(game.scenarios, range(25)):
            answers = random_answers(game, scenario, Random(f"{scenario.id}/{seed}"))
            score = game.scoring.score(scenario, answers)
            assert score == game.scoring.score(scenario, answers | unasked), (scenario.id, answers)
            other = game.scoring.score(scenario, {SWAPPED[key[0]] + key[1:]: value for key, value in answers.items()})
            mirrored = (other.b, other.a, SWAPPED[other.outcome])
            assert (score.a, score.b, score.outcome) == mirrored, (scenario.id, answers)
            assert {question.side for question in scenario.questions} == {"a", "b"}, game.id


def test_files_that_are_no_force_or_of_another_edition_or_game_are_refused() -> None:
    files = (b"", b"{}", b"[]", b"3", b"\xff\xfe", b'{"system": "golf"}', b"A list", b"<xml/>", b"PK\x03\x04")
    for game, data in product(GAMES, files):
        with pytest.raises(UnreadableForce) as caught:
            game.forces.files.import_("upload", data, game.editions[0])
        assert all(len(fault) > 10 for fault in caught.value.faults), game.id
    for game, terms, *_, document in first_samples():
        for wrong in ({"edition": "no-such-edition"}, {"system": "golf"}, {"surely_no_field": 1}):
            with pytest.raises(UnreadableForce):
                game.forces.read(document | wrong, terms.edition)


def test_every_broken_rule_is_listed_by_the_game() -> None:
    for game, terms, faction, _, document in samples():
        printed = {rule.id for rule in (*game.checks.rules, *game.checks.event_rules)}
        assert set(game.checks.findings) <= printed, game.id
        small = game.checks.check(document, Terms(terms.edition, game.default_size // 4))
        stranger = game.checks.check(document | {"faction": "Nobody's Own"}, terms)
        for verdict in (small, stranger, game.checks.check(game.forces.blank(terms.edition, faction), terms)):
            assert not verdict.legal or (verdict is stranger and verdict.queries), game.id
            for finding in (*verdict.problems, *verdict.queries):
                assert finding.rule in printed, game.id
                assert finding.message and len(finding.models) == len(finding.places), game.id


def test_edition_survives_its_file() -> None:
    for game in GAMES:
        files = game.edition_files
        for edition in game.editions if files else ():
            assert files is not None, game.id
            again = files.read(files.write(edition))
            assert again == edition and files.write(again) == files.write(edition), game.id
            assert files.compare(edition, again).rows == (), game.id
            assert files.price_lists(edition), game.id


def test_both_sides_get_the_same_questions_and_bounds() -> None:
    for game in GAMES:
        for scenario in game.scenarios:
            asked: dict[str, list[object]] = {"a": [], "b": []}
            for a_question in scenario.questions:
                asked[a_question.side].append(
                    (a_question.key[1:], a_question.kind, a_question.label, a_question.most, a_question.choices)
                )
            assert asked["a"] == asked["b"], game.id
            for question in scenario.questions:
                wrong = "no such choice" if question.kind == "choice" else question.most + 1
                doubts = game.scoring.check(scenario, {question.key: wrong})
                assert any(doubt.refused and question.key in doubt.keys for doubt in doubts), question.key
            assert any(doubt.refused for doubt in game.scoring.check(scenario, {"c.nonsense": 1})), game.id


def test_tallies_of_a_force_answer_questions_of_the_report() -> None:
    for game, terms, *_, document in samples():
        tallies = game.scoring.tallies
        if tallies is None:
            continue
        assert any(tallies(scenario, "a", document, terms.edition) for scenario in game.scenarios), game.id
        for scenario in game.scenarios:
            asked = {question.key: question for question in scenario.questions}
            for tally in tallies(scenario, "b", document, terms.edition):
                question = asked[tally.question]
                assert (question.side, question.kind) == ("b", "figure"), game.id
                keys = [count.key for count in tally.counts]
                assert len(set(keys)) == len(keys), game.id
                assert 0 <= (tally.known or sum(count.most * count.worth for count in tally.counts)) <= question.most


CHEESE = tuple(Question(f"{side}.cheese", side, "figure", "Cheese", most=9) for side in ("a", "b"))
RACE = replace(SYSTEMS["new_vegas"].scenarios[0], id="race", name="The Race", questions=CHEESE)
RATS = replace(
    SYSTEMS["new_vegas"], id="rat_race", name="Rat Race", scenarios=(RACE,), edition_files=None, scenario_files=None,
    scoring=Scoring(lambda *_: (), lambda _, answers: Score(int(answers["a.cheese"]), int(answers["b.cheese"]))),
    calculators=(), campaign=None,
)  # fmt: skip
"""A game with the forces of New Vegas, its own scenario, and without any optional part."""


@pytest.fixture
def sixth() -> Iterator[None]:
    SYSTEMS[RATS.id] = RATS
    yield
    del SYSTEMS[RATS.id]


@pytest.mark.usefixtures("sixth")
def test_event_of_a_sixth_game_is_played_and_its_sheets_are_printed(stage: Stage, olga: Person) -> None:
    event, (edition,) = stage.event("Of Rats", game=RATS.id, rounds=1, scenarios=("race",)), RATS.editions
    players = stage.enter(event, "Ada", "Ben")
    for player in players:
        stage.force(event, player, RATS.forces.sample(Terms(edition, 150), edition.factions[0], 1))
    (game,) = stage.publish(event, 1)
    better = "a" if game.a_id == players[1].id else "b"
    stage.report(event, game, ReportSide.ORGANISER, {f"{side}.cheese": 6 if side == better else 2 for side in "ab"})
    assert stage.standings(event)[0].name == "Ben"
    assert edition.factions[0] in " ".join(texts(olga.open(f"/e/of-rats/players/{players[0].id}/force.pdf")))
    assert "Rat Race" in olga.open(f"/rules/{RATS.id}").text


NO_FIGURE_OF_ALL = {"weapons.range", "weapons.extra", "weapons.aim_ap", "weapons.bullets"}
"""Fields of some weapons only: a blade has no range, only bursts have bullets."""


def changes(whole: Any, *path: str | int) -> Iterator[tuple[str, Any]]:
    """Each field of an edition with documents in which it differs; a text also changed in every place."""
    node = reduce(getitem, path, whole)
    for key, value in node.items() if isinstance(node, dict) else enumerate(node):
        here = (*path, key)
        field = ".".join(part for part in here if isinstance(part, str) and part.islower())
        if isinstance(key, int) or not key.islower():
            yield f"{field}, one left out", without(whole, *here)
        if isinstance(value, dict | list):
            yield from changes(whole, *here)
        elif isinstance(value, str):
            yield field, replaced(whole, f"{value}y", *here)
            yield field, json.loads(json.dumps(whole).replace(json.dumps(value), json.dumps(f"{value}y")))
        else:
            others = [not value] if isinstance(value, bool) else [(value or 0) + 1, max(0, (value or 0) - 1)]
            yield from ((field, replaced(whole, other, *here)) for other in others if other != value)


@pytest.mark.slow
@pytest.mark.parametrize("each_once", full_run([True, False], [True]))
def test_comparison_of_editions_shows_every_changed_field(each_once: bool) -> None:
    """A few changes make the file unreadable; all others are listed in both directions."""
    for game in GAMES:
        files = game.edition_files
        assert files is not None
        edition = min(game.editions, key=lambda info: len(files.write(info)))  # a copy for each of its fields
        by_field: dict[str, list[Any]] = {}
        for field, document in changes(json.loads(files.write(edition))):
            if field.partition(".")[0].partition(",")[0] not in HeadOfEdition.model_fields:
                by_field.setdefault(field, []).append(document)
        read = set[str]()
        for field, documents in by_field.items():
            for document in Random(field).sample(documents, min(4, len(documents))):
                if each_once and field in read:
                    break
                with suppress(UnreadableEdition):
                    other = files.read(json.dumps(document).encode())
                    read.add(field)
                    seen = files.compare(edition, other).rows and files.compare(other, edition).rows
                    assert seen or field in NO_FIGURE_OF_ALL, (game.id, field)
        assert len(read) > len(by_field) * 4 // 5, set(by_field) - read
