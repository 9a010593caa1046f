"""Notices that reach a closed phone: their queue, players' devices, and requests for lost links."""

from datetime import datetime
from enum import StrEnum

from sqlalchemy import CheckConstraint, Index, UniqueConstraint
from sqlmodel import Field, SQLModel

from models.base import UTCDateTime, choice
from models.facts import Opens, opening
from models.message import MailState


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


class Notice(SQLModel, table=True):
    """One notice to one player, written in the transaction of the change it is about.

    The unique key lets each be sent once. Its text is made when it is sent.
    """

    __table_args__ = (
        UniqueConstraint("player_id", "occasion", "about"),
        CheckConstraint("(state = 'queued') = (next_try IS NOT NULL)", name="queued_has_its_time"),
        Index("ix_notice_state_next_try", "state", "next_try"),
    )

    id: int = Field(default=None, primary_key=True)
    player_id: int = Field(foreign_key="player.id", ondelete="CASCADE")
    occasion: Occasion = Field(sa_type=choice(Occasion, "occasion"))
    about: str = Field(max_length=60)
    """The round, list, game or message, such as "round 3"."""
    at: datetime = Field(sa_type=UTCDateTime)
    state: MailState = Field(default=MailState.QUEUED, sa_type=choice(MailState, "state"))
    next_try: datetime | None = Field(default=None, sa_type=UTCDateTime)
    tried_at: datetime | None = Field(default=None, sa_type=UTCDateTime)
    """When the last attempt began."""
    attempts: int = Field(default=0)
    pushed: bool = Field(default=False)
    """Whether the devices are done: a further attempt only sends the mail."""
    mailed_at: datetime | None = Field(default=None, sa_type=UTCDateTime)
    """When the mail server accepted the mail; None if none was sent."""


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


class LinkRequest(SQLModel, table=True):
    """A mail address typed to recover a lost private link. The mail worker looks it up and deletes the row.

    The request itself looks nothing up, so its answer takes the same time for every address.
    """

    __tablename__ = "link_request"

    id: int = Field(default=None, primary_key=True)
    event_id: int = Field(foreign_key="event.id", index=True, ondelete="CASCADE")
    mail: str = Field(max_length=254)
    at: datetime = Field(sa_type=UTCDateTime)
    """When it was typed, or when the mail is tried again."""
    attempts: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
