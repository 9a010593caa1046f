"""Who played how against whom: the cells of a cross table, from the results alone."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from events.pairing.results import Result


@dataclass(frozen=True)
class Cell:
    """One game as the player of the row sees it; without VP it was not played, for one of them did not come.

    An ``outcome`` of "–" is a game to which both came, and which was not played.
    """

    round: int
    outcome: Literal["W", "D", "L", "–"]
    vp: int | None = None
    vp_against: int | None = None


def cross_table(results: Iterable[Result]) -> dict[tuple[str, str], tuple[Cell, ...]]:
    """The games of each two who met, from both sides, by the round; byes stand in no cell."""
    cells: dict[tuple[str, str], list[Cell]] = {}
    for r in sorted(results, key=lambda r: r.round):
        if r.b is None:
            continue
        for side, own, other, vp, against in (("a", r.a, r.b, r.vp_a, r.vp_b), ("b", r.b, r.a, r.vp_b, r.vp_a)):
            if r.absent is not None:
                cell = Cell(r.round, "L" if r.absent in (side, "both") else "W")
            elif not r.played:
                cell = Cell(r.round, "–")
            else:
                cell = Cell(r.round, "D" if r.winner == "draw" else "W" if r.winner == side else "L", vp, against)
            cells.setdefault((own, other), []).append(cell)
    return {pair: tuple(games) for pair, games in cells.items()}
