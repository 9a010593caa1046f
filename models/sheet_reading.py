"""The second pass over paper sheets: each is typed once more, and held against the result that counts."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON
from sqlmodel import Field, SQLModel

from models.base import UTCDateTime, choice
from models.endings import Ending


class SheetReading(SQLModel, table=True):
    """A sheet typed a second time by somebody who did not see the stored result. Rows are only ever added."""

    __tablename__ = "sheet_reading"

    id: int = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id", index=True, ondelete="CASCADE")
    version: int
    """The game's version that it was held against: a result that changes later is not verified any more."""
    answers: dict[str, Any] = Field(sa_type=JSON)
    ending: Ending | None = Field(default=None, sa_type=choice(Ending, "ending"))
    """None: played out."""
    agrees: bool
    by: str = Field(max_length=120)
    account_id: int
    """Whose account it was. No key: an account can be gone."""
    at: datetime = Field(sa_type=UTCDateTime)
