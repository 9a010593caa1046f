"""The scenery of a table: how much of it a game's rules ask for, and one fair way to set it out.

The rules say how many pieces, how far apart and that both halves are alike; the places are up to the person who
sets the table up. The layout is a proposal: half of it by chance, the other half the same turned about the
middle, so that no edge is the better one.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
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
    """The side of a piece of the first kind, a square laid straight, and what any other measures across, in inches."""


@dataclass(frozen=True)
class Piece:
    """One piece: the inches of its middle from the left end of player A's edge and from that edge, and its kind."""

    x: float
    y: float
    kind: str
    square: bool


def between(one: Piece, other: Piece, across: float) -> float:
    """Inches from rim to rim of two pieces: squares laid straight, or discs."""
    half = across / 2
    straight = half * (one.square + other.square)
    reach = hypot(max(0.0, abs(one.x - other.x) - straight), max(0.0, abs(one.y - other.y) - straight))
    return reach - half * (2 - one.square - other.square)


def layout(scenery: Scenery, scenario: Scenario, seed: str) -> tuple[Piece, ...]:
    """A place for every piece on the scenario's table, the same for the same seed, from player A's left on.

    Pieces keep ``scenery.apart`` inches between their rims and are clear of the scenario's markers. On a table too
    small for all of them there are fewer, always an even number.
    """
    best: Sequence[Piece] = ()
    for attempt in range(ATTEMPTS):
        found = _half(scenery, scenario, Random(f"{seed}/{scenario.id}/{attempt}"))  # noqa: S311 - no secret
        if len(found) > len(best):
            best = found
        if len(best) * 2 >= scenery.pieces:
            break
    pieces = [*best, *(_turned(piece, scenario.table_inches) for piece in best)]
    return tuple(sorted(pieces, key=lambda piece: (piece.y, piece.x)))


def _turned(piece: Piece, side: float) -> Piece:
    """The same piece in the other half."""
    return replace(piece, x=side - piece.x, y=side - piece.y)


def _half(scenery: Scenery, scenario: Scenario, dice: Random) -> list[Piece]:
    """The pieces of player A's half: darts that land too near to another, or to its image, are thrown again."""
    side = float(scenario.table_inches)
    steps = int((side - 2 * FROM_EDGE) / STEP)
    placed: list[Piece] = []
    for _ in range(DARTS):
        x, y = FROM_EDGE + STEP * dice.randint(0, steps), FROM_EDGE + STEP * dice.randint(0, steps // 2)
        place = len(placed) % len(scenery.kinds)
        piece = Piece(x, y, scenery.kinds[place], place == 0)
        image = _turned(piece, side)
        if y * 2 >= side or any(
            hypot(p.x - m.x, p.y - m.y) < FROM_MARKER for m in scenario.markers for p in (piece, image)
        ):
            continue
        others = [image, *placed, *(_turned(one, side) for one in placed)]
        if all(between(piece, one, scenery.across) > scenery.apart for one in others):
            placed.append(piece)
            if len(placed) * 2 >= scenery.pieces:
                break
    return placed
