"""The second entry of paper sheets, compared with the result that counts."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON
from sqlmodel import Field

from languages.words import noted
from models.base import UTCDateTime, choice
from models.endings import Ending
from models.facts import UNSAID, Fact, OfEvent, column


class SheetReading(OfEvent, table=True):
    """A sheet entered a second time, without seeing the stored result. Rows are only added."""

    __tablename__ = "sheet_reading"

    id: int = Field(default=None, primary_key=True)
    game_id: int = column(UNSAID, foreign_key="game.id", index=True, ondelete="CASCADE")
    version: int = column(UNSAID)
    """The game's version it was compared with: a later change of the result needs a new check."""
    answers: dict[str, Any] = column(Fact(noted("result")), sa_type=JSON)
    ending: Ending | None = column(UNSAID, default=None, sa_type=choice(Ending, "ending"))
    """None: played out."""
    agrees: bool = column(Fact(noted("agrees")))
    by: str = column(UNSAID, max_length=120)
    account_id: int = column(Fact("", archived=False))
    """The account that entered it. Not a foreign key: accounts can be deleted."""
    at: datetime = column(UNSAID, sa_type=UTCDateTime)
