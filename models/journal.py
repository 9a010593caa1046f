"""Who did what, when, and what it changed. Rows are only added, in the transaction of the change they record.

The database rejects changing or removing them as long as their event exists (migration 20261120_journal).
"""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import JSON, Index, LargeBinary
from sqlmodel import Field, SQLModel

from models.base import UTCDateTime, choice


@dataclass(frozen=True)
class Actor:
    name: str
    role: str = ""


NOBODY = Actor("")
"""The service itself, or a command."""


class ChangeSet(SQLModel, table=True):
    __tablename__ = "change_set"

    id: int = Field(default=None, primary_key=True)
    event_id: int = Field(foreign_key="event.id", index=True, ondelete="CASCADE")
    at: datetime = Field(sa_type=UTCDateTime)
    actor: str = Field(max_length=120)
    """Who made the change; "" if it was not a visitor."""
    role: str = Field(max_length=24)
    """The role: organiser, judge, player ...; "" for the service itself."""
    version: int | None = None
    """The event's new version, whose ``changed_at`` is ``at``. None: the version did not change."""
    baseline: bool
    """Not a change: every row of the event when the journal began, or began again."""


class JournalEntry(SQLModel, table=True):
    """One change, in words and with its details."""

    __tablename__ = "journal_entry"

    id: int = Field(default=None, primary_key=True)
    event_id: int = Field(foreign_key="event.id", index=True, ondelete="CASCADE")
    at: datetime = Field(sa_type=UTCDateTime)
    actor: str = Field(max_length=120)
    verb: str = Field(max_length=40)
    text: str = Field(max_length=500)
    details: dict[str, Any] = Field(sa_type=JSON)
    change_set_id: int | None = Field(default=None, foreign_key="change_set.id", index=True, ondelete="CASCADE")
    """The write it describes; None for entries of versions that recorded no rows."""


class RowChangeKind(StrEnum):
    """What happened to a row. Found: it existed when the journal began."""

    ADDED = "added"
    CHANGED = "changed"
    REMOVED = "removed"
    FOUND = "found"


class RowChange(SQLModel, table=True):
    """One row of one table, before and after a write: whole where it came or went, else the columns that changed.

    Values are as ``models.captured.plain`` writes them; one that is long stands in ``journal_value`` under its hash.
    """

    __tablename__ = "row_change"
    __table_args__ = (Index("ix_row_change_table_name_row_id", "table_name", "row_id"),)

    id: int = Field(default=None, primary_key=True)
    change_set_id: int = Field(foreign_key="change_set.id", index=True, ondelete="CASCADE")
    table_name: str = Field(max_length=40)
    row_id: int
    kind: RowChangeKind = Field(sa_type=choice(RowChangeKind, "kind"))
    before: dict[str, Any] = Field(sa_type=JSON)
    after: dict[str, Any] = Field(sa_type=JSON)
    player_id: int | None = Field(default=None, index=True)
    """The players it concerns. Not foreign keys: the history outlives deleted rows."""
    other_id: int | None = Field(default=None, index=True)
    """The second player of a game."""
    round_id: int | None = None
    table_number: int | None = None


class JournalValue(SQLModel, table=True):
    """A long value of an event's rows, stored once: forces, inputs of draws."""

    __tablename__ = "journal_value"

    event_id: int = Field(foreign_key="event.id", primary_key=True, ondelete="CASCADE")
    sha256: str = Field(max_length=64, primary_key=True)
    packed: bytes = Field(sa_type=LargeBinary)
    """The text as UTF-8, compressed by zlib."""


JOURNAL = (ChangeSet, JournalEntry, RowChange, JournalValue)
"""The journal's own tables, which the journal does not follow."""
