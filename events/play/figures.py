"""What standings are made from: entrants, results, the event's scheme, and exact figures with their arithmetic."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Literal

Outcome = Literal["win", "draw", "loss"]
Ending = Literal["conceded_a", "conceded_b", "not_played", "unfinished", "decided"]

DEFAULT_TIE_BREAKS = ("vp", "sos", "lots")
"""Victory points first, as the national event of 2022 did; then who met the stronger field; then lots."""


@dataclass(frozen=True)
class Entrant:
    """A player of the event. ``bonus`` are tournament points won off the table (painting), which stand in the
    standings; ``dropped_after`` the last round they play, and ``entered_round`` their first.
    """

    id: str
    name: str
    club: str = ""
    bonus: int = 0
    bonus_for: str = "bonus"
    """What the bonus is for, as the arithmetic of the points tells it."""
    dropped_after: int | None = None
    entered_round: int = 1
    ringer: bool = False
    """A stand-in who makes an odd field even: not ranked, nobody's opponent in any average."""
    painting: int | Fraction = 0
    """The figure for painting, and for sportsmanship; tie-breaks alone look at them."""
    sportsmanship: int | Fraction = 0
    painting_how: str = ""
    """How that figure was made; "": set by the organiser."""
    sportsmanship_how: str = ""
    conduct: int = 0
    """What rulings come to, bonuses less penalties, for the tie-break alone."""
    vp_ruled: int = 0
    """Victory points that rulings gave, or took where it is less than 0."""
    moves: tuple[tuple[int, int], ...] = ()
    """The part of the bonus that moves the player between groups of the draw: after which round, how much of it."""
    disqualified: bool = False
    """Stands behind everybody else; what was played against them counts."""


@dataclass(frozen=True)
class Result:
    """A finished game with both players' victory points, or a bye (``b`` is None, no VP reported)."""

    round: int
    a: str
    b: str | None
    vp_a: int = 0
    vp_b: int = 0
    table: int | None = None
    won: Literal["a", "b", "draw"] | None = None
    """Who won, where the game does not go by the more victory points; None: it does."""
    asked: bool = False
    """The bye was asked for: the player was not drawn."""
    absent: Literal["a", "b", "both"] | None = None
    """Who did not come to the game, which was then not played; its VP say nothing."""
    scenario: str | None = None
    ending: Ending | None = None
    """How it ended where it was not played out; who has won then, ``won`` says."""

    @property
    def played(self) -> bool:
        """Whether there was a game: no bye, somebody on both sides, and not left unplayed."""
        return self.b is not None and self.absent is None and self.ending != "not_played"

    @property
    def conceded(self) -> bool:
        """Whether a side gave up; its VP are those scored so far."""
        return self.ending in ("conceded_a", "conceded_b")

    @property
    def winner(self) -> Literal["a", "b", "draw"]:
        """The side that won a game that was played, or a draw."""
        if self.won is not None:
            return self.won
        return "a" if self.vp_a > self.vp_b else "b" if self.vp_b > self.vp_a else "draw"


@dataclass(frozen=True)
class Scheme:
    """How an event counts: tournament points for a win, a draw and a loss, and what parts the tied, in order.

    A bye counts as a win with ``bye_vp`` victory points; None stands for the mean VP of the event's winners
    so far, rounded half up, and 0 while no game has been decided. ``seed`` is that of the drawn lots.
    """

    win: int = 3
    draw: int = 1
    loss: int = 0
    tie_breaks: tuple[str, ...] = DEFAULT_TIE_BREAKS
    bye_vp: int | None = None
    seed: int = 0
    asked_bye: Outcome = "draw"
    """What a bye that was asked for counts as."""
    late_points: int = 0
    """Tournament points for each round before a late entry's first."""
    vp_cap: int | None = None
    """The most, either way, that one game adds to the VP difference; None: no limit."""
    conceded_vp: Literal["bye", "scored"] = "bye"
    """Whom a game was conceded to has no fewer VP than a bye, or just what was scored."""
    not_played: Literal["nothing", "draw"] = "nothing"
    """What a game counts for that both came to and did not play; VP it has none."""

    def __post_init__(self) -> None:
        if not (self.win > 0 and self.win >= self.draw >= self.loss >= 0):
            raise ValueError("a win must be worth more than 0, and no less than a draw, nor that than a loss")
        if self.late_points < 0 or (self.vp_cap is not None and self.vp_cap < 1):
            raise ValueError("points for late entries are counted from 0, a limit of the VP difference from 1")


@dataclass(frozen=True)
class Figure:
    """One tie-break of one player: its exact value (more is better), as displayed, and how it was made."""

    value: Fraction
    shown: str
    how: str


def minus(number: int | Fraction | str) -> str:
    """A number as it is set in text: with a minus, which is no hyphen."""
    return str(number).replace("-", "−")


def mean(values: Sequence[Fraction]) -> Fraction:
    """The exact mean; 0 of nothing. Over one denominator for all, which is far quicker than fraction by fraction."""
    if not values:
        return Fraction()
    below = lcm(*(value.denominator for value in values))
    return Fraction(sum(value.numerator * (below // value.denominator) for value in values), below * len(values))


def decimal(value: Fraction) -> str:
    """Three decimals, rounded half up in exact arithmetic."""
    thousandths = (abs(value.numerator) * 2000 + value.denominator) // (2 * value.denominator)
    return f"{'−' if value < 0 and thousandths else ''}{thousandths // 1000}.{thousandths % 1000:03}"


def whole(value: int, terms: Sequence[str]) -> Figure:
    """A sum of whole numbers with its terms."""
    return Figure(Fraction(value), minus(value), f"{' + '.join(terms) or 'nothing to add'} = {minus(value)}")


def told(value: int | Fraction, how: str, what: str) -> Figure:
    """A figure that was not made from results: as whoever made it says, or set by the organiser."""
    shown = minus(value) if value.denominator == 1 else decimal(Fraction(value))
    return Figure(Fraction(value), shown, how or f"{shown} for {what}, set by the organiser")


def averaged(terms: Sequence[str], value: Fraction) -> Figure:
    """A mean over opponents with its terms."""
    shown = decimal(value)
    return Figure(value, shown, f"mean of {', '.join(terms)} = {shown}" if terms else "no opponents yet")
