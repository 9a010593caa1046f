"""The second entry of paper sheets, compared with the result that counts."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON
from sqlmodel import Field, SQLModel

from models.base import UTCDateTime, choice
from models.endings import Ending


class SheetReading(SQLModel, table=True):
    """A sheet entered a second time, without seeing the stored result. Rows are only added."""

    __tablename__ = "sheet_reading"

    id: int = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id", index=True, ondelete="CASCADE")
    version: int
    """The game's version it was compared with: a later change of the result needs a new check."""
    answers: dict[str, Any] = Field(sa_type=JSON)
    ending: Ending | None = Field(default=None, sa_type=choice(Ending, "ending"))
    """None: played out."""
    agrees: bool
    by: str = Field(max_length=120)
    account_id: int
    """The account that entered it. Not a foreign key: accounts can be deleted."""
    at: datetime = Field(sa_type=UTCDateTime)
