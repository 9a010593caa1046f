"""Organisers' messages to players: on players' pages, and by mail to those who gave an address."""

from datetime import datetime
from enum import StrEnum

from sqlalchemy import JSON, CheckConstraint, Index, Text, UniqueConstraint
from sqlmodel import Field, SQLModel

from models.base import UTCDateTime, choice


class Contact(SQLModel, table=True):
    """A player's mail address; empty if the player deleted it.

    Apart from ``Player``, so that nothing that shows players can show it by mistake.
    """

    id: int = Field(default=None, primary_key=True)
    player_id: int = Field(foreign_key="player.id", unique=True)
    mail: str = Field(max_length=254)
    given_at: datetime = Field(sa_type=UTCDateTime)


class Message(SQLModel, table=True):
    """One message as written, with its placeholders. A row never changes."""

    __table_args__ = (UniqueConstraint("event_id", "key"),)

    id: int = Field(default=None, primary_key=True)
    event_id: int = Field(foreign_key="event.id", index=True)
    key: str = Field(max_length=40)
    """The form's key: a form submitted twice is one message."""
    recipients: str = Field(max_length=40)
    """The group of recipients, as named in ``events.messages.queries``."""
    subject: str = Field(max_length=120)
    text: str = Field(sa_type=Text)
    words: dict[str, str] = Field(sa_type=JSON)
    """The values of placeholders that are the same for everybody."""
    public: bool
    """Whether the event's public page shows it too."""
    by: str = Field(max_length=120)
    at: datetime = Field(sa_type=UTCDateTime)


class MailState(StrEnum):
    """The state of a mail. Unsure: sending was interrupted, so it may have been sent or not."""

    QUEUED = "queued"
    SENDING = "sending"
    SENT = "sent"
    FAILED = "failed"
    UNSURE = "unsure"


class Delivery(SQLModel, table=True):
    """A message to one player: always on the player's page; ``mail`` is the state of the mail."""

    __table_args__ = (
        UniqueConstraint("message_id", "player_id"),
        CheckConstraint("(mail = 'queued') = (next_try IS NOT NULL)", name="queued_has_its_time"),
        Index("ix_delivery_mail_next_try", "mail", "next_try"),
    )

    id: int = Field(default=None, primary_key=True)
    message_id: int = Field(foreign_key="message.id", index=True)
    player_id: int = Field(foreign_key="player.id", index=True)
    words: dict[str, str] = Field(sa_type=JSON)
    """The values of this player's placeholders when it was sent."""
    read_at: datetime | None = Field(default=None, sa_type=UTCDateTime)
    mail: MailState | None = Field(default=None, sa_type=choice(MailState, "mail"))
    """None: no mail."""
    attempts: int = Field(default=0)
    next_try: datetime | None = Field(default=None, sa_type=UTCDateTime)
    tried_at: datetime | None = Field(default=None, sa_type=UTCDateTime)
    """When the last attempt began."""
    last_error: str = Field(default="", max_length=300)
    """The last error, without the address."""
