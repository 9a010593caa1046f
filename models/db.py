"""Opening the database, and ``write``, the only way to change it.

Values that the two databases treat differently are rejected before a statement is sent: PostgreSQL refuses NUL where
SQLite stores it, SQLite stores NaN as NULL, and half a surrogate or a number of more than 64 bits is an error of the
driver. Forms reject all of these at their field; this catches what a form forgot.
"""

import importlib
import math
import re
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import quote

from sqlalchemy import Connection, Engine, event, inspect, make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.orm.exc import StaleDataError
from sqlalchemy.pool import StaticPool
from sqlmodel import Session, col, create_engine, select

from models.capture import KEY, Capture
from models.event import Event
from models.journal import NOBODY, Actor

BUSY_SECONDS = 5
"""How long a statement waits for a lock before it fails. The visitor then gets a page that says "busy"."""
POOL_SIZE = 20
"""Connections that a process keeps open: more than a server process has threads."""
TCP_TIMEOUTS = {
    "connect_timeout": 2,
    "tcp_user_timeout": 1000 * BUSY_SECONDS,
    "keepalives_idle": 2 * BUSY_SECONDS,
    "keepalives_interval": 2,
    "keepalives_count": 3,
}
"""libpq's settings for a network that drops packets: without them a thread would wait for hours.

The time to connect is the least that libpq takes. It is for each host: every new connection waits so long for a machine
that is off, if DATABASE_URL names it before the primary.
"""
SOUND = (3, 51, 3)
"""An older SQLite can damage a database when its log (WAL) is reset under load. Debian 12 ships 3.40."""
FOR_WRITING = {"overseer_for_writing": True}
"""Execution option of a connection whose transaction will write: on SQLite it starts with BEGIN IMMEDIATE."""


def user_version(engine: Engine, new: int = 0) -> int:
    """SQLite's number for the application's own use; 0 where none was set, and then it is set to ``new``."""
    with engine.connect().execution_options(**(FOR_WRITING if new else {})) as connection:
        version: int = connection.exec_driver_sql("PRAGMA user_version").scalar_one()
        if not version and new:
            connection.exec_driver_sql(f"PRAGMA user_version = {new:d}")
            connection.commit()
        return version


def sqlite_module(bundled: str = "pysqlite3") -> ModuleType:
    """The SQLite driver: the one bundled with a package, else Python's own."""
    try:
        return importlib.import_module(bundled)
    except ModuleNotFoundError:
        return importlib.import_module("sqlite3")


def journal_of(version: tuple[int, ...]) -> str:
    """How this SQLite keeps a change until it is whole: in a log, which lets people read meanwhile, if it is sound."""
    return "WAL" if version >= SOUND else "DELETE"


def open_engine(url: str, *, create: bool = True) -> Engine:
    """An engine for ``sqlite:///path`` or ``postgresql://...`` whose commits survive a crash.

    ``create=False``: connecting to an SQLite file that does not exist fails, instead of making an empty one.
    """
    engine = _sqlite(url, create=create) if make_url(url).get_backend_name() == "sqlite" else _postgres(url)
    guard(engine)
    return engine


def _postgres(url: str) -> Engine:
    engine = create_engine(url, pool_pre_ping=True, pool_size=POOL_SIZE, connect_args=TCP_TIMEOUTS)

    @event.listens_for(engine, "connect", insert=True)  # before SQLAlchemy, which cannot read what is not UTF8
    def limit_waiting(connection: Any, record: Any) -> None:
        if (encoding := connection.info.parameter_status("server_encoding")) not in (None, "UTF8"):
            raise ArgumentError(
                f"the database’s encoding is {encoding}. Make it with ENCODING 'UTF8' TEMPLATE template0."
            )
        connection.execute(f"SET lock_timeout = '{BUSY_SECONDS}s'")
        connection.commit()

    return engine


def _sqlite(url: str, *, create: bool) -> Engine:
    """SQLAlchemy's recipe for SQLite: the driver starts no transactions by itself, so that BEGIN can be chosen."""
    module = sqlite_module()
    path = Path(make_url(url).database or "").absolute()
    address = f"file:{quote(str(path))}?mode={'rwc' if create else 'rw'}"
    engine = create_engine(
        url,
        module=module,
        creator=lambda: module.connect(address, uri=True, check_same_thread=False),
        pool_size=POOL_SIZE,
    )

    return _begun_by_us(engine)


def open_in_memory() -> Engine:
    module = sqlite_module()
    engine = create_engine(
        "sqlite://",
        module=module,
        creator=lambda: module.connect(":memory:", check_same_thread=False),
        poolclass=StaticPool,
    )
    guard(engine)
    return _begun_by_us(engine)


def _begun_by_us(engine: Engine) -> Engine:
    event.listen(engine, "connect", _set_up_sqlite)
    event.listen(engine, "begin", _begin)
    return engine


def _set_up_sqlite(connection: Any, record: Any) -> None:
    connection.isolation_level = None
    connection.execute(f"PRAGMA busy_timeout={BUSY_SECONDS * 1000}")
    for pragma in (
        f"journal_mode={journal_of(sqlite_module().sqlite_version_info)}",
        "synchronous=FULL",
        "foreign_keys=ON",
        "secure_delete=ON",  # zeroes in place of what is deleted
    ):
        connection.execute(f"PRAGMA {pragma}")


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql(begin_statement(connection))


def begin_statement(connection: Connection) -> str:
    """The statement that begins a transaction on SQLite.

    A transaction that reads first would fail at its first write if another one wrote in between.
    """
    writes = FOR_WRITING.keys() <= connection.get_execution_options().keys()
    return "BEGIN IMMEDIATE" if writes else "BEGIN"


@contextmanager
def write(
    session: Session,
    now: datetime,
    event_row: Event | None = None,
    by: Actor = NOBODY,
    *,
    public: bool = True,
    other: Event | None = None,
) -> Iterator[Session]:
    """Run one change: lock, change, commit. If anything is raised, nothing is stored.

    Rows read before are read again under the lock. ``event_row`` is locked first and gets a new version; pass None for
    a change that belongs to no event. The journal records every changed row, before and after, and ``by``, who made
    the change. ``public=False`` keeps the event's public stamp, for a change to a draft round, which only staff see.
    ``other`` is a second event that the change concerns, locked and recorded in the same way.
    Raises StaleDataError if an event was deleted.
    """
    events = [row for row in (event_row, other) if row is not None]
    session.rollback()
    session.connection(execution_options=FOR_WRITING)
    try:
        ids = sorted(inspect(row).identity[0] for row in events)
        for id_ in ids:  # in this order, so that no two writes deadlock
            locked = select(Event).where(col(Event.id) == id_).with_for_update()
            if session.exec(locked, execution_options={"populate_existing": True}).first() is None:
                raise StaleDataError("the event was deleted")
        capture = session.info[KEY] = Capture(session, now, event_row, by, public, other)
        for row in events:
            capture.begin(row)
            capture.raise_version(row)
        yield session
        if session.in_transaction():  # otherwise the block has rolled back
            capture.finish()
            session.commit()
            if capture.erases:
                empty_log(session.get_bind().engine)
    except BaseException:
        session.rollback()
        raise
    finally:
        session.info.pop(KEY, None)


def empty_log(engine: Engine, first: str = f"PRAGMA busy_timeout={BUSY_SECONDS * 100}") -> None:
    """Move SQLite's log into the database file and empty it, so that it keeps nothing deleted.

    A reader prevents it after half a second; maintenance then does it later.
    """
    if engine.dialect.name == "sqlite":
        with closing(engine.raw_connection()) as connection:
            for statement in (first, "PRAGMA wal_checkpoint(TRUNCATE)", f"PRAGMA busy_timeout={BUSY_SECONDS * 1000}"):
                connection.cursor().execute(statement)


def current_write(session: Session) -> Capture:
    """The write in progress. Raises KeyError if there is none."""
    capture: Capture = session.info[KEY]
    return capture


LARGEST = 2**63 - 1
HALF_A_SURROGATE = re.compile("[\ud800-\udfff]")


class Unstorable(ValueError):
    """A statement has a value that cannot be stored. It was not sent."""


def guard(engine: Engine) -> None:
    for name in ("do_execute", "do_executemany"):
        event.listen(engine, name, lambda cursor, statement, parameters, context: _check(parameters or ()))


def _check(values: Any) -> None:
    """Check the values of one row or of many: drivers take dictionaries, tuples, and lists of them."""
    for value in values.values() if isinstance(values, dict) else values:
        if isinstance(value, (dict, tuple, list)):
            _check(value)
        elif not is_storable(value):
            raise Unstorable("a text with NUL or half a surrogate, or a number that is too large or not finite")


def is_storable(value: object) -> bool:
    """Whether both databases store the value, and identically."""
    if isinstance(value, str):
        return "\x00" not in value and (value.isascii() or not HALF_A_SURROGATE.search(value))
    if isinstance(value, float):
        return math.isfinite(value)
    return not isinstance(value, int) or -LARGEST - 1 <= value <= LARGEST
