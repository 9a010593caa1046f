"""When what readers must know of an event last changed, and what identifies the event: for calendars and feeds."""

from datetime import datetime

from events.web.club_id import club_id
from models.event import Event
from models.settings import SignUpBy


def news_of(event: Event, now: datetime) -> datetime:
    """When its day, time, place, registration, start, end or calling off last changed, or registration's time came.

    The time of the last change, or the version, would also follow hidden changes.
    """
    everybody_from = event.everybody_from if event.sign_up_by == SignUpBy.MEMBERS_FIRST else None
    turns = (event.created_at, event.news_at, event.registration_opens, everybody_from, event.registration_closes)
    return max(moment for moment in turns if moment and moment <= max(now, event.news_at or now))


def id_of(event: Event, part: str = "") -> str:
    """An id that no other club's event has; ``part`` ends the id of a part of the event."""
    return f"{event.slug}{part}@{club_id()}.overseer"
