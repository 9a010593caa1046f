"""The staff of an event, their roles, and invitations."""

from datetime import datetime
from enum import StrEnum

from sqlmodel import Field, UniqueConstraint

from languages.words import N_
from models.base import UTCDateTime, choice
from models.facts import OF_SERVER, UNSAID, Fact, OfEvent, Opens, column


class Role(StrEnum):
    """A role at an event; ``events/store/visitor.py`` lists what each may do."""

    OWNER = "owner"
    ORGANISER = "organiser"
    JUDGE = "judge"
    SCOREKEEPER = "scorekeeper"
    LIST_CHECKER = "list_checker"
    CHECK_IN = "check_in"
    TREASURER = "treasurer"


class Staff(OfEvent, table=True):
    __table_args__ = (UniqueConstraint("event_id", "account_id"),)

    id: int = Field(default=None, primary_key=True)
    event_id: int = column(UNSAID, foreign_key="event.id")
    account_id: int = column(UNSAID, foreign_key="organiser.id", index=True)
    role: Role = column(
        Fact(N_("role")), opens=Opens(goes=True, same=("event_id", "account_id")), sa_type=choice(Role, "role")
    )
    since: datetime = column(UNSAID, sa_type=UTCDateTime)


class Invitation(OfEvent, table=True):
    """A link that gives the first person who opens it a role at an event. Only the token's hash is kept."""

    id: int = Field(default=None, primary_key=True)
    event_id: int = column(UNSAID, foreign_key="event.id", index=True)
    role: Role = column(Fact(N_("role")), sa_type=choice(Role, "role"))
    token_hash: str = column(OF_SERVER, opens=Opens("withdrawn_at", always=True), max_length=64, unique=True)
    created_at: datetime = column(UNSAID, sa_type=UTCDateTime)
    created_by: int = column(UNSAID, foreign_key="organiser.id")
    expires_at: datetime = column(Fact(N_("expires")), sa_type=UTCDateTime)
    used_at: datetime | None = column(Fact(N_("used")), default=None, sa_type=UTCDateTime)
    withdrawn_at: datetime | None = column(Fact(N_("withdrawn")), default=None, sa_type=UTCDateTime)
