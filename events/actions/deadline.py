"""Which list deadlines can be set, and from when a seal is dated."""

from datetime import date, datetime
from zoneinfo import ZoneInfo

from events.errors import Refused
from models.event import Event
from models.play import ForceList


def check_deadline(
    deadline: datetime | None, zone: str, last_day: date, now: datetime, field: str = "list_deadline"
) -> None:
    """Raises Refused, at ``field``, for a new deadline that has passed already or comes after the event's last day.

    One that has passed would lock and show every list at once, as of a moment at which nobody knew of it.
    """
    if deadline is None:
        return
    if deadline <= now:
        raise Refused(
            "The new deadline must lie ahead. “Lock all lists now” on the page of lists locks them at once.", field
        )
    if deadline.astimezone(ZoneInfo(zone)).date() > last_day:
        raise Refused(f"The deadline must not come after the event's last day, {last_day:%-d %B %Y}.", field)


def check_still_ahead(event: Event, now: datetime) -> None:
    """Raises Refused for a draft whose deadline has passed: open to players, it would lock their lists at once."""
    if event.list_deadline is not None and event.list_deadline <= now:
        passed = event.list_deadline.astimezone(ZoneInfo(event.timezone))
        raise Refused(
            f"The list deadline, {passed:%-d %B %Y at %H:%M}, has passed already. Set a later one in the settings, or "
            "none, and open registration then."
        )


def sealed_at(force: ForceList, due: datetime, now: datetime) -> datetime:
    """When a list was sealed: ``due``, the moment of the clock, but ``now`` where it was changed or handed in after."""
    touched = [force.saved_at, force.submitted_at or due, force.sent_back_at or due]
    return due if max(touched) <= due else now
