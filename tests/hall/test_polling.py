"""Pages that follow an event: asked again, they answer 304 until something changes, and then the new page."""

from collections.abc import Callable

import pytest

from models.event import Event
from models.play import Player
from tests.conftest import Clock
from tests.kit.forces import read_force
from tests.kit.lists import DEADLINE, PIPER
from tests.kit.person import Person
from tests.kit.stage import Stage

PUBLIC = ["/e/iron-open", "/e/iron-open/rounds/1", "/e/iron-open/rounds/1?order=name", "/e/iron-open/standings"]


def poll(person: Person, address: str, etag: str = "") -> tuple[int, str]:
    """Ask as the page's script does; the status, and the mark to ask with next time."""
    answer = person.http.get(address, headers={"If-None-Match": etag} if etag else {})
    assert (answer.status_code == 304) == (answer.data == b"")
    assert answer.headers["Server-Now"], "by which the round's clock is set"
    assert answer.headers["ETag"].startswith('W/"'), "a proxy that packs the page keeps the mark"
    return answer.status_code, answer.headers["ETag"]


@pytest.mark.proves("F14")
@pytest.mark.parametrize("address", PUBLIC)
def test_a_page_is_sent_again_only_when_something_changed(
    visitor: Person, stage: Stage, event: Event, address: str
) -> None:
    stage.enter(event, "Ada", "Bo", "Cy", "Di")
    game, other = stage.publish(event, 1)
    status, etag = poll(visitor, address)
    assert status == 200
    assert poll(visitor, address, etag) == (304, etag)
    stage.decide(event, game, 2, 1)
    status, after = poll(visitor, address, etag)
    assert (status, after != etag) == (200, True)
    assert poll(visitor, address, after) == (304, after)
    stage.decide(event, other, 2, 1)
    assert poll(visitor, address, after)[0] == 200


def test_another_event_s_change_is_none(visitor: Person, stage: Stage, event: Event) -> None:
    other = stage.event("Rust Cup")
    _, etag = poll(visitor, "/e/iron-open")
    stage.enter(other, "Ada")
    assert poll(visitor, "/e/iron-open", etag)[0] == 304


def test_a_player_s_page_and_the_desk_follow_too(
    enter: Callable[..., list[Person]], olga: Person, stage: Stage, event: Event
) -> None:
    ada, _ = enter(event, "Ada", "Bo")
    marks = {
        address: poll(person, address)[1] for person, address in ((ada, "/e/iron-open/me"), (olga, "/e/iron-open/desk"))
    }
    assert poll(ada, "/e/iron-open/me", marks["/e/iron-open/me"])[0] == 304
    assert poll(olga, "/e/iron-open/desk", marks["/e/iron-open/desk"])[0] == 304
    stage.publish(event, 1)
    assert poll(ada, "/e/iron-open/me", marks["/e/iron-open/me"])[0] == 200
    assert poll(olga, "/e/iron-open/desk", marks["/e/iron-open/desk"])[0] == 200


def test_one_visitor_s_mark_is_never_another_s(
    visitor: Person, enter: Callable[..., list[Person]], olga: Person, stage: Stage, event: Event
) -> None:
    ada, bo = enter(event, "Ada", "Bo")
    marks = [poll(person, "/e/iron-open")[1] for person in (visitor, ada, bo, olga)]
    assert len(set(marks)) == 4


def test_the_deadline_is_a_change_though_nobody_did_anything(
    enter: Callable[..., list[Person]], stage: Stage, event: Event, clock: Clock
) -> None:
    (ada,) = enter(event, "Ada")
    stage.force(event, stage.one(Player), read_force(PIPER))
    _, etag = poll(ada, "/e/iron-open/me")
    clock.now = DEADLINE
    assert poll(ada, "/e/iron-open/me", etag)[0] == 200
    assert "Locked" in ada.open("/e/iron-open/me").text
