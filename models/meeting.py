"""The player meeting: seats for the announcements before round 1."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, BigInteger
from sqlmodel import Field

from languages.words import noted
from models.base import UTCDateTime
from models.facts import UNSAID, Fact, OfEvent, ReadBy, column


class Meeting(OfEvent, table=True):
    """An event's seating. It is not a round: no games, no results, and players do not count as having met."""

    id: int = Field(default=None, primary_key=True)
    event_id: int = column(UNSAID, foreign_key="event.id", unique=True)
    seed: int = column(Fact("", read_by=ReadBy.PAIRING), sa_type=BigInteger)
    inputs: dict[str, Any] = column(Fact("", read_by=ReadBy.PAIRING), sa_type=JSON)
    """The input of the draw."""
    outcome: dict[str, Any] = column(Fact("", read_by=ReadBy.PAIRING), sa_type=JSON)
    """The seats, with the certificate and the version of the algorithm."""
    published_at: datetime | None = column(Fact(noted("published")), default=None, sa_type=UTCDateTime)
    """None: a draft, which only staff see."""
