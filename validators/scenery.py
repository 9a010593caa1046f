"""The scenery of a table: the amount that the game's rules require, or that we propose, and a fair layout.

Some rules set the number of pieces and their distance, and require equal halves; the organiser places the pieces. The
layout is a proposal: one half is random, the other is its copy, rotated about the middle, so neither edge is better.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import hypot
from pathlib import Path
from random import Random
from typing import Literal

from pydantic import TypeAdapter

from validators.scenario import Scenario

STEP = 0.5
"""The grid of positions, in inches."""
FROM_EDGE, FROM_MIDDLE = 2.5, 4.25
"""The least inches from a piece's middle to the table's edge, and to a scenario's marker."""
FROM_MARKER = 1 / 20
"""The least distance from a piece's rim to a marker, as a share of the table's side: a marker's size on small maps."""
CLEAR, NEARER = 6.0, 0.2
"""The inches to a marker that are tried first, so that its name has room, and by how much each attempt lowers them."""
CIRCLE = 4.0
"""The additional inches to a marker with a circle, which has a longer name."""
ATTEMPTS, THROWS = 120, 400
"""The most layouts tried, and the most random positions tried in each."""


Shape = Literal["square", "disc", "bar"]


@dataclass(frozen=True)
class Kind:
    """A kind of piece: its name or effect ("wall", "gives cover"), and its shape on the map, parallel to the edges."""

    name: str
    shape: Shape
    letter: str = ""
    """The letter before its pieces' numbers, where kinds of the same shape need one."""


@dataclass(frozen=True)
class Scenery:
    """A table's scenery: ``pieces`` in all, equally of these ``kinds``, more than ``apart`` inches between any two.

    ``ruler`` is the game's ruler for that distance, "" if the rules set none; ``source`` is the place in the rules.
    """

    pieces: int
    apart: float
    kinds: tuple[Kind, ...]
    source: str
    ruler: str = ""
    across: float = 4.0
    """The side of a square, or the diameter of any other piece, in inches."""
    from_edge: float = FROM_EDGE
    """The least inches from a piece's middle to the table's edge."""
    road: float = 0.0
    """The width in inches of a free strip in the middle, from player A's edge to player B's; 0 for none."""


def read_scenery(data: Path) -> Scenery:
    """The scenery of a game's tables, from scenery.json in its data folder."""
    return TypeAdapter(Scenery).validate_json((data / "scenery.json").read_bytes())


@dataclass(frozen=True)
class Piece:
    """One piece: the position of its middle, as for a ``Marker``, and its kind."""

    x: float
    y: float
    kind: Kind

    @property
    def square(self) -> bool:
        return self.kind.shape == "square"


def between(piece: Piece, other: Piece, across: float) -> float:
    """The distance in inches between the rims of two pieces that measure ``across``; bars count as discs."""
    half = across / 2
    straight = half * (piece.square + other.square)
    reach = hypot(max(0.0, abs(piece.x - other.x) - straight), max(0.0, abs(piece.y - other.y) - straight))
    return reach - half * (2 - piece.square - other.square)


def from_rim(piece: Piece, x: float, y: float, across: float) -> float:
    """The distance in inches from a place to the rim of a piece that measures ``across``; bars count as discs."""
    straight = across / 2 * piece.square
    return hypot(max(0.0, abs(piece.x - x) - straight), max(0.0, abs(piece.y - y) - straight)) - across / 2 + straight


def layout(scenery: Scenery, scenario: Scenario, seed: str) -> tuple[Piece, ...]:
    """The pieces on the scenario's table, the same for the same seed, from player A's edge and its left end on.

    Pieces keep their distance from each other and from the scenario's markers. A table too small for all of them gets
    fewer, but always an even number.
    """
    best: Sequence[Piece] = ()
    for attempt in range(ATTEMPTS):
        dice = Random(f"{seed}/{scenario.id}/{attempt}")  # noqa: S311 - no secret
        found = _half(scenery, scenario, max(FROM_MIDDLE, CLEAR - NEARER * attempt), dice)
        if len(found) > len(best):
            best = found
        if len(best) * 2 >= scenery.pieces:
            break
    pieces = [*best, *(_turned(piece, scenario.table_inches) for piece in best)]
    return tuple(sorted(pieces, key=lambda piece: (piece.y, piece.x)))


def _turned(piece: Piece, side: float) -> Piece:
    """The piece rotated about the table's middle, into the other half."""
    return replace(piece, x=side - piece.x, y=side - piece.y)


def _half(scenery: Scenery, scenario: Scenario, clear: float, dice: Random) -> list[Piece]:
    """Pieces in player A's half at random positions, their middles at least ``clear`` inches from any marker.

    A position too near to another piece, or to a rotated copy, is dropped.
    """
    side = float(scenario.table_inches)
    steps = int((side - 2 * scenery.from_edge) / STEP)
    placed: list[Piece] = []
    markers = [(marker, clear + CIRCLE * bool(marker.within)) for marker in scenario.markers]
    for _ in range(THROWS):
        x, y = (scenery.from_edge + STEP * dice.randint(0, most) for most in (steps, steps // 2))
        piece = Piece(x, y, scenery.kinds[len(placed) % len(scenery.kinds)])
        image, on_road = _turned(piece, side), scenery.road and abs(2 * x - side) < scenery.road + scenery.across
        near = any(
            hypot(p.x - m.x, p.y - m.y) < room or from_rim(p, m.x, m.y, scenery.across) < FROM_MARKER * side
            for m, room in markers
            for p in (piece, image)
        )
        if near or on_road or y * 2 >= side:
            continue
        others = [image, *placed, *(_turned(one, side) for one in placed)]
        if all(between(piece, one, scenery.across) > scenery.apart for one in others):
            placed.append(piece)
            if len(placed) * 2 >= scenery.pieces:
                break
    return placed
