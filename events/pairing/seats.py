"""What the pairing engine gets and gives: seats in, pairs with notes and a certificate out; pure values."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Seat:
    """One player as the draw sees them.

    ``points`` are tournament points so far (only their order counts); ``floats`` how often the player was
    paired down before; ``opponents``, ``tables`` and ``scenarios`` those already met, used and played, in any order.
    """

    id: str
    points: float = 0
    club: str = ""
    byes: int = 0
    floats: int = 0
    opponents: tuple[str, ...] = ()
    tables: tuple[int, ...] = ()
    rank: int = 0
    """Place in the standings before the round, 1 the best; 0 where the draw does not ask for it."""
    scenarios: tuple[str, ...] = ()
    fixed_table: int | None = None
    """The one table at which this player can play."""


@dataclass(frozen=True)
class Pair:
    """Two seats that play each other, the higher by points first, and why the pair is odd, if it is."""

    a: str
    b: str
    notes: tuple[str, ...] = ()
    table: int | None = None
    """None before the pairs are placed."""
    scenario: str | None = None
    """None: the round's."""


@dataclass(frozen=True)
class Idle:
    """A seat that has no game in a round of a fixed plan, and why: a walk-over, or an empty place in the bracket."""

    id: str
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
class Placement:
    """What the placing of the pairs costs, in the order of its levels; each is counted over the whole round."""

    fixed_missed: int = 0
    """Players who do not sit at their fixed table."""
    table_repeats: int = 0
    """How often players sat at their table before: each earlier time counts, at one's own fixed table none."""
    table_steps: int = 0
    """Squared steps of the pairs from "first pair, first table"."""
    scenario_repeats: int = 0
    """How often players played their table's scenario before; each earlier time counts."""


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
    idle: tuple[Idle, ...] = ()
    """Who has no game either, beside the bye: only in formats with a fixed plan."""
    placement: Placement | None = None
    """None before the pairs are placed."""
    stand_in: Pair | None = None
    """The player with the bye against the stand-in, where there is one; for the levels it is the bye."""
