"""Cancelling an event, taking it off the front page, and deleting it with everything that belongs to it."""

import secrets
from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy import Table
from sqlmodel import Session, SQLModel, col, select

from events.messages import actions as messages
from events.messages.queries import contacts_of
from events.play.errors import Refused
from events.play.journal import note
from events.play.queries import players_of
from models.captured import class_of, of_event, way_to_event
from models.event import Event, EventState
from models.journal import JOURNAL
from models.play import Player, PlayerState


@dataclass(frozen=True)
class Concerned:
    """The players whom a cancellation concerns."""

    players: tuple[Player, ...]
    by_mail: int
    """How many of them gave a mail address; the others read it on their page."""


def concerned(s: Session, event: Event) -> Concerned:
    """Whom a cancellation concerns: all players who have not left."""
    players = tuple(player for player in players_of(s, event) if player.state != PlayerState.DROPPED)
    mailed = contacts_of(s, event) if event.mail_asked else {}
    return Concerned(players, sum(player.id in mailed for player in players))


def cancel(s: Session, event: Event, reason: str, a_day: int, actor: str, now: datetime) -> int:
    """Cancel the event and write to its players. Raises Refused for a draft and for an event that is over.

    ``a_day`` is how many mails the event may queue within 24 hours. Where they do not suffice, the message is on the
    players' pages only: returns how many players get no mail for that reason.
    """
    if event.cancelled_at is not None:
        return 0
    if event.state == EventState.FINISHED:
        raise Refused("This event is over.")
    if event.state == EventState.DRAFT:
        raise Refused("Nobody but the staff sees a draft: delete it instead.")
    event.cancelled_at = now
    note(s, event, actor, now, "cancel-event", "Cancelled the event", reason=reason)
    whom = concerned(s, event)
    if whom.players:
        plain = reason.replace("{", "(").replace("}", ")")
        draft = messages.Draft("all", "{event} is cancelled", f"{{event}} does not take place.\n\n{plain}".strip())
        key = secrets.token_urlsafe(16)
        try:
            messages.send(s, event, replace(draft, mail=True), key, a_day, actor, now)
        except Refused:  # more mails than the event may send today
            messages.send(s, event, draft, key, a_day, actor, now)
            return whom.by_mail
    return 0


def take_place(s: Session, event: Event, actor: str, now: datetime) -> None:
    """Take a cancellation back. Players hear of it only if the organiser sends a message."""
    if event.cancelled_at is not None:
        event.cancelled_at = None
        note(s, event, actor, now, "take-place", "The event takes place after all")


def set_unlisted(s: Session, event: Event, unlisted: bool, actor: str, now: datetime) -> None:
    """Take the event off the front page and its series, or put it back. Its address works all the time."""
    if event.unlisted != unlisted:
        event.unlisted = unlisted
        text = "Took the event off the front page" if unlisted else "Put the event on the front page"
        note(s, event, actor, now, "list-event", text)


def belonging() -> list[Table]:
    """The tables with rows of an event, each before those that its rows point to; not the journal's own."""
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
    """Delete an event with everything of it: players, lists, results, messages and mails that wait, and its journal.

    Runs in a write without an event: the journal that would keep the rows goes with them, by its foreign keys.
    """
    locked = select(Event).where(col(Event.id) == event_id).with_for_update()
    event = s.exec(locked, execution_options={"populate_existing": True}).one()
    for table in belonging():
        if table.name == "event":
            continue
        model = class_of(table)
        for row in s.exec(select(model).where(of_event(table, event.id))):
            s.delete(row)
        s.flush()  # these rows go before those that they point to
    s.delete(event)
