"""What was answered to a press that may come twice: the same key and the same form get the same answer."""

from datetime import datetime

from sqlmodel import Field, SQLModel, UniqueConstraint

from models.base import UTCDateTime


class KeptAnswer(SQLModel, table=True):
    """One press that was stored. The row is written in the transaction of the change that it tells of."""

    __tablename__ = "kept_answer"
    __table_args__ = (UniqueConstraint("event_id", "who", "key"),)

    id: int = Field(default=None, primary_key=True)
    event_id: int = Field(foreign_key="event.id", index=True)
    who: str = Field(max_length=80)
    """Whose key it is: nobody else's key says anything to them."""
    key: str = Field(max_length=64)
    sha256: str = Field(max_length=64)
    """Of what the form said."""
    said: str = Field(max_length=300)
    """The sentence that the visitor was, or should have been, shown."""
    at: datetime = Field(sa_type=UTCDateTime)
    player_id: int | None = Field(default=None, foreign_key="player.id", ondelete="CASCADE")
    """The player whom a sign-up entered: the same form sent again signs in this player and no other."""
