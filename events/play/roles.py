"""The roles in games whose scenario has two, and whether players choose a part of their list."""

from events.play.queries import list_size
from models.event import Event
from models.play import Game
from validators.scenario import Role, Scenario, Side


def roles_of(scenario: Scenario | None, game: Game) -> dict[Side, Role]:
    """The drawn role of each side of a game; empty if its scenario has no roles."""
    return scenario.roles_drawn(game.a_first) if scenario is not None else {}


def role_of(scenario: Scenario | None, game: Game, player_id: int | None) -> Role | None:
    """The drawn role of one player of a game; None if there is none."""
    return roles_of(scenario, game).get("a" if player_id == game.a_id else "b")


def roles_answered(scenario: Scenario, game: Game) -> dict[str, str]:
    """The drawn roles as answers to the scenario's questions."""
    return {f"{side}.role": role.name for side, role in roles_of(scenario, game).items()}


def fields_a_part(event: Event, scenario: Scenario | None, game: Game) -> bool:
    """Whether players choose which part of their list to field: with a sideboard, in games with roles."""
    return list_size(event) != event.size or bool(roles_of(scenario, game))
