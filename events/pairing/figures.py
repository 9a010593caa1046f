"""Exact figures with their arithmetic: sums, means, and what somebody set."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm


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
