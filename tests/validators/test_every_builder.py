"""The data, builder page and suggested fixes of every game."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from tests.kit.armies import CLUB
from tests.kit.builder_pages import builder_page, sent
from tests.validators.recorded_data import names_of, recorded
from validators import SYSTEMS
from validators.contract import Document, EditionInfo, Terms, UnreadableForce
from validators.game_system import GameSystem
from validators.strict_json import canonical_text

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("builder_app")]

GAMES = list(SYSTEMS.values())


def test_data_of_a_game_is_complete_and_rule_ids_are_unique() -> None:
    for game in GAMES:
        assert game.editions and game.scenarios and game.forces.files.formats, game.id
        assert game.sizes == tuple(sorted(game.sizes)), game.id
        assert game.default_size in game.sizes, game.id
        ids = [rule.id for rule in (*game.checks.rules, *game.checks.event_rules)]
        assert len(ids) == len(set(ids)), game.id
        assert len({id_.split(".")[0] for id_ in ids}) == 1, "every rule has the game's own prefix"
        assert all(rule.text and rule.title and rule.source for rule in game.checks.rules), game.id
        assert all(edition.factions and edition.source and edition.date for edition in game.editions), game.id
        assert all(
            scenario.summary and scenario.setup and scenario.scoring and scenario.source for scenario in game.scenarios
        ), game.id


def test_builder_page_labels_each_field_once_and_has_every_part() -> None:
    for game in GAMES:
        terms = Terms(game.editions[0], game.default_size)
        document = game.forces.sample(terms, game.editions[0].factions[0], 3)
        page = builder_page(game.id, game.forces.builder(document, terms, {}), ("Something is wrong",))
        ids = [str(tag["id"]) for tag in page.select("[id]")]
        assert len(ids) == len(set(ids)), game.id
        parts = {str(p["data-part"]) for p in page.select("[data-part]")}
        assert {"tally", "seen", "faults", "steps", "verdict"} <= parts, game.id
        assert "Something is wrong" in page.get_text(), game.id
        for control in page.select("input:not([type=hidden]), select"):
            label = page.select(f'label[for="{control.get("id")}"]') or control.find_parent("label")
            assert control.get("aria-label") or label, control
        targets = {str(button["formaction"]).removeprefix("#") for button in page.select("button[formaction]")}
        new = targets - set(ids) - {"builder"}
        assert len(new) <= 1 + len(page.select(".model")), "a button leads to a part of the page or to one that it adds"


def test_closed_line_shows_all_that_is_carried() -> None:
    for game in GAMES:
        terms = Terms(game.editions[0], game.default_size)
        document = game.forces.sample(terms, game.editions[0].factions[0], 3)
        page = builder_page(game.id, game.forces.builder(document, terms, {}))
        shown = 0
        for card in page.select(".model"):
            line = " ".join(card.select(".model-carries")[0].get_text().split())
            skills = {str(row["value"]) for row in card.select("input[name$='.name']") if ".s" in str(row["name"])}
            rows = card.select("li > input[type=hidden], li span > input[type=hidden]")
            carried = [str(row["value"]) for row in rows if not str(row["name"]).endswith(".count")]
            assert not [name for name in carried if name not in line and name not in skills], (game.id, line)
            shown += bool(line)
        assert shown, game.id


EDITIONS = {CLUB.id: CLUB} | {edition.id: edition for game in GAMES for edition in game.editions}
ODD = ["No Such", "ß & <b>", "'\"", "a,b", "0", "Ёж", "日本", "none", "None"]


def oddly_named(part: Any, dice: Random) -> Any:
    """The same part with some names that no edition has."""
    if isinstance(part, dict):
        named = {"name", "called", "perks", "leader_card"} & {*part} if dice.random() < 0.1 else set()
        odd = {key: dice.choice(ODD) for key in named if isinstance(part[key], str)}
        return {key: odd.get(key, oddly_named(one, dice)) for key, one in part.items()}
    return [oddly_named(one, dice) for one in part] if isinstance(part, list) else part


def random_documents(game: GameSystem, number: int) -> Iterator[tuple[Document, EditionInfo, Random]]:
    cases = [case for name in names_of(game.id) for case in recorded(name)]
    for seed in range(number):
        dice = Random(f"{game.id}/{seed}")
        parsed = oddly_named(dice.choice(cases)["force"], dice)
        edition = EDITIONS[parsed["edition"]]
        yield game.forces.read(parsed, edition), edition, dice


def test_page_sends_back_any_force_unchanged() -> None:
    for game in GAMES:
        documents = [(document, edition) for document, edition, _ in random_documents(game, 5)]
        for edition in game.editions:
            terms, faction = Terms(edition, game.default_size), edition.factions[-1]
            documents.append((game.forces.blank(edition, faction), edition))
            documents.append((game.forces.sample(terms, faction, 1), edition))
        for document, edition in documents:
            page = builder_page(game.id, game.forces.builder(document, Terms(edition, game.default_size), {}))
            assert game.forces.edit(document, sent(page), edition) == document, game.id
            renamed = game.forces.edit(document, sent(page, name="Elsewhere", do="submit"), edition)
            assert renamed | {"file_total": None} == document | {"name": "Elsewhere", "file_total": None}, game.id


def test_suggested_fix_is_legal_and_states_its_total() -> None:
    for game in GAMES:
        offered, usual = 0, Terms(game.editions[0], game.default_size)
        tried = [(document, Terms(edition, game.default_size)) for document, edition, _ in random_documents(game, 12)]
        for seed in range(5):
            document = game.forces.sample(usual, usual.edition.factions[0], seed)
            tried.append((document, Terms(usual.edition, game.checks.check(document, usual).total - 1)))
        for document, terms in tried:
            before = canonical_text(document)
            for way in game.forces.fixes(document, terms):
                verdict = game.checks.check(way.document, terms)
                assert (verdict.legal, verdict.total) == (True, way.total), (game.id, way.changes)
                assert game.forces.read(way.document, terms.edition) == way.document, game.id
                assert way.changes and not game.checks.check(document, terms).legal, game.id
                offered += 1
            assert canonical_text(document) == before, "the force itself is not changed"
        assert offered > 5, (game.id, offered)


TYPED = ["", "0", "1", "-1", "9", "٣", "two", "x" * 81, "a\x00b", *ODD]
PRESSED = ["add-model", "remove-model:-1", "move-up:0", "move-down:99", "add-item:0:9:9", "duplicate-model:x", "x:y"]


def test_any_form_is_read_or_refused_with_a_reason() -> None:
    for game in GAMES:
        read = 0
        for document, edition, dice in random_documents(game, 5):
            page = builder_page(game.id, game.forces.builder(document, Terms(edition, game.default_size), {}))
            buttons = [str(button["value"]) for button in page.select("button[name=do]")]
            for _ in range(6):
                fields = sent(page, do=dice.choice([*buttons, *PRESSED]))
                for key in dice.sample(sorted(fields), min(len(fields), dice.randint(0, 3))):
                    other = key.replace("0", dice.choice(["7", "٣", "-1", "9999"]))
                    fields[dice.choice([key, key, other])] = [dice.choice(TYPED)] * dice.randint(1, 2)
                try:
                    changed = game.forces.edit(document, fields, edition)
                except UnreadableForce as refused:
                    assert all(refused.faults), game.id
                else:
                    read += game.forces.read(changed, edition) == changed
        assert 4 < read < 30, (game.id, read)
