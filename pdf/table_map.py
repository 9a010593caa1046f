"""The table drawn to scale: deployment strips, markers, inches along two edges, the game's rulers along the others."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from reportlab.lib.colors import Color, HexColor
from reportlab.pdfgen.canvas import Canvas

from pdf.flow import Drawing
from pdf.fonts import draw_text, fit, text_width
from pdf.page import GREY, HAIR, INK, LINE, PAPER
from pdf.tags import part

Owner = Literal["a", "b"]
SIDE_ROOM, END_ROOM = 18.0, 15.0
"""Points at the left of the drawn table, and below it, that the inches take."""
MARKER_RADIUS = 7.5
LABEL = 7.0
"""Size of the type on the table."""
LABEL_AWAY = 14.0
"""From the middle of a marker to the middle of its label, and the height that both may take."""
INSIDE = 2
"""The most characters of a label inside its marker; longer labels are printed next to it."""
_STEP, _WIDE_STEP, _WIDE = 6, 12, 48
LANE = 13.5
"""Points that one lane of rulers takes, its names included."""
STICK, NAME = 3.4, 7.5
"""Width of a ruler in points, and size of a name that stands upright."""
Point = tuple[float, float]
Box = tuple[float, float, float, float]
"""Left, bottom, right, top."""


@dataclass(frozen=True)
class MapMarker:
    """A marker: inches from the left end of player A's edge and from that edge; its name; its owner."""

    x: float
    y: float
    label: str = ""
    owner: Owner | None = None


@dataclass(frozen=True)
class MapMeasure:
    """A distance in inches along a side of the table, from a corner to a row of markers, and what it is called.

    ``lane`` 0 is next to the table. ``parts`` are pieces of ruler: from, to, colour ("#RRGGBB").
    """

    start: float
    end: float
    lane: int
    label: str
    parts: tuple[tuple[float, float, str], ...] = ()


@dataclass(frozen=True)
class TableMap:
    """A square table, with what is measured ``across`` (above it) and ``up`` (at its right)."""

    inches: int
    deployment: int
    markers: tuple[MapMarker, ...]
    across: tuple[MapMeasure, ...] = ()
    up: tuple[MapMeasure, ...] = ()
    depth: str = ""
    """The depth of deployment in words; made of the inches if empty."""
    depth_colour: str = ""
    """Of its ruler; grey if empty."""


def map_rooms(table: TableMap) -> tuple[float, float]:
    """Points above the drawn table and at its right that the rulers take."""
    return _lanes_room(table.across), _lanes_room(table.up)


def map_words(table: TableMap, spots: Sequence["ScenerySpot"] = ()) -> str:
    """What the drawn table shows, for those who hear it."""
    marks = [f"{marker.label or 'marker'} at {marker.x:g} and {marker.y:g}" for marker in table.markers]
    marks += [f"scenery {number} at {spot.x:g} and {spot.y:g}" for number, spot in enumerate(spots, 1)]
    depth = f", deployment within {table.deployment} inches of both" if table.deployment else ""
    listed = f". In inches from its left corner: {'; '.join(marks)}" if marks else ""
    return f"Map of the table, {table.inches} inches a side, player A's edge below{depth}{listed}."


def inches_text(value: float) -> str:
    """18.0 as "18″"."""
    return f"{value:g}″"


@dataclass(frozen=True)
class ScenerySpot:
    """A piece of scenery: inches of its middle from player A's left corner, and whether it is drawn dark."""

    x: float
    y: float
    dark: bool


@dataclass(frozen=True)
class _Label:
    """Words on the table: their lines, the middle of the first one's baseline, and their box."""

    lines: tuple[str, ...]
    x: float
    y: float
    box: Box


def _strips(canvas: Canvas, table: TableMap, x: float, y: float, size: float, labels: Sequence[Box]) -> None:
    """Each player's strip in a wash of the ruler's colour, its inner line a ruler laid along; the grid between."""
    depth = table.deployment * size / table.inches
    colour = HexColor(table.depth_colour) if table.depth_colour else None
    canvas.setFillColor(_wash(colour) if colour else Color(0.9, 0.9, 0.9))
    for bottom in (y, y + size - depth) if depth > 0 else ():
        canvas.rect(x, bottom, size, depth, stroke=0, fill=1)
    canvas.setFillGray(INK)
    _grid(canvas, table, x, y, size, labels)
    laid = ((0.0, 1.0, table.depth_colour),) if colour else ()
    for inner in (y + depth, y + size - depth) if depth > 0 else ():
        _stick(canvas, (x, inner), (x + size, inner), laid, width=2.2)


def _wash(colour: Color) -> Color:
    """A light wash that still differs from paper on a printer without colours."""
    return Color(*(1 - 0.24 * (1 - part) for part in (colour.red, colour.green, colour.blue)))


def _free(box: Box, taken: Sequence[Box]) -> bool:
    return all(box[2] <= one[0] or one[2] <= box[0] or box[3] <= one[1] or one[3] <= box[1] for one in taken)


def _labels(table: TableMap, x: float, y: float, size: float, spots: Sequence[Box]) -> list[_Label]:
    """A place for each label, over no marker, no piece of scenery and no other label; none where there is no such."""
    scale, reach = size / table.inches, MARKER_RADIUS + 1.5
    taken, depth = [*spots], table.deployment * scale
    for inner in (y + depth, y + size - depth) if depth > 0 else ():
        taken.append((x, inner - 2.5, x + size, inner + 2.5))
    for marker in table.markers:
        at, up = x + marker.x * scale, y + marker.y * scale
        taken.append((at - reach, up - reach, at + reach, up + reach))
    labels: list[_Label] = []
    for marker in _labelled(table):
        if len(marker.label) > INSIDE:
            towards = marker.y < table.inches / 2
            places = [_next_to(table, marker, x, y, scale, above=above) for above in (towards, not towards)]
            found = [
                one for one in places if y + 2 < one.box[1] and one.box[3] < y + size - 2 and _free(one.box, taken)
            ][:1]
            labels += found
            taken += [label.box for label in found]
    for side in ("A", "B") if table.deployment * scale >= LABEL + 5 else ():
        strip = _strip_label(table, x, y, size, side, taken)
        labels += [strip] if strip else []
    return labels


def _inside(marker: MapMarker) -> str:
    """What stands inside a marker: its label, the number at its end ("Line 5"), or its owner."""
    number = marker.label.rpartition(" ")[2]
    if len(marker.label) <= INSIDE:
        return marker.label
    return number if number.isdecimal() and len(number) <= INSIDE else (marker.owner or "").upper()


def _labelled(table: TableMap) -> list[MapMarker]:
    """The markers that a label stands next to: of a row of like ones the middle one, none with a number inside."""
    rows: dict[tuple[float, str, Owner | None], list[MapMarker]] = {}
    for marker in table.markers:
        if not _inside(marker).isdecimal():
            rows.setdefault((marker.y, marker.label, marker.owner), []).append(marker)
    return [sorted(row, key=lambda one: one.x)[len(row) // 2] for row in rows.values()]


def _next_to(table: TableMap, marker: MapMarker, x: float, y: float, scale: float, *, above: bool) -> _Label:
    """A marker's label above or below it."""
    words = max(text_width(word, LABEL, bold=True) for word in marker.label.split() or [""])
    room = max(words + 0.1, _room(table, marker, scale, above=above))
    fitted = fit(marker.label, LABEL, room, bold=True, min_size=LABEL, max_lines=3)
    width = max(text_width(line, LABEL, bold=True) for line in fitted.lines)
    height = LABEL * len(fitted.lines)
    side = table.inches * scale
    at, up = x + marker.x * scale, y + marker.y * scale
    at = min(max(at, x + width / 2 + 3), x + side - width / 2 - 3)
    bottom = up + MARKER_RADIUS + 2.5 if above else up - MARKER_RADIUS - 2.5 - height
    box = (at - width / 2 - 1, bottom - 1, at + width / 2 + 1, bottom + height)
    return _Label(fitted.lines, at, bottom + height - LABEL * 0.85, box)


def _strip_label(table: TableMap, x: float, y: float, size: float, side: str, taken: Sequence[Box]) -> _Label | None:
    """Who deploys in a strip, close to the own edge, for markers can stand on the inner line; None without room."""
    deep = table.depth or inches_text(table.deployment)
    base = y + 4.0 if side == "A" else y + size - 8.5
    short = f"{side} deploys within {deep}"
    for words in (f"{short} of this edge", short, f"{side}: within {deep}", f"{side}: {inches_text(table.deployment)}"):
        half = text_width(words, LABEL, bold=True) / 2
        for step in range(48):  # the middle first, then ever farther from it
            at = x + size / 2 + (step // 2) * (1 if step % 2 else -1) * size / 48
            box = (at - half - 3, base - 2, at + half + 3, base + LABEL - 1)
            if x + 2 < box[0] and box[2] < x + size - 2 and _free(box, taken):
                return _Label((words,), at, base, box)
    return None


def _spot(canvas: Canvas, box: Box, place: int, *, dark: bool) -> None:
    """A square that blocks the sight is grey, a disc that gives cover is white: distinguishable without colour."""
    x, y, half = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2, (box[2] - box[0]) / 2
    canvas.setLineWidth(LINE)
    canvas.setStrokeGray(INK)
    canvas.setFillGray(GREY if dark else PAPER)
    if dark:
        canvas.rect(x - half, y - half, 2 * half, 2 * half, stroke=1, fill=1)
    else:
        canvas.circle(x, y, half, stroke=1, fill=1)
    canvas.setFillGray(INK)
    draw_text(canvas, x, y - 3.4, str(place), 10, bold=True, max_width=2 * half - 2, min_size=7, align="centre")


def _marker(canvas: Canvas, cx: float, cy: float, marker: MapMarker) -> None:
    """A square with the owner's letter, black for A and white for B, or a disc: distinct without colour."""
    side = MARKER_RADIUS * 1.75
    canvas.setFillGray(PAPER)
    canvas.setStrokeGray(INK)
    canvas.setLineWidth(1.6)
    if marker.owner is None:
        canvas.circle(cx, cy, MARKER_RADIUS + 1.5, stroke=0, fill=1)
        canvas.circle(cx, cy, MARKER_RADIUS - 0.9, stroke=1, fill=1)
    else:
        canvas.rect(cx - side / 2 - 2, cy - side / 2 - 2, side + 4, side + 4, stroke=0, fill=1)
        canvas.setFillGray(INK if marker.owner == "a" else PAPER)
        canvas.rect(cx - side / 2, cy - side / 2, side, side, stroke=1, fill=1)
    inside = _inside(marker)
    canvas.setFillGray(PAPER if marker.owner == "a" else INK)
    if inside:
        most = MARKER_RADIUS * 1.55
        draw_text(canvas, cx, cy - 3, inside, 8.5, bold=True, max_width=most, min_size=7, align="centre")
    else:
        canvas.circle(cx, cy, 2, stroke=0, fill=1)
    canvas.setFillGray(INK)


def _room(table: TableMap, marker: MapMarker, scale: float, *, above: bool) -> float:
    """Points free for a label: to the next marker of its row or of another row, or to the table's edge."""
    at = marker.y + (LABEL_AWAY if above else -LABEL_AWAY) / scale
    row = marker.y, marker.label  # which has one label
    others = [m for m in table.markers if m is not marker and (m.y, m.label) != row]
    gaps = [abs(m.x - marker.x) * scale for m in others if m.y == marker.y and m.x != marker.x]
    near = [m for m in others if m.y != marker.y and abs(m.y - at) * scale < LABEL_AWAY]
    gaps += [2 * (abs(m.x - marker.x) * scale - MARKER_RADIUS - 1) for m in near]
    return min([*gaps, 2 * marker.x * scale, 2 * (table.inches - marker.x) * scale]) - 3


def _scale(canvas: Canvas, table: TableMap, x: float, y: float, size: float) -> None:
    """Every inch along A's edge and the left side; every sixth with its number."""
    scale = size / table.inches
    step = _STEP if table.inches <= _WIDE else _WIDE_STEP
    canvas.setStrokeGray(INK)
    for inch in range(table.inches + 1):
        numbered = inch % step == 0
        length, at = 4.0 if numbered else 2.0, inch * scale
        canvas.setLineWidth(LINE if numbered else HAIR)
        canvas.line(x + at, y, x + at, y - length)
        canvas.line(x, y + at, x - length, y + at)
        if numbered:
            draw_text(canvas, x + at, y - 11.5, str(inch), 7.5, align="centre")
            draw_text(canvas, x - 6, y + at - 2.6, str(inch), 7.5, align="right")


def _grid(canvas: Canvas, table: TableMap, x: float, y: float, size: float, labels: Sequence[Box]) -> None:
    """Thin lines every sixth inch, so that any place can be read off; they leave out the labels."""
    scale = size / table.inches
    canvas.setStrokeGray(0.75)
    canvas.setLineWidth(HAIR)
    for inch in range(_STEP, table.inches, _STEP):
        _broken(canvas, (x + inch * scale, y), (x + inch * scale, y + size), labels)
        _broken(canvas, (x, y + inch * scale), (x + size, y + inch * scale), labels)
    canvas.setStrokeGray(INK)
    _broken(canvas, (x, y + size / 2), (x + size, y + size / 2), labels)


def draw_map(
    canvas: Canvas, x: float, y: float, size: float, table: TableMap, spots: Sequence[ScenerySpot] = (),
    across: float = 0.0
) -> None:  # fmt: skip
    """Draw the table as a square of ``size`` points, lower left corner at x, y, A's edge at the bottom.

    The inches stand outside the square, within `SIDE_ROOM` and `END_ROOM` points; the rulers within `map_rooms`.
    ``spots`` are pieces of scenery, numbered, each ``across`` inches wide.
    """
    scale, half = size / table.inches, across * size / table.inches / 2
    boxes = [
        (x + s.x * scale - half, y + s.y * scale - half, x + s.x * scale + half, y + s.y * scale + half) for s in spots
    ]
    labels = _labels(table, x, y, size, boxes)
    kept = [label.box for label in labels]
    _strips(canvas, table, x, y, size, kept)
    _scale(canvas, table, x, y, size)
    _measures(canvas, x, y, size, table.inches, table.across, table.up, [(m.x, m.y) for m in table.markers], kept)
    canvas.setLineWidth(1.6)
    canvas.rect(x, y, size, size, stroke=1, fill=0)
    for place, (spot, box) in enumerate(zip(spots, boxes, strict=True), 1):
        _spot(canvas, box, place, dark=spot.dark)
    for label in labels:
        for place, line in enumerate(label.lines):
            draw_text(canvas, label.x, label.y - place * LABEL, line, LABEL, bold=True, align="centre")
    for marker in table.markers:
        _marker(canvas, x + marker.x * scale, y + marker.y * scale, marker)


EDGE_NAME = 13.0
"""Height of a player's name at the table's edge."""


def map_block(
    table: TableMap, side: float, spots: Sequence[ScenerySpot] = (), across: float = 0.0,
    a: str = "Player A", b: str = "Player B"
) -> Drawing:  # fmt: skip
    """The drawn table of this side in the middle of a column, with the players at their edges."""
    above, aside = map_rooms(table)

    def draw(canvas: Canvas, x: float, top: float, width: float) -> None:
        left, bottom = x + SIDE_ROOM + (width - SIDE_ROOM - aside - side) / 2, top - EDGE_NAME - above - side
        middle = left + side / 2
        draw_text(canvas, middle, top - 9, b, 9, bold=True, max_width=side, min_size=7, align="centre")
        with part(canvas, "Figure", alt=map_words(table, spots)):
            draw_map(canvas, left, bottom, side, table, spots, across)
        draw_text(canvas, middle, bottom - END_ROOM - 9, a, 9, bold=True, max_width=side, min_size=7, align="centre")

    return Drawing(EDGE_NAME + above + side + END_ROOM + EDGE_NAME, draw, before=8)


def _lanes_room(measures: tuple[MapMeasure, ...]) -> float:
    """Width in points of these measures next to the table."""
    return max((measure.lane + 1 for measure in measures), default=0) * LANE + 5


def _stick(
    canvas: Canvas, start: Point, end: Point, parts: tuple[tuple[float, float, str], ...], width: float = STICK
) -> None:
    """A ruler from point to point: its pieces, as shares of the length, in a casing of ink; without any, a line."""
    canvas.setStrokeGray(INK)
    canvas.setLineWidth(width if parts else LINE)
    canvas.line(*start, *end)
    for first, last, colour in parts:
        canvas.setStrokeColor(HexColor(colour))
        canvas.setLineWidth(width - 1.2)
        at = [[a + (b - a) * share for a, b in zip(start, end, strict=True)] for share in (first, last)]
        canvas.line(*at[0], *at[1])
    canvas.setStrokeGray(INK)


def _broken(canvas: Canvas, start: Point, end: Point, boxes: Sequence[Box]) -> None:
    """An upright or level line, from left to right or upwards, that leaves out these boxes."""
    level = start[1] == end[1]
    along, upright = (0, 1) if level else (1, 0)
    at, place = start[along], start[upright]
    over = sorted((box[along], box[along + 2]) for box in boxes if box[upright] < place < box[upright + 2])
    for low, high in [*over, (end[along], end[along])]:
        stop = min(low, end[along])
        if stop > at:
            canvas.line(*((at, place, stop, place) if level else (place, at, place, stop)))
        at = max(at, high)


def _measures(
    canvas: Canvas,
    x: float,
    y: float,
    size: float,
    inches: int,
    across: tuple[MapMeasure, ...],
    up: tuple[MapMeasure, ...],
    markers: Sequence[Point],
    labels: Sequence[Box],
) -> None:
    """Rulers above a table and at its right, each with a dotted guide to the ``markers`` that it leads to.

    The table is a square of ``size`` points that stands for ``inches``, its lower left corner at x, y. The guides leave
    out the ``labels``.
    """
    scale, far = size / inches, x + size
    for upright, measures in ((False, across), (True, up)):
        for measure in measures:
            away = measure.lane * LANE + 7
            length = measure.end - measure.start
            parts = tuple(
                ((a - measure.start) / length, (b - measure.start) / length, colour) for a, b, colour in measure.parts
            )
            inch = measure.end if measure.start == 0 else measure.start
            row, start, end = inch * scale, measure.start * scale, measure.end * scale
            led = min((m[not upright] for m in markers if m[upright] == inch), default=inches) * scale
            canvas.setLineWidth(HAIR)
            canvas.setDash(1, 2.5)
            if upright:
                _broken(canvas, (x + led, y + row), (far + away, y + row), labels)
            else:
                _broken(canvas, (x + row, y + led), (x + row, y + size + away), labels)
            canvas.setDash()
            canvas.saveState()
            if upright:
                canvas.translate(far + away, y + (start + end) / 2)
                canvas.rotate(-90)
            else:
                canvas.translate(x + (start + end) / 2, y + size + away)
            half = (end - start) / 2
            # Turned to the right, the corner at A's edge is on the other side.
            points = ((half, 0.0), (-half, 0.0)) if upright else ((-half, 0.0), (half, 0.0))
            _stick(canvas, *points, parts)
            short = upright and text_width(measure.label, NAME, bold=True) < LANE
            if not short:
                draw_text(canvas, 0, STICK / 2 + 1.2, measure.label, 7, bold=True, align="centre")
            canvas.restoreState()
            if short:  # it is read without turning the sheet, over a gap of its ruler
                at = far + away + LANE / 2 - STICK
                canvas.setFillGray(PAPER)
                canvas.rect(far + away - STICK, y + (start + end) / 2 - NAME / 2 - 1, LANE, NAME + 2, stroke=0, fill=1)
                canvas.setFillGray(INK)
                draw_text(
                    canvas, at, y + (start + end) / 2 - NAME * 0.36, measure.label, NAME, bold=True, align="centre"
                )
