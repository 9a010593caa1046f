"""Losses are counted figure by figure on the report's page, from the forces that the reporter may see."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from events.lists import actions as lists_actions
from events.setup import actions as setup_actions
from models.event import Event, ListsShown
from models.play import Game, Player, Report
from tests.kit.person import Page, Person
from tests.kit.stage import BY, Stage
from tests.web.test_presses_once import filled, sent
from validators import SYSTEMS

SYSTEM = SYSTEMS["fallout_warfare"]
EDITION = SYSTEM.editions[0]
LEADS = {"name": "Squire", "rank": "squadleader"}
GRUNTS = {"name": "Squire", "count": 5, "weapon": "Rifle"}
ARMY = SYSTEM.read_force(
    {
        "system": "fallout_warfare",
        "edition": EDITION.id,
        "faction": "Brotherhood of Steel",
        "squads": [{"models": [LEADS, GRUNTS]}, {"models": [LEADS, GRUNTS]}],
    },
    EDITION,
)
"""Two squads: 6 and five of 11 each, 122 in all."""
MINE = "/e/army-day/me/game"


def typed(page: Page, name: str) -> str:
    """What stands in a field."""
    (found,) = page.soup.select(f'input[name="{name}"]')
    return str(found["value"])


@pytest.fixture
def day(stage: Stage, request: pytest.FixtureRequest) -> Event:
    """An event of Fallout: Warfare, of which round 1 plays the Skirmish."""
    changed: dict[str, Any] = getattr(request, "param", {})
    with stage.changing() as s:
        wanted = setup_actions.default_settings(
            SYSTEM.id, "Army Day", "Town Hall", date(2026, 12, 5), "Europe/Berlin", stage.clock()
        )
        wanted = replace(wanted, scenarios=("skirmish", *[""] * (wanted.rounds - 1)), **changed)
        event = setup_actions.create_event(s, wanted, BY, stage.clock())
    with stage.changing(event) as s:
        setup_actions.open_registration(s, event, BY, stage.clock())
    return event


@pytest.fixture
def side_a(day: Event, enter: Callable[..., list[Person]], stage: Stage) -> Person:
    """Player A of the first table, both players having handed in the army."""
    people = dict(zip(("Ada", "Bo"), enter(day, "Ada", "Bo"), strict=True))
    for player in stage.all(Player):
        stage.force(day, player, ARMY)
    stage.publish(day, 1)
    return people[stage.name(stage.one(Game).a_id)]


def test_counted_figures_are_reckoned(side_a: Person, stage: Stage) -> None:
    page = side_a.open(MINE)
    assert typed(page, "a.fielded") == "122"
    assert "5 at 11" in page.text
    counts = {"count__a__dead__0-1": "3", "count__a__dead__1-0": "1", "count__a__retreated__1-1": "2"}
    page = side_a.press("Send the result", **counts, b__dead="50")
    if "Please look again" in page.text:
        page = side_a.press("Send the result", sure=True)
    answers = stage.one(Report).answers
    assert (answers["a.dead"], answers["a.retreated"], answers["b.dead"]) == (3 * 11 + 6, 22, 50)
    assert (answers["a.fielded"], answers["b.fielded"]) == (122, 122)


def test_more_than_there_are_is_refused_at_its_fields_and_kept(side_a: Person, stage: Stage) -> None:
    side_a.open(MINE)
    page = side_a.press("Send the result", **{"count__a__dead__0-1": "3", "count__a__strayed__0-1": "3"})
    assert page.status == 422
    assert "6 are counted, there are 5." in page.text
    assert typed(page, "count.a.dead.0-1") == "3"
    page = side_a.press("Send the result", **{"count__a__dead__0-1": "6", "count__a__strayed__0-1": "x"})
    assert page.status == 422
    assert "From 0 to 5." in page.text
    assert "Please type a whole number." in page.text
    assert stage.all(Report) == []


def test_what_was_stored_gets_its_answer_again_though_it_could_not_be_counted_so_any_more(
    side_a: Person, stage: Stage, day: Event
) -> None:
    body = filled(side_a, MINE) | {"count.a.dead.0-1": "5", "sure": "y", "do": "report"}
    told = sent(side_a, body, MINE)
    assert told[1]["state"] == "saved"
    smaller = [{"models": [LEADS, GRUNTS | {"count": 3}]}, ARMY["squads"][1]]
    a = stage.one(Player, id=stage.one(Game).a_id)
    with stage.changing(day) as s:
        lists_actions.save_force(
            s, day, a, SYSTEM.read_force(ARMY | {"squads": smaller}, EDITION), BY, stage.clock(), by_organiser=True
        )
    assert sent(side_a, body, MINE) == told
    assert sent(side_a, body | {"key": "another-key-of-a-form"}, MINE)[0] == 422, "the control"


@pytest.mark.parametrize("day", [{"lists_shown": ListsShown.AFTER_EVENT}], indirect=True)
def test_whoever_may_not_see_an_army_counts_nothing_of_it(side_a: Person, stage: Stage, visitor: Person) -> None:
    page = side_a.open(MINE)
    assert page.soup.find("input", attrs={"name": "count.a.dead.0-1"})
    assert not page.soup.find("input", attrs={"name": "count.b.dead.0-1"})
    assert typed(page, "b.fielded") == "0"
    sheet = visitor.open(f"/g/{stage.one(Game).code}?side=a")
    assert sheet.status == 200
    assert not sheet.soup.select("input[name^='count.']")
