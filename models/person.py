"""People who keep their entries of several events together, by their own choice."""

from datetime import datetime

from sqlalchemy import CheckConstraint, false, text
from sqlmodel import Field, SQLModel

from models.base import UTCDateTime, new_secret
from models.facts import Opens, opening
from models.people import ANEW


class Person(SQLModel, table=True):
    """The page of a person at this club. Only its private link or a passkey opens it."""

    __table_args__ = (CheckConstraint("merged_into <> id", name="not_into_itself"),)

    id: int = Field(default=None, primary_key=True)
    name: str = Field(max_length=80)
    alias: str = Field(default="", max_length=80, sa_column_kwargs={"server_default": text("''")})
    """Shown to others in place of the name; "": the name is shown."""
    secret: str = Field(
        default_factory=new_secret,
        max_length=32,
        sa_column_kwargs=opening(Opens(anew=new_secret, same=("id", "made_at"))),
    )
    """The private link is derived from it: a new one ends the link."""
    session_key: str = Field(default_factory=new_secret, max_length=32, sa_column_kwargs=opening(ANEW))
    """Part of each sign-in. A new one signs out everywhere."""
    made_at: datetime = Field(sa_type=UTCDateTime)
    shown: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """Whether everybody may read the page."""
    rated_since: datetime | None = Field(default=None, sa_type=UTCDateTime)
    """Since when the person takes part in ratings. None: not."""
    language: str = Field(default="", max_length=8, sa_column_kwargs={"server_default": text("''")})
    """The language of the person's mails. Empty: none chosen."""
    merged_into: int | None = Field(default=None, foreign_key="person.id", ondelete="SET NULL", index=True)
    """The page that this one was put together with. That one is put together with no other."""

    @property
    def public_name(self) -> str:
        return self.alias or self.name


class OwnEntry(SQLModel, table=True):
    __tablename__ = "own_entry"

    id: int = Field(default=None, primary_key=True)
    person_id: int = Field(foreign_key="person.id", ondelete="CASCADE", index=True)
    """The page that it was added to, even if that page was put together with another one since."""
    player_id: int = Field(
        foreign_key="player.id",
        ondelete="CASCADE",
        unique=True,
        sa_column_kwargs=opening(Opens(goes=True, same=("person_id", "player_id"))),
    )
    since: datetime = Field(sa_type=UTCDateTime)
