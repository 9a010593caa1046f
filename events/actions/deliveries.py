"""The queue of mails: taking one, telling what became of it, and finding those that nobody came back for.

A mail is marked as being sent, and that is committed, before its server hears of it. So whatever ends the worker in
between, no mail is sent a second time by itself: it stays marked, and the organiser is told that it may have been sent.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlmodel import Session, col, select

from events.actions.journal import note
from events.message_text import subject_of
from models.event import Event
from models.message import Delivery, MailState, Message
from models.play import Player

ATTEMPTS = 6
FIRST_WAIT, GROWTH = timedelta(minutes=1), 4
"""After 1, 4, 16, 64 and 256 minutes the next attempt; the sixth, some six hours after the first, is the last."""
LOST_AFTER = timedelta(minutes=10)
"""Longer than any attempt can last: every step of it has a time limit."""
BY = "mail"


@dataclass(frozen=True)
class Outcome:
    """What became of one attempt. ``state`` is queued where it is worth another one."""

    state: MailState
    reason: str = ""
    """In words for the organiser, without the address."""
    server_down: bool = False
    """The server itself does not take mail now: every other mail would meet the same."""


def any_due(s: Session, now: datetime) -> bool:
    """Whether there is anything to do: the question that is asked every few seconds, and locks nothing."""
    due = select(Delivery.id).where(Delivery.mail == MailState.QUEUED, col(Delivery.next_try) <= now)
    lost = select(Delivery.id).where(Delivery.mail == MailState.SENDING, col(Delivery.tried_at) < now - LOST_AFTER)
    return s.exec(due.limit(1)).first() is not None or s.exec(lost.limit(1)).first() is not None


def take_next(s: Session, now: datetime) -> Delivery | None:
    """The mail that is due longest, marked as being sent; None where none is.

    PostgreSQL steps over those that another worker is taking; SQLite has one writer at a time.
    """
    due = select(Delivery).where(Delivery.mail == MailState.QUEUED, col(Delivery.next_try) <= now)
    first = due.order_by(col(Delivery.next_try), col(Delivery.id)).limit(1).with_for_update(skip_locked=True)
    delivery = s.exec(first).first()
    if delivery is not None:
        delivery.mail, delivery.next_try = MailState.SENDING, None
        delivery.attempts, delivery.tried_at = delivery.attempts + 1, now
    return delivery


def settle(s: Session, event: Event, delivery: Delivery, outcome: Outcome, now: datetime) -> None:
    """Store what became of the attempt just made; after the last one a mail has failed for good."""
    if delivery.mail != MailState.SENDING:
        return  # somebody found it lost meanwhile, and the organiser has been told
    delivery.mail, delivery.last_error = outcome.state, outcome.reason[:300]
    if outcome.state == MailState.QUEUED and delivery.attempts < ATTEMPTS:
        delivery.next_try = now + FIRST_WAIT * GROWTH ** (delivery.attempts - 1)
    elif outcome.state == MailState.QUEUED:
        delivery.mail = MailState.FAILED
    if ends_badly(delivery, outcome):
        _tell(s, event, delivery, now)


def ends_badly(delivery: Delivery, outcome: Outcome) -> bool:
    """Whether this attempt is the last and the organiser has to know."""
    last = outcome.state == MailState.QUEUED and delivery.attempts >= ATTEMPTS
    return last or outcome.state in (MailState.FAILED, MailState.UNSURE)


def find_lost(s: Session, event: Event, now: datetime) -> int:
    """Mark the event's mails whose worker never came back: they may have been sent or not. Returns how many."""
    lost = s.exec(
        select(Delivery)
        .join(Message, col(Delivery.message_id) == col(Message.id))
        .where(Message.event_id == event.id, Delivery.mail == MailState.SENDING)
        .where(col(Delivery.tried_at) < now - LOST_AFTER)
        .with_for_update(of=Delivery)
    ).all()
    for delivery in lost:
        delivery.mail = MailState.UNSURE
        delivery.last_error = "the service was stopped while the mail was being handed over"
        _tell(s, event, delivery, now)
    return len(lost)


def events_with_lost(s: Session, now: datetime) -> list[Event]:
    """The events that ``find_lost`` would find something in."""
    found = (
        select(Event)
        .join(Message, col(Message.event_id) == col(Event.id))
        .join(Delivery, col(Delivery.message_id) == col(Message.id))
        .where(Delivery.mail == MailState.SENDING, col(Delivery.tried_at) < now - LOST_AFTER)
    )
    return list({event.id: event for event in s.exec(found)}.values())


def _tell(s: Session, event: Event, delivery: Delivery, now: datetime) -> None:
    player, message = s.get_one(Player, delivery.player_id), s.get_one(Message, delivery.message_id)
    failed = delivery.mail == MailState.FAILED
    text = (
        f"The mail “{subject_of(message)}” to {player.name} {'could not be sent' if failed else 'may have been sent'}"
    )
    note(
        s, event, BY, now, "mail-failed" if failed else "mail-unsure", f"{text}: {delivery.last_error}",
        message=message.id, player=player.id, attempts=delivery.attempts,
    )  # fmt: skip
