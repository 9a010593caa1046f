"""An event, its settings, its rounds. More than 400 lines because each of an event's columns says what it is."""

from datetime import date, datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import JSON, BigInteger, CheckConstraint, UniqueConstraint, false, text, true
from sqlmodel import Field, Relationship

from models.award import Award, PaintingMark, PaintingVote, Ruling, SportsMark, TeamRuling
from models.base import UTCDateTime, choice, new_stamp, one_of
from models.endings import ConcededVp, NotPlayed
from models.facts import CODE, LINE, LINES, NAME, OF_SERVER, RESTORED, STAYS, UNSAID, Fact, OfEvent, ReadBy, column


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


class EventRecord(OfEvent):
    """What identifies an event and what happened at it. A copy of the event takes none of these."""

    slug: str = column(Fact("slug", STAYS, CODE), max_length=60, unique=True)
    state: EventState = column(Fact("state", RESTORED), default=EventState.DRAFT, sa_type=choice(EventState, "state"))
    seed: int = column(Fact("seed", RESTORED), sa_type=BigInteger)
    """For lots in the standings; each round has a seed of its own."""
    created_at: datetime = column(Fact("created", STAYS), sa_type=UTCDateTime)
    changed_at: datetime = column(OF_SERVER, sa_type=UTCDateTime)
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
    journal_from: int | None = column(OF_SERVER, default=None)
    """The first change set of the journal. None: the next write begins the journal with all current rows."""
    cancelled_at: datetime | None = column(Fact("cancelled", STAYS), default=None, sa_type=UTCDateTime)
    """When the event was cancelled; None if it was not."""
    lists_locked_at: datetime | None = column(Fact("lists locked", STAYS), default=None, sa_type=UTCDateTime)
    lists_revealed_at: datetime | None = column(Fact("lists revealed", STAYS), default=None, sa_type=UTCDateTime)
    """When the forces became public: no setting can undo that."""
    painting_vote_opened_at: datetime | None = column(
        Fact("painting vote opened", STAYS), default=None, sa_type=UTCDateTime
    )
    painting_vote_closed_at: datetime | None = column(
        Fact("painting vote closed", STAYS), default=None, sa_type=UTCDateTime
    )
    sports_closed_at: datetime | None = column(Fact("sports closed", STAYS), default=None, sa_type=UTCDateTime)
    """When the marking of opponents was closed; the marks count from then on."""
    awards_published_at: datetime | None = column(Fact("awards published", RESTORED), default=None, sa_type=UTCDateTime)
    awards_shown: int = column(Fact("awards shown", RESTORED), default=0, server_default="0")
    """The number of awards the projector has shown, counted from the last."""


class EventSettings(OfEvent):
    """The settings of the page “Settings”."""

    name: str = column(Fact("Name", STAYS, NAME), max_length=120)
    place: str = column(Fact("Place", RESTORED, LINE), default="", max_length=200)
    contact: str = column(Fact("Contact", STAYS, LINE), default="", max_length=200, server_default=text("''"))
    """How players reach the organiser; everybody reads it. Empty: not said."""
    bring: str = column(Fact("What to bring", STAYS, LINES), default="", max_length=1000, server_default=text("''"))
    """What players bring, in the organiser's words. Empty: not said."""
    description: str = column(Fact("Information for players", RESTORED, LINES), default="", max_length=4000)
    series: str = column(Fact("Series", STAYS, LINE), default="", max_length=80, server_default=text("''"))
    """The name of the event's series. Empty: no series."""
    starts_on: date = column(Fact("First day", RESTORED))
    starts_at: str = column(Fact("Start", STAYS, CODE), default="", max_length=5, server_default=text("''"))
    """When round 1 begins on the first day, "HH:MM" in the event's time zone. Empty: not said."""
    ends_on: date = column(Fact("Last day", RESTORED))
    timezone: str = column(Fact("Time zone", RESTORED, CODE), max_length=64)
    system: str = column(Fact("system", STAYS, CODE), max_length=40)
    places: int | None = column(Fact("Player limit", RESTORED), default=None)
    """None: no limit."""
    fee: str = column(Fact("Entry fee", RESTORED, LINE), default="", max_length=60, server_default=text("''"))
    """The entry fee in the organiser's words. Empty: no fee, and no marks for payment."""
    registration_opens: datetime | None = column(Fact("Registration opens", STAYS), default=None, sa_type=UTCDateTime)
    """Players can sign up from this moment until the next one; staff can always enter players. None: no limit."""
    registration_closes: datetime | None = column(Fact("Registration closes", STAYS), default=None, sa_type=UTCDateTime)
    waiting_list: bool = column(Fact("Keep a waiting list when all places are taken", RESTORED), default=True)
    approval: bool = column(Fact("Approve sign-ups", RESTORED), default=False, server_default=false())
    """Whether sign-ups wait until staff give them a place."""
    questions: list[dict[str, Any]] | None = column(Fact("Questions", STAYS), default=None, sa_type=JSON)
    """The event's questions at sign-up, in the form of ``registration.questions``. None: none."""
    size: int = column(Fact("Size", STAYS))
    edition: str = column(Fact("Edition of the force lists", STAYS, CODE), max_length=40)
    list_deadline: datetime | None = column(Fact("List deadline", STAYS), default=None, sa_type=UTCDateTime)
    """None: lists lock when round 1 is published."""
    lists_shown: ListsShown = one_of(
        Fact(
            "Show lists to everyone",
            STAYS,
            choices={
                "at_lock": "When they are locked",
                "at_time": "From a set time",
                "after_event": "After the event",
                "on_press": "When you press “Show all lists now”",
            },
        ),
        ListsShown.AT_LOCK,
        "lists_shown",
    )
    lists_shown_from: datetime | None = column(
        Fact("Set time for showing lists", STAYS), default=None, sa_type=UTCDateTime
    )
    """For lists shown at a set time."""
    lists_in_play: ListsInPlay = one_of(
        Fact(
            "Lists during rounds",
            STAYS,
            choices={
                "staff": "As chosen above",
                "opponents": "Opponents of the current round too",
                "everybody": "Everybody, from round 1 on",
            },
        ),
        ListsInPlay.STAFF,
        "lists_in_play",
    )
    rounds: int = column(Fact("Rounds", RESTORED))
    round_minutes: int = column(Fact("Minutes per round", RESTORED))
    scenario_pool: list[str] = column(Fact("Scenario pool", RESTORED), sa_type=JSON)
    """The pool from which rounds without a chosen scenario draw theirs, without repeats."""
    points_win: int = column(Fact("Win", RESTORED))
    points_draw: int = column(Fact("Draw", RESTORED))
    points_loss: int = column(Fact("Loss", RESTORED))
    painting_points: int = column(Fact("Fully painted force", RESTORED), default=0)
    report_detail: ReportDetail = one_of(
        Fact(
            "Players’ reports",
            RESTORED,
            choices={
                "full": "All figures of the scenario",
                "totals": "Both totals of VP",
                "outcome": "Win, draw or loss",
            },
        ),
        ReportDetail.FULL,
        "report_detail",
    )
    points_table: dict[str, Any] | None = column(Fact("Points table", RESTORED), default=None, sa_type=JSON)
    """Tournament points by VP difference, in the form of ``tournament.points_table``. None: by win, draw, loss."""
    tables: int | None = column(Fact("Tables", RESTORED), default=None)
    """None: no limit."""
    avoid_clubs: AvoidClubs = column(
        Fact(
            "Keep club mates apart",
            RESTORED,
            choices={"first_round": "In round 1", "always": "In every round", "never": "Never"},
        ),
        default=AvoidClubs.FIRST_ROUND,
        sa_type=choice(AvoidClubs, "avoid_clubs"),
    )
    tie_breaks: list[str] = column(Fact("Tie-breaks", RESTORED), sa_type=JSON)


class PlaySettings(OfEvent):
    """The settings of the other pages: “Pairing”, the clock, check-in, scores apart from games."""

    format: EventFormat = one_of(
        Fact(
            "Format",
            RESTORED,
            choices={
                "swiss": "Swiss: players on equal points",
                "round_robin": "Round robin: every player meets every other",
                "knockout": "Knockout from the start",
            },
        ),
        EventFormat.SWISS,
        "format",
    )
    legs: int = column(Fact("Round robin meetings", RESTORED), default=1, server_default="1")
    """In a round robin: how often two players meet."""
    cut: int | None = column(Fact("Cut to the top", RESTORED), default=None)
    """The number of players in the knockout after the other rounds. None: no knockout."""
    third_place: bool = column(
        Fact("The losers of the semi-finals play for third place", RESTORED), default=False, server_default=false()
    )
    """The losers of the semi-finals also play for third place."""
    player_meeting: bool = column(
        Fact("Player meeting: seat all players for the announcements before round 1", RESTORED),
        default=False,
        server_default=false(),
    )
    """Whether players are seated for a meeting before round 1."""
    bye_vp: int | None = column(Fact("Victory points of a bye", RESTORED), default=None)
    """Victory points of a bye. None: the mean of the winners."""
    asked_bye: AskedBye = one_of(
        Fact(
            "Bye asked for",
            RESTORED,
            choices={
                "win": "Win, with the VP of a bye",
                "draw": "Draw, with half the VP of a bye",
                "loss": "Loss, without VP",
            },
        ),
        AskedBye.DRAW,
        "asked_bye",
    )
    conceded_vp: ConcededVp = one_of(
        Fact(
            "Opponent of a conceding player",
            RESTORED,
            choices={"bye": "Win, with at least the VP of a bye", "scored": "Win, with the VP scored so far"},
        ),
        ConcededVp.BYE,
        "conceded_vp",
    )
    not_played: NotPlayed = one_of(
        Fact(
            "Game not played, both players present",
            RESTORED,
            choices={"nothing": "Counts for nothing", "draw": "Draw, without VP"},
        ),
        NotPlayed.NOTHING,
        "not_played",
    )
    late_points: int = column(Fact("Late entry", RESTORED), default=0, server_default="0")
    """Tournament points for each round before a late entry's first."""
    vp_cap: int | None = column(Fact("Limit of the VP difference", RESTORED), default=None)
    """The limit of one game's VP difference. None: no limit."""
    draw_rules: dict[str, Any] | None = column(Fact("draw rules", RESTORED), default=None, sa_type=JSON)
    """The rules of the draw, in the form of ``pairing.seats.event_document``. None: by lot, with every level."""
    tables_out: list[int] | None = column(Fact("Tables out of order", RESTORED), default=None, sa_type=JSON)
    """The numbers of tables that are not used. None: all are used."""
    top_tables: bool = column(Fact("Seating", RESTORED), default=True, server_default=true())
    """Whether the top pairs sit at the first tables; otherwise lots decide."""
    scenario_per_table: bool = column(Fact("Scenarios", RESTORED), default=False, server_default=false())
    """Whether a round without a chosen scenario draws one for each table."""
    team_size: int = column(Fact("Pairing of", RESTORED), default=1, server_default="1")
    """Players per team, 2 to 8; 1: no teams."""
    boards: BoardsMatched = one_of(
        Fact(
            "Boards of a team match",
            RESTORED,
            choices={
                "order": "In the teams’ own order: board 1 against board 1",
                "choice": "By the captains’ secret choice, match by match",
            },
        ),
        BoardsMatched.ORDER,
        "boards",
    )
    doubles: bool = column(
        Fact("Doubles: two players share one side and one force", RESTORED), default=False, server_default=false()
    )
    """Two players share one side and one force: an entry has two names."""
    season: dict[str, Any] | None = column(Fact("season", RESTORED), default=None, sa_type=JSON)
    """Rounds with windows of days, in the form of ``events.tournament.season``. None: not a season."""
    circuit: dict[str, Any] | None = column(Fact("circuit", STAYS), default=None, sa_type=JSON)
    """The points table of the series, in the form of ``events.tournament.season``. None: none."""
    campaign: dict[str, Any] | None = column(Fact("campaign", STAYS), default=None, sa_type=JSON)
    """Settings and plan of a campaign, in the form of ``events.play.campaign``. None: no campaign."""
    restrictions: dict[str, Any] | None = column(Fact("restrictions", STAYS), default=None, sa_type=JSON)
    """The event's added rules, in the form of ``validators.restrictions``. None: none."""
    soft_rules: dict[str, Any] | None = column(Fact("soft rules", RESTORED), default=None, sa_type=JSON)
    """What counts in addition to games, in the form of ``events.play.rulings``. None: the defaults."""
    clock_rules: dict[str, Any] | None = column(Fact("clock rules", RESTORED), default=None, sa_type=JSON)
    """Breaks and calls of the round clock, in the form of ``events.tournament.clock``. None: the defaults."""
    check_in_from: datetime | None = column(Fact("check in from", STAYS), default=None, sa_type=UTCDateTime)
    """From when players may check themselves in. None: only staff check in."""
    check_in_until: datetime | None = column(Fact("check in until", STAYS), default=None, sa_type=UTCDateTime)
    """None: until round 1 is published."""
    mail_asked: bool = column(Fact("mail asked", STAYS), default=False, server_default=false())
    """Whether players may give a mail address for messages."""
    second_pass_alone: bool = column(Fact("second pass alone", RESTORED), default=False, server_default=false())
    """Whether the person who entered a paper result may also verify it, for a club with one person at the desk."""
    unlisted: bool = column(Fact("unlisted", STAYS), default=False, server_default=false())
    """Not shown on the front page or in its series."""


class Event(PlaySettings, EventSettings, EventRecord, table=True):
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


class KeptApart(OfEvent, table=True):
    """Two players of one event who should not meet: a player's wish or an organiser's block."""

    __tablename__ = "kept_apart"
    __table_args__ = (UniqueConstraint("a_id", "b_id"), CheckConstraint("a_id < b_id", name="lower_id_first"))

    id: int = Field(default=None, primary_key=True)
    event_id: int = column(UNSAID, foreign_key="event.id", index=True)
    a_id: int = column(Fact("A"), foreign_key="player.id")
    b_id: int = column(Fact("B"), foreign_key="player.id")
    when: KeptWhen = column(Fact("when"), sa_type=choice(KeptWhen, "when"))
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
    """One round, with everything needed to repeat its draw."""

    __table_args__ = (
        UniqueConstraint("event_id", "number"),
        CheckConstraint("number > 0", name="number_positive"),
        CheckConstraint("(kind = 'knockout') = (bracket IS NOT NULL)", name="knockout_has_bracket"),
    )

    id: int = Field(default=None, primary_key=True)
    event_id: int = column(UNSAID, foreign_key="event.id", index=True)
    number: int = column(UNSAID)
    state: RoundState = column(Fact("state"), default=RoundState.PLANNED, sa_type=choice(RoundState, "state"))
    scenario_drawn: bool = column(UNSAID, default=False)
    scenario: str | None = column(Fact("scenario"), default=None, max_length=40)
    """None: drawn from the event's pool with the round, for all tables or for each (``Game.scenario``)."""
    seed: int | None = column(UNSAID, default=None, sa_type=BigInteger)
    published_at: datetime | None = column(Fact("published"), default=None, sa_type=UTCDateTime)
    planned_at: datetime | None = column(Fact("planned"), default=None, sa_type=UTCDateTime)
    """The planned start. None: after the previous round and a break."""
    bracket: int | None = column(UNSAID, default=None)
    """In a knockout: the players left in the bracket, 8 in quarter-finals, 2 in the final."""
    started_at: datetime | None = column(Fact("started"), default=None, sa_type=UTCDateTime)
    """When the clock was started; None before."""
    paused_at: datetime | None = column(Fact("paused"), default=None, sa_type=UTCDateTime)
    """When the clock was paused; None while it runs."""
    stopped_at: datetime | None = column(Fact("stopped"), default=None, sa_type=UTCDateTime)
    """When time was called or the clock was stopped."""
    minutes: int | None = column(Fact("minutes"), default=None)
    """The length of the round when the clock was started."""
    paused_seconds: int = column(UNSAID, default=0, server_default="0")
    """The total of earlier pauses."""
    extra_seconds: int = column(Fact("time given"), default=0, server_default="0")
    """Time added for every table."""
    kind: RoundKind = one_of(Fact("kind"), RoundKind.SWISS, "kind")
    inputs: dict[str, Any] | None = column(Fact("", read_by=ReadBy.PAIRING), default=None, sa_type=JSON)
    """The input of the draw. Long, as the next column: both come last, because SQLite reads a row up to the last
    column used."""
    outcome: dict[str, Any] | None = column(Fact("", read_by=ReadBy.PAIRING), default=None, sa_type=JSON)
    """The outcome of the draw: levels, certificate, notes, version of the algorithm."""
