"""The changes of rows that a write gathers, and how they and their change sets are stored."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Table, insert, select
from sqlmodel import SQLModel

from models.captured import falling_with, followed, of_event, row_of
from models.concerned import Concerned
from models.journal import Actor, RowChangeKind
from models.kept_values import keep, shortened

SETS, CHANGES, ENTRIES, ANSWERS = (
    SQLModel.metadata.tables[name] for name in ("change_set", "row_change", "journal_entry", "kept_answer")
)


@dataclass
class Change:
    """What became of one row in this write. Values are written down already."""

    table: Table
    row_id: int
    event_id: int
    kind: RowChangeKind
    before: dict[str, Any]
    after: dict[str, Any]
    concerned: Concerned = field(default_factory=Concerned)

    @property
    def is_one(self) -> bool:
        """Whether anything is different in the end."""
        return self.kind != RowChangeKind.CHANGED or self.before != self.after


def rows_found(connection: Connection, event_id: int) -> Iterator[Change]:
    """Every row of an event as it stands."""
    for table in followed():
        # Locked, so that on PostgreSQL what another write is doing to a row is either in it or told after it.
        query = select(table).where(of_event(table, event_id)).order_by(table.c.id).with_for_update(of=table)
        for row in connection.execute(query).mappings():
            yield Change(table, row["id"], event_id, RowChangeKind.FOUND, {}, row_of(table, dict(row)))


def rows_falling(connection: Connection, removed: Sequence[Change]) -> list[Change]:
    """The rows that the database itself removes together with these, by its foreign keys, and with those in turn."""
    found: list[Change] = []
    by_table: dict[Table, dict[int, Change]] = {}
    for one in removed:
        by_table.setdefault(one.table, {})[one.row_id] = one
    for parent, rows in by_table.items():
        for column in falling_with(parent):
            table = column.table
            for row in connection.execute(select(table).where(column.in_(rows))).mappings():
                above = rows[row[column.name]]
                values = row_of(table, dict(row))
                found.append(
                    Change(table, row["id"], above.event_id, RowChangeKind.REMOVED, values, {}, above.concerned)
                )
    return found + rows_falling(connection, found) if found else found


def store_set(
    connection: Connection, event_id: int, now: datetime, by: Actor, version: int | None, *, baseline: bool = False
) -> int:
    """Store a change set; returns its id."""
    values: dict[str, Any] = {
        "event_id": event_id, "at": now, "actor": by.name[:120], "role": by.role, "version": version,
        "baseline": baseline,
    }  # fmt: skip
    key = connection.execute(insert(SETS), values).inserted_primary_key
    assert key is not None  # noqa: S101 - one row was inserted
    return int(key[0])


def store_entry(connection: Connection, values: Mapping[str, Any]) -> None:
    """Store an entry of the journal: all columns but its id."""
    connection.execute(insert(ENTRIES), [values])


def store_changes(connection: Connection, change_set_id: int, event_id: int, changes: Sequence[Change]) -> None:
    """Store what became of rows, with their long values."""
    long: dict[str, str] = {}
    rows = [
        {
            "change_set_id": change_set_id,
            "table_name": one.table.name,
            "row_id": one.row_id,
            "kind": one.kind,
            "before": shortened(one.before, long),
            "after": shortened(one.after, long),
        }
        | one.concerned.columns()
        for one in changes
    ]
    if rows:
        keep(connection, event_id, long)
        connection.execute(insert(CHANGES), rows)


def store_told(connection: Connection, event_id: int, entries: Sequence[dict[str, Any]]) -> None:
    """Store what another server's journal told of an event, in its order: of those writes no rows are kept here."""
    if entries:
        connection.execute(insert(ENTRIES), [one | {"event_id": event_id, "change_set_id": None} for one in entries])


def store_answer(connection: Connection, values: Mapping[str, Any]) -> None:
    """Store the answer to a submission (``models.kept_answer``): all columns but its id."""
    connection.execute(insert(ANSWERS), [values])
