"""What goes out, in one queue: mails, pushes and calls of webhooks; and the devices and webhooks that they go to."""

from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import JSON, CheckConstraint, Index, UniqueConstraint
from sqlmodel import Field, SQLModel

from models.base import UTCDateTime, choice
from models.facts import Opens, opening


class DispatchKind(StrEnum):
    MESSAGE = "message"
    """The mail of a ``Delivery``."""
    PUSH = "push"
    """A notice to a player's devices. If it is mailed too, the row then becomes a ``NOTICE``."""
    NOTICE = "notice"
    LINKS = "links"
    """A mail with the private links of a typed address. The request itself looks nothing up, so its answer takes the
    same time for every address.
    """
    ACCOUNT = "account"
    """A mail about a sign-in on a new browser, or one that asks the address to be confirmed."""
    CODE = "code"
    """The mail with an invitation."""
    CALL = "call"
    """A call of a webhook."""


class DispatchState(StrEnum):
    """Unsure: sending was interrupted, so it may have been sent or not."""

    QUEUED = "queued"
    SENDING = "sending"
    SENT = "sent"
    FAILED = "failed"
    UNSURE = "unsure"


WAITING = (DispatchState.QUEUED, DispatchState.SENDING)


class Occasion(StrEnum):
    """The occasions for a notice. A player can switch each off."""

    ROUND = "round"
    PLACE = "place"
    LIST_BACK = "list_back"
    CONFIRM = "confirm"
    ANSWER = "answer"
    DAY = "day"
    CHALLENGE = "challenge"
    OVERDUE = "overdue"
    MOVED = "moved"


class Dispatch(SQLModel, table=True):
    """One thing that goes out, written in the transaction of the change it is about; what it says is made when it is
    sent. Kinds that nobody looks at afterwards are deleted at their end (``Way.is_kept``).

    The unique key lets each notice be sent once.
    """

    __table_args__ = (
        UniqueConstraint("player_id", "occasion", "about"),
        CheckConstraint("(state = 'queued') = (due IS NOT NULL)", name="queued_has_its_time"),
        Index("ix_dispatch_kind_state_due", "kind", "state", "due"),
    )

    id: int = Field(default=None, primary_key=True)
    kind: DispatchKind = Field(sa_type=choice(DispatchKind, "kind"))
    at: datetime = Field(sa_type=UTCDateTime)
    """When it was caused."""
    state: DispatchState = Field(default=DispatchState.QUEUED, sa_type=choice(DispatchState, "state"))
    due: datetime | None = Field(default=None, sa_type=UTCDateTime)
    tried_at: datetime | None = Field(default=None, sa_type=UTCDateTime)
    """When the last attempt began."""
    attempts: int = Field(default=0)
    reason: str = Field(default="", max_length=300)
    """Why the last attempt did not succeed, without the address; "" before the first."""
    event_id: int | None = Field(default=None, foreign_key="event.id", index=True, ondelete="CASCADE")
    player_id: int | None = Field(default=None, foreign_key="player.id", ondelete="CASCADE")
    account_id: int | None = Field(default=None, foreign_key="organiser.id", index=True, ondelete="CASCADE")
    delivery_id: int | None = Field(default=None, foreign_key="delivery.id", unique=True, ondelete="CASCADE")
    join_code_id: int | None = Field(default=None, foreign_key="join_code.id", index=True, ondelete="CASCADE")
    webhook_id: int | None = Field(default=None, foreign_key="webhook.id", index=True, ondelete="CASCADE")
    mail: str = Field(default="", max_length=254)
    """An address that was typed, or to which it must go even if another follows, until it is sent. "": it goes to the
    current one.
    """
    occasion: Occasion | None = Field(default=None, sa_type=choice(Occasion, "occasion"))
    about: str = Field(default="", max_length=60)
    """Of a notice, its round, list, game or message, such as "round 3"; of a message, its recipients; of a mail to an
    account, the new browser, or "" if it asks; of a call, its type.
    """
    round: int | None = None
    entry: int | None = None
    """The id of the journal entry that a call is about; None for a trial and for a round's Discord message."""
    posted: str = Field(default="", max_length=40)
    """The id of the Discord message, once it is posted."""


def queued(kind: DispatchKind, now: datetime, **columns: Any) -> Dispatch:
    """One that is due at once."""
    return Dispatch(kind=kind, at=now, due=now, **columns)


class NoticeOff(SQLModel, table=True):
    __tablename__ = "notice_off"
    __table_args__ = (UniqueConstraint("player_id", "occasion"),)

    id: int = Field(default=None, primary_key=True)
    player_id: int = Field(foreign_key="player.id", ondelete="CASCADE")
    occasion: Occasion = Field(sa_type=choice(Occasion, "occasion"))


class Device(SQLModel, table=True):
    """A player's browser that receives notices. The address and both keys are secrets: they let anyone write to it."""

    __table_args__ = (UniqueConstraint("player_id", "endpoint"),)

    id: int = Field(default=None, primary_key=True)
    player_id: int = Field(foreign_key="player.id", ondelete="CASCADE")
    endpoint: str = Field(max_length=1000, sa_column_kwargs=opening(Opens(goes=True)))
    p256dh: str = Field(max_length=100)
    auth: str = Field(max_length=40)
    added_at: datetime = Field(sa_type=UTCDateTime)


class WebhookKind(StrEnum):
    """The form of a call."""

    SIGNED = "signed"
    """One call for each change, signed as Standard Webhooks has it."""
    DISCORD = "discord"
    """One message for each round in a Discord channel, edited as the round goes on."""


class Webhook(SQLModel, table=True):
    """One address of another program that is told what happens at an event.

    The secret signs its calls; the address of a Discord channel is a secret too.
    """

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
