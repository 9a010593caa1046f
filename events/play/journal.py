"""The journal: writing an entry in the transaction of its change, and reading entries with their row changes."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement
from sqlmodel import Session, SQLModel, col, select

from models.captured import OF_NO_EVENT, hashes_in, lengthened, long_values, typed
from models.db import current_write
from models.event import Event
from models.journal import ChangeSet, JournalEntry, RowChange, RowChangeKind


def note(s: Session, event: Event, actor: str, now: datetime, verb: str, text: str, **details: Any) -> None:
    """Add one line to the event's journal: who, when, a verb to filter by, a sentence, and the particulars."""
    current_write(s).tell(event.id, now, actor[:120], verb, text[:500], details)


@dataclass(frozen=True)
class Changed:
    """What became of one row in one write. Values are as the table's columns hold them: moments, choices, documents."""

    table: str
    row_id: int
    kind: RowChangeKind
    before: Mapping[str, Any]
    """Whole where the row was removed, empty where it was added, else the columns that changed."""
    after: Mapping[str, Any]
    """Whole where the row was added or found, empty where it was removed, else the columns that changed."""
    players: tuple[int, ...]
    """Whom it concerns, by id; at most two."""
    round_id: int | None
    table_number: int | None


def begun(s: Session, event: Event) -> ChangeSet | None:
    """The write that the event's journal begins with. None: it begins with the next one."""
    return None if event.journal_from is None else s.get_one(ChangeSet, event.journal_from)


def entries_of(
    s: Session, change_sets: Iterable[int], told: ColumnElement[bool] | None = None
) -> dict[int, list[JournalEntry]]:
    """What was noted of these writes, by their ids, oldest first; where ``told`` is given, those alone that fulfil it.

    A write of which nothing was noted is left out.
    """
    query = select(JournalEntry).where(col(JournalEntry.change_set_id).in_(list(change_sets)))
    if told is not None:
        query = query.where(told)
    found: dict[int, list[JournalEntry]] = {}
    for entry in s.exec(query.order_by(col(JournalEntry.id))):
        assert entry.change_set_id is not None  # noqa: S101 - it was asked for
        found.setdefault(entry.change_set_id, []).append(entry)
    return found


def changes_of(s: Session, event: Event, change_sets: Iterable[int]) -> dict[int, list[Changed]]:
    """What these writes changed, by their ids, in the order in which it happened."""
    query = select(RowChange).where(col(RowChange.change_set_id).in_(list(change_sets)))
    # A table that was followed once, and is not any more, is told of no more either.
    rows = s.exec(query.where(col(RowChange.table_name).not_in(OF_NO_EVENT)).order_by(col(RowChange.id))).all()
    long = long_values(s, event.id, _hashes(rows))
    found: dict[int, list[Changed]] = {}
    for row in rows:
        found.setdefault(row.change_set_id, []).append(_changed(row, long))
    return found


def _hashes(rows: Sequence[RowChange]) -> set[str]:
    return {mark for row in rows for values in (row.before, row.after) for mark in hashes_in(values)}


def _changed(row: RowChange, long: Mapping[str, str]) -> Changed:
    columns = SQLModel.metadata.tables[row.table_name].columns
    before, after = (
        {name: typed(columns[name], value) for name, value in lengthened(values, long).items() if name in columns}
        for values in (row.before, row.after)
    )
    return Changed(
        row.table_name,
        row.row_id,
        row.kind,
        before,
        after,
        tuple(one for one in (row.player_id, row.other_id) if one is not None),
        row.round_id,
        row.table_number,
    )
