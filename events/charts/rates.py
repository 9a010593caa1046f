"""Rates with their intervals, and parts of a whole as bars."""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from events.charts.drawing import (
    WIDE,
    Chart,
    Mark,
    compact,
    frame,
    label,
    mark_badge,
    said,
    shape,
    shortened,
    tag,
    text_width,
)
from languages.words import apart, gettext, labelled, ngettext, pgettext
from validators.names import alphabetical

MOST = 12
"""The most rows of a picture; the table has all."""
LEFT, RIGHT = 4.0, WIDE - 12.0
"""Where 0 and 100 % stand."""
COLUMN = 146
"""The width for each of two keys on one row; if one is longer, each has a row."""
UNSAID = "–"
"""In place of a rate or a share with too few games."""


@dataclass(frozen=True)
class Rate:
    """A rate from 0 to 1, the number of its games, and its interval."""

    name: str
    games: int
    value: float | None
    """None: too few games to say anything."""
    low: float = 0.0
    high: float = 1.0
    counted: tuple[int, ...] = ()
    """What the rate is made of, for the table."""
    mark: Mark | None = None

    @property
    def shown(self) -> tuple[str, str]:
        if self.value is None:
            return UNSAID, UNSAID
        return percent(self.value), f"{round(self.low * 100)}–{percent(self.high)}"


def percent(value: float) -> str:
    """ "64 %"."""
    return f"{round(value * 100)} %"


def rates_chart(prefix: str, heads: tuple[str, ...], rates: Sequence[Rate]) -> Chart | None:
    """Each rate as a point on its interval, the highest first, with a line at one half; None if nothing can be said.

    Of many, those clear of one half, then those with the most games. ``heads`` are of the names and of what is
    counted.
    """
    order = sorted(
        rates, key=lambda rate: (rate.value is None, -(rate.value or 0), -rate.games, alphabetical(rate.name))
    )
    rated = [rate for rate in order if rate.value is not None]
    if not rated:
        return None
    first = sorted(rated, key=lambda rate: (rate.low <= 0.5 <= rate.high, -rate.games))[:MOST]
    drawn = [rate for rate in rated if rate in first]
    high = 44.0 * len(drawn) + 36
    parts = [label(percent(at), _across(at), 16, "t-soft", "middle") for at in (0.5, 1.0)]
    parts[-1] = label(percent(1), WIDE - 2, 16, "t-soft", "end")
    parts.append(label(percent(0), LEFT, 16, "t-soft"))
    for row, rate in enumerate(drawn):
        y = 44.0 * row + 40
        figures = gettext("%(n)s of %(games)s", n=rate.shown[0], games=rate.games)
        parts.append(label(said(shortened(rate.name, WIDE - LEFT - text_width(figures) - 8)), LEFT, y))
        parts.append(label(figures, WIDE - 2, y, "", "end"))
        parts += [_scale(y + 13), _line("interval", rate.low, rate.high, y + 13), _point(rate, y + 13)]
    if len(drawn) < len(rated):
        others = gettext("%(n)s of %(known)s, the others are in the table", n=len(drawn), known=len(rated))
        parts.append(label(others, LEFT, high + 16, "t-soft"))
        high += 20
    sentence = rates_finding(rated)
    about = apart(f"{rate.name} {_of_games(rate)}, {rate.shown[1]}" for rate in drawn) + "."
    svg = frame(prefix, (WIDE, high + 8), sentence, about, parts)
    rows = tuple((rate.name, *map(str, rate.counted), str(rate.games), *rate.shown) for rate in order)
    marks = tuple(mark_badge(rate.mark) if rate.mark else Markup() for rate in order)
    return Chart(
        prefix,
        sentence,
        svg,
        (*heads, gettext("Games"), pgettext("games", "Won"), gettext("95 % interval")),
        rows,
        marks,
    )


def _of_games(rate: Rate) -> str:
    return ngettext("%(share)s of %(num)s game", "%(share)s of %(num)s games", rate.games, share=rate.shown[0])


def _across(share: float) -> float:
    return LEFT + (RIGHT - LEFT) * share


def _line(css: str, low: float, high: float, y: float) -> Markup:
    return tag("path", class_=css, d=f"M{compact(_across(low))} {compact(y)}H{compact(_across(high))}")


def _scale(y: float) -> Markup:
    half = tag("path", class_="axis", d=f"M{compact(_across(0.5))} {compact(y - 12)}V{compact(y + 12)}")
    return _line("axis", 0, 1, y) + half


def _point(rate: Rate, y: float) -> Markup:
    x = _across(rate.value or 0)
    plate = tag("circle", class_="plate", cx=x, cy=y, r=10)
    return plate + (shape(rate.mark, x, y) if rate.mark else tag("circle", class_="interval-point", cx=x, cy=y, r=6))


def rates_finding(rates: Sequence[Rate]) -> str:
    """The rate that is most clearly above one half, or below it; a rate whose interval includes it says nothing."""
    above = [rate for rate in rates if rate.low > 0.5]
    below = [rate for rate in rates if rate.high < 0.5]
    clear = max(above, key=lambda rate: rate.low) if above else min(below, key=lambda rate: rate.high, default=None)
    if clear is not None:
        name, games = said(clear.name), _of_games(clear)
        if clear.low > 0.5:
            return gettext("%(name)s: %(games)s won, clearly more than half.", name=name, games=games)
        return gettext("%(name)s: %(games)s won, clearly less than half.", name=name, games=games)
    if len(rates) == 1:
        (rate,) = rates
        return gettext(
            "%(name)s: %(games)s won, not clearly more or less than half.", name=said(rate.name), games=_of_games(rate)
        )
    return gettext("None stands out: every interval includes 50 %.")


@dataclass(frozen=True)
class Bar:
    """One row: a name, a figure with its words, and a second one to compare with, if any."""

    name: str
    value: float
    shown: str
    """``value`` in words."""
    other: float | None = None
    other_shown: str = ""


def bars_chart(
    prefix: str,
    heads: tuple[str, ...],
    bars: Sequence[tuple[Bar, tuple[str, ...]]],
    sentence: str,
    *,
    keys: tuple[str, str] | None = None,
    whole: float = 0,
) -> Chart | None:
    """A bar for each row with a figure, in the order given; the table has all rows.

    The ``whole``, else the largest figure, is as wide as the picture. ``keys`` name both figures of a row.
    """
    drawn, more = _without_ties([bar for bar, _ in bars if bar.value or bar.other])
    most = max((max(bar.value, bar.other or 0) for bar in drawn), default=0)
    if most <= 0:
        return None
    most = max(most, whole)
    parts, y = [], 18.0
    on_one_row = all(text_width(key) <= COLUMN for key in keys or ())
    for number, (key, css) in enumerate(zip(keys or (), ("bar-own", "bar-theirs"), strict=False)):
        x, down = (4 + number * (COLUMN + 30), 0) if on_one_row else (4, 22 * number)
        parts += [tag("rect", class_=css, x=x, y=6 + down, width=14, height=12)]
        parts += [label(shortened(key, WIDE - 32), x + 20, 17 + down)]
    y += (30 if on_one_row else 52) if keys else 0
    wide = WIDE - 16 - max(text_width(words) for bar in drawn for words in (bar.shown, bar.other_shown))
    for bar in drawn:
        if bar.other is None:
            long = max(1.0, (WIDE - 8) * bar.value / most)
            parts.append(label(said(shortened(bar.name, WIDE - 16 - text_width(bar.shown))), 4, y))
            parts.append(label(bar.shown, WIDE - 4, y, "", "end"))
            parts.append(tag("rect", class_="bar-own", x=4, y=y + 7, width=long, height=9))
            y += 36
            continue
        parts.append(label(said(shortened(bar.name, WIDE - 8)), 4, y))
        for value, shown, css in ((bar.value, bar.shown, "bar-own"), (bar.other, bar.other_shown, "bar-theirs")):
            long = wide * max(0.0, value) / most
            parts += [tag("rect", class_=css, x=4, y=y + 10, width=max(1.0, long), height=9)] if value else []
            parts.append(label(shown, WIDE - 4, y + 19, "", "end"))
            y += 16
        y += 28
    about = apart(labelled(bar.name, bar.shown) for bar in drawn) + "."
    if more:
        parts.append(label(more, 4, y, "t-soft"))
        y += 26
    svg = frame(prefix, (WIDE, y - 16), sentence, about, parts)
    return Chart(prefix, sentence, svg, heads, tuple((bar.name, *cells) for bar, cells in bars))


def _without_ties(bars: Sequence[Bar]) -> tuple[list[Bar], str]:
    """The bars to draw, and what the others are: where equal bars would be cut by chance, none of them is drawn."""
    drawn = list(bars[:MOST])
    tied = [bar for bar in bars if drawn and bar.shown == drawn[-1].shown]
    above = [bar for bar in drawn if bar.shown != drawn[-1].shown]
    if above and len(bars) > MOST and bars[MOST].shown == drawn[-1].shown:
        return above, gettext("and %(n)s more with %(figure)s each", n=len(tied), figure=tied[0].shown)
    return drawn, ""
