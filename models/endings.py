"""How a game can end that was not played out, and what an event counts it for."""

from enum import StrEnum


class Ending(StrEnum):
    """How a game ended that was not played out. ``Absent`` records who did not come to a game that nobody reported."""

    CONCEDED_A = "conceded_a"
    """Player A gave up."""
    CONCEDED_B = "conceded_b"
    NOT_PLAYED = "not_played"
    """Both were there, and it did not take place: it has no figures."""
    UNFINISHED = "unfinished"
    """Time was called; what was scored so far counts."""
    DECIDED = "decided"
    """By a judge, who gives the reason, and may say who won."""


class Awarded(StrEnum):
    """Whom a judge gave a game to."""

    A = "a"
    B = "b"
    DRAW = "draw"


class ConcededVp(StrEnum):
    """The victory points of whom a game was conceded to."""

    BYE = "bye"
    """Their own, and no fewer than those of a bye."""
    SCORED = "scored"
    """Their own, as scored so far."""


class NotPlayed(StrEnum):
    """What a game counts for to which both came, and which was not played."""

    NOTHING = "nothing"
    DRAW = "draw"
