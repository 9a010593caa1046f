"""The draw of roles: who attacks and who defends, where a scenario's two sides differ."""

import random
from collections import Counter

from sqlmodel import Session, col, select

from events.play.queries import games_of, scenarios_of
from models.event import Event, Round
from models.play import Game


def draw_roles(s: Session, event: Event, the_round: Round) -> None:
    """Assign scenario roles to the games of a round that have none yet.

    The first role goes to the player with the lower balance of first over second roles so far. On equal balances the
    round's seed decides. Swapping players A and B changes nothing, so a pair that returns to a draft keeps its roles.
    """
    known = scenarios_of(s, event)
    new = [
        game
        for game in games_of(s, the_round)
        if game.b_id is not None and game.a_first is None and (played := game.scenario or the_round.scenario)
        if known[played].roles
    ]
    had = _first_before(s, event, the_round) if new else {}
    for game in new:
        assert game.b_id is not None  # noqa: S101 - byes are left out above
        lot = random.Random(f"{the_round.seed}/{min(game.a_id, game.b_id)}/{max(game.a_id, game.b_id)}")  # noqa: S311
        first = lot.choice(sorted((game.a_id, game.b_id)))
        if had[game.a_id] != had[game.b_id]:
            first = min(game.a_id, game.b_id, key=lambda player: had[player])
        game.a_first = first == game.a_id


def _first_before(s: Session, event: Event, the_round: Round) -> Counter[int]:
    """How often each player had a first role before this round, minus second roles. No-shows do not count."""
    before = select(Game).join(Round).where(
        Round.event_id == event.id, Round.number < the_round.number,
        col(Game.a_first).is_not(None), col(Game.absent).is_(None),
    )  # fmt: skip
    had: Counter[int] = Counter()
    for game in s.exec(before):
        for player, first in ((game.a_id, game.a_first), (game.b_id, not game.a_first)):
            had[player or 0] += 1 if first else -1
    return had
