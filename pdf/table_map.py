"""The table drawn to scale: deployment strips, markers, inches along two edges, the game's rulers along the others."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Literal

from reportlab.lib.colors import Color, HexColor
from reportlab.pdfgen.canvas import Canvas

from pdf.flow import Drawing
from pdf.fonts import Fitted, draw_fitted, draw_text, fit, text_width
from pdf.page import GREY, HAIR, INK, LINE, PAPER, block, box, rule
from pdf.tags import part

Owner = Literal["a", "b"]
SIDE_ROOM, END_ROOM = 18.0, 15.0
"""Points at the left of the drawn table, and below it, that the inches take."""
MARKER_RADIUS = 7.5
LARGE, LABELS = 185.0, (9.0, 7.0)
"""Side of a large map in points, and the size of the type on it and on a smaller one."""
LABEL_AWAY = 14.0
"""From the middle of a marker to the middle of its label, and the height that both may take."""
INSIDE = 2
"""The most characters of a label inside its marker; longer labels are printed next to it."""
STEP, WIDE_STEP, WIDE = 6, 12, 48
"""Inches between two numbers at the edge: usually, and on a table wider than ``WIDE`` inches."""
LANE = 14.0
"""Points that one lane of rulers takes, its names included."""
STICK = 3.4
"""Width of a ruler in points."""
BAR, ARROW = 0.45, 3.0
"""How deep a bar is at least, as a share of its length; half the width of an arrow's head, in points."""
Point = tuple[float, float]
Box = tuple[float, float, float, float]
"""Left, bottom, right, top."""


@dataclass(frozen=True)
class MapMarker:
    """A marker: inches from the left end of player A's edge and from that edge; its name; its owner.

    What it names is placed up to ``within`` inches from it; 0: at it.
    """

    x: float
    y: float
    label: str = ""
    owner: Owner | None = None
    within: float = 0.0

    @property
    def words(self) -> str:
        """Its name, and that the circle around it is meant."""
        return f"{self.label} in the circle" if self.within else self.label


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
    led: bool = False
    """Whether arrows lead to the markers from the nearer of the edges of A and B."""
    example: bool = False
    """Whether players place the markers: they are here to show how."""


def map_rooms(table: TableMap) -> tuple[float, float]:
    """Points above the drawn table and at its right that the rulers take."""
    above, aside = (max((one.lane + 1 for one in lanes), default=0) * LANE + 5 for lanes in (table.across, table.up))
    return above, aside


def map_words(table: TableMap, spots: Sequence["ScenerySpot"] = ()) -> str:
    """What the drawn table shows, for those who hear it."""
    marks = [
        f"{one.label or 'marker'}{f' within {one.within:g}″' if one.within else ''} at {one.x:g} and {one.y:g}"
        for one in table.markers
    ]
    marks += [f"{one.name or 'scenery'} {number} at {one.x:g} and {one.y:g}" for number, one in enumerate(spots, 1)]
    depth = f", deployment within {table.deployment} inches of both" if table.deployment else ""
    listed = f". In inches from its left corner: {'; '.join(marks)}" if marks else ""
    return f"Map of the table, {table.inches} inches a side, player A's edge below{depth}{listed}."


def inches_text(value: float) -> str:
    """18.0 as "18″"."""
    return f"{value:g}″"


@dataclass(frozen=True)
class ScenerySpot:
    """A piece of scenery: inches of its middle from player A's left corner, its shape, what it is."""

    x: float
    y: float
    shape: str
    name: str = ""


@dataclass(frozen=True)
class _Label:
    """Words on the table: the middle of the first one's baseline, and their box."""

    text: Fitted
    x: float
    y: float
    box: Box


def draw_map(
    canvas: Canvas, x: float, y: float, size: float, table: TableMap, spots: Sequence[ScenerySpot] = (),
    across: float = 0.0
) -> None:  # fmt: skip
    """Draw the table as a square of ``size`` points, lower left corner at x, y, A's edge at the bottom.

    The inches stand outside the square, within `SIDE_ROOM` and `END_ROOM` points; the rulers within `map_rooms`.
    ``spots`` are pieces of scenery, numbered, each ``across`` inches wide.
    """
    scale = size / table.inches
    boxes = [_around(spot.x * scale, spot.y * scale, across * scale / 2) for spot in spots]
    taken = [*boxes, *(_around(one.x * scale, one.y * scale, MARKER_RADIUS + 1.5) for one in table.markers)]
    labels = _labels(table, size, taken)
    arrows = _arrows(table, size, [*taken, *(label.box for label in labels)])
    labels += [label for *_, label in arrows]
    kept = [label.box for label in labels]
    canvas.saveState()
    canvas.translate(x, y)
    _ground(canvas, table, size, kept)
    _scale(canvas, table, size)
    _measures(canvas, table, size, kept)
    box(canvas, 0, 0, size, size, 1.6)
    for at, low, high, _ in arrows:
        rule(canvas, at, low, at, high, LINE)
        for end, back in ((low, ARROW), (high, -ARROW)):
            rule(canvas, at, end, at - ARROW, end + back, LINE)
            rule(canvas, at, end, at + ARROW, end + back, LINE)
    for place, (spot, around) in enumerate(zip(spots, boxes, strict=True), 1):
        _spot(canvas, around, place, spot.shape)
    for label in labels:
        draw_fitted(canvas, label.x, label.y, label.text, "centre")
    for marker in table.markers:
        _marker(canvas, marker.x * scale, marker.y * scale, marker)
    canvas.restoreState()


def _around(x: float, y: float, half: float) -> Box:
    return x - half, y - half, x + half, y + half


def _ground(canvas: Canvas, table: TableMap, size: float, labels: Sequence[Box]) -> None:
    """Each player's strip in a wash of the ruler's colour, its inner line a ruler laid along; between them thin lines
    every sixth inch, so that any place can be read off. They leave out the labels.
    """
    scale, depth = size / table.inches, table.deployment * size / table.inches
    colour = HexColor(table.depth_colour) if table.depth_colour else None
    # A light wash that still differs from paper on a printer without colours.
    canvas.setFillColor(Color(*(1 - 0.24 * (1 - part) for part in colour.rgb())) if colour else Color(0.9, 0.9, 0.9))
    for bottom in (0.0, size - depth) if depth > 0 else ():
        canvas.rect(0, bottom, size, depth, stroke=0, fill=1)
    canvas.setFillGray(INK)
    canvas.setStrokeGray(0.75)
    canvas.setLineWidth(HAIR)
    for inch in range(STEP, table.inches, STEP):
        _broken(canvas, (inch * scale, 0), (inch * scale, size), labels)
        _broken(canvas, (0, inch * scale), (size, inch * scale), labels)
    canvas.setStrokeGray(INK)
    _broken(canvas, (0, size / 2), (size, size / 2), labels)
    laid = ((0.0, 1.0, table.depth_colour),) if colour else ()
    for inner in (depth, size - depth) if depth > 0 else ():
        _stick(canvas, 0, size, inner, laid, 2.2)
    canvas.setLineWidth(LINE)
    canvas.setDash(4, 3)
    for marker in table.markers:
        if marker.within:
            canvas.circle(marker.x * scale, marker.y * scale, marker.within * scale, stroke=1, fill=0)
    canvas.setDash()


def _free(box: Box, taken: Sequence[Box]) -> bool:
    return all(box[2] <= one[0] or one[2] <= box[0] or box[3] <= one[1] or one[3] <= box[1] for one in taken)


def _labels(table: TableMap, size: float, shown: Sequence[Box]) -> list[_Label]:
    """A place for each label, over nothing that is ``shown`` and no other label; none where there is no such.

    A marker with a number inside needs none.
    """
    depth, letters = table.deployment * size / table.inches, _letters(size)
    inner = (depth, size - depth) if depth > 0 else ()
    taken = [*shown, *((0.0, y - 2.5, size, y + 2.5) for y in inner)]
    labels: list[_Label] = []
    rows, said = Counter((marker.words, marker.y) for marker in table.markers), set[tuple[str, float]]()
    for marker in sorted(table.markers, key=lambda m: abs(m.x - table.inches / 2)):
        row = marker.words, marker.y
        if rows[row] > 2:  # one label says it of all
            marker = replace(marker, label=f"{rows[row]} × {marker.label}")
        if row not in said and len(marker.label) > INSIDE and not _inside(marker).isdecimal():
            towards = marker.y < table.inches / 2
            ways = product((0.0, 0.6, 0.01), (towards, not towards))
            places = [_next_to(table, marker, size, narrow, above=above) for narrow, above in ways]
            inside = [one for one in places if one.box[1] > 2 and one.box[3] < size - 2 and _free(one.box, taken)]
            labels += inside[:1]
            taken += [label.box for label in inside[:1]]
            said |= {row} if inside and rows[row] > 2 else set()
    for side in ("A", "B") if depth >= letters + 5 else ():
        labels += _strip_label(table, size, side, taken)
    return labels


def _letters(size: float) -> float:
    """Size of the type on a map of this side."""
    return LABELS[size < LARGE]


def _arrows(table: TableMap, size: float, taken: Sequence[Box]) -> list[tuple[float, float, float, _Label]]:
    """What is measured up the table: each strip and what is between them, or else from one player's marker to the
    other's, and to each that is ``led`` to. Where it is, from and to, and its inches; at the first place from the left
    that is free.
    """
    inches, deep, letters = float(table.inches), float(table.deployment), _letters(size)
    scale, places = size / inches, [size * place / 24 for place in range(1, 20)]
    owned = sorted((one.y, one.x) for one in table.markers if one.owner)
    ends = [(start, end, places) for start, end in ((0.0, deep), (deep, inches - deep), (inches - deep, inches))]
    if not deep:
        aligned = len(owned) == 2 and owned[0][1] == owned[1][1]
        ends = [(owned[0][0], owned[1][0], places)] if aligned else []
    for one in table.markers if table.led else ():
        ends.append((one.y, inches, [one.x * scale]) if 2 * one.y > inches else (0.0, one.y, [one.x * scale]))
    found = list[tuple[float, float, float, _Label]]()
    for start, end, where in ends:
        text = Fitted((inches_text(end - start),), letters, bold=True)
        low, high, middle = start * scale + 2, end * scale - 2, (start + end) * scale / 2
        if len(where) == 1:  # at a marker, up to its rim
            low, high = low + (MARKER_RADIUS if start else 0.0), high - (0.0 if start else MARKER_RADIUS)
            middle = (low + high) / 2
        for at in where:
            right = at + 6 + text.last_width
            clear = (at - ARROW - 1, low, at + ARROW + 1, high), (at, middle - letters / 2, right, middle + letters / 2)
            if high - low > letters and all(_free(one, taken) for one in clear):
                x, y = at + 4 + text.last_width / 2, middle - letters * 0.36
                found.append((at, low, high, _Label(text, x, y, clear[1])))
                break
    return found


def _inside(marker: MapMarker) -> str:
    """What stands inside a marker: its label, the number at its end ("Line 5"), or its owner."""
    number = marker.label.rpartition(" ")[2]
    if len(marker.label) <= INSIDE:
        return marker.label
    return number if number.isdecimal() and len(number) <= INSIDE else (marker.owner or "").upper()


def _next_to(table: TableMap, marker: MapMarker, size: float, narrow: float, *, above: bool) -> _Label:
    """A marker's label above or below it, as ``narrow`` as this share and its longest word, or 0: as wide as can be."""
    letters, scale = _letters(size), size / table.inches
    words = max(text_width(word, letters, bold=True) for word in marker.words.split())
    share = text_width(marker.words, letters, bold=True) * narrow
    room = max(words + 0.1, share or _room(table, marker, scale, above=above))
    text = fit(marker.words, letters, room, bold=True, min_size=letters, max_lines=4, leading=1.0)
    half = max(text_width(line, letters, bold=True) for line in text.lines) / 2
    at = min(max(marker.x * scale, half + 3), size - half - 3)
    radius, low = marker.within * scale, MARKER_RADIUS + 2.5 + text.height
    away = radius if 0 < radius < (half**2 + low**2) ** 0.5 + 2 else MARKER_RADIUS  # outside a circle too small for it
    bottom = marker.y * scale + (away + 2.5 if above else -away - 2.5 - text.height)
    around = (at - half - 1, bottom - 1, at + half + 1, bottom + text.height)
    return _Label(text, at, bottom + text.height - letters * 0.85, around)


def _room(table: TableMap, marker: MapMarker, scale: float, *, above: bool) -> float:
    """Points free for a label: to the next marker of its row or of another row, or to the table's edge."""
    at = marker.y + (LABEL_AWAY if above else -LABEL_AWAY) / scale
    others = [one for one in table.markers if (one.x, one.y) != (marker.x, marker.y)]
    gaps = [abs(m.x - marker.x) * scale for m in others if m.y == marker.y]
    near = [m for m in others if m.y != marker.y and abs(m.y - at) * scale < LABEL_AWAY]
    gaps += [2 * (abs(m.x - marker.x) * scale - MARKER_RADIUS - 1) for m in near]
    return min([*gaps, 2 * marker.x * scale, 2 * (table.inches - marker.x) * scale]) - 3


def _strip_label(table: TableMap, size: float, side: str, taken: Sequence[Box]) -> list[_Label]:
    """Who deploys in a strip, close to the own edge, for markers can stand on the inner line; none without room."""
    deep, letters = table.depth or inches_text(table.deployment), _letters(size)
    base = 4.0 if side == "A" else size - letters - 1.0
    short = f"{side} deploys within {deep}"
    for words in (f"{short} of this edge", short, f"{side}: within {deep}", f"{side}: {inches_text(table.deployment)}"):
        half = text_width(words, letters, bold=True) / 2
        for step in range(48):  # the middle first, then ever farther from it
            at = size / 2 + (step // 2) * (1 if step % 2 else -1) * size / 48
            around = (at - half - 3, base - 2, at + half + 3, base + letters - 1)
            if around[0] > 2 and around[2] < size - 2 and _free(around, taken):
                return [_Label(Fitted((words,), letters, bold=True), at, base, around)]
    return []


def _spot(canvas: Canvas, around: Box, place: int, shape: str) -> None:
    """A grey "square", a grey "bar" or a white disc: distinguishable without colour."""
    half = (around[2] - around[0]) / 2
    x, y = around[0] + half, around[1] + half
    canvas.setLineWidth(LINE)
    canvas.setStrokeGray(INK)
    canvas.setFillGray(PAPER if shape == "disc" else GREY)
    if shape == "disc":
        canvas.circle(x, y, half, stroke=1, fill=1)
    else:
        deep = half if shape == "square" else min(half, max(BAR * half, 5.0))
        canvas.rect(x - half, y - deep, 2 * half, 2 * deep, stroke=1, fill=1)
    canvas.setFillGray(INK)
    draw_text(canvas, x, y - 3.4, str(place), 10, bold=True, max_width=2 * half - 2, align="centre")


def _marker(canvas: Canvas, x: float, y: float, marker: MapMarker) -> None:
    """A square with the owner's letter, black for A and white for B, or a disc: distinct without colour."""
    half = MARKER_RADIUS * 0.875
    canvas.setFillGray(PAPER)
    canvas.setStrokeGray(INK)
    canvas.setLineWidth(1.6)
    if marker.owner is None:
        canvas.circle(x, y, MARKER_RADIUS + 1.5, stroke=0, fill=1)
        canvas.circle(x, y, MARKER_RADIUS - 0.9, stroke=1, fill=1)
    else:
        canvas.rect(x - half - 2, y - half - 2, 2 * half + 4, 2 * half + 4, stroke=0, fill=1)
        canvas.setFillGray(INK if marker.owner == "a" else PAPER)
        canvas.rect(x - half, y - half, 2 * half, 2 * half, stroke=1, fill=1)
    inside = _inside(marker)
    canvas.setFillGray(PAPER if marker.owner == "a" else INK)
    if inside:
        draw_text(canvas, x, y - 3, inside, 8.5, bold=True, max_width=MARKER_RADIUS * 1.55, align="centre")
    else:
        canvas.circle(x, y, 2, stroke=0, fill=1)
    canvas.setFillGray(INK)


def _scale(canvas: Canvas, table: TableMap, size: float) -> None:
    """Every inch along A's edge and the left side; every sixth with its number."""
    step = STEP if table.inches <= WIDE else WIDE_STEP
    figures = max(7.5, _letters(size) - 0.5)
    canvas.setStrokeGray(INK)
    for inch in range(table.inches + 1):
        at = inch * size / table.inches
        length, width = (2.0, HAIR) if inch % step else (4.0, LINE)
        rule(canvas, at, 0, at, -length, width)
        rule(canvas, 0, at, -length, at, width)
        if inch % step == 0:
            draw_text(canvas, at, -4.5 - figures, str(inch), figures, align="centre")
            draw_text(canvas, -6, at - figures * 0.35, str(inch), figures, align="right")


def _stick(
    canvas: Canvas, left: float, right: float, y: float, parts: tuple[tuple[float, float, str], ...], width: float
) -> None:
    """A ruler from left to right: its pieces, as shares of the length, in a casing of ink; without any, a line."""
    canvas.setStrokeGray(INK)
    rule(canvas, left, y, right, y, width if parts else LINE)
    for first, last, colour in parts:
        canvas.setStrokeColor(HexColor(colour))
        rule(canvas, left + (right - left) * first, y, left + (right - left) * last, y, width - 1.2)
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


def _measures(canvas: Canvas, table: TableMap, size: float, labels: Sequence[Box]) -> None:
    """Rulers above the table and at its right, each with a dotted guide to the markers that it leads to.

    The guides leave out the ``labels``.
    """
    scale, letters, markers = size / table.inches, _letters(size), [(marker.x, marker.y) for marker in table.markers]
    for upright, measures in ((False, table.across), (True, table.up)):
        for measure in measures:
            away, length = size + measure.lane * LANE + 7, measure.end - measure.start
            inch = measure.end if measure.start == 0 else measure.start
            led = min((m[not upright] for m in markers if m[upright] == inch), default=table.inches) * scale
            row, middle, half = inch * scale, (measure.start + measure.end) * scale / 2, length * scale / 2
            canvas.setLineWidth(HAIR)
            canvas.setDash(1, 2.5)
            guide = ((led, row), (away, row)) if upright else ((row, led), (row, away))
            _broken(canvas, *guide, labels)
            canvas.setDash()
            canvas.saveState()
            canvas.translate(*((away, middle) if upright else (middle, away)))
            canvas.rotate(-90 if upright else 0)
            parts = tuple(((a - measure.start) / length, (b - measure.start) / length, c) for a, b, c in measure.parts)
            # Turned to the right, the corner at A's edge is on the other side.
            _stick(canvas, *((half, -half) if upright else (-half, half)), 0, parts, STICK)
            short = upright and text_width(measure.label, letters, bold=True) < LANE
            if not short:
                draw_text(canvas, 0, STICK / 2 + 1.2, measure.label, letters, bold=True, align="centre")
            canvas.restoreState()
            if short:  # it is read without turning the sheet, over a gap of its ruler
                block(canvas, away - STICK, middle - letters / 2 - 1, LANE, letters + 2, PAPER)
                at = away + LANE / 2 - STICK
                draw_text(canvas, at, middle - letters * 0.36, measure.label, letters, bold=True, align="centre")


EDGE_NAME, EXAMPLE = 13.0, 40.0
"""Height of a player's name at the table's edge, and width of the word that the markers only show how."""


def map_block(
    table: TableMap, side: float, spots: Sequence[ScenerySpot] = (), across: float = 0.0,
    a: str = "Player A", b: str = "Player B"
) -> Drawing:  # fmt: skip
    """The drawn table of this side in the middle of a column, with the players at their edges."""
    above, aside = map_rooms(table)

    def draw(canvas: Canvas, x: float, top: float, width: float) -> None:
        left, bottom = x + SIDE_ROOM + (width - SIDE_ROOM - aside - side) / 2, top - EDGE_NAME - above - side
        middle, room = left + side / 2, side - 2 * EXAMPLE * table.example
        draw_text(canvas, middle, top - 9, b, 9, bold=True, max_width=room, align="centre")
        draw_text(canvas, left, top - 9, "Example" * table.example, 9, max_width=EXAMPLE)
        with part(canvas, "Figure", alt=map_words(table, spots)):
            draw_map(canvas, left, bottom, side, table, spots, across)
        draw_text(canvas, middle, bottom - END_ROOM - 9, a, 9, bold=True, max_width=side, align="centre")

    return Drawing(EDGE_NAME + above + side + END_ROOM + EDGE_NAME, draw, above=8)
