"""An event as an entry for calendars (iCalendar, RFC 5545)."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import icalendar
from flask import Blueprint, Response
from icalendar.enums import STATUS

from events.accounts.loading import event_or_404
from events.play.rounds import ends_of
from events.setup.day import closes_at
from events.web.request import outside_url
from models.event import Event

blueprint = Blueprint("calendar", __name__)

MAKER = "-//Overseer//Tournament desk//EN"


@blueprint.get("/e/<slug>/event.ics")
def calendar_entry(slug: str) -> Response:
    """The event as one calendar entry; a newer download replaces it, as its id stays.

    It says nothing that hidden changes move: neither the event's version nor the time of its last change.
    """
    event = event_or_404(slug)
    starts, ends = span(event)
    one = icalendar.Event.new(
        uid=f"{event.slug}@overseer",
        stamp=datetime.combine(event.starts_on, time.min, UTC),
        summary=event.name,
        location=event.place or None,
        description=event.description or None,
        url=outside_url("public.event", slug=slug) or None,
        start=starts,
        end=ends,
        status=STATUS.CANCELLED if event.cancelled_at else STATUS.CONFIRMED,
    )
    calendar = icalendar.Calendar.new(prodid=MAKER, uid=f"{event.slug}@overseer", subcomponents=[one])
    answer = Response(calendar.to_ical(), mimetype="text/calendar; charset=utf-8")
    answer.headers["Content-Disposition"] = f'attachment; filename="{event.slug}.ics"'
    return answer


def span(event: Event) -> tuple[date | datetime, date | datetime]:
    """The beginning and the end: with hours if the event says when it starts, otherwise whole days.

    Without a planned end, an event of one day takes eight hours. The end of whole days is the day after, as iCalendar
    wants it.
    """
    if not event.starts_at:
        return event.starts_on, ends_of(event) + timedelta(days=1)
    zone = ZoneInfo(event.timezone)
    starts = datetime.combine(event.starts_on, time.fromisoformat(event.starts_at), zone)
    planned = closes_at(event)
    ends = planned.astimezone(zone) if planned else starts + timedelta(hours=8)
    last = datetime.combine(ends_of(event), ends.timetz())
    return starts, max(ends, last)
