"""The roles in a scenario: drawn with the round, so that each player has each role about equally often."""

import random
from collections import Counter
from collections.abc import Iterable, Mapping

from sqlmodel import Session, select

from events.store.rounds import games_of
from events.store.scenarios import scenarios_of
from events.store.verdicts import list_size
from models.event import Event, Round
from models.play import Game
from validators.scenario import Role, Scenario, Side


def draw_roles(s: Session, event: Event, the_round: Round, seed: int | str | None) -> None:
    """Assign scenario roles to the games of a round that have none yet.

    Games that arise after their round is public need a ``seed`` of their own: the round's would tell their roles.
    """
    new = without_roles(the_round, games_of(the_round), scenarios_of(event))
    if new:
        earlier = select(Game).join(Round).where(Round.event_id == event.id, Round.number < the_round.number)
        assign_roles(new, s.exec(earlier), seed)


def without_roles(the_round: Round, games: Iterable[Game], known: Mapping[str, Scenario]) -> list[Game]:
    """The games of a round whose scenario has roles that are not assigned yet; ``known`` are all scenarios by id."""
    return [
        game
        for game in games
        if game.b_id is not None and game.a_first is None and (played := game.scenario or the_round.scenario)
        if known[played].roles
    ]


def assign_roles(games: Iterable[Game], earlier: Iterable[Game], seed: int | str | None) -> None:
    """Assign scenario roles to these games; ``earlier`` are the games of the rounds before theirs.

    The first role goes to the player with the lower balance of first over second roles so far. On equal balances the
    seed decides. Swapping players A and B changes nothing, so a pair that returns to a draft keeps its roles.
    """
    had = _first_before(earlier)
    for game in games:
        assert game.b_id is not None  # noqa: S101 - byes have no roles
        lot = random.Random(f"{seed}/{min(game.a_id, game.b_id)}/{max(game.a_id, game.b_id)}")  # noqa: S311
        first = lot.choice(sorted((game.a_id, game.b_id)))
        if had[game.a_id] != had[game.b_id]:
            first = min(game.a_id, game.b_id, key=lambda player: had[player])
        game.a_first = first == game.a_id


def _first_before(earlier: Iterable[Game]) -> Counter[int]:
    """How often each player had a first role, minus second roles. No-shows do not count."""
    had: Counter[int] = Counter()
    for game in earlier:
        if game.a_first is not None and game.absent is None:
            for player, first in ((game.a_id, game.a_first), (game.b_id, not game.a_first)):
                had[player or 0] += 1 if first else -1
    return had


def roles_of(scenario: Scenario | None, game: Game) -> dict[Side, Role]:
    """The drawn role of each side of a game; empty if its scenario has no roles."""
    return scenario.roles_drawn(game.a_first) if scenario is not None else {}


def role_of(scenario: Scenario | None, game: Game, player_id: int | None) -> Role | None:
    return roles_of(scenario, game).get("a" if player_id == game.a_id else "b")


def roles_answered(scenario: Scenario, game: Game) -> dict[str, str]:
    return {f"{side}.role": role.name for side, role in roles_of(scenario, game).items()}


def fields_a_part(event: Event, scenario: Scenario | None, game: Game) -> bool:
    """Whether players choose which part of their list to field: with a sideboard, in games with roles."""
    return list_size(event) != event.size or bool(roles_of(scenario, game))
