"""Reading messages and their deliveries."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlmodel import Session, col, func, select
from sqlmodel.sql.expression import SelectOfScalar

from events.mail_changes import ABOUT_ADDRESS, GOOD_FOR
from models.event import Event
from models.mail_change import MailChange
from models.message import Contact, Delivery, MailState, Message
from models.play import Player

TROUBLE = (MailState.FAILED, MailState.UNSURE)
"""What the organiser has to know of."""
LATE = timedelta(minutes=15)


def messages_of(s: Session, event: Event) -> Sequence[Message]:
    """The event's messages, newest first."""
    return s.exec(select(Message).where(Message.event_id == event.id).order_by(col(Message.id).desc())).all()


def message_of(s: Session, event: Event, message_id: int) -> Message | None:
    """A message of this event; None for one of another."""
    message = s.get(Message, message_id)
    return message if message is not None and message.event_id == event.id else None


def deliveries_of(s: Session, message: Message) -> list[tuple[Delivery, Player]]:
    """To whom a message went, by name."""
    found = s.exec(
        select(Delivery, Player)
        .join(Player, col(Delivery.player_id) == col(Player.id))
        .where(Delivery.message_id == message.id)
        .order_by(col(Player.name_key))
    )
    return [(delivery, player) for delivery, player in found]


def counts_of(s: Session, event: Event) -> dict[int, dict[str, int]]:
    """By message: how many deliveries there are (``all``), have been ``read``, and are in each state of the mail."""
    mail, read = col(Delivery.mail), col(Delivery.read_at).is_not(None)
    found = s.exec(
        select(col(Delivery.message_id), mail, read, func.count())
        .join(Message, col(Delivery.message_id) == col(Message.id))
        .where(Message.event_id == event.id)
        .group_by(col(Delivery.message_id), mail, read)
    )
    counts: dict[int, dict[str, int]] = {}
    for message_id, state, was_read, number in found:
        of_message = counts.setdefault(message_id, {"all": 0, "read": 0})
        for name in ("all", *(["read"] if was_read else []), *([state.value] if state else [])):
            of_message[name] = of_message.get(name, 0) + number
    return counts


def messages_to(s: Session, player: Player) -> list[tuple[Delivery, Message]]:
    """What was written to a player: unread first, then the newest."""
    found = s.exec(
        select(Delivery, Message)
        .join(Message, col(Delivery.message_id) == col(Message.id))
        .where(Delivery.player_id == player.id)
        .order_by(col(Delivery.read_at).is_not(None), col(Message.id).desc())
    )
    return [(delivery, message) for delivery, message in found]


def public_messages(s: Session, event: Event) -> list[Message]:
    """What stands on the event's page, newest first."""
    return [message for message in messages_of(s, event) if message.public]


def contact_of(s: Session, player: Player) -> Contact | None:
    """Where the player wants mail; for the player and for staff alone. None too where it was taken back."""
    return s.exec(select(Contact).where(Contact.player_id == player.id, Contact.mail != "")).first()


def took_back_address(s: Session, player: Player) -> bool:
    """Whether the player gave an address once and took it back: the next one is not a first one."""
    return s.exec(select(Contact).where(Contact.player_id == player.id, Contact.mail == "")).first() is not None


def change_of(s: Session, player: Player) -> MailChange | None:
    """The change of the player's mail address that was asked for last, and was neither agreed to nor taken back."""
    return s.exec(select(MailChange).where(MailChange.player_id == player.id)).first()


def waits(change: MailChange, now: datetime) -> bool:
    """Whether the link to this change still agrees to it."""
    return now < change.asked_at + GOOD_FOR


def change_with(s: Session, key: str) -> MailChange | None:
    """The change that a link was made for."""
    return s.exec(select(MailChange).where(MailChange.key == key)).first() if key else None


def contacts_of(s: Session, event: Event) -> dict[int, Contact]:
    """Where the event's players want mail, by player id."""
    found = s.exec(
        select(Contact)
        .join(Player, col(Contact.player_id) == col(Player.id))
        .where(Player.event_id == event.id, Contact.mail != "")
    )
    return {contact.player_id: contact for contact in found}


def in_trouble(s: Session, event: Event) -> int:
    """How many mails could not be sent, or may not have been."""
    return s.exec(_counted(event).where(col(Delivery.mail).in_(TROUBLE))).one()


def waiting_since(s: Session, event: Event, now: datetime) -> datetime | None:
    """Since when a mail could have been sent and nobody has: the worker does not run. None where all is well."""
    first = s.exec(
        select(func.min(Delivery.next_try))
        .join(Message, col(Delivery.message_id) == col(Message.id))
        .where(Message.event_id == event.id, Delivery.mail == MailState.QUEUED)
    ).one()
    return first if first is not None and first < now - LATE else None


def mails_since(s: Session, event: Event, moment: datetime) -> int:
    """How many mails the event has queued since then, without those about changed addresses."""
    queued = _counted(event).where(Message.at > moment, col(Delivery.mail).is_not(None))
    return s.exec(queued.where(Message.recipients != ABOUT_ADDRESS)).one()


def address_mails_since(s: Session, event: Event, moment: datetime) -> int:
    """How many mails about changed addresses the event has queued since then."""
    queued = _counted(event).where(Message.at > moment, col(Delivery.mail).is_not(None))
    return s.exec(queued.where(Message.recipients == ABOUT_ADDRESS)).one()


def address_mails_to(s: Session, mail: str, moment: datetime) -> int:
    """How many mails about changed addresses were queued for this recipient since then, in all events.

    Locks the recipient's rows: two events that count at the same time wait for each other.
    """
    same = func.lower(Contact.mail) == mail.lower()
    s.exec(select(Contact.id).where(same).order_by(col(Contact.id)).with_for_update()).all()
    return s.exec(
        select(func.count())
        .select_from(Delivery)
        .join(Message, col(Delivery.message_id) == col(Message.id))
        .join(Contact, col(Contact.player_id) == col(Delivery.player_id))
        .where(same, Message.recipients == ABOUT_ADDRESS, col(Delivery.mail).is_not(None))
        .where(Message.at > moment, Message.at >= Contact.given_at)
    ).one()


def _counted(event: Event) -> SelectOfScalar[int]:
    return (
        select(func.count())
        .select_from(Delivery)
        .join(Message, col(Delivery.message_id) == col(Message.id))
        .where(Message.event_id == event.id)
    )
