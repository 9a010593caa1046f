"""An event, its settings, its rounds."""

from datetime import date, datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import JSON, BigInteger, CheckConstraint, UniqueConstraint, false, text, true
from sqlmodel import Field, Relationship, SQLModel

from models.award import Award, PaintingMark, PaintingVote, Ruling, SportsMark, TeamRuling
from models.base import UTCDateTime, choice, new_stamp, one_of
from models.endings import ConcededVp, NotPlayed


class EventState(StrEnum):
    """The state of an event. Only organisers see a draft."""

    DRAFT = "draft"
    REGISTRATION = "registration"
    IN_PROGRESS = "in_progress"
    FINISHED = "finished"


class AvoidClubs(StrEnum):
    """In which rounds club-mates are kept apart, if possible."""

    FIRST_ROUND = "first_round"
    ALWAYS = "always"
    NEVER = "never"


class BoardsMatched(StrEnum):
    """How boards of a team match are paired: by their stored order, or by both captains' secret choices."""

    ORDER = "order"
    CHOICE = "choice"


class EventFormat(StrEnum):
    """The format: Swiss, round robin, or knockout from the start."""

    SWISS = "swiss"
    ROUND_ROBIN = "round_robin"
    KNOCKOUT = "knockout"


class AskedBye(StrEnum):
    """The result that a requested bye counts as."""

    WIN = "win"
    DRAW = "draw"
    LOSS = "loss"


class ListsShown(StrEnum):
    """From when everybody may read the forces; never before they are locked."""

    AT_LOCK = "at_lock"
    AT_TIME = "at_time"
    AFTER_EVENT = "after_event"
    ON_PRESS = "on_press"


class ListsInPlay(StrEnum):
    """Who may read the locked forces during the event before everybody may."""

    STAFF = "staff"
    OPPONENTS = "opponents"
    EVERYBODY = "everybody"


class ReportDetail(StrEnum):
    """The detail of a report."""

    FULL = "full"
    """Everything the scenario asks for."""
    TOTALS = "totals"
    """Each side's total victory points, and what else decides the winner."""
    OUTCOME = "outcome"
    """Win, draw or loss; victory points are unknown."""


class Event(SQLModel, table=True):
    """One tournament and its settings."""

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
    slug: str = Field(max_length=60, unique=True)
    name: str = Field(max_length=120)
    place: str = Field(default="", max_length=200)
    description: str = Field(default="", max_length=4000)
    starts_on: date
    ends_on: date
    timezone: str = Field(max_length=64)
    system: str = Field(max_length=40)
    edition: str = Field(max_length=40)
    size: int
    places: int | None = None
    """None: no limit."""
    waiting_list: bool = True
    rounds: int
    round_minutes: int
    tables: int | None = None
    """None: no limit."""
    list_deadline: datetime | None = Field(default=None, sa_type=UTCDateTime)
    """None: lists lock when round 1 is published."""
    lists_locked_at: datetime | None = Field(default=None, sa_type=UTCDateTime)
    points_win: int
    points_draw: int
    points_loss: int
    painting_points: int = 0
    tie_breaks: list[str] = Field(sa_type=JSON)
    avoid_clubs: AvoidClubs = Field(default=AvoidClubs.FIRST_ROUND, sa_type=choice(AvoidClubs, "avoid_clubs"))
    scenario_pool: list[str] = Field(sa_type=JSON)
    """The pool from which rounds without a chosen scenario draw theirs, without repeats."""
    seed: int = Field(sa_type=BigInteger)
    """For lots in the standings; each round has a seed of its own."""
    state: EventState = Field(default=EventState.DRAFT, sa_type=choice(EventState, "state"))
    created_at: datetime = Field(sa_type=UTCDateTime)
    changed_at: datetime = Field(sa_type=UTCDateTime)
    version: int = Field(default=0)
    """Rises with every change to the event. With the stamp, it identifies the state that staff pages show."""
    lists_shown: ListsShown = one_of(ListsShown.AT_LOCK, "lists_shown")
    lists_shown_from: datetime | None = Field(default=None, sa_type=UTCDateTime)
    """For lists shown at a set time."""
    lists_revealed_at: datetime | None = Field(default=None, sa_type=UTCDateTime)
    """When the forces became public: no setting can undo that."""
    restrictions: dict[str, Any] | None = Field(default=None, sa_type=JSON)
    """The event's added rules, in the form of ``validators.restrictions``. None: none."""
    team_size: int = Field(default=1, sa_column_kwargs={"server_default": "1"})
    """Players per team, 2 to 8; 1: no teams."""
    boards: BoardsMatched = one_of(BoardsMatched.ORDER, "boards")
    doubles: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """Two players share one side and one force: an entry has two names."""
    draw_rules: dict[str, Any] | None = Field(default=None, sa_type=JSON)
    """The rules of the draw, in the form of ``pairing.seats.event_document``. None: by lot, with every level."""
    format: EventFormat = one_of(EventFormat.SWISS, "format")
    legs: int = Field(default=1, sa_column_kwargs={"server_default": "1"})
    """In a round robin: how often two players meet."""
    cut: int | None = None
    """The number of players in the knockout after the other rounds. None: no knockout."""
    third_place: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """The losers of the semi-finals also play for third place."""
    player_meeting: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """Whether players are seated for a meeting before round 1."""
    bye_vp: int | None = None
    """Victory points of a bye. None: the mean of the winners."""
    asked_bye: AskedBye = one_of(AskedBye.DRAW, "asked_bye")
    late_points: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    """Tournament points for each round before a late entry's first."""
    vp_cap: int | None = None
    """The limit of one game's VP difference. None: no limit."""
    clock_rules: dict[str, Any] | None = Field(default=None, sa_type=JSON)
    """Breaks and calls of the round clock, in the form of ``events.tournament.clock``. None: the defaults."""
    tables_out: list[int] | None = Field(default=None, sa_type=JSON)
    """The numbers of tables that are not used. None: all are used."""
    top_tables: bool = Field(default=True, sa_column_kwargs={"server_default": true()})
    """Whether the top pairs sit at the first tables; otherwise lots decide."""
    scenario_per_table: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """Whether a round without a chosen scenario draws one for each table."""
    mail_asked: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """Whether players may give a mail address for messages."""
    soft_rules: dict[str, Any] | None = Field(default=None, sa_type=JSON)
    """What counts in addition to games, in the form of ``events.play.rulings``. None: the defaults."""
    painting_vote_opened_at: datetime | None = Field(default=None, sa_type=UTCDateTime)
    painting_vote_closed_at: datetime | None = Field(default=None, sa_type=UTCDateTime)
    sports_closed_at: datetime | None = Field(default=None, sa_type=UTCDateTime)
    """When the marking of opponents was closed; the marks count from then on."""
    awards_published_at: datetime | None = Field(default=None, sa_type=UTCDateTime)
    awards_shown: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    """The number of awards the projector has shown, counted from the last."""
    conceded_vp: ConcededVp = one_of(ConcededVp.BYE, "conceded_vp")
    not_played: NotPlayed = one_of(NotPlayed.NOTHING, "not_played")
    second_pass_alone: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """Whether the person who entered a paper result may also verify it, for a club with one person at the desk."""
    journal_from: int | None = None
    """The first change set of the journal. None: the next write begins the journal with all current rows."""
    fee: str = Field(default="", max_length=60, sa_column_kwargs={"server_default": text("''")})
    """The entry fee in the organiser's words. Empty: no fee, and no marks for payment."""
    stamp: str = Field(default_factory=new_stamp, max_length=16, sa_column_kwargs={"server_default": text("''")})
    """New with each version. It differs where a version number is used again after a restored backup."""
    public_stamp: str = Field(default_factory=new_stamp, max_length=16, sa_column_kwargs={"server_default": text("''")})
    """As ``stamp``, of the newest write that changed more than a draft round, which only staff see."""
    approval: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """Whether sign-ups wait until staff give them a place."""
    players_stamp: str = Field(
        default_factory=new_stamp, max_length=16, sa_column_kwargs={"server_default": text("''")}
    )
    """As ``public_stamp``, of the newest write that changed more than a draft and the results of games in incomplete
    rounds.

    The other players' own pages show nothing of those.
    """
    lists_in_play: ListsInPlay = one_of(ListsInPlay.STAFF, "lists_in_play")
    check_in_from: datetime | None = Field(default=None, sa_type=UTCDateTime)
    """From when players may check themselves in. None: only staff check in."""
    check_in_until: datetime | None = Field(default=None, sa_type=UTCDateTime)
    """None: until round 1 is published."""
    starts_at: str = Field(default="", max_length=5, sa_column_kwargs={"server_default": text("''")})
    """When round 1 begins on the first day, "HH:MM" in the event's time zone. Empty: not said."""
    registration_opens: datetime | None = Field(default=None, sa_type=UTCDateTime)
    """Players can sign up from this moment until the next one; staff can always enter players. None: no limit."""
    registration_closes: datetime | None = Field(default=None, sa_type=UTCDateTime)
    questions: list[dict[str, Any]] | None = Field(default=None, sa_type=JSON)
    """The event's questions at sign-up, in the form of ``registration.questions``. None: none."""
    cancelled_at: datetime | None = Field(default=None, sa_type=UTCDateTime)
    """When the event was cancelled; None if it was not."""
    unlisted: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """Not shown on the front page or in its series."""
    series: str = Field(default="", max_length=80, sa_column_kwargs={"server_default": text("''")})
    """The name of the event's series. Empty: no series."""
    report_detail: ReportDetail = one_of(ReportDetail.FULL, "report_detail")
    points_table: dict[str, Any] | None = Field(default=None, sa_type=JSON)
    """Tournament points by VP difference, in the form of ``tournament.points_table``. None: by win, draw, loss."""
    season: dict[str, Any] | None = Field(default=None, sa_type=JSON)
    """Rounds with windows of days, in the form of ``events.tournament.season``. None: not a season."""
    circuit: dict[str, Any] | None = Field(default=None, sa_type=JSON)
    """The points table of the series, in the form of ``events.tournament.season``. None: none."""
    campaign: dict[str, Any] | None = Field(default=None, sa_type=JSON)
    """Settings and plan of a campaign, in the form of ``events.play.campaign``. None: no campaign."""
    contact: str = Field(default="", max_length=200, sa_column_kwargs={"server_default": text("''")})
    """How players reach the organiser; everybody reads it. Empty: not said."""
    bring: str = Field(default="", max_length=1000, sa_column_kwargs={"server_default": text("''")})
    """What players bring, in the organiser's words. Empty: not said."""
    kept_apart: list["KeptApart"] = Relationship(sa_relationship_kwargs={"viewonly": True, "order_by": "KeptApart.id"})
    rulings: list[Ruling] = Relationship(sa_relationship_kwargs={"viewonly": True, "order_by": "Ruling.id"})
    team_rulings: list[TeamRuling] = Relationship(
        sa_relationship_kwargs={"viewonly": True, "order_by": "TeamRuling.id"}
    )
    painting_marks: list[PaintingMark] = Relationship(
        sa_relationship_kwargs={"viewonly": True, "order_by": "PaintingMark.id"}
    )
    painting_votes: list[PaintingVote] = Relationship(
        sa_relationship_kwargs={"viewonly": True, "order_by": "PaintingVote.id"}
    )
    sports_marks: list[SportsMark] = Relationship(
        sa_relationship_kwargs={"viewonly": True, "order_by": "SportsMark.id"}
    )
    awards: list[Award] = Relationship(sa_relationship_kwargs={"viewonly": True, "order_by": "Award.position"})


class KeptWhen(StrEnum):
    """In which rounds two players are kept apart, if possible."""

    FIRST_ROUND = "first_round"
    ALWAYS = "always"


class KeptApart(SQLModel, table=True):
    """Two players of one event who should not meet: a player's wish or an organiser's block."""

    __tablename__ = "kept_apart"
    __table_args__ = (UniqueConstraint("a_id", "b_id"), CheckConstraint("a_id < b_id", name="lower_id_first"))

    id: int = Field(default=None, primary_key=True)
    event_id: int = Field(foreign_key="event.id", index=True)
    a_id: int = Field(foreign_key="player.id")
    b_id: int = Field(foreign_key="player.id")
    when: KeptWhen = Field(sa_type=choice(KeptWhen, "when"))
    asked_by: int | None = Field(default=None, foreign_key="player.id")
    """The player who asked for it; only organisers see this. None: the organiser's block."""
    at: datetime = Field(sa_type=UTCDateTime)


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


class Round(SQLModel, table=True):
    """One round, with everything needed to repeat its draw."""

    __table_args__ = (
        UniqueConstraint("event_id", "number"),
        CheckConstraint("number > 0", name="number_positive"),
        CheckConstraint("(kind = 'knockout') = (bracket IS NOT NULL)", name="knockout_has_bracket"),
    )

    id: int = Field(default=None, primary_key=True)
    event_id: int = Field(foreign_key="event.id", index=True)
    number: int
    scenario: str | None = Field(default=None, max_length=40)
    """None: drawn from the event's pool with the round, for all tables or for each (``Game.scenario``)."""
    scenario_drawn: bool = False
    state: RoundState = Field(default=RoundState.PLANNED, sa_type=choice(RoundState, "state"))
    seed: int | None = Field(default=None, sa_type=BigInteger)
    published_at: datetime | None = Field(default=None, sa_type=UTCDateTime)
    kind: RoundKind = one_of(RoundKind.SWISS, "kind")
    bracket: int | None = None
    """In a knockout: the players left in the bracket, 8 in quarter-finals, 2 in the final."""
    planned_at: datetime | None = Field(default=None, sa_type=UTCDateTime)
    """The planned start. None: after the previous round and a break."""
    started_at: datetime | None = Field(default=None, sa_type=UTCDateTime)
    """When the clock was started; None before."""
    minutes: int | None = None
    """The length of the round when the clock was started."""
    paused_at: datetime | None = Field(default=None, sa_type=UTCDateTime)
    """When the clock was paused; None while it runs."""
    paused_seconds: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    """The total of earlier pauses."""
    extra_seconds: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    """Time added for every table."""
    stopped_at: datetime | None = Field(default=None, sa_type=UTCDateTime)
    """When time was called or the clock was stopped."""
    inputs: dict[str, Any] | None = Field(default=None, sa_type=JSON)
    """The input of the draw. Long, as the next column: both come last, because SQLite reads a row up to the last
    column used."""
    outcome: dict[str, Any] | None = Field(default=None, sa_type=JSON)
    """The outcome of the draw: levels, certificate, notes, version of the algorithm."""
