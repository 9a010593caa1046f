"""Scores apart from games: painting, sportsmanship, penalties and bonuses, awards; and the prizes of a raffle."""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum

from sqlalchemy import JSON, CheckConstraint, UniqueConstraint, false
from sqlmodel import Field

from languages.words import N_
from models.base import UTCDateTime, choice
from models.facts import CHOSEN, LINE, NAME, UNSAID, Fact, OfEvent, ReadBy, blank, column


class PaintingVote(OfEvent, table=True):
    """A player's vote for the best painted force. Votes are secret; the counts are shown at the end."""

    __tablename__ = "painting_vote"
    __table_args__ = (CheckConstraint("voter_id <> for_id", name="not_for_oneself"),)

    id: int = Field(default=None, primary_key=True)
    event_id: int = column(UNSAID, default=None, foreign_key="event.id", index=True)
    voter_id: int = column(Fact("", read_by=ReadBy.NOBODY), foreign_key="player.id", unique=True)
    for_id: int = column(Fact("", read_by=ReadBy.NOBODY), foreign_key="player.id")
    at: datetime = column(UNSAID, sa_type=UTCDateTime)


class SportsMark(OfEvent, table=True):
    """A player's mark for an opponent's sportsmanship, after their game of a round."""

    __tablename__ = "sports_mark"
    __table_args__ = (
        UniqueConstraint("giver_id", "round_number"),
        CheckConstraint("giver_id <> about_id", name="not_for_oneself"),
        CheckConstraint("mark BETWEEN 0 AND 5", name="mark_range"),
    )

    id: int = Field(default=None, primary_key=True)
    event_id: int = column(UNSAID, default=None, foreign_key="event.id", index=True)
    round_number: int = column(UNSAID)
    giver_id: int = column(Fact("", read_by=ReadBy.NOBODY), foreign_key="player.id")
    about_id: int = column(Fact("", read_by=ReadBy.NOBODY), foreign_key="player.id")
    mark: int = column(Fact("", read_by=ReadBy.NOBODY))
    """1 to 5; or 1 for a thumb up and for the favourite opponent, 0 for a thumb down."""
    at: datetime = column(UNSAID, sa_type=UTCDateTime)


class Card(StrEnum):
    """What a judge shows."""

    YELLOW = "yellow"
    RED = "red"


class Ruling(OfEvent, table=True):
    """A penalty, a bonus or a card. Rows are never deleted; a wrong one is cancelled."""

    __table_args__ = (
        CheckConstraint("points BETWEEN -100 AND 100", name="points_range"),
        CheckConstraint("vp BETWEEN -1000 AND 1000", name="vp_range"),
        CheckConstraint("NOT loses_game OR round_number IS NOT NULL", name="lost_game_has_round"),
    )

    id: int = Field(default=None, primary_key=True)
    event_id: int = column(UNSAID, default=None, foreign_key="event.id", index=True)
    player_id: int = column(UNSAID, foreign_key="player.id", index=True)
    points: int = column(Fact(N_("points")), default=0)
    """Tournament points, less than 0 for a penalty."""
    after_round: int = column(UNSAID)
    """The newest published round at that time. One for the whole event counts from the next standings on."""
    vp: int = column(Fact(N_("vp")), default=0)
    card: Card | None = column(Fact(N_("card")), default=None, sa_type=choice(Card, "card"))
    loses_game: bool = column(Fact(N_("loses game")), default=False, server_default=false())
    """The player loses the game of that round, whatever its result."""
    disqualifies: bool = column(Fact(N_("disqualifies")), default=False, server_default=false())
    reason: str = column(Fact(N_("reason")), max_length=300)
    round_number: int | None = column(Fact(N_("round number")), default=None)
    """None: it is for the whole event."""
    by: str = column(UNSAID, max_length=120)
    at: datetime = column(UNSAID, sa_type=UTCDateTime)
    taken_back_at: datetime | None = column(Fact(N_("withdrawn at")), default=None, sa_type=UTCDateTime)
    taken_back_by: str | None = column(UNSAID, default=None, max_length=120)


class TeamRuling(OfEvent, table=True):
    """A penalty or a bonus for a whole team. Rows are never deleted; a wrong one is cancelled."""

    __tablename__ = "team_ruling"
    __table_args__ = (
        CheckConstraint("points BETWEEN -100 AND 100", name="points_range"),
        CheckConstraint("vp BETWEEN -1000 AND 1000", name="vp_range"),
        CheckConstraint("points <> 0 OR vp <> 0", name="gives_something"),
    )

    id: int = Field(default=None, primary_key=True)
    event_id: int = column(UNSAID, default=None, foreign_key="event.id", index=True)
    team_id: int = column(Fact(N_("team")), foreign_key="team.id", index=True)
    points: int = column(Fact(N_("points")), default=0)
    """Tournament points of the team, less than 0 for a penalty."""
    after_round: int = column(UNSAID)
    """The newest published round at that time. One for the whole event counts from the next standings on."""
    vp: int = column(Fact(N_("vp")), default=0)
    reason: str = column(Fact(N_("reason")), max_length=300)
    round_number: int | None = column(Fact(N_("round number")), default=None)
    """None: it is for the whole event."""
    by: str = column(UNSAID, max_length=120)
    at: datetime = column(UNSAID, sa_type=UTCDateTime)
    taken_back_at: datetime | None = column(Fact(N_("withdrawn at")), default=None, sa_type=UTCDateTime)
    taken_back_by: str | None = column(UNSAID, default=None, max_length=120)


class AwardKind(StrEnum):
    """What an award is given for."""

    PLACE = "place"
    TEAM = "team"
    """The place of a team: its players share the award."""
    OVERALL = "overall"
    PAINTED = "painted"
    PAINTED_VOTE = "painted_vote"
    SPORT = "sport"
    MOST_VP = "most_vp"
    FACTION = "faction"
    SPOON = "spoon"
    OWN = "own"


AWARDED_FOR: Mapping[str, str] = {
    AwardKind.OWN: N_("a winner I name"),
    AwardKind.PLACE: N_("a place in the standings"),
    AwardKind.TEAM: N_("the place of a team"),
    AwardKind.OVERALL: N_("the best overall score"),
    AwardKind.PAINTED: N_("the best figure for painting"),
    AwardKind.PAINTED_VOTE: N_("the most votes for painting"),
    AwardKind.SPORT: N_("the best figure for sportsmanship"),
    AwardKind.MOST_VP: N_("the most victory points"),
    AwardKind.FACTION: N_("the best of each %(faction)s"),
    AwardKind.SPOON: N_("the last place"),
}


class Award(OfEvent, table=True):
    """An award of an event. Its winner is calculated unless one is named."""

    __table_args__ = (CheckConstraint("place BETWEEN 1 AND 100", name="place_range"),)

    id: int = Field(default=None, primary_key=True)
    event_id: int = column(UNSAID, default=None, foreign_key="event.id", index=True)
    name: str = column(Fact(N_("name"), text=NAME), max_length=80)
    kind: AwardKind = column(Fact(N_("kind"), choices=AWARDED_FOR), sa_type=choice(AwardKind, "kind"))
    position: int = column(Fact(N_("position")))
    """The place in the event's order of awards, the highest first. They are presented from last to first."""
    place: int | None = column(Fact(N_("place")), default=None)
    """The place in the standings that wins it."""


class AwardPick(OfEvent, table=True):
    __tablename__ = "award_pick"
    __table_args__ = (UniqueConstraint("award_id", "faction", "player_id"),)

    id: int = Field(default=None, primary_key=True)
    award_id: int = column(UNSAID, foreign_key="award.id", index=True)
    faction: str = column(CHOSEN, default="", max_length=80)
    """For an award to the best of a faction: that faction."""
    player_id: int = column(UNSAID, foreign_key="player.id")
    reason: str = column(UNSAID, max_length=300)
    by: str = column(UNSAID, max_length=120)
    at: datetime = column(UNSAID, sa_type=UTCDateTime)


class DoorPrize(OfEvent, table=True):
    """A prize that is raffled among the players who are here."""

    __tablename__ = "door_prize"

    id: int = Field(default=None, primary_key=True)
    event_id: int = column(UNSAID, foreign_key="event.id", index=True)
    name: str = column(Fact(N_("name"), text=NAME), max_length=120)
    position: int = column(Fact(N_("position")))
    given_at: datetime | None = column(Fact(N_("given at")), default=None, sa_type=UTCDateTime)
    shown_at: datetime | None = column(UNSAID, default=None, sa_type=UTCDateTime)
    """When the desk put this prize on the hall's screen. None: another one is there, or none."""


class PrizeDraw(OfEvent, table=True):
    """A draw of a door prize; a later one says that it was called off, or that this player was not here.

    Rows are never deleted. Seed and hat let anybody repeat it.
    """

    __tablename__ = "prize_draw"

    id: int = Field(default=None, primary_key=True)
    prize_id: int = column(UNSAID, foreign_key="door_prize.id", index=True)
    player_id: int = column(UNSAID, foreign_key="player.id", index=True)
    seed: str = column(UNSAID, max_length=64)
    hat: list[int] = column(UNSAID, sa_type=JSON)
    """The players' ids, in the order of their names at that time. No names: an erasure would have to rewrite them."""
    called_off: str = blank(Fact(N_("called off"), text=LINE), 500)
    """The desk's reason why this draw does not count; "" for one that counts, or whose player was not here."""
