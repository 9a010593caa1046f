"""Deleting personal data some months after an event, as its setting says: when, whose, and one player in each write.

Players who added their entry to a page of their own chose to keep it: they delete it themselves.
"""

from calendar import monthrange
from collections import Counter
from datetime import date, datetime, timedelta
from typing import Any

from sqlmodel import Session, col, func, select

from events.journal.calendar import CHANGED
from events.registration.erasure import erase_again
from events.registration.join_codes import forget_mails
from events.store.act import Act
from events.store.journal import note
from events.store.rounds import ends_of
from events.store.visitor import CLOCK
from events.tournament.clock import local_date
from languages.dates import dated
from languages.message import counted_message, message
from languages.words import N_, gettext
from models.db import current_write
from models.dispatch import Dispatch, DispatchKind
from models.erasure import Erasure
from models.event import Event
from models.join_code import JoinCode
from models.journal import JournalEntry
from models.kept_answer import KeptAnswer
from models.person import OwnEntry
from models.play import Player

NOTICE = timedelta(days=14)
"""How long before the deletion the desk says so."""
GRACE = timedelta(days=7)
"""The least time between the organiser's last decision, such as closing the event, and the deletion."""
DECISIONS = ("finish-event", "reopen-event", "cancel-event", CHANGED)
LEFT = (
    ~select(OwnEntry.id).where(OwnEntry.player_id == Player.id).exists()
    & ~select(Erasure.id).where(Erasure.player_id == Player.id).exists()
)
"""Of players: not erased yet, and not kept on a page of their own."""
OTHERS: dict[Any, Any] = {
    JoinCode: col(JoinCode.label) != "",
    Dispatch: col(Dispatch.kind) == DispatchKind.LINKS,
    KeptAnswer: True,
}
"""The other rows of an event that hold personal data, with the condition under which they do."""


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
    query = select(Player).where(Player.event_id == event.id, LEFT)
    return list(s.exec(query.order_by(col(Player.id))).all())


def is_inviting(s: Session, event: Event) -> bool:
    """Whether the event still has the name of somebody whom it invited."""
    return s.exec(select(JoinCode.id).where(JoinCode.event_id == event.id, OTHERS[JoinCode])).first() is not None


def players_kept(s: Session, event: Event) -> int:
    """How many players keep the event on a page of their own."""
    return s.exec(select(func.count()).select_from(OwnEntry).join(Player).where(Player.event_id == event.id)).one()


def count_due(s: Session, now: datetime) -> dict[int, int]:
    """By event whose day has come: how many players and other rows with personal data are still to be deleted."""
    held = Counter[int]()
    for model, condition in ({Player: LEFT} | OTHERS).items():
        query = select(model.event_id, func.count()).where(condition)
        held.update(dict(s.exec(query.group_by(model.event_id)).all()))
    events = s.exec(select(Event).where(Event.delete_after > 0).order_by(col(Event.id))).all()
    return {event.id: held[event.id] for event in events if held[event.id] and lapsed_on(s, event, now)}


def delete_one(act: Act) -> int:
    """Delete one player's data if that is due, with the last one all other personal data. Returns how many players."""
    if not lapsed_on(act.s, act.event, act.now):
        return 0
    players = players_to_delete(act.s, act.event)
    if players:
        erase_again(act, players[0])
    if len(players) <= 1 and (_delete_others(act) or players):
        _note_all(act)
    return min(len(players), 1)


def _delete_others(act: Act) -> bool:
    """Delete the personal data that hangs on no player. Returns whether somebody was invited."""
    current_write(act.s).erases = True
    invited = False
    for model, condition in OTHERS.items():
        for row in act.s.exec(select(model).where(model.event_id == act.event.id, condition)).all():
            if isinstance(row, JoinCode):
                row.label, invited = "", True
                forget_mails(act.s, row)
            else:
                act.s.delete(row)
    return invited


def _note_all(act: Act) -> None:
    by_clock = select(func.count()).where(
        JournalEntry.event_id == act.event.id, JournalEntry.verb == "erase", JournalEntry.actor == CLOCK
    )
    deleted, months = (
        act.s.exec(by_clock).one(),
        counted_message("%(num)s month", "%(num)s months", act.event.delete_after),
    )
    sentence = message("Personal data of invited people deleted, %(months)s after the event", months=months)
    if deleted:
        sentence = counted_message(
            "Personal data of %(num)s player deleted, %(months)s after the event",
            "Personal data of %(num)s players deleted, %(months)s after the event",
            deleted,
            months=months,
        )
    note(act, "delete-persons", sentence)
