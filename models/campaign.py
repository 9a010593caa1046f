"""The steps of a campaign, from which the state of its groups is calculated."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, CheckConstraint, UniqueConstraint, false
from sqlmodel import Field

from languages.words import N_
from models.base import UTCDateTime
from models.facts import CHOSEN, UNSAID, Fact, OfEvent, ReadBy, column


class CampaignStep(OfEvent, table=True):
    """One step of a player's group. The newest step of an open sequence can be undone; the desk opens closed ones.

    A step whose dice of the service were seen is not deleted by its player: it is set aside, and redone as it was.
    """

    __tablename__ = "campaign_step"
    __table_args__ = (
        UniqueConstraint("event_id", "number"),
        CheckConstraint("number > 0", name="number_positive"),
        CheckConstraint("seed IS NULL OR NOT typed", name="rolled_once"),
    )

    id: int = Field(default=None, primary_key=True)
    event_id: int = column(UNSAID, foreign_key="event.id", index=True)
    player_id: int = column(UNSAID, foreign_key="player.id", index=True)
    number: int = column(Fact(N_("number")))
    """Counted over all steps of the campaign, as they were taken."""
    place: float | None = column(UNSAID, default=None)
    """Where it counts among all steps. None: at its number."""
    aside: bool = column(Fact(N_("set aside")), default=False, server_default=false())
    """Whether it has no effect, because an earlier step of its group was opened again."""
    kind: str = column(CHOSEN, max_length=40)
    data: dict[str, Any] = column(Fact("", read_by=ReadBy.LISTS), sa_type=JSON)
    rolls: list[dict[str, Any]] = column(Fact(N_("rolls"), goes="nothing"), sa_type=JSON)
    """The dice it used: purpose, sides, results."""
    seed: str | None = column(CHOSEN, default=None, max_length=20)
    """The seed of the service's dice. None: no dice, or dice rolled at the table."""
    typed: bool = column(Fact(N_("typed")), default=False, server_default=false())
    """Whether the dice were rolled at the table."""
    again: bool = column(Fact(N_("taken again")), default=False, server_default=false())
    """Whether it was set aside after its dice were seen, and redone."""
    at: datetime = column(UNSAID, sa_type=UTCDateTime)
