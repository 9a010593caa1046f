"""Players' calls for a judge."""

from datetime import datetime

from sqlalchemy import Index, text
from sqlmodel import Field

from languages.words import N_
from models.base import UTCDateTime
from models.facts import UNSAID, Fact, OfEvent, column


class JudgeCall(OfEvent, table=True):
    """A call for a judge to one table. A game has at most one open call."""

    __tablename__ = "judge_call"
    __table_args__ = (
        Index(
            "ix_judge_call_open", "game_id", unique=True,
            sqlite_where=text("closed_at IS NULL"), postgresql_where=text("closed_at IS NULL"),
        ),
    )  # fmt: skip

    id: int = Field(default=None, primary_key=True)
    game_id: int = column(UNSAID, foreign_key="game.id", index=True, ondelete="CASCADE")
    player_id: int = column(UNSAID, foreign_key="player.id")
    """Who called."""
    at: datetime = column(Fact(N_("at")), sa_type=UTCDateTime)
    taken_at: datetime | None = column(Fact(N_("taken")), default=None, sa_type=UTCDateTime)
    """When a staff member took the call."""
    taken_by: str = column(Fact(N_("taken by")), default="", max_length=120)
    closed_at: datetime | None = column(Fact(N_("closed")), default=None, sa_type=UTCDateTime)
    """When it was answered or cancelled."""
    closed_by: str = column(Fact(N_("closed by")), default="", max_length=120)
