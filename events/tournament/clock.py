"""The clock of a round, and local times of the event's place. Pure.

The stored facts (``Facts``) are the start, the pauses and the time added. Every reading is calculated from them and the
server's time, so no timer runs and no device's clock is used. Times are stored in UTC and shown in the event's zone.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from itertools import zip_longest
from math import ceil
from zoneinfo import ZoneInfo

from languages.dates import dated
from languages.message import Message, counted_message, message
from languages.words import N_

MOST_CALLS = 6
MOST_EXTRA = 4 * 60
"""The most extra time in all, in minutes, for a round or for one table."""


class State(StrEnum):
    """The state of a clock. Overtime is a running clock after its end."""

    WAITING = "waiting"
    RUNNING = "running"
    PAUSED = "paused"
    STOPPED = "stopped"


@dataclass(frozen=True)
class ClockRules:
    break_minutes: int = 15
    """Planned from the end of a round to the start of the next."""
    calls: tuple[int, ...] = (30, 15, 5)
    """Minutes before the end at which the remaining time is announced, in descending order."""
    last_game_round: int = 15
    """Minutes before the end after which no new game round starts; 0: not announced."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "calls", tuple(sorted(set(self.calls), reverse=True)))


@dataclass(frozen=True)
class StoredClock:
    minutes: int
    """The round's length when the clock was started."""
    started_at: datetime | None = None
    paused_at: datetime | None = None
    """The start of the current pause; None while it runs."""
    paused_seconds: int = 0
    """The length of all earlier pauses."""
    extra_seconds: int = 0
    """Extra time for every table."""
    stopped_at: datetime | None = None
    played: bool = False
    """Whether a result is in, which is possible without a clock."""


@dataclass(frozen=True)
class Call:
    """The next call: how many minutes are left, and its time."""

    minutes: int
    at: datetime


@dataclass(frozen=True)
class Reading:
    state: State
    left: int
    """Seconds to the end; negative in overtime."""
    over: bool
    """Whether the time is up."""
    ends_at: datetime | None
    """While the clock runs."""
    called: int | None
    """The latest call, in minutes before the end."""
    next_call: Call | None
    """While the clock runs."""
    last_game_round: bool
    """Whether it is too late to start a new game round."""
    last_game_round_at: datetime | None
    """The time after which no new game round starts, if it is still ahead and the clock runs."""
    played: bool = False
    """Whether a result is in."""

    @property
    def shown(self) -> str:
        return clock_text(self.left)

    @property
    def words(self) -> str:
        return str(self._said)

    @property
    def _said(self) -> Message:
        if self.state == State.WAITING:
            return message("Clock not started") if self.played else message("Not started")
        if self.state == State.STOPPED:
            return message("Time was called") if self.over else message("Stopped")
        if self.state == State.PAUSED:
            return message("Paused in overtime") if self.over else message("Paused")
        if self.over:
            return message("Overtime")
        if self.last_game_round:
            return message("Last game round")
        return (
            counted_message("%(num)s minute called", "%(num)s minutes called", self.called)
            if self.called
            else message("Running")
        )


def read(facts: StoredClock, rules: ClockRules, now: datetime, extra_seconds: int = 0) -> Reading:
    """The reading at ``now`` of a table with ``extra_seconds`` of its own."""
    whole = facts.minutes * 60 + facts.extra_seconds + extra_seconds
    ends_at = None
    if facts.started_at is None:
        state, left = State.WAITING, whole
    else:
        held_at = facts.paused_at or facts.stopped_at
        state = State.STOPPED if facts.stopped_at else State.PAUSED if facts.paused_at else State.RUNNING
        end = facts.started_at + timedelta(seconds=whole + facts.paused_seconds)
        left = ceil((end - (held_at or now)).total_seconds())
        ends_at = end if state == State.RUNNING else None
    begun = state != State.WAITING
    calls = [minutes for minutes in rules.calls if minutes * 60 < whole]
    reached = [minutes for minutes in calls if begun and left <= minutes * 60]
    coming = [minutes for minutes in calls if minutes not in reached]
    last = rules.last_game_round * 60
    is_last = begun and left <= last < whole
    return Reading(
        state=state,
        left=left,
        over=begun and left <= 0,
        ends_at=ends_at,
        called=min(reached, default=None),
        next_call=Call(coming[0], ends_at - timedelta(minutes=coming[0])) if coming and ends_at else None,
        last_game_round=is_last,
        last_game_round_at=ends_at - timedelta(seconds=last) if ends_at and 0 < last < whole and not is_last else None,
        played=facts.played,
    )


def turns(facts: StoredClock, rules: ClockRules, extras: Iterable[int] = ()) -> list[datetime]:
    """The times at which the text of a running clock changes at any table, in order; ``extras`` are in seconds."""
    if facts.started_at is None:
        return []
    ends = [read(facts, rules, facts.started_at, extra).ends_at for extra in {0, *extras}]
    before = {*rules.calls, rules.last_game_round, 0}
    return sorted({end - timedelta(minutes=minutes) for end in ends if end is not None for minutes in before})


def planned_starts(
    own: Sequence[datetime | None], minutes: int, rules: ClockRules, began: Sequence[datetime | None] = ()
) -> list[datetime | None]:
    """The planned start of each round: its own time, or the end of the previous round plus a break.

    A round that ``began`` counts from its actual start. None if neither the round nor an earlier one has a time.
    """
    starts: list[datetime | None] = []
    before: datetime | None = None
    for at, start in zip_longest(own, began):
        starts.append(at or (before + timedelta(minutes=minutes + rules.break_minutes) if before else None))
        before = start or starts[-1]
    return starts


def clock_text(seconds: int) -> str:
    away = abs(seconds)
    hours, minutes, rest = away // 3600, away // 60 % 60, away % 60
    figures = f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes:02}:{rest:02}"
    return f"−{figures}" if seconds < 0 else figures


NO_SUCH_HOUR = N_("This time does not exist on that day, because the clocks go forward. Enter another time.")


def local_date(moment: datetime, zone: str) -> date:
    """The day of a moment in a time zone."""
    return moment.astimezone(ZoneInfo(zone)).date()


def utc_times_of(local: datetime, zone: str) -> tuple[datetime, ...]:
    """The UTC times at which clocks of the IANA zone show ``local`` (naive), the earlier first.

    Usually one; none for an hour that the clocks skip, two for an hour that they repeat.
    """
    place = ZoneInfo(zone)
    moments = []
    for fold in (0, 1):
        moment = local.replace(tzinfo=place, fold=fold).astimezone(UTC)
        if moment not in moments and moment.astimezone(place).replace(tzinfo=None) == local:
            moments.append(moment)
    return tuple(sorted(moments))


def in_utc(moment: datetime, zone: str) -> str:
    """The time in UTC, such as "19:00 UTC"; with its day if that differs from the local day."""
    utc = moment.astimezone(UTC)
    same_day = utc.date() == local_date(moment, zone)
    return dated(utc, "%H:%M UTC" if same_day else "%a %-d %b, %H:%M UTC")


def ahead_of_utc(moment: datetime, zone: str) -> str:
    """The offset of the zone from UTC at that time: "UTC+2", "UTC-3:30", "UTC"."""
    offset = moment.astimezone(ZoneInfo(zone)).utcoffset()
    minutes = round(offset.total_seconds() / 60) if offset is not None else 0
    hours, rest = divmod(abs(minutes), 60)
    if not minutes:
        return "UTC"
    return f"UTC{'+' if minutes > 0 else '-'}{hours}{f':{rest:02}' if rest else ''}"
