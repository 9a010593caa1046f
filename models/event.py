"""An event, its settings, its rounds. More than 450 lines because each of an event's columns says what it is."""

from datetime import datetime
from enum import StrEnum
from typing import Any, Optional

from sqlalchemy import JSON, BigInteger, CheckConstraint, UniqueConstraint, text
from sqlmodel import Field, Relationship

from languages.words import N_
from models.award import Award, PaintingVote, Ruling, SportsMark, TeamRuling
from models.base import UTCDateTime, choice, new_secret, new_stamp, one_of
from models.facts import CODE, OF_SERVER, RESTORED, STAYS, UNSAID, Fact, OfEvent, ReadBy, column
from models.own import OwnEdition, OwnScenario
from models.parts import parts
from models.play import Game, Player
from models.play_settings import PlaySettings
from models.settings import EventSettings
from models.team import Team, TeamMatch


class EventState(StrEnum):
    """The state of an event. Only organisers see a draft."""

    DRAFT = "draft"
    REGISTRATION = "registration"
    IN_PROGRESS = "in_progress"
    FINISHED = "finished"


class EventRecord(OfEvent):
    """What identifies an event and what happened at it. A copy of the event takes none of these."""

    slug: str = column(Fact(N_("slug"), STAYS, CODE), max_length=60, unique=True)
    state: EventState = column(
        Fact(N_("state"), RESTORED, news=True), default=EventState.DRAFT, sa_type=choice(EventState, "state")
    )
    seed: int = column(Fact(N_("draw number"), RESTORED, read_by=ReadBy.PAIRING), sa_type=BigInteger)
    """For lots in the standings; each round has a seed of its own."""
    created_at: datetime = column(Fact(N_("created"), STAYS), sa_type=UTCDateTime)
    changed_at: datetime = column(OF_SERVER, sa_type=UTCDateTime)
    news_at: datetime | None = column(OF_SERVER, default=None, sa_type=UTCDateTime)
    """When a column whose fact is news last changed, here or in the rounds; None: not since the event was created.

    It only rises, also with an undo or a restore.
    """
    version: int = column(OF_SERVER, default=0)
    """Rises with every change to the event. With the stamp, it identifies the state that staff pages show."""
    stamp: str = column(OF_SERVER, default_factory=new_stamp, max_length=16, server_default=text("''"))
    """New with each version. It differs where a version number is used again after a restored backup."""
    public_stamp: str = column(OF_SERVER, default_factory=new_stamp, max_length=16, server_default=text("''"))
    """As ``stamp``, of the newest write that changed more than a draft round, which only staff see."""
    players_stamp: str = column(OF_SERVER, default_factory=new_stamp, max_length=16, server_default=text("''"))
    """As ``public_stamp``, of the newest write that changed more than a draft and the results of games in incomplete
    rounds.

    The other players' own pages show nothing of those.
    """
    luck: str = column(OF_SERVER, default_factory=new_secret, max_length=32, server_default=text("''"))
    """What lots are made of that must be the same when they are asked for again (``events/store/luck.py``)."""
    journal_from: int | None = column(OF_SERVER, default=None)
    """The first change set of the journal. None: the next write begins the journal with all current rows."""
    cancelled_at: datetime | None = column(Fact(N_("cancelled"), STAYS, news=True), default=None, sa_type=UTCDateTime)
    """When the event was cancelled; None if it was not."""
    lists_locked_at: datetime | None = column(Fact(N_("lists locked"), STAYS), default=None, sa_type=UTCDateTime)
    lists_revealed_at: datetime | None = column(Fact(N_("lists revealed"), STAYS), default=None, sa_type=UTCDateTime)
    """When the forces became public: no setting can undo that."""
    painting_vote_opened_at: datetime | None = column(
        Fact(N_("painting vote opened"), STAYS), default=None, sa_type=UTCDateTime
    )
    painting_vote_closed_at: datetime | None = column(
        Fact(N_("painting vote closed"), STAYS), default=None, sa_type=UTCDateTime
    )
    sports_closed_at: datetime | None = column(Fact(N_("sports closed"), STAYS), default=None, sa_type=UTCDateTime)
    """When the marking of opponents was closed; the marks count from then on."""
    awards_published_at: datetime | None = column(
        Fact(N_("awards published"), RESTORED), default=None, sa_type=UTCDateTime
    )
    awards_published: dict[str, Any] | None = column(Fact("", RESTORED), default=None, sa_type=JSON)
    """The awards, the podium and the final standings as published, with ids of players for names; None before."""
    awards_shown: int = column(Fact(N_("awards shown"), RESTORED), default=0, server_default="0")
    """The number of awards the projector has shown, counted from the last."""


class Event(PlaySettings, EventSettings, EventRecord, table=True):
    __table_args__ = (
        CheckConstraint("size > 0", name="size_positive"),
        CheckConstraint("rounds BETWEEN 1 AND 20", name="rounds_range"),
        CheckConstraint("places IS NULL OR places > 0", name="places_positive"),
        CheckConstraint("tables IS NULL OR tables > 0", name="tables_positive"),
        CheckConstraint("ends_on >= starts_on", name="ends_after_start"),
        CheckConstraint("team_size BETWEEN 1 AND 8", name="team_size_range"),
        CheckConstraint("legs BETWEEN 1 AND 2", name="legs_range"),
        CheckConstraint("cut BETWEEN 2 AND 64", name="cut_range"),
        CheckConstraint("bye_vp >= 0", name="bye_vp_counted"),
        CheckConstraint("late_points >= 0", name="late_points_counted"),
        CheckConstraint("vp_cap > 0", name="vp_cap_positive"),
    )

    id: int = Field(default=None, primary_key=True)
    players: list[Player] = parts("Player")
    """All players, dropped ones too, in the order of registration."""
    schedule: list["Round"] = parts("Round", "number")
    """The rounds, planned ones too."""
    teams: list[Team] = parts("Team")
    kept_apart: list["KeptApart"] = parts("KeptApart")
    rulings: list[Ruling] = parts("Ruling")
    team_rulings: list[TeamRuling] = parts("TeamRuling")
    painting_votes: list[PaintingVote] = parts("PaintingVote")
    sports_marks: list[SportsMark] = parts("SportsMark")
    awards: list[Award] = parts("Award", "position")
    own_scenarios: list[OwnScenario] = Relationship(
        sa_relationship_kwargs={
            "viewonly": True, "order_by": "OwnScenario.id",
            "primaryjoin": "foreign(OwnScenario.system) == Event.system",
        }
    )  # fmt: skip
    """The club's scenarios of the event's game."""
    own_edition: OwnEdition | None = Relationship(
        sa_relationship_kwargs={
            "viewonly": True,
            "primaryjoin": "and_(foreign(Event.system) == OwnEdition.system,"
            " foreign(Event.edition) == OwnEdition.edition)",
        }
    )
    """The club's edition that the event uses; None for one that ships. It is asked for only if none that ships fits."""

    @property
    def by_challenge(self) -> bool:
        """Whether games arise from challenges, on a ladder too."""
        return self.season is not None and self.season.by_challenge


class KeptWhen(StrEnum):
    """In which rounds two players are kept apart, if possible."""

    FIRST_ROUND = "first_round"
    ALWAYS = "always"


class KeptApart(OfEvent, table=True):
    """Two players of one event who should not meet: a player's wish or an organiser's block."""

    __tablename__ = "kept_apart"
    __table_args__ = (UniqueConstraint("a_id", "b_id"), CheckConstraint("a_id < b_id", name="lower_id_first"))

    id: int = Field(default=None, primary_key=True)
    event_id: int = column(UNSAID, default=None, foreign_key="event.id", index=True)
    a_id: int = column(Fact(N_("A")), foreign_key="player.id")
    b_id: int = column(Fact(N_("B")), foreign_key="player.id")
    when: KeptWhen = column(Fact(N_("when")), sa_type=choice(KeptWhen, "when"))
    asked_by: int | None = column(Fact("", read_by=ReadBy.NOBODY), default=None, foreign_key="player.id")
    """The player who asked for it; only organisers see this. None: the organiser's block."""
    at: datetime = column(UNSAID, sa_type=UTCDateTime)


class RoundState(StrEnum):
    """Planned, drafted for staff, or published. A round is complete when every game is decided; that is not stored."""

    PLANNED = "planned"
    DRAWN = "drawn"
    PUBLISHED = "published"


class RoundKind(StrEnum):
    """How a round is drawn."""

    SWISS = "swiss"
    ROUND_ROBIN = "round_robin"
    KNOCKOUT = "knockout"


class Round(OfEvent, table=True):
    """One round."""

    __table_args__ = (
        UniqueConstraint("event_id", "number"),
        CheckConstraint("number > 0", name="number_positive"),
        CheckConstraint("(kind = 'knockout') = (bracket IS NOT NULL)", name="knockout_has_bracket"),
    )

    id: int = Field(default=None, primary_key=True)
    games: list[Game] = parts("Game")
    matches: list[TeamMatch] = parts("TeamMatch")
    draw: Optional["RoundDraw"] = parts("RoundDraw", uselist=False)
    event_id: int = column(UNSAID, default=None, foreign_key="event.id", index=True)
    number: int = column(UNSAID)
    state: RoundState = column(Fact(N_("state")), default=RoundState.PLANNED, sa_type=choice(RoundState, "state"))
    scenario_drawn: bool = column(UNSAID, default=False)
    scenario: str | None = column(Fact(N_("scenario"), goes="nothing"), default=None, max_length=40)
    """None: drawn from the event's pool with the round, for all tables or for each (``Game.scenario``)."""
    seed: int | None = column(UNSAID, default=None, sa_type=BigInteger)
    published_at: datetime | None = column(Fact(N_("published")), default=None, sa_type=UTCDateTime)
    planned_at: datetime | None = column(Fact(N_("planned"), news=True), default=None, sa_type=UTCDateTime)
    """The planned start. None: after the previous round and a break."""
    bracket: int | None = column(UNSAID, default=None)
    """In a knockout: the players left in the bracket, 8 in quarter-finals, 2 in the final."""
    started_at: datetime | None = column(Fact(N_("started")), default=None, sa_type=UTCDateTime)
    """When the clock was started; None before."""
    paused_at: datetime | None = column(Fact(N_("paused")), default=None, sa_type=UTCDateTime)
    """When the clock was paused; None while it runs."""
    stopped_at: datetime | None = column(Fact(N_("stopped")), default=None, sa_type=UTCDateTime)
    """When time was called or the clock was stopped."""
    minutes: int | None = column(Fact(N_("minutes")), default=None)
    """The length of the round when the clock was started."""
    paused_seconds: int = column(UNSAID, default=0, server_default="0")
    """The total of earlier pauses."""
    extra_seconds: int = column(Fact(N_("time given")), default=0, server_default="0")
    """Time added for every table."""
    kind: RoundKind = one_of(Fact(N_("kind")), RoundKind.SWISS, "kind")

    @property
    def inputs(self) -> dict[str, Any] | None:
        """What went into the draw; None before it, and in a round of challenges."""
        return self.draw.inputs if self.draw else None

    @property
    def outcome(self) -> dict[str, Any] | None:
        """What came out of the draw, as its staff left it; None without one."""
        return self.draw.outcome if self.draw else None


class RoundDraw(OfEvent, table=True):
    """The draw of a round, apart from it: it is long, and few pages read it."""

    __tablename__ = "round_draw"

    id: int = Field(default=None, primary_key=True)
    round_id: int = column(UNSAID, default=None, foreign_key="round.id", unique=True)
    inputs: dict[str, Any] = column(Fact("", read_by=ReadBy.PAIRING), sa_type=JSON)
    outcome: dict[str, Any] = column(Fact("", read_by=ReadBy.PAIRING), sa_type=JSON)
    """Levels, certificate, notes, version of the algorithm, and what staff changed since."""
