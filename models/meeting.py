"""The player meeting: seats for the announcements before round 1."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, BigInteger
from sqlmodel import Field, SQLModel

from models.base import UTCDateTime


class Meeting(SQLModel, table=True):
    """An event's seating. It is not a round: no games, no results, and players do not count as having met."""

    id: int = Field(default=None, primary_key=True)
    event_id: int = Field(foreign_key="event.id", unique=True)
    seed: int = Field(sa_type=BigInteger)
    inputs: dict[str, Any] = Field(sa_type=JSON)
    """The input of the draw."""
    outcome: dict[str, Any] = Field(sa_type=JSON)
    """The seats, with the certificate and the version of the algorithm."""
    published_at: datetime | None = Field(default=None, sa_type=UTCDateTime)
    """None: a draft, which only staff see."""
