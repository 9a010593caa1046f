"""Ratings with their intervals: one as a small mark, and one over time."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from markupsafe import Markup

from events.charts.drawing import WIDE, Chart, compact, frame, label, tag
from languages.words import apart, counted_points, gettext, labelled, ngettext

LEFT, RIGHT, TOP, DEEP = 14.0, 292.0, 34.0, 170.0
"""The first and last event, the highest point, and how far below it the lowest is."""


@dataclass(frozen=True)
class Step:
    """A rating after an event, and the interval in which the strength is."""

    event: str
    value: float
    low: float
    high: float

    @property
    def shown(self) -> tuple[str, str, str]:
        return str(round(self.value)), str(round(self.low)), str(round(self.high))


def interval_mark(value: float, low: float, high: float, scale: tuple[float, float]) -> Markup:
    """An interval with its rating as a small picture. All of a list are given one ``scale``, its lowest and highest."""
    least, most = scale
    x = [6 + 228 * (number - least) / (most - least) for number in (low, value, high)]
    title = tag(
        "title",
        gettext("%(value)s, between %(low)s and %(high)s", value=round(value), low=round(low), high=round(high)),
    )
    whole = tag("path", class_="axis", d="M4 12H236")
    line = tag("path", class_="interval", d=f"M{compact(x[0])} 12H{compact(x[2])}")
    dot = tag("circle", cx=x[1], cy=12, r=7)
    return tag("svg", title + whole + line + dot, class_="interval-mark", viewBox="0 0 240 24", role="img")


def rating_chart(prefix: str, steps: Sequence[Step]) -> Chart | None:
    """A rating after each event; None before the second."""
    if len(steps) < 2:
        return None
    low, high = min(step.low for step in steps), max(step.high for step in steps)
    points = [
        (LEFT + (RIGHT - LEFT) * place / (len(steps) - 1), _height(step.value, low, high))
        for place, step in enumerate(steps)
    ]
    parts = [label(gettext("Rating and 95 % interval after each event"), 4, 16, "t-soft")]
    each = 100 if high - low < 800 else 200
    for level in range(ceil(low / each) * each, int(high) + 1, each):
        y = _height(level, low, high)
        parts.append(tag("path", class_="axis", d=f"M4 {compact(y)}H{compact(RIGHT + 10)}"))
        parts.append(label(level, RIGHT + 14, y + 4.5, "t-soft"))
    for (x, _), step in zip(points, steps, strict=True):
        ends = (_height(end, low, high) for end in (step.high, step.low))
        parts.append(tag("path", class_="interval", d=f"M{compact(x)} {'V'.join(map(compact, ends))}"))
    parts.append(tag("path", class_="spark", d="M" + "L".join(f"{compact(x)} {compact(y)}" for x, y in points)))
    parts += [tag("circle", class_="spark-end", cx=x, cy=y, r=4) for x, y in points]
    sentence = rating_finding(steps)
    about = apart(labelled(step.event, step.shown[0]) for step in steps) + "."
    svg = frame(prefix, (WIDE, TOP + DEEP + 12), sentence, about, parts)
    rows = tuple((step.event, *step.shown) for step in steps)
    return Chart(prefix, sentence, svg, (gettext("Event"), gettext("Rating"), gettext("Low"), gettext("High")), rows)


def _height(value: float, low: float, high: float) -> float:
    return TOP + DEEP * (high - value) / (high - low)


def rating_finding(steps: Sequence[Step]) -> str:
    now, moved = round(steps[-1].value), round(steps[-1].value) - round(steps[0].value)
    points = counted_points(now)
    if not moved:
        return ngettext(
            "%(points)s after %(num)s event.",
            "%(points)s after %(num)s events, the same as after the first.",
            len(steps),
            points=points,
        )
    if moved > 0:
        return ngettext(
            "%(points)s after %(num)s event, %(moved)s more than after the first.",
            "%(points)s after %(num)s events, %(moved)s more than after the first.",
            len(steps),
            points=points,
            moved=moved,
        )
    return ngettext(
        "%(points)s after %(num)s event, %(moved)s less than after the first.",
        "%(points)s after %(num)s events, %(moved)s less than after the first.",
        len(steps),
        points=points,
        moved=-moved,
    )
