"""Copies of an event: its settings, rounds, questions, awards and staff, without its players."""

from dataclasses import replace
from datetime import date, timedelta

from sqlmodel import select

from events.setup.actions import free_slug, settings_of
from events.setup.moving import in_zone
from events.store.act import Act
from events.store.journal import note
from languages.message import message
from models.award import Award
from models.base import UTCDateTime, new_seed
from models.event import Event, EventRecord, Round
from models.people import Account
from models.settings import Repeats
from models.staff import Role, Staff

NOT_COPIED = {"id", "name", "starts_on", "ends_on", *EventRecord.model_fields}
"""Columns of an event that are not copied, because they identify it or record what happened.

All others are settings.
"""


def next_month(day: date) -> date:
    """The same weekday four or five weeks later, the first one in the next month."""
    later = day + timedelta(weeks=4)
    return later if later.month != day.month else later + timedelta(weeks=1)


def next_name(name: str) -> str:
    """The name of the next event: "Iron Open 2" after "Iron Open", and 3 after 2."""
    words, _, last = name.rpartition(" ")
    if words and last.isdecimal() and len(last) < 3:
        return f"{words} {int(last) + 1}"
    return f"{name[:117]} 2"


def copy_event(act: Act, name: str, starts_on: date, series: str, owner: Account | None) -> Event:
    """Make a draft with the settings of an event. Times move with the first day; past ones are left out.

    The staff keep their roles, and ``owner`` owns it. It does not repeat.
    """
    s, event = act.s, act.event
    days = starts_on - event.starts_on
    columns = {column.name: column for column in Event.__table__.columns}  # type: ignore[attr-defined]
    values = {column: getattr(event, column) for column in columns if column not in NOT_COPIED}
    for column, value in values.items():
        if isinstance(columns[column].type, UTCDateTime):
            later = in_zone(value, days, event.timezone, event.timezone) if value else None
            values[column] = later if later and later > act.now else None
    made = Event(
        slug=free_slug(s, name), name=name, starts_on=starts_on, ends_on=event.ends_on + days,
        seed=new_seed(), created_at=act.now, changed_at=act.now,
        **values | {"series": series, "convention": "", "repeats": Repeats.NEVER},
    )  # fmt: skip
    s.add(made)
    s.flush()  # assigns the event's id for its rounds and its staff
    for number, scenario in enumerate(settings_of(event).scenarios, start=1):
        made.schedule.append(Round(number=number, scenario=scenario or None))
    for award in event.awards:
        made.awards.append(Award(position=award.position, kind=award.kind, name=award.name, place=award.place))
    for helper in s.exec(select(Staff).where(Staff.event_id == event.id)):
        if owner is None or helper.account_id != owner.id:
            s.add(Staff(event_id=made.id, account_id=helper.account_id, role=helper.role, since=act.now))
    if owner is not None:
        s.add(Staff(event_id=made.id, account_id=owner.id, role=Role.OWNER, since=act.now))
    note(replace(act, event=made), "copy-event", message("Copied the event from %(name)s", name=event.name))
    return made
