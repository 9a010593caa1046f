"""Whom and what a row is about, found along its foreign keys: what the journal can be searched by."""

from dataclasses import dataclass, field
from functools import cache
from typing import Any

from sqlalchemy import Table, inspect
from sqlmodel import Session, SQLModel

from models.captured import followed
from models.event import Round
from models.play import Game, Player


@dataclass
class Concerned:
    """Whom and what a row is about."""

    players: list[int] = field(default_factory=list)
    round_id: int | None = None
    table_number: int | None = None

    def columns(self) -> dict[str, int | None]:
        """As the change of the row stores it."""
        player, other = (*self.players, None, None)[:2]
        return {"player_id": player, "other_id": other, "round_id": self.round_id, "table_number": self.table_number}

    def take(self, more: "Concerned") -> None:
        """Add what another row is about, where this one does not say it itself."""
        self.players = list(dict.fromkeys((*self.players, *more.players)))
        self.round_id = self.round_id if self.round_id is not None else more.round_id
        self.table_number = self.table_number if self.table_number is not None else more.table_number


def table_of(row: SQLModel) -> Table:
    """The table of a row."""
    table: Table = type(row).__table__  # type: ignore[attr-defined]
    return table


def key_of(row: SQLModel) -> int:
    """The primary key of a row."""
    key: int = getattr(row, "id")  # noqa: B009 - every table that is followed has it
    return key


@cache
def class_of(table: Table) -> type[SQLModel]:
    """The model of a table."""
    found: type[SQLModel] = next(m.class_ for m in SQLModel._sa_registry.mappers if m.local_table is table)
    return found


def parent_of(s: Session, table: Table, key: int) -> SQLModel:
    """The row of this table with this key, from the session where it is there already."""
    return s.get_one(class_of(table), key)


def about(s: Session, row: SQLModel) -> Concerned:
    """What a row names itself, then what the rows are about that it belongs to."""
    found = Concerned()
    if isinstance(row, Player):
        found.players.append(row.id)
    if isinstance(row, Round):
        found.round_id = row.id
    if isinstance(row, Game):
        found.table_number = row.table_number
    further: list[tuple[Table, int]] = []
    for column, target in _keys(table_of(row)):
        value: Any = getattr(row, column)
        if value is None:
            continue
        if target.name == "player":
            found.players.append(value)
        elif target.name == "round":
            found.round_id = value
        else:
            further.append((target, value))
    for target, value in further:
        parent = s.get(class_of(target), value)
        if parent is not None and not inspect(parent).deleted:
            found.take(about(s, parent))
    return found


@cache
def _keys(table: Table) -> tuple[tuple[str, Table], ...]:
    """The columns that point to other tables of the event, but for the event itself and teams, which are about many."""
    return tuple(
        (key.parent.name, key.column.table)
        for column in table.columns  # in their order: a set of keys has none
        for key in column.foreign_keys
        if key.column.table in followed() and key.column.table.name not in ("event", "team")
    )
