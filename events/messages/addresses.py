"""Where a player wants mail: given once, changed when the address until now agrees, taken back at any time.

Mails hold the private link. So whoever has a player's phone for a minute must not be able to lead them elsewhere. The
journal never holds an address.
"""

import secrets
from datetime import datetime, timedelta

from sqlmodel import Session, col, func, select

from events.messages.queries import address_mails_since, address_mails_to, change_of, waits
from events.messages.text import ABOUT_ADDRESS, AGREE, ASKED, CHANGED, NOT_HERE, Template
from events.play.errors import Refused
from events.play.journal import note
from models.event import Event
from models.mail_change import MailChange
from models.message import Contact, Delivery, MailState, Message
from models.play import Player

MOST_ASKED = 3
"""Changes that a player may ask for within 24 hours: each is a mail to somebody."""
MOST_TO_ONE = 3
"""Mails about changed addresses to one recipient within 24 hours, over all players and events."""
MOST_OF_EVENT = 30
"""Mails about changed addresses of one event within 24 hours. They do not count against the organiser's quota."""
A_DAY = timedelta(hours=24)
ASK_ORGANISER = "Ask the organiser, who can enter it at the desk."
TAKEN_BACK = f"You took back the address that you gave, so this one is not taken from a phone alone. {ASK_ORGANISER}"


def give_address(s: Session, event: Event, player: Player, mail: str, actor: str, now: datetime) -> None:
    """Keep where a player wants mail, as ``read_address`` gave it; "" deletes it. It counts at once: a first address,
    or one that staff enters."""
    contact = _row_of(s, player)
    if not event.mail_asked and mail:
        raise Refused("This event takes no mail addresses.", "mail")
    _forget_change(s, player)
    before = contact.mail if contact else ""
    if contact is not None and not mail:
        s.delete(contact)
    elif contact is not None and before != mail:
        contact.mail, contact.given_at = mail, now
    elif contact is None and mail:
        s.add(Contact(player_id=player.id, mail=mail, given_at=now))
    if before == mail:
        return
    did = "Deleted" if not mail else "Changed" if before else "Stored"
    _note(s, event, player, f"{did} the mail address of {player.name}", actor, now)


def ask_for(
    s: Session, event: Event, player: Player, mail: str, actor: str, now: datetime, *, has_server: bool
) -> bool:
    """What a player types as the own address: a first one counts at once, "" takes back the one that was given.

    Any other waits until the current address agrees, which a mail is sent to; True where one waits. ``has_server`` says
    whether mails can be sent. Raises Refused.
    """
    contact = _row_of(s, player)
    if contact is None:
        give_address(s, event, player, mail, actor, now)
        return False
    if contact.mail == mail:
        _forget_change(s, player)  # the address of until now, typed once more
        return False
    if not event.mail_asked and mail:
        raise Refused("This event takes no mail addresses.", "mail")
    if not mail:
        # The row stays, empty: the next address is not a first one.
        _forget_change(s, player)
        contact.mail, contact.given_at = "", now
        _note(s, event, player, f"Deleted the mail address of {player.name}", actor, now)
        return False
    if not contact.mail:
        raise Refused(TAKEN_BACK, "mail")
    if not has_server:
        raise Refused(f"This server sends no mail, so the address until now cannot be asked. {ASK_ORGANISER}", "mail")
    _check_asked(s, player, now)
    if why := _why_not_mailed(s, event, contact.mail, now):
        raise Refused(f"{why} Try again tomorrow. {ASK_ORGANISER}", "mail")
    _forget_change(s, player)
    asked = _write(s, event, player, ASKED, actor, now)
    s.add(MailChange(event_id=event.id, player_id=player.id, mail=mail, key=asked.key, asked_at=now))
    _note(s, event, player, f"{player.name} asked for mails to another address: the one until now decides", actor, now)
    return True


def take_back_change(s: Session, event: Event, player: Player, actor: str, now: datetime) -> None:
    """The change that waits is not wanted any more. Where none waits nothing is done."""
    if _forget_change(s, player):
        _note(s, event, player, f"Took back the change of the mail address of {player.name}", actor, now)


def agree(s: Session, event: Event, player: Player, key: str, now: datetime, *, has_server: bool) -> None:
    """The address until now agrees to the change of this key: it counts, and a mail to the new one says so.

    Raises Refused where that change waits no more.
    """
    change = change_of(s, player)
    contact = _row_of(s, player)
    if change is None or change.key != key or not waits(change, now) or contact is None or not event.mail_asked:
        raise Refused("This change does not wait any more.")
    mailed = has_server and not _why_not_mailed(s, event, change.mail, now)
    contact.mail, contact.given_at = change.mail, now
    s.delete(change)
    actor = f"player {player.name}"
    _note(s, event, player, f"Changed the mail address of {player.name}: the one until now agreed", actor, now)
    _write(s, event, player, CHANGED, actor, now, mailed=mailed)


def forget_addresses(s: Session, event: Event) -> int:
    """Delete every address of the event's players, those that wait as well; how many counted."""
    contacts = s.exec(
        select(Contact).join(Player, col(Contact.player_id) == col(Player.id)).where(Player.event_id == event.id)
    ).all()
    changes = s.exec(select(MailChange).where(MailChange.event_id == event.id)).all()
    for row in (*contacts, *changes):
        s.delete(row)
    return sum(contact.mail != "" for contact in contacts)


def _row_of(s: Session, player: Player) -> Contact | None:
    """The player's address as it is stored, an empty one that was taken back too."""
    return s.exec(select(Contact).where(Contact.player_id == player.id)).first()


def _check_asked(s: Session, player: Player, now: datetime) -> None:
    """Refuse a player who has asked for as many changes as one may today. Raises Refused."""
    asked = (
        select(func.count())
        .select_from(Delivery)
        .join(Message, col(Delivery.message_id) == col(Message.id))
        .where(Delivery.player_id == player.id, Message.recipients == ABOUT_ADDRESS, Message.subject == ASKED.subject)
        .where(Message.at > now - A_DAY)
    )
    if s.exec(asked).one() >= MOST_ASKED:
        raise Refused(f"You asked for {MOST_ASKED} changes in 24 hours: no more for now. {ASK_ORGANISER}", "mail")


def _why_not_mailed(s: Session, event: Event, recipient: str, now: datetime) -> str:
    """Why no mail about a changed address goes to this recipient now; "" where one may."""
    if address_mails_since(s, event, now - A_DAY) >= MOST_OF_EVENT:
        return f"This event has sent {MOST_OF_EVENT} mails about changed addresses in 24 hours."
    if address_mails_to(s, recipient, now - A_DAY) >= MOST_TO_ONE:
        return f"Your address has had {MOST_TO_ONE} mails about changed addresses in 24 hours."
    return ""


def _write(
    s: Session, event: Event, player: Player, said: Template, actor: str, now: datetime, *, mailed: bool = True
) -> Message:
    """Put one of the service's own messages on the player's page, and into the queue for the address that counts."""
    message = Message(
        event_id=event.id, key=secrets.token_urlsafe(24), recipients=ABOUT_ADDRESS, subject=said.subject,
        text=said.text, words={"event": event.name, AGREE: NOT_HERE}, public=False, by=actor[:120], at=now,
    )  # fmt: skip
    s.add(message)
    s.flush()  # makes the message's id for its delivery
    delivery = Delivery(
        message_id=message.id,
        player_id=player.id,
        words={"event": event.name, "name": player.name, AGREE: NOT_HERE},
    )
    if mailed:
        delivery.mail, delivery.next_try = MailState.QUEUED, now
    s.add(delivery)
    return message


def _forget_change(s: Session, player: Player) -> bool:
    """End the change that waits, and the mail about it where it has not gone; whether there was one."""
    change = change_of(s, player)
    if change is None:
        return False
    queued = select(Delivery).join(Message, col(Delivery.message_id) == col(Message.id))
    for delivery in s.exec(queued.where(Message.event_id == change.event_id, Message.key == change.key)):
        if delivery.mail == MailState.QUEUED:
            delivery.mail, delivery.next_try = None, None
    s.delete(change)
    s.flush()  # before the next one of the same player is added
    return True


def _note(s: Session, event: Event, player: Player, text: str, actor: str, now: datetime) -> None:
    note(s, event, actor, now, "mail-address", text, player=player.id)
