"""Webhooks: addresses of other programs that are told what happens at an event, and the calls to them."""

from datetime import datetime
from enum import StrEnum

from sqlalchemy import JSON, CheckConstraint, Index
from sqlmodel import Field, SQLModel

from models.base import UTCDateTime, choice
from models.facts import Opens, opening
from models.message import MailState


class WebhookKind(StrEnum):
    """The form of a call."""

    SIGNED = "signed"
    """One call for each change, signed as Standard Webhooks has it."""
    DISCORD = "discord"
    """One message for each round in a Discord channel, edited as the round goes on."""


class Webhook(SQLModel, table=True):
    """One address. The secret signs its calls; the address of a Discord channel is a secret too."""

    id: int = Field(default=None, primary_key=True)
    event_id: int = Field(foreign_key="event.id", index=True, ondelete="CASCADE")
    name: str = Field(max_length=80)
    kind: WebhookKind = Field(sa_type=choice(WebhookKind, "kind"))
    address: str = Field(max_length=500)
    secret: str = Field(max_length=80, sa_column_kwargs=opening(Opens("ended_at")))
    made_at: datetime = Field(sa_type=UTCDateTime)
    also: list[str] | None = Field(default=None, sa_type=JSON)
    """The types of calls about what is not public that it gets too. None: only what becomes public."""
    told: int
    """The id of the newest journal entry that it was told about, or that was there before."""
    ended_at: datetime | None = Field(default=None, sa_type=UTCDateTime)
    """When it was ended, by staff or because the other side said that the address is gone."""


class WebhookCall(SQLModel, table=True):
    """One call. Its body is made when it is sent, from these columns or from the public state at that time."""

    __tablename__ = "webhook_call"
    __table_args__ = (
        CheckConstraint("(state = 'queued') = (next_try IS NOT NULL)", name="queued_has_its_time"),
        Index("ix_webhook_call_state_next_try", "state", "next_try"),
    )

    id: int = Field(default=None, primary_key=True)
    webhook_id: int = Field(foreign_key="webhook.id", index=True, ondelete="CASCADE")
    type: str = Field(max_length=40)
    round: int | None = None
    entry: int | None = None
    """The id of the journal entry that it is about; None for a trial and for a round's Discord message."""
    at: datetime = Field(sa_type=UTCDateTime)
    """When the change was made."""
    state: MailState = Field(default=MailState.QUEUED, sa_type=choice(MailState, "state"))
    next_try: datetime | None = Field(default=None, sa_type=UTCDateTime)
    tried_at: datetime | None = Field(default=None, sa_type=UTCDateTime)
    attempts: int = Field(default=0)
    answer: str = Field(default="", max_length=300)
    """What the last attempt met, for the desk; "" before the first."""
    message: str = Field(default="", max_length=40)
    """The id of the Discord message, once it is posted."""
