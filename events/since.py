"""What of an event is still as it was when it was read: by what the journal tells of the writes in between."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection
from sqlmodel import Session, col, select

from models.event import Event
from models.journal import ChangeSet, RowChange, RowChangeKind

MOST_WRITES = 200
"""After more writes than this it is read anew without looking at them."""
APART = frozenset({"report", "announcement", "message", "delivery"})
"""Tables that say nothing of who plays and how it is counted; what a report says counts by what its game then holds."""
OF_A_ROUND = frozenset({"round", "game"})
"""Tables whose rows belong to one round, and matter to no other."""


@dataclass(frozen=True)
class Point:
    """A write to an event. Where a database was put back, the same number stands for one of another moment."""

    change_set: int
    at: datetime


def point_of(s: Session, event: Event) -> Point | None:
    """The newest write to the event; None where its journal has not begun.

    To be asked before what is read of the event: whatever is written meanwhile then comes after it.
    """
    query = select(ChangeSet.id, ChangeSet.at).where(ChangeSet.event_id == event.id)
    found = s.exec(query.order_by(col(ChangeSet.id).desc()).limit(1)).first()
    return Point(*found) if found else None


def only_results(connection: Connection, event_id: int, before: int, now: int) -> bool:
    """Whether from one version of an event to a later one only results came in; no where that cannot be told."""
    if before >= now:
        return False
    writes = select(col(ChangeSet.id), col(ChangeSet.version), col(ChangeSet.baseline)).where(
        ChangeSet.event_id == event_id, col(ChangeSet.version) <= now
    )
    newest = connection.execute(writes.order_by(col(ChangeSet.id).desc()).limit(min(MOST_WRITES, now - before))).all()
    if [row.version for row in newest] != list(range(now, before, -1)) or any(row.baseline for row in newest):
        return False
    is_result = (col(RowChange.table_name) == "report") | (
        (col(RowChange.table_name) == "game") & (col(RowChange.kind) == RowChangeKind.CHANGED)
    )
    other = select(col(RowChange.id)).where(col(RowChange.change_set_id).in_([row.id for row in newest]), ~is_result)
    return connection.execute(other.limit(1)).first() is None


def untouched(s: Session, event: Event, point: Point, rounds: Collection[int]) -> bool:
    """Whether no write since ``point`` changed these rounds (by id), their games, who plays, or how is counted."""
    query = select(ChangeSet.id, ChangeSet.at, ChangeSet.baseline).where(ChangeSet.event_id == event.id)
    sets = s.exec(
        query.where(col(ChangeSet.id) >= point.change_set).order_by(col(ChangeSet.id)).limit(MOST_WRITES + 1)
    ).all()
    if not sets or Point(*sets[0][:2]) != point or len(sets) > MOST_WRITES or any(one[2] for one in sets[1:]):
        return False
    later = select(RowChange.table_name, RowChange.round_id).where(
        col(RowChange.change_set_id).in_([one[0] for one in sets[1:]])
    )
    return all(
        table in APART or (table in OF_A_ROUND and of_round is not None and of_round not in rounds)
        for table, of_round in s.exec(later)
    )
