"""Clocks and announcements of an event."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, time
from typing import ClassVar

from sqlmodel import Session, col, select

from events.store.rounds import RoundView
from events.tournament.clock import (
    ClockRules,
    Reading,
    StoredClock,
    planned_starts,
    read,
    turns,
    utc_times_of,
)
from models.announcement import Announcement
from models.event import Event, Round, RoundState
from models.play import Game, GameState, Player

MOST_ANNOUNCEMENTS = 5
"""Announcements shown in the hall at once."""


@dataclass(frozen=True)
class TableClock:
    number: int
    extra_minutes: int
    reading: Reading


@dataclass(frozen=True)
class RoundClock:
    round: Round
    reading: Reading
    own: Reading
    """The clock of the reader's table; the same as ``reading`` for other readers."""
    tables: tuple[TableClock, ...]
    """The tables with extra time that are still playing, by number."""
    planned_at: datetime | None
    rules: ClockRules
    now: datetime


def facts_of_clock(event: Event, a_round: Round) -> StoredClock:
    return StoredClock(
        minutes=a_round.minutes or event.round_minutes,
        started_at=a_round.started_at,
        paused_at=a_round.paused_at,
        paused_seconds=a_round.paused_seconds,
        extra_seconds=a_round.extra_seconds,
        stopped_at=a_round.stopped_at,
    )


def clock_of(
    event: Event, view: RoundView, rounds: Sequence[Round], now: datetime, game: Game | None = None
) -> RoundClock | None:
    """The clock of a round at ``now``; None for unpublished or complete rounds, and in a season."""
    if view.round.state != RoundState.PUBLISHED or view.now.complete or event.season is not None:
        return None
    return running_clock(event, view.round, timed_games(view), rounds, now, game, played=view.now.begun)


def timed_games(view: RoundView) -> list[Game]:
    return [g for g in view.games if g.extra_seconds and g.table_number is not None and g.state != GameState.CONFIRMED]


def running_clock(
    event: Event,
    a_round: Round,
    timed: Iterable[Game],
    rounds: Sequence[Round],
    now: datetime,
    game: Game | None = None,
    *,
    played: bool,
) -> RoundClock:
    """As ``clock_of``, of a published, incomplete round; ``timed`` are its games with extra time."""
    rules, facts = event.clock_rules, replace(facts_of_clock(event, a_round), played=played)
    extra = game.extra_seconds if game is not None else 0
    return RoundClock(
        round=a_round,
        reading=read(facts, rules, now),
        own=read(facts, rules, now, extra),
        tables=tuple(
            TableClock(g.table_number or 0, g.extra_seconds // 60, read(facts, rules, now, g.extra_seconds))
            for g in timed
        ),
        planned_at=planned_of(event, rounds).get(a_round.number),
        rules=rules,
        now=now,
    )


def from_the_start(event: Event, planned: Sequence[datetime | None]) -> list[datetime | None]:
    """The rounds' own starts, of which the first is the event's unless it has one."""
    first, *later = planned
    if first is None and event.starts_at and event.season is None:
        begins = datetime.combine(event.starts_on, time.fromisoformat(event.starts_at))
        first = next(iter(utc_times_of(begins, event.timezone)), None)
    return [first, *later]


def planned_of(event: Event, rounds: Sequence[Round]) -> dict[int, datetime]:
    """The planned start of each round by number, without rounds that have none.

    Later rounds follow the actual start of the round before.
    """
    planned = [r.planned_at for r in rounds]
    if rounds and rounds[0].number == 1:
        planned = from_the_start(event, planned)
    starts = planned_starts(planned, event.round_minutes, event.clock_rules, [r.started_at for r in rounds])
    return {r.number: at for r, at in zip(rounds, starts, strict=True) if at is not None}


def turns_of(s: Session, event: Event) -> list[datetime]:
    """The times at which the text of the current round's clock changes, in order."""
    started = [r for r in event.schedule if r.state == RoundState.PUBLISHED and r.started_at is not None]
    if not started:
        return []
    extras = s.exec(select(Game.extra_seconds).where(Game.round_id == started[-1].id).distinct()).all()
    return turns(facts_of_clock(event, started[-1]), event.clock_rules, extras)


def announcements_of(s: Session, event: Event, now: datetime) -> Sequence[Announcement]:
    """The current announcements, newest first."""
    return [
        announcement
        for announcement in _not_withdrawn(s, event)
        if announcement.shown_until is None or announcement.shown_until > now
    ]


def _not_withdrawn(s: Session, event: Event) -> Sequence[Announcement]:
    query = select(Announcement).where(Announcement.event_id == event.id, col(Announcement.taken_back_at).is_(None))
    return s.exec(query.order_by(col(Announcement.id).desc())).all()


@dataclass(frozen=True)
class ShownAnnouncement:
    id: int
    text: str
    until: datetime | None


@dataclass(frozen=True)
class ClockFacts:
    """The times at which the event's pages change without a write to the database."""

    cache_bytes: ClassVar[int] = 4_000
    turns: Sequence[datetime]
    """The times at which the clock's text changes or an announcement ends."""
    unlocked: Sequence[datetime]
    """The times at which unlocked lists are locked again."""
    said: Sequence[ShownAnnouncement] = ()
    """All announcements, newest first, ended ones too."""


def clock_facts(s: Session, event: Event) -> ClockFacts:
    unlocked = select(Player.list_unlocked_until).where(
        Player.event_id == event.id, col(Player.list_unlocked_until).is_not(None)
    )
    announcements = [
        ShownAnnouncement(announcement.id, announcement.text, announcement.shown_until)
        for announcement in _not_withdrawn(s, event)
    ]
    ends = [shown.until for shown in announcements if shown.until is not None]
    locks = [moment for moment in s.exec(unlocked) if moment is not None]
    return ClockFacts([*turns_of(s, event), *ends], locks, announcements)
