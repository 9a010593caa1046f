"""A player's mail address that is to be another one, until the address of until now has agreed."""

from datetime import datetime

from sqlmodel import Field, SQLModel

from models.base import UTCDateTime


class MailChange(SQLModel, table=True):
    """One change that was asked for and waits. The row goes when it is agreed to, taken back or asked for anew."""

    __tablename__ = "mail_change"

    id: int = Field(default=None, primary_key=True)
    event_id: int = Field(foreign_key="event.id", index=True)
    player_id: int = Field(foreign_key="player.id", unique=True)
    mail: str = Field(max_length=254)
    """The address that was asked for."""
    key: str = Field(max_length=40, unique=True)
    """That of the message whose mail holds the link: the link names it, and is signed."""
    asked_at: datetime = Field(sa_type=UTCDateTime)
