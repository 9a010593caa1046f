"""Which rows, row changes and journal entries of an event concern one player."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, or_, select
from sqlmodel import SQLModel

from models.captured import followed
from models.journal import RowChangeKind

TABLES = SQLModel.metadata.tables
PLAYERS = ("player", "players", "seeds")
"""Details of journal entries that are players' numbers."""


@dataclass(frozen=True)
class Concerning:
    changes: Collection[int]
    """Row changes, with all others of the same row: a later row with its number is another one."""
    rows: Collection[tuple[str, int]]
    """Rows that exist, by table and number."""
    entries: Collection[int]


def concerning(connection: Connection, event_id: int, player_id: int, messages: Collection[int]) -> Concerning:
    """What concerns a player of an event; ``messages`` went to this player alone."""
    change, sets, entry = (TABLES[name] for name in ("row_change", "change_set", "journal_entry"))
    theirs = or_(change.c.player_id == player_id, change.c.other_id == player_id)
    query = select(change.c.id, change.c.table_name, change.c.row_id, change.c.kind, theirs).join(
        sets, change.c.change_set_id == sets.c.id
    )
    lives: dict[tuple[str, int], list[int]] = {}
    ours, changes, games = set[tuple[str, int]](), set[int](), set[int]()
    for id_, table, row_id, kind, is_theirs in connection.execute(
        query.where(sets.c.event_id == event_id).order_by(change.c.id)
    ):
        key = (table, row_id)
        if kind == RowChangeKind.ADDED:
            lives[key] = []
            ours.discard(key)
        lives.setdefault(key, []).append(id_)
        if is_theirs or (table == "message" and row_id in messages):
            ours.add(key)
        if key in ours:
            changes.update(lives[key])
            games |= {row_id} if table == "game" else set()
    entries: set[int] = set()
    of_event = select(entry.c.id, entry.c.details).where(entry.c.event_id == event_id).order_by(entry.c.id)
    for id_, details in connection.execute(of_event):
        if _names(details, player_id, games, messages) or details.get("of") in entries:
            entries.add(id_)
    existing = {table.name for table in followed()}
    return Concerning(changes, {key for key in ours if key[0] in existing}, entries)


def _names(details: Mapping[str, Any], player_id: int, games: Collection[int], messages: Collection[int]) -> bool:
    for name in PLAYERS:
        value = details.get(name)
        if value == player_id or (isinstance(value, list) and player_id in value):
            return True
    return details.get("game") in games or details.get("message") in messages
