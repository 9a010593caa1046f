"""Join codes: who may sign up for an event that is not open to everybody."""

from datetime import datetime

from sqlalchemy import CheckConstraint
from sqlmodel import Field

from languages.words import N_
from models.base import UTCDateTime, new_join_code
from models.facts import LINE, OF_SERVER, UNSAID, Fact, OfEvent, Opens, column


class JoinCode(OfEvent, table=True):
    """A code with which players sign up. One of a single use is an invitation."""

    __tablename__ = "join_code"
    __table_args__ = (CheckConstraint("uses > 0", name="uses_positive"),)

    id: int = Field(default=None, primary_key=True)
    event_id: int = column(UNSAID, foreign_key="event.id", index=True)
    label: str = column(Fact("", text=LINE, journal=False, goes="day"), max_length=80)
    """Whom it is for: a group or a person. Not in the journal, which is never deleted."""
    uses: int | None = column(Fact(N_("uses")), default=None)
    """How many players may sign up with it. None: without limit."""
    made_at: datetime = column(UNSAID, sa_type=UTCDateTime)
    ended_at: datetime | None = column(Fact(N_("ended")), default=None, sa_type=UTCDateTime)
    code: str = column(OF_SERVER, opens=Opens("ended_at"), default_factory=new_join_code, max_length=12)


class CodeUse(OfEvent, table=True):
    """The code with which a player signed up. It counts while the player has not left."""

    __tablename__ = "code_use"

    id: int = Field(default=None, primary_key=True)
    join_code_id: int = column(UNSAID, foreign_key="join_code.id", index=True)
    player_id: int = column(UNSAID, foreign_key="player.id", unique=True)
