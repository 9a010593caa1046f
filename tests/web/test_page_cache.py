"""The page cache: one caller makes a value while others wait, nothing stale is used, and its size stays bounded."""

import zlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from itertools import count
from threading import Barrier, Event

import pytest
from werkzeug.wrappers import Response

from events.web.page_cache import Page, PageCache
from tests.conftest import Clock

CALLERS = 16


def names(cache: PageCache) -> list[str]:
    """The names of the cached values."""
    return [name for _, name, _ in cache.values]


def page(size: int = 1, until: object = None) -> Page:
    """A page of this many bytes."""
    return Page(b"x" * size, "text/html", "mark", until)  # type: ignore[arg-type]


def ask_at_once(get: Callable[[Callable[[], Page | Response]], object], made: Page | Response) -> tuple[int, int]:
    """Ask from many threads at once. Returns how often the value was made, and the most makers at one time."""
    together, running, makes = Barrier(CALLERS), list[int](), list[int]()

    def make() -> Page | Response:
        running.append(1)
        makes.append(len(running))
        zlib.compress(bytes(4_000_000))  # lets the other threads run meanwhile
        running.pop()
        return made

    def ask(_: int) -> object:
        together.wait(10)
        return get(make)

    with ThreadPoolExecutor(CALLERS) as threads:
        assert list(threads.map(ask, range(CALLERS))) == [made] * CALLERS
    return len(makes), max(makes)


@pytest.mark.proves("F14")
def test_many_waiting_callers_share_one_render(clock: Clock) -> None:
    """Controls: without the cache every caller renders; a response that is not kept is made one at a time."""
    cache = PageCache(clock)
    assert ask_at_once(lambda make: cache.get(1, "/a", "s1", make), page()) == (1, 1)
    assert ask_at_once(lambda make: make(), page())[0] == CALLERS
    assert ask_at_once(lambda make: cache.get(1, "/b", "s1", make), Response("no")) == (CALLERS, 1)


@pytest.mark.proves("F14")
def test_one_render_serves_all_earlier_requests(clock: Clock) -> None:
    """Each request finds another state, as when reports arrive in quick succession.

    Control: by state alone, each would render.
    """
    cache, numbers = PageCache(clock), count()
    first = ask_at_once(lambda make: cache.page(lambda: (1, "/a", f"s{next(numbers)}"), make), page())
    assert first[0] <= 3, "one for the first, one for all who came meanwhile, one for a thread that came late"
    assert ask_at_once(lambda make: cache.get(1, "/a", f"s{next(numbers)}", make), page())[0] == CALLERS


def test_page_is_never_older_than_its_request(clock: Clock) -> None:
    """A request that arrives during a render does not get that page, which may lack its result."""
    cache, began, go_on, states = PageCache(clock), Event(), Event(), ["s1"]

    def slow() -> Page:
        began.set()
        assert go_on.wait(10)
        return page(1)

    with ThreadPoolExecutor(2) as threads:
        old = threads.submit(cache.page, lambda: (1, "/a", states[-1]), slow)
        assert began.wait(10)
        states.append("s2")
        new = threads.submit(cache.page, lambda: (1, "/a", states[-1]), lambda: page(2))
        go_on.set()
        assert (old.result(10), new.result(10)) == (page(1), page(2))


def test_page_of_a_hidden_event_is_not_kept(clock: Clock) -> None:
    cache = PageCache(clock)
    assert isinstance(cache.page(lambda: None, page), Page)
    assert names(cache) == []


def test_value_of_another_state_is_made_again(clock: Clock) -> None:
    cache, first, second = PageCache(clock), page(), page(2)
    assert cache.get(1, "/a", "s1", lambda: first) is first
    assert cache.get(1, "/a", "s1", lambda: second) is first
    assert cache.get(2, "/a", "s1", lambda: second) is second, "another event"
    assert cache.get(1, "/b", "s1", lambda: second) is second
    assert sorted(cache.values) == [(1, "/a", "s1"), (1, "/b", "s1"), (2, "/a", "s1")]
    assert cache.get(1, "/a", "s2", lambda: second) is second
    assert sorted(cache.values) == [(1, "/a", "s2"), (1, "/b", "s1"), (2, "/a", "s1")], "the old state is dropped"


def test_page_lasts_until_its_time(clock: Clock) -> None:
    cache, ends = PageCache(clock), clock() + timedelta(seconds=9)
    cache.get(1, "/a", "s1", lambda: page(until=ends))
    clock.advance(seconds=8.9)
    assert names(cache) == ["/a"]
    clock.advance(seconds=0.1)
    later = page()
    assert cache.get(1, "/a", "s1", lambda: later) is later


def test_responses_and_errors_are_not_kept(clock: Clock) -> None:
    cache, refused = PageCache(clock), Response(status=404)
    assert cache.get(1, "/a", "s1", lambda: refused) is refused
    with pytest.raises(ZeroDivisionError):
        cache.get(1, "/a", "s1", lambda: 1 // 0)
    assert names(cache) == []
    assert isinstance(cache.get(1, "/a", "s1", page), Page), "nobody waits for the failed caller"


def test_cache_drops_least_recently_used_values_beyond_its_bytes(clock: Clock) -> None:
    cache = PageCache(clock, max_bytes=30)
    for name in ("/a", "/b", "/c", "/a", "/d"):
        cache.get(1, name, "s1", lambda: page(10))
    assert sorted(names(cache)) == ["/a", "/c", "/d"]
    cache.get(1, "/e", "s1", lambda: page(31))
    assert "/e" not in names(cache), "larger than the whole cache"
    for number in range(3000):
        cache.get(1, f"/{number}", "s1", lambda: page(10))
    assert len(names(cache)) == 3
