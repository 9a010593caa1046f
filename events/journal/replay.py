"""Rebuilding an event from its journal, to compare it with the tables."""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic_core import PydanticUndefined
from sqlalchemy import Column, Table, select
from sqlmodel import Session, col
from sqlmodel import select as select_rows

from models.captured import class_of, columns_of, followed, hashes_in, is_document, long_values, of_event, plain, typed
from models.event import Event
from models.journal import ChangeSet, RowChange, RowChangeKind

Rows = dict[int, dict[str, Any]]
"""The rows of one table by key, with values as the journal stores them."""
ABSENT = object()


@dataclass(frozen=True)
class Difference:
    """The first difference between the journal and the tables."""

    table: str
    row_id: int
    column: str
    """"" if the whole row is missing on one side."""
    journal: str | None
    """The value in the journal; None for no value or no row."""
    stored: str | None
    """The value in the table."""
    last: ChangeSet | None
    """The last write to the value in the journal."""


@dataclass(frozen=True)
class Replayed:
    since: ChangeSet
    """The first write of the journal."""
    tables: int
    """The number of tables with rows of this event."""
    rows: int
    changes: int
    """The number of row changes since then."""
    difference: Difference | None
    """None if the journal and the tables agree."""


def replay(s: Session, event: Event) -> Replayed:
    """Rebuild the event and compare it. Raises LookupError if it has no journal."""
    if event.journal_from is None:
        raise LookupError(event.slug)
    since = s.get_one(ChangeSet, event.journal_from)
    tables, changes = rebuilt(s, event, since.id)
    difference = next(_differences(s, event, tables), None)
    sizes = [len(rows) for rows in tables.values() if rows]
    return Replayed(since, len(sizes), sum(sizes), changes, difference)


def rebuilt(s: Session, event: Event, since: int, before: int | None = None) -> tuple[dict[str, Rows], int]:
    """Every row of the event by table, from the change set ``since`` up to ``before`` (excluded), and the number of
    changes.

    Values are as the journal stores them.
    """
    rebuilt: dict[str, Rows] = {table.name: {} for table in followed()}
    count = 0
    changes = (
        select_rows(RowChange)
        .join(ChangeSet)
        .where(ChangeSet.event_id == event.id, col(ChangeSet.id) >= since)
        .where(col(RowChange.table_name).in_(rebuilt))
        .order_by(col(RowChange.id))
        .execution_options(yield_per=500)
    )
    if before is not None:
        changes = changes.where(col(ChangeSet.id) < before)
    for change in s.exec(changes):
        count += change.kind != RowChangeKind.FOUND
        rows = rebuilt.setdefault(change.table_name, {})
        if change.kind == RowChangeKind.REMOVED:
            rows.pop(change.row_id, None)
        else:
            rows[change.row_id] = rows.get(change.row_id, {}) | change.after
        s.expunge(change)
    return rebuilt, count


def _differences(s: Session, event: Event, rebuilt: Mapping[str, Rows]) -> Iterator[Difference]:
    for table in followed():
        rows = rebuilt[table.name]
        query = select(table).where(of_event(table, event.id)).order_by(table.c.id)
        seen: set[int] = set()
        for stored in s.connection().execute(query).mappings():
            key = stored["id"]
            seen.add(key)
            if key not in rows:
                yield _difference(s, event, table, key, "", None, "a row")
                continue
            for column in columns_of(table):
                by_journal = rows[key].get(column.name, ABSENT)
                if by_journal is ABSENT:  # the column was added later, with its default
                    by_journal = _default(table, column)
                value = plain(column, stored[column.name])
                if not _same(column, by_journal, value):
                    yield _difference(s, event, table, key, column.name, by_journal, value)
        for key in sorted(rows.keys() - seen):
            yield _difference(s, event, table, key, "", "a row", None)
    yield from _set_differences(s, event)


def _set_differences(s: Session, event: Event) -> Iterator[Difference]:
    """Differences in the event's version and time of change, which are recorded by change sets instead of rows."""
    raising = select_rows(ChangeSet).where(ChangeSet.event_id == event.id, col(ChangeSet.version).is_not(None))
    newest = s.exec(raising.order_by(col(ChangeSet.id).desc()).limit(1)).first()
    if newest is None or newest.baseline:
        return
    for name, recorded, stored in (
        ("version", newest.version, event.version),
        ("changed_at", newest.at.isoformat(), event.changed_at.isoformat()),
    ):
        if recorded != stored:
            yield Difference("event", event.id, name, str(recorded), str(stored), newest)


def _same(column: Column[Any], by_journal: Any, stored: Any) -> bool:
    if isinstance(by_journal, dict):  # a long value is stored as its hash
        if not isinstance(stored, str):
            return False
        return bool(hashlib.sha256(stored.encode()).hexdigest() == by_journal["sha256"])
    if by_journal == stored:
        return True
    return is_document(column) and bool(typed(column, by_journal) == typed(column, stored))


def _default(table: Table, column: Column[Any]) -> Any:
    default = class_of(table).model_fields[column.name].default
    return None if default is PydanticUndefined else plain(column, default)


def _difference(
    s: Session, event: Event, table: Table, key: int, column: str, by_journal: Any, stored: Any
) -> Difference:
    if isinstance(by_journal, dict):
        by_journal = next(iter(long_values(s, event.id, hashes_in({column: by_journal})).values()), None)
    touched = (
        select_rows(RowChange, ChangeSet)
        .join(ChangeSet)
        .where(ChangeSet.event_id == event.id, RowChange.table_name == table.name, RowChange.row_id == key)
        .order_by(col(RowChange.id).desc())
    )
    last = next(
        (write for change, write in s.exec(touched) if not column or column in change.after or column in change.before),
        None,
    )
    text, other = (None if value is None else str(value) for value in (by_journal, stored))
    return Difference(table.name, key, column, text, other, last)
