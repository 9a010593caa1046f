"""Team events for tests: teams with their players, matches, captains' choices."""

from events.registration import team_actions
from events.rounds import team_boards
from events.setup import pairing_actions
from events.store.act import Act
from events.store.rounds import round_views
from events.store.team_queries import members
from models.event import Event
from models.settings import BoardsMatched
from models.team import Team, TeamMatch
from tests.kit import formats
from tests.kit.stage import GameState, Player, Stage

COLOURS = ("Reds", "Blues", "Greens", "Yellows", "Blacks")


def team_event(
    stage: Stage, size: int = 3, boards: BoardsMatched = BoardsMatched.ORDER, tables: int | None = None
) -> Event:
    event = stage.event(tables=tables)
    stage.do(event, pairing_actions.set_teams, size, boards, False)
    return event


def enter_teams(stage: Stage, event: Event, *names: str) -> list[Team]:
    """Enter teams of these names; their players (Reds 1, Reds 2 ...) are checked in."""
    for name in names:
        for number in range(1, event.team_size + 1):
            stage.do(event, team_actions.enter_team, f"{name} {number}", {"club": name}, "", here=True, team=name)
    return [stage.one(Team, name=name) for name in names]


def of_team(stage: Stage, event: Event, team: Team) -> list[Player]:
    stage.s.rollback()
    return members(event.players, team)


def matches_in(stage: Stage, event: Event, number: int) -> list[TeamMatch]:
    """A round's matches, the bye last."""
    stage.s.rollback()
    return list(round_views(event)[number - 1].matches)


def choose(stage: Stage, event: Event, match: TeamMatch, team_id: int, order: list[int | None]) -> bool:
    with stage.changing(event) as s:
        return team_boards.choose_order(Act(s, event, f"player {team_id}", stage.clock()), match, team_id, order)


def decide_all(stage: Stage, event: Event, number: int) -> None:
    formats.decide_all(stage, event, [game for game in stage.games(event, number) if game.state != GameState.CONFIRMED])
