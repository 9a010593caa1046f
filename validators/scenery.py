"""The scenery of a table: how much of it a game's rules ask for, and one fair way to set it out.

The rules say how many pieces, how far apart and that both halves are alike; the places are up to the person who
sets the table up. The layout is a proposal: half of it by chance, the other half the same turned about the
middle, so that no edge is the better one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot
from random import Random

from validators.scenario import Scenario

STEP = 0.5
"""Inches: as fine as anybody puts scenery down."""
FROM_EDGE, FROM_MARKER = 2.5, 3.5
"""Inches that the middle of a piece keeps from the table's edge, and from a marker of the scenario."""
ATTEMPTS, DARTS = 60, 400


@dataclass(frozen=True)
class Scenery:
    """What a game asks of a table: ``pieces`` in all, ``apart`` inches or more between any two, of these ``kinds``.

    ``ruler`` is what the game calls that distance, ``source`` where it says so.
    """

    pieces: int
    fewest: int
    most: int
    """What a game for fun may have."""
    apart: float
    ruler: str
    kinds: tuple[str, ...]
    source: str
    across: float = 4.0
    """The size of a piece, in inches, that the layout keeps room for."""


@dataclass(frozen=True)
class Piece:
    """One piece: the inches of its middle from the left end of player A's edge and from that edge, and its kind."""

    x: float
    y: float
    kind: str


def layout(scenery: Scenery, scenario: Scenario, seed: str) -> tuple[Piece, ...]:
    """A place for every piece on the scenario's table, the same for the same seed, from player A's left on.

    Pieces keep ``scenery.apart`` inches between their rims and are clear of the scenario's markers. On a table too
    small for all of them there are fewer, always an even number.
    """
    best: Sequence[tuple[float, float]] = ()
    for attempt in range(ATTEMPTS):
        found = _half(scenery, scenario, Random(f"{seed}/{scenario.id}/{attempt}"))  # noqa: S311 - no secret
        if len(found) > len(best):
            best = found
        if len(best) * 2 >= scenery.pieces:
            break
    side = scenario.table_inches
    pieces = []
    for number, (x, y) in enumerate(best):
        kind = scenery.kinds[number % len(scenery.kinds)]
        pieces += [Piece(x, y, kind), Piece(side - x, side - y, kind)]
    return tuple(sorted(pieces, key=lambda piece: (piece.y, piece.x)))


def _half(scenery: Scenery, scenario: Scenario, dice: Random) -> list[tuple[float, float]]:
    """The pieces of player A's half: darts that land too near to another, or to its image, are thrown again."""
    side = float(scenario.table_inches)
    least = scenery.apart + scenery.across
    steps = int((side - 2 * FROM_EDGE) / STEP)
    placed: list[tuple[float, float]] = []
    for _ in range(DARTS):
        x, y = FROM_EDGE + STEP * dice.randint(0, steps), FROM_EDGE + STEP * dice.randint(0, steps // 2)
        if y * 2 >= side or any(hypot(x - m.x, y - m.y) < FROM_MARKER for m in scenario.markers):
            continue
        image = (side - x, side - y)
        if any(hypot(image[0] - m.x, image[1] - m.y) < FROM_MARKER for m in scenario.markers):
            continue
        others = [image, *placed, *((side - a, side - b) for a, b in placed)]
        if all(hypot(x - a, y - b) > least for a, b in others):
            placed.append((x, y))
            if len(placed) * 2 >= scenery.pieces:
                break
    return placed
