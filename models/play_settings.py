"""The settings of an event with a default: of the draw, the clock, check-in, scores apart from games."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, false, true

from events.tournament.circuit import Circuit
from events.tournament.clock import ClockRules
from events.tournament.endings import ConcededVp, NotPlayed
from events.tournament.season import Season
from events.tournament.soft_rules import SoftRules
from languages.words import N_
from models.base import Document, UTCDateTime, document, one_of
from models.facts import RESTORED, STAYS, Fact, OfEvent, Once, column
from models.settings import AskedBye, BoardsMatched, EventFormat
from validators.restrictions import Restrictions


class PlaySettings(OfEvent):
    """The settings with a default: of the draw, the clock, check-in, scores apart from games."""

    format: EventFormat = one_of(
        Fact(
            N_("Format"),
            RESTORED,
            help=N_("In a round robin or knockout, the number of players decides the number of rounds."),
            frozen=Once.DRAWN,
            choices={
                "swiss": N_("Swiss: players on equal points"),
                "round_robin": N_("Round robin: every player meets every other"),
                "knockout": N_("Knockout from the start"),
            },
        ),
        EventFormat.SWISS,
        "format",
    )
    legs: int = column(
        Fact(
            N_("Round robin meetings"),
            RESTORED,
            choices={"1": N_("Once each"), "2": N_("Twice each, with sides changed")},
            frozen=Once.DRAWN,
        ),
        default=1,
        server_default="1",
    )
    """In a round robin: how often two players meet."""
    cut: int | None = column(
        Fact(
            N_("Cut to the top"),
            RESTORED,
            help=N_(
                "They play a seeded knockout after the rounds. Usually 4, 8 or 16; with another number the top seeds "
                "have byes. Leave blank for no knockout."
            ),
            least=2,
            most=64,
            frozen=Once.CUT,
        ),
        default=None,
    )
    """The number of players in the knockout after the other rounds. None: no knockout."""
    third_place: bool = column(
        Fact(N_("The losers of the semi-finals play for third place"), RESTORED, frozen=Once.FINAL),
        default=False,
        server_default=false(),
    )
    """The losers of the semi-finals also play for third place."""
    bye_vp: int | None = column(
        Fact(
            N_("Victory points of a bye"),
            RESTORED,
            help=N_("Leave blank for the mean of the winners."),
            most=10_000,
        ),
        default=None,
    )
    """Victory points of a bye. None: the mean of the winners."""
    asked_bye: AskedBye = one_of(
        Fact(
            N_("Bye asked for"),
            RESTORED,
            choices={
                "win": N_("Win, with the VP of a bye"),
                "draw": N_("Draw, with half the VP of a bye"),
                "loss": N_("Loss, without VP"),
            },
        ),
        AskedBye.DRAW,
        "asked_bye",
    )
    conceded_vp: ConcededVp = one_of(
        Fact(
            N_("Opponent of a conceding player"),
            RESTORED,
            choices={
                "bye": N_("Win, with at least the VP of a bye"),
                "scored": N_("Win, with the VP scored so far"),
            },
        ),
        ConcededVp.BYE,
        "conceded_vp",
    )
    not_played: NotPlayed = one_of(
        Fact(
            N_("Game not played, both players present"),
            RESTORED,
            choices={"nothing": N_("Counts for nothing"), "draw": N_("Draw, without VP")},
        ),
        NotPlayed.NOTHING,
        "not_played",
    )
    late_points: int = column(
        Fact(
            N_("Late entry"),
            RESTORED,
            help=N_("Tournament points for each round before a late player's first."),
            most=100,
        ),
        default=0,
        server_default="0",
    )
    """Tournament points for each round before a late entry's first."""
    vp_cap: int | None = column(
        Fact(
            N_("Limit of the VP difference"),
            RESTORED,
            help=N_("The most that one game adds or subtracts. Leave blank for no limit."),
            least=1,
            most=10_000,
        ),
        default=None,
    )
    """The limit of one game's VP difference. None: no limit."""
    draw_rules: dict[str, Any] | None = column(Fact(N_("how a round is drawn"), RESTORED), default=None, sa_type=JSON)
    """The rules of the draw, in the form of ``pairing.seats.event_document``. None: by lot, with every level."""
    tables_out: list[int] | None = column(Fact(N_("Tables out of order"), RESTORED), default=None, sa_type=JSON)
    """The numbers of tables that are not used. None: all are used."""
    top_tables: bool = column(
        Fact(
            N_("Seating"),
            RESTORED,
            choices={"True": N_("Top pairs on the first tables"), "False": N_("By lot")},
        ),
        default=True,
        server_default=true(),
    )
    """Whether the top pairs sit at the first tables; otherwise lots decide."""
    tables_vary: bool = column(
        Fact(
            N_("Tables again"),
            RESTORED,
            choices={
                "True": N_("As few as possible: top pairs may move, except in the last round"),
                "False": N_("Allowed: pairs stay in the order of the tables"),
            },
        ),
        default=True,
        server_default=true(),
    )
    """Whether players get another table where that is possible, even if pairs leave the order of the tables for it."""
    scenario_per_table: bool = column(
        Fact(
            N_("Scenarios"),
            RESTORED,
            choices={"False": N_("One for the round"), "True": N_("One for each table")},
            help=N_(
                "For each table: drawn evenly from the pool, one that neither player has played. A round with a "
                "chosen scenario plays it at all tables."
            ),
        ),
        default=False,
        server_default=false(),
    )
    """Whether a round without a chosen scenario draws one for each table."""
    team_size: int = column(Fact(N_("Pairing of"), RESTORED, frozen=Once.DRAWN), default=1, server_default="1")
    """Players per team, 2 to 8; 1: no teams."""
    boards: BoardsMatched = one_of(
        Fact(
            N_("Boards of a team match"),
            RESTORED,
            frozen=Once.DRAWN,
            choices={
                "order": N_("In the teams’ own order: board 1 against board 1"),
                "choice": N_("By the captains’ secret choice, match by match"),
            },
        ),
        BoardsMatched.ORDER,
        "boards",
    )
    doubles: bool = column(
        Fact(N_("Doubles: two players share one side and one force"), RESTORED, frozen=Once.DRAWN),
        default=False,
        server_default=false(),
    )
    """Two players share one side and one force: an entry has two names."""
    season: Season | None = column(Fact(N_("season"), RESTORED, news=True), default=None, sa_type=Document(Season))
    """Rounds with windows of days. None: not a season."""
    circuit: Circuit | None = column(
        Fact(N_("points table of the series"), STAYS), default=None, sa_type=Document(Circuit)
    )
    campaign: dict[str, Any] | None = column(Fact(N_("campaign"), STAYS), default=None, sa_type=JSON)
    """Settings and plan of a campaign, in the form of ``events.store.campaign``. None: no campaign."""
    restrictions: Restrictions = document(Fact(N_("added rules"), STAYS), Restrictions(), brief=True)
    """The event's added rules."""
    soft_rules: SoftRules = document(Fact(N_("painting, sportsmanship, awards"), RESTORED), SoftRules())
    """What counts in addition to games."""
    clock_rules: ClockRules = document(Fact(N_("breaks and calls"), RESTORED), ClockRules())
    """Breaks and calls of the round clock."""
    check_in_from: datetime | None = column(Fact(N_("check in from"), STAYS), default=None, sa_type=UTCDateTime)
    """From when players may check themselves in. None: only staff check in."""
    check_in_until: datetime | None = column(Fact(N_("check in until"), STAYS), default=None, sa_type=UTCDateTime)
    """None: until round 1 is published."""
    mail_asked: bool = column(Fact(N_("mail addresses asked"), STAYS), default=False, server_default=false())
    """Whether players may give a mail address for messages."""
    unlisted: bool = column(Fact(N_("off the front page"), STAYS), default=False, server_default=false())
    """Not shown on the front page or in its series."""
