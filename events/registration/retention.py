"""Deleting players' data some months after an event, as its setting says: when, whose, and one player in each write.

Players who added their entry to a page of their own chose to keep it: they delete it themselves.
"""

from calendar import monthrange
from datetime import date, datetime, timedelta

from sqlmodel import Session, col, func, select

from events.registration.erasure import erase_again
from events.store.act import Act
from events.store.calendar import CHANGED
from events.store.journal import note
from events.store.rounds import ends_of
from events.store.visitor import CLOCK
from events.tournament.clock import local_date
from languages.dates import dated
from languages.message import counted_message
from languages.words import N_, gettext
from models.erasure import Erasure
from models.event import Event
from models.join_code import JoinCode
from models.journal import JournalEntry
from models.person import OwnEntry
from models.play import Player

NOTICE = timedelta(days=14)
"""How long before the deletion the desk says so."""
GRACE = timedelta(days=7)
"""The least time between the organiser's last decision, such as closing the event, and the deletion."""
DECISIONS = ("finish-event", "reopen-event", "cancel-event", CHANGED)


def deletion_day(s: Session, event: Event) -> date | None:
    """From which day, in the event's time zone, its players' data is deleted, closed or not. None: never."""
    if not event.delete_after:
        return None
    decided = select(func.max(JournalEntry.at)).where(
        JournalEntry.event_id == event.id, col(JournalEntry.verb).in_(DECISIONS)
    )
    last, day = s.exec(decided).first(), months_later(ends_of(event), event.delete_after)
    return max(day, local_date(last, event.timezone) + GRACE) if last else day


def lapsed_on(s: Session, event: Event, now: datetime) -> date | None:
    """The deletion day if it has come: then only entries on own pages are kept."""
    day = deletion_day(s, event)
    return day if day and local_date(now, event.timezone) >= day else None


def lapse_of(s: Session, event: Event, now: datetime) -> str:
    """What an entry's owner reads who takes it off a page when the event's data was to be deleted before."""
    day = lapsed_on(s, event, now)
    words = N_("The event’s data was due to be deleted on %(day)s; yours is deleted now too.")
    return gettext(words, day=dated(day, "%-d %B %Y")) if day else ""


def months_later(day: date, months: int) -> date:
    """The same day of a later month, or the last day of a shorter month."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def players_to_delete(s: Session, event: Event) -> list[Player]:
    """The players who were not erased yet and keep no page of their own."""
    kept = select(OwnEntry.id).where(OwnEntry.player_id == Player.id)
    erased = select(Erasure.id).where(Erasure.event_id == event.id, Erasure.player_id == Player.id)
    query = select(Player).where(Player.event_id == event.id, ~kept.exists(), ~erased.exists())
    return list(s.exec(query.order_by(col(Player.id))).all())


def players_kept(s: Session, event: Event) -> int:
    """How many players keep the event on a page of their own."""
    return s.exec(select(func.count()).select_from(OwnEntry).join(Player).where(Player.event_id == event.id)).one()


def next_due(s: Session, now: datetime) -> Event | None:
    """The first event with players whose data is to be deleted now."""
    events = s.exec(select(Event).where(Event.delete_after > 0).order_by(col(Event.id))).all()
    return next((event for event in events if _due(s, event, now)), None)


def delete_one(act: Act) -> int:
    """Delete one player's data if that is due; with the last one, say in the journal how many. Returns how many."""
    due = _due(act.s, act.event, act.now)
    if due:
        erase_again(act, due[0])
    if len(due) == 1:
        invited = select(JoinCode).where(JoinCode.event_id == act.event.id, JoinCode.uses == 1)
        for code in act.s.exec(invited):
            code.label = ""
        _note_all(act)
    return min(len(due), 1)


def _due(s: Session, event: Event, now: datetime) -> list[Player]:
    players = players_to_delete(s, event)
    return players if players and lapsed_on(s, event, now) else []


def _note_all(act: Act) -> None:
    by_clock = select(func.count()).where(
        JournalEntry.event_id == act.event.id, JournalEntry.verb == "erase", JournalEntry.actor == CLOCK
    )
    sentence = counted_message(
        "Personal data of %(num)s player deleted, %(months)s after the event",
        "Personal data of %(num)s players deleted, %(months)s after the event",
        act.s.exec(by_clock).one(),
        months=counted_message("%(num)s month", "%(num)s months", act.event.delete_after),
    )
    note(act, "delete-persons", sentence)
