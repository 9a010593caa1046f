"""Players' mail addresses: given once, changed after confirmation from the current one, deleted at any time.

Mails contain the private link, so nobody who has a player's phone for a minute may redirect them. The journal never
contains an address.
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
"""The most changes that a player may request within 24 hours; each sends a mail."""
MOST_TO_ONE = 3
"""The most mails about address changes to one recipient within 24 hours, over all players and events."""
MOST_OF_EVENT = 30
"""The most mails about address changes in one event within 24 hours, apart from the organiser's quota."""
A_DAY = timedelta(hours=24)
ASK_ORGANISER = "Ask the organiser, who can enter it at the desk."
DELETED = f"You deleted your mail address, so a new one cannot be given here. {ASK_ORGANISER}"


def give_address(s: Session, event: Event, player: Player, mail: str, actor: str, now: datetime) -> None:
    """Store a player's mail address as returned by ``read_address``; "" deletes it.

    It takes effect at once: it is the first address, or staff entered it.
    """
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
    """Store the address that a player typed: a first one takes effect at once, "" deletes the current one.

    Any other address waits for confirmation by a mail to the current one; then returns True. ``has_server`` says
    whether mails can be sent. Raises Refused.
    """
    contact = _row_of(s, player)
    if contact is None:
        give_address(s, event, player, mail, actor, now)
        return False
    if contact.mail == mail:
        _forget_change(s, player)  # the current address
        return False
    if not event.mail_asked and mail:
        raise Refused("This event takes no mail addresses.", "mail")
    if not mail:
        # The row stays, empty, so that the next address does not count as a first one.
        _forget_change(s, player)
        contact.mail, contact.given_at = "", now
        _note(s, event, player, f"Deleted the mail address of {player.name}", actor, now)
        return False
    if not contact.mail:
        raise Refused(DELETED, "mail")
    if not has_server:
        raise Refused(f"This server sends no mail, so you cannot confirm another address. {ASK_ORGANISER}", "mail")
    _check_asked(s, player, now)
    if why := _why_not_mailed(s, event, contact.mail, now):
        raise Refused(f"{why} Try again tomorrow. {ASK_ORGANISER}", "mail")
    _forget_change(s, player)
    asked = _write(s, event, player, ASKED, actor, now)
    s.add(MailChange(event_id=event.id, player_id=player.id, mail=mail, key=asked.key, asked_at=now))
    _note(
        s,
        event,
        player,
        f"{player.name} asked to change the mail address, which the current address must confirm",
        actor,
        now,
    )
    return True


def cancel_change(s: Session, event: Event, player: Player, actor: str, now: datetime) -> None:
    """Cancel the waiting change of a mail address, if any."""
    if _forget_change(s, player):
        _note(s, event, player, f"Cancelled the change of the mail address of {player.name}", actor, now)


def agree(s: Session, event: Event, player: Player, key: str, now: datetime, *, has_server: bool) -> None:
    """Confirm the change with this key: the new address takes effect, and a mail is sent to it.

    Raises Refused if the change is not waiting.
    """
    change = change_of(s, player)
    contact = _row_of(s, player)
    if change is None or change.key != key or not waits(change, now) or contact is None or not event.mail_asked:
        raise Refused("This change is no longer pending.")
    mailed = has_server and not _why_not_mailed(s, event, change.mail, now)
    contact.mail, contact.given_at = change.mail, now
    s.delete(change)
    actor = f"player {player.name}"
    _note(s, event, player, f"Changed the mail address of {player.name}, confirmed from the former one", actor, now)
    _write(s, event, player, CHANGED, actor, now, mailed=mailed)


def forget_addresses(s: Session, event: Event) -> int:
    """Delete every mail address of the event's players, waiting ones too. Returns how many were in use."""
    contacts = s.exec(
        select(Contact).join(Player, col(Contact.player_id) == col(Player.id)).where(Player.event_id == event.id)
    ).all()
    changes = s.exec(select(MailChange).where(MailChange.event_id == event.id)).all()
    for row in (*contacts, *changes):
        s.delete(row)
    return sum(contact.mail != "" for contact in contacts)


def _row_of(s: Session, player: Player) -> Contact | None:
    """The stored row of the player's address, which is empty after a deletion."""
    return s.exec(select(Contact).where(Contact.player_id == player.id)).first()


def _check_asked(s: Session, player: Player, now: datetime) -> None:
    """Raise Refused if the player has requested too many changes within a day."""
    asked = (
        select(func.count())
        .select_from(Delivery)
        .join(Message, col(Delivery.message_id) == col(Message.id))
        .where(Delivery.player_id == player.id, Message.recipients == ABOUT_ADDRESS, Message.subject == ASKED.subject)
        .where(Message.at > now - A_DAY)
    )
    if s.exec(asked).one() >= MOST_ASKED:
        raise Refused(f"You have reached the limit of {MOST_ASKED} changes in 24 hours. {ASK_ORGANISER}", "mail")


def _why_not_mailed(s: Session, event: Event, recipient: str, now: datetime) -> str:
    """Why no mail about an address change can be sent to this recipient now; "" if it can."""
    if address_mails_since(s, event, now - A_DAY) >= MOST_OF_EVENT:
        return f"This event has sent {MOST_OF_EVENT} mails about changed addresses in 24 hours."
    if address_mails_to(s, recipient, now - A_DAY) >= MOST_TO_ONE:
        return f"Your address has had {MOST_TO_ONE} mails about changed addresses in 24 hours."
    return ""


def _write(
    s: Session, event: Event, player: Player, template: Template, actor: str, now: datetime, *, mailed: bool = True
) -> Message:
    """Put one of the service's own messages on the player's page, and mail it to the current address."""
    message = Message(
        event_id=event.id, key=secrets.token_urlsafe(24), recipients=ABOUT_ADDRESS, subject=template.subject,
        text=template.text, words={"event": event.name, AGREE: NOT_HERE}, public=False, by=actor[:120], at=now,
    )  # fmt: skip
    s.add(message)
    s.flush()  # assigns the message's id for its delivery
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
    """Delete the waiting change and its unsent mail. Returns whether there was one."""
    change = change_of(s, player)
    if change is None:
        return False
    queued = select(Delivery).join(Message, col(Delivery.message_id) == col(Message.id))
    for delivery in s.exec(queued.where(Message.event_id == change.event_id, Message.key == change.key)):
        if delivery.mail == MailState.QUEUED:
            delivery.mail, delivery.next_try = None, None
    s.delete(change)
    s.flush()  # before the same player's next one is added
    return True


def _note(s: Session, event: Event, player: Player, text: str, actor: str, now: datetime) -> None:
    note(s, event, actor, now, "mail-address", text, player=player.id)
