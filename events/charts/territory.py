"""The map of a campaign: each place's land, tinted by who holds it."""

from collections import Counter
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
    number_word,
    patterns,
    said,
    shape,
    surface,
    tag,
)
from languages.words import apart, gettext, labelled, listed, ngettext

SCALE = WIDE / 100
"""Places stand on a field 100 wide."""
TALL = 19.0
"""How high the plate of a number is."""
MOVES = [(float(dx), float(dy)) for dx in range(-24, 25, 6) for dy in range(-24, 25, 6)]
Corner = tuple[float, float]
Plate = tuple[float, float, float]
"""Its middle and its width."""


@dataclass(frozen=True)
class Land:
    """A place of the map, and the name and mark of the group that holds it, if any."""

    name: str
    x: float
    y: float
    holder: str = ""
    mark: Mark | None = None


def territory(prefix: str, lands: Sequence[Land], roads: Sequence[tuple[int, int]] = ()) -> Chart | None:
    """Land round each place, up to half way to the next; numbered as in the table, the holder's shape next to it."""
    if not lands:
        return None
    high = max(land.y for land in lands) + 8
    parts = [patterns(prefix, [land.mark for land in lands if land.mark])]
    for land in lands:
        path = "M" + "L".join(f"{compact(x * SCALE)} {compact(y * SCALE)}" for x, y in _cell(land, lands, high)) + "z"
        parts.append(surface(prefix, land.mark, path) if land.mark else tag("path", class_="land-free", d=path))
    for a, b in roads:
        ends = (f"{compact(lands[i].x * SCALE)} {compact(lands[i].y * SCALE)}" for i in (a, b))
        parts.append(tag("path", class_="road", d="M" + "L".join(ends)))
    taken: list[Plate] = []
    for number, land in enumerate(lands, 1):
        wide = 38.0 if land.mark else 23.0
        x, y = _free_spot(land, wide, high * SCALE, taken)
        taken.append((x, y, wide))
        parts.append(tag("rect", class_="plate", x=x - wide / 2, y=y - TALL / 2, width=wide, height=TALL, rx=5))
        parts += [shape(land.mark, x - 9, y, 13)] if land.mark else []
        parts.append(label(number, x + 8 if land.mark else x, y + 4.5, "t-place", "middle"))
    rows = tuple((str(number), land.name, land.holder or gettext("free")) for number, land in enumerate(lands, 1))
    sentence = territory_finding(lands)
    about = apart(labelled(f"{number} {name}", holder) for number, name, holder in rows) + "."
    svg = frame(prefix, (WIDE, high * SCALE), sentence, about, parts)
    marks = tuple(mark_badge(land.mark) if land.mark else Markup() for land in lands)
    return Chart(prefix, sentence, svg, (gettext("Number"), gettext("Place"), gettext("Held by")), rows, marks)


def _free_spot(land: Land, wide: float, bottom: float, taken: Sequence[Plate]) -> Corner:
    """Where a place's plate stands: on the place, or as near to it as others leave room."""
    rows: list[tuple[float, float, Corner]] = []
    for dx, dy in MOVES:
        x = min(max(land.x * SCALE + dx, wide / 2 + 1), WIDE - wide / 2 - 1)
        y = min(max(land.y * SCALE + dy, TALL / 2 + 1), bottom - TALL / 2 - 1)
        covered = sum(
            max(0.0, (wide + other) / 2 - abs(x - ox)) * max(0.0, TALL - abs(y - oy)) for ox, oy, other in taken
        )
        rows.append((covered, abs(dx) + abs(dy), (x, y)))
    return min(rows)[2]


def _cell(land: Land, lands: Sequence[Land], high: float) -> list[Corner]:
    """The part of the field that is nearest to this place: the field, cut half way to every other place."""
    corners: list[Corner] = [(0, 0), (100, 0), (100, high), (0, high)]
    for other in lands:
        dx, dy = other.x - land.x, other.y - land.y
        if not dx and not dy:
            continue
        limit = (other.x**2 + other.y**2 - land.x**2 - land.y**2) / 2
        kept: list[Corner] = []
        for (ax, ay), (bx, by) in zip(corners, corners[1:] + corners[:1], strict=True):
            a, b = limit - ax * dx - ay * dy, limit - bx * dx - by * dy
            kept += [(ax, ay)] if a >= 0 else []
            if a * b < 0:
                kept.append((ax + (bx - ax) * a / (a - b), ay + (by - ay) * a / (a - b)))
        corners = kept
    return corners


def territory_finding(lands: Sequence[Land]) -> str:
    held = Counter(land.holder for land in lands if land.holder)
    free = len(lands) - held.total()
    if not held:
        return ngettext("%(num)s place is free.", "All %(num)s places are free.", len(lands))
    most = max(held.values())
    first = sorted(name for name, number in held.items() if number == most)
    number = number_word(free).lower()
    rest = ngettext("%(number)s is free", "%(number)s are free", free, number=number)
    figures = {"most": most, "places": len(lands), "rest": rest}
    if len(first) > 3:
        return ngettext(
            "%(n)s groups hold %(most)s of %(places)s place each; %(rest)s.",
            "%(n)s groups hold %(most)s of %(places)s places each; %(rest)s.",
            len(lands),
            n=number_word(len(first)),
            **figures,
        )
    names = listed([said(name) for name in first])
    if len(held) == 1:
        return ngettext(
            "%(name)s holds %(most)s of %(places)s place; %(rest)s.",
            "%(name)s holds %(most)s of %(places)s places; %(rest)s.",
            len(lands),
            name=names,
            **figures,
        )
    if len(first) == 1:
        return gettext("%(name)s holds most places, %(most)s of %(places)s; %(rest)s.", name=names, **figures)
    return gettext("%(names)s hold most places, %(most)s of %(places)s each; %(rest)s.", names=names, **figures)
