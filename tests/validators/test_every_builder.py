"""What every game promises of its builder page and its mendings; the rest is in test_every_game.py."""

from collections.abc import Iterator

import pytest
from flask import Flask

from tests.kit.builder_pages import builder_page, page_context, sent
from validators import SYSTEMS
from validators.contract import GameSystem, Terms

pytestmark = pytest.mark.slow

GAMES = pytest.mark.parametrize("game", SYSTEMS.values(), ids=SYSTEMS)
SEEDS = range(6)


@pytest.fixture(scope="module")
def pages() -> Iterator[Flask]:
    with page_context() as app:
        yield app


@GAMES
def test_its_data_is_there_and_named_once(game: GameSystem) -> None:
    assert SYSTEMS[game.id] is game
    assert game.editions and game.scenarios and game.export_formats
    assert game.sizes == tuple(sorted(game.sizes))
    assert game.default_size in game.sizes
    ids = [rule.id for rule in (*game.rules, *game.event_rules)]
    assert len(ids) == len(set(ids))
    assert len({id_.split(".")[0] for id_ in ids}) == 1, "every rule has the game's own prefix"
    assert all(rule.text and rule.title for rule in game.rules)
    assert all(rule.source for rule in game.rules)
    for edition in game.editions:
        assert game.edition(edition.id) is edition
        assert edition.factions and edition.source and edition.date
    for scenario in game.scenarios:
        assert game.scenario(scenario.id) is scenario
        assert scenario.summary and scenario.setup and scenario.scoring and scenario.source


@GAMES
def test_nothing_is_lost_by_saving_the_builder_page(game: GameSystem, pages: Flask) -> None:
    for edition in game.editions:
        terms = Terms(edition, game.default_size)
        blank = game.blank_force(edition, edition.factions[0])
        forces = [game.sample_force(terms, faction, seed) for faction in edition.factions for seed in range(2)]
        for document in (blank, *forces):
            page = builder_page(game.id, game.builder(document, terms, {}))
            assert game.edit_force(document, sent(page), edition) == document
            assert game.edit_force(document, sent(page, name="Elsewhere", do="submit"), edition) == document | {
                "name": "Elsewhere"
            }


@GAMES
def test_a_builder_page_names_each_field_once_and_every_part(game: GameSystem, pages: Flask) -> None:
    terms = Terms(game.editions[0], game.default_size)
    document = game.sample_force(terms, game.editions[0].factions[0], 3)
    page = builder_page(game.id, game.builder(document, terms, {}), ("Something is wrong",))
    ids = [str(tag["id"]) for tag in page.select("[id]")]
    assert len(ids) == len(set(ids))
    assert {str(label["for"]) for label in page.select("label[for]")} <= set(ids)
    assert {"tally", "seen", "faults", "steps", "verdict"} <= {str(p["data-part"]) for p in page.select("[data-part]")}
    assert "Something is wrong" in page.get_text()
    for control in page.select("input:not([type=hidden]), select"):
        named = (
            control.get("aria-label")
            or page.select(f'label[for="{control.get("id")}"]')
            or control.find_parent("label")
        )
        assert named, control
    targets = {str(button["formaction"]).removeprefix("#") for button in page.select("button[formaction]")}
    there = set(ids) | {"builder"}
    new = {target for target in targets if target not in there}
    assert len(new) <= 1 + len(page.select(".model")), "a press leads to a part of the page, or to one that it makes"


@GAMES
def test_a_mending_is_legal_and_says_what_it_costs(game: GameSystem) -> None:
    edition = game.editions[0]
    offered = 0
    for seed in range(12):
        document = game.sample_force(Terms(edition, game.default_size), edition.factions[0], seed)
        total = game.check_force(document, Terms(edition, game.default_size)).total
        terms = Terms(edition, total - 1)
        for way in game.mendings(document, terms):
            verdict = game.check_force(way.document, terms)
            assert verdict.legal
            assert verdict.total == way.total
            assert way.changes
            offered += 1
    assert offered or game.mendings(document, terms) == ()
