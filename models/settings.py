"""The settings of an event, by subject; most forms follow from the columns (``events/setup/settings_forms.py``)."""

from datetime import date, datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import JSON, false

from events.tournament.points_table import PointsTable
from languages.words import N_
from models.base import Document, UTCDateTime, choice, one_of
from models.facts import CODE, LINE, LINES, LINK, NAME, RESTORED, STAYS, Fact, OfEvent, Once, blank, column


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


class Repeats(StrEnum):
    """When the next event follows: after some weeks, or in each month on the weekday of the first day."""

    NEVER = "never"
    WEEK = "week"
    TWO_WEEKS = "two_weeks"
    THREE_WEEKS = "three_weeks"
    FOUR_WEEKS = "four_weeks"
    FIRST = "first"
    SECOND = "second"
    THIRD = "third"
    FOURTH = "fourth"
    LAST = "last"


class ReportDetail(StrEnum):
    """The detail of a report."""

    FULL = "full"
    """Everything the scenario asks for."""
    TOTALS = "totals"
    """Each side's total victory points, and what else decides the winner."""
    OUTCOME = "outcome"
    """Win, draw or loss; victory points are unknown."""


class SignUpBy(StrEnum):
    """Who may sign up on the event's page."""

    EVERYBODY = "everybody"
    MEMBERS_FIRST = "members_first"
    CODE = "code"
    INVITATION = "invitation"


MOST_TABLES = 1000
NO_LIMIT = N_(
    "A team takes the places of all its players, a pair takes one. Leave blank for no limit: anyone can sign up."
)


class AboutEvent(OfEvent):
    name: str = column(Fact(N_("Name"), STAYS, NAME, news=True), max_length=120)
    place: str = column(Fact(N_("Place"), RESTORED, LINE, news=True), max_length=200)
    contact: str = blank(Fact(N_("Contact"), STAYS, LINE, help=N_("How players reach you. Everybody reads it.")), 200)
    """How players reach the organiser; everybody reads it. Empty: not said."""
    bring: str = blank(Fact(N_("What to bring"), STAYS, LINES), 1000)
    """What players bring, in the organiser's words. Empty: not said."""
    description: str = column(
        Fact(N_("Information for players"), RESTORED, LINES, help=N_("Getting there, food, prizes. Plain text.")),
        default="",
        max_length=4000,
    )
    series: str = blank(Fact(N_("Series"), STAYS, LINE, help=N_("Events with the same series share a page.")), 80)
    """The name of the event's series. Empty: no series."""
    convention: str = blank(Fact(N_("Convention"), STAYS, LINE, help=N_("Its events share a page and a sign-up.")), 80)
    """The name of the convention that the event belongs to. Empty: none."""
    starts_on: date = column(Fact(N_("First day"), RESTORED, news=True))
    starts_at: str = blank(Fact(N_("Start"), STAYS, CODE, news=True), 5)
    """When round 1 begins on the first day, "HH:MM" in the event's time zone. Empty: not said."""
    ends_on: date = column(Fact(N_("Last day"), RESTORED, news=True))
    timezone: str = column(Fact(N_("Time zone"), RESTORED, CODE, news=True), max_length=64)
    language: str = blank(
        Fact(
            N_("Language"),
            STAYS,
            CODE,
            help=N_("Of pages, papers and the projector; each reader can choose another."),
        ),
        8,
    )
    """The code of a language, such as "de". Empty: each reader's own."""


class AboutRepeats(OfEvent):
    """When the next event follows that is made from this one (``events.setup.repeating``)."""

    repeats: Repeats = one_of(
        Fact(
            N_("Repeats"),
            STAYS,
            choices={
                "never": N_("Never"),
                "week": N_("Every week"),
                "two_weeks": N_("Every second week"),
                "three_weeks": N_("Every third week"),
                "four_weeks": N_("Every fourth week"),
                "first": N_("Monthly, on the first such weekday"),
                "second": N_("Monthly, on the second such weekday"),
                "third": N_("Monthly, on the third such weekday"),
                "fourth": N_("Monthly, on the fourth such weekday"),
                "last": N_("Monthly, on the last such weekday"),
            },
            help=N_("The weekday is that of the first day."),
        ),
        Repeats.NEVER,
        "repeats",
    )
    opens_before: int = column(
        Fact(
            N_("Registration opens before the next event"),
            STAYS,
            help=N_("In days. 0: as soon as the event before is over."),
            most=60,
        ),
        default=7,
        server_default="7",
    )


class AboutRegistration(OfEvent):
    places: int | None = column(Fact(N_("Player limit"), RESTORED, help=NO_LIMIT, least=2, most=2000), default=None)
    """None: no limit."""
    fee: str = blank(
        Fact(
            N_("Entry fee"),
            STAYS,
            LINE,
            help=N_("An amount with its currency, then your words: 12.50 EUR (members 8). Words alone give no sums."),
        ),
        60,
    )
    """The fee in the organiser's words, its amount first. Empty: no fee, and no marks for payment."""
    fee_amount: int | None = column(Fact(N_("Entry fee"), STAYS), default=None)
    """What a player pays, in minor units of the currency, as read from ``fee``, and before it was cleared.
    None: payments have no amounts."""
    fee_currency: str = blank(Fact(N_("Currency"), STAYS, CODE), 3)
    """A code of ISO 4217, as read from ``fee``. Empty: none yet."""
    pay_link: str = blank(
        Fact(
            N_("Where to pay"),
            STAYS,
            LINK,
            help=N_(
                "A page of yours that takes payments, from https:// on. In it, {player} becomes the player’s number,"
                " {amount} what is still due, {currency} its code."
            ),
        ),
        300,
    )
    """The page on which players pay the fee. Empty: not said."""
    registration_opens: datetime | None = column(
        Fact(N_("Registration opens"), STAYS, help=N_("Local time. Leave blank to open it by the button."), news=True),
        default=None,
        sa_type=UTCDateTime,
    )
    """Players can sign up from this moment until the next one; staff can always enter players. None: no limit."""
    registration_closes: datetime | None = column(
        Fact(N_("Registration closes"), STAYS, help=N_("Local time. Leave blank to close it with round 1."), news=True),
        default=None,
        sa_type=UTCDateTime,
    )
    sign_up_by: SignUpBy = one_of(
        Fact(
            N_("Who may sign up"),
            STAYS,
            choices={
                "everybody": N_("Everybody"),
                "members_first": N_("Members first, later everybody"),
                "code": N_("Players with a join code"),
                "invitation": N_("Invited players"),
            },
            help=N_("Players who have signed up stay. Players you add yourself need no code."),
            news=True,
        ),
        SignUpBy.EVERYBODY,
        "sign_up_by",
    )
    everybody_from: datetime | None = column(
        Fact(N_("Everybody may sign up from"), STAYS, help=N_("Local time. “Members first” needs it."), news=True),
        default=None,
        sa_type=UTCDateTime,
    )
    """None: from the start."""
    waiting_list: bool = column(Fact(N_("Keep a waiting list when all places are taken"), RESTORED), default=True)
    approval: bool = column(
        Fact(
            N_("Approve sign-ups"),
            RESTORED,
            help=N_("Players who sign up wait until you give them a place. Players you add yourself do not wait."),
        ),
        default=False,
        server_default=false(),
    )
    """Whether sign-ups wait until staff give them a place."""
    questions: list[dict[str, Any]] | None = column(Fact(N_("Questions"), STAYS), default=None, sa_type=JSON)
    """The event's questions at sign-up, in the form of ``registration.questions``. None: none."""


class AboutPrivacy(OfEvent):
    """What players read about their data, and for how long the event keeps it."""

    privacy_notice: str = blank(
        Fact(
            N_("Privacy notice"),
            STAYS,
            LINES,
            help=N_("A text, or the https:// address of a page. Players read it at sign-up and on the event’s page."),
        ),
        1000,
    )
    """Empty: that of the service (``OVERSEER_PRIVACY_NOTICE``), if it has one."""
    delete_after: int = column(
        Fact(
            N_("Delete players’ data after"),
            STAYS,
            help=N_(
                "Months after the event’s last day, whether it was closed or not. 0: never. Results and ranks stay, "
                "under names such as “Former player 12”. It cannot be undone."
            ),
            most=120,
        ),
        default=0,
        server_default="0",
    )
    """Months (``events.registration.retention``). 0: never."""


class AboutLists(OfEvent):
    """The lists: size, edition, lock, and who reads them."""

    system: str = column(Fact(N_("system"), STAYS, CODE, frozen=Once.DRAWN), max_length=40)
    size: int = column(Fact(N_("Size"), STAYS, least=1, most=100_000, frozen=Once.DRAWN))
    edition: str = column(Fact(N_("Edition of the force lists"), STAYS, CODE, frozen=Once.DRAWN), max_length=40)
    list_deadline: datetime | None = column(
        Fact(
            N_("List deadline"),
            STAYS,
            help=N_("Local time. Lists lock then. Leave blank to lock them when round 1 is published."),
        ),
        default=None,
        sa_type=UTCDateTime,
    )
    """None: lists lock when round 1 is published."""
    late_list_hours: int = column(
        Fact(
            N_("Time for late lists"),
            STAYS,
            help=N_(
                "Hours to submit a list for players who get a place after the lock, at most until the next round is "
                "published. Until then they do not see the other lists. 0: none."
            ),
            most=336,
        ),
        default=24,
        server_default="24",
    )
    lists_shown: ListsShown = one_of(
        Fact(
            N_("Show lists to everyone"),
            STAYS,
            choices={
                "at_lock": N_("When they are locked"),
                "at_time": N_("From a set time"),
                "after_event": N_("After the event"),
                "on_press": N_("When you press “Show all lists now”"),
            },
            help=N_(
                "Until then only you and a list’s player can read it. “Show all lists now” on the page Lists "
                "works with every choice."
            ),
        ),
        ListsShown.AT_LOCK,
        "lists_shown",
    )
    lists_shown_from: datetime | None = column(
        Fact(N_("Set time for showing lists"), STAYS, help=N_("Local time.")), default=None, sa_type=UTCDateTime
    )
    """For lists shown at a set time."""
    lists_in_play: ListsInPlay = one_of(
        Fact(
            N_("Lists during rounds"),
            STAYS,
            choices={
                "staff": N_("As chosen above"),
                "opponents": N_("Opponents of the current round too"),
                "everybody": N_("Everybody, from round 1 on"),
            },
            help=N_(
                "Who can read locked lists earlier than chosen above. In a season whose rounds are "
                "all drawn at once, every opponent reads them from the start."
            ),
        ),
        ListsInPlay.STAFF,
        "lists_in_play",
    )


class AboutRounds(OfEvent):
    rounds: int = column(Fact(N_("Rounds"), RESTORED, least=1, most=20))
    round_minutes: int = column(Fact(N_("Minutes per round"), RESTORED, least=10, most=600, news=True))
    scenario_pool: list[str] = column(Fact(N_("Scenario pool"), RESTORED), sa_type=JSON)
    """The pool from which rounds without a chosen scenario draw theirs, without repeats."""


class AboutPoints(OfEvent):
    points_win: int = column(Fact(N_("Win"), RESTORED, most=100))
    points_draw: int = column(Fact(N_("Draw"), RESTORED, most=100))
    points_loss: int = column(Fact(N_("Loss"), RESTORED, most=100))
    painting_points: int = column(
        Fact(
            N_("Fully painted force"),
            RESTORED,
            help=N_("Added once, from the start, for a player ticked as painted."),
            most=100,
        ),
        default=0,
    )


class AboutReports(OfEvent):
    """What reports contain, and tournament points by the difference in VP."""

    report_detail: ReportDetail = one_of(
        Fact(
            N_("Players’ reports"),
            RESTORED,
            choices={
                "full": N_("All figures of the scenario"),
                "totals": N_("Both totals of VP"),
                "outcome": N_("Win, draw or loss"),
            },
            help=N_("Can change until the first result is reported. With win, draw or loss, VP do not count."),
            frozen=Once.REPORTED,
        ),
        ReportDetail.FULL,
        "report_detail",
    )
    points_table: PointsTable | None = column(
        Fact(N_("Points table"), RESTORED, frozen=Once.PUBLISHED), default=None, sa_type=Document(PointsTable)
    )
    """Tournament points by VP difference. None: by win, draw, loss."""


class AboutDraws(OfEvent):
    """What a new event has too, of the sections about the draw."""

    tables: int | None = column(
        Fact(
            N_("Tables"),
            RESTORED,
            help=N_("Leave blank for as many as there are games."),
            least=1,
            most=MOST_TABLES,
        ),
        default=None,
    )
    """None: no limit."""
    avoid_clubs: AvoidClubs = column(
        Fact(
            N_("Keep club mates apart"),
            RESTORED,
            choices={"first_round": N_("In round 1"), "always": N_("In every round"), "never": N_("Never")},
            help=N_("If the numbers allow it."),
        ),
        default=AvoidClubs.FIRST_ROUND,
        sa_type=choice(AvoidClubs, "avoid_clubs"),
    )
    tie_breaks: list[str] = column(Fact(N_("Tie-breaks"), RESTORED), sa_type=JSON)


class EventSettings(
    AboutDraws, AboutReports, AboutPoints, AboutRounds, AboutLists, AboutPrivacy, AboutRegistration, AboutRepeats,
    AboutEvent,
):  # fmt: skip
    """The settings that a new event has. Sections and their sentences: ``events/setup/said.py``."""
