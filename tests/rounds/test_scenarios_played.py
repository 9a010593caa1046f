"""A club's own scenarios at an event: chosen, played, printed, and unchangeable after play."""

from collections.abc import Callable

import pytest

from models.event import Event, Round
from models.scenario import OwnScenario
from tests.kit.own_scenarios import BRIDGE, NEW, refused_at, write_scenario
from tests.kit.papers import texts
from tests.kit.person import Page, Person
from tests.kit.stage import Stage


@pytest.fixture
def bridge(olga: Person, stage: Stage) -> OwnScenario:
    """The club's own scenario."""
    write_scenario(olga)
    return stage.one(OwnScenario)


def choose(olga: Person) -> Page:
    """Choose the club's scenario for round 1 and add it to the pool."""
    olga.open("/e/iron-open/desk/settings")
    pool = ["raiders", "scrapyard", "own-hold-the-bridge"]
    return olga.press("Save", scenario_pool=pool, **{"scenarios-0": "Hold the Bridge"})


def test_event_plays_a_club_scenario(
    olga: Person, bridge: OwnScenario, stage: Stage, event: Event, enter: Callable[..., list[Person]]
) -> None:
    assert choose(olga).flashes == "Saved."
    ada, bo = enter(event, "Ada", "Bo")
    assert "Hold the Bridge" in ada.open("/e/iron-open").part(".timeline")
    page = ada.open("/e/iron-open/scenarios/own-hold-the-bridge")
    assert (page.status, "both banks" in page.text, "0–3" in page.text) == (200, False, True)
    (game,) = stage.publish(event, 1)
    assert stage.one(Round, event_id=event.id, number=1).scenario == "own-hold-the-bridge"
    first = ada if stage.name(game.a_id) == "Ada" else bo
    page = first.open("/e/iron-open/me/game")
    assert "a.r5" in {str(f.get("name")) for f in page.soup.select("input")}
    assert page.text.count("cannot score") == 2
    page = first.press("Send the result", a__r2="3", b__r2="1")
    assert (page.status, "both count the bridge (1 VP)" in page.text) == (422, True)
    page = first.press("Send the result", a__r2="3", b__r2="2")
    assert "both banks were taken at once" in page.text
    page = first.press("Yes, send it")
    assert "Now your opponent confirms it" in page.flashes
    stage.decide(event, stage.now(game), 3, 1)
    assert [(row.rank, row.points) for row in stage.standings(event)] == [(1, 3), (2, 0)]
    assert "3 : 1" in olga.open("/e/iron-open/rounds/1").text


def test_played_scenario_cannot_change(olga: Person, bridge: OwnScenario, stage: Stage, event: Event) -> None:
    choose(olga)
    before = olga.open(BRIDGE)
    assert "Planned by Iron Open" in before.text
    stage.enter(event, "Ada", "Bo")
    stage.publish(event, 1)
    document = stage.one(OwnScenario).document
    olga.page = before
    page = olga.press("Save", most="5", name="Wider Bridge")
    assert page.status == 422
    assert "This scenario cannot be changed: it is used in round 1 of Iron Open." in page.errors
    page = olga.press("Save as a new scenario")
    assert (page.path, page.flashes) == ("/desk/scenarios/battle-mode/own-wider-bridge", "Saved.")
    assert stage.one(OwnScenario, slug=bridge.slug).document == document
    assert "Save as a new scenario" in olga.open(BRIDGE).text
    refused_at(olga.press("Save as a new scenario", most="4"), "name", "This name is taken")


def test_scenario_without_objective_markers_does_not_ask_for_them(
    olga: Person, stage: Stage, event: Event, enter: Callable[..., list[Person]]
) -> None:
    write_scenario(olga, objectives_each="0", objective_kinds="")
    choose(olga)
    ada, _ = enter(event, "Ada", "Bo")
    stage.publish(event, 1)
    page = ada.open("/e/iron-open/me/game")
    assert "bjective markers" not in page.text
    assert "Now your opponent" in ada.press("Send the result", a__r2="3", b__r3="2").flashes
    (sheet,) = texts(olga.open("/e/iron-open/rounds/1/scoresheets.pdf"))
    assert "bjective markers" not in sheet
    assert "Markers" not in sheet.partition("Victory points")[2]
    assert "Result total VP" in sheet


def test_sheet_numbers_many_markers_with_a_legend(olga: Person, stage: Stage, event: Event) -> None:
    rows = {f"markers-{n}-{field}": value for n in range(9)
            for field, value in (("x", str(2 * n)), ("y", "9"), ("label", f"Crate {n}"))}  # fmt: skip
    olga.open(f"{NEW}?start=raiders")
    olga.press("Add rows")
    page = olga.press("Save", name="Hold the Bridge", **rows)
    assert page.flashes == "Saved."
    choose(olga)
    stage.enter(event, "Ada", "Bo")
    stage.draw(event, 1)
    page = olga.open("/e/iron-open/scenarios/own-hold-the-bridge")
    assert [label.get_text() for label in page.soup.select("svg .map-label")] == list("123456789")
    assert "Crate 8: " in page.part("ol.meta li:last-child")
    (sheet,) = texts(olga.open("/e/iron-open/rounds/1/scoresheets.pdf"))
    assert "On the map: 1: Crate 0; 2: Crate 1;" in sheet
    assert "9: Crate 8." in sheet
