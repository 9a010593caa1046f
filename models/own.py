"""The club's own editions of force lists, and its own scenarios."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Text, UniqueConstraint
from sqlmodel import Field, SQLModel

from models.base import UTCDateTime


class OwnEdition(SQLModel, table=True):
    """An edition of the club's own. Rows are added or removed, never changed: forces are checked against them."""

    __tablename__ = "own_edition"
    __table_args__ = (UniqueConstraint("system", "edition"),)

    id: int = Field(default=None, primary_key=True)
    system: str = Field(max_length=40)
    edition: str = Field(max_length=40)
    """The edition's id in events and forces."""
    name: str = Field(max_length=80)
    date: str = Field(max_length=10)
    text: str = Field(sa_type=Text)
    """The edition's file in the game's format."""
    sha256: str = Field(max_length=64)
    """Of the text as UTF-8."""
    at: datetime = Field(sa_type=UTCDateTime)
    by: str = Field(max_length=120)


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
