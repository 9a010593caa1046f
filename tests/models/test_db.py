"""Opening the database, storable values, and ``write``: all or nothing, on current rows, without lost updates."""

import math
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import Engine, text
from sqlalchemy.event import listen, remove
from sqlalchemy.exc import OperationalError
from sqlalchemy.pool import Pool
from sqlmodel import Session, col, select

from models.db import (
    BUSY_SECONDS,
    FOR_WRITING,
    SOUND,
    Unstorable,
    is_storable,
    journal_of,
    open_engine,
    sqlite_module,
    user_version,
    write,
)
from models.event import Event
from models.play import Player
from service.gunicorn_settings import threads
from tests.conftest import wait_for_no_disk
from tests.models.rows import NOW, event_row, stored

LATER = NOW + timedelta(minutes=5)
WRITERS, TIMES = 2, 25


def read_anew(engine: Engine, event_id: int) -> Event:
    with Session(engine) as fresh:
        return fresh.get_one(Event, event_id)


@pytest.mark.both_databases
def test_write_is_stored_completely_or_not_at_all(engine: Engine, session: Session) -> None:
    event = stored(session, event_row())

    def found() -> tuple[str, int, datetime]:
        an_event = read_anew(engine, event.id)
        return an_event.name, an_event.version, an_event.changed_at

    with pytest.raises(ZeroDivisionError), write(session, LATER, event) as s:
        event.name = "The Broken"
        s.flush()  # the half-done change reaches the database
        assert 1 / 0
    assert (event.name, found()) == ("Iron Open", ("Iron Open", 0, NOW))
    with write(session, LATER, event) as s:
        event.name = "The Closed"
        s.flush()  # another session now sees the rows that a crash would leave
        assert (s is session, found()) == (True, ("Iron Open", 0, NOW))
    assert found() == ("The Closed", 1, LATER)
    with write(session, LATER + timedelta(minutes=1)):
        event.name = "Of no event"
    assert found() == ("Of no event", 1, LATER)


@pytest.mark.both_databases
def test_rows_are_read_again_under_the_lock(engine: Engine, session: Session) -> None:
    event_id = stored(session, event_row()).id
    event = session.get_one(Event, event_id)  # a deferred read, still open when another writes
    with Session(engine) as other, write(other, NOW, other.get_one(Event, event_id)):
        other.get_one(Event, event_id).name = "The Invitational"
    with write(session, LATER, event):
        assert event.name == "The Invitational"
        event.name += " II"
    found = read_anew(engine, event_id)
    assert (found.name, found.version) == ("The Invitational II", 2)


@pytest.mark.both_databases
def test_concurrent_writers_lose_nothing(engine: Engine, session: Session) -> None:
    event_id = stored(session, event_row()).id

    def raise_size(_: int) -> None:
        gate.wait()
        for _ in range(TIMES):
            with Session(engine) as own:
                event = own.get_one(Event, event_id)
                with write(own, NOW, event):
                    event.size += 1

    gate = threading.Barrier(WRITERS)
    with ThreadPoolExecutor(WRITERS) as threads:
        list(threads.map(raise_size, range(WRITERS)))
    found = read_anew(engine, event_id)
    assert (found.size, found.version) == (750 + WRITERS * TIMES, WRITERS * TIMES)


@pytest.mark.both_databases
def test_waiting_for_a_lock_has_a_limit(engine: Engine) -> None:
    sqlite = engine.dialect.name == "sqlite"
    with engine.connect() as connection:
        found = connection.exec_driver_sql("PRAGMA busy_timeout" if sqlite else "SHOW lock_timeout").scalar_one()
        assert found == (BUSY_SECONDS * 1000 if sqlite else f"{BUSY_SECONDS}s")


def test_user_version_is_set_only_once(engine: Engine) -> None:
    assert [user_version(engine, new) for new in (0, 7, 0, 9, 0)] == [0, 0, 7, 7, 7]


@pytest.mark.proves("F17")
def test_commit_waits_for_the_disk(engine: Engine) -> None:
    """2 is FULL: with less, a power failure can lose confirmed changes. Only tests use less."""
    remove(Pool, "checkout", wait_for_no_disk)
    try:
        with engine.connect() as connection:
            assert connection.exec_driver_sql("PRAGMA synchronous").scalar_one() == 2
    finally:
        listen(Pool, "checkout", wait_for_no_disk)
    with engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar_one() == 0


def test_each_server_thread_keeps_a_connection(engine: Engine) -> None:
    used = set()
    for _ in range(3):
        at_once = [engine.connect() for _ in range(threads)]
        used |= {connection.connection.driver_connection for connection in at_once}
        for connection in at_once:
            connection.close()
    assert len(used) == threads, "none was closed to be opened anew"


@pytest.mark.postgres
def test_dropped_connection_is_reopened(engine: Engine) -> None:
    own = text("SELECT pg_backend_pid()")
    with engine.connect() as other:
        with engine.connect() as connection:
            ended = connection.execute(own).scalar_one()
        other.execute(text("SELECT pg_terminate_backend(:pid, 10000)"), {"pid": ended})
        with engine.connect() as connection:
            assert connection.execute(own).scalar_one() != ended


def test_old_sqlite_of_python_itself_keeps_no_log() -> None:
    """Without the bundled one, tests/service/test_systems.py serves."""
    assert (sqlite_module("a_package_that_nobody_has").__name__, sqlite_module().__name__) == ("sqlite3", "pysqlite3")
    versions = ((3, 40, 1), (3, 51, 2), SOUND, (3, 52, 0))
    assert [journal_of(version) for version in versions] == ["DELETE", "DELETE", "WAL", "WAL"]


def test_running_service_creates_no_missing_file(tmp_path: Path) -> None:
    path = tmp_path / "gone.sqlite3"
    engine = open_engine(f"sqlite:///{path}", create=False)
    with pytest.raises(OperationalError, match="unable to open"):
        engine.connect()
    assert not path.exists()
    open_engine(f"sqlite:///{path}").connect().close()
    assert path.exists(), "the control"


def test_reader_sees_one_snapshot(engine: Engine, session: Session) -> None:
    event_id, names = stored(session, event_row()).id, text("SELECT name FROM event")
    with engine.connect() as reader, Session(engine) as writer:
        before = reader.execute(names).scalar_one()
        with write(writer, NOW, writer.get_one(Event, event_id)):
            writer.get_one(Event, event_id).name = "The Later"
        assert reader.execute(names).scalar_one() == before != "The Later"


def test_writing_transaction_takes_the_lock_at_its_beginning(engine: Engine) -> None:
    for options, locked in ((FOR_WRITING, True), ({}, False)):
        with engine.connect().execution_options(**options) as connection, engine.connect() as other:
            connection.begin()
            other.exec_driver_sql("PRAGMA busy_timeout=0")
            other.rollback()
            other.execution_options(**FOR_WRITING)
            if locked:
                with pytest.raises(Exception, match="locked"):
                    other.begin()
            else:
                other.begin()


GOOD = ["", "é", "\ud7ff", "\U0001f600", "\ue000", 1.5, -1e300, 2**63 - 1, -(2**63), True, None]
BAD = ["a\x00b", "\ud800", "x\udfff", math.nan, math.inf, -math.inf, 2**63, -(2**63) - 1, 10**4000]


@pytest.mark.proves("attack 40", "attack 41", "ASVS 1.3.3", "ASVS 1.4.2")
@pytest.mark.both_databases
def test_unstorable_values_are_not_sent(session: Session, database_url: str) -> None:
    assert all(is_storable(value) for value in GOOD)
    for value in BAD:
        with pytest.raises(Unstorable):
            session.exec(select(Player).where(col(Player.name) == value)).all()
        with pytest.raises(Unstorable):
            session.connection().execute(text("SELECT :one"), [{"one": "fine"}, {"one": value}])
        session.rollback()
    engine = open_engine(database_url)
    with engine.connect() as connection, pytest.raises(Unstorable):  # from the moment it is opened
        connection.execute(text("SELECT :one"), {"one": "a\x00b"})
    engine.dispose()
