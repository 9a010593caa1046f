"""Teams and their matches."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, CheckConstraint, UniqueConstraint, text
from sqlmodel import Field

from languages.words import N_
from models.base import UTCDateTime, new_team_code
from models.facts import CODE, LINE, NAME, OF_SERVER, RESTORED, STAYS, UNSAID, Fact, OfEvent, Opens, ReadBy, column


class Team(OfEvent, table=True):
    """A team of one event. Its players are the rows of ``player`` that name it."""

    __table_args__ = (UniqueConstraint("event_id", "name_key"),)

    id: int = Field(default=None, primary_key=True)
    event_id: int = column(Fact("", RESTORED), default=None, foreign_key="event.id", index=True)
    name: str = column(Fact(N_("name"), STAYS, NAME), max_length=80)
    name_key: str = column(Fact("", STAYS, CODE, goes="nothing"), max_length=160)
    club: str = column(Fact(N_("club"), STAYS, LINE), default="", max_length=80)
    entered_round: int = column(Fact(N_("entered round"), RESTORED), default=1)
    """The first round that the team can play."""
    dropped_after: int | None = column(Fact(N_("dropped after"), RESTORED), default=None)
    """The last round published before the team dropped."""
    code: str = column(
        OF_SERVER,
        opens=Opens(anew=new_team_code),
        default_factory=new_team_code,
        max_length=12,
        server_default=text("''"),
    )
    """The code with which a player joins the team. The captain hands it out; staff can read it."""


class TeamMatch(OfEvent, table=True):
    """One pairing of teams in a round; a bye has no second team and no tables. Its games name it."""

    __tablename__ = "team_match"
    __table_args__ = (
        UniqueConstraint("round_id", "block"),
        UniqueConstraint("round_id", "a_id"),
        UniqueConstraint("round_id", "b_id"),
        CheckConstraint("a_id <> b_id", name="two_teams"),
        CheckConstraint("(b_id IS NULL) = (block IS NULL)", name="bye_has_no_block"),
    )

    id: int = Field(default=None, primary_key=True)
    round_id: int = column(UNSAID, default=None, foreign_key="round.id", index=True)
    a_id: int = column(Fact(N_("A")), foreign_key="team.id", index=True)
    b_id: int | None = column(Fact(N_("B")), default=None, foreign_key="team.id", index=True)
    block: int | None = column(Fact(N_("block")), default=None)
    """Block 1 of teams of three are tables 1 to 3, block 2 tables 4 to 6, and so on."""
    notes: list[dict[str, Any]] = column(Fact("", read_by=ReadBy.PAIRING), sa_type=JSON)
    """The reasons for an unusual pairing, each with its kind and its figures."""
    a_order: list[Any] | None = column(Fact("", read_by=ReadBy.NOBODY), default=None, sa_type=JSON)
    """Player ids board by board, null for an empty board, as team A's captain chose in secret."""
    b_order: list[Any] | None = column(Fact("", read_by=ReadBy.NOBODY), default=None, sa_type=JSON)
    matched_at: datetime | None = column(Fact(N_("matched")), default=None, sa_type=UTCDateTime)
    """When the boards were paired and their games created; None while captains still choose."""
