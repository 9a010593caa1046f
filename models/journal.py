"""Who did what, when. Rows are only ever added, in the transaction of the change that they tell of."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON
from sqlmodel import Field, SQLModel

from models.base import UTCDateTime


class JournalEntry(SQLModel, table=True):
    """One change, in words and with its particulars."""

    __tablename__ = "journal_entry"

    id: int = Field(default=None, primary_key=True)
    event_id: int = Field(foreign_key="event.id", index=True)
    at: datetime = Field(sa_type=UTCDateTime)
    actor: str = Field(max_length=120)
    verb: str = Field(max_length=40)
    text: str = Field(max_length=500)
    details: dict[str, Any] = Field(sa_type=JSON)
