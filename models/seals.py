"""Seals: digests of what was written, by which a row is known that nobody wrote, or that is gone.

The journal accounts for every row of an event. Seals account for the journal itself, one for each write, and for the
rows that the journal does not follow, one in each row (``SEALED``). They are against a damaged disk: whoever may change
the database can write seals too.
"""

import hashlib
import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from pydantic_core import PydanticUndefined
from sqlalchemy import Column, Connection, RowMapping, Table, event, select
from sqlalchemy.orm import UOWTransaction
from sqlmodel import Session, SQLModel

from models.captured import plain
from models.concerned import class_of, table_of
from models.kept_values import hashes_in

SETS, ENTRIES, CHANGES, VALUES, SEALS = (
    SQLModel.metadata.tables[name]
    for name in ("change_set", "journal_entry", "row_change", "journal_value", "journal_seal")
)

Values = Mapping[str, Any] | RowMapping


@dataclass
class Written:
    """What one write tells, digested row by row in the order in which it is stored."""

    of_set: str
    entries: list[str] = field(default_factory=list)
    changes: list[str] = field(default_factory=list)

    @property
    def seal(self) -> str:
        """The digest of all of it."""
        return hashlib.sha256("\n".join([self.of_set, *self.entries, "", *self.changes]).encode()).hexdigest()


def digest_of_entry(values: Values) -> str:
    """The digest of a line of the journal."""
    return _digest(ENTRIES, values, _all_of(ENTRIES))


def digest_of_change(values: Values) -> str:
    """The digest of what became of a row. Its own number is left out: nobody has it when a write is sealed."""
    return _digest(CHANGES, values, _without(CHANGES))


def digest_of_set(values: Values) -> str:
    """The digest of a change set."""
    return _digest(SETS, values, _all_of(SETS))


def entries_of_no_write(connection: Connection, event_id: int) -> list[str]:
    """The digests of entries that another server or version told: they belong to the write that begins the journal."""
    query = select(ENTRIES).where(ENTRIES.c.event_id == event_id, ENTRIES.c.change_set_id.is_(None))
    return [digest_of_entry(row) for row in connection.execute(query.order_by(ENTRIES.c.id)).mappings()]


def not_as_written(connection: Connection, event_id: int, begun: int | None) -> Iterator[str]:
    """What of an event's journal is not as it was written, in words. ``begun``: the write that it begins with."""
    entries = _entries(connection, event_id, begun)
    changes, long = _changes(connection, event_id)
    version: int | None = None
    sealed = select(SETS, SEALS.c.sha256).join(SEALS, isouter=True).where(SETS.c.event_id == event_id)
    for row in connection.execute(sealed.order_by(SETS.c.id)).mappings():
        told = Written(digest_of_set(row), entries.pop(row["id"], []), changes.pop(row["id"], []))
        if told.seal != row["sha256"]:
            when = f"{row['at']:%Y-%m-%d %H:%M} UTC"
            yield f"what the journal tells of write {row['id']} ({when}) is not as it was written"
        if row["version"] is not None and not row["baseline"]:
            if version is not None and row["version"] != version + 1:
                yield f"the journal lacks a write before write {row['id']}"
            version = row["version"]
    for number in sorted(entries.keys() | changes.keys()):
        yield f"the journal has lines of a write {number} that is not there"
    if begun is None and version is not None:
        yield "where the journal begins is gone"
    yield from _long_values(connection, event_id, long)


def _entries(connection: Connection, event_id: int, begun: int | None) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    query = select(ENTRIES).where(ENTRIES.c.event_id == event_id)
    # Those of no write first: they were there before the journal began.
    for row in connection.execute(query.order_by(ENTRIES.c.change_set_id.is_not(None), ENTRIES.c.id)).mappings():
        of = begun if row["change_set_id"] is None else row["change_set_id"]
        if of is not None:
            found.setdefault(of, []).append(digest_of_entry(row))
    return found


def _changes(connection: Connection, event_id: int) -> tuple[dict[int, list[str]], set[str]]:
    """The digests by write, and the hashes of the long values that they name."""
    found: dict[int, list[str]] = {}
    long: set[str] = set()
    query = select(CHANGES).join(SETS).where(SETS.c.event_id == event_id).order_by(CHANGES.c.id)
    for row in connection.execute(query.execution_options(yield_per=500)).mappings():
        found.setdefault(row["change_set_id"], []).append(digest_of_change(row))
        long.update(hashes_in(row["before"]), hashes_in(row["after"]))
    return found, long


def _long_values(connection: Connection, event_id: int, named: set[str]) -> Iterator[str]:
    query = select(VALUES.c.sha256, VALUES.c.packed).where(VALUES.c.event_id == event_id)
    for sha256, packed in connection.execute(query.execution_options(yield_per=50)):
        try:
            unpacked = zlib.decompress(packed)
        except zlib.error:
            unpacked = b""
        if hashlib.sha256(unpacked).hexdigest() != sha256:
            yield "a long value that the journal keeps is not as it was written"
        named.discard(sha256)
    if named:
        yield "a long value that the journal names is gone"


# ---- rows that the journal does not follow, or not whole


@cache
def sealed_tables() -> tuple[Table, ...]:
    """The tables whose rows are each sealed by a column of their own."""
    return tuple(table for table in SQLModel.metadata.sorted_tables if "seal" in table.columns)


def seal_of(table: Table, values: Values) -> str:
    """The seal of a row. What has its default is left out, so that a column that comes later breaks no seal."""
    return _digest(
        table,
        {name: None if value == _default(table, name) else value for name, value in values.items()},
        _without(table, "seal"),
    )


def rows_not_as_written(connection: Connection, table: Table) -> Iterator[Mapping[str, Any]]:
    """The rows of a sealed table that are not as they were written."""
    for row in connection.execute(select(table).order_by(table.c.id)).mappings():
        if seal_of(table, row) != row["seal"]:
            yield dict(row)


@cache
def _default(table: Table, name: str) -> Any:
    default = class_of(table).model_fields[name].default
    return None if default is PydanticUndefined else default


def _digest(table: Table, values: Values, columns: Sequence[Column[Any]]) -> str:
    words = {column.name: plain(column, values[column.name]) for column in columns}
    said = {name: value for name, value in words.items() if value is not None}
    return hashlib.sha256(json.dumps([table.name, said], ensure_ascii=False).encode()).hexdigest()


@cache
def _all_of(table: Table) -> Sequence[Column[Any]]:
    """The columns by name."""
    return sorted(table.columns, key=lambda column: column.name)


@cache
def _without(table: Table, left_out: str = "") -> Sequence[Column[Any]]:
    """The same without its key and one more."""
    return [column for column in _all_of(table) if column.name != left_out and not column.primary_key]


@event.listens_for(Session, "before_flush")
def _seal(session: Any, context: UOWTransaction, instances: Any) -> None:
    new = session.new
    for row in (*new, *session.dirty):
        table = table_of(row)
        if "seal" in table.columns and (row in new or session.is_modified(row)):
            row.seal = seal_of(table, {column.name: getattr(row, column.name) for column in table.columns})
