"""The settings of an event, by subject; most forms follow from the columns (``events/setup/settings_forms.py``)."""

from datetime import date, datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import JSON, false, true

from languages.words import noted
from models.base import UTCDateTime, choice, one_of
from models.endings import ConcededVp, NotPlayed
from models.facts import CODE, LINE, LINES, LINK, NAME, RESTORED, STAYS, Fact, OfEvent, blank, column


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


NO_LIMIT = "Leave blank for no limit. Without one, anyone on the Internet can sign up any number of players."


class AboutEvent(OfEvent):
    """Name, place and time."""

    name: str = column(Fact("Name", STAYS, NAME), max_length=120)
    place: str = column(Fact(noted("Place"), RESTORED, LINE), max_length=200)
    contact: str = blank(Fact("Contact", STAYS, LINE, help="How players reach you. Everybody reads it."), 200)
    """How players reach the organiser; everybody reads it. Empty: not said."""
    bring: str = blank(Fact("What to bring", STAYS, LINES), 1000)
    """What players bring, in the organiser's words. Empty: not said."""
    description: str = column(
        Fact("Information for players", RESTORED, LINES, help="Getting there, food, prizes. Plain text."),
        default="",
        max_length=4000,
    )
    series: str = blank(Fact("Series", STAYS, LINE, help="Events with the same series share a page."), 80)
    """The name of the event's series. Empty: no series."""
    starts_on: date = column(Fact(noted("First day"), RESTORED))
    starts_at: str = blank(Fact(noted("Start"), STAYS, CODE), 5)
    """When round 1 begins on the first day, "HH:MM" in the event's time zone. Empty: not said."""
    ends_on: date = column(Fact(noted("Last day"), RESTORED))
    timezone: str = column(Fact("Time zone", RESTORED, CODE), max_length=64)
    language: str = blank(
        Fact("Language", STAYS, CODE, help="Of pages, papers and the projector; each reader can choose another."), 8
    )
    """The code of a language, such as "de". Empty: each reader's own."""
    embedded: bool = column(Fact("Offer a box for other sites", STAYS), default=False, server_default=false())


class AboutRegistration(OfEvent):
    """Who can sign up, and what they are asked."""

    places: int | None = column(Fact("Player limit", RESTORED, help=NO_LIMIT, least=2, most=2000), default=None)
    """None: no limit."""
    fee: str = blank(Fact("Entry fee", RESTORED, LINE, help="With the currency: 15 €. Staff mark who has paid."), 60)
    """The entry fee in the organiser's words. Empty: no fee, and no marks for payment."""
    pay_link: str = blank(
        Fact("Where to pay", STAYS, LINK, help="A page of yours that takes payments. It begins with https://."), 300
    )
    """The page on which players pay the fee. Empty: not said."""
    registration_opens: datetime | None = column(
        Fact("Registration opens", STAYS, help="Local time. Leave blank to open it by the button."),
        default=None,
        sa_type=UTCDateTime,
    )
    """Players can sign up from this moment until the next one; staff can always enter players. None: no limit."""
    registration_closes: datetime | None = column(
        Fact("Registration closes", STAYS, help="Local time. Leave blank to close it with round 1."),
        default=None,
        sa_type=UTCDateTime,
    )
    waiting_list: bool = column(Fact("Keep a waiting list when all places are taken", RESTORED), default=True)
    approval: bool = column(
        Fact(
            "Approve sign-ups",
            RESTORED,
            help="Players who sign up wait until you give them a place. Players you add yourself do not wait.",
        ),
        default=False,
        server_default=false(),
    )
    """Whether sign-ups wait until staff give them a place."""
    questions: list[dict[str, Any]] | None = column(Fact("Questions", STAYS), default=None, sa_type=JSON)
    """The event's questions at sign-up, in the form of ``registration.questions``. None: none."""


class AboutLists(OfEvent):
    """The lists: size, edition, lock, and who reads them."""

    system: str = column(Fact("system", STAYS, CODE), max_length=40)
    size: int = column(Fact("Size", STAYS, least=1, most=100_000))
    edition: str = column(Fact("Edition of the force lists", STAYS, CODE), max_length=40)
    list_deadline: datetime | None = column(
        Fact(
            noted("List deadline"),
            STAYS,
            help="Local time. Lists lock then. Leave blank to lock them when round 1 is published.",
        ),
        default=None,
        sa_type=UTCDateTime,
    )
    """None: lists lock when round 1 is published."""
    late_list_hours: int = column(
        Fact(
            "Time for late lists",
            STAYS,
            help="Hours to submit a list for players who get a place after the lock, at most until the next round is "
            "published. Until then they do not see the other lists. 0: none.",
            most=336,
        ),
        default=24,
        server_default="24",
    )
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
            help="Until then only you and a list’s player can read it. “Show all lists now” on the page Lists "
            "works with every choice.",
        ),
        ListsShown.AT_LOCK,
        "lists_shown",
    )
    lists_shown_from: datetime | None = column(
        Fact("Set time for showing lists", STAYS, help="Local time."), default=None, sa_type=UTCDateTime
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
            help="Who can read locked lists earlier than chosen above. In a season whose rounds are "
            "all drawn at once, every opponent reads them from the start.",
        ),
        ListsInPlay.STAFF,
        "lists_in_play",
    )


class AboutRounds(OfEvent):
    """Rounds, their length, and their scenarios."""

    rounds: int = column(Fact("Rounds", RESTORED, least=1, most=20))
    round_minutes: int = column(Fact("Minutes per round", RESTORED, least=10, most=600))
    scenario_pool: list[str] = column(Fact("Scenario pool", RESTORED), sa_type=JSON)
    """The pool from which rounds without a chosen scenario draw theirs, without repeats."""


class AboutPoints(OfEvent):
    """How games count in the standings."""

    points_win: int = column(Fact("Win", RESTORED, most=100))
    points_draw: int = column(Fact("Draw", RESTORED, most=100))
    points_loss: int = column(Fact("Loss", RESTORED, most=100))
    painting_points: int = column(
        Fact(
            "Fully painted force",
            RESTORED,
            help="Added once, from the start, for a player ticked as painted.",
            most=100,
        ),
        default=0,
    )


class AboutReports(OfEvent):
    """What reports contain, and tournament points by the difference in VP."""

    report_detail: ReportDetail = one_of(
        Fact(
            "Players’ reports",
            RESTORED,
            choices={
                "full": "All figures of the scenario",
                "totals": "Both totals of VP",
                "outcome": "Win, draw or loss",
            },
            help="Can change until the first result is reported. With win, draw or loss, VP do not count.",
        ),
        ReportDetail.FULL,
        "report_detail",
    )
    points_table: dict[str, Any] | None = column(Fact("Points table", RESTORED), default=None, sa_type=JSON)
    """Tournament points by VP difference, in the form of ``tournament.points_table``. None: by win, draw, loss."""


class AboutDraws(OfEvent):
    """What a new event has too, of the sections about the draw."""

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


class EventSettings(AboutDraws, AboutReports, AboutPoints, AboutRounds, AboutLists, AboutRegistration, AboutEvent):
    """The settings that a new event has. Sections and their sentences: ``events/setup/said.py``."""


class PlaySettings(OfEvent):
    """The settings with a default: of the draw, the clock, check-in, scores apart from games."""

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
    draw_rules: dict[str, Any] | None = column(Fact("how a round is drawn", RESTORED), default=None, sa_type=JSON)
    """The rules of the draw, in the form of ``pairing.seats.event_document``. None: by lot, with every level."""
    tables_out: list[int] | None = column(Fact("Tables out of order", RESTORED), default=None, sa_type=JSON)
    """The numbers of tables that are not used. None: all are used."""
    top_tables: bool = column(Fact("Seating", RESTORED), default=True, server_default=true())
    """Whether the top pairs sit at the first tables; otherwise lots decide."""
    tables_vary: bool = column(Fact("Tables again", RESTORED), default=True, server_default=true())
    """Whether players get another table where that is possible, even if pairs leave the order of the tables for it."""
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
    circuit: dict[str, Any] | None = column(Fact("points table of the series", STAYS), default=None, sa_type=JSON)
    """The points table of the series, in the form of ``events.tournament.circuit``. None: none."""
    campaign: dict[str, Any] | None = column(Fact("campaign", STAYS), default=None, sa_type=JSON)
    """Settings and plan of a campaign, in the form of ``events.play.campaign``. None: no campaign."""
    restrictions: dict[str, Any] | None = column(Fact("added rules", STAYS), default=None, sa_type=JSON)
    """The event's added rules, in the form of ``validators.restrictions``. None: none."""
    soft_rules: dict[str, Any] | None = column(
        Fact("painting, sportsmanship, awards", RESTORED), default=None, sa_type=JSON
    )
    """What counts in addition to games, in the form of ``events.play.rulings``. None: the defaults."""
    clock_rules: dict[str, Any] | None = column(Fact("breaks and calls", RESTORED), default=None, sa_type=JSON)
    """Breaks and calls of the round clock, in the form of ``events.tournament.clock``. None: the defaults."""
    check_in_from: datetime | None = column(Fact("check in from", STAYS), default=None, sa_type=UTCDateTime)
    """From when players may check themselves in. None: only staff check in."""
    check_in_until: datetime | None = column(Fact("check in until", STAYS), default=None, sa_type=UTCDateTime)
    """None: until round 1 is published."""
    mail_asked: bool = column(Fact("mail addresses asked", STAYS), default=False, server_default=false())
    """Whether players may give a mail address for messages."""
    second_pass_alone: bool = column(
        Fact("paper results checked by the same person", RESTORED), default=False, server_default=false()
    )
    """Whether the person who entered a paper result may also verify it, for a club with one person at the desk."""
    unlisted: bool = column(Fact("off the front page", STAYS), default=False, server_default=false())
    """Not shown on the front page or in its series."""
