"""The input of standings (entrants, results, scheme), and exact figures with their arithmetic."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm
from typing import Literal

from events.tournament.points_table import PointsTable
from languages.message import Parts, Text, joined, message
from languages.words import minus

Outcome = Literal["win", "draw", "loss"]
Ending = Literal["conceded_a", "conceded_b", "not_played", "unfinished", "decided"]

DEFAULT_TIE_BREAKS = ("vp", "sos", "lots")
"""Victory points first, as at the national event of 2022; then strength of schedule; then lots."""
VP_SHARE = "vp_share"
"""A tie-break: victory points as shares of their game. With it, all VP figures in the standings are shares."""
OF_VP = ("vp", VP_SHARE, "vp_difference")
"""The tie-breaks that need victory points."""
OTHER_FIGURES = ("second", "third")
"""The tie-breaks by other figures of the reports, which the game names."""


@dataclass(frozen=True)
class Entrant:
    """A player of the event.

    ``bonus`` are tournament points from outside games (painting); ``entered_round`` and ``dropped_after`` are the first
    and the last round they play.
    """

    id: str
    name: str
    club: str = ""
    bonus: int = 0
    bonus_for: Text = "bonus"
    """The reason for the bonus, as shown in the arithmetic of the points."""
    dropped_after: int | None = None
    entered_round: int = 1
    ringer: bool = False
    """A stand-in who makes an odd field even: neither ranked nor counted in averages over opponents."""
    painting: int | Fraction = 0
    """The painting and sportsmanship scores; only tie-breaks use them."""
    sportsmanship: int | Fraction = 0
    painting_how: Text = ""
    """How the score was made; "" if the organiser set it."""
    sportsmanship_how: Text = ""
    conduct: int = 0
    """Bonuses minus penalties from rulings; only the tie-break uses it."""
    vp_ruled: int = 0
    """Victory points from rulings; negative for deductions."""
    moves: tuple[tuple[int, int], ...] = ()
    """The parts of the bonus that change the player's score group: after which round, and how many points."""
    disqualified: bool = False
    """Ranked last; games against the player still count."""
    open_rounds: tuple[int, ...] = ()
    """Rounds with an open game, or a bye that scores nothing: they do not count as missed."""


def why_missed(number: int, entered_round: int) -> Text:
    """Why an entrant missed a round: "joined in round 2"."""
    if number < entered_round:
        return message("joined in round %(number)s", number=entered_round)
    return message("had dropped out")


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
    """The winner, if victory points do not decide."""
    asked: bool = False
    """Whether the player asked for the bye, and so was not drawn."""
    walk_over: bool = False
    """Whether there is no opponent because the other team left the board empty."""
    absent: Literal["a", "b", "both"] | None = None
    """The side that did not come. The game was not played and its VP do not count."""
    left: bool = False
    """Whether the absent side had left the event."""
    scenario: str | None = None
    ending: Ending | None = None
    """How the game ended, if it was not played to the end; ``won`` names the winner."""
    also: tuple[tuple[int, int], ...] = ()
    """Both sides' other figures that can break ties."""
    scored: tuple[int, int] | None = None
    """The VP as scored, if ``vp_a`` and ``vp_b`` are shares."""

    @property
    def played(self) -> bool:
        """Whether the game was played: no bye, no no-show, not left unplayed."""
        return self.b is not None and self.absent is None and self.ending != "not_played"

    @property
    def conceded(self) -> bool:
        """Whether a side conceded; the VP are those scored until then."""
        return self.ending in ("conceded_a", "conceded_b")

    @property
    def winner(self) -> Literal["a", "b", "draw"]:
        if self.won is not None:
            return self.won
        return "a" if self.vp_a > self.vp_b else "b" if self.vp_b > self.vp_a else "draw"

    @property
    def in_shares(self) -> "Result":
        """The same result with each VP in percent of the game's total, rounded half up; a draw is 50 : 50."""
        if not self.played:
            return self
        a, b = (50, 50) if self.winner == "draw" else shares(self.vp_a, self.vp_b)
        return replace(self, vp_a=a, vp_b=b, won=self.winner, scored=(self.vp_a, self.vp_b))


def shares(a: int, b: int) -> tuple[int, int]:
    """Two figures in percent of their sum, each rounded half up; a negative one counts as 0."""
    a, b = max(a, 0), max(b, 0)
    return ((200 * a + a + b) // (2 * (a + b)), (200 * b + a + b) // (2 * (a + b))) if a + b else (0, 0)


@dataclass(frozen=True)
class Scheme:
    """The scoring of an event: tournament points for a win, a draw and a loss, and the tie-breaks in order.

    A bye counts as a win with ``bye_vp`` victory points; None: the mean VP of the event's winners so far, rounded half
    up, or 0 before the first decided game. ``seed`` is the seed for ties drawn by lot.
    """

    win: int = 3
    draw: int = 1
    loss: int = 0
    tie_breaks: tuple[str, ...] = DEFAULT_TIE_BREAKS
    bye_vp: int | None = None
    seed: int = 0
    asked_bye: Outcome = "draw"
    """The result of a requested bye."""
    late_points: int = 0
    """Tournament points for each round before a late entry's first."""
    vp_cap: int | None = None
    """The limit of one game's VP difference in either direction; None: no limit."""
    conceded_vp: Literal["bye", "scored"] = "bye"
    """The VP of the opponent after a concession: at least those of a bye; or those scored."""
    not_played: Literal["nothing", "draw"] = "nothing"
    """The result of a game that neither player played; it scores no VP."""
    shares: bool = False
    """Whether VP are counted as shares of their game, in percent."""
    by_scenario: bool = False
    """Whether scenarios score on different scales: the mean of the winners is then that of the round's scenarios."""
    table: PointsTable | None = None
    """The points of games by VP difference.

    ``win`` is then the bye's, ``draw`` the table's, ``loss`` the table's lowest.
    """
    by_challenge: bool = False
    """Whether games come from challenges: a round without a game is then not missed."""
    best: int | None = None
    """How many of each player's best results count. None: all."""
    unfinished: bool = False
    """Whether further results can change the mean of the winners."""
    vp_known: bool = True
    """Whether victory points are reported. If False, nothing has victory points, not even a bye."""

    @property
    def most(self) -> int:
        return self.table.most if self.table else self.win

    def points(self, result: Result) -> tuple[int, int]:
        if self.table:
            return self.table.points(result.winner, result.vp_a, result.vp_b, conceded=result.conceded)
        if result.winner == "draw":
            return self.draw, self.draw
        return (self.win, self.loss) if result.winner == "a" else (self.loss, self.win)

    def __post_init__(self) -> None:
        if not (self.win > 0 and self.win >= self.draw >= self.loss >= 0):
            raise ValueError("a win must be worth more than 0, and no less than a draw, nor that than a loss")
        if self.late_points < 0 or (self.vp_cap is not None and self.vp_cap < 1):
            raise ValueError("points for late entries are counted from 0, a limit of the VP difference from 1")


NO_FIGURE = "–"
"""Shown for a tie-break that does not count."""


@dataclass(frozen=True)
class Figure:
    """One tie-break of one player: the exact value (more is better), the displayed value, and its arithmetic."""

    value: Fraction
    shown: Text
    how: Text
    provisional: bool = False
    """Whether it includes the mean of the winners while further results can change that."""

    is_place: bool = False
    """Whether it is shown as a place, of which the lowest is the best."""

    @property
    def number(self) -> Fraction | None:
        """The displayed value as a number; None if it does not count."""
        return None if self.shown == NO_FIGURE else -self.value if self.is_place else self.value

    @property
    def marked(self) -> str:
        """The displayed value; a provisional one has a mark: "12*"."""
        return f"{self.shown!s}*" if self.provisional else str(self.shown)


def mean(values: Sequence[Fraction]) -> Fraction:
    """The exact mean; 0 for no values. One common denominator is far faster than adding fractions one by one."""
    if not values:
        return Fraction()
    below = lcm(*(value.denominator for value in values))
    return Fraction(sum(value.numerator * (below // value.denominator) for value in values), below * len(values))


def decimal(value: Fraction) -> Parts:
    """Three decimals in the reader's language, rounded half up."""
    return Parts((value,))


def summed(terms: Sequence[Text | int], value: int, mark: str = "") -> Parts:
    return joined(
        (joined(terms, " + ") if terms else message("nothing to add"), f"{minus(value)}{mark}" if mark else value),
        " = ",
    )


def whole(value: int, terms: Sequence[Text | int], *, provisional: bool = False) -> Figure:
    return Figure(Fraction(value), minus(value), summed(terms, value, "*" if provisional else ""), provisional)


def given(value: int | Fraction, how: Text, what: Text) -> Figure:
    """A figure that is not calculated from results; ``how`` says how it was made, "" if the organiser set it."""
    shown = minus(value) if value.denominator == 1 else decimal(Fraction(value))
    by_hand = message("%(n)s for %(what)s, set by the organiser", n=shown, what=what)
    return Figure(Fraction(value), shown, how or by_hand)


def averaged(terms: Sequence[Text], value: Fraction) -> Figure:
    shown = decimal(value)
    mean_of = message("mean of %(terms)s = %(mean)s", terms=joined(terms), mean=shown)
    return Figure(value, shown, mean_of if terms else message("no opponents yet"))
