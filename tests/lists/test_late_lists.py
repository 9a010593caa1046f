"""Players who join, or move up, after the lists are locked: what the pages say, their time for a list, and its end."""

from datetime import timedelta

import pytest

from events.lists import locks
from events.registration import leaving, places
from events.visitors.access import list_open
from models.event import Event
from models.play import Player
from tests.conftest import Clock
from tests.kit.lists import store_force
from tests.kit.person import SIGN_UP, Enter, Person
from tests.kit.stage import Stage

PAGE, DESK = "/e/iron-open", "/e/iron-open/desk"


@pytest.fixture
def locked(stage: Stage) -> Event:
    """An event of three places whose lists are locked and shown; Ada and Bo are in it, only Ada with a list."""
    event = stage.event(places=3)
    stage.enter(event, "Ada", "Bo", here=False)
    store_force(stage, "Ada")
    stage.do(event, locks.lock_now)
    return event


def is_open(stage: Stage, event: Event, name: str, clock: Clock) -> bool:
    stage.s.rollback()
    return list_open(stage.now(event), stage.one(Player, name=name), clock())


def test_sign_up_after_the_lock_is_warned_and_has_a_day_for_the_list(
    stage: Stage, locked: Event, visitor: Person, olga: Person, clock: Clock
) -> None:
    said = visitor.open(f"{PAGE}/register").part("#late")
    assert "The lists are locked. You have 24 hours for yours once you have a place" in said
    assert "until the next round is published" in said
    assert "Until then you do not see the other lists." in said
    visitor.press(SIGN_UP, name="Late")
    own = visitor.open(f"{PAGE}/me")
    assert "missed the list deadline" not in own.text
    assert "You joined after the lock: submit your force before" in own.text
    assert "submit it by Sun 22 Nov, 10:00" in own.part("[data-poll-part=now]")
    assert own.soup.select(".bar a.primary[href$='/me/force']")
    assert "until " in " ".join(olga.open(f"{DESK}/lists").part("[data-state=grace]").split())
    assert "can submit until" in olga.open(DESK).part("#group-no_list")
    assert "Late can submit a list until" in stage.journal(locked, "unlock-list")[0]
    clock.advance(hours=24, minutes=1)
    assert "missed the list deadline" in visitor.open(f"{PAGE}/me").text
    assert stage.one(Player, name="Late").list_unlocked_at is None, "the first page after it has stored the end"


def test_lists_of_others_are_hidden_until_the_own_one_is_locked(
    stage: Stage, locked: Event, visitor: Person, clock: Clock
) -> None:
    ada = stage.one(Player, name="Ada")
    pages = (f"{PAGE}/players/{ada.id}", f"{PAGE}/lists")
    assert all("Piper" in visitor.open(page).text for page in pages), "everybody reads them"
    visitor.press(SIGN_UP, at=f"{PAGE}/register", name="Late")
    for page in pages:
        assert "Piper" not in visitor.open(page).text
        assert "secret until your own list is locked" in visitor.page.text
    assert visitor.open(f"{PAGE}/players/{ada.id}/force.json").status == 404
    clock.advance(hours=25)
    assert all("Piper" in visitor.open(page).text for page in pages)


def test_time_for_late_lists_ends_with_the_next_round(stage: Stage, locked: Event, clock: Clock) -> None:
    stage.enter(locked, "Late")
    assert is_open(stage, locked, "Late", clock)
    stage.set(locked, stage.one(Player, name="Ada"), state="checked_in")
    stage.publish(locked, 1)
    assert not is_open(stage, locked, "Late", clock)
    stage.set(locked, places=None)
    stage.enter(locked, "Later")
    assert is_open(stage, locked, "Later", clock), "plays from round 2, and has time until then"
    assert stage.one(Player, name="Later").list_unlocked_until == clock() + timedelta(hours=24)


def test_player_who_moves_up_after_the_lock_has_the_time_from_then_on(
    stage: Stage, locked: Event, enter: Enter, clock: Clock
) -> None:
    stage.enter(locked, "Cy", here=False)
    (person,) = enter(locked, "Waits", here=False)
    assert "24 hours for your list" in person.open(f"{PAGE}/me").part(".lede")
    assert "missed the list deadline" not in person.page.text
    assert not is_open(stage, locked, "Waits", clock)
    clock.advance(hours=20)
    stage.do(locked, leaving.drop, stage.one(Player, name="Cy"))
    assert stage.one(Player, name="Waits").list_unlocked_until == clock() + timedelta(hours=24)


def test_submitted_list_stays_locked_when_its_player_moves_up(stage: Stage, clock: Clock) -> None:
    event = stage.event(places=2)
    stage.enter(event, "Ada", "Bo", here=False)
    (waits,) = stage.enter(event, "Waits", here=False)
    store_force(stage, "Waits")
    stage.do(event, locks.lock_now)
    stage.set(event, places=3)
    stage.do(event, places.give_place, waits)
    assert not is_open(stage, event, "Waits", clock)


def test_event_without_time_for_late_lists_says_so_before_the_sign_up(
    stage: Stage, locked: Event, visitor: Person, olga: Person, clock: Clock
) -> None:
    assert "24 hours" in olga.open(PAGE).part("#rules, main")
    olga.press("Save", at=f"{DESK}/settings/lists", late_list_hours="0")
    assert "you cannot submit one" in visitor.open(f"{PAGE}/register").part("#late")
    visitor.press(SIGN_UP, name="Late")
    assert not is_open(stage, locked, "Late", clock)
