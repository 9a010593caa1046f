"""Who has which role in a game whose scenario has two, and whether the players choose what they field."""

from events.play.queries import list_size
from models.event import Event
from models.play import Game
from validators.scenario import Role, Scenario, Side


def roles_of(scenario: Scenario | None, game: Game) -> dict[Side, Role]:
    """The drawn role of each side of a game; none where its scenario has no roles."""
    return scenario.roles_drawn(game.a_first) if scenario is not None else {}


def role_of(scenario: Scenario | None, game: Game, player_id: int | None) -> Role | None:
    """The drawn role of one player of a game; None without one."""
    return roles_of(scenario, game).get("a" if player_id == game.a_id else "b")


def roles_answered(scenario: Scenario, game: Game) -> dict[str, str]:
    """The drawn roles as answers to the scenario's questions."""
    return {f"{side}.role": role.name for side, role in roles_of(scenario, game).items()}


def fields_a_part(event: Event, scenario: Scenario | None, game: Game) -> bool:
    """Whether the players of a game choose what they field of their lists: with a sideboard, and in roles."""
    return list_size(event) != event.size or bool(roles_of(scenario, game))
