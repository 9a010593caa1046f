"""What the pairing engine gets and gives: seats in, pairs with notes and a certificate out; pure values."""

from dataclasses import dataclass
from typing import Literal

AvoidClubs = Literal["first_round", "always", "never"]


@dataclass(frozen=True)
class Seat:
    """One player as the draw sees them.

    ``points`` are tournament points so far (only their order counts); ``floats`` how often the player was
    paired down before; ``opponents`` and ``tables`` those already met and used, in any order.
    """

    id: str
    points: float = 0
    club: str = ""
    byes: int = 0
    floats: int = 0
    opponents: tuple[str, ...] = ()
    tables: tuple[int, ...] = ()


@dataclass(frozen=True)
class Pair:
    """Two seats that play each other, the higher by points first, and why the pair is odd, if it is."""

    a: str
    b: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Levels:
    """What the draw minimised, in this order; each is counted over the whole round."""

    rematches: int = 0
    second_byes: int = 0
    bye_height: int = 0
    distance: int = 0
    repeat_floats: int = 0
    kept_apart: int = 0


@dataclass(frozen=True)
class Certificate:
    """Whether the pairing is proven best by the levels, and by which argument."""

    proven: bool
    by: str


@dataclass(frozen=True)
class Draw:
    """A drawn round: top pairs first, the seat with the bye (or None), and what the draw cost."""

    pairs: tuple[Pair, ...]
    bye: str | None
    levels: Levels
    certificate: Certificate
    seed: int
    algorithm: str
    notes: tuple[str, ...] = ()
