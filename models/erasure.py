"""Erasures of players' personal data. While one is open, the database lets its event's journal be rewritten."""

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKeyConstraint
from sqlmodel import Field, SQLModel

from models.base import UTCDateTime


class Erasure(SQLModel, table=True):
    """One erased entry, by number alone. It is repeated after the restore of an older copy.

    An open one refers to a row that cannot exist, which the database checks at the commit: none can stay open.
    """

    __table_args__ = (
        CheckConstraint("open_as < 0", name="open_as_nothing"),
        ForeignKeyConstraint(["open_as"], ["erasure.id"], deferrable=True, initially="DEFERRED"),
    )

    id: int = Field(default=None, primary_key=True)
    event_id: int = Field(foreign_key="event.id", index=True, ondelete="CASCADE")
    player_id: int
    """The player's number. Not a foreign key: one who took no part is deleted."""
    at: datetime = Field(sa_type=UTCDateTime)
    open_as: int | None = None
    """Less than 0 while the journal is being rewritten; else None."""
