"""Places: whatever frees or adds one, it goes to the first who waits."""

from collections.abc import Callable

import pytest

from events.registration import leaving, removal
from events.rounds import actions as rounds_actions
from events.setup import actions as setup_actions
from models.event import Event
from models.play import PlayerState
from tests.kit.formats import drop
from tests.kit.person import SIGN_UP, Enter, Person
from tests.kit.stage import Player, Stage

SETTINGS = "/e/iron-open/desk/settings"
WAITING = ["Cy", "Di"]


@pytest.fixture
def full(stage: Stage) -> Event:
    """An event with two places, and two more players who wait: Cy first."""
    return stage.event(players=("Ada", "Bo", *WAITING), places=2)


def waiting(stage: Stage) -> list[str]:
    return [player.name for player in stage.all(Player, state=PlayerState.WAITING)]


def change(stage: Stage, event: Event, **values: object) -> None:
    stage.s.rollback()
    wanted = setup_actions.settings_of(event).model_copy(update=values)
    stage.do(event, setup_actions.change_settings, wanted)


def limit_raised(stage: Stage, event: Event) -> None:
    change(stage, event, places=3)


def limit_lifted(stage: Stage, event: Event) -> None:
    change(stage, event, places=None)


def withdrawal(stage: Stage, event: Event) -> None:
    drop(stage, event, "Bo")


def removed_duplicate(stage: Stage, event: Event) -> None:
    stage.do(event, removal.remove_players, [stage.one(Player, name="Bo")])


def approval_switched_off(stage: Stage, event: Event) -> None:
    stage.set(event, approval=True)
    drop(stage, event, "Bo")
    assert waiting(stage) == WAITING, "staff approve"
    change(stage, event, approval=False)


@pytest.mark.proves("attack 85")
@pytest.mark.parametrize(
    ("way", "left"),
    [(limit_raised, ["Di"]), (limit_lifted, []), (withdrawal, ["Di"]), (removed_duplicate, ["Di"]),
     (approval_switched_off, ["Di"])],
)  # fmt: skip
def test_free_place_goes_to_the_first_who_waits_on_every_way(
    stage: Stage, full: Event, way: Callable[[Stage, Event], None], left: list[str]
) -> None:
    way(stage, full)
    assert waiting(stage) == left
    stage.enter(full, "Newcomer", here=False)
    assert waiting(stage) == [*left, *(["Newcomer"] if left else [])]
    assert stage.one(Player, name="Cy").state == PlayerState.REGISTERED


def test_raised_limit_says_who_moves_up_and_tells_them(
    olga: Person, visitor: Person, stage: Stage, enter: Enter
) -> None:
    event = stage.event(places=2)
    people = enter(event, "Ada", "Bo", "Cy", "Di")
    olga.press("Save", at=f"{SETTINGS}/registration", inside="#registration", places="3")
    assert "Cy has a place now." in olga.page.flashes
    assert "You are checked in" not in people[2].open("/e/iron-open/me").text
    assert people[2].page.part("h1") == "You are registered"
    assert people[3].open("/e/iron-open/me").part("h1") == "You are on the waiting list"
    visitor.press(SIGN_UP, at="/e/iron-open/register", name="Newcomer")
    assert waiting(stage) == ["Di", "Newcomer"]
    olga.press("Save", at=f"{SETTINGS}/registration", inside="#registration", places="")
    assert "2 players have a place now: Di and Newcomer." in olga.page.flashes


def test_place_freed_before_registration_reopens_is_not_the_newcomers(stage: Stage, full: Event) -> None:
    stage.play(full, 1)
    drop(stage, full, "Ada")
    assert waiting(stage) == WAITING, "the event has begun: the desk gives places"
    stage.do(full, rounds_actions.unpublish, 1, with_results=True)
    stage.enter(full, "Newcomer", here=False)
    assert waiting(stage) == ["Di", "Newcomer"]


def test_brought_back_player_does_not_take_a_place_that_is_given(stage: Stage, full: Event) -> None:
    drop(stage, full, "Bo")
    bo = stage.one(Player, name="Bo")
    stage.do(full, leaving.reinstate, bo)
    assert bo.state == "waiting"
    drop(stage, full, "Bo")
    stage.set(full, waiting_list=False)
    stage.refuse("Too few places are free", full, leaving.reinstate, bo)
