"""The steps of a campaign: everything that happens to its groups follows from them."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, CheckConstraint, UniqueConstraint, false
from sqlmodel import Field, SQLModel

from models.base import UTCDateTime


class CampaignStep(SQLModel, table=True):
    """One step of a player's group. Rows are only added; the newest of an open sequence can be taken back."""

    __tablename__ = "campaign_step"
    __table_args__ = (
        UniqueConstraint("event_id", "number"),
        CheckConstraint("number > 0", name="number_positive"),
        CheckConstraint("seed IS NULL OR NOT typed", name="rolled_once"),
    )

    id: int = Field(default=None, primary_key=True)
    event_id: int = Field(foreign_key="event.id", index=True)
    player_id: int = Field(foreign_key="player.id", index=True)
    number: int
    """Of all steps of the campaign, in order."""
    kind: str = Field(max_length=40)
    data: dict[str, Any] = Field(sa_type=JSON)
    rolls: list[dict[str, Any]] = Field(sa_type=JSON)
    """The dice that it used: why, sides, results."""
    seed: str | None = Field(default=None, max_length=20)
    """What the service rolled the dice from. None: without dice, or they were rolled at the table."""
    typed: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """The dice were rolled at the table."""
    at: datetime = Field(sa_type=UTCDateTime)
