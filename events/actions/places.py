"""The scenario of a single table in a draft, set by hand."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from sqlmodel import Session

from events.actions.draft import Seating, best_costs, draft_or_refused, seatings, step
from events.actions.journal import note
from events.actions.swaps import odd_now
from events.errors import Refused
from events.reading import games_of, players_of, scenarios_of
from models.event import Event


def set_scenario(
    s: Session, event: Event, number: int, player: int, scenario: str, actor: str, now: datetime
) -> list[str]:
    """Let the game of this player play a scenario; all others play on what they have. Returns what is odd, in words.

    ``scenario`` is the id of any that the event's game knows, in its pool or not. Raises Refused.
    """
    the_round = draft_or_refused(s, event, number)
    before = seatings(games_of(s, the_round))
    game = next((one for one in before if player in (one.a, one.b)), None)
    if game is None or game.b is None:
        raise Refused("Choose a game of this round.", "player")
    known = scenarios_of(s, event)
    if scenario not in known:
        raise Refused("This scenario is not known here.", "scenario")
    if scenario == (game.scenario or the_round.scenario):
        raise Refused(f"They play {known[scenario].name} already.", "scenario")
    own = None if scenario == the_round.scenario else scenario
    wanted = _changed(before, game, own)
    names = {p.id: p.name for p in players_of(s, event)}
    what = f"Set the scenario of table {game.table} to {known[scenario].name} in round {number}"
    reckoned = step(s, the_round, what, wanted)
    warnings = odd_now(reckoned, before, wanted, names)
    note(
        s, event, actor, now, "set-scenario", what, players=[game.a, game.b],
        scenarios=[game.scenario or the_round.scenario, scenario], engine=best_costs(the_round), costs=reckoned.costs,
        warnings=warnings,
    )  # fmt: skip
    return warnings


def _changed(games: Sequence[Seating], one: Seating, scenario: str | None) -> tuple[Seating, ...]:
    """The same games, of which one plays another scenario: a sheet printed for it says something else."""
    return tuple(replace(game, scenario=scenario, code="") if game is one else game for game in games)
