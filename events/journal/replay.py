"""An event rebuilt from its journal alone, and compared with what its tables hold."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic_core import PydanticUndefined
from sqlalchemy import JSON, Column, Table, select
from sqlmodel import Session, col
from sqlmodel import select as select_rows

from models.captured import class_of, columns_of, followed, hashes_in, long_values, of_event, plain
from models.event import Event
from models.journal import ChangeSet, RowChange, RowChangeKind

Rows = dict[int, dict[str, Any]]
"""The rows of one table by their key, each column as the journal writes it."""
ABSENT = object()


@dataclass(frozen=True)
class Difference:
    """The first place where journal and tables do not say the same."""

    table: str
    row_id: int
    column: str
    """"" where the whole row is there on one side only."""
    journal: str | None
    """What stands there by the journal, written down; None: nothing, or no such row."""
    stored: str | None
    """What the table holds."""
    last: ChangeSet | None
    """The last write that the journal knows to have touched it."""


@dataclass(frozen=True)
class Replayed:
    """What came of it."""

    since: ChangeSet
    """The write that the journal begins with."""
    tables: int
    """How many tables have a row of the event."""
    rows: int
    changes: int
    """Changes of rows that were told since then."""
    difference: Difference | None
    """None: journal and tables are equal."""


def replay(s: Session, event: Event) -> Replayed:
    """Rebuild the event and compare it. Raises LookupError where its journal has not begun."""
    if event.journal_from is None:
        raise LookupError(event.slug)
    since = s.get_one(ChangeSet, event.journal_from)
    rows_told, told = rebuilt(s, event, since.id)
    difference = next(_differences(s, event, rows_told), None)
    held = [len(rows) for rows in rows_told.values() if rows]
    return Replayed(since, len(held), sum(held), told, difference)


def rebuilt(s: Session, event: Event, since: int, before: int | None = None) -> tuple[dict[str, Rows], int]:
    """Every row of the event by table as the journal tells it, from one change set on and up to another, left out.

    Values are as the journal writes them; how many changes were told comes with them.
    """
    rebuilt: dict[str, Rows] = {table.name: {} for table in followed()}
    told = 0
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
        told += change.kind != RowChangeKind.FOUND
        rows = rebuilt.setdefault(change.table_name, {})
        if change.kind == RowChangeKind.REMOVED:
            rows.pop(change.row_id, None)
        else:
            rows[change.row_id] = rows.get(change.row_id, {}) | change.after
        s.expunge(change)
    return rebuilt, told


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
                if by_journal is ABSENT:  # the column was added later, and every row got its default
                    by_journal = _default(table, column)
                value = plain(column, stored[column.name])
                if not _same(column, by_journal, value):
                    yield _difference(s, event, table, key, column.name, by_journal, value)
        for key in sorted(rows.keys() - seen):
            yield _difference(s, event, table, key, "", "a row", None)
    yield from _told_by_sets(s, event)


def _told_by_sets(s: Session, event: Event) -> Iterator[Difference]:
    """The event's version and the moment of its last change, which change sets tell instead of rows."""
    raising = select_rows(ChangeSet).where(ChangeSet.event_id == event.id, col(ChangeSet.version).is_not(None))
    newest = s.exec(raising.order_by(col(ChangeSet.id).desc()).limit(1)).first()
    if newest is None or newest.baseline:
        return
    for name, told, stored in (
        ("version", newest.version, event.version),
        ("changed_at", newest.at.isoformat(), event.changed_at.isoformat()),
    ):
        if told != stored:
            yield Difference("event", event.id, name, str(told), str(stored), newest)


def _same(column: Column[Any], by_journal: Any, stored: Any) -> bool:
    if isinstance(by_journal, dict):  # long, and named by its hash
        if not isinstance(stored, str):
            return False
        return bool(hashlib.sha256(stored.encode()).hexdigest() == by_journal["sha256"])
    if by_journal == stored:
        return True
    both = isinstance(by_journal, str) and isinstance(stored, str)
    return both and isinstance(column.type, JSON) and bool(json.loads(by_journal) == json.loads(stored))


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
    one, other = (None if value is None else str(value) for value in (by_journal, stored))
    return Difference(table.name, key, column, one, other, last)
