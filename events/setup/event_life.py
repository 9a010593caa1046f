"""Copying an event, cancelling it, unlisting it, and deleting it with everything that belongs to it."""

import secrets
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from sqlalchemy import Table
from sqlmodel import Session, SQLModel, col, select

from events.messages import actions as messages
from events.messages.queries import contacts_of
from events.play.act import Act
from events.play.errors import Refused
from events.play.journal import note
from events.play.players import players_of
from events.setup.actions import free_slug, settings_of
from events.setup.covers import cover_of
from events.tournament.clock import utc_times_of
from models.award import Award
from models.base import UTCDateTime
from models.captured import class_of, of_event, way_to_event
from models.cover import Cover
from models.event import Event, EventRecord, EventState, Round
from models.journal import JOURNAL
from models.people import Account
from models.play import Player, PlayerState
from models.staff import Role, Staff


@dataclass(frozen=True)
class Concerned:
    """The players concerned by a cancellation."""

    players: tuple[Player, ...]
    by_mail: int
    """The number of them with a mail address; the others read it on their page."""


def concerned(s: Session, event: Event) -> Concerned:
    """The players concerned by a cancellation: all who have not dropped."""
    players = tuple(player for player in players_of(s, event) if player.state != PlayerState.DROPPED)
    mailed = contacts_of(s, event) if event.mail_asked else {}
    return Concerned(players, sum(player.id in mailed for player in players))


def cancel(act: Act, reason: str, a_day: int) -> int:
    """Cancel the event and write to its players. Raises Refused for a draft and for an event that is over.

    ``a_day`` is how many mails the event may queue within 24 hours. If they do not suffice, the message appears only on
    the players' pages. Returns how many players get no mail for that reason.
    """
    if act.event.cancelled_at is not None:
        return 0
    if act.event.state == EventState.FINISHED:
        raise Refused("This event is over.")
    if act.event.state == EventState.DRAFT:
        raise Refused("Only staff see a draft. Delete the draft instead.")
    act.event.cancelled_at = act.now
    note(act, "cancel-event", "Cancelled the event", reason=reason)
    whom = concerned(act.s, act.event)
    if whom.players:
        plain = reason.replace("{", "(").replace("}", ")")
        draft = messages.Draft("all", "{event} is cancelled", f"{{event}} does not take place.\n\n{plain}".strip())
        key = secrets.token_urlsafe(16)
        try:
            messages.send(act, replace(draft, mail=True), key, a_day)
        except Refused:  # more mails than the event may send within a day
            messages.send(act, draft, key, a_day)
            return whom.by_mail
    return 0


def withdraw_cancellation(act: Act) -> None:
    """Withdraw a cancellation. Players are notified only if the organiser sends a message."""
    if act.event.cancelled_at is not None:
        act.event.cancelled_at = None
        note(act, "take-place", "The event takes place after all")


def set_unlisted(act: Act, unlisted: bool) -> None:
    """Remove the event from the front page and its series, or list it again. Its address always works."""
    if act.event.unlisted != unlisted:
        act.event.unlisted = unlisted
        text = "Took the event off the front page" if unlisted else "Put the event on the front page"
        note(act, "list-event", text)


def belonging() -> list[Table]:
    """The tables with rows of an event, each before those to which its rows refer; without the journal's own."""
    own = {table.__tablename__ for table in JOURNAL}
    found = [table for table in reversed(SQLModel.metadata.sorted_tables) if table.name not in own]
    return [table for table in found if _is_of_events(table)]


def _is_of_events(table: Table) -> bool:
    try:
        way_to_event(table)
    except LookupError:
        return False
    return True


def delete(s: Session, event_id: int) -> None:
    """Delete an event completely: players, lists, results, messages and waiting mails, and its journal.

    Runs in a write without an event, because the event's journal is deleted too, by its foreign keys.
    """
    locked = select(Event).where(col(Event.id) == event_id).with_for_update()
    event = s.exec(locked, execution_options={"populate_existing": True}).one()
    for table in belonging():
        if table.name == "event":
            continue
        model = class_of(table)
        for row in s.exec(select(model).where(of_event(table, event.id))):
            s.delete(row)
        s.flush()  # delete these rows before those to which they refer
    s.delete(event)


# ---- Copies of an event: its settings, rounds, questions, awards and staff, without its players


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


def series_name(name: str) -> str:
    """The series for an event of this name: the name without a number at its end."""
    words, _, last = name.rpartition(" ")
    return (words if words and last.isdecimal() else name)[:80]


def copy_event(act: Act, name: str, starts_on: date, series: str, owner: Account) -> Event:
    """Make a draft with the settings of an event. Times move with the first day; past ones are left out.

    The staff keep their roles, and ``owner`` owns it.
    """
    s, event = act.s, act.event
    days = starts_on - event.starts_on
    columns = {column.name: column for column in Event.__table__.columns}  # type: ignore[attr-defined]
    values = {column: getattr(event, column) for column in columns if column not in NOT_COPIED}
    for column, value in values.items():
        if isinstance(columns[column].type, UTCDateTime):
            values[column] = _moved(value, days, event.timezone, act.now)
    made = Event(
        slug=free_slug(s, name), name=name, starts_on=starts_on, ends_on=event.ends_on + days,
        seed=secrets.randbits(48), created_at=act.now, changed_at=act.now, **values | {"series": series},
    )  # fmt: skip
    s.add(made)
    s.flush()  # assigns the event's id for its rounds and its staff
    for number, scenario in enumerate(settings_of(s, event).scenarios, start=1):
        s.add(Round(event_id=made.id, number=number, scenario=scenario or None))
    for award in event.awards:
        s.add(Award(event_id=made.id, position=award.position, kind=award.kind, name=award.name, place=award.place))
    if (cover := cover_of(s, event)) is not None:
        s.add(Cover(event_id=made.id, picture=cover.picture, digest=cover.digest, accent=cover.accent))
    for helper in s.exec(select(Staff).where(Staff.event_id == event.id)):
        if helper.account_id != owner.id:
            s.add(Staff(event_id=made.id, account_id=helper.account_id, role=helper.role, since=act.now))
    s.add(Staff(event_id=made.id, account_id=owner.id, role=Role.OWNER, since=act.now))
    note(replace(act, event=made), "copy-event", f"Copied the event from {event.name}")
    return made


def _moved(moment: datetime | None, days: timedelta, zone: str, now: datetime) -> datetime | None:
    """The same local time this number of days later; None if that has passed."""
    if moment is None:
        return None
    found = utc_times_of(moment.astimezone(ZoneInfo(zone)).replace(tzinfo=None) + days, zone)
    later = found[-1] if found else moment + days
    return later if later > now else None
