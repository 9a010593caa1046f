"""Results of other clubs' events, taken in from their signed archives."""

from datetime import date, datetime
from typing import Any

from sqlalchemy import JSON, BigInteger, UniqueConstraint, false
from sqlmodel import Field, SQLModel

from models.base import UTCDateTime
from models.opens import Opens, opening


class ForeignClub(SQLModel, table=True):
    """Another club: the key that signs its archives, under the name that staff here gave it."""

    __tablename__ = "foreign_club"

    id: int = Field(default=None, primary_key=True)
    key: str = Field(max_length=44, unique=True)
    """The public key in base 64."""
    name: str = Field(max_length=80)
    name_key: str = Field(max_length=160, unique=True)
    """The name as compared: one name cannot stand for two keys."""


class ForeignEvent(SQLModel, table=True):
    """An event of another club that counts in a series here."""

    __tablename__ = "foreign_event"

    id: int = Field(default=None, primary_key=True)
    club_id: int = Field(foreign_key="foreign_club.id", index=True)
    series: str = Field(max_length=80, index=True)
    """The address of the series: ``series_slug`` of its name."""
    seed: int = Field(sa_type=BigInteger, unique=True)
    """The event's own random number, which says that two archives are of one event."""
    name: str = Field(max_length=120)
    starts_on: date
    system: str = Field(max_length=40)
    games: list[Any] = Field(sa_type=JSON)
    """The games that count for ratings, in order: the numbers of both rows, and the result in halves of a win."""
    taken_at: datetime = Field(sa_type=UTCDateTime)


class ForeignRow(SQLModel, table=True):
    """A line of the final standings of such an event. The name is that of the archive, and identifies nobody here."""

    __tablename__ = "foreign_row"
    __table_args__ = (UniqueConstraint("event_id", "number"), UniqueConstraint("event_id", "person_id"))

    id: int = Field(default=None, primary_key=True)
    event_id: int = Field(foreign_key="foreign_event.id", ondelete="CASCADE")
    number: int
    """Its place in the standings, from 1; the games refer to it."""
    name: str = Field(max_length=80)
    rank: int | None = None
    """None: disqualified."""
    points: int
    person_id: int | None = Field(
        default=None,
        foreign_key="person.id",
        ondelete="SET NULL",
        index=True,
        sa_column_kwargs=opening(Opens(anew=lambda: None, same=("event_id", "number", "name", "person_id"))),
    )
    """The person who says that the row is theirs: only they, and never their name, connect it with anybody."""
    agreed: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """Whether staff agreed to the claim of ``person_id``, which only then counts."""


class EndedClaim(SQLModel, table=True):
    """Staff ended a claim of this page on an event: it makes none there again, even if the results come in anew."""

    __tablename__ = "ended_claim"

    person_id: int = Field(foreign_key="person.id", ondelete="CASCADE", primary_key=True)
    seed: int = Field(sa_type=BigInteger, primary_key=True)
    """The event's, see ``ForeignEvent``."""
