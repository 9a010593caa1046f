"""What the journal keeps of the other tables: which event and which players a row belongs to, which columns are left
out, and the form of values. An event's long values are stored once each.
"""

import hashlib
import json
import zlib
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from enum import Enum, StrEnum
from functools import cache
from typing import Any

from sqlalchemy import JSON, Column, ColumnElement, Connection, Date, Table, inspect, select
from sqlalchemy import Enum as ChoiceType
from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import Session, SQLModel, col
from sqlmodel import select as select_rows

from models.base import Document, UTCDateTime
from models.event import Round
from models.facts import fact_of
from models.journal import JOURNAL, JournalValue
from models.play import Game, Player

NOT_JOURNALLED = {
    "organiser": "people of the club, not of an event; their passwords and session keys are secrets",
    "set_up_link": "belongs to no event; the hash of a secret",
    "ended_sign_in": "belongs to no event; numbers of cookies that are no longer valid",
    "staff_sign_in": "belongs to no event; numbers of cookies",
    "sign_in_attempt": "belongs to no event; deleted after a quarter of an hour",
    "own_edition": "the club's, for all its events; a row never changes",
    "kept_answer": "answers to repeated submissions: internal; holds keys and sheet codes",
    "mail_change": "a mail address, kept for an hour; the player may delete it",
    "dispatch": "a queue; the journal has what it is about",
    "notice_off": "a player's own choice, without effect on the event",
    "device": "addresses and keys of players' browsers: secrets, which the player may delete",
    "account_mail": "belongs to no event; a person's mail address",
    "api_token": "keys of programs; the journal has an entry for each one made or ended",
    "passkey": "of accounts and of players' devices; a person's own keys, without effect on the event",
    "person": "people of the club, not of an event; their links and session keys are secrets",
    "own_entry": "a person's own choice, without effect on the event",
    "erasure": "the journal has an entry for each one",
    "webhook": "an address and a secret; the journal says who added and ended it",
    "own_scenario": "the club's, for all its events; each event that uses it has an entry in its journal",
}
"""Tables that the journal leaves out, with the reason."""


@cache
def followed() -> tuple[Table, ...]:
    """The tables that the journal follows, each after the tables that it refers to."""
    tables = {table.__tablename__ for table in JOURNAL}
    return tuple(table for table in SQLModel.metadata.sorted_tables if table.name not in tables | NOT_JOURNALLED.keys())


@cache
def columns_of(table: Table) -> tuple[Column[Any], ...]:
    """The columns of a table that the journal keeps, without the primary key. Replay compares them."""
    return tuple(c for c in table.columns if not c.primary_key and fact_of(c).journal)


@cache
def way_to_event(table: Table) -> tuple[Column[Any], Table] | None:
    """The foreign key that leads to a row's event, and the table it refers to. None for the event itself.

    It is the direct one if there is one, else the one with the fewest steps. Raises LookupError if there is none:
    such a table belongs in ``NOT_JOURNALLED``.
    """
    if table.name == "event":
        return None
    return min(
        (
            (column, key.column.table)
            for column in table.columns
            for key in column.foreign_keys
            if key.column.table in followed()
        ),
        key=lambda step: (step[0].nullable, _steps(step[1])),
        default=None,
    ) or _lost(table)


def _steps(table: Table) -> int:
    way = way_to_event(table)
    return 0 if way is None else 1 + _steps(way[1])


def _lost(table: Table) -> tuple[Column[Any], Table]:
    raise LookupError(f"the table {table.name} names no event: models/captured.py says what to do")


@cache
def cascading_from(table: Table) -> tuple[Column[Any], ...]:
    """The foreign keys that refer to this table and delete their rows with its rows."""
    return tuple(
        column
        for other in followed()
        for column in other.columns
        for key in column.foreign_keys
        if key.column.table is table and key.ondelete == "CASCADE"
    )


def of_event(table: Table, event_id: int) -> ColumnElement[bool]:
    way = way_to_event(table)
    if way is None:
        return table.c.id == event_id
    column, parent = way
    if parent.name == "event":
        return column == event_id
    return column.in_(select(parent.c.id).where(of_event(parent, event_id)))


ITSELF = frozenset({str, int, float, bool})
"""Types that are stored unchanged."""


def is_document(column: Column[Any]) -> bool:
    return isinstance(column.type, JSON | Document)


def document_in(column: Column[Any], value: Any) -> Any:
    """What a column of documents stores for a value, as ``json.dumps`` takes it; another column's value as it is."""
    kind = column.type
    return kind.written(value) if isinstance(kind, Document) and isinstance(value, kind.kind) else value


def plain(column: Column[Any], value: Any) -> str | int | float | None:
    """A column's value in the journal's form: documents as JSON, times and dates in ISO 8601, choices by value."""
    value = document_in(column, value)
    if value is None:
        return None
    if is_document(column):
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    if type(value) in ITSELF:
        text: str | int | float = value
        return text
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Enum):
        return str(value.value)
    if isinstance(value, str):  # a subclass, such as a table's name
        return value
    raise TypeError(f"{column.table.name}.{column.name}: the journal cannot write {value!r}")


def typed(column: Column[Any], written: Any) -> Any:
    if is_document(column):
        document = None if written is None else json.loads(written)
        return column.type.read(document) if isinstance(column.type, Document) else document
    if written is None:
        return None
    if isinstance(column.type, UTCDateTime):
        return datetime.fromisoformat(written)
    if isinstance(column.type, Date):
        return date.fromisoformat(written)
    if isinstance(column.type, ChoiceType):
        chosen: type[StrEnum] | None = column.type.enum_class  # type: ignore[assignment]
        return written if chosen is None else chosen(written)
    return written


def row_of(table: Table, values: Mapping[str, Any]) -> dict[str, Any]:
    return {c.name: plain(c, values[c.name]) for c in columns_of(table)}


@dataclass
class Concerned:
    players: list[int] = field(default_factory=list)
    round_id: int | None = None
    table_number: int | None = None

    def columns(self) -> dict[str, int | None]:
        player, other = (*self.players, None, None)[:2]
        return {"player_id": player, "other_id": other, "round_id": self.round_id, "table_number": self.table_number}

    def take(self, more: "Concerned") -> None:
        """Fill in from another row what this one does not say."""
        self.players = list(dict.fromkeys((*self.players, *more.players)))
        self.round_id = self.round_id if self.round_id is not None else more.round_id
        self.table_number = self.table_number if self.table_number is not None else more.table_number


def table_of(row: SQLModel) -> Table:
    table: Table = type(row).__table__  # type: ignore[attr-defined]
    return table


def key_of(row: SQLModel) -> int:
    key: int = getattr(row, "id")  # noqa: B009 - every table that is followed has it
    return key


@cache
def class_of(table: Table) -> type[SQLModel]:
    model: type[SQLModel] = next(m.class_ for m in SQLModel._sa_registry.mappers if m.local_table is table)
    return model


def columns_naming(target: str) -> Iterator[tuple[Table, Column[int]]]:
    """Every foreign key to a table, with the table that contains it."""
    for table in SQLModel.metadata.sorted_tables:
        for key in table.foreign_keys:
            if key.column.table.name == target:
                yield table, key.parent


def rows_naming(
    s: Session, target: str, ids: Collection[int], tables: Collection[str] | None = None
) -> Iterator[SQLModel]:
    """The rows that refer to these rows of a table; only those of ``tables``, if given."""
    for table, column in columns_naming(target):
        if tables is None or table.name in tables:
            yield from s.exec(select_rows(class_of(table)).where(column.in_(ids))).all()


def parent_of(s: Session, table: Table, key: int) -> SQLModel:
    """The row of this table with this key, from the session if it is loaded."""
    return s.get_one(class_of(table), key)


def about(s: Session, row: SQLModel) -> Concerned:
    """What a row concerns: its own columns first, then those of the rows it belongs to."""
    concerned = Concerned()
    if isinstance(row, Player):
        concerned.players.append(row.id)
    if isinstance(row, Round):
        concerned.round_id = row.id
    if isinstance(row, Game):
        concerned.table_number = row.table_number
    further: list[tuple[Table, int]] = []
    for column, target in _keys(table_of(row)):
        value: Any = getattr(row, column)
        if value is None:
            continue
        if target.name == "player":
            concerned.players.append(value)
        elif target.name == "round":
            concerned.round_id = value
        else:
            further.append((target, value))
    for target, value in further:
        parent = s.get(class_of(target), value)
        if parent is not None and not inspect(parent).deleted:
            concerned.take(about(s, parent))
    return concerned


@cache
def _keys(table: Table) -> tuple[tuple[str, Table], ...]:
    """The foreign keys to other tables of the event, except to the event and to teams, which concern many players."""
    return tuple(
        (key.parent.name, key.column.table)
        for column in table.columns  # the set of foreign keys has no order
        for key in column.foreign_keys
        if key.column.table in followed() and key.column.table.name not in ("event", "team")
    )


LONG = 240
"""Characters. A longer value is stored apart, under its hash."""
VALUES = JournalValue.__table__  # type: ignore[attr-defined]


def shortened(values: Mapping[str, Any], long: dict[str, str]) -> dict[str, Any]:
    """A row's values with long ones replaced by their hashes. Adds the long ones to ``long``, by hash."""
    short: dict[str, Any] = {}
    for name, value in values.items():
        if isinstance(value, str) and len(value) > LONG:
            mark = hashlib.sha256(value.encode()).hexdigest()
            long[mark] = value
            short[name] = {"sha256": mark}
        else:
            short[name] = value
    return short


def keep(connection: Connection, event_id: int, long: Mapping[str, str]) -> None:
    """Store those long values of an event that are not stored yet."""
    if not long:
        return
    dialect = {"sqlite": sqlite, "postgresql": postgresql}[connection.dialect.name]
    rows = [
        {"event_id": event_id, "sha256": mark, "packed": zlib.compress(text.encode(), 6)} for mark, text in long.items()
    ]
    connection.execute(dialect.insert(VALUES).on_conflict_do_nothing(), rows)


def lengthened(values: Mapping[str, Any], long: Mapping[str, str]) -> dict[str, Any]:
    """The reverse of ``shortened``."""
    return {name: long[value["sha256"]] if isinstance(value, dict) else value for name, value in values.items()}


def hashes_in(values: Mapping[str, Any]) -> Iterable[str]:
    return (value["sha256"] for value in values.values() if isinstance(value, dict))


def long_values(s: Session, event_id: int, hashes: Iterable[str]) -> dict[str, str]:
    wanted = list(set(hashes))
    texts: dict[str, str] = {}
    for start in range(0, len(wanted), 500):
        some = col(JournalValue.sha256).in_(wanted[start : start + 500])
        for (row,) in s.execute(select(JournalValue).where(col(JournalValue.event_id) == event_id, some)):
            texts[row.sha256] = zlib.decompress(row.packed).decode()
    return texts
