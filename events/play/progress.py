"""How far an event in progress is: what its pages may call complete."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from events.play.rounds import RoundView, is_last_round
from events.tournament.season import is_by_challenge
from models.event import Event, RoundState


@dataclass(frozen=True)
class Progress:
    """The rounds and games so far."""

    complete: int
    """The number up to which every round is complete; a season's later rounds may be in play before it."""
    games: int
    """The games in published rounds, without byes."""
    decided: int
    last: bool
    """Whether every round is complete and none follows. Never in a season by challenge: challenges may follow."""

    @property
    def open(self) -> int:
        """The number of games without a result that counts."""
        return self.games - self.decided


def progress(event: Event, views: Sequence[RoundView]) -> Progress:
    """How far the event is; ``views`` are all its rounds, with those to come."""
    complete = sum(1 for _ in takewhile(lambda view: view.complete, views))
    published = [view for view in views if view.round.state == RoundState.PUBLISHED]
    games = sum(sum(game.b_id is not None for game in view.games) for view in published)
    left_open = sum(view.open_games for view in published)
    all_complete = complete == len(views) > 0 and is_last_round(event, [view.round for view in views], complete)
    return Progress(complete, games, games - left_open, all_complete and not is_by_challenge(event.season))
