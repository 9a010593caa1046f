"""The mail queue, and sending a mail by SMTP. No page waits for it.

A mail is committed as being sent before the mail server is contacted. If the process stops in between, the mail is not
retried automatically; the organiser sees that it may have been sent.
"""

import logging
import re
import smtplib
import ssl
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.message import EmailMessage
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, Engine, and_
from sqlalchemy.orm import Mapped
from sqlmodel import Session, col, select

from events.accounts.own_pages import whose
from events.messages.letters import letter
from events.messages.outgoing import in_one_pass, shut_down
from events.messages.queries import addressee, change_with, waits
from events.messages.text import (
    ABOUT_ADDRESS,
    AGREE,
    OWN_PAGE,
    asked_for,
    subject_of,
)
from events.store.act import Act
from events.store.journal import note
from events.store.visitor import MAIL
from languages.message import message
from languages.words import N_
from models.db import write
from models.event import Event
from models.message import Delivery, MailState, Message
from models.notice import Notice
from models.play import Player, PlayerState
from service.conversations import GRACE, conversation
from service.settings import MailServer

ATTEMPTS = 6
FIRST_WAIT, GROWTH = timedelta(minutes=1), 4
"""Retries follow after 1, 4, 16, 64 and 256 minutes.

The sixth attempt, about six hours after the first, is the last.
"""
LOST_AFTER = timedelta(minutes=10)
"""Longer than any attempt can take, since each mail has a time limit."""


@dataclass(frozen=True)
class Outcome:
    """The outcome of one attempt. ``state`` is QUEUED if it will be retried."""

    state: MailState
    reason: str = ""
    """The reason for the organiser, without the address."""


Queued = TypeVar("Queued", Delivery, Notice)


def state_of(table: type[Queued]) -> Mapped[Any]:
    return col(Delivery.mail if table is Delivery else Notice.state)


def is_lost(table: type[Queued], now: datetime) -> ColumnElement[bool]:
    """The condition for rows whose worker stopped while sending."""
    return and_(state_of(table) == MailState.SENDING, col(table.tried_at) < now - LOST_AFTER)


def waits_to_go(table: type[Queued], now: datetime) -> ColumnElement[bool]:
    """The condition for rows to send now. Those to a held sign-up wait until staff let it in."""
    held = select(Player.id).where(Player.id == table.player_id, Player.held, Player.state == PlayerState.WAITING)
    return and_(state_of(table) == MailState.QUEUED, col(table.next_try) <= now, ~held.exists())


def any_due(s: Session, table: type[Queued], now: datetime, *which: ColumnElement[bool]) -> bool:
    """Whether any mail or notice of these needs work. Called every few seconds, without a lock."""
    due = (and_(waits_to_go(table, now), *which), is_lost(table, now))
    return any(s.exec(select(table.id).where(condition).limit(1)).first() is not None for condition in due)


def take_next(s: Session, table: type[Queued], now: datetime, *which: ColumnElement[bool]) -> Queued | None:
    """The longest due mail or notice of these, marked as being sent; None if none is due.

    Rows locked by others are skipped.
    """
    due = select(table).where(waits_to_go(table, now), *which).order_by(col(table.next_try), col(table.id))
    row = s.exec(due.limit(1).with_for_update(skip_locked=True)).first()
    if row is not None:
        setattr(row, "mail" if table is Delivery else "state", MailState.SENDING)
        row.next_try, row.attempts, row.tried_at = None, row.attempts + 1, now
    return row


def settle_mail(s: Session, event: Event, delivery: Delivery, outcome: Outcome, now: datetime) -> None:
    """Store the outcome of an attempt; after the last attempt the mail counts as failed."""
    if delivery.mail != MailState.SENDING:
        return  # another worker has marked it as lost in the meantime
    delivery.mail, delivery.last_error = outcome.state, outcome.reason[:300]
    if outcome.state == MailState.QUEUED and delivery.attempts < ATTEMPTS:
        delivery.next_try = now + FIRST_WAIT * GROWTH ** (delivery.attempts - 1)
    elif outcome.state == MailState.QUEUED:
        delivery.mail = MailState.FAILED
    delivery.pinned = delivery.pinned if delivery.mail == MailState.QUEUED else ""
    if ends_badly(delivery, outcome):
        _note_failure(s, event, delivery, now)


def ends_badly(delivery: Delivery, outcome: Outcome) -> bool:
    """Whether this was the last attempt and the organiser must be notified."""
    last = outcome.state == MailState.QUEUED and delivery.attempts >= ATTEMPTS
    return last or outcome.state in (MailState.FAILED, MailState.UNSURE)


def mark_lost(s: Session, event: Event, now: datetime) -> int:
    """Mark the event's mails whose worker stopped while sending: they may have been sent or not. Returns how many."""
    lost = s.exec(
        select(Delivery)
        .join(Message, col(Delivery.message_id) == col(Message.id))
        .where(Message.event_id == event.id, is_lost(Delivery, now))
        .with_for_update(of=Delivery)
    ).all()
    for delivery in lost:
        delivery.mail = MailState.UNSURE
        delivery.pinned = ""
        delivery.last_error = N_("the service was stopped while the mail was being handed over")
        _note_failure(s, event, delivery, now)
    return len(lost)


def events_with_lost(s: Session, now: datetime) -> list[Event]:
    query = (
        select(Event)
        .join(Message, col(Message.event_id) == col(Event.id))
        .join(Delivery, col(Delivery.message_id) == col(Message.id))
        .where(is_lost(Delivery, now))
    )
    return list({event.id: event for event in s.exec(query)}.values())


def _note_failure(s: Session, event: Event, delivery: Delivery, now: datetime) -> None:
    player, sent = s.get_one(Player, delivery.player_id), s.get_one(Message, delivery.message_id)
    failed = delivery.mail == MailState.FAILED
    not_sent = N_("The mail “%(subject)s” to %(name)s could not be sent: %(error)s")
    unsure = N_("The mail “%(subject)s” to %(name)s may have been sent: %(error)s")
    figures = {"subject": subject_of(sent), "name": player.name, "error": delivery.last_error}
    note(
        Act(s, event, MAIL, now),
        "mail-failed" if failed else "mail-unsure",
        message(not_sent if failed else unsure, **figures),
        message=sent.id,
        player=player.id,
        attempts=delivery.attempts,
    )


SECONDS, LONGEST = 30.0, 90.0
"""The time limits for one step of a connection, and for one mail, with connecting."""
CLOSING = 421
"""RFC 5321, 3.8: the server ends the connection."""


class Connection:
    """A connection to the mail server, opened for the first mail and kept for the next ones."""

    def __init__(self, server: MailServer, seconds: float = SECONDS, longest: float = LONGEST) -> None:
        self.server = server
        self.seconds, self.longest = seconds, longest
        self.smtp: smtplib.SMTP | None = None
        self.down = ""
        """Why the server accepts no mail now; "" if it does."""

    def send(self, mail: EmailMessage, to: str) -> Outcome:
        """Try once to send one mail. Errors of server and network are returned as outcomes, never raised."""
        with conversation(self._shut_down, self.longest) as is_late:
            outcome = self._send(mail, to)
        if is_late() and outcome.state == MailState.QUEUED:
            return self._later("the mail server took too long", 0, b"", to)
        return outcome

    def _shut_down(self) -> None:
        if (smtp := self.smtp) is not None:
            shut_down(smtp.sock)

    def _send(self, mail: EmailMessage, to: str) -> Outcome:
        try:
            smtp = self.smtp or self._open()
        except smtplib.SMTPAuthenticationError as refused:
            return self._later("the mail server rejected the user name and password", refused.smtp_code, b"", to)
        except Exception as error:
            return self._later(f"the mail server cannot be reached: {_why(error)}", 0, b"", to)
        body = mail.as_bytes(policy=mail.policy.clone(linesep="\r\n"))
        try:
            for step in (smtp.mail(self.server.sender.addr_spec), smtp.rcpt(to), smtp.docmd("DATA")):
                if step[0] not in (250, 251, 354):
                    return self._refused(*step, to)
        except (OSError, smtplib.SMTPException) as error:
            return self._later(f"the connection to the mail server broke: {_why(error)}", 0, b"", to)
        try:
            smtp.send(re.sub(rb"(?m)^\.", b"..", body) + b".\r\n")  # RFC 5321, 4.5.2; the body must end with a line end
            code, reply = smtp.getreply()
        except (OSError, smtplib.SMTPException) as error:
            # From here on the server may have accepted the mail.
            self.close()
            return Outcome(MailState.UNSURE, f"the connection broke before the mail server answered: {_why(error)}")
        return Outcome(MailState.SENT) if code == 250 else self._refused(code, reply, to)

    def close(self) -> None:
        """Close the connection, with QUIT if it is still open."""
        smtp, self.smtp = self.smtp, None
        if smtp is not None:
            try:
                with conversation(lambda: shut_down(smtp.sock), GRACE):
                    smtp.quit()
            except (OSError, smtplib.SMTPException):
                smtp.close()

    def _open(self) -> smtplib.SMTP:
        server, context = self.server, ssl.create_default_context()
        if server.scheme == "smtps":
            self.smtp = smtp = smtplib.SMTP_SSL.__new__(smtplib.SMTP_SSL)  # known before it connects: see _shut_down
            smtplib.SMTP_SSL.__init__(smtp, server.host, server.port, timeout=self.seconds, context=context)
        else:
            self.smtp = smtplib.SMTP.__new__(smtplib.SMTP)
            smtplib.SMTP.__init__(self.smtp, server.host, server.port, timeout=self.seconds)
        if server.scheme == "smtp+starttls":
            self.smtp.starttls(context=context)
        self.smtp.ehlo_or_helo_if_needed()
        if server.user:
            self.smtp.login(server.user, server.password)
        return self.smtp

    def _refused(self, code: int, reply: bytes, to: str) -> Outcome:
        """The outcome of a rejection: permanent (5xx), temporary (4xx), or the end of the connection."""
        if code == CLOSING:
            return self._later("the mail server is closing", code, reply, to)
        try:
            if self.smtp is not None:
                self.smtp.rset()
        except (OSError, smtplib.SMTPException):
            self.close()
        state = MailState.FAILED if 500 <= code < 600 else MailState.QUEUED
        return Outcome(state, _words("the mail server refused it", code, reply, to))

    def _later(self, words: str, code: int, reply: bytes, to: str) -> Outcome:
        self.close()
        self.down = _words(words, code, reply, to)
        return Outcome(MailState.QUEUED, self.down)


def _words(words: str, code: int, reply: bytes, to: str) -> str:
    """The reason for the organiser, with the server's answer, made printable and without the address."""
    answer = reply.decode("utf-8", "replace").replace(to, "the address")
    plain = " ".join("".join(c if c.isprintable() else " " for c in answer).split())
    return f"{words}{f' ({code}' if code else ''}{f' {plain[:160]}' if code and plain else ''}{')' if code else ''}"


def _why(error: Exception) -> str:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error) or type(error).__name__
    return " ".join(str(reason).split())[:120]


log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Sent:
    outcomes: tuple[Outcome, ...] = ()
    lost: int = 0
    server_down: str = ""
    """Why the pass ended early; "" if it did not."""

    def count(self, state: MailState) -> int:
        """How many mails ended in this state; queued ones are retried later."""
        return sum(outcome.state == state for outcome in self.outcomes)


def send_due(
    engine: Engine, server: MailServer, secret: str, clock: Callable[[], datetime], longest: float = LONGEST
) -> Sent:
    """Send the due mails of one pass; it ends if the server accepts none. Several passes may run at the same time."""
    with Session(engine) as session, closing(Connection(server, longest=longest)) as connection:

        def take() -> Delivery | None:
            if connection.down:
                return None
            with write(session, clock()) as s:
                return take_next(s, Delivery, clock())

        if not any_due(session, Delivery, clock()):
            return Sent()
        lost = 0
        for event in events_with_lost(session, clock()):
            with write(session, clock(), event) as s:
                lost += mark_lost(s, event, clock())
        outcomes = [_send(session, connection, secret, taken, clock) for taken in in_one_pass(take)]
        return Sent(tuple(outcomes), lost, connection.down)


def _too_late(session: Session, message: Message, now: datetime) -> bool:
    if message.recipients != ABOUT_ADDRESS or AGREE not in asked_for(message.text):
        return False
    change = change_with(session, message.key)
    return change is None or not waits(change, now)


def _send(
    session: Session, connection: Connection, secret: str, taken: Delivery, clock: Callable[[], datetime]
) -> Outcome:
    message = session.get_one(Message, taken.message_id)
    event, player = session.get_one(Event, message.event_id), session.get_one(Player, taken.player_id)
    contact = addressee(session, event, player, message, taken)
    page = whose(session, [player.id]).get(player.id) if message.recipients == OWN_PAGE else None
    if contact is None:
        outcome = Outcome(MailState.FAILED, N_("the player has no mail address any more"))
    elif contact.confirmed_at is None and contact.given_at > message.at:
        outcome = Outcome(MailState.FAILED, N_("the player has given another address since"))
    elif message.recipients == OWN_PAGE and page is None:
        outcome = Outcome(MailState.FAILED, N_("the player's entry is on no page any more"))
    elif _too_late(session, message, clock()):
        outcome = Outcome(
            MailState.FAILED, N_("its link is not valid any more; the player can ask for the change again")
        )
    else:
        try:
            mail, to = letter(connection.server, secret, event, message, taken, player, contact, page), contact.mail
            session.rollback()  # no database connection is held while the mail is sent
            outcome = connection.send(mail, to)
        except Exception:
            connection.close()
            log.exception("delivery %s could not be written as a mail", taken.id)
            outcome = Outcome(MailState.FAILED, N_("it could not be written as a mail; the service's log says why"))
    with write(session, clock(), event if ends_badly(taken, outcome) else None) as s:
        current = s.get_one(Delivery, taken.id, with_for_update=True, populate_existing=True)
        settle_mail(s, event, current, outcome, clock())
    return outcome
