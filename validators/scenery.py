"""The scenery of a table: the amount that the game's rules require, or that we propose, and a fair layout.

Some rules set the number of pieces and their distance, and require equal halves; the organiser places the pieces. The
layout is a proposal: one half is random, the other is its copy, rotated about the middle, so neither edge is better.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import product
from math import hypot, inf
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
    spot = cache(partial(_spot, scenery, scenario))
    for attempt in range(ATTEMPTS):
        dice = Random(f"{seed}/{scenario.id}/{attempt}")  # noqa: S311 - no secret
        clear = max(FROM_MIDDLE, CLEAR - NEARER * attempt)
        found = _half(scenery, scenario.table_inches, dice, clear, spot)
        if len(found) > len(best):
            best = found
        if len(best) * 2 >= scenery.pieces:
            break
    pieces = [*best, *(_turned(piece, scenario.table_inches) for piece in best)]
    return tuple(sorted(pieces, key=lambda piece: (piece.y, piece.x)))


def _turned(piece: Piece, side: float) -> Piece:
    """The piece rotated about the table's middle, into the other half."""
    return Piece(side - piece.x, side - piece.y, piece.kind)


def _spot(scenery: Scenery, scenario: Scenario, x: float, y: float, kind: Kind) -> tuple[Piece, Piece, float]:
    """A piece, its rotated copy, and the inches from a marker to the middle of the nearer one; -1 for touching rims."""
    side, piece = scenario.table_inches, Piece(x, y, kind)
    copy, room = _turned(piece, side), inf
    for marker, a_piece in product(scenario.markers, (piece, copy)):
        if from_rim(a_piece, marker.x, marker.y, scenery.across) < FROM_MARKER * side:
            return piece, copy, -1
        room = min(room, hypot(a_piece.x - marker.x, a_piece.y - marker.y) - CIRCLE * bool(marker.within))
    return piece, copy, room


def _half(
    scenery: Scenery, side: float, dice: Random, clear: float, spot: Callable[..., tuple[Piece, Piece, float]]
) -> list[Piece]:
    """Pieces in player A's half of a table with this side, at random positions.

    A position less than ``clear`` inches from a marker, or too near to one, to a piece or to its own copy, is dropped.
    """
    columns = [scenery.from_edge + STEP * step for step in range(int((side - 2 * scenery.from_edge) / STEP) + 1)]
    rows = columns[: (len(columns) + 1) // 2]
    reach = scenery.apart + scenery.across + STEP  # pieces further away in a row or column are apart
    taken: list[Piece] = []  # each followed by its rotated copy
    for _ in range(THROWS):
        x, y = dice.choice(columns), dice.choice(rows)
        if y * 2 >= side or (scenery.road and abs(2 * x - side) < scenery.road + scenery.across):
            continue
        piece, copy, room = spot(x, y, scenery.kinds[len(taken) // 2 % len(scenery.kinds)])
        if room < clear:
            continue
        close = [a_piece for a_piece in (copy, *taken) if abs(a_piece.x - x) < reach and abs(a_piece.y - y) < reach]
        if any(between(piece, other, scenery.across) <= scenery.apart for other in close):
            continue
        taken += piece, copy
        if len(taken) >= scenery.pieces:
            break
    return taken[::2]
