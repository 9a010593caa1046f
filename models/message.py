"""Organisers' messages to players: on players' pages, and by mail to those who gave an address."""

from datetime import datetime

from sqlalchemy import JSON, Text, UniqueConstraint
from sqlmodel import Field, SQLModel

from languages.words import N_
from models.base import UTCDateTime
from models.facts import CHOSEN, OF_PLAYER, OF_SERVER, UNSAID, Fact, OfEvent, Opens, column, opening


class Contact(OfEvent, table=True):
    """A player's mail address; empty if the player deleted it.

    Apart from ``Player``, so that nothing that shows players can show it by mistake.
    """

    id: int = Field(default=None, primary_key=True)
    player_id: int = column(UNSAID, foreign_key="player.id", unique=True)
    mail: str = column(OF_PLAYER, max_length=254)
    """Not in the journal, which is never deleted: the player may delete the address."""
    given_at: datetime = column(UNSAID, sa_type=UTCDateTime)
    confirmed_at: datetime | None = column(OF_SERVER, default=None, sa_type=UTCDateTime)
    """When a mail to the address was answered, or staff entered it. None: only one mail goes to it, which asks."""


GROUPS = {
    "all": N_("Everybody"),
    "no_list": N_("No submitted list"),
    "illegal": N_("List not legal"),
    "sent_back": N_("List sent back"),
    "unpaid": N_("Not paid"),
    "not_here": N_("Not checked in"),
    "paired": N_("In the current round"),
    "playing": N_("Still playing this round"),
    "waiting": N_("Waiting for a place"),
    "chosen": N_("Chosen by hand"),
}
"""The groups of players to write to; "everybody" is every player who has not dropped."""
SHOWN_GROUPS = GROUPS | {
    "address": N_("A player who asked for another mail address"),
    "confirm": N_("A player who gave a mail address"),
    "passkey": N_("A player with a new key to the page, or one less"),
    "own_page": N_("A player who made an own page"),
    "deleted": N_("A player who deleted the mail address"),
    "own_link": N_("A player without the link"),
}
"""All groups, with those of automatic messages, which cannot be chosen."""


class Message(OfEvent, table=True):
    """One message as written, with its placeholders. A row never changes."""

    __table_args__ = (UniqueConstraint("event_id", "key"),)

    id: int = Field(default=None, primary_key=True)
    event_id: int = column(UNSAID, foreign_key="event.id", index=True)
    key: str = column(CHOSEN, max_length=40)
    """The form's key: a form submitted twice is one message."""
    subject: str = column(Fact(N_("subject")), max_length=120)
    text: str = column(Fact(N_("text")), sa_type=Text)
    recipients: str = column(Fact(N_("recipients"), choices=SHOWN_GROUPS, goes="nothing"), max_length=40)
    """The group of recipients."""
    words: dict[str, str] = column(UNSAID, sa_type=JSON)
    """The values of placeholders that are the same for everybody."""
    public: bool = column(UNSAID)
    """Whether the event's public page shows it too."""
    by: str = column(UNSAID, max_length=120)
    at: datetime = column(UNSAID, sa_type=UTCDateTime)


class Delivery(OfEvent, table=True):
    """A message to one player, on the player's page; its mail, if there is one, is a ``Dispatch``."""

    __table_args__ = (UniqueConstraint("message_id", "player_id"),)

    id: int = Field(default=None, primary_key=True)
    message_id: int = column(UNSAID, foreign_key="message.id", index=True)
    player_id: int = column(UNSAID, foreign_key="player.id", index=True)
    words: dict[str, str] = column(UNSAID, sa_type=JSON)
    """The values of this player's placeholders when it was sent."""
    read_at: datetime | None = column(UNSAID, default=None, sa_type=UTCDateTime)


class MailChange(SQLModel, table=True):
    """A player's new mail address, until it is confirmed from the current one.

    The row is deleted when the change is confirmed, cancelled or requested again.
    """

    __tablename__ = "mail_change"

    id: int = Field(default=None, primary_key=True)
    event_id: int = Field(foreign_key="event.id", index=True)
    player_id: int = Field(foreign_key="player.id", unique=True)
    mail: str = Field(max_length=254)
    """The new address."""
    key: str = Field(max_length=40, unique=True, sa_column_kwargs=opening(Opens(goes=True)))
    """The message that mailed the link; the signed link names it."""
    asked_at: datetime = Field(sa_type=UTCDateTime)
