"""A season for the tests of this folder."""

from typing import Any

from events.seasons import league_actions as leagues
from events.setup.pairing_actions import set_tie_breaks
from events.setup.pairing_forms import set_season
from events.tournament.season import Season
from models.event import Event
from models.play import Game
from models.settings import EventFormat
from tests.kit.formats import formed
from tests.kit.stage import Stage


def season_of(stage: Stage, *names: str, of: Event | None = None, **rules: Any) -> Event:
    """A round robin season of these players, drawn; its first day is 5 December 2026."""
    event = formed(stage, *names, of=of, format=EventFormat.ROUND_ROBIN)
    stage.do(event, set_season, Season(**rules))
    stage.do(event, set_tie_breaks, ["vp"])
    stage.do(event, leagues.draw_season, 7)
    return event


def all_games(stage: Stage, event: Event) -> list[tuple[int, Game]]:
    """The games of all rounds with their rounds' numbers, without byes."""
    numbers = range(1, stage.now(event).rounds + 1)
    return [(number, game) for number in numbers for game in stage.games(event, number) if game.b_id is not None]


def names_of(stage: Stage, game: Game) -> tuple[str, str]:
    return stage.name(game.a_id), stage.name(game.b_id)
