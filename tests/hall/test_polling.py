"""Polled pages: they answer 304 until something changes, and then the new page."""

from collections.abc import Callable

import pytest

from models.event import Event
from models.play import Player
from tests.conftest import Clock
from tests.kit.forces import read_force
from tests.kit.lists import DEADLINE, PIPER
from tests.kit.person import Person
from tests.kit.stage import Stage

EVENT, ME, DESK = "/e/iron-open", "/e/iron-open/me", "/e/iron-open/desk"
PUBLIC = (EVENT, f"{EVENT}/rounds/1", f"{EVENT}/rounds/1?order=name", f"{EVENT}/standings")


def poll(person: Person, address: str, etag: str = "") -> tuple[int, str]:
    """Ask as the page's script does; the status, and the mark to ask with next time."""
    answer = person.http.get(address, headers={"If-None-Match": etag} if etag else {})
    assert (answer.status_code == 304) == (answer.data == b"")
    assert answer.headers["Server-Now"], "by which the round's clock is set"
    assert answer.headers["ETag"].startswith('W/"'), "a proxy that compresses the page keeps the mark"
    return answer.status_code, answer.headers["ETag"]


@pytest.mark.proves("F14")
def test_page_is_sent_again_only_when_something_changed(visitor: Person, stage: Stage, event: Event) -> None:
    stage.enter(event, "Ada", "Bo", "Cy", "Di")
    game, other = stage.publish(event, 1)
    marks = {address: poll(visitor, address)[1] for address in PUBLIC}

    def statuses() -> set[int]:
        return {poll(visitor, address, mark)[0] for address, mark in marks.items()}

    assert statuses() == {304}
    for one in (game, other):
        stage.decide(event, one, 2, 1)
        assert statuses() == {200}
        marks = {address: poll(visitor, address)[1] for address in PUBLIC}
        assert statuses() == {304}
    stage.enter(stage.event("Rust Cup"), "Ada")
    assert statuses() == {304}, "a change in another event"


def test_own_page_and_desk_are_polled_with_marks_of_their_own(
    visitor: Person, enter: Callable[..., list[Person]], olga: Person, stage: Stage, event: Event, clock: Clock
) -> None:
    ada, bo = enter(event, "Ada", "Bo")
    assert len({poll(person, EVENT)[1] for person in (visitor, ada, bo, olga)}) == 4
    stage.force(event, stage.one(Player, name="Ada"), read_force(PIPER))
    for person, address in ((ada, ME), (olga, DESK)):
        mark = poll(person, address)[1]
        assert poll(person, address, mark)[0] == 304
        with stage.changing(event):
            event.place = f"For {address}"
        assert poll(person, address, mark)[0] == 200
    mark = poll(ada, ME)[1]
    clock.now = DEADLINE
    assert poll(ada, ME, mark)[0] == 200, "the lists are locked"
