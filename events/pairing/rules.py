"""How a round is drawn: what the organiser switches, and what stands fixed before chance comes in."""

from dataclasses import dataclass
from typing import Literal, get_args

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
    """Two who are not to meet where it can be: a wish, or the organiser's block."""
    method: Method = "random"
    """Inside a group of equal points: by lot, neighbours in the standings, or top half against bottom half."""
    off: tuple[LevelName, ...] = ()
    """Levels that the draw does not look at."""
    banned: tuple[LevelName, ...] = ()
    """Levels that stand above all others: as good as forbidden, though a pairing is always found and says so."""
    locked: tuple[tuple[str, str | None], ...] = ()
    """Pairs, and a bye (beside None), that stay as they are while the rest is drawn."""


PLAIN = Rules()


def watches_clubs(rules: Rules, round_number: int) -> bool:
    """Whether club mates are kept apart in this round."""
    return rules.avoid_clubs == "always" or (rules.avoid_clubs == "first_round" and round_number == 1)
