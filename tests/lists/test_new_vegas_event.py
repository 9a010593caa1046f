"""An event of another game than Battle Mode, over its pages alone: lists, results by losses and a rout, paper."""

from collections.abc import Callable

import pytest

from events.play.event_rules import scenario_limits
from models.event import Event
from models.play import Player
from tests.kit.person import Page, Person
from tests.kit.stage import Stage
from validators import SYSTEMS

GAME = "/e/iron-open/me/game"
FORCE = "/e/iron-open/me/force"
Enter = Callable[..., list[Person]]


@pytest.fixture
def event(stage: Stage) -> Event:
    """An event of the SNAFU game whose first round is an open battle."""
    return stage.event(game="new_vegas", rounds=1, scenarios=("open-battle",))


def make_force(person: Person) -> Page:
    """A force built by buttons without script, and handed in."""
    person.open(FORCE)
    person.press("Start", faction="Great Khans")
    person.page = person.press("Add the squad", add_class="Recon", add_profile="Officer")
    person.press("Add models to Recon 1", **{"s0.add_model": "Gunner"})
    page = person.press("Take out Minigun", **{"s0.m1.name": "Bearer"})
    assert "Legal" in page.part("[data-part=tally]"), page.text
    return person.press("Submit this force")


def test_a_day_from_the_builder_to_the_standings(olga: Person, stage: Stage, event: Event, enter: Enter) -> None:
    people = enter(event, "Ada", "Bo")
    for person in people:
        assert "Submitted" in make_force(person).flashes
    (game,) = stage.publish(event, 1)
    a, b = people if stage.name(game.a_id) == "Ada" else people[::-1]

    a.open(GAME)
    told = {"a.lost": "2", "a.leaders": "1", "a.rout": "Routed", "b.rout": "Stood"}
    page = a.press("Send the result", **told, **{"b.lost": "9"})
    assert page.status == 422
    assert "player B, models lost: 9 is more than the list holds" in page.text
    a.press("Send the result", **{"b.lost": "2"})
    page = b.open(GAME)
    assert "Models lost 2 Of them with Charisma 1" in page.part("table.reports")
    assert "Routed" in page.part("table.reports")
    b.press("Yes, that is right")
    rows = {row.name: row for row in stage.standings(event)}
    winner, loser = rows[stage.name(game.b_id)], rows[stage.name(game.a_id)]
    assert (winner.points, winner.vp) == (3, 2 + 2 + 10)
    assert (loser.points, loser.vp) == (0, 2)


def test_an_end_of_the_battle_that_differs_is_disputed(stage: Stage, event: Event, enter: Enter) -> None:
    people = enter(event, "Ada", "Bo")
    (game,) = stage.publish(event, 1)
    a, b = people if stage.name(game.a_id) == "Ada" else people[::-1]
    told = {"a.lost": "3", "a.leaders": "1", "b.lost": "1", "b.rout": "Stood"}
    a.open(GAME)
    a.press("Send the result", **told, **{"a.rout": "Routed"})
    b.open(GAME)
    b.press("Send my report", **told, **{"a.rout": "Stood"})
    assert stage.games(event, 1)[0].state == "disputed"


def test_impossible_losses_are_told_at_their_place(stage: Stage, event: Event, enter: Enter) -> None:
    people = enter(event, "Ada", "Bo")
    (game,) = stage.publish(event, 1)
    a = people[0] if stage.name(game.a_id) == "Ada" else people[1]
    a.open(GAME)
    page = a.press("Send the result", **{"a.lost": "1", "a.leaders": "2", "a.rout": "Stood", "b.rout": "Stood"})
    assert page.status == 422
    assert "Player A: 2 with Charisma among 1 models lost in all cannot be" in page.text
    assert page.value("a.leaders") == "2", "what was typed is kept"


def test_its_papers_are_drawn(olga: Person, stage: Stage, event: Event, enter: Enter) -> None:
    people = enter(event, "Ada", "Bo")
    make_force(people[0])
    stage.publish(event, 1)
    player = stage.one(Player, name="Ada")
    for address in (
        f"/e/iron-open/players/{player.id}/force.pdf",
        "/e/iron-open/pack.pdf",
        "/e/iron-open/rounds/1/scoresheets.pdf",
    ):
        answer = olga.http.get(address)
        assert answer.status_code == 200, address
        assert answer.data.startswith(b"%PDF")


def test_what_binds_a_scenario_without_points_by_round_is_told() -> None:
    battle = SYSTEMS["new_vegas"].scenario("open-battle")
    assert scenario_limits(battle) == [f"6 game rounds; {battle.round_note}."]
    hold = SYSTEMS["battle_mode"].scenario("hold-the-line")
    assert scenario_limits(hold)[0] == "6 game rounds, scoring from game round 2; at most 2 VP a player in each."


def test_a_file_of_another_kind_is_refused_in_words(event: Event, enter: Enter) -> None:
    (ada,) = enter(event, "Ada")
    ada.open(FORCE)
    page = ada.press("Read the file", text="++ Army Roster ++")
    assert "only force files of this service (.json) are read for the SNAFU game" in page.text
