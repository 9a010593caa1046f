"""Pages in the page cache: the same for all visitors, never old, and never anybody's own."""

import gzip
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from flask import Flask, template_rendered
from sqlalchemy import Engine

from events.rounds.actions import unpublish
from events.web.page_cache import PageCache
from models.event import Event
from models.play import Player
from service.backups import write_copy
from tests.conftest import Clock
from tests.kit.forces import read_force
from tests.kit.lists import DEADLINE, PIPER
from tests.kit.own_scenarios import write_scenario
from tests.kit.person import Person
from tests.kit.stage import BY, Stage

ROUND = "/e/iron-open/rounds/1"
KEPT = ["/e/iron-open", ROUND, f"{ROUND}?order=name", "/e/iron-open/standings", "/e/iron-open/version"]


def pages_in(app: Flask) -> list[str]:
    """The addresses of the pages that this process keeps."""
    cache: PageCache = app.extensions["overseer_page_cache"]
    return [name for _, name, _ in cache.values if name.startswith("http")]


@contextmanager
def rendered(app: Flask) -> Iterator[list[str]]:
    """The names of the pages that are rendered meanwhile."""
    names: list[str] = []

    def tell(sender: Flask, template: Any, context: Any, **_: Any) -> None:
        names.append(template.name)

    with template_rendered.connected_to(tell, app):
        yield names


@pytest.fixture
def playing(enter: Callable[..., list[Person]], stage: Stage, event: Event) -> list[Person]:
    """Ada, Bo, Cy and Di at the two tables of round 1."""
    people = enter(event, "Ada", "Bo", "Cy", "Di")
    stage.publish(event, 1)
    return people


@pytest.mark.proves("I6", "F14")
@pytest.mark.parametrize("address", KEPT)
def test_a_page_is_rendered_once_for_each_version_of_the_event(
    app: Flask, playing: list[Person], stage: Stage, event: Event, address: str
) -> None:
    with rendered(app) as names:
        first, second = (Person(app).http.get(address) for _ in range(2))
        assert first.data == second.data != b""
        assert first.headers["ETag"] == second.headers["ETag"]
        assert len(names) == (0 if address.endswith("version") else 1)
        stage.decide(event, stage.games(event, 1)[0], 2, 1)
        third = Person(app).http.get(address)
        assert third.headers["ETag"] != first.headers["ETag"]
        assert len(names) == (0 if address.endswith("version") else 2)


def test_it_is_packed_for_whoever_takes_it_packed(app: Flask, playing: list[Person]) -> None:
    plain = Person(app).http.get(ROUND)
    packed = Person(app).http.get(ROUND, headers={"Accept-Encoding": "br, gzip"})
    assert "Content-Encoding" not in plain.headers
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.data) == plain.data
    assert len(packed.data) < len(plain.data) / 2
    assert {answer.headers["Cache-Control"] for answer in (plain, packed)} == {"private, no-store"}
    assert {"Accept-Encoding", "Cookie"} <= set(packed.vary)


def test_nobody_who_is_signed_in_gets_a_kept_page_or_leaves_one(
    app: Flask, playing: list[Person], olga: Person
) -> None:
    for person in (*playing, olga):
        for address in (*KEPT, "/e/iron-open/me", "/e/iron-open/desk", "/e/iron-open/desk/clock"):
            person.open(address)
    assert len(pages_in(app)) == 0
    anonymous = Person(app).http.get(ROUND).text
    assert "You play at" not in anonymous
    assert len(pages_in(app)) == 1
    for player in playing:
        assert "You play at table" in player.open(ROUND).text
    assert "Sign out" in olga.open(ROUND).text
    assert Person(app).http.get(ROUND).text == anonymous


def test_a_player_of_another_event_is_signed_in_as_well(
    app: Flask, playing: list[Person], enter: Callable[..., list[Person]], stage: Stage
) -> None:
    (eve,) = enter(stage.event("Rust Cup"), "Eve")
    eve.open(ROUND)
    assert len(pages_in(app)) == 0


def test_a_message_to_one_visitor_is_not_kept_for_all(app: Flask, olga: Person, event: Event) -> None:
    olga.open("/e/iron-open")
    token = str(olga.page.value("csrf_token"))
    olga.ask("POST", "/sign-out", {"csrf_token": token})
    assert "Signed out." in olga.open("/e/iron-open").text
    assert len(pages_in(app)) == 0
    assert "Signed out." not in Person(app).open("/e/iron-open").text


def test_a_draft_is_never_kept(app: Flask, olga: Person, stage: Stage) -> None:
    stage.event("Secret Cup", draft=True)
    for address in ("/e/secret-cup", "/e/secret-cup/version", "/e/secret-cup/standings"):
        assert olga.open(address).status == 200
        assert Person(app).open(address).status == 404
    assert len(pages_in(app)) == 0


@pytest.mark.proves("F14")
def test_a_round_is_seen_with_the_first_look_after_it_is_published_and_gone_with_the_next_after_it_is_not(
    app: Flask, stage: Stage, event: Event
) -> None:
    stage.enter(event, "Ada", "Bo", "Cy", "Di")
    stage.draw(event, 1)
    assert Person(app).open(ROUND).status == 404
    stage.publish(event, 1)
    assert "Di" in Person(app).open(ROUND).text
    with stage.changing(event) as s:
        unpublish(s, event, 1, BY, stage.clock())
    for address in (ROUND, f"{ROUND}?order=name"):
        assert Person(app).open(address).status == 404


def test_no_list_is_shown_or_kept_before_its_time(
    app: Flask, enter: Callable[..., list[Person]], stage: Stage, event: Event, clock: Clock
) -> None:
    (ada,) = enter(event, "Ada")
    row = stage.one(Player)
    stage.force(event, row, read_force(PIPER))
    secret = ["/e/iron-open/lists", f"/e/iron-open/players/{row.id}"]
    for address in (*secret, *KEPT[:1]):
        ada.open(address)
        assert "Piper" not in Person(app).open(address).text
    assert len(pages_in(app)) == 1  # the event's page; no page of lists is ever kept
    clock.now = DEADLINE
    assert "Piper" in Person(app).open(secret[1]).text


def test_a_deadline_ends_a_kept_page_though_nobody_did_anything(
    app: Flask, stage: Stage, enter: Callable[..., list[Person]], event: Event, clock: Clock
) -> None:
    enter(event, "Ada")
    before = Person(app).http.get("/e/iron-open/version")
    assert pages_in(app) == ["http://localhost/e/iron-open/version"]
    clock.now = DEADLINE
    assert pages_in(app) == []
    assert Person(app).http.get("/e/iron-open/version").text != before.text


def test_a_running_clock_is_made_anew_now_and_then_and_at_each_call(
    app: Flask, playing: list[Person], olga: Person, clock: Clock
) -> None:
    olga.open("/e/iron-open/desk/clock")
    olga.press("Start the clock")
    assert Person(app).open(ROUND).part(".face .clock") == "1:30:00"
    clock.advance(seconds=19)
    assert Person(app).open(ROUND).part(".face .clock") == "1:30:00"
    clock.advance(seconds=1)
    assert Person(app).open(ROUND).part(".face .clock") == "1:29:40"
    clock.advance(minutes=59, seconds=35)
    assert Person(app).open(ROUND).part(".face .badge") == "Running"
    marks = [Person(app).http.get("/e/iron-open/version").text]
    clock.advance(seconds=5)
    assert Person(app).open(ROUND).part(".face .badge") == "30 minutes called"
    marks.append(Person(app).http.get("/e/iron-open/version").text)
    assert marks[0] != marks[1]


def test_news_carry_the_server_s_time_even_where_there_are_none(
    app: Flask, playing: list[Person], clock: Clock, olga: Person
) -> None:
    for person in (Person(app), playing[0], olga):
        mark = person.http.get("/e/iron-open/version")
        clock.advance(seconds=7)
        again = person.http.get("/e/iron-open/version", headers={"If-None-Match": f'W/"{mark.text}"'})
        assert (again.status_code, again.data) == (304, b"")
        assert again.headers["Server-Now"] == clock().isoformat()


def test_every_page_names_the_mark_that_it_was_made_with(app: Flask, playing: list[Person], olga: Person) -> None:
    for person, address in ((Person(app), ROUND), (playing[0], "/e/iron-open/me"), (olga, "/e/iron-open/desk")):
        (meta,) = person.open(address).soup.select("meta[name=live]")
        assert meta["data-mark"] == person.http.get(str(meta["content"])).text


def test_an_address_that_nobody_links_to_is_not_kept(app: Flask, playing: list[Person]) -> None:
    for query in ("?order=name&x=1", "?order=name&order=table", "?after=" + "1" * 600, "?x"):
        assert Person(app).http.get(ROUND + query).status_code == 200
    assert len(pages_in(app)) == 0


def test_pages_for_another_host_are_their_own(app: Flask, playing: list[Person]) -> None:
    here = Person(app).http.get(ROUND)
    there = Person(app).http.get(ROUND, base_url="http://127.0.0.1")
    assert "http://127.0.0.1/" in there.text
    assert "127.0.0.1" not in here.text + Person(app).http.get(ROUND).text


def test_a_scenario_of_the_club_s_own_changes_without_the_event_so_nothing_is_kept_that_names_it(
    app: Flask, olga: Person, event: Event
) -> None:
    write_scenario(olga)
    Person(app).open("/e/iron-open")
    assert len(pages_in(app)) == 0
    Person(app).open("/e/iron-open/standings")
    assert len(pages_in(app)) == 1


@pytest.mark.proves("F14")
@pytest.mark.parametrize(("address", "kept"), [(ROUND, True), (f"{ROUND}?other=1", False)])
def test_many_who_reload_while_results_come_in_cost_one_page_for_each_version(
    app: Flask, playing: list[Person], stage: Stage, event: Event, clock: Clock, address: str, *, kept: bool
) -> None:
    """The control: an address that is kept for nobody is rendered each time."""
    ended, served = threading.Event(), list[int]()

    def reload() -> None:
        while not ended.is_set():
            served.append(Person(app).http.get(address).status_code)

    readers = [threading.Thread(target=reload) for _ in range(4)]
    desk, versions = Stage(stage.engine, clock), 12 if kept else 2
    with rendered(app) as names:
        for reader in readers:
            reader.start()
        try:
            for number in range(versions):
                before = len(served)
                if number == 1:
                    desk.decide(desk.one(Event), desk.games(event, 1)[0], 2, 1)
                else:
                    with desk.changing(desk.one(Event)):
                        pass
                while len(served) < before + 12:
                    time.sleep(0.001)
        finally:
            ended.set()
            for reader in readers:
                reader.join()
    desk.s.close()
    assert set(served) == {200}
    assert (len(names) <= versions + 2) == kept, f"{len(names)} pages were rendered for {len(served)} readers"


def test_mark_of_a_state_that_a_restore_has_undone_holds_no_more(
    app: Flask, playing: list[Person], visitor: Person, stage: Stage, event: Event, tmp_path: Path
) -> None:
    """The same version number is reached again with another result. The control: the number is the same."""
    engine: Engine = app.extensions["overseer_engine"]
    database, copy = Path(str(engine.url.database)), tmp_path / "copy.sqlite3"
    game, phones = stage.games(event, 1)[0], (visitor, playing[0])
    write_copy(engine, copy)
    stage.decide(event, game, 2, 1)
    version = stage.now(event).version
    marks = [one.http.get(ROUND).headers["ETag"] for one in phones]
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
    for one, mark in zip(phones, marks, strict=True):
        answer = one.http.get(ROUND, headers={"If-None-Match": mark})
        assert answer.status_code == 200
        assert answer.headers["ETag"] != mark
