"""What organisers write to players: on the players' own pages, and by mail to those who gave an address."""

from datetime import datetime
from enum import StrEnum

from sqlalchemy import JSON, CheckConstraint, Index, Text, UniqueConstraint
from sqlmodel import Field, SQLModel

from models.base import UTCDateTime, choice


class Contact(SQLModel, table=True):
    """Where a player wants mail; empty where the player took it back.

    Apart from ``Player``, so that nothing that shows players can show it by mistake.
    """

    id: int = Field(default=None, primary_key=True)
    player_id: int = Field(foreign_key="player.id", unique=True)
    mail: str = Field(max_length=254)
    given_at: datetime = Field(sa_type=UTCDateTime)


class Message(SQLModel, table=True):
    """One message, as the organiser wrote it, its placeholders included. A row is never changed."""

    __table_args__ = (UniqueConstraint("event_id", "key"),)

    id: int = Field(default=None, primary_key=True)
    event_id: int = Field(foreign_key="event.id", index=True)
    key: str = Field(max_length=40)
    """Made with the form: the same form pressed twice is one message."""
    recipients: str = Field(max_length=40)
    """To whom it went, as ``events.messages.queries`` names them."""
    subject: str = Field(max_length=120)
    text: str = Field(sa_type=Text)
    words: dict[str, str] = Field(sa_type=JSON)
    """What the placeholders stood for that are the same for everybody."""
    public: bool
    """It stands on the event's page as well, where everybody reads it."""
    by: str = Field(max_length=120)
    at: datetime = Field(sa_type=UTCDateTime)


class MailState(StrEnum):
    """How far a mail is. Sending, and nothing heard since: it may have been sent or not (unsure)."""

    QUEUED = "queued"
    SENDING = "sending"
    SENT = "sent"
    FAILED = "failed"
    UNSURE = "unsure"


class Delivery(SQLModel, table=True):
    """A message to one player: on the own page always, by mail where ``mail`` says how far it is."""

    __table_args__ = (
        UniqueConstraint("message_id", "player_id"),
        CheckConstraint("(mail = 'queued') = (next_try IS NOT NULL)", name="queued_has_its_time"),
        Index("ix_delivery_mail_next_try", "mail", "next_try"),
    )

    id: int = Field(default=None, primary_key=True)
    message_id: int = Field(foreign_key="message.id", index=True)
    player_id: int = Field(foreign_key="player.id", index=True)
    words: dict[str, str] = Field(sa_type=JSON)
    """What the placeholders stood for when it was sent, for this player."""
    read_at: datetime | None = Field(default=None, sa_type=UTCDateTime)
    mail: MailState | None = Field(default=None, sa_type=choice(MailState, "mail"))
    """None: for the page alone."""
    attempts: int = Field(default=0)
    next_try: datetime | None = Field(default=None, sa_type=UTCDateTime)
    tried_at: datetime | None = Field(default=None, sa_type=UTCDateTime)
    """When the last attempt began."""
    last_error: str = Field(default="", max_length=300)
    """What went wrong the last time, in words; never with the address."""
