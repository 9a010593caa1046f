"""The organiser's announcements to everybody."""

from datetime import datetime

from sqlmodel import Field, SQLModel

from models.base import UTCDateTime


class Announcement(SQLModel, table=True):
    """One announcement, shown in the hall and on all pages of the event until it expires or is removed."""

    id: int = Field(default=None, primary_key=True)
    event_id: int = Field(foreign_key="event.id", index=True)
    text: str = Field(max_length=200)
    by: str = Field(max_length=120)
    at: datetime = Field(sa_type=UTCDateTime)
    taken_back_at: datetime | None = Field(default=None, sa_type=UTCDateTime)
    shown_until: datetime | None = Field(default=None, sa_type=UTCDateTime)
    """None: until it is removed."""
