"""An event of the SNAFU game on the pages: lists, and results by losses and a rout."""

import pytest

from events.play.event_rules import scenario_limits
from models.event import Event
from tests.kit.lists import MINE, Enter
from tests.kit.person import Person
from tests.kit.stage import Stage
from validators import SYSTEMS

GAME = "/e/iron-open/me/game"


@pytest.fixture
def event(stage: Stage) -> Event:
    """An event of the SNAFU game whose first round is an open battle."""
    return stage.event(game="new_vegas", rounds=1, scenarios=("open-battle",))


def build_force(person: Person) -> None:
    """Build a force by buttons, without script, and submit it."""
    person.open(MINE)
    person.press("Start", faction="Great Khans")
    person.press("Add the squad", add_class="Recon", add_profile="Officer")
    person.press("Add models to Recon 1", **{"s0.add_model": "Gunner"})
    page = person.press("Take out Minigun", **{"s0.m1.name": "Bearer"})
    assert "Legal" in page.part("[data-part=tally]"), page.text
    assert "Submitted" in person.press("Submit this force").flashes


def test_event_is_played_from_the_builder_to_the_standings(stage: Stage, event: Event, enter: Enter) -> None:
    people = enter(event, "Ada", "Bo")
    page = people[0].open(MINE)
    page = people[0].press("Read the file", text="++ Army Roster ++")
    assert "Only force files of this service (.json) are read for the SNAFU game" in page.text
    for person in people:
        build_force(person)
    (game,) = stage.publish(event, 1)
    a, b = people if stage.name(game.a_id) == "Ada" else people[::-1]

    a.open(GAME)
    page = a.press("Send the result", **{"a.lost": "1", "a.leaders": "2", "a.rout": "Stood", "b.rout": "Stood"})
    assert page.status == 422
    assert "Player A: 2 with Charisma among 1 models lost in all cannot be" in page.text
    assert page.value("a.leaders") == "2", "the typed answers are kept"
    answers = {"a.lost": "2", "a.leaders": "1", "a.rout": "Routed", "b.rout": "Stood"}
    page = a.press("Send the result", **answers, **{"b.lost": "9"})
    assert page.status == 422
    assert "Player B, models lost: 9 is more than the list holds" in page.text
    a.press("Send the result", **{"b.lost": "2"})
    page = b.open(GAME)
    assert "Models lost 2 Of them with Charisma 1" in page.part("table.reports")
    assert "Routed" in page.part("table.reports")
    b.agree()
    rows = {row.name: row for row in stage.standings(event)}
    winner, loser = rows[stage.name(game.b_id)], rows[stage.name(game.a_id)]
    assert (winner.points, winner.vp) == (3, 2 + 2 + 10)
    assert (loser.points, loser.vp) == (0, 2)


def test_reports_that_differ_in_the_rout_are_disputed(stage: Stage, event: Event, enter: Enter) -> None:
    people = enter(event, "Ada", "Bo")
    (game,) = stage.publish(event, 1)
    a, b = people if stage.name(game.a_id) == "Ada" else people[::-1]
    answers = {"a.lost": "3", "a.leaders": "1", "b.lost": "1", "b.rout": "Stood"}
    a.open(GAME)
    a.press("Send the result", **answers, **{"a.rout": "Routed"})
    b.open(GAME)
    b.press("Send my report", **answers, **{"a.rout": "Stood"})
    assert stage.games(event, 1)[0].state == "disputed"


def test_limits_of_a_scenario_are_described() -> None:
    battle = SYSTEMS["new_vegas"].scenario("open-battle")
    assert scenario_limits(battle) == [f"6 game rounds; {battle.round_note}."]
    hold = SYSTEMS["battle_mode"].scenario("hold-the-line")
    assert scenario_limits(hold)[0] == "6 game rounds, scoring from game round 2; at most 2 VP a player in each."
