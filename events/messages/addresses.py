"""Players' mail addresses.

An address is given once, changed after confirmation from the current one, and deleted at any time: mails contain the
private link, so nobody who has a player's phone for a minute may redirect them. The journal never contains one.
"""

from datetime import datetime

from sqlmodel import Session, col, func, select

from events.messages.actions import A_DAY, queue_mail
from events.messages.queries import (
    address_mails_to,
    change_of,
    mails_since,
    waits,
)
from events.messages.text import (
    ABOUT_ADDRESS,
    ASKED,
    CHANGED,
)
from events.play.act import Act
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


ASK_ORGANISER = "Ask the organiser to enter the address at the desk."


DELETED = "You deleted your mail address. To use mail again, ask the organiser to enter an address at the desk."


def give_address(act: Act, player: Player, mail: str) -> None:
    """Store a player's mail address as returned by ``read_address``; "" deletes it.

    It takes effect at once: it is the first address, or staff entered it.
    """
    contact = _row_of(act.s, player)
    if not act.event.mail_asked and mail:
        raise Refused("This event takes no mail addresses.", "mail")
    _forget_change(act.s, player)
    before = contact.mail if contact else ""
    if contact is not None and not mail:
        act.s.delete(contact)
    elif contact is not None and before != mail:
        contact.mail, contact.given_at = mail, act.now
    elif contact is None and mail:
        act.s.add(Contact(player_id=player.id, mail=mail, given_at=act.now))
    if before == mail:
        return
    did = "Deleted" if not mail else "Changed" if before else "Stored"
    _note(act, player, f"{did} the mail address of {player.name}")


def ask_for(act: Act, player: Player, mail: str, *, has_server: bool) -> bool:
    """Store the address that a player typed: a first one takes effect at once, "" deletes the current one.

    Any other address waits for confirmation by a mail to the current one; then returns True. ``has_server`` says
    whether mails can be sent. Raises Refused.
    """
    s, event = act.s, act.event
    contact = _row_of(s, player)
    if contact is None:
        give_address(act, player, mail)
        return False
    if contact.mail == mail:
        _forget_change(s, player)  # the current address
        return False
    if not event.mail_asked and mail:
        raise Refused("This event takes no mail addresses.", "mail")
    if not mail:
        # The row stays, empty, so that the next address does not count as a first one.
        _forget_change(s, player)
        contact.mail, contact.given_at = "", act.now
        _note(act, player, f"Deleted the mail address of {player.name}")
        return False
    if not contact.mail:
        raise Refused(DELETED, "mail")
    if not has_server:
        raise Refused(f"This server sends no mail, so you cannot confirm another address. {ASK_ORGANISER}", "mail")
    _check_asked(s, player, act.now)
    if why := _why_not_mailed(s, event, contact.mail, act.now):
        raise Refused(f"{why} Try again tomorrow. {ASK_ORGANISER}", "mail")
    _forget_change(s, player)
    asked = queue_mail(act, player, ASKED)
    s.add(MailChange(event_id=event.id, player_id=player.id, mail=mail, key=asked.key, asked_at=act.now))
    _note(act, player, f"{player.name} asked to change the mail address, which the current address must confirm")
    return True


def cancel_change(act: Act, player: Player) -> None:
    """Cancel the waiting change of a mail address, if any."""
    if _forget_change(act.s, player):
        _note(act, player, f"Cancelled the change of the mail address of {player.name}")


def confirm_address(s: Session, event: Event, player: Player, key: str, now: datetime, *, has_server: bool) -> None:
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
    act = Act(s, event, f"player {player.name}", now)
    _note(act, player, f"Changed the mail address of {player.name}, confirmed from the former one")
    queue_mail(act, player, CHANGED, mailed=mailed)


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
    if mails_since(s, event, now - A_DAY, about_addresses=True) >= MOST_OF_EVENT:
        return f"This event has sent {MOST_OF_EVENT} mails about changed addresses in 24 hours."
    if address_mails_to(s, recipient, now - A_DAY) >= MOST_TO_ONE:
        return f"Your address has had {MOST_TO_ONE} mails about changed addresses in 24 hours."
    return ""


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


def _note(act: Act, player: Player, text: str) -> None:
    note(act, "mail-address", text, player=player.id)


def allow_mail(act: Act, allowed: bool) -> None:
    """Allow players to give a mail address; or disallow it and delete every address."""
    if act.event.mail_asked == allowed:
        return
    act.event.mail_asked = allowed
    given = 0 if allowed else forget_addresses(act.s, act.event)
    deleted = f"; {given} deleted" if given else ""
    text = "Players may give a mail address" if allowed else f"Players can no longer give a mail address{deleted}"
    note(act, "allow-mail", text, allowed=allowed)
