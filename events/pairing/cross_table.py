"""Who played how against whom: the cells of a cross table, from the results alone."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from events.pairing.results import Result


@dataclass(frozen=True)
class Cell:
    """One game as the player of the row sees it."""

    round: int
    outcome: Literal["W", "D", "L"]
    vp: int
    vp_against: int


def cross_table(results: Iterable[Result]) -> dict[tuple[str, str], tuple[Cell, ...]]:
    """The games of each two who met, from both sides, by the round; byes stand in no cell."""
    cells: dict[tuple[str, str], list[Cell]] = {}
    for r in sorted(results, key=lambda r: r.round):
        if r.b is None:
            continue
        for side, own, other, vp, against in (("a", r.a, r.b, r.vp_a, r.vp_b), ("b", r.b, r.a, r.vp_b, r.vp_a)):
            outcome: Literal["W", "D", "L"] = "D" if r.winner == "draw" else "W" if r.winner == side else "L"
            cells.setdefault((own, other), []).append(Cell(r.round, outcome, vp, against))
    return {pair: tuple(games) for pair, games in cells.items()}
