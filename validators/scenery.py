"""The scenery of a table: how much a game's rules require, or else what we propose, and one fair layout.

Some rules set the number of pieces and their distance, and require equal halves; the table's owner chooses the places.
The layout is a proposal: one half is random, the other is the same rotated about the middle, so that no edge is better.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import hypot
from random import Random
from typing import Literal

from validators.scenario import Scenario

STEP = 0.5
"""In inches, as precise as anyone places scenery."""
FROM_EDGE, FROM_MARKER = 2.5, 4.25
"""The least inches from a piece's middle to the table's edge, and to a scenario marker."""
CLEAR, NEARER = 6.0, 0.2
"""The inches to a scenario marker that are tried first, so that its name has room, and how much less each time."""
CIRCLE = 4.0
"""Inches more to one with a circle, which has a longer name."""
ATTEMPTS, DARTS = 60, 400


Shape = Literal["square", "disc", "bar"]


@dataclass(frozen=True)
class Kind:
    """A kind of piece: what it is, or does, more of that after a comma, and its shape on the map; none lies aslant."""

    name: str
    shape: Shape


@dataclass(frozen=True)
class Scenery:
    """What a table has: ``pieces`` in all, over ``apart`` inches between any two, as many of each of these ``kinds``.

    ``ruler`` is the game's name for that distance, "" where its rules set none; ``source`` the place in its rules.
    """

    pieces: int
    apart: float
    ruler: str
    kinds: tuple[Kind, ...]
    source: str
    across: float = 4.0
    """The side of a square, and what any other piece measures across, in inches."""
    from_edge: float = FROM_EDGE
    """The least inches from a piece's middle to the table's edge."""
    road: float = 0.0
    """The width of what stays free in the middle from player A's edge to the other, in inches."""


@dataclass(frozen=True)
class Piece:
    """One piece: inches from its middle to the left end of player A's edge and to that edge, and its kind."""

    x: float
    y: float
    kind: Kind

    @property
    def square(self) -> bool:
        return self.kind.shape == "square"


def between(one: Piece, other: Piece, across: float) -> float:
    """The inches from rim to rim of two pieces: squares parallel to the edges, or discs."""
    half = across / 2
    straight = half * (one.square + other.square)
    reach = hypot(max(0.0, abs(one.x - other.x) - straight), max(0.0, abs(one.y - other.y) - straight))
    return reach - half * (2 - one.square - other.square)


def layout(scenery: Scenery, scenario: Scenario, seed: str) -> tuple[Piece, ...]:
    """A place for every piece on the scenario's table, the same for the same seed, starting at player A's left.

    Pieces keep ``scenery.apart`` inches between their rims and are clear of the scenario's markers. On a table too
    small for all of them there are fewer, always an even number.
    """
    best: Sequence[Piece] = ()
    for attempt in range(ATTEMPTS):
        dice = Random(f"{seed}/{scenario.id}/{attempt}")  # noqa: S311 - no secret
        found = _half(scenery, scenario, max(FROM_MARKER, CLEAR - NEARER * attempt), dice)
        if len(found) > len(best):
            best = found
        if len(best) * 2 >= scenery.pieces:
            break
    pieces = [*best, *(_turned(piece, scenario.table_inches) for piece in best)]
    return tuple(sorted(pieces, key=lambda piece: (piece.y, piece.x)))


def _turned(piece: Piece, side: float) -> Piece:
    """The same piece, rotated into the other half."""
    return replace(piece, x=side - piece.x, y=side - piece.y)


def _half(scenery: Scenery, scenario: Scenario, clear: float, dice: Random) -> list[Piece]:
    """The pieces in player A's half, thrown like darts, each at least ``clear`` inches from a marker; those too near
    another piece, or its rotated copy, are thrown again.
    """
    side = float(scenario.table_inches)
    steps = int((side - 2 * scenery.from_edge) / STEP)
    placed: list[Piece] = []
    markers = [(one, clear + CIRCLE * bool(one.within)) for one in scenario.markers]
    for _ in range(DARTS):
        x, y = (scenery.from_edge + STEP * dice.randint(0, most) for most in (steps, steps // 2))
        piece = Piece(x, y, scenery.kinds[len(placed) % len(scenery.kinds)])
        image, on_road = _turned(piece, side), scenery.road and abs(2 * x - side) < scenery.road + scenery.across
        near = any(hypot(p.x - m.x, p.y - m.y) < room for m, room in markers for p in (piece, image))
        if near or on_road or y * 2 >= side:
            continue
        others = [image, *placed, *(_turned(one, side) for one in placed)]
        if all(between(piece, one, scenery.across) > scenery.apart for one in others):
            placed.append(piece)
            if len(placed) * 2 >= scenery.pieces:
                break
    return placed
