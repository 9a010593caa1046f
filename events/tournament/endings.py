"""How a game can end early, and how an event scores it."""

from enum import StrEnum


class Ending(StrEnum):
    """How a game ended early. ``Absent`` records no-shows."""

    CONCEDED_A = "conceded_a"
    """Player A gave up."""
    CONCEDED_B = "conceded_b"
    NOT_PLAYED = "not_played"
    """Both players came and it was not played: it has no score."""
    UNFINISHED = "unfinished"
    """Time was called; the score so far counts."""
    DECIDED = "decided"
    """Ended by a judge, who gives the reason and may name the winner."""


class Awarded(StrEnum):
    """The winner named by a judge."""

    A = "a"
    B = "b"
    DRAW = "draw"


class ConcededVp(StrEnum):
    """The victory points of the winner of a conceded game."""

    BYE = "bye"
    """Those scored, and at least those of a bye."""
    SCORED = "scored"
    """Those scored so far."""


class NotPlayed(StrEnum):
    """The score of a game that both players came to and did not play."""

    NOTHING = "nothing"
    DRAW = "draw"
