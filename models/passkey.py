"""Passkeys: public keys whose private halves stay on people's devices, and which sign in without anything typed."""

from datetime import datetime

from sqlalchemy import BigInteger, CheckConstraint
from sqlmodel import Field, SQLModel

from models.base import UTCDateTime
from models.opens import Opens, opening

OWNERS = ("account_id", "player_id", "person_id")
ONE_OF_THREE = " + ".join(f"(CASE WHEN {owner} IS NULL THEN 0 ELSE 1 END)" for owner in OWNERS) + " = 1"


class Passkey(SQLModel, table=True):
    """A passkey of an account, of a player of one event, or of a person's page."""

    __table_args__ = (CheckConstraint(ONE_OF_THREE, name="one_owner"),)

    id: int = Field(default=None, primary_key=True)
    account_id: int | None = Field(default=None, foreign_key="organiser.id", ondelete="CASCADE", index=True)
    player_id: int | None = Field(default=None, foreign_key="player.id", ondelete="CASCADE", index=True)
    person_id: int | None = Field(default=None, foreign_key="person.id", ondelete="CASCADE", index=True)
    credential: str = Field(max_length=1400, unique=True, sa_column_kwargs=opening(Opens(goes=True)))
    """The id that the device gave it, in base 64."""
    public_key: str = Field(max_length=1400)
    handle: str = Field(max_length=64)
    """Random; the device keeps it as the owner's name for it. All passkeys of one owner share it."""
    sign_count: int = Field(sa_type=BigInteger)
    """The device's count of uses, which only grows; 0 from devices that do not count."""
    name: str = Field(max_length=60)
    added_at: datetime = Field(sa_type=UTCDateTime)
    used_at: datetime | None = Field(default=None, sa_type=UTCDateTime)
