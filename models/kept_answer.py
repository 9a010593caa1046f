"""The answers to submissions, so that a repeated one (same key, same form) gets the same answer."""

from datetime import datetime

from sqlmodel import Field, SQLModel, UniqueConstraint

from models.base import UTCDateTime


class KeptAnswer(SQLModel, table=True):
    """One stored submission, written in the transaction of its change."""

    __tablename__ = "kept_answer"
    __table_args__ = (UniqueConstraint("event_id", "who", "key"),)

    id: int = Field(default=None, primary_key=True)
    event_id: int = Field(foreign_key="event.id", index=True)
    who: str = Field(max_length=80)
    """Who submitted it: keys of different visitors are independent."""
    key: str = Field(max_length=64)
    sha256: str = Field(max_length=64)
    """Of the form's content."""
    said: str = Field(max_length=300)
    """The message for the visitor."""
    at: datetime = Field(sa_type=UTCDateTime)
    player_id: int | None = Field(default=None, foreign_key="player.id", ondelete="CASCADE")
    """The player a sign-up created: repeating the form signs in this player."""
