"""The clock of a round: from what was pressed, and the time of day, to what everybody reads. Pure.

What was pressed are facts (``Facts``): when the clock was started, how long it stood still, what time was added. All
else is reckoned from them and the server's time, so that nothing ticks anywhere and no device's own clock is asked.

A clock at the event's place, and the moments it stands for: kept in UTC, typed and shown as that clock does.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from math import ceil
from typing import Any
from zoneinfo import ZoneInfo

MOST_CALLS = 6
MOST_EXTRA = 4 * 60
"""Minutes that can be added in all, to a round or to one table."""


class State(StrEnum):
    """What a clock does. Overtime is no state: a running clock that has passed its end."""

    WAITING = "waiting"
    RUNNING = "running"
    PAUSED = "paused"
    STOPPED = "stopped"


@dataclass(frozen=True)
class ClockRules:
    """What an event says of its clock, in minutes."""

    break_minutes: int = 15
    """Planned from the end of a round to the start of the next."""
    calls: tuple[int, ...] = (30, 15, 5)
    """So long before the end it is called out how much is left; most first."""
    last_game_round: int = 15
    """From so long before the end on nobody begins another game round; 0: this is not called."""


@dataclass(frozen=True)
class Facts:
    """What was pressed on one round's clock."""

    minutes: int
    """The round's length as it was when the clock was started."""
    started_at: datetime | None = None
    paused_at: datetime | None = None
    """Since when it stands still; None while it runs."""
    paused_seconds: int = 0
    """How long it stood still before, in all."""
    extra_seconds: int = 0
    """Added for every table."""
    stopped_at: datetime | None = None


@dataclass(frozen=True)
class Call:
    """A call that is still to come."""

    minutes: int
    at: datetime


@dataclass(frozen=True)
class Reading:
    """What everybody reads at one moment."""

    state: State
    left: int
    """Seconds to the end, as a clock shows them: below 0 in overtime."""
    over: bool
    """The time is up."""
    ends_at: datetime | None
    """The moment of the end, while the clock runs."""
    called: int | None
    """The last call that was reached, in minutes before the end."""
    next_call: Call | None
    """While the clock runs."""
    last_game_round: bool
    """Nobody begins another game round."""
    last_game_round_at: datetime | None
    """When that begins, while the clock runs and it has not."""

    @property
    def shown(self) -> str:
        """The time left as the clock shows it."""
        return shown(self.left)

    @property
    def words(self) -> str:
        """The state in words: what a colour alone must not say."""
        if self.state == State.WAITING:
            return "Not started"
        if self.state == State.STOPPED:
            return "Time was called" if self.over else "Stopped"
        if self.state == State.PAUSED:
            return "Paused in overtime" if self.over else "Paused"
        if self.over:
            return "Overtime"
        if self.last_game_round:
            return "Last game round"
        return f"{self.called} minutes called" if self.called else "Running"


def read(facts: Facts, rules: ClockRules, now: datetime, extra_seconds: int = 0) -> Reading:
    """What the clock shows ``now`` at a table that was given ``extra_seconds`` of its own."""
    whole = facts.minutes * 60 + facts.extra_seconds + extra_seconds
    ends_at = None
    if facts.started_at is None:
        state, left = State.WAITING, whole
    else:
        still = facts.paused_at or facts.stopped_at
        state = State.STOPPED if facts.stopped_at else State.PAUSED if facts.paused_at else State.RUNNING
        end = facts.started_at + timedelta(seconds=whole + facts.paused_seconds)
        left = ceil((end - (still or now)).total_seconds())
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
    )


def turns(facts: Facts, rules: ClockRules, extras: Iterable[int] = ()) -> list[datetime]:
    """The moments at which time alone changes what a running clock says, at any table, in order.

    ``extras`` are the seconds that single tables were given.
    """
    if facts.started_at is None:
        return []
    ends = [read(facts, rules, facts.started_at, extra).ends_at for extra in {0, *extras}]
    before = {*rules.calls, rules.last_game_round, 0}
    return sorted({end - timedelta(minutes=minutes) for end in ends if end is not None for minutes in before})


def planned_starts(own: Sequence[datetime | None], minutes: int, rules: ClockRules) -> list[datetime | None]:
    """When each round is planned to start: at the time set for it, else after the round before it and a break.

    None where nothing is known: no time is set for it or for any round before it.
    """
    found: list[datetime | None] = []
    for at in own:
        before = found[-1] if found else None
        found.append(at or (before + timedelta(minutes=minutes + rules.break_minutes) if before else None))
    return found


def shown(seconds: int) -> str:
    """Seconds as a clock shows them: 1:05:09, 14:30, −3:07."""
    away = abs(seconds)
    hours, minutes, rest = away // 3600, away // 60 % 60, away % 60
    figures = f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes:02}:{rest:02}"
    return f"−{figures}" if seconds < 0 else figures


def rules_from(document: Mapping[str, Any] | None) -> ClockRules:
    """The rules that an event keeps; the usual ones where it keeps none."""
    if document is None:
        return ClockRules()
    return ClockRules(document["break_minutes"], tuple(document["calls"]), document["last_game_round"])


def rules_document(rules: ClockRules) -> dict[str, Any]:
    """The rules as an event keeps them."""
    return asdict(rules) | {"calls": sorted(set(rules.calls), reverse=True)}


def moments_of(typed: datetime, zone: str) -> tuple[datetime, ...]:
    """When a clock of the IANA zone shows ``typed`` (naive): the moments in UTC, the earlier first.

    None in an hour that the clocks skip, two in one that comes twice, else one.
    """
    place = ZoneInfo(zone)
    found = []
    for fold in (0, 1):
        moment = typed.replace(tzinfo=place, fold=fold).astimezone(UTC)
        if moment not in found and moment.astimezone(place).replace(tzinfo=None) == typed:
            found.append(moment)
    return tuple(sorted(found))


def in_utc(moment: datetime, zone: str) -> str:
    """The moment's hour in UTC, to stand beside the place's: "19:00 UTC", with its day where that is another one."""
    utc = moment.astimezone(UTC)
    same_day = utc.date() == moment.astimezone(ZoneInfo(zone)).date()
    return utc.strftime("%H:%M UTC" if same_day else "%a %-d %b, %H:%M UTC")


def ahead_of_utc(moment: datetime, zone: str) -> str:
    """How far the place's clocks are ahead of UTC at the moment: "UTC+2", "UTC-3:30", "UTC"."""
    offset = moment.astimezone(ZoneInfo(zone)).utcoffset()
    minutes = round(offset.total_seconds() / 60) if offset is not None else 0
    hours, rest = divmod(abs(minutes), 60)
    if not minutes:
        return "UTC"
    return f"UTC{'+' if minutes > 0 else '-'}{hours}{f':{rest:02}' if rest else ''}"
