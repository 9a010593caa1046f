"""A database that is damaged, full, busy or gone: pages that can be read, a way back, and nothing served in silence."""

import json
import logging
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg.errors
import pytest
from flask import Flask
from sqlalchemy import event as listening
from sqlalchemy.exc import OperationalError

from events.backups import back_up, folder_of
from events.settings import Settings
from events.trouble import ASKED, FILE, Trouble, closed_for_restoring, tell, trouble_in
from events.views.trouble import BUSY, CLOSED, FULL, GONE, READ_ONLY, words_for
from models.event import Event
from tests.actions.stage import Stage
from tests.conftest import Clock
from tests.views.person import Person

WHOLE = Trouble("2026-11-21T09:00:00+00:00", "damaged", ["the file is damaged"])


@pytest.mark.proves("G6", "F21")
def test_nothing_of_a_damaged_database_is_served_and_the_way_back_is_told(
    app: Flask, stage: Stage, visitor: Person, enter: Callable[..., list[Person]], event: Event, settings: Settings,
    clock: Clock, caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    (ada,) = enter(event, "Ada")
    stage.s.rollback()
    copy = back_up(stage.engine, folder_of(settings.data), "hourly", clock())
    tell(settings.data, WHOLE)
    for who in (visitor, ada):
        for address in ("/", "/e/iron-open", "/e/iron-open/me", "/desk", "/e/iron-open/version"):
            page = who.open(address)
            assert (page.status, page.part("h1")) == (503, "The data cannot be read"), address
            assert page.response.headers["Retry-After"] == "60"
            assert f"overseer restore {copy.path.name}" in page.text
            assert "Iron Open" not in page.text
    assert visitor.ask("GET", "/static/overseer.css").status_code == 200
    assert visitor.ask("GET", "/healthz").status_code == 200, "nothing is mended by starting the process again"
    ready = visitor.ask("GET", "/readyz")
    assert (ready.status_code, (ready.json or {})["database"]) == (503, "damaged")
    sent = ada.http.post("/e/iron-open/register", data={"name": "Bo"}, headers={"X-Outbox": "1"})
    assert sent.status_code == 503, "no JSON: a phone takes that for sent and refused"
    assert sent.mimetype == "text/html"
    tell(settings.data, None)
    assert visitor.open("/e/iron-open").status == 200, "no process has to be started again"


def test_without_a_copy_the_page_says_so(visitor: Person, settings: Settings) -> None:
    tell(settings.data, WHOLE)
    assert "There is no copy in the data folder." in visitor.open("/").text


def test_while_going_back_everybody_is_asked_to_wait(visitor: Person, settings: Settings, clock: Clock) -> None:
    tell(settings.data, closed_for_restoring(clock()))
    page = visitor.open("/")
    assert (page.status, page.part("h1"), page.response.headers["Retry-After"]) == (503, "One moment", "10")


def test_a_word_of_trouble_that_cannot_be_read_closes_too(visitor: Person, settings: Settings) -> None:
    for broken in ("", "{", "[]", json.dumps({"at": "", "what": 1})):
        (settings.data / FILE).write_text(broken)
        assert visitor.open("/").status == 503


def test_an_event_that_is_not_as_it_was_written_says_so_on_every_page(
    visitor: Person, olga: Person, enter: Callable[..., list[Person]], event: Event, stage: Stage, settings: Settings
) -> None:
    stage.event("Rust Cup")
    (ada,) = enter(event, "Ada")
    said = "not stored as it was written"
    assert said not in visitor.open("/e/iron-open").text
    known = visitor.http.get("/e/iron-open/version").text
    tell(settings.data, Trouble("", "", (), {"iron-open": ["the journal does not account for player 1.name"]}))
    for who, address in ((visitor, "/e/iron-open"), (visitor, "/e/iron-open/lists"), (ada, "/e/iron-open/me")):
        assert said in who.open(address).flashes, address
        assert "player 1.name" not in who.page.flashes
    assert said in visitor.open("/e/iron-open/hall").part(".hall-said")
    assert "player 1.name" in olga.open("/e/iron-open/desk").flashes
    assert visitor.http.get("/e/iron-open/version", headers={"If-None-Match": f'W/"{known}"'}).status_code == 200
    assert said not in visitor.open("/e/rust-cup").text
    assert said in visitor.open("/").flashes, "it names the event too"
    assert "player 1.name" not in visitor.page.flashes
    assert "iron-open: the journal does not account for player 1.name" in olga.open("/desk").flashes
    tell(settings.data, Trouble("", "", (), {"": ["organiser 1 is not as it was written"]}))
    for address in ("/e/rust-cup", "/"):
        assert said in visitor.open(address).flashes, address
    assert "organiser 1" in olga.open("/e/rust-cup/desk").flashes
    tell(settings.data, None)
    assert said not in visitor.open("/e/iron-open").text


@contextmanager
def statements_end_in(app: Flask, error: Exception) -> Iterator[None]:
    """Let every statement end in this, where it goes out."""

    def fail(*_: object) -> None:
        raise error

    engine = app.extensions["overseer_engine"]
    listening.listen(engine, "before_cursor_execute", fail)
    try:
        yield
    finally:
        listening.remove(engine, "before_cursor_execute", fail)


@pytest.mark.proves("G6", "F7", "ASVS 16.5.1")
@pytest.mark.parametrize(("code", "status", "title"), [
    (sqlite3.SQLITE_FULL, 507, "The server has no room"),
    (sqlite3.SQLITE_READONLY_DBMOVED, 503, "Nothing can be stored"),
    (sqlite3.SQLITE_IOERR_FSYNC, 503, "The server’s disk does not answer"),
    (sqlite3.SQLITE_CORRUPT, 503, "The data cannot be read"), (sqlite3.SQLITE_BUSY, 503, "Too much at once"),
])  # fmt: skip
def test_each_failure_of_the_disk_has_its_page(
    app: Flask, visitor: Person, olga: Person, event: Event, settings: Settings, code: int, status: int, title: str,
    caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    """Failures that the disk itself makes are in tests/chaos; here each is raised where statements go out."""

    failure = sqlite3.OperationalError("said by the disk")
    failure.sqlite_errorcode = code
    with statements_end_in(app, OperationalError("SELECT 1", {}, failure)), caplog.at_level(logging.ERROR):
        page = visitor.open("/e/iron-open")
    assert (page.status, page.part("h1")) == (status, title)
    assert int(page.response.headers["Retry-After"]) >= 5
    assert "said by the disk" not in page.response.text
    number = page.part("code")
    assert f"database {number} at GET /e/iron-open: said by the disk" in caplog.text
    assert (settings.data / ASKED).exists() == (status == 503 and title == "The data cannot be read")
    warned = "The server’s disk is full" in olga.open("/desk").flashes
    assert warned == (status == 507)
    assert "disk is full" not in visitor.open("/e/iron-open").text


@pytest.mark.proves("F22")
def test_want_of_memory_is_told_in_words(
    app: Flask, visitor: Person, event: Event, caplog: pytest.LogCaptureFixture
) -> None:
    with statements_end_in(app, MemoryError()), caplog.at_level(logging.ERROR):
        page = visitor.open("/e/iron-open")
    assert (page.status, page.part("h1")) == (503, "Too much at once")
    assert page.response.headers["Retry-After"] == "10"
    assert f"server {page.part('code')} at GET /e/iron-open: no memory" in caplog.text
    assert visitor.open("/e/iron-open").status == 200


def test_the_words_follow_what_postgresql_says() -> None:
    errors = psycopg.errors
    for kind, words in (
        (errors.DiskFull, FULL), (errors.SerializationFailure, BUSY), (errors.DeadlockDetected, BUSY),
        (errors.TooManyConnections, BUSY), (errors.AdminShutdown, GONE), (errors.ReadOnlySqlTransaction, READ_ONLY),
        (errors.DataCorrupted, CLOSED), (errors.OperationalError, GONE), (errors.UndefinedTable, None),
    ):  # fmt: skip
        error = OperationalError("SELECT 1", {}, kind("said"))
        if kind is errors.UndefinedTable:
            error.__class__ = type("ProgrammingError", (OperationalError,), {})
        assert words_for(error) is words, kind


def test_trouble_is_told_whole_and_taken_back(tmp_path: Path) -> None:
    assert trouble_in(tmp_path) is None
    tell(tmp_path, WHOLE)
    assert trouble_in(tmp_path) == WHOLE
    tell(tmp_path, None)
    tell(tmp_path, None)
    assert trouble_in(tmp_path) is None
