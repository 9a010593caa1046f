"""A second calculation of a season's standings, written from the rules alone: points, then VP, then names."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Played:
    """One decided game: the VP of both players, or the absent side ("a", "b", "both")."""

    round: int
    a: str
    b: str
    vp_a: int = 0
    vp_b: int = 0
    absent: str = ""


def table_of(names: Iterable[str], games: Iterable[Played], best: int | None = None) -> list[tuple[str, int, int]]:
    """Name, tournament points and VP of each player, best first; only the ``best`` results of a player count.

    A win is 3, a draw 1. A forfeit gives the opponent a win with the mean VP of the winners at the table.
    """
    games = list(games)
    won = [max(one.vp_a, one.vp_b) for one in games if not one.absent and one.vp_a != one.vp_b]
    mean = int(Fraction(sum(won), len(won)) + Fraction(1, 2)) if won else 0
    made: Mapping[str, list[tuple[int, int]]] = {name: [] for name in names}
    for one in games:
        for name, own, other, side in ((one.a, one.vp_a, one.vp_b, "a"), (one.b, one.vp_b, one.vp_a, "b")):
            if one.absent:
                made[name].append((0, 0) if one.absent in (side, "both") else (3, mean))
            else:
                made[name].append((3 if own > other else 1 if own == other else 0, own))
    rows = []
    for name, results in made.items():
        counting = sorted(results, reverse=True)[:best]
        rows.append((name, sum(points for points, _ in counting), sum(vp for _, vp in counting)))
    return sorted(rows, key=lambda row: (-row[1], -row[2], row[0]))
