"""The worker that sends the queue: one mail at a time is taken, handed over and settled, each step its own commit."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from email.errors import MessageError

from sqlalchemy import Engine
from sqlmodel import Session

from events.actions.deliveries import Outcome, any_due, ends_badly, events_with_lost, find_lost, settle, take_next
from events.letters import letter
from events.mail_changes import ABOUT_ADDRESS, AGREE
from events.mail_settings import MailServer
from events.message_reading import change_with, contact_of, waits
from events.message_text import asked_for
from events.smtp import Line
from models.db import write
from models.event import Event
from models.message import Delivery, MailState, Message
from models.play import Player

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Sent:
    """What became of the mails of one pass."""

    outcomes: tuple[Outcome, ...] = ()
    lost: int = 0

    def count(self, state: MailState) -> int:
        """How many ended so; queued are those that are tried again later."""
        return sum(one.state == state for one in self.outcomes)

    @property
    def server_down(self) -> str:
        """Why the pass ended before its time; "" where it did not."""
        return next((one.reason for one in self.outcomes if one.server_down), "")


def send_due(engine: Engine, server: MailServer, secret: str, clock: Callable[[], datetime]) -> Sent:
    """Send every mail that is due, until none is left or the server does not take them. Any number may run at once."""
    outcomes: list[Outcome] = []
    line = Line(server)
    with Session(engine) as session:
        if not any_due(session, clock()):
            return Sent()
        lost = 0
        for event in events_with_lost(session, clock()):
            with write(session, clock(), event) as s:
                lost += find_lost(s, event, clock())
        try:
            while not (outcomes and outcomes[-1].server_down):
                with write(session, clock()) as s:
                    taken = take_next(s, clock())
                if taken is None:
                    break
                outcomes.append(_send(session, line, secret, taken, clock))
        finally:
            line.close()
    return Sent(tuple(outcomes), lost)


def _too_late(session: Session, message: Message, now: datetime) -> bool:
    """Whether the mail would bring a link that agrees to nothing any more."""
    if message.recipients != ABOUT_ADDRESS or AGREE not in asked_for(message.text):
        return False
    change = change_with(session, message.key)
    return change is None or not waits(change, now)


def _send(session: Session, line: Line, secret: str, taken: Delivery, clock: Callable[[], datetime]) -> Outcome:
    message = session.get_one(Message, taken.message_id)
    event, player = session.get_one(Event, message.event_id), session.get_one(Player, taken.player_id)
    contact = contact_of(session, player)
    if contact is None or not event.mail_asked:
        outcome = Outcome(MailState.FAILED, "the player gives no mail address any more")
    elif _too_late(session, message, clock()):
        outcome = Outcome(MailState.FAILED, "its link is not good any more; the player asks for the change again")
    else:
        try:
            mail, to = letter(line.server, secret, event, message, taken, player, contact.mail), contact.mail
            session.rollback()  # nothing of the database is held while the server is spoken to
            outcome = line.hand_over(mail, to)
        except (MessageError, ValueError, UnicodeError):
            log.exception("delivery %s could not be written as a mail", taken.id)
            outcome = Outcome(MailState.FAILED, "it could not be written as a mail; the service's log says why")
    with write(session, clock(), event if ends_badly(taken, outcome) else None) as s:
        current = s.get_one(Delivery, taken.id, with_for_update=True, populate_existing=True)
        settle(s, event, current, outcome, clock())
    return outcome
