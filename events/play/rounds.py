"""The rounds of an event without their games."""

from dataclasses import dataclass, fields
from datetime import datetime

from sqlalchemy import Select, bindparam, inspect
from sqlalchemy import select as select_rows
from sqlmodel import Session, col, select

from models.event import Event, Round, RoundKind, RoundState


@dataclass(frozen=True)
class RoundInShort:
    """A round without what it was drawn from; a copy to be read. Its names are those of the row.

    Every other column that a page of a game shows of its round: a template says nothing of one that is missing.
    """

    id: int
    event_id: int
    number: int
    scenario: str | None
    scenario_drawn: bool
    state: RoundState
    kind: RoundKind
    bracket: int | None
    planned_at: datetime | None
    started_at: datetime | None
    minutes: int | None
    paused_at: datetime | None
    paused_seconds: int
    extra_seconds: int
    stopped_at: datetime | None
    published_at: datetime | None


IN_SHORT: Select[tuple[object, ...]] = select_rows(
    *(inspect(Round).columns[field.name] for field in fields(RoundInShort))
)


OF_EVENT = IN_SHORT.where(col(Round.event_id) == bindparam("event")).order_by(col(Round.number))


BY_ID = IN_SHORT.where(col(Round.id) == bindparam("id"))


def rounds_in_short(s: Session, event: Event) -> list[RoundInShort]:
    """The event's rounds by number."""
    return [RoundInShort(**row) for row in s.connection().execute(OF_EVENT, {"event": event.id}).mappings()]


def round_in_short(s: Session, round_id: int) -> RoundInShort:
    """The round with this id. What the session has changed and not stored yet is not in it. Raises NoResultFound."""
    return RoundInShort(**s.connection().execute(BY_ID, {"id": round_id}).mappings().one())


def newest_published(s: Session, event: Event) -> int | None:
    """The id of the newest published round; None before the first."""
    query = select(Round.id).where(Round.event_id == event.id, Round.state == RoundState.PUBLISHED)
    return s.exec(query.order_by(col(Round.number).desc()).limit(1)).first()
