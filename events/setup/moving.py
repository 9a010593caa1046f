"""What moves with an event's first day: its last day, deadlines, windows and planned starts.

One function says what moves and to when. Settings use it for the first day and the time zone, copies for their times.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from events.journal.setting_words import SETTINGS, label_of
from events.store.errors import Refused
from events.store.rounds import round_views
from events.tournament.clock import local_date, utc_times_of
from events.tournament.season import arranged_in, window_of
from languages.dates import dated
from languages.message import Text, message, worded
from languages.words import gettext, ngettext
from models.event import Event, Round, RoundState
from models.play import GameState
from models.settings import EventSettings
from validators.strict_json import fingerprint

DEADLINE, SHOWN = "list_deadline", "lists_shown_from"
MOMENTS = (
    "registration_opens", "everybody_from", "registration_closes", DEADLINE, SHOWN, "check_in_from", "check_in_until",
)  # fmt: skip
"""The event's columns that are times of its calendar, in the order in which they usually come."""


class WouldMove(Refused):
    """A new first day would move other dates, so nothing was saved; the form sends ``mark`` back to confirm them."""

    status = 200

    def __init__(self, found: Sequence["Move"], mark: str) -> None:
        super().__init__(gettext("Check what moves with the first day, then save again."))
        self.moves = found
        self.mark = mark


@dataclass(frozen=True)
class Move:
    """One date or time of an event that changes with its first day or its time zone."""

    key: str
    """A column of the event, or "round 2" for that round's planned start."""
    said: Text
    before: date | datetime
    after: date | datetime | None
    """None: it would have passed, so there is none any more."""
    stayed: date | datetime
    """Its value if it does not move with the first day."""
    if_kept: str = ""
    """What is wrong if it stays; "" if nothing is."""

    @property
    def label(self) -> str:
        """What moves, in the reader's language."""
        return worded(self.said)


def mark_of(found: Sequence[Move]) -> str:
    return fingerprint({move.key: f"{move.before} {move.after}" for move in found})


def in_zone(moment: datetime, days: timedelta, old: str, new: str) -> datetime:
    """The same local time in another zone, this many days later."""
    local = moment.astimezone(ZoneInfo(old)).replace(tzinfo=None) + days
    instants = utc_times_of(local, new)
    return instants[-1] if instants else moment + days


def moves(
    event: Event, rounds: Sequence[Round], before: EventSettings, wanted: EventSettings, now: datetime
) -> list[Move]:
    """What moves if the settings ``before`` become those ``wanted``; empty if neither first day nor zone changes.

    A last day or time that ``wanted`` changes itself stays as wanted. What is done stays: an opened registration,
    locked or shown lists, rounds that were drawn.
    """
    days = wanted.starts_on - before.starts_on
    if not days and wanted.timezone == before.timezone:
        return []
    return [move for move in _dates(event, rounds, before, wanted, days, now) if move.before != move.after]


def _dates(
    event: Event, rounds: Sequence[Round], before: EventSettings, wanted: EventSettings, days: timedelta, now: datetime
) -> Iterator[Move]:
    last_day = wanted.ends_on
    if wanted.ends_on == before.ends_on:
        last_day = before.ends_on + days
        late = gettext("It would be before the first day.") if before.ends_on < wanted.starts_on else ""
        yield Move("ends_on", message(label_of("ends_on")), before.ends_on, last_day, before.ends_on, late)
    zones = before.timezone, wanted.timezone
    settled = {
        "registration_opens": event.registration_opens is not None and event.registration_opens <= now,
        "everybody_from": event.everybody_from is not None and event.everybody_from <= now,
        DEADLINE: event.lists_locked_at is not None,
        SHOWN: event.lists_revealed_at is not None,
    }
    times = [(key, message(SETTINGS[key].head), getattr(event, key)) for key in MOMENTS if not settled.get(key)]
    times += [
        (f"round {r.number}", message("Start of round %(number)s", number=r.number), r.planned_at)
        for r in rounds
        if r.state == RoundState.PLANNED
    ]
    for key, label, moment in times:
        if moment is None or getattr(wanted, key, moment) != moment:
            continue
        stayed = in_zone(moment, timedelta(), *zones) if moment > now else moment
        after: datetime | None = in_zone(moment, days, *zones) if days else stayed
        if key == DEADLINE and after is not None and after <= now:
            after = None
        yield Move(key, label, moment, after, stayed, _if_kept(key, stayed, wanted, last_day, days))


def _if_kept(key: str, stayed: datetime, wanted: EventSettings, last_day: date, days: timedelta) -> str:
    day = local_date(stayed, wanted.timezone)
    if day > last_day:
        return gettext("It would be after the event.")
    if key in (DEADLINE, SHOWN) and days > timedelta():
        before = (wanted.starts_on - day).days
        if key == DEADLINE:
            return ngettext(
                "Lists would lock %(num)s day before the event.",
                "Lists would lock %(num)s days before the event.",
                before,
            )
        return ngettext(
            "Lists would be shown %(num)s day before the event.",
            "Lists would be shown %(num)s days before the event.",
            before,
        )
    if day < wanted.starts_on and not key.startswith(("registration", "everybody")):
        return gettext("It would be before the event.")
    return ""


def check_first_day(event: Event, starts: date) -> None:
    """Raise Refused if another first day of a season takes an open game's day out of the days for playing it."""
    season = event.season
    if season is None or starts == event.starts_on:
        return
    for view in round_views(event):
        (_, before), (_, after) = (window_of(season, day, view.round.number) for day in (event.starts_on, starts))
        for game in view.games:
            plan = arranged_in(game.arranged)
            days = [day for day in (plan.day, plan.kept, plan.due) if day and game.state != GameState.CONFIRMED]
            by_window = not (plan.due or plan.challenged)
            if wrong := [day for day in days if day < starts or (by_window and after < day <= before)]:
                raise Refused(
                    gettext(
                        "A game of round %(number)s is planned for %(day)s, which would be outside its days. Change "
                        "the dates of that game first, or choose another first day.",
                        number=view.round.number,
                        day=dated(wrong[0], "%-d %B %Y"),
                    ),
                    "starts_on",
                )
