"""Events of every kind, each played once from open registration to its end, with a copy of it at each moment."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from enum import StrEnum
from pathlib import Path
from typing import Any

from sqlmodel import Session

from events.registration import team_actions
from events.rounds import actions as rounds_actions
from events.seasons import league_actions as leagues
from events.setup import actions as setup_actions
from events.setup.campaign_choice import set_campaign
from events.setup.pairing_actions import set_room, set_teams
from events.setup.pairing_forms import set_season
from events.tournament.points_table import typed_table
from events.tournament.season import Season
from models.db import write
from models.event import Event, Round, RoundState
from models.journal import Actor
from models.play import Game, GameState, Player, ReportSide
from models.settings import BoardsMatched, EventFormat, ReportDetail
from models.team import Team
from tests.kit.formats import NAMES, cut, formed
from tests.kit.stage import BY, Stage
from tests.kit.team_events import choose, enter_teams, matches_in, of_team
from tests.seasons.earning import list_of
from validators.report_detail import A_WINS, B_WINS, WON


class Moment(StrEnum):
    """When something happens, in the order in which events come to it."""

    BEFORE_LOCK = "before the lock"
    PUBLISHED = "published"
    COMPLETE = "round complete"
    DRAFT = "with a draft"
    MID_ROUND = "in mid-round"
    LAST = "after the last round"
    CLOSED = "closed"


@dataclass(frozen=True)
class Kind:
    """A kind of event. Teams and pairs are named like players."""

    name: str
    players: int
    """Or pairs; in an event of teams, the number of teams."""
    rounds: int = 2
    """Of a Swiss system; other formats plan their own."""
    game: str = "battle_mode"
    report: ReportDetail = ReportDetail.FULL
    format: EventFormat = EventFormat.SWISS
    cut: int | None = None
    third_place: bool = False
    doubles: bool = False
    team_size: int = 1
    boards: BoardsMatched = BoardsMatched.ORDER
    season: Season | None = None
    campaign: bool = False
    scenario_per_table: bool = False
    by_difference: bool = False

    @property
    def sort(self) -> str:
        """The name of kinds that differ by sizes and games only."""
        if self.team_size > 1:
            return f"teams, boards by {self.boards.value}"
        if self.doubles:
            return "doubles, knockout" if self.is_knockout else "doubles"
        if self.format == EventFormat.KNOCKOUT:
            return f"knockout, third place: {self.third_place}"
        return self.name

    @property
    def at_once(self) -> bool:
        """Whether all rounds are drawn at once."""
        return self.season is not None and self.format == EventFormat.ROUND_ROBIN

    @property
    def by_challenge(self) -> bool:
        """Whether players challenge each other."""
        return self.season is not None and self.season.by_challenge

    @property
    def is_knockout(self) -> bool:
        """Whether the rounds after the first are those of a knockout."""
        return self.format == EventFormat.KNOCKOUT or self.cut is not None

    @property
    def in_round_2(self) -> int:
        """The games of round 2 of a knockout."""
        return (self.cut or (self.players + 1) // 2) // 2 + self.third_place


FULL, TOTALS, OUTCOME = ReportDetail
KNOCKOUT, ROBIN = EventFormat.KNOCKOUT, EventFormat.ROUND_ROBIN
CHOICE = BoardsMatched.CHOICE
WEEKS = Season(days=7)
KINDS = (
    Kind("Swiss", 5),
    Kind("scenario for each table", 6, scenario_per_table=True, report=TOTALS, by_difference=True),
    Kind("Swiss with a cut", 6, rounds=1, cut=4, third_place=True, report=TOTALS, game="new_vegas"),
    Kind("round robin", 4, format=ROBIN, game="skill_combat"),
    Kind("knockout of 4", 4, format=KNOCKOUT),
    Kind("knockout of 4, third place", 4, format=KNOCKOUT, third_place=True, game="fallout_skirmish", report=TOTALS),
    Kind("knockout of 5", 5, format=KNOCKOUT, report=TOTALS),
    Kind("knockout of 5, third place", 5, format=KNOCKOUT, third_place=True, game="fallout_warfare", report=OUTCOME),
    Kind("knockout of 6", 6, format=KNOCKOUT, game="new_vegas", report=TOTALS),
    Kind("knockout of 6, third place", 6, format=KNOCKOUT, third_place=True, game="skill_combat", report=OUTCOME),
    Kind("knockout of 7", 7, format=KNOCKOUT, report=TOTALS),
    Kind("knockout of 7, third place", 7, format=KNOCKOUT, third_place=True),
    Kind("doubles", 5, doubles=True),
    Kind("doubles, Swiss with a cut", 5, rounds=1, cut=2, doubles=True, game="fallout_warfare", report=OUTCOME),
    Kind("doubles, round robin", 3, format=ROBIN, doubles=True, game="fallout_skirmish", report=TOTALS),
    Kind("doubles, knockout of 5", 5, format=KNOCKOUT, doubles=True),
    Kind("doubles, season", 3, format=ROBIN, season=WEEKS, doubles=True),
    Kind("teams of 2", 3, team_size=2, game="new_vegas"),
    Kind("teams of 2, boards by choice", 4, team_size=2, boards=CHOICE),
    Kind("teams of 3", 4, team_size=3, report=TOTALS, by_difference=True),
    Kind("teams of 3, boards by choice", 3, team_size=3, boards=CHOICE, report=OUTCOME),
    Kind("season, round robin", 4, format=ROBIN, season=WEEKS),
    Kind("season, Swiss", 5, season=WEEKS, game="fallout_warfare", report=OUTCOME),
    Kind("season, ladder", 5, season=replace(WEEKS, kind="ladder")),
    Kind("skirmish campaign", 3, format=ROBIN, season=WEEKS, campaign=True, game="fallout_skirmish"),
    Kind("warfare campaign", 3, rounds=2, season=WEEKS, campaign=True, game="fallout_warfare"),
)  # fmt: skip
TABLE = typed_table("2: 11 9\n5: 13 7\n9: 16 4\nmore: 20 0", 10, 14)
TEAMS = ("Reds", "Blues", "Greens", "Yellows")
SIZES = {"fallout_warfare": 800}
"""Of campaigns whose groups exceed the usual size of a list."""


class Desk(Stage):
    """A stage whose changes have an actor, so that the desk can undo them."""

    @contextmanager
    def changing(self, event: Event | None = None, *, public: bool = True) -> Iterator[Session]:
        """One change of the organiser."""
        with write(self.s, self.clock(), event, Actor(BY, "owner"), public=public) as s:
            yield s


@dataclass(frozen=True)
class Scene:
    """A copy of the database at a moment, and its time."""

    file: Path
    now: datetime


def opened(desk: Desk, kind: Kind) -> Event:
    """The event, open for registration, with its players checked in."""
    more: dict[str, Any] = {"ends_on": date(2027, 3, 1)} if kind.season else {}
    more |= {"size": SIZES[kind.game]} if kind.campaign and kind.game in SIZES else {}
    more |= {"points_table": TABLE} if kind.by_difference else {}
    rounds = kind.rounds if kind.format == EventFormat.SWISS else 1
    event = desk.event(kind.name, game=kind.game, rounds=rounds, report_detail=kind.report, **more)
    if kind.doubles or kind.team_size > 1:
        desk.do(event, set_teams, kind.team_size, kind.boards, kind.doubles)
    formed(desk, of=event, format=kind.format, cut=kind.cut, third_place=kind.third_place)
    if kind.scenario_per_table:
        desk.do(event, set_room, scenario_per_table=True)
    if kind.season:
        desk.do(event, set_season, kind.season)
    if kind.campaign:
        desk.do(event, set_campaign, {}, 4)
    if kind.team_size > 1:
        enter_teams(desk, event, *TEAMS[: kind.players])
    for name in NAMES[: kind.players] if kind.team_size == 1 else ():
        partner = f"{name}’s friend" if kind.doubles else ""
        desk.do(event, team_actions.enter_team, name, {"club": "Dustbowl"}, "", here=True, partner=partner)
    for player in desk.all(Player, event_id=event.id) if kind.campaign else ():
        list_of(desk, event, player)
    return event


def moments(
    desk: Desk, kind: Kind, event: Event, answers_to: Callable[[Game, bool], dict[str, Any]]
) -> Iterator[Moment]:
    """Play the event to its end, and stop at each moment. ``answers_to``: of a game, and whether player A wins it."""

    def report(game: Game, *, a_wins: bool, by_player: bool = False) -> None:
        side, by = (ReportSide.A, "player") if by_player else (ReportSide.ORGANISER, BY)
        desk.report(event, game, side, answers_to(game, a_wins), by=by)

    def decide(games: Sequence[Game]) -> None:
        for game in games:
            if game.b_id is not None and desk.now(game).state != GameState.CONFIRMED:
                report(game, a_wins=game.a_id < game.b_id)

    def one_by_one(games: Sequence[Game]) -> None:
        """Decide all games but the last one, which a player reports."""
        played = [game for game in games if game.b_id is not None]
        decide(played[:-1])
        report(played[-1], a_wins=True, by_player=True)

    def finish() -> Iterator[Moment]:
        yield Moment.LAST
        desk.do(event, setup_actions.finish)
        yield Moment.CLOSED

    yield Moment.BEFORE_LOCK
    if kind.by_challenge:
        yield from _challenges(desk, event, report)
        desk.clock.now += timedelta(days=100)
        yield from finish()
        return
    if kind.at_once:
        desk.do(event, leagues.draw_season, 7)
        yield Moment.PUBLISHED
        one_by_one(desk.games(event, 1))
        yield Moment.MID_ROUND
        decide(desk.games(event, 1))
        yield Moment.COMPLETE
        for number in range(2, desk.now(event).rounds + 1):
            decide(desk.games(event, number))
        yield from finish()
        return
    desk.publish(event, 1)
    yield Moment.PUBLISHED
    decide(_laid(desk, kind, event, 1))
    yield Moment.COMPLETE
    if kind.cut and kind.rounds == 1:
        cut(desk, event)
    else:
        desk.draw(event, 2)
    yield Moment.DRAFT
    desk.do(event, rounds_actions.publish_round, 2)
    one_by_one(_laid(desk, kind, event, 2))
    yield Moment.MID_ROUND
    decide(desk.games(event, 2))
    number = 2
    while any(row.state == RoundState.PLANNED for row in desk.all(Round, event_id=event.id)):
        number += 1
        desk.publish(event, number)
        decide(_laid(desk, kind, event, number))
    yield from finish()


def _challenges(desk: Desk, event: Event, report: Callable[..., None]) -> Iterator[Moment]:
    """A ladder: two challenges, of which the challengers win one."""
    desk.do(event, leagues.start_season)
    ada, bo, cy, _, ed = desk.all(Player, event_id=event.id)
    desk.clock.now = datetime(2026, 12, 6, 9, tzinfo=desk.clock.now.tzinfo)
    today = desk.clock.now.date()
    first, second = (desk.do(event, leagues.challenge, player, other, today) for player, other in ((ed, cy), (bo, ada)))
    yield Moment.PUBLISHED
    report(first, a_wins=True)
    desk.do(event, leagues.answer_challenge, second, ada, accept=True)
    report(second, a_wins=False, by_player=True)
    yield Moment.MID_ROUND
    report(second, a_wins=False)
    yield Moment.COMPLETE


def _laid(desk: Desk, kind: Kind, event: Event, number: int) -> list[Game]:
    """The games of a published round, once captains have chosen their boards."""
    for match in matches_in(desk, event, number) if kind.boards == CHOICE else ():
        for id_ in (match.a_id, match.b_id):
            if match.b_id is not None and id_ is not None:
                order: list[int | None] = [player.id for player in of_team(desk, event, desk.one(Team, id=id_))]
                choose(desk, event, match, id_, order)
    return desk.games(event, number)


def simple_answers(kind: Kind) -> Callable[[Game, bool], dict[str, Any]] | None:
    """The answers of a game that player A wins or loses; None where they depend on its scenario."""
    if kind.report == TOTALS:
        return lambda game, a_wins: dict(zip(("a.total", "b.total"), (9, 4) if a_wins else (4, 9), strict=True))
    if kind.report == OUTCOME:
        return lambda game, a_wins: {WON: A_WINS if a_wins else B_WINS}
    if kind.game == "battle_mode":
        figures = ("a.objectives", "b.objectives")
        return lambda game, a_wins: dict(zip(figures, (3, 1) if a_wins else (1, 3), strict=True))
    return None
