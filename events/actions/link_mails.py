"""Mailing a player's private link to the address on file: staff who may not see the link can still hand it out."""

import secrets
from datetime import datetime, timedelta

from sqlmodel import Session, col, func, select

from events.actions.addresses import A_DAY
from events.actions.journal import note
from events.errors import Refused
from events.message_reading import contacts_of, mails_since
from events.message_text import Template
from models.event import Event
from models.message import Delivery, MailState, Message
from models.play import Player

OWN_LINK = "own_link"
"""The recipients of these messages, as ``Message.recipients`` says it: no message written by hand can have it."""
AN_HOUR = timedelta(hours=1)
MOST_AN_HOUR = 3
"""Mails with the private link to one player within an hour."""
LINK = Template(
    "Private link",
    OWN_LINK,
    "{event}: your private link",
    "Hello {name},\n\nthis is the private link to your page of {event}:\n\n{link}\n\nKeep it to yourself: anybody who "
    "has it can report results and change your list for you.",
)


def mail_link(s: Session, event: Event, player: Player, a_day: int, actor: str, now: datetime) -> None:
    """Queue a mail with the player's private link to the address on file; nobody at the desk sees the link.

    ``a_day`` is how many mails the event may queue within 24 hours, 0 where there is no mail server. Raises Refused.
    """
    if not a_day or player.id not in contacts_of(s, event):
        raise Refused(f"No mail can be sent to {player.name}. Ask an organiser for the private link.")
    sent = select(func.count()).select_from(Delivery).join(Message, col(Delivery.message_id) == col(Message.id))
    sent = sent.where(Delivery.player_id == player.id, Message.recipients == OWN_LINK, Message.at > now - AN_HOUR)
    if s.exec(sent).one() >= MOST_AN_HOUR:
        raise Refused(f"{player.name} was mailed the link {MOST_AN_HOUR} times within an hour. Try again later.")
    if mails_since(s, event, now - A_DAY) >= a_day:
        raise Refused("This event has sent as many mails as it may in 24 hours. Ask an organiser for the private link.")
    message = Message(
        event_id=event.id, key=secrets.token_urlsafe(24), recipients=OWN_LINK, subject=LINK.subject, text=LINK.text,
        words={"event": event.name}, public=False, by=actor[:120], at=now,
    )  # fmt: skip
    s.add(message)
    s.flush()  # makes the message's id for its delivery
    words = {"event": event.name, "name": player.name}
    s.add(Delivery(message_id=message.id, player_id=player.id, words=words, mail=MailState.QUEUED, next_try=now))
    note(s, event, actor, now, "mail-link", f"Mailed the private link to {player.name}", player=player.id)
