"""What every game promises of its data, its builder page and its suggested fixes."""

import pytest

from tests.kit.builder_pages import builder_page, sent
from validators import SYSTEMS
from validators.contract import Terms

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("builder_app")]

GAMES = list(SYSTEMS.values())


def test_data_of_a_game_is_complete_and_named_once() -> None:
    for game in GAMES:
        assert SYSTEMS[game.id] is game, game.id
        assert game.editions and game.scenarios and game.forces.files.formats, game.id
        assert game.sizes == tuple(sorted(game.sizes)), game.id
        assert game.default_size in game.sizes, game.id
        ids = [rule.id for rule in (*game.checks.rules, *game.checks.event_rules)]
        assert len(ids) == len(set(ids)), game.id
        assert len({id_.split(".")[0] for id_ in ids}) == 1, "every rule has the game's own prefix"
        assert all(rule.text and rule.title for rule in game.checks.rules), game.id
        assert all(rule.source for rule in game.checks.rules), game.id
        for edition in game.editions:
            assert game.edition(edition.id) is edition, game.id
            assert edition.factions and edition.source and edition.date, game.id
        for scenario in game.scenarios:
            assert game.scenario(scenario.id) is scenario, game.id
            assert scenario.summary and scenario.setup and scenario.scoring and scenario.source, game.id


def test_saving_the_builder_page_loses_nothing() -> None:
    for game in GAMES:
        for edition in game.editions:
            terms = Terms(edition, game.default_size)
            blank = game.forces.blank(edition, edition.factions[0])
            forces = [game.forces.sample(terms, faction, seed) for faction in edition.factions for seed in range(2)]
            for document in (blank, *forces):
                page = builder_page(game.id, game.forces.builder(document, terms, {}))
                assert game.forces.edit(document, sent(page), edition) == document, game.id
                renamed = game.forces.edit(document, sent(page, name="Elsewhere", do="submit"), edition)
                assert renamed == document | {"name": "Elsewhere"}, game.id


def test_builder_page_labels_each_field_once_and_has_every_part() -> None:
    for game in GAMES:
        terms = Terms(game.editions[0], game.default_size)
        document = game.forces.sample(terms, game.editions[0].factions[0], 3)
        page = builder_page(game.id, game.forces.builder(document, terms, {}), ("Something is wrong",))
        ids = [str(tag["id"]) for tag in page.select("[id]")]
        assert len(ids) == len(set(ids)), game.id
        assert {str(label["for"]) for label in page.select("label[for]")} <= set(ids), game.id
        parts = {str(p["data-part"]) for p in page.select("[data-part]")}
        assert {"tally", "seen", "faults", "steps", "verdict"} <= parts, game.id
        assert "Something is wrong" in page.get_text(), game.id
        for control in page.select("input:not([type=hidden]), select"):
            label = page.select(f'label[for="{control.get("id")}"]') or control.find_parent("label")
            assert control.get("aria-label") or label, control
        targets = {str(button["formaction"]).removeprefix("#") for button in page.select("button[formaction]")}
        new = targets - set(ids) - {"builder"}
        assert len(new) <= 1 + len(page.select(".model")), (
            "a button leads to a part of the page, or to one that it adds"
        )


def test_suggested_fix_is_legal_and_states_its_total() -> None:
    for game in GAMES:
        edition = game.editions[0]
        offered = 0
        for seed in range(12):
            document = game.forces.sample(Terms(edition, game.default_size), edition.factions[0], seed)
            total = game.checks.check(document, Terms(edition, game.default_size)).total
            terms = Terms(edition, total - 1)
            for way in game.forces.fixes(document, terms):
                verdict = game.checks.check(way.document, terms)
                assert verdict.legal, game.id
                assert verdict.total == way.total, game.id
                assert way.changes, game.id
                offered += 1
        assert offered or game.forces.fixes(document, terms) == (), game.id
