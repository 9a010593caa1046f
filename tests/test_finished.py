"""The shelf of finished answers: one render for many who ask at once, never an old one, never more than it holds."""

import time
import zlib
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from functools import partial
from threading import Barrier

import pytest

from events.finished import Finished, Shelf

NOON = datetime(2026, 12, 5, 12, tzinfo=UTC)


def answer(state: str = "1", size: int = 1, until: datetime | None = None) -> Finished:
    """An answer of so many bytes."""
    return Finished(state, 1, until, "mark", "text/html", b"x" * size)


def test_what_was_made_is_sent_until_the_state_is_another() -> None:
    shelf = Shelf()
    made = [answer("1"), answer("2")]
    assert shelf.get_or_make("/a", "1", NOON, shelf.turn(), lambda: made[0]) is made[0]
    assert shelf.get_or_make("/a", "1", NOON, shelf.turn(), lambda: made[1]) is made[0]
    assert shelf.get_or_make("/a", "2", NOON, shelf.turn(), lambda: made[1]) is made[1]
    assert shelf.get("/a", "1", NOON, shelf.turn()) is None, (
        "nor for whoever read the state before: a backup may have been restored"
    )


def test_whoever_read_the_state_before_it_changed_takes_the_newer_answer() -> None:
    shelf, made = Shelf(), [answer("2"), answer("1")]
    read_before = shelf.turn()
    assert shelf.get_or_make("/a", "2", NOON, shelf.turn(), lambda: made[0]) is made[0]
    assert shelf.get_or_make("/a", "1", NOON, read_before, lambda: made[1]) is made[0], "an older one in its place"
    assert shelf.get_or_make("/a", "3", NOON, shelf.turn(), lambda: made[1]) is made[1], "it was begun before"


def test_its_time_ends_it() -> None:
    shelf = Shelf()
    shelf.get_or_make("/a", "1", NOON, shelf.turn(), lambda: answer(until=NOON + timedelta(seconds=9)))
    assert shelf.get("/a", "1", NOON + timedelta(seconds=8.9), shelf.turn()) is not None
    assert shelf.get("/a", "1", NOON + timedelta(seconds=9), shelf.turn()) is None


def test_of_many_who_ask_at_once_one_makes_it() -> None:
    shelf, made = Shelf(), []
    together = Barrier(16)

    def make() -> Finished:
        made.append(len(zlib.compress(bytes(8_000_000))))  # work that lets the other threads run meanwhile
        return answer()

    def ask(_: int) -> object:
        together.wait(10)
        return shelf.get_or_make("/a", "1", NOON, shelf.turn(), make)

    with ThreadPoolExecutor(16) as threads:
        assert len(set(map(id, threads.map(ask, range(16))))) == 1
    assert len(made) == 1


def test_never_two_are_made_at_once_of_one_address() -> None:
    """Each answer here is asked for once, so that whoever waits has to make the next one."""
    shelf, under_way, most = Shelf(), list[int](), [0]

    def make() -> str:
        under_way.append(1)
        most.append(len(under_way))
        time.sleep(0.0001)
        under_way.pop()
        return "not kept"

    def ask(_: int) -> object:
        return shelf.get_or_make("/a", "1", NOON, shelf.turn(), make)

    with ThreadPoolExecutor(4) as threads:
        assert set(threads.map(ask, range(400))) == {"not kept"}
    assert len(most) == 401
    assert max(most) == 1


@pytest.mark.parametrize(("passes", "rest", "made"), [(True, 60.0, 4), (False, 60.0, 9), (True, 0.0, 9)])
def test_what_is_made_again_and_again_rests_where_it_will_do(passes: bool, rest: float, made: int) -> None:
    shelf, states = Shelf(rest=rest), [str(n) for n in range(9)]
    asked: list[str] = []

    def does(older: Finished) -> bool:
        asked.append(older.state)
        return passes

    got = [shelf.get_or_make("/a", state, NOON, shelf.turn(), partial(answer, state), does) for state in states]
    assert len(set(map(id, got))) == made
    assert [one.state for one in got if isinstance(one, Finished)] == states[:made] + ["3"] * (9 - made)
    assert set(asked) == ({"3"} if made == 4 else set() if rest == 0 else set(states[3:-1]))
    before = len(asked)
    again = shelf.get_or_make("/a", states[-1], NOON, shelf.turn(), answer, does)
    assert again is got[-1] and len(asked) == before, "asked once for each state"


def test_what_rests_is_over_at_its_time() -> None:
    shelf, later = Shelf(rest=60), NOON + timedelta(seconds=9)
    for n in range(4):
        shelf.get_or_make("/a", str(n), NOON, shelf.turn(), partial(answer, str(n), until=later))
    made = shelf.get_or_make("/a", "5", later, shelf.turn(), lambda: answer("5"), lambda _: True)
    assert isinstance(made, Finished) and made.state == "5"


def test_what_cannot_be_finished_is_passed_on_and_not_kept() -> None:
    shelf = Shelf()
    assert shelf.get_or_make("/a", "1", NOON, shelf.turn(), lambda: "a refusal") == "a refusal"
    with pytest.raises(ZeroDivisionError):
        shelf.get_or_make("/a", "1", NOON, shelf.turn(), lambda: 1 // 0)
    assert len(shelf) == 0
    assert isinstance(shelf.get_or_make("/a", "1", NOON, shelf.turn(), answer), Finished)


def test_what_was_not_asked_for_the_longest_goes_first() -> None:
    shelf = Shelf(most_bytes=30, most_answers=3)
    for name in ("/a", "/b", "/c"):
        shelf.get_or_make(name, "1", NOON, shelf.turn(), lambda: answer(size=10))
    assert shelf.get("/a", "1", NOON, shelf.turn()) is not None
    shelf.get_or_make("/d", "1", NOON, shelf.turn(), lambda: answer(size=10))
    assert [name for name in ("/a", "/b", "/c", "/d") if shelf.get(name, "1", NOON, shelf.turn())] == ["/a", "/c", "/d"]
    shelf.get_or_make("/a", "2", NOON, shelf.turn(), lambda: answer("2", size=25))
    assert [name for name in ("/a", "/b", "/c", "/d") if shelf.get(name, "2", NOON, shelf.turn())] == ["/a"]
    shelf.get_or_make("/e", "1", NOON, shelf.turn(), lambda: answer(size=31))
    assert len(shelf) == 0, "what does not fit at all is not kept"
