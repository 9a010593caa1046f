"""Seats, the rules of a draw, and lots from a stored seed.

Lots come from hashes instead of Python's random generator, so that a draw can be checked in any language.
"""

import hashlib
import json
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from events.tournament.pairing.notes import Note
from languages.words import N_

AvoidClubs = Literal["first_round", "always", "never"]
Method = Literal["random", "standing", "fold"]
LevelName = Literal["rematches", "second_byes", "bye_height", "distance", "repeat_floats", "kept_apart"]
LEVELS: tuple[LevelName, ...] = get_args(LevelName)
"""In the order in which the draw minimises them."""


@dataclass(frozen=True)
class Rules:
    """The rules of one draw; the defaults are those of a plain Swiss round.

    Names in ``keep_apart`` and ``locked`` are ids of seats.
    """

    avoid_clubs: AvoidClubs = "first_round"
    keep_apart: tuple[tuple[str, str], ...] = ()
    """Pairs that should not meet if possible: players' wishes, or set by the organiser."""
    method: Method = "random"
    """How equals are paired: by lot, as neighbours in the standings, or top half against bottom half."""
    off: tuple[LevelName, ...] = ()
    """Levels to ignore."""
    banned: tuple[LevelName, ...] = ()
    """Levels before all others. This makes them as good as forbidden, while a pairing is still always found."""
    locked: tuple[tuple[str, str | None], ...] = ()
    """Pairs, and a bye (with None), that stay when the rest is drawn."""


PLAIN = Rules()


def watches_clubs(rules: Rules, round_number: int) -> bool:
    return rules.avoid_clubs == "always" or (rules.avoid_clubs == "first_round" and round_number == 1)


METHODS: dict[Method, str] = {
    "random": N_("By lot"),
    "standing": N_("By standing: first against second, third against fourth"),
    "fold": N_("Fold: the top half against the bottom half"),
}
"""How players who are equal on all levels are paired."""

LEVEL_WORDS: dict[LevelName, str] = {
    "rematches": N_("Rematches"),
    "second_byes": N_("A second bye while another player had none"),
    "bye_height": N_("The bye above the lowest group"),
    "distance": N_("Pair-downs, by the square of their distance"),
    "repeat_floats": N_("Pair-downs of players paired down before"),
    "kept_apart": N_("Kept-apart pairs and club mates"),
}
"""The levels in words, in the order of the draw."""


def rules_of_event(document: Mapping[str, Any] | None) -> Rules:
    """The rules stored with an event; the defaults for None."""
    if document is None:
        return PLAIN
    off, banned = (tuple(name for name in LEVEL_WORDS if name in document[kind]) for kind in ("off", "banned"))
    method = next(method for method in METHODS if method == document["method"])
    return Rules(method=method, off=off, banned=banned)


def event_document(rules: Rules) -> dict[str, Any]:
    """The part of these rules that an event stores. Raises ValueError for a level that is both off and banned."""
    if both := set(rules.off) & set(rules.banned):
        raise ValueError(f"both off and banned: {', '.join(sorted(both))}")
    return {"method": rules.method, "off": list(rules.off), "banned": list(rules.banned)}


def lot(seed: int | str, *names: str | int) -> int:
    """One lot, 0 to 2^64 - 1, for these names, independent of all other lots of this seed.

    The first eight bytes, big-endian, of SHA-256 over the compact JSON array ``[seed, *names]``.
    """
    return int.from_bytes(hashlib.sha256(_text(seed, *names)).digest()[:8], "big")


def lots(count: int, seed: int, *names: str | int) -> tuple[int, ...]:
    """``count`` lots of 32 bits: SHAKE-256 over the same text, read as big-endian words in order."""
    return struct.unpack(f">{count}I", hashlib.shake_256(_text(seed, *names)).digest(4 * count))


def lot_grid(rows: int, columns: int, seed: int, *names: str | int) -> list[tuple[int, ...]]:
    """The same lots as rows."""
    drawn = lots(rows * columns, seed, *names)
    return [drawn[at : at + columns] for at in range(0, len(drawn), columns)]


def _text(seed: int | str, *names: str | int) -> bytes:
    return json.dumps([seed, *names], separators=(",", ":")).encode("ascii")


@dataclass(frozen=True)
class Seat:
    """The input of the draw for one player.

    ``points`` are tournament points so far, of which only the order counts; ``floats`` how often the player was paired
    down; ``opponents``, ``tables`` and ``scenarios`` the earlier ones, in any order.
    """

    id: str
    points: float = 0
    club: str = ""
    byes: int = 0
    floats: int = 0
    opponents: tuple[str, ...] = ()
    tables: tuple[int, ...] = ()
    rank: int = 0
    """The rank before the round, 1 the best; 0 if the draw does not need it."""
    scenarios: tuple[str, ...] = ()
    fixed_table: int | None = None
    """The only table at which this player can play."""


@dataclass(frozen=True)
class Pair:
    """Two seats that play each other, the one with more points first, and notes if the pair is unusual."""

    a: str
    b: str
    notes: tuple[Note, ...] = ()
    table: int | None = None
    """None until tables are assigned."""
    scenario: str | None = None
    """None for the round's scenario."""


@dataclass(frozen=True)
class Idle:
    """A seat without a game in a round with a fixed plan, and why: a walk-over, or an empty place in the bracket."""

    id: str
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True)
class Levels:
    """The counts over the whole round that the draw minimises, in this order."""

    rematches: int = 0
    second_byes: int = 0
    bye_height: int = 0
    distance: int = 0
    repeat_floats: int = 0
    kept_apart: int = 0


@dataclass(frozen=True)
class Placement:
    """The costs of tables and scenarios over the whole round, in the order of their levels."""

    fixed_missed: int = 0
    """The number of players away from their fixed table."""
    table_repeats: int = 0
    """How often players return to a table: each earlier time counts, except at their fixed table."""
    table_steps: int = 0
    """The squared steps by which pairs miss "first pair, first table"."""
    scenario_repeats: int = 0
    """How often players repeat their table's scenario; each earlier time counts."""


@dataclass(frozen=True)
class Certificate:
    """Whether the pairing is proven best on the levels, and by which argument."""

    proven: bool
    by: str


@dataclass(frozen=True)
class Draw:
    """A drawn round: top pairs first, the seat with the bye or None, and the costs."""

    pairs: tuple[Pair, ...]
    bye: str | None
    levels: Levels
    certificate: Certificate
    seed: int
    algorithm: str
    notes: tuple[Note, ...] = ()
    idle: tuple[Idle, ...] = ()
    """Other seats without a game, only in formats with a fixed plan."""
    placement: Placement | None = None
    """None until tables are assigned."""
    stand_in: Pair | None = None
    """The game of the player with the bye against a stand-in; on the levels it counts as the bye."""
