"""The database: how it is opened, and ``write``, the one door for every change."""

import importlib
import json
import logging
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from types import ModuleType
from typing import Any

from pydantic_core import from_json
from sqlalchemy import Connection, Engine, bindparam, event, inspect, make_url
from sqlalchemy.dialects import registry
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.exc import DisconnectionError
from sqlmodel import Session, create_engine, select

from models.capture import KEY, Capture
from models.event import Event
from models.journal import NOBODY, Actor
from models.storable import guard

log = logging.getLogger(__name__)

BUSY_SECONDS = 5
"""How long a change waits for the lock that another holds; then whoever sent it is told that too much is going on."""
PATIENT = f"PRAGMA busy_timeout={BUSY_SECONDS * 1000}"
BUSY = 5
"""SQLite's number for a lock that another has; why, is in the bits above the lowest eight."""
FIRST_PAUSE, MOST_PAUSE = 0.0003, 0.005
"""Seconds between two looks whether SQLite's lock is free: the longer it is not, the longer."""
KEPT_OPEN = 20
"""Connections that a process keeps: more than a worker has threads (``overseer serve``), for one that is opened anew
costs SQLite more than a query does."""
LOOKS = 4
"""So often in a row the log must be missing before it is: another process may be closing, or opening, just then."""
NO_SILENCE = {
    "connect_timeout": BUSY_SECONDS,
    "tcp_user_timeout": 2000 * BUSY_SECONDS,
    "keepalives_idle": 2 * BUSY_SECONDS,
    "keepalives_interval": 2,
    "keepalives_count": 3,
}
"""Of libpq, for a network that drops everything: without these a thread of the server would wait for hours."""
SOUND = (3, 51, 3)
"""An SQLite before this one can damage a database when its log is reset under load; Debian 12 ships 3.40."""
REVISION = "overseer_revision"
MIGRATING = 0x4F56_5345
"""Of PostgreSQL's advisory locks that of migrating: OVSE. Changes share it, a migration has it for itself."""
DIALECT = "overseer"
"""What SQLAlchemy knows ``ToldToBegin`` by."""


class OtherVersion(Exception):
    """The database was brought to another version of the code: nothing of this one may be stored in it."""


def sqlite_module(bundled: str = "pysqlite3") -> ModuleType:
    """The SQLite to use: the one bundled with a package, else Python's own with a warning where it is not sound."""
    try:
        return importlib.import_module(bundled)
    except ModuleNotFoundError:
        module = importlib.import_module("sqlite3")
        if module.sqlite_version_info < SOUND:
            log.warning(
                "SQLite %s has a known fault under load; use PostgreSQL, or a machine with pysqlite3",
                module.sqlite_version,
            )
        return module


def read_json(text: str | bytes) -> Any:
    """What a column of JSON holds. Raises ValueError: such a row was damaged."""
    try:
        return from_json(text)
    except ValueError:
        return json.loads(text)  # which takes half a character as well


def open_engine(url: str) -> Engine:
    """An engine for ``sqlite:///path`` or ``postgresql://...``, set up so that a committed change survives a crash."""
    if make_url(url).get_backend_name() != "sqlite":
        engine = create_engine(
            url, pool_pre_ping=True, pool_size=KEPT_OPEN, connect_args=NO_SILENCE, json_deserializer=read_json
        )
        guard(engine)
        return engine
    ours = make_url(url).set(drivername=f"sqlite+{DIALECT}")
    engine = create_engine(
        ours,
        module=sqlite_module(),
        connect_args={"timeout": BUSY_SECONDS},
        pool_size=KEPT_OPEN,
        json_deserializer=read_json,
    )
    event.listen(engine, "connect", _set_up_connection)
    _follow_file(engine, Path(ours.database or ""))
    guard(engine)
    return engine


def _follow_file(engine: Engine, path: Path) -> None:
    """Let no connection outlive its files: one that was moved or replaced would take changes that nobody finds again.

    One whose log was taken away is closed: with the last of all, SQLite puts into the database what the log held, for
    it is open still. Until then none is opened anew, which would begin another log.
    """
    seen = False

    def open_no_new_one(*_: Any) -> None:
        nonlocal seen
        if seen and not _is_there(path):  # SQLite would make an empty one
            raise sqlite_module().OperationalError("the file of the database is gone")
        if all(_lacks_log(path) for _ in range(LOOKS)):
            raise sqlite_module().OperationalError("the log of the database is gone")
        seen = True

    def remember(connection: Any, record: Any) -> None:
        record.info["files"] = _files_of(path)

    def compare(connection: Any, record: Any, proxy: Any) -> None:
        known, found = record.info["files"], _files_of(path)
        record.info["files"] = found
        if any(was is not None and was != now for was, now in zip(known, found, strict=True)):
            raise DisconnectionError("another file stands in the place of the database or of its log")

    event.listen(engine, "do_connect", open_no_new_one)
    event.listen(engine, "connect", remember)
    event.listen(engine, "checkout", compare)


def _lacks_log(path: Path) -> bool:
    """Whether the log's index is there without its log. Whoever closes last removes the index first, then the log."""
    lacks = not _is_there(f"{path}-wal") and _is_there(f"{path}-shm")
    if lacks:
        time.sleep(0.01)
    return lacks


def _is_there(path: Path | str) -> bool:
    return os.path.exists(path)  # noqa: PTH110 - a Path raises where its folder may not be looked into


def _files_of(path: Path) -> list[tuple[int, int] | None]:
    """Which files the database is made of now; None for one that is not there, as the log before the first change."""
    found: list[tuple[int, int] | None] = []
    for tail in ("", "-wal", "-shm"):
        try:
            one = os.stat(f"{path}{tail}")  # noqa: PTH116 - asked with each use of a connection: no Path is made for it
            found.append((one.st_dev, one.st_ino))
        except OSError:
            found.append(None)
    return found


def _set_up_connection(connection: Any, record: Any) -> None:
    # The driver's own BEGIN would come late; ToldToBegin sends it instead.
    connection.isolation_level = None
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")
    connection.execute(PATIENT)


class ToldToBegin(SQLiteDialect_pysqlite):
    """SQLite whose transactions begin when they are told to; its driver would begin one only before a change.

    A dialect, not listeners: with one of those to an engine, SQLAlchemy asks four times for more at each statement.
    """

    supports_statement_cache = True

    def do_begin(self, dbapi_connection: Any) -> None:
        dbapi_connection.execute("BEGIN")

    def do_execute_no_params(self, cursor: Any, statement: str, context: Any = None) -> None:
        _wait_for_lock(cursor, statement)


registry.register(f"sqlite.{DIALECT}", __name__, ToldToBegin.__name__)


def lock_file(connection: Connection) -> None:
    """Take SQLite's lock for a change before anything is read; on PostgreSQL nothing, whose locks are of rows.

    A transaction that reads first and changes later fails at once when another changed something in between.
    """
    if connection.dialect.name == "sqlite":
        if not connection.in_transaction():
            connection.begin()
        connection.connection.rollback()  # what do_begin began: nothing was read in it
        connection.exec_driver_sql("BEGIN IMMEDIATE", execution_options={"no_parameters": True})


def _wait_for_lock(cursor: Any, statement: str) -> None:
    """Ask for SQLite's lock until it is free, as SQLite would, with pauses that suit changes of a few milliseconds.

    Its own soon are 25 ms and more: of a hall that reports at once everybody would wait, and nobody have the lock.
    """
    began, waited = time.monotonic(), 0.0
    cursor.execute("PRAGMA busy_timeout=0")
    try:
        while True:
            try:
                cursor.execute(statement)
                return
            except Exception as refused:
                waited = time.monotonic() - began
                if getattr(refused, "sqlite_errorcode", 0) & 0xFF != BUSY or waited > BUSY_SECONDS:
                    raise
            time.sleep(min(MOST_PAUSE, FIRST_PAUSE + waited / 8))
    finally:
        cursor.execute(PATIENT)


LOCKED = select(Event).where(Event.id == bindparam("id")).with_for_update().execution_options(populate_existing=True)
"""An event's row, read anew and locked. Written once: every change asks for it."""
WAIT_NO_LONGER = f"SELECT set_config('lock_timeout', '{BUSY_SECONDS * 1000}', true)"
IS_AT = "SELECT version_num FROM alembic_version"


def revision_of(connection: Connection) -> str | None:
    """The revision that the database is at; None where it tells none."""
    found: str | None = connection.exec_driver_sql(IS_AT).scalar()
    return found


def hold_to(engine: Engine, revision: str) -> None:
    """Let every change by this engine find the database at this revision, or be refused."""
    engine.update_execution_options(**{REVISION: revision})


def _look_at_version(connection: Connection) -> None:
    """Refuse a change where another version of the code has the database by now, and let none migrate until its end.

    An older server may go on while a newer one upgrades. SQLite's lock is taken already, and is the migration's too;
    PostgreSQL is asked together with what every change tells it, without another round trip. The version is read by a
    statement of its own: one that waited for the lock would see what was there before.
    """
    wanted = connection.get_execution_options().get(REVISION)
    if connection.dialect.name == "sqlite":
        found = revision_of(connection) if wanted else None
    else:
        asked = f"{WAIT_NO_LONGER}, pg_advisory_xact_lock_shared({MIGRATING}); {IS_AT}" if wanted else WAIT_NO_LONGER
        with connection.exec_driver_sql(asked) as told:
            row = told.cursor.fetchone() if wanted and told.cursor.nextset() else None
            found = row[0] if row else None
    if found != wanted:
        raise OtherVersion(f"the database is at {found or 'no revision'}, and this server is of {wanted}")


@contextmanager
def write(session: Session, now: datetime, event_row: Event | None = None, by: Actor = NOBODY) -> Iterator[Session]:
    """Run one change: lock, do, commit; or nothing at all if anything is raised.

    What was read before is read again under the lock, so that the action decides on what is true now. With an event,
    its row is locked first and its version rises; a change that belongs to no event passes none. Every row that the
    session changes is kept in the journal, before and after; ``by`` says who presses, where a visitor does.
    """
    session.rollback()
    connection = session.connection()
    try:
        lock_file(connection)
        _look_at_version(connection)
        if event_row is not None:
            session.exec(LOCKED, params={"id": inspect(event_row).identity[0]}).one()
        capture = session.info[KEY] = Capture(session, now, event_row, by)
        capture.begin()
        if event_row is not None:
            capture.raise_version(event_row)
        yield session
        if session.in_transaction():  # else the block has rolled back: there is nothing to store
            capture.finish()
            session.commit()
    except BaseException:
        session.rollback()
        raise
    finally:
        session.info.pop(KEY, None)


def going_on(session: Session) -> Capture:
    """The write that goes on. Raises KeyError where none does: nothing is changed or told past the door."""
    found: Capture = session.info[KEY]
    return found
