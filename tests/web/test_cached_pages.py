"""The page cache: rendered once, never stale, never personal, bounded in size."""

import gzip
import shutil
import threading
import zlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from itertools import count
from pathlib import Path
from threading import Barrier

import pytest
from flask import Flask
from sqlalchemy import Engine
from werkzeug.wrappers import Response

from events.web.page_cache import Page, PageCache
from service.backups import write_copy
from tests.kit.forces import read_force
from tests.kit.lists import DEADLINE, PIPER
from tests.kit.own_editions import write_scenario
from tests.kit.people import let_in
from tests.kit.person import START_CLOCK, Enter, Person
from tests.kit.stage import Clock, Event, Player, Role, Stage
from tests.kit.statements import rendered, sent

CALLERS = 16


def names(cache: PageCache) -> list[str]:
    return [name for _, name, _ in cache.values]


def page(size: int = 1, until: object = None) -> Page:
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
    """Each request finds another state, as in quick reports; the control: by state alone each would render."""
    cache, numbers = PageCache(clock), count()
    first = ask_at_once(lambda make: cache.page(lambda: (1, "/a", f"s{next(numbers)}"), make), page())
    assert first[0] <= 3, "one for the first, one for all who came meanwhile, one for a thread that came late"
    assert ask_at_once(lambda make: cache.get(1, "/a", f"s{next(numbers)}", make), page())[0] == CALLERS


def test_page_is_never_older_than_its_request(clock: Clock) -> None:
    """A request that arrives during a render does not get that page, which may lack its result."""
    cache, began, go_on, states = PageCache(clock), threading.Event(), threading.Event(), ["s1"]

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


def test_value_is_made_again_for_another_state_or_after_its_time(clock: Clock) -> None:
    cache, first, second = PageCache(clock), page(), page(2)
    assert cache.get(1, "/a", "s1", lambda: first) is first
    assert cache.get(1, "/a", "s1", lambda: second) is first
    assert cache.get(2, "/a", "s1", lambda: second) is second, "another event"
    assert cache.get(1, "/b", "s1", lambda: second) is second
    assert sorted(cache.values) == [(1, "/a", "s1"), (1, "/b", "s1"), (2, "/a", "s1")]
    assert cache.get(1, "/a", "s2", lambda: second) is second
    assert sorted(cache.values) == [(1, "/a", "s2"), (1, "/b", "s1"), (2, "/a", "s1")], "the old state is dropped"
    cache.get(1, "/a", "s3", lambda: page(until=clock() + timedelta(seconds=9)))
    clock.advance(seconds=8.9)
    assert (1, "/a", "s3") in cache.values
    clock.advance(seconds=0.1)
    assert cache.get(1, "/a", "s3", lambda: first) is first


def test_responses_errors_and_pages_of_hidden_events_are_not_kept(clock: Clock) -> None:
    cache, refused = PageCache(clock), Response(status=404)
    assert cache.get(1, "/a", "s1", lambda: refused) is refused
    with pytest.raises(ZeroDivisionError):
        cache.get(1, "/a", "s1", lambda: 1 // 0)
    assert isinstance(cache.page(lambda: None, page), Page)
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


ROUND = "/e/iron-open/rounds/1"
CACHED = ["/e/iron-open", ROUND, f"{ROUND}?order=name", "/e/iron-open/standings", "/e/iron-open/version"]


def cached(app: Flask) -> list[str]:
    cache: PageCache = app.extensions["overseer_page_cache"]
    return [name.removesuffix(" en") for _, name, _ in cache.values if name.startswith("http")]


@pytest.mark.proves("I6", "F14")
def test_page_is_rendered_once_for_each_version_of_the_event_and_sent_compressed(
    app: Flask, playing: list[Person], stage: Stage, event: Event
) -> None:
    with rendered(app) as names:
        first = {address: Person(app).http.get(address) for address in CACHED}
        for address, answer in first.items():
            again = Person(app).http.get(address)
            assert again.data == answer.data != b"", address
            assert again.headers["ETag"] == answer.headers["ETag"], address
        assert len(names) == len(CACHED) - 1, "the version is no page"
        stage.decide(event, stage.games(event, 1)[0], 2, 1)
        for address, answer in first.items():
            assert Person(app).http.get(address).headers["ETag"] != answer.headers["ETag"], address
        assert len(names) == 2 * (len(CACHED) - 1)
    plain = Person(app).http.get(ROUND)
    packed = Person(app).http.get(ROUND, headers={"Accept-Encoding": "br, gzip"})
    assert "Content-Encoding" not in plain.headers
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.data) == plain.data
    assert len(packed.data) < len(plain.data) / 2
    assert {answer.headers["Cache-Control"] for answer in (plain, packed)} == {"private, no-store"}
    assert {"Accept-Encoding", "Cookie"} <= set(packed.vary)


def test_signed_in_visitors_neither_read_nor_fill_the_cache(
    app: Flask, playing: list[Person], olga: Person, enter: Enter, stage: Stage
) -> None:
    (eve,) = enter(stage.event("Rust Cup"), "Eve")
    for person in (*playing, olga, eve):
        for address in (*CACHED, "/e/iron-open/me", "/e/iron-open/desk", "/e/iron-open/desk/clock"):
            person.open(address)
    assert len(cached(app)) == 0
    anonymous = Person(app).http.get(ROUND).text
    assert "You play at" not in anonymous
    assert len(cached(app)) == 1
    for player in playing:
        assert "You play at table" in player.open(ROUND).text
    assert "Sign out" in olga.open(ROUND).text
    assert Person(app).http.get(ROUND).text == anonymous


def test_pages_of_drafts_with_own_scenarios_or_messages_are_not_cached(
    app: Flask, olga: Person, stage: Stage, event: Event
) -> None:
    stage.event("Secret Cup", draft=True)
    for address in ("/e/secret-cup", "/e/secret-cup/version", "/e/secret-cup/standings"):
        assert olga.open(address).status == 200
        assert Person(app).open(address).status == 404
    write_scenario(olga)  # the club may change it without changing the event
    assert Person(app).open("/e/iron-open").status == 200
    assert len(cached(app)) == 0
    olga.post("/sign-out")
    assert "Signed out." in olga.open("/e/iron-open").text
    assert len(cached(app)) == 0
    assert "Signed out." not in Person(app).open("/e/iron-open").text


def test_deadline_ends_the_cached_list_of_forces_and_no_force_is_cached(
    app: Flask, enter: Enter, stage: Stage, event: Event
) -> None:
    (ada,) = enter(event, "Ada")
    row = stage.one(Player)
    stage.force(event, row, read_force(PIPER))
    secret = ["/e/iron-open/lists", f"/e/iron-open/players/{row.id}"]
    for address in (*secret, *CACHED[:1]):
        ada.open(address)
        assert "Piper" not in Person(app).open(address).text
    version = Person(app).http.get("/e/iron-open/version").text
    kept = ["/e/iron-open", "/e/iron-open/lists", "/e/iron-open/version"]
    assert sorted(cached(app)) == [f"http://localhost{text}" for text in kept]
    stage.clock.now = DEADLINE
    assert cached(app) == []
    assert Person(app).http.get("/e/iron-open/version").text != version
    assert all("Piper" in Person(app).open(address).text for address in secret)


def test_page_with_a_running_clock_is_rendered_again_after_20_seconds_and_at_each_call(
    app: Flask, playing: list[Person], olga: Person, clock: Clock
) -> None:
    olga.press(START_CLOCK, at="/e/iron-open/desk/clock")
    for seconds, shown in ((0, "1:30:00"), (19, "1:30:00"), (1, "1:29:40")):
        clock.advance(seconds=seconds)
        assert Person(app).open(ROUND).part(".face .clock") == shown
    marks = set()
    for seconds, word in ((59 * 60 + 35, "Running"), (5, "30 minutes called")):
        clock.advance(seconds=seconds)
        assert Person(app).open(ROUND).part(".face .badge") == word
        marks.add(Person(app).http.get("/e/iron-open/version").text)
    assert len(marks) == 2


def test_guest_account_and_player_have_marks_of_their_own_with_the_server_time(
    app: Flask, playing: list[Person], clock: Clock, stage: Stage
) -> None:
    """With one mark the browser would show one user's page to the next."""
    nora, marks = stage.hire(stage.event("Rust Cup"), "Nora", Role.JUDGE), set[str]()
    assert (nora.id, stage.one(Player, name="Ada").id) == (1, 1)
    for person in (Person(app), playing[0], let_in(app, nora)):
        mark = person.http.get("/e/iron-open/version")
        marks.add(mark.headers["ETag"])
        clock.advance(seconds=7)
        again = person.http.get("/e/iron-open/version", headers={"If-None-Match": f'W/"{mark.text}"'})
        assert (again.status_code, again.data) == (304, b"")
        assert again.headers["Server-Now"] == clock().isoformat()
    assert len(marks) == 3


def test_players_poll_costs_one_statement_and_finds_each_change_at_once(
    app: Flask, playing: list[Person], stage: Stage, event: Event, clock: Clock
) -> None:
    address, seen = "/e/iron-open/version", set[str]()

    def asked(person: Person, statements: int) -> str:
        """A mark that nobody had before, and that stays for this player."""
        with sent(app.extensions["overseer_engine"]) as first:
            mark = person.http.get(address).text
        with sent(app.extensions["overseer_engine"]) as again:
            assert person.http.get(address, headers={"If-None-Match": f'W/"{mark}"'}).status_code == 304
        assert [sum(line.startswith("SELECT") for line in lines) for lines in (first, again)] == [statements, 1]
        assert mark not in seen
        seen.add(mark)
        return mark

    ada, bo = playing[:2]
    for person in (ada, bo):
        person.open("/e/iron-open/me")
        asked(person, 2)
    stage.decide(event, stage.games(event, 1)[0], 2, 1)
    assert {ada.http.get(address).text, bo.http.get(address).text}.isdisjoint(seen)
    clock.now = DEADLINE
    assert ada.http.get(address).text not in seen
    asked(ada, 1)
    copy, of_visitors = ada.http.get_cookie("overseer"), Person(app).http.get(address).text
    assert copy is not None
    ada.post("/e/iron-open/me/forget")
    ada.http.set_cookie("overseer", copy.value)
    assert ada.http.get(address).text == of_visitors, "a copy of an ended sign-in"
    asked(bo, 2)
    stage.s.close()
    with app.extensions["overseer_engine"].begin() as connection:  # without a new stamp, as a restore might
        connection.exec_driver_sql("UPDATE player SET session_key = 'another' WHERE name = 'Bo'")
    assert bo.http.get(address).text == Person(app).http.get(address).text


def test_cache_holds_only_linked_addresses_and_one_page_for_each_host(app: Flask, playing: list[Person]) -> None:
    for query in ("?order=name&x=1", "?order=name&order=table", "?after=1", "?order=x", "?x", "?find=a&x=1"):
        answer = Person(app).http.get(ROUND + query)
        rest = "?order=name" if "order=name" in query else "?find=a" if "find" in query else ""
        assert (answer.status_code, answer.location) == (302, ROUND + rest), query
    for after in ("x", "01", "%2B1", "1" * 600):
        assert Person(app).http.get(f"/e/iron-open/standings?after={after}").location == "/e/iron-open/standings"
    assert Person(app).http.get(ROUND + "?find=a").status_code == 200
    assert len(cached(app)) == 0
    here = Person(app).http.get(ROUND)
    there = Person(app).http.get(ROUND, base_url="http://127.0.0.1")
    assert len(cached(app)) == 2
    assert "127.0.0.1" not in here.text + there.text + Person(app).http.get(ROUND).text


def test_etag_from_before_a_restore_is_not_valid(
    app: Flask, playing: list[Person], visitor: Person, stage: Stage, event: Event, tmp_path: Path
) -> None:
    """After a restore, the same version number occurs again with another result. Control: the number is the same."""
    engine: Engine = app.extensions["overseer_engine"]
    database, copy = Path(str(engine.url.database)), tmp_path / "copy.sqlite3"
    game, phones = stage.games(event, 1)[0], (visitor, playing[0])
    write_copy(engine, copy)
    stage.decide(event, game, 2, 1)
    version = stage.now(event).version
    marks = [phone.http.get(ROUND).headers["ETag"] for phone in phones]
    stage.s.close()
    for opened in (engine, stage.s.get_bind()):
        opened.engine.dispose()
    for old in database.parent.glob(f"{database.name}-*"):
        old.unlink()
    shutil.copy(copy, database)
    app.extensions["overseer_page_cache"] = PageCache(app.extensions["overseer_clock"])  # the service was restarted
    again = stage.one(Event)
    stage.decide(again, stage.games(again, 1)[0], 1, 2)
    assert stage.now(again).version == version
    for person, mark in zip(phones, marks, strict=True):
        answer = person.http.get(ROUND, headers={"If-None-Match": mark})
        assert answer.status_code == 200
        assert answer.headers["ETag"] != mark


def test_kept_page_has_no_time_of_printing(app: Flask, olga: Person, event: Event) -> None:
    for _ in range(2):
        assert "printed" not in Person(app).open("/e/iron-open").part(".print-only")
    assert "printed 21 Nov 2026, 09:00 UTC" in olga.open("/e/iron-open").part(".print-only")
