"""A database that is damaged, full, busy or missing: a readable page, and nothing half stored."""

import logging
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from typing import Any

import psycopg.errors
import pytest
from flask import Flask
from sqlalchemy import text
from sqlalchemy.exc import OperationalError

from events.web.error_pages import BUSY, DAMAGED, FULL, GONE, words_for
from models.db import FOR_WRITING
from service.health import FILE
from service.settings import Settings
from tests.kit.person import SIGN_UP, Enter, Person
from tests.kit.stage import Event, Stage
from tests.kit.statements import listening


@contextmanager
def statements_end_in(app: Flask, error: Exception) -> Iterator[None]:
    """Raise this error for every statement, instead of sending it."""

    def fail(*_: object) -> None:
        raise error

    with listening(app.extensions["overseer_engine"], "before_cursor_execute", fail):
        yield


def on_sqlite(code: int) -> OperationalError:
    failure = sqlite3.OperationalError("said by the disk")
    failure.sqlite_errorcode = code
    return OperationalError("SELECT 1", {}, failure)


@pytest.mark.proves("G6", "F7", "ASVS 16.5.1")
def test_failure_of_the_disk_has_a_page_and_only_staff_read_that_it_was_full(
    app: Flask, visitor: Person, olga: Person, event: Event, caplog: pytest.LogCaptureFixture
) -> None:
    """Raises the failure instead of sending the statement; tests/chaos has failures of the disk itself."""
    for code, status, title in (
        (sqlite3.SQLITE_BUSY, 503, "The server is busy"), (sqlite3.SQLITE_FULL, 507, "The server’s disk is full"),
    ):  # fmt: skip
        with statements_end_in(app, on_sqlite(code)), caplog.at_level(logging.ERROR):
            page = visitor.open("/e/iron-open")
        assert (page.status, page.part("h1")) == (status, title)
        assert int(page.response.headers["Retry-After"]) >= 5
        assert "said by the disk" not in page.response.text
        assert f"database {page.part('code')} at GET /e/iron-open: said by the disk" in caplog.text
        assert ("The server’s disk was full" in olga.open("/desk").flashes) == (status == 507)
        assert "disk was full" not in visitor.open("/e/iron-open").text


@pytest.mark.proves("F22")
def test_lack_of_memory_has_its_message(
    app: Flask, visitor: Person, event: Event, caplog: pytest.LogCaptureFixture
) -> None:
    with statements_end_in(app, MemoryError()), caplog.at_level(logging.ERROR):
        page = visitor.open("/e/iron-open")
    assert (page.status, page.part("h1")) == (503, "The server is busy")
    assert page.response.headers["Retry-After"] == "5"
    assert f"server {page.part('code')} at GET /e/iron-open: no memory" in caplog.text
    assert visitor.open("/e/iron-open").status == 200


def test_message_depends_on_the_databases_error() -> None:
    for code, words in (
        (sqlite3.SQLITE_FULL, FULL), (sqlite3.SQLITE_READONLY_DBMOVED, GONE), (sqlite3.SQLITE_IOERR_FSYNC, GONE),
        (sqlite3.SQLITE_CORRUPT, DAMAGED), (sqlite3.SQLITE_BUSY, BUSY),
    ):  # fmt: skip
        assert words_for(on_sqlite(code)) is words, code
    errors = psycopg.errors
    for kind, words in (
        (errors.DiskFull, FULL), (errors.SerializationFailure, BUSY), (errors.DeadlockDetected, BUSY),
        (errors.TooManyConnections, BUSY), (errors.AdminShutdown, GONE), (errors.ReadOnlySqlTransaction, GONE),
        (errors.DataCorrupted, DAMAGED), (errors.OperationalError, GONE),
    ):  # fmt: skip
        assert words_for(OperationalError("SELECT 1", {}, kind("said"))) is words, kind
    fault = OperationalError("SELECT 1", {}, errors.UndefinedTable("said"))
    fault.__class__ = type("ProgrammingError", (OperationalError,), {})
    assert words_for(fault) is None


@pytest.mark.proves("G6", "F21")
def test_absent_or_damaged_database_gives_a_readable_page(
    app: Flask, visitor: Person, enter: Enter, event: Event, stage: Stage, sqlite_file: Path
) -> None:
    (ada,) = enter(event, "Ada")
    for content, title in ((None, "The database is not available"), (b"no database " * 900, "The database is damaged")):
        stage.s.close()
        for engine in (stage.engine, app.extensions["overseer_engine"]):
            engine.dispose()
        kept = sqlite_file.read_bytes()
        sqlite_file.unlink()
        if content:
            sqlite_file.write_bytes(content)
        for who, address in product((visitor, ada), ("/", "/e/iron-open", "/e/iron-open/me", "/e/iron-open/version")):
            page = who.open(address)
            assert (page.status, page.part("h1")) == (503, title), address
            assert int(page.response.headers["Retry-After"]) >= 10
            assert "Traceback" not in page.text and "Iron Open" not in page.text
        assert visitor.ask("GET", "/static/overseer.css").status_code == 200
        assert visitor.ask("GET", "/healthz").status_code == 200, "a restart would not help"
        assert visitor.ask("GET", "/readyz").status_code == 503
        app.extensions["overseer_engine"].dispose()
        sqlite_file.write_bytes(kept)
        assert visitor.open("/e/iron-open").status == 200, "the control"


@pytest.mark.proves("G6", "F7")
def test_full_disk_gives_a_readable_page_and_stores_nothing(
    app: Flask, olga: Person, event: Event, stage: Stage
) -> None:
    """SQLite's limit on a file's pages simulates a full disk."""
    engine = app.extensions["overseer_engine"]
    stage.s.rollback()
    engine.dispose()

    def limit(connection: Any, record: object) -> None:
        connection.execute("PRAGMA max_page_count=1")  # SQLite raises this to the current number of pages

    with listening(engine, "connect", limit):
        for number in range(60):
            before = stage.digest()
            phone = Person(app)
            page = phone.press(SIGN_UP, at="/e/iron-open/register", name=f"Player {number}")
            if page.status != 200:
                break
        assert (page.status, page.part("h1")) == (507, "The server’s disk is full")
        assert stage.digest() == before
        assert "disk was full" in olga.open("/desk").flashes
    engine.dispose()
    phone.open("/e/iron-open/register")
    assert phone.press(SIGN_UP, name="Ada").status == 200, "the control: there is room again"


def test_failed_check_is_shown_to_staff_only(visitor: Person, olga: Person, event: Event, settings: Settings) -> None:
    (settings.data / FILE).write_text("I9  the file is damaged: page 7")
    assert "The daily check of the database failed: I9 the file is damaged" in olga.open("/desk").flashes
    assert "daily check" not in visitor.open("/e/iron-open").text
    (settings.data / FILE).write_text("")
    assert "daily check" not in olga.open("/desk").text


@pytest.mark.proves("F8")
@pytest.mark.both_databases
def test_lock_held_by_another_program_gives_a_page_and_pages_stay_readable(
    app: Flask, visitor: Person, event: Event, stage: Stage
) -> None:
    engine, sqlite = app.extensions["overseer_engine"], stage.engine.dialect.name == "sqlite"
    stage.s.rollback()
    engine.dispose()

    def wait_briefly(connection: Any, record: object) -> None:
        """tests/models/test_db.py tests the limit itself."""
        connection.execute("PRAGMA busy_timeout=50" if sqlite else "SET lock_timeout = '50ms'")
        if not sqlite:
            connection.commit()

    visitor.open("/e/iron-open/register")
    engine.dispose()
    with listening(engine, "connect", wait_briefly):
        with stage.engine.connect().execution_options(**FOR_WRITING) as other:
            other.execute(text("UPDATE event SET name = name"))
            page = visitor.press(SIGN_UP, name="Ada")
            assert (page.status, page.part("h1")) == (503, "The server is busy")
            assert page.response.headers["Retry-After"] == "5"
            assert visitor.open("/e/iron-open").status == 200
            visitor.open("/e/iron-open/register")
        assert visitor.press(SIGN_UP, name="Ada").status == 200, "the lock is free again"
    engine.dispose()
