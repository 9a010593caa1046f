"""A player's new mail address, until it is confirmed from the current one."""

from datetime import datetime

from sqlmodel import Field, SQLModel

from models.base import UTCDateTime
from models.facts import Opens, opening


class MailChange(SQLModel, table=True):
    """One requested change. The row is deleted when it is confirmed, cancelled or requested again."""

    __tablename__ = "mail_change"

    id: int = Field(default=None, primary_key=True)
    event_id: int = Field(foreign_key="event.id", index=True)
    player_id: int = Field(foreign_key="player.id", unique=True)
    mail: str = Field(max_length=254)
    """The new address."""
    key: str = Field(max_length=40, unique=True, sa_column_kwargs=opening(Opens(goes=True)))
    """The message that mailed the link; the signed link names it."""
    asked_at: datetime = Field(sa_type=UTCDateTime)
