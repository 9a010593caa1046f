"""The rounds of an event without their games."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import datetime

from sqlalchemy import Select, bindparam, inspect
from sqlalchemy import select as select_rows
from sqlmodel import Session, col, select

from models.event import Event, Round, RoundKind, RoundState


@dataclass(frozen=True)
class RoundSummary:
    """A read-only copy of a round without its draw.

    Its attributes are columns of the row: all that pages of a game show, because templates ignore a missing attribute.
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


SUMMARY: Select[tuple[object, ...]] = select_rows(
    *(inspect(Round).columns[field.name] for field in fields(RoundSummary))
)
OF_EVENT = SUMMARY.where(col(Round.event_id) == bindparam("event")).order_by(col(Round.number))
BY_ID = SUMMARY.where(col(Round.id) == bindparam("id"))


def round_summaries(s: Session, event: Event) -> list[RoundSummary]:
    """The event's rounds, by number."""
    return [RoundSummary(**row) for row in s.connection().execute(OF_EVENT, {"event": event.id}).mappings()]


def round_summary(s: Session, round_id: int) -> RoundSummary:
    """The round with this id as stored, without pending changes of the session. Raises NoResultFound."""
    return RoundSummary(**s.connection().execute(BY_ID, {"id": round_id}).mappings().one())


def is_last_round(event: Event, rounds: Sequence[Round | RoundSummary], number: int) -> bool:
    """Whether no round follows this one: none is planned, and the event's cut, if it has one, is made."""
    return rounds[-1].number == number and (not event.cut or rounds[-1].kind == RoundKind.KNOCKOUT)


def newest_published(s: Session, event: Event) -> int | None:
    """The id of the newest published round; None before the first."""
    query = select(Round.id).where(Round.event_id == event.id, Round.state == RoundState.PUBLISHED)
    return s.exec(query.order_by(col(Round.number).desc()).limit(1)).first()
