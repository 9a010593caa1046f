"""Ratings of players by the games that they played, with their uncertainty. Pure.

Each player has a hidden strength, and plays each game above or below it as luck has it; who does better wins. A rating
is what the games say about a strength: a normal distribution, updated game by game. The model is Thurstone and
Mosteller's for pairs, calculated by `openskill`. Source: R. C. Weng and C.-J. Lin, "A Bayesian Approximation Method for
Online Ranking", Journal of Machine Learning Research 12 (2011), algorithm 3. `benchmarks/ratings.py` chose library,
model and figures.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from openskill.models import ThurstoneMostellerFull, ThurstoneMostellerFullRating

START = 1500.0
"""The rating of a player about whom nothing is known."""
SPREAD = 200.0
"""How much strengths differ before the first game: the deviation of a new player."""
LUCK = 200.0
"""How much luck differs from game to game. 200 points above another player, three games of four are won."""
DRIFT = 2.0
"""The deviation that each game adds, because strengths change."""
DRAW = 20.0
"""A game is drawn if both do as well, up to so many points."""
PROVISIONAL = 120.0
"""A rating is provisional while its deviation is larger: for about the first ten games."""
Z = 1.96
"""The deviation on either side that has 95 % of a normal distribution within it."""
Side = tuple[str, int]
"""Who played: ("person", id), or ("player", id) of a person in no ranking, who is new in each event."""


@dataclass(frozen=True, slots=True)
class RatedGame:
    """A game, and its result in halves of a win of A: 2, 1 for a draw, 0."""

    a: Side
    b: Side
    worth: int


@dataclass(frozen=True, slots=True)
class Rating:
    value: float = START
    deviation: float = SPREAD
    games: int = 0
    line: tuple[tuple[int, float, float], ...] = ()
    """For each of the player's events its place in the order, and the rating and its deviation after it."""

    @property
    def rounded(self) -> tuple[int, int, int]:
        return round(self.value), round(self.low), round(self.high)

    @property
    def low(self) -> float:
        return self.value - Z * self.deviation

    @property
    def high(self) -> float:
        return self.value + Z * self.deviation

    @property
    def provisional(self) -> bool:
        return self.deviation > PROVISIONAL


def ratings_after(events: Iterable[Sequence[RatedGame]]) -> dict[Side, Rating]:
    """The ratings of all sides after these events, which are in the order of time, as are the games of each."""
    model = ThurstoneMostellerFull(START, SPREAD, LUCK, tau=DRIFT, epsilon=DRAW, gamma=_all_that_a_game_says)
    now: dict[Side, ThurstoneMostellerFullRating] = {}
    ratings: dict[Side, Rating] = {}
    for number, games in enumerate(events):
        for game in games:
            sides = [[now.get(side) or model.rating()] for side in (game.a, game.b)]
            (now[game.a],), (now[game.b],) = model.rate(sides, ranks=[2 - game.worth, game.worth])
        for side, played in Counter(side for game in games for side in (game.a, game.b)).items():
            before, after = ratings.get(side, Rating()), now[side]
            line = (*before.line, (number, after.mu, after.sigma))
            ratings[side] = Rating(after.mu, after.sigma, before.games + played, line)
    return ratings


def _all_that_a_game_says(*_: object) -> float:
    """The share by which a game narrows the deviation: by default the library narrows it less."""
    return 1.0
