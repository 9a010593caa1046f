"""Scenarios written by the club."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, UniqueConstraint
from sqlmodel import Field, SQLModel

from models.base import UTCDateTime


class OwnScenario(SQLModel, table=True):
    """A club's scenario: its document and its id in events and rounds."""

    __tablename__ = "own_scenario"
    __table_args__ = (UniqueConstraint("system", "slug"),)

    id: int = Field(default=None, primary_key=True)
    system: str = Field(max_length=40)
    slug: str = Field(max_length=40)
    """Starts with "own-", which no scenario of a game does."""
    document: dict[str, Any] = Field(sa_type=JSON)
    created_at: datetime = Field(sa_type=UTCDateTime)
    changed_at: datetime = Field(sa_type=UTCDateTime)
    by: str = Field(max_length=120)
    """Who changed it last."""
