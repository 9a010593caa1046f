"""Lines over rounds or weeks: how one is drawn and named, points by week, and the small line of a rating."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from markupsafe import Markup

from events.charts.drawing import (
    WIDE,
    Chart,
    compact,
    figure_words,
    fitted,
    frame,
    label,
    said,
    tag,
    text_width,
)
from languages.words import counted_points, gettext, labelled, listed, ngettext

LEFT, RIGHT, NAMES, TOP = 26.0, 214.0, 236.0, 58.0
"""The first and last column, where names start, and the highest point."""
HUES = (1, 3, 2)
"""Of the picked lines; each also has its own stroke."""
MOST = 12


@dataclass(frozen=True)
class ChartLine:
    """A player's figure after each round or week; None before entry and after leaving."""

    name: str
    values: tuple[float | None, ...]
    hue: int | None = None
    """The hue if it is picked; None for one by its place."""

    @property
    def last(self) -> float | None:
        return self.values[-1]

    @property
    def shown(self) -> tuple[str, ...]:
        return tuple("" if value is None else figure_words(value) for value in self.values)


def across(column: int, columns: int) -> float:
    return LEFT + (RIGHT - LEFT) * column / max(1, columns - 1)


def grid(columns: int, bottom: float, heading: str) -> list[Markup]:
    """The heading, and a thin line for each column under its number."""
    parts = [label(heading, 4, 16, "t-soft")]
    for column in range(0, columns, -(-columns // 12)):
        x = across(column, columns)
        parts.append(tag("path", class_="axis", d=f"M{compact(x)} {compact(TOP - 18)}V{compact(bottom + 10)}"))
        parts.append(label(column + 1, x, TOP - 24, "t-soft", "middle"))
    return parts


def drawn(line: ChartLine, heights: Mapping[int, float], place: int | None, end: float) -> list[Markup]:
    """One line, its last figure and its name at ``end``, which dots reach from afar; ``place`` is among the picked."""
    css, parts = "" if place is None else f" hi g{line.hue or HUES[place]} p{place + 1}", []
    points = [(across(column, len(line.values)), y) for column, y in sorted(heights.items())]
    if points:
        bends = (
            f"C{(a + c) / 2:.1f} {b:.1f} {(a + c) / 2:.1f} {d:.1f} {c:.1f} {d:.1f}"
            for (a, b), (c, d) in pairwise(points)
        )
        (x, y), (start, level) = points[-1], points[0]
        parts.append(tag("path", class_=f"bump{css}", d=f"M{compact(start)} {compact(level)}{''.join(bends)}"))
        parts.append(tag("circle", class_=f"bump-dot{css}", cx=x, cy=y, r=4))
        if x < RIGHT or abs(end - y) > 2:
            leader = f"M{compact(x + 6)} {compact(y)}L{compact(NAMES - 4)} {compact(end)}"
            parts.append(tag("path", class_="leader", d=leader))
    last = line.shown[-1] or "–"
    words = f"{last} {said(fitted(line.name, WIDE - NAMES - 2 - text_width(f'{last} ')))}"
    return [*parts, label(words, NAMES, end + 4.5, "bump-name" + (" hi" if css else ""))]


def spread(heights: Mapping[int, float], gap: float) -> dict[int, float]:
    """Heights moved down where two are nearer than ``gap``."""
    free, numbers = 0.0, {}
    for i, y in sorted(heights.items(), key=lambda row: row[1]):
        numbers[i] = max(y, free)
        free = numbers[i] + gap
    return numbers


def points_chart(prefix: str, lines: Sequence[ChartLine], *, by_week: bool = True) -> Chart | None:
    """Points over the weeks of a season, the first three picked; None before the second week and without points.

    ``lines`` are in the order of the standings, which decides between equal points.
    """
    most = max((value for line in lines for value in line.values if value), default=0)
    if not most or most < 0 or len(lines[0].values) < 2:
        return None
    end = sorted(lines, key=lambda line: -(line.last if line.last is not None else -1))
    columns, deep = len(lines[0].values), max(140.0, 20.0 * min(MOST, len(lines)))
    tall = [
        {
            column: TOP + deep * (1 - max(0, value) / most)
            for column, value in enumerate(line.values)
            if value is not None
        }
        for line in end[:MOST]
    ]
    ends = spread({i: heights.get(columns - 1, TOP + deep) for i, heights in enumerate(tall)}, 19)
    parts = grid(columns, TOP + deep, gettext("Points by week") if by_week else gettext("Points by round"))
    for i in reversed(range(len(tall))):
        parts += drawn(end[i], tall[i], i if i < len(HUES) else None, ends[i])
    about = " ".join(labelled(line.name, f"{', '.join(line.shown)}.") for line in end[:3])
    sentence = points_finding(lines)
    svg = frame(prefix, (WIDE, max(TOP + deep, *ends.values()) + 18), sentence, about, parts)
    heads = (gettext("Player"), *(_head(column + 1, by_week=by_week) for column in range(columns)))
    return Chart(prefix, sentence, svg, heads, tuple((line.name, *line.shown) for line in end))


def _head(number: int, *, by_week: bool) -> str:
    return gettext("Week %(number)s", number=number) if by_week else gettext("Round %(number)s", number=number)


def points_finding(lines: Iterable[ChartLine]) -> str:
    ranked = sorted(((line.last, line.name) for line in lines if line.last is not None), reverse=True)
    first = [name for value, name in ranked if value == ranked[0][0]]
    if len(first) > 3:
        return ngettext(
            "%(num)s player leads with %(points)s.",
            "%(num)s players lead with %(points)s each.",
            len(first),
            points=counted_points(round(ranked[0][0], 1)),
        )
    if not ranked:
        return gettext("Nobody is left.")
    names, points = listed([said(name) for name in sorted(first)]), counted_points(round(ranked[0][0], 1))
    if len(first) > 1:
        return gettext("%(names)s lead with %(points)s each.", names=names, points=points)
    if len(ranked) < 2:
        return gettext("%(name)s has %(points)s.", name=names, points=points)
    ahead = figure_words(ranked[0][0] - ranked[1][0])
    return gettext(
        "%(name)s leads with %(points)s, %(ahead)s more than the next.", name=names, points=points, ahead=ahead
    )


def sparkline(name: str, values: Sequence[float], low: float, high: float) -> Markup:
    """A rating over time as a small line. All lines of a list are given one scale, from ``low`` to ``high``."""
    rise = 24 / (high - low) if high > low else 0
    points = [(4 + 104 * i / max(1, len(values) - 1), 28 - (value - low) * rise) for i, value in enumerate(values)]
    if not points:
        return Markup()
    path = "L".join(f"{compact(x)} {compact(y)}" for x, y in points)
    title = tag("title", labelled(name, ", ".join(map(figure_words, values))))
    dot = tag("circle", class_="spark-end", cx=points[-1][0], cy=points[-1][1], r=4)
    return tag("svg", title + tag("path", class_="spark", d=f"M{path}") + dot,
               class_="sparkline", viewBox="0 0 112 32", role="img")  # fmt: skip
