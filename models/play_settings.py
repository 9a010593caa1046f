"""The settings of an event with a default: of the draw, the clock, check-in, scores apart from games."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, false, true

from languages.words import noted
from models.base import UTCDateTime, one_of
from models.endings import ConcededVp, NotPlayed
from models.facts import RESTORED, STAYS, Fact, OfEvent, Once, column
from models.settings import AskedBye, BoardsMatched, EventFormat


class PlaySettings(OfEvent):
    """The settings with a default: of the draw, the clock, check-in, scores apart from games."""

    format: EventFormat = one_of(
        Fact(
            noted("Format"),
            RESTORED,
            help=noted("In a round robin or knockout, the number of players decides the number of rounds."),
            frozen=Once.DRAWN,
            choices={
                "swiss": noted("Swiss: players on equal points"),
                "round_robin": noted("Round robin: every player meets every other"),
                "knockout": noted("Knockout from the start"),
            },
        ),
        EventFormat.SWISS,
        "format",
    )
    legs: int = column(
        Fact(
            noted("Round robin meetings"),
            RESTORED,
            choices={"1": noted("Once each"), "2": noted("Twice each, with sides changed")},
            frozen=Once.DRAWN,
        ),
        default=1,
        server_default="1",
    )
    """In a round robin: how often two players meet."""
    cut: int | None = column(
        Fact(
            noted("Cut to the top"),
            RESTORED,
            help=noted(
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
        Fact(noted("The losers of the semi-finals play for third place"), RESTORED, frozen=Once.FINAL),
        default=False,
        server_default=false(),
    )
    """The losers of the semi-finals also play for third place."""
    bye_vp: int | None = column(
        Fact(
            noted("Victory points of a bye"),
            RESTORED,
            help=noted("Leave blank for the mean of the winners."),
            most=10_000,
        ),
        default=None,
    )
    """Victory points of a bye. None: the mean of the winners."""
    asked_bye: AskedBye = one_of(
        Fact(
            noted("Bye asked for"),
            RESTORED,
            choices={
                "win": noted("Win, with the VP of a bye"),
                "draw": noted("Draw, with half the VP of a bye"),
                "loss": noted("Loss, without VP"),
            },
        ),
        AskedBye.DRAW,
        "asked_bye",
    )
    conceded_vp: ConcededVp = one_of(
        Fact(
            noted("Opponent of a conceding player"),
            RESTORED,
            choices={
                "bye": noted("Win, with at least the VP of a bye"),
                "scored": noted("Win, with the VP scored so far"),
            },
        ),
        ConcededVp.BYE,
        "conceded_vp",
    )
    not_played: NotPlayed = one_of(
        Fact(
            noted("Game not played, both players present"),
            RESTORED,
            choices={"nothing": noted("Counts for nothing"), "draw": noted("Draw, without VP")},
        ),
        NotPlayed.NOTHING,
        "not_played",
    )
    late_points: int = column(
        Fact(
            noted("Late entry"),
            RESTORED,
            help=noted("Tournament points for each round before a late player's first."),
            most=100,
        ),
        default=0,
        server_default="0",
    )
    """Tournament points for each round before a late entry's first."""
    vp_cap: int | None = column(
        Fact(
            noted("Limit of the VP difference"),
            RESTORED,
            help=noted("The most that one game adds or subtracts. Leave blank for no limit."),
            least=1,
            most=10_000,
        ),
        default=None,
    )
    """The limit of one game's VP difference. None: no limit."""
    draw_rules: dict[str, Any] | None = column(
        Fact(noted("how a round is drawn"), RESTORED), default=None, sa_type=JSON
    )
    """The rules of the draw, in the form of ``pairing.seats.event_document``. None: by lot, with every level."""
    tables_out: list[int] | None = column(Fact(noted("Tables out of order"), RESTORED), default=None, sa_type=JSON)
    """The numbers of tables that are not used. None: all are used."""
    top_tables: bool = column(
        Fact(
            noted("Seating"),
            RESTORED,
            choices={"True": noted("Top pairs on the first tables"), "False": noted("By lot")},
        ),
        default=True,
        server_default=true(),
    )
    """Whether the top pairs sit at the first tables; otherwise lots decide."""
    tables_vary: bool = column(
        Fact(
            noted("Tables again"),
            RESTORED,
            choices={
                "True": noted("As few as possible: top pairs may move, except in the last round"),
                "False": noted("Allowed: pairs stay in the order of the tables"),
            },
        ),
        default=True,
        server_default=true(),
    )
    """Whether players get another table where that is possible, even if pairs leave the order of the tables for it."""
    scenario_per_table: bool = column(
        Fact(
            noted("Scenarios"),
            RESTORED,
            choices={"False": noted("One for the round"), "True": noted("One for each table")},
            help=noted(
                "For each table: drawn evenly from the pool, one that neither player has played. A round with a "
                "chosen scenario plays it at all tables."
            ),
        ),
        default=False,
        server_default=false(),
    )
    """Whether a round without a chosen scenario draws one for each table."""
    team_size: int = column(Fact(noted("Pairing of"), RESTORED, frozen=Once.DRAWN), default=1, server_default="1")
    """Players per team, 2 to 8; 1: no teams."""
    boards: BoardsMatched = one_of(
        Fact(
            noted("Boards of a team match"),
            RESTORED,
            frozen=Once.DRAWN,
            choices={
                "order": noted("In the teams’ own order: board 1 against board 1"),
                "choice": noted("By the captains’ secret choice, match by match"),
            },
        ),
        BoardsMatched.ORDER,
        "boards",
    )
    doubles: bool = column(
        Fact(noted("Doubles: two players share one side and one force"), RESTORED, frozen=Once.DRAWN),
        default=False,
        server_default=false(),
    )
    """Two players share one side and one force: an entry has two names."""
    season: dict[str, Any] | None = column(Fact(noted("season"), RESTORED), default=None, sa_type=JSON)
    """Rounds with windows of days, in the form of ``events.tournament.season``. None: not a season."""
    circuit: dict[str, Any] | None = column(
        Fact(noted("points table of the series"), STAYS), default=None, sa_type=JSON
    )
    """The points table of the series, in the form of ``events.tournament.circuit``. None: none."""
    campaign: dict[str, Any] | None = column(Fact(noted("campaign"), STAYS), default=None, sa_type=JSON)
    """Settings and plan of a campaign, in the form of ``events.store.campaign``. None: no campaign."""
    restrictions: dict[str, Any] | None = column(Fact(noted("added rules"), STAYS), default=None, sa_type=JSON)
    """The event's added rules, in the form of ``validators.restrictions``. None: none."""
    soft_rules: dict[str, Any] | None = column(
        Fact(noted("painting, sportsmanship, awards"), RESTORED), default=None, sa_type=JSON
    )
    """What counts in addition to games, in the form of ``events.store.rulings``. None: the defaults."""
    clock_rules: dict[str, Any] | None = column(Fact(noted("breaks and calls"), RESTORED), default=None, sa_type=JSON)
    """Breaks and calls of the round clock, in the form of ``events.tournament.clock``. None: the defaults."""
    check_in_from: datetime | None = column(Fact(noted("check in from"), STAYS), default=None, sa_type=UTCDateTime)
    """From when players may check themselves in. None: only staff check in."""
    check_in_until: datetime | None = column(Fact(noted("check in until"), STAYS), default=None, sa_type=UTCDateTime)
    """None: until round 1 is published."""
    mail_asked: bool = column(Fact(noted("mail addresses asked"), STAYS), default=False, server_default=false())
    """Whether players may give a mail address for messages."""
    unlisted: bool = column(Fact(noted("off the front page"), STAYS), default=False, server_default=false())
    """Not shown on the front page or in its series."""
