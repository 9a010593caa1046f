"""An event, its settings, its rounds."""

from datetime import date, datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import JSON, BigInteger, CheckConstraint, UniqueConstraint, false, text, true
from sqlmodel import Field, Relationship, SQLModel

from models.award import Award, PaintingMark, PaintingVote, Ruling, SportsMark, TeamRuling
from models.base import UTCDateTime, choice, new_stamp
from models.endings import ConcededVp, NotPlayed


class EventState(StrEnum):
    """Where an event stands. Draft is seen by organisers alone."""

    DRAFT = "draft"
    REGISTRATION = "registration"
    IN_PROGRESS = "in_progress"
    FINISHED = "finished"


class AvoidClubs(StrEnum):
    """When club mates are kept apart, where numbers allow."""

    FIRST_ROUND = "first_round"
    ALWAYS = "always"
    NEVER = "never"


class BoardsMatched(StrEnum):
    """How the boards of a match of teams are matched: by their stored order, or as both captains choose in secret."""

    ORDER = "order"
    CHOICE = "choice"


class EventFormat(StrEnum):
    """Who plays whom: by Swiss, everybody against everybody, or single elimination from the start."""

    SWISS = "swiss"
    ROUND_ROBIN = "round_robin"
    KNOCKOUT = "knockout"


class AskedBye(StrEnum):
    """What a bye that a player asked for counts as."""

    WIN = "win"
    DRAW = "draw"
    LOSS = "loss"


class ListsShown(StrEnum):
    """From when everybody may read the force lists. Whatever is chosen, never before they are locked."""

    AT_LOCK = "at_lock"
    AT_TIME = "at_time"
    AFTER_EVENT = "after_event"
    ON_PRESS = "on_press"


class ListsInPlay(StrEnum):
    """Who else may read the locked lists while rounds are played, before everybody may."""

    STAFF = "staff"
    OPPONENTS = "opponents"
    EVERYBODY = "everybody"


class ReportDetail(StrEnum):
    """What is reported of a game."""

    FULL = "full"
    """All that its scenario asks."""
    TOTALS = "totals"
    """Each side's victory points in all, and what else decides the winner."""
    OUTCOME = "outcome"
    """Who won; victory points are unknown."""


class Event(SQLModel, table=True):
    """One tournament, as its organiser set it up."""

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
    """None: as many as there are games."""
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
    """Scenarios that a round without a chosen one is drawn from, without repeats."""
    seed: int = Field(sa_type=BigInteger)
    """For drawn lots in the standings; each round has its own."""
    state: EventState = Field(default=EventState.DRAFT, sa_type=choice(EventState, "state"))
    created_at: datetime = Field(sa_type=UTCDateTime)
    changed_at: datetime = Field(sa_type=UTCDateTime)
    version: int = Field(default=0)
    """Rises with every change to anything of the event; what the staff's pages poll is keyed by it and its stamp."""
    lists_shown: ListsShown = Field(
        default=ListsShown.AT_LOCK,
        sa_type=choice(ListsShown, "lists_shown"),
        sa_column_kwargs={"server_default": ListsShown.AT_LOCK.value},
    )
    lists_shown_from: datetime | None = Field(default=None, sa_type=UTCDateTime)
    """For lists shown at a set time."""
    lists_revealed_at: datetime | None = Field(default=None, sa_type=UTCDateTime)
    """Since when everybody can read the lists: once it has happened, no clock and no setting takes it back."""
    restrictions: dict[str, Any] | None = Field(default=None, sa_type=JSON)
    """What the event adds to the game's rules, as ``validators.restrictions`` writes it. None: nothing."""
    team_size: int = Field(default=1, sa_column_kwargs={"server_default": "1"})
    """Players of a team, 2 to 8; 1: everybody plays alone."""
    boards: BoardsMatched = Field(
        default=BoardsMatched.ORDER,
        sa_type=choice(BoardsMatched, "boards"),
        sa_column_kwargs={"server_default": BoardsMatched.ORDER.value},
    )
    doubles: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """Two players share one side and one force: an entry has two names."""
    draw_rules: dict[str, Any] | None = Field(default=None, sa_type=JSON)
    """How rounds are drawn, as ``pairing.draw_rules`` writes it. None: by lot, with every level."""
    format: EventFormat = Field(
        default=EventFormat.SWISS,
        sa_type=choice(EventFormat, "format"),
        sa_column_kwargs={"server_default": EventFormat.SWISS.value},
    )
    legs: int = Field(default=1, sa_column_kwargs={"server_default": "1"})
    """Of a round robin: how often everybody meets everybody."""
    cut: int | None = None
    """How many play a seeded knockout after the other rounds. None: there is none."""
    third_place: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """The losers of the semi-finals also play for third place."""
    player_meeting: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """Everybody is seated for the announcements before round 1."""
    bye_vp: int | None = None
    """Victory points of a bye. None: the mean of the winners."""
    asked_bye: AskedBye = Field(
        default=AskedBye.DRAW,
        sa_type=choice(AskedBye, "asked_bye"),
        sa_column_kwargs={"server_default": AskedBye.DRAW.value},
    )
    late_points: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    """Tournament points for each round before a late entry's first."""
    vp_cap: int | None = None
    """The most that one game adds to the VP difference. None: no limit."""
    clock_rules: dict[str, Any] | None = Field(default=None, sa_type=JSON)
    """Breaks and calls of the rounds' clocks, as ``events.play.clock`` writes them. None: the usual ones."""
    tables_out: list[int] | None = Field(default=None, sa_type=JSON)
    """Tables out of order: nobody is seated there. None: all are in order."""
    top_tables: bool = Field(default=True, sa_column_kwargs={"server_default": true()})
    """Top pairs sit on the first tables; otherwise lots decide."""
    scenario_per_table: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """A round without a chosen scenario draws one from the pool for each of its tables."""
    mail_asked: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """Players may give a mail address, for the organiser's messages."""
    soft_rules: dict[str, Any] | None = Field(default=None, sa_type=JSON)
    """What counts in addition to games, and where, as ``events.play.rulings`` writes it. None: the default."""
    painting_vote_opened_at: datetime | None = Field(default=None, sa_type=UTCDateTime)
    painting_vote_closed_at: datetime | None = Field(default=None, sa_type=UTCDateTime)
    sports_closed_at: datetime | None = Field(default=None, sa_type=UTCDateTime)
    """Since when nobody marks opponents any more; only then the marks count."""
    awards_published_at: datetime | None = Field(default=None, sa_type=UTCDateTime)
    awards_shown: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    """How many awards, from the last on, the projector has shown."""
    conceded_vp: ConcededVp = Field(
        default=ConcededVp.BYE,
        sa_type=choice(ConcededVp, "conceded_vp"),
        sa_column_kwargs={"server_default": ConcededVp.BYE.value},
    )
    not_played: NotPlayed = Field(
        default=NotPlayed.NOTHING,
        sa_type=choice(NotPlayed, "not_played"),
        sa_column_kwargs={"server_default": NotPlayed.NOTHING.value},
    )
    second_pass_alone: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """The person who typed a result from its paper sheet may verify it too, for a club with one person at the desk."""
    journal_from: int | None = None
    """The change set that the journal begins with; None: the next write begins it, with every row as it finds it."""
    fee: str = Field(default="", max_length=60, sa_column_kwargs={"server_default": text("''")})
    """What a place costs, in the organiser's words. Empty: nobody pays, and nobody is marked as having paid."""
    stamp: str = Field(default_factory=new_stamp, max_length=16, sa_column_kwargs={"server_default": text("''")})
    """Another one with each version: one of the same number is written again after a backup was restored."""
    public_stamp: str = Field(default_factory=new_stamp, max_length=16, sa_column_kwargs={"server_default": text("''")})
    """The same, of the newest write that changed more than a draft of a round: nobody but the staff sees those."""
    approval: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """Sign-ups wait on the waiting list until staff give them a place."""
    players_stamp: str = Field(
        default_factory=new_stamp, max_length=16, sa_column_kwargs={"server_default": text("''")}
    )
    """As ``public_stamp``, of the newest write that changed more than a draft, and the results of games in incomplete
    rounds.

    The other players' own pages show nothing of those.
    """
    lists_in_play: ListsInPlay = Field(
        default=ListsInPlay.STAFF,
        sa_type=choice(ListsInPlay, "lists_in_play"),
        sa_column_kwargs={"server_default": ListsInPlay.STAFF.value},
    )
    check_in_from: datetime | None = Field(default=None, sa_type=UTCDateTime)
    """From when players may check themselves in. None: only staff check in."""
    check_in_until: datetime | None = Field(default=None, sa_type=UTCDateTime)
    """None: until round 1 is published."""
    starts_at: str = Field(default="", max_length=5, sa_column_kwargs={"server_default": text("''")})
    """When round 1 begins on the first day, "HH:MM" in the event's time zone. Empty: not said."""
    registration_opens: datetime | None = Field(default=None, sa_type=UTCDateTime)
    """Before it nobody signs up, and after the next one nobody does; the desk still enters players. None: no limit."""
    registration_closes: datetime | None = Field(default=None, sa_type=UTCDateTime)
    questions: list[dict[str, Any]] | None = Field(default=None, sa_type=JSON)
    """What players are asked when they sign up, as ``events.play.questions`` writes it. None: nothing more."""
    cancelled_at: datetime | None = Field(default=None, sa_type=UTCDateTime)
    """Since when the event does not take place; None while it does."""
    unlisted: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """Not on the front page and in its series; reached by its address."""
    series: str = Field(default="", max_length=80, sa_column_kwargs={"server_default": text("''")})
    """The name that the events of a series share. Empty: the event is in none."""
    report_detail: ReportDetail = Field(
        default=ReportDetail.FULL,
        sa_type=choice(ReportDetail, "report_detail"),
        sa_column_kwargs={"server_default": ReportDetail.FULL.value},
    )
    points_table: dict[str, Any] | None = Field(default=None, sa_type=JSON)
    """Tournament points by VP difference, as ``events.play.points_table`` writes it. None: by win, draw and loss."""
    season: dict[str, Any] | None = Field(default=None, sa_type=JSON)
    """Rounds with windows of days, as ``events.play.season`` writes them. None: the event is played in one go."""
    circuit: dict[str, Any] | None = Field(default=None, sa_type=JSON)
    """The points table of the event's series, as ``events.play.season`` writes it. None: it has none."""
    campaign: dict[str, Any] | None = Field(default=None, sa_type=JSON)
    """Settings and plan of a season that is a campaign, as ``events.play.campaign`` writes them. None: it is none."""
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
    """In which rounds two players are kept apart, where numbers allow."""

    FIRST_ROUND = "first_round"
    ALWAYS = "always"


class KeptApart(SQLModel, table=True):
    """Two players of one event who are not to meet, by a player's wish or by the organiser's own block."""

    __tablename__ = "kept_apart"
    __table_args__ = (UniqueConstraint("a_id", "b_id"), CheckConstraint("a_id < b_id", name="lower_id_first"))

    id: int = Field(default=None, primary_key=True)
    event_id: int = Field(foreign_key="event.id", index=True)
    a_id: int = Field(foreign_key="player.id")
    b_id: int = Field(foreign_key="player.id")
    when: KeptWhen = Field(sa_type=choice(KeptWhen, "when"))
    asked_by: int | None = Field(default=None, foreign_key="player.id")
    """Whose wish it is, for organisers' eyes alone. None: the organiser's block."""
    at: datetime = Field(sa_type=UTCDateTime)


class RoundState(StrEnum):
    """Planned, drawn for the organiser's eyes, or published. Complete is not stored: every game decided makes it so."""

    PLANNED = "planned"
    DRAWN = "drawn"
    PUBLISHED = "published"


class RoundKind(StrEnum):
    """How a round is drawn."""

    SWISS = "swiss"
    ROUND_ROBIN = "round_robin"
    KNOCKOUT = "knockout"


class Round(SQLModel, table=True):
    """One round, with all that is needed to draw it again."""

    __table_args__ = (
        UniqueConstraint("event_id", "number"),
        CheckConstraint("number > 0", name="number_positive"),
        CheckConstraint("(kind = 'knockout') = (bracket IS NOT NULL)", name="knockout_has_bracket"),
    )

    id: int = Field(default=None, primary_key=True)
    event_id: int = Field(foreign_key="event.id", index=True)
    number: int
    scenario: str | None = Field(default=None, max_length=40)
    """None: drawn from the event's pool together with the round, for all its tables or for each (``Game.scenario``)."""
    scenario_drawn: bool = False
    state: RoundState = Field(default=RoundState.PLANNED, sa_type=choice(RoundState, "state"))
    seed: int | None = Field(default=None, sa_type=BigInteger)
    published_at: datetime | None = Field(default=None, sa_type=UTCDateTime)
    kind: RoundKind = Field(
        default=RoundKind.SWISS,
        sa_type=choice(RoundKind, "kind"),
        sa_column_kwargs={"server_default": RoundKind.SWISS.value},
    )
    bracket: int | None = None
    """Of a knockout: the places of the bracket that are left, 8 in the quarter-finals, 2 in the final."""
    planned_at: datetime | None = Field(default=None, sa_type=UTCDateTime)
    """When it is to start. None: after the round before it and a break."""
    started_at: datetime | None = Field(default=None, sa_type=UTCDateTime)
    """When its clock was started; None while it waits."""
    minutes: int | None = None
    """Its length as it was when the clock was started."""
    paused_at: datetime | None = Field(default=None, sa_type=UTCDateTime)
    """Since when its clock stands still."""
    paused_seconds: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    """How long its clock stood still before, in all."""
    extra_seconds: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    """Time added for every table."""
    stopped_at: datetime | None = Field(default=None, sa_type=UTCDateTime)
    """When time was called, or its clock was stopped otherwise."""
    inputs: dict[str, Any] | None = Field(default=None, sa_type=JSON)
    """The seats as the draw saw them. Long, as the next: both come last in SQLite's table, which reads to there."""
    outcome: dict[str, Any] | None = Field(default=None, sa_type=JSON)
    """What the draw said: its levels, certificate, notes, and the version of the algorithm."""
