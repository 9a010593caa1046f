"""Tokens of programs, which read and change an event by its interface."""

from datetime import datetime

from sqlmodel import Field, SQLModel

from models.base import UTCDateTime, choice
from models.facts import Opens, opening
from models.staff import Role


class ApiToken(SQLModel, table=True):
    """A token for one event and one area, which is a role of its staff. Only the token's hash is stored."""

    __tablename__ = "api_token"

    id: int = Field(default=None, primary_key=True)
    event_id: int = Field(foreign_key="event.id", ondelete="CASCADE", index=True)
    made_by: int = Field(foreign_key="organiser.id", ondelete="CASCADE", index=True)
    """The account whose rights at the event it needs: it works no longer than they last."""
    name: str = Field(max_length=60)
    """The name in the journal."""
    role: Role = Field(sa_type=choice(Role, "role"))
    token_hash: str = Field(max_length=64, unique=True, sa_column_kwargs=opening(Opens("ended_at")))
    made_at: datetime = Field(sa_type=UTCDateTime)
    expires_at: datetime = Field(sa_type=UTCDateTime)
    used_at: datetime | None = Field(default=None, sa_type=UTCDateTime)
    """When it was last used, within some minutes."""
    ended_at: datetime | None = Field(default=None, sa_type=UTCDateTime)
