"""The same event again: settings, rounds, scenarios, questions and staff of an earlier one, without its players."""

import secrets
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from sqlmodel import Session, select

from events.play.clock import utc_times_of
from events.play.journal import note
from events.setup.actions import free_slug, settings_of
from events.setup.covers import cover_of
from models.base import UTCDateTime
from models.cover import Cover
from models.event import Event, Round
from models.people import Account
from models.staff import Role, Staff

NOT_COPIED = {
    "id", "slug", "name", "starts_on", "ends_on", "seed", "state", "created_at", "changed_at", "version",
    "lists_locked_at", "lists_revealed_at", "painting_vote_opened_at", "painting_vote_closed_at", "sports_closed_at",
    "awards_published_at", "awards_shown", "journal_from", "stamp", "public_stamp", "players_stamp", "cancelled_at",
}  # fmt: skip
"""Columns of an event that a copy does not take: what is its own, and what happened. All others are settings."""


def next_month(day: date) -> date:
    """The same weekday four or five weeks later: the first that is in the next month."""
    later = day + timedelta(weeks=4)
    return later if later.month != day.month else later + timedelta(weeks=1)


def copy_event(
    s: Session, event: Event, name: str, starts_on: date, series: str, owner: Account, actor: str, now: datetime
) -> Event:
    """Make a draft with the settings of an event. Times move with the first day; those that would be past stay out.

    The staff keep their roles, and ``owner`` owns it.
    """
    days = starts_on - event.starts_on
    columns = {column.name: column for column in Event.__table__.columns}  # type: ignore[attr-defined]
    values = {column: getattr(event, column) for column in columns if column not in NOT_COPIED}
    for column, value in values.items():
        if isinstance(columns[column].type, UTCDateTime):
            values[column] = _moved(value, days, event.timezone, now)
    made = Event(
        slug=free_slug(s, name), name=name, starts_on=starts_on, ends_on=event.ends_on + days,
        seed=secrets.randbits(48), created_at=now, changed_at=now, **values | {"series": series},
    )  # fmt: skip
    s.add(made)
    s.flush()  # makes the event's id for its rounds and its staff
    for number, scenario in enumerate(settings_of(s, event).scenarios, start=1):
        s.add(Round(event_id=made.id, number=number, scenario=scenario or None))
    if (cover := cover_of(s, event)) is not None:
        s.add(Cover(event_id=made.id, picture=cover.picture, digest=cover.digest, accent=cover.accent))
    for helper in s.exec(select(Staff).where(Staff.event_id == event.id)):
        if helper.account_id != owner.id:
            s.add(Staff(event_id=made.id, account_id=helper.account_id, role=helper.role, since=now))
    s.add(Staff(event_id=made.id, account_id=owner.id, role=Role.OWNER, since=now))
    note(s, made, actor, now, "copy-event", f"Made the event from {event.name}")
    return made


def _moved(moment: datetime | None, days: timedelta, zone: str, now: datetime) -> datetime | None:
    """The same local time this number of days later; None if that has passed."""
    if moment is None:
        return None
    found = utc_times_of(moment.astimezone(ZoneInfo(zone)).replace(tzinfo=None) + days, zone)
    later = found[-1] if found else moment + days
    return later if later > now else None
