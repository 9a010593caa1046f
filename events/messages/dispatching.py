"""The one queue of what goes out: claiming what is due, trying it, trying it again, giving it up.

Only ``overseer maintain`` does it. A row is committed as being sent before another machine is contacted, and its
outcome afterwards. What each kind says, and to whom, is in its ``Way``.
"""

import logging
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial

from sqlalchemy import ColumnElement, Engine, and_
from sqlmodel import Session, col, select

from events.messages.outgoing import in_one_pass
from languages.words import N_
from models.db import write
from models.dispatch import WAITING, Dispatch, DispatchKind, DispatchState
from models.event import Event, EventState
from models.play import Player, PlayerState

log = logging.getLogger("overseer.dispatching")

ATTEMPTS = 6
FIRST_WAIT, GROWTH = timedelta(minutes=1), 4
"""Retries follow after 1, 4, 16, 64 and 256 minutes.

The sixth attempt, about six hours after the first, is the last.
"""
LOST_AFTER = timedelta(minutes=10)
"""Longer than any attempt can take, since each has a time limit."""


@dataclass(frozen=True)
class Outcome:
    """The outcome of one attempt. ``state`` is QUEUED if it is to be retried."""

    state: DispatchState
    reason: str = ""
    """The reason for the organiser, without the address."""
    then: Callable[[Session, Dispatch], object] | None = None
    """What else follows from it, in the write that stores it."""


Attempt = Callable[[], Outcome]
"""Contacts the other machine, with a time limit; no database connection is held meanwhile."""


@dataclass(frozen=True)
class Way:
    """How the rows of one kind go out."""

    make: Callable[[Session, Dispatch, datetime], Outcome | Attempt]
    """Makes what is sent now; or says why nothing is."""
    lost: Outcome = Outcome(DispatchState.UNSURE, N_("the service was stopped while the mail was being handed over"))
    """The outcome if the worker stopped while sending."""
    broken: Outcome = Outcome(DispatchState.FAILED, N_("it could not be written as a mail; the service's log says why"))
    """The outcome if anything is raised."""
    is_kept: bool = True
    """Whether the row stays when it has ended."""
    failed: Callable[[Session, Event, Dispatch, datetime], None] | None = None
    """Tells the organiser that it was not sent, or perhaps not."""


Sent = Counter[tuple[DispatchKind, DispatchState]]
"""How many attempts of each kind ended in each state; queued ones are retried later."""


def send_due(
    engine: Engine,
    ways: Mapping[DispatchKind, Way],
    clock: Callable[[], datetime],
    is_down: Callable[[], object] = lambda: False,
) -> Sent:
    """Send what is due of each kind, in one pass each, until ``is_down``. Several workers may run at the same time."""
    sent = Sent()
    for kind, way in ways.items():
        for lost in _lost(engine, kind, clock()):
            sent[kind, _settle(engine, way, lost, way.lost, clock())] += 1
        for taken in in_one_pass(partial(_take, engine, kind, clock, is_down)):
            sent[kind, _settle(engine, way, taken, _attempt(engine, way, taken, clock()), clock())] += 1
    return sent


def _lost(engine: Engine, kind: DispatchKind, now: datetime) -> list[Dispatch]:
    """The rows whose worker stopped while sending."""
    stopped = Dispatch.state == DispatchState.SENDING, col(Dispatch.tried_at) < now - LOST_AFTER
    with Session(engine) as s:
        return list(s.exec(select(Dispatch).where(Dispatch.kind == kind, *stopped)))


def _take(
    engine: Engine, kind: DispatchKind, clock: Callable[[], datetime], is_down: Callable[[], object]
) -> Dispatch | None:
    with Session(engine, expire_on_commit=False) as session:
        due = select(Dispatch.id).where(_is_due(kind, clock())).limit(1)
        if is_down() or session.exec(due).first() is None:
            return None  # every few seconds, without a lock
        with write(session, clock()) as s:
            return take_next(s, kind, clock())


def take_next(s: Session, kind: DispatchKind, now: datetime) -> Dispatch | None:
    """The longest due row, marked as being sent; None if none is due. Rows locked by others are skipped."""
    due = select(Dispatch).where(_is_due(kind, now)).order_by(col(Dispatch.due), col(Dispatch.id))
    row = s.exec(due.limit(1).with_for_update(skip_locked=True)).first()
    if row is not None:
        row.state, row.due, row.tried_at, row.attempts = DispatchState.SENDING, None, now, row.attempts + 1
    return row


def _is_due(kind: DispatchKind, now: datetime) -> ColumnElement[bool]:
    """What goes to a held sign-up waits until staff let it in, an invitation until its event's page is public."""
    held = select(Player.id).where(Player.id == Dispatch.player_id, Player.held, Player.state == PlayerState.WAITING)
    draft = select(Event.id).where(Event.id == Dispatch.event_id, Event.state == EventState.DRAFT)
    waits = draft if kind == DispatchKind.CODE else held
    queued = and_(col(Dispatch.kind) == kind, col(Dispatch.state) == DispatchState.QUEUED, col(Dispatch.due) <= now)
    return and_(queued, ~waits.exists())


def _attempt(engine: Engine, way: Way, taken: Dispatch, now: datetime) -> Outcome:
    try:
        with Session(engine) as s:
            made = way.make(s, s.get_one(Dispatch, taken.id), now)
        return made if isinstance(made, Outcome) else made()
    except Exception:  # an odd row ends no pass
        log.exception("%s %s could not be sent", taken.kind, taken.id)
        return way.broken


def _settle(engine: Engine, way: Way, taken: Dispatch, outcome: Outcome, now: datetime) -> DispatchState:
    """Store the outcome of an attempt and return the state; after the last attempt the row counts as failed."""
    state, tried_at = outcome.state, taken.tried_at or now
    if state == DispatchState.QUEUED and taken.attempts >= ATTEMPTS:
        state = DispatchState.FAILED
    failed = way.failed if state in (DispatchState.FAILED, DispatchState.UNSURE) else None
    with Session(engine) as session:
        event = session.get_one(Event, taken.event_id) if failed else None
        with write(session, now, event) as s:
            row = s.get(Dispatch, taken.id, with_for_update=True)
            if row is None:
                return state
            if row.state == DispatchState.SENDING and row.tried_at == tried_at:  # else it is another worker's by now
                row.state, row.reason = state, outcome.reason[:300]
                if state == DispatchState.QUEUED:
                    row.due = tried_at + FIRST_WAIT * GROWTH ** (taken.attempts - 1)
                else:
                    row.mail = ""
                if failed and event:
                    failed(s, event, row, now)
            if outcome.then:
                outcome.then(s, row)
            if row.state not in WAITING and not way.is_kept:
                s.delete(row)
    return state
