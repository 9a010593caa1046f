"""The organiser's announcements to everybody."""

from datetime import datetime

from sqlmodel import Field

from languages.words import N_
from models.base import UTCDateTime
from models.facts import UNSAID, Fact, OfEvent, column


class Announcement(OfEvent, table=True):
    """One announcement, shown in the hall and on all pages of the event until it expires or is removed."""

    id: int = Field(default=None, primary_key=True)
    event_id: int = column(UNSAID, foreign_key="event.id", index=True)
    text: str = column(Fact(N_("text")), max_length=200)
    by: str = column(UNSAID, max_length=120)
    at: datetime = column(UNSAID, sa_type=UTCDateTime)
    taken_back_at: datetime | None = column(Fact(N_("withdrawn at")), default=None, sa_type=UTCDateTime)
    shown_until: datetime | None = column(Fact(N_("shown until")), default=None, sa_type=UTCDateTime)
    """None: until it is removed."""
