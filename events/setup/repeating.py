"""The next event of one that repeats: its day, when its registration opens, and making it once.

The rule passes on to the event that is made, in the same write: so no event is followed by two.
"""

from contextlib import suppress
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from sqlmodel import Session, col, select

from events.setup.actions import open_registration
from events.setup.copying import copy_event, next_name
from events.store.act import Act
from events.store.errors import Refused
from events.store.journal import note
from events.store.rounds import ends_of
from events.tournament.clock import local_date
from languages.message import message
from models.event import Event, EventState
from models.settings import Repeats

WEEKS = {Repeats.WEEK: 1, Repeats.TWO_WEEKS: 2, Repeats.THREE_WEEKS: 3, Repeats.FOUR_WEEKS: 4}
NTH = {Repeats.FIRST: 0, Repeats.SECOND: 1, Repeats.THIRD: 2, Repeats.FOURTH: 3}


def day_after(rule: Repeats, day: date) -> date:
    """The next day by a rule: some weeks later, or in the next month on the same weekday."""
    if rule in WEEKS:
        return day + timedelta(weeks=WEEKS[rule])
    first = (day.replace(day=1) + timedelta(days=32)).replace(day=1)
    if rule == Repeats.LAST:
        last = (first + timedelta(days=32)).replace(day=1) - timedelta(days=1)
        return last - timedelta(days=(last.weekday() - day.weekday()) % 7)
    return first + timedelta(days=(day.weekday() - first.weekday()) % 7, weeks=NTH[rule])


def next_day(event: Event, now: datetime) -> date | None:
    """The first day of the next event, not before today; None if it does not repeat or is still a draft."""
    if event.repeats == Repeats.NEVER or event.state == EventState.DRAFT:
        return None
    day = day_after(event.repeats, event.starts_on)
    while day < local_date(now, event.timezone):
        day = day_after(event.repeats, day)
    return day


def opens_at(event: Event, day: date) -> datetime | None:
    """When registration of the next event opens, at the same hour as this one's; None: as soon as it is made."""
    if not event.opens_before:
        return None
    zone, opened = ZoneInfo(event.timezone), event.registration_opens
    hour = opened.astimezone(zone).time() if opened else time()
    return datetime.combine(day - timedelta(days=event.opens_before), hour, tzinfo=zone).astimezone(UTC)


def is_due(event: Event, now: datetime) -> bool:
    """Whether the next event is to be made: this one is over, or registration of the next one opens."""
    day = next_day(event, now)
    if day is None:
        return False
    opens, is_closed = opens_at(event, day), event.state == EventState.FINISHED or event.cancelled_at is not None
    return is_closed or local_date(now, event.timezone) > ends_of(event) or (opens is not None and opens <= now)


def due_events(s: Session, now: datetime) -> list[Event]:
    repeating = select(Event).where(Event.repeats != Repeats.NEVER).order_by(col(Event.id))
    return [event for event in s.exec(repeating).all() if is_due(event, now)]


def make_next(act: Act) -> Event | None:
    """Make the next event and open it; None if this one does not repeat any more.

    It stays a draft if its registration cannot be opened.
    """
    event, day = act.event, next_day(act.event, act.now)
    if day is None:
        return None
    rule, opens = event.repeats, opens_at(event, day)
    made = copy_event(act, next_name(event.name), day, event.series, None)
    made.repeats, event.repeats = rule, Repeats.NEVER
    made.registration_opens = opens if opens and opens > act.now else None
    if made.registration_closes and made.registration_opens and made.registration_closes <= made.registration_opens:
        made.registration_closes = None
    note(act, "repeat-event", message("The next event is %(name)s", name=made.name), made=made.id)
    with suppress(Refused):
        open_registration(replace(act, event=made))
    return made
