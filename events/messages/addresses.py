"""Players' mail addresses.

An address that a player gives gets one mail, which asks; opened, it confirms the address. A confirmed one is changed
after confirmation from it, and any is deleted at any time; a confirmed one is mailed about that. Mails contain the
private link, so nobody who has a player's phone for a minute may redirect them. The journal never contains an address.
"""

from datetime import datetime

from sqlmodel import Session, col, func, select

from events.messages import permits
from events.messages.actions import queue_mail
from events.messages.permits import A_DAY, Cause
from events.messages.queries import change_of, waits
from events.messages.text import ABOUT_ADDRESS, ASKED, CONFIRM, NO_ADDRESS, PAGE_ADDED, PAGE_MADE, TO_CONFIRM, Template
from events.store.act import Act
from events.store.errors import Refused
from events.store.journal import note
from events.store.players import by_name
from languages.message import message
from languages.words import N_, gettext, ngettext
from models.dispatch import Dispatch, DispatchState
from models.event import Event
from models.message import Contact, Delivery, MailChange, Message
from models.play import Player

MOST_ASKED = 3
"""The most addresses that a player may give within 24 hours; each sends a mail."""


GONE = N_("Deleted the mail address of %(name)s")
DELETED = N_("You deleted your mail address. To use mail again, ask the organiser to enter an address at the desk.")


def give_address(act: Act, player: Player, mail: str, *, by_desk: bool = True) -> bool:
    """Store a player's mail address as returned by ``read_address``; "" deletes it. Returns whether it has changed.

    The desk confirms what it saves. A player's own is to be confirmed.
    """
    contact = _row_of(act.s, player)
    if not act.event.mail_asked and mail:
        raise Refused(gettext("This event takes no mail addresses."), "mail")
    _forget_change(act.s, player)
    before, confirmed_at = contact.mail if contact else "", act.now if by_desk else None
    if before == mail and not (contact and mail and by_desk and contact.confirmed_at is None):
        return False
    if contact is not None and contact.confirmed_at is None and mail != before and _waits_to_ask(act.s, player):
        permits.release_quota(act.s, act.event, contact, Cause.STRANGER)  # the mail is not sent to a former address
    stored, changed = N_("Stored the mail address of %(name)s"), N_("Changed the mail address of %(name)s")
    confirmed = N_("Confirmed the mail address of %(name)s")
    if contact is not None and not mail:
        act.s.delete(contact)
    elif contact is not None:
        contact.mail, contact.given_at, contact.confirmed_at = mail, act.now, confirmed_at
    else:
        act.s.add(Contact(player_id=player.id, mail=mail, given_at=act.now, confirmed_at=confirmed_at))
    _note(act, player, GONE if not mail else stored if not before else changed if before != mail else confirmed)
    return True


def _waits_to_ask(s: Session, player: Player) -> bool:
    """Whether a mail that asks the player's address to be confirmed is not sent yet."""
    queued = Dispatch.player_id == player.id, Dispatch.state == DispatchState.QUEUED
    return s.exec(select(Dispatch.id).where(*queued, Dispatch.about == CONFIRM)).first() is not None


def give_own_address(act: Act, player: Player, mail: str, *, has_server: bool) -> None:
    """Store the address that a player typed, and mail the private link to it once: opened, it confirms the address."""
    if not give_address(act, player, mail, by_desk=False) or not mail or not has_server:
        return
    act.s.flush()  # the address has its row
    contact = _row_of(act.s, player)
    if contact is not None and not permits.claim(act.s, act.event, contact, Cause.STRANGER, act.now):
        queue_mail(act, player, TO_CONFIRM)


def confirm_own_address(act: Act, player: Player, mail: str) -> None:
    """Confirm the address of all the event's players who gave it. Raises Refused if this one gave another since."""
    row = _row_of(act.s, player)
    if row is None or row.mail != mail or not act.event.mail_asked:
        raise Refused(gettext("This address is not in use any more."))
    for contact, other in same_address(act.s, act.event, row):
        if contact.confirmed_at is None:
            contact.confirmed_at = act.now
            _note(act, other, N_("%(name)s confirmed the mail address"))
    permits.forget_asked(act.s, row)


def same_address(s: Session, event: Event, contact: Contact) -> list[tuple[Contact, Player]]:
    """The event's players who gave this address, by name."""
    query = select(Contact, Player).join(Player, col(Contact.player_id) == col(Player.id))
    query = query.where(Player.event_id == event.id, func.lower(Contact.mail) == contact.mail.lower())
    return sorted(((match, player) for match, player in s.exec(query)), key=lambda row: by_name(row[1]))


def ask_for(act: Act, player: Player, mail: str, *, has_server: bool) -> bool:
    """Store the address that a player typed: at once if the current one is not confirmed, "" deletes that.

    Any other address waits for confirmation by a mail to the current one; then returns True. ``has_server`` says
    whether mails can be sent. Raises Refused.
    """
    s, event = act.s, act.event
    contact = _row_of(s, player)
    if contact is None or (contact.mail and mail and contact.confirmed_at is None and contact.mail != mail):
        _check_asked(s, player, act.now)
        give_own_address(act, player, mail, has_server=has_server)
        return False
    if contact.mail == mail:
        _forget_change(s, player)  # the current address
        return False
    if not event.mail_asked and mail:
        raise Refused(gettext("This event takes no mail addresses."), "mail")
    if not mail:
        # The row stays, empty, so that the next address does not count as a first one.
        _forget_change(s, player)
        if contact.confirmed_at is not None:
            warn_owner(act, player, NO_ADDRESS, has_server=has_server)
        contact.mail, contact.given_at, contact.confirmed_at = "", act.now, None
        _note(act, player, GONE)
        return False
    if not contact.mail:
        raise Refused(gettext(DELETED), "mail")
    if not has_server:
        raise Refused(
            gettext(
                "This server sends no mail, so you cannot confirm another address. Ask the organiser to enter the "
                "address at the desk."
            ),
            "mail",
        )
    _check_asked(s, player, act.now)
    if why := permits.claim(s, event, contact, Cause.STRANGER, act.now):
        raise Refused(
            gettext("%(why)s Try again tomorrow. Ask the organiser to enter the address at the desk.", why=why), "mail"
        )
    _forget_change(s, player)
    asked = queue_mail(act, player, ASKED)
    s.add(MailChange(event_id=event.id, player_id=player.id, mail=mail, key=asked.key, asked_at=act.now))
    _note(act, player, N_("%(name)s asked to change the mail address, which the current address must confirm"))
    return True


def warn_owner(act: Act, player: Player, template: Template, *, has_server: bool) -> None:
    """Put on the player's page what a thief of the phone could have done, and mail it to a confirmed address."""
    contact = _row_of(act.s, player)
    mailed = has_server and contact is not None and contact.mail != ""
    if contact is not None and mailed:
        mailed = not permits.claim(act.s, act.event, contact, Cause.EVENT, act.now)
    if template is PAGE_MADE and not mailed:
        template = PAGE_ADDED  # the other one speaks of the link in the mail
    queue_mail(act, player, template, mailed=mailed, pinned=contact.mail if contact and mailed else "")


def cancel_change(act: Act, player: Player) -> None:
    if _forget_change(act.s, player):
        _note(act, player, N_("Cancelled the change of the mail address of %(name)s"))


def confirm_address(s: Session, event: Event, player: Player, key: str, now: datetime, *, has_server: bool) -> None:
    """Confirm the change with this key: the new address is stored, and a mail asks it to be confirmed.

    Raises Refused if the change is not waiting.
    """
    change = change_of(s, player)
    contact = _row_of(s, player)
    if change is None or change.key != key or not waits(change, now) or contact is None or not event.mail_asked:
        raise Refused(gettext("This change is no longer pending."))
    act = Act(s, event, f"player {player.name}", now)
    give_own_address(act, player, change.mail, has_server=has_server)


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
    asked = (
        select(func.count())
        .select_from(Delivery)
        .join(Message, col(Delivery.message_id) == col(Message.id))
        .where(
            Delivery.player_id == player.id,
            col(Message.recipients).in_((ABOUT_ADDRESS, CONFIRM)),
            Message.at > now - A_DAY,
        )
    )
    if s.exec(asked).one() >= MOST_ASKED:
        raise Refused(
            ngettext(
                "You have reached the limit of %(num)s address in 24 hours. Ask the organiser to enter "
                "the address at the desk.",
                "You have reached the limit of %(num)s addresses in 24 hours. Ask the organiser to enter "
                "the address at the desk.",
                MOST_ASKED,
            ),
            "mail",
        )


def _forget_change(s: Session, player: Player) -> bool:
    """Delete the waiting change and its unsent mail. Returns whether there was one."""
    change = change_of(s, player)
    if change is None:
        return False
    mails = select(Dispatch).join(Delivery).join(Message)
    for mail in s.exec(mails.where(Message.event_id == change.event_id, Message.key == change.key)):
        if mail.state == DispatchState.QUEUED:
            s.delete(mail)
    s.delete(change)
    s.flush()  # before the same player's next one is added
    return True


def _note(act: Act, player: Player, text: str) -> None:
    note(act, "mail-address", message(text, name=player.name), player=player.id)


def allow_mail(act: Act, allowed: bool) -> None:
    """Allow players to give a mail address; or disallow it and delete every address."""
    if act.event.mail_asked == allowed:
        return
    act.event.mail_asked = allowed
    given = 0 if allowed else forget_addresses(act.s, act.event)
    text = message("Players may give a mail address")
    if not allowed:
        text = message("Players can no longer give a mail address")
    if given:
        text = message("Players can no longer give a mail address; %(given)s deleted", given=given)
    note(act, "allow-mail", text, allowed=allowed)
