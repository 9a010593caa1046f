"""Brings an archive of an earlier revision to the present one, with the migrations that upgrade databases.

Its rows go into an empty database in memory at the archive's revision, which is then migrated: so each stored form is
upgraded in one place. The values are only checked for their types here; ``archive_file`` checks what comes out of it.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, date, datetime
from functools import cache
from threading import Lock
from typing import Any

from sqlalchemy import JSON, Column, Connection, Date, DateTime, Engine, MetaData, Table
from sqlmodel import Session

import migrations
from events.setup.archive import STAYS_BEHIND, journal_lines, stored_rows, tables
from events.web.parsing import sheet_code
from languages.words import N_, gettext
from models.captured import NOT_JOURNALLED
from models.db import open_in_memory
from models.facts import fact_of
from models.journal import JOURNAL, JournalEntry

QUEUE = ("mail", "attempts", "next_try", "tried_at", "last_error", "pinned")
"""Columns of ``delivery`` before there was ``dispatch``."""
OMITTED = {"sheet_reading.account_id", *(f"delivery.{name}" for name in QUEUE)} | {
    str(column)
    for table in tables()
    for column in table.columns
    if not column.primary_key and not fact_of(column).archived
}
"""Columns of no archive, of the tables now and of former ones."""
OTHERS = STAYS_BEHIND.keys() | NOT_JOURNALLED.keys() | {table.__tablename__ for table in JOURNAL} | {"alembic_version"}
"""Tables of no archive."""
EMPTY: Mapping[type, Any] = {bool: False, int: 0, str: "", datetime: datetime(2000, 1, 1), dict: {}}  # noqa: DTZ001
"""For omitted columns that need a value, by Python type. Nobody reads them."""
ONE_AT_A_TIME = Lock()
"""Alembic keeps what it migrates in a variable of the process."""


class NotUpgraded(Exception):
    """The archive is not of its revision; the message starts with the place."""


def upgraded(entry: Mapping[str, Any]) -> dict[str, Any]:
    """The document of an archive with its tables and its journal as this version stores them. Raises NotUpgraded.

    ``entry`` has all parts of an archive, a known revision, lists of objects as tables, and one event.
    """
    with ONE_AT_A_TIME, database_at(entry["revision"]) as (engine, schema):
        try:
            with engine.begin() as connection:
                event_id = _load(connection, schema, entry)
            migrations.upgrade(engine)
            with Session(engine) as s:
                rows = {table.name: stored_rows(s, table, event_id) for table in tables()}
                return {**entry, "tables": rows, "journal": journal_lines(s, event_id)}
        except NotUpgraded:
            raise
        except Exception as broken:
            # A migration of untrusted rows can fail in any way; each is the file's fault.
            raise NotUpgraded(
                gettext(
                    "tables: the rows are not those of revision %(revision)s (%(error)s)",
                    revision=entry["revision"],
                    error=type(broken).__name__,
                )
            ) from broken


@contextmanager
def database_at(revision: str) -> Iterator[tuple[Engine, MetaData]]:
    """An empty database at this revision, and its tables."""
    engine = open_in_memory()
    try:
        yield engine, make_at(revision, engine)
    finally:
        engine.dispose()


def make_at(revision: str, engine: Engine) -> MetaData:
    """Give a new SQLite database the tables of this revision, and return them."""
    template, schema = _template(revision)
    with template.connect() as source, engine.connect() as target:
        made: Any = source.connection.driver_connection
        made.backup(target.connection.driver_connection)
    return schema


@cache
def _template(revision: str) -> tuple[Engine, MetaData]:
    """Kept, because making it takes a second."""
    engine, schema = open_in_memory(), MetaData()
    migrations.upgrade(engine, revision)
    schema.reflect(engine)
    return engine, schema


def _load(connection: Connection, schema: MetaData, entry: Mapping[str, Any]) -> int:
    """Insert the rows and the journal; returns the id of the event. Raises NotUpgraded."""
    tables_by_name = {table.name: table for table in schema.sorted_tables if table.name not in OTHERS}
    given = dict(entry["tables"])
    # Games of an archive without persons have no codes, and here each needs one of its own.
    given["game"] = [row | {"code": sheet_code()} if row.get("code") == "" else row for row in given.get("game", [])]
    if unknown := given.keys() - tables_by_name.keys():
        raise NotUpgraded(gettext("tables: “%(name)s” is not a table of its revision", name=f"{min(unknown):.60}"))
    for name, table in tables_by_name.items():
        rows = [_row(table, f"{name}[{number}]", row) for number, row in enumerate(given.get(name, []))]
        if rows:
            connection.execute(table.insert(), rows)
    event_id: int = given["event"][0]["id"]
    entries = schema.tables[str(JournalEntry.__tablename__)]
    lines = [
        _row(entries, f"journal[{number}]", _entry(line) | {"id": number + 1, "event_id": event_id})
        for number, line in enumerate(entry["journal"])
    ]
    if lines:
        connection.execute(entries.insert(), lines)
    return event_id


def _entry(line: Mapping[str, Any]) -> dict[str, Any]:
    return {"details" if name == "about" else name: value for name, value in line.items()}


def _row(table: Table, place: str, entry: Mapping[str, Any]) -> dict[str, Any]:
    """A row for its table at the archive's revision. Raises NotUpgraded."""
    columns = {column.name: column for column in table.columns if f"{table.name}.{column.name}" not in OMITTED}
    if unknown := entry.keys() - columns.keys():
        raise NotUpgraded(
            gettext("%(place)s: “%(name)s” is not a column of its revision", place=place, name=f"{min(unknown):.60}")
        )
    values: dict[str, Any] = {}
    for column in table.columns:
        if column.name in entry:
            values[column.name] = _value(column, f"{place}.{column.name}", entry[column.name])
        elif column.nullable or column.server_default is not None:
            continue
        elif column.name in columns:
            raise NotUpgraded(gettext("%(place)s: is missing", place=f"{place}.{column.name}"))
        else:
            values[column.name] = EMPTY[column.type.python_type]
    return values


def _value(column: Column[Any], place: str, value: Any) -> Any:
    """The value as its column stores it. Raises NotUpgraded."""
    kind = column.type
    if value is None or isinstance(kind, JSON):
        return value
    try:
        if isinstance(kind, DateTime):
            return datetime.fromisoformat(value).astimezone(UTC).replace(tzinfo=None)
        if isinstance(kind, Date):
            return date.fromisoformat(value)
    except (TypeError, ValueError, OverflowError) as invalid:
        raise NotUpgraded(gettext("%(place)s: is not a time", place=place)) from invalid
    if type(value) is not kind.python_type:
        text = N_("%(place)s: is not text") if kind.python_type is str else N_("%(place)s: is not a number")
        raise NotUpgraded(gettext(text, place=place))
    return value
