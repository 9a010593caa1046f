"""Places of teams: a limit counts what enters, so a team holds a place for each of its players."""

from collections.abc import Callable

import pytest
from flask import Flask

from events.accounts.limits import Client
from events.registration import leaving, places, team_actions
from events.store.players import places_taken
from models.play import PlayerState
from models.team import Team
from tests.kit.person import SIGN_UP, Person
from tests.kit.stage import Event, Player, Stage
from tests.kit.team_events import of_team, team_event

HERE = Client("here")

REGISTER = "/e/iron-open/register"


@pytest.fixture
def pairs(stage: Stage) -> Event:
    """Teams of two in an event of four places."""
    event = team_event(stage, size=2)
    stage.set(event, places=4)
    return event


def states(stage: Stage) -> dict[str, str]:
    return {player.name: player.state.value for player in stage.all(Player)}


def waiting(stage: Stage) -> list[str]:
    return [player.name for player in stage.all(Player, state=PlayerState.WAITING)]


def enter(stage: Stage, event: Event, *players: str) -> list[Player]:
    """Enter players such as "A1", who is in the team A, and "-1", who is in none."""
    return [
        stage.do(event, team_actions.enter_team, name, {"club": ""}, "", team=name[0].strip("-")) for name in players
    ]


def code(stage: Stage, team: str) -> str:
    return stage.one(Team, name=team).code


@pytest.mark.proves("attack 105")
def test_captains_mate_has_the_place_that_half_teams_cannot_fill(app: Flask, stage: Stage, pairs: Event) -> None:
    for name in ("A1", "B1", "C1", "D1"):
        page = Person(app).press(SIGN_UP, at=REGISTER, name=name, team=f"Team {name[0]}")
        assert page.status == 200
    page = Person(app).open("/e/iron-open")
    assert page.part("progress") == "" and [bar["value"] for bar in page.soup.select("progress")][:1] == ["4"]
    assert "Join the waiting list" in page.text
    mate = Person(app).press(SIGN_UP, at=REGISTER, name="A2", team="Team A", team_code=code(stage, "Team A"))
    assert mate.part("h1") == "You are registered"
    Person(app).press(SIGN_UP, at=REGISTER, name="C2", team="Team C", team_code=code(stage, "Team C"))
    assert waiting(stage) == ["C1", "D1", "C2"]


def test_pages_say_what_a_team_or_a_pair_takes(olga: Person, visitor: Person, stage: Stage, pairs: Event) -> None:
    enter(stage, pairs, "A1")
    assert "2 of 4 places free" in visitor.open("/").text
    assert "keeps places for all its players" in visitor.open(REGISTER).text
    assert "A team takes 2 places" in visitor.open("/e/iron-open").text
    assert "2 left" in visitor.open("/e/iron-open").text
    assert "2/4" in olga.open("/e/iron-open/desk").text
    assert "A team takes the places of all its players" in olga.open("/e/iron-open/desk/settings/registration").text
    stage.set(pairs, places=None)
    assert "A team takes" not in visitor.open("/e/iron-open").text
    doubles = stage.event("Twins")
    stage.set(doubles, doubles=True, places=2)
    stage.do(doubles, team_actions.enter_team, "Ada", {"club": ""}, "", partner="Bo")
    page = visitor.open("/e/twins/register")
    assert "You share one place" in page.text and "1 of 2 places free" in page.text


def by_walk_in(stage: Stage, olga: Person, event: Event) -> None:
    olga.press("Add", at="/e/iron-open/desk/players", **{"w-name": "A2", "w-team": "A"})


def by_paste(stage: Stage, olga: Person, event: Event) -> None:
    olga.press("Add all", at="/e/iron-open/desk/players", **{"p-names": "A2;;;A"})


def by_return(stage: Stage, olga: Person, event: Event) -> None:
    (player,) = enter(stage, event, "A2")
    stage.do(event, leaving.drop, player)
    assert "D1" in waiting(stage), "the team keeps its place"
    stage.do(event, leaving.reinstate, player)


def by_code_of_one_who_waits(stage: Stage, olga: Person, event: Event) -> None:
    (player,) = enter(stage, event, "-2")
    assert player.state == PlayerState.WAITING
    stage.set(event, player, name="A2")
    stage.do(event, lambda act: team_actions.choose_team(act, player, "A", code(stage, "A"), HERE))


@pytest.mark.parametrize("way", [by_walk_in, by_paste, by_return, by_code_of_one_who_waits])
def test_team_keeps_its_places_on_every_way(
    olga: Person, stage: Stage, pairs: Event, way: Callable[[Stage, Person, Event], None]
) -> None:
    enter(stage, pairs, "A1", "B1", "C1", "D1")
    way(stage, olga, pairs)
    assert states(stage)["A2"] == "registered"
    assert waiting(stage)[:2] == ["C1", "D1"]


def test_team_that_waits_gets_all_places_at_once_and_is_not_overtaken(stage: Stage, pairs: Event) -> None:
    alone, *_ = enter(stage, pairs, "-1", "A1", "B1", "-2", "B2")
    assert waiting(stage) == ["B1", "-2", "B2"], "one place is free, too few for a team of two"
    stage.refuse("Too few places are free", pairs, places.give_place, stage.one(Player, name="B1"))
    stage.do(pairs, leaving.drop, alone)
    assert waiting(stage) == ["-2"]
    stage.do(pairs, leaving.drop, stage.one(Player, name="B1"))
    assert waiting(stage) == ["-2"], "B2 is in the team still"
    stage.do(pairs, leaving.drop_team, stage.one(Team, name="B"))
    assert waiting(stage) == []
    stage.do(pairs, leaving.reinstate_team, stage.one(Team, name="B"))
    assert waiting(stage) == ["B1", "B2"], "a team that comes back waits as others do"


def test_places_too_few_for_the_team_that_waits_are_left_to_nobody(
    visitor: Person, stage: Stage, pairs: Event, app: Flask
) -> None:
    stage.set(pairs, places=5)
    enter(stage, pairs, "A1", "B1")
    gone = Person(app)
    gone.press(SIGN_UP, at=REGISTER, name="C1", team="C")
    assert waiting(stage) == ["C1"]
    event = visitor.open("/e/iron-open")
    assert "4 of 5 places taken 0 left" in event.text and "Join the waiting list" in event.text
    assert "you go on the waiting list" in visitor.open(REGISTER).text
    assert "Full, with a waiting list" in visitor.open("/").text
    gone.press("Withdraw", at="/e/iron-open/me")
    assert "1 left" in visitor.open("/e/iron-open").text, "a player without a team gets it"
    assert "1 of 5 places free" in visitor.open("/").text
    page = gone.open("/e/iron-open/me")
    assert "Too few places are free: a team takes one" in page.text and "All places are taken" not in page.text


def test_teams_without_a_waiting_list_are_refused_and_their_mates_are_not(
    visitor: Person, stage: Stage, pairs: Event
) -> None:
    stage.set(pairs, waiting_list=False)
    enter(stage, pairs, "-1", "A1")
    args = ("B1", {"club": ""}, "")
    stage.refuse("Too few places are free", pairs, lambda act: team_actions.enter_team(act, *args, team="B"))
    enter(stage, pairs, "-2")
    assert "waiting list" not in visitor.open("/e/iron-open").text
    assert visitor.open(REGISTER).path == REGISTER, "the mate can sign up"
    enter(stage, pairs, "A2")
    assert visitor.open(REGISTER).path == "/e/iron-open"
    assert set(states(stage).values()) == {"registered"} and not stage.all(Team, name="B")


def test_moves_between_teams_take_no_place_that_another_team_holds(stage: Stage, pairs: Event) -> None:
    first, alone, other = enter(stage, pairs, "A1", "-1", "-2")
    stage.refuse("Too few", pairs, lambda act: team_actions.choose_team(act, alone, "New", "", HERE))
    made = stage.do(pairs, team_actions.make_team, "New", "")
    stage.refuse("Too few", pairs, lambda act: team_actions.seat_team(act, made, [alone, None], None))
    stage.do(pairs, team_actions.seat_team, made, [alone, other], None)
    second, *_ = enter(stage, pairs, "A2", "C1")
    stage.do(pairs, team_actions.seat_team, stage.one(Team, name="A"), [first, alone], None)
    stage.do(pairs, team_actions.seat_team, made, [second, other], None)
    assert waiting(stage) == ["C1"], "players swap teams in a full event"
    stage.do(pairs, leaving.drop, other)
    assert waiting(stage) == ["C1"]
    stage.do(pairs, leaving.drop, second)
    assert waiting(stage) == [], "a team without players holds nothing"


def test_players_alone_who_fill_an_event_find_teams(stage: Stage, pairs: Event) -> None:
    one, two, *_ = enter(stage, pairs, "-1", "-2", "-3", "-4", "C1")
    stage.do(pairs, lambda act: team_actions.choose_team(act, one, "New", "", HERE))
    stage.do(pairs, lambda act: team_actions.choose_team(act, two, "New", code(stage, "New"), HERE))
    assert waiting(stage) == ["C1"] and len(of_team(stage, pairs, stage.one(Team, name="New"))) == 2


def test_disbanded_team_gives_the_places_that_it_held(stage: Stage, pairs: Event) -> None:
    enter(stage, pairs, "A1", "B1", "-1")
    assert waiting(stage) == ["-1"]
    stage.do(pairs, team_actions.remove_team, stage.one(Team, name="A"))
    assert waiting(stage) == []


def test_step_is_not_undone_whose_place_is_taken(app: Flask, olga: Person, stage: Stage, pairs: Event) -> None:
    (left, *_) = enter(stage, pairs, "B1", "A1")
    olga.press("Drop", at=f"/e/iron-open/desk/players/{left.id}")
    Person(app).press(SIGN_UP, at=REGISTER, name="C1", team="C")
    assert states(stage) == {"B1": "dropped", "A1": "registered", "C1": "registered"}
    olga.press("Undo this step", at="/e/iron-open/desk/undo", typed="undo")
    assert states(stage)["B1"] == "dropped" and "places are taken since" in olga.page.text


def test_event_over_the_new_count_admits_mates_while_persons_fit(stage: Stage, pairs: Event) -> None:
    """An event from before teams held places: three half teams of two in four places."""
    stage.set(pairs, places=6)
    enter(stage, pairs, "A1", "B1", "C1")
    stage.set(pairs, places=4)
    enter(stage, pairs, "A2", "B2", "-1")
    assert waiting(stage) == ["B2", "-1"]
    stage.s.rollback()
    assert places_taken(pairs, stage.all(Player)) == 6


def test_full_waiting_list_refuses_strangers_and_not_the_mate(app: Flask, stage: Stage, pairs: Event) -> None:
    stage.set(pairs, places=4)
    enter(stage, pairs, "A1", "B1", *(f"-{number}" for number in range(places.LEAST_WAITING)))
    assert "The waiting list is full." in Person(app).press(SIGN_UP, at=REGISTER, name="Zoe").errors
    page = Person(app).press(SIGN_UP, at=REGISTER, name="A2", team="A", team_code=code(stage, "A"))
    assert page.part("h1") == "You are registered"
