"""The player meeting: who sits where for the announcements before round 1."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, BigInteger
from sqlmodel import Field, SQLModel

from models.base import UTCDateTime


class Meeting(SQLModel, table=True):
    """An event's seating. It is no round: it has no games and no results, and nobody has met anybody by it."""

    id: int = Field(default=None, primary_key=True)
    event_id: int = Field(foreign_key="event.id", unique=True)
    seed: int = Field(sa_type=BigInteger)
    inputs: dict[str, Any] = Field(sa_type=JSON)
    """All that it was drawn from."""
    outcome: dict[str, Any] = Field(sa_type=JSON)
    """Who sits at which table, with the certificate and the version of the algorithm."""
    published_at: datetime | None = Field(default=None, sa_type=UTCDateTime)
    """None: drawn for the organiser's eyes."""
