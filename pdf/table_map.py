"""The table drawn to scale: deployment strips, markers, inches along two edges, the game's rulers along the others."""

from dataclasses import dataclass
from typing import Literal

from reportlab.lib.colors import Color, HexColor
from reportlab.pdfgen.canvas import Canvas

from pdf.fonts import draw_text, fit, text_width
from pdf.map_rulers import MapMeasure, draw_measures, draw_stick, lanes_room
from pdf.page import HAIR, INK, LINE, PAPER

Owner = Literal["a", "b"]
SIDE_ROOM, END_ROOM = 18.0, 15.0
"""Points at the left of the drawn table, and below it, that the inches take."""
MARKER_RADIUS = 7.5
LABEL_AWAY = 14.0
"""From the middle of a marker to the middle of its label, and the height that both may take."""
INSIDE = 2
"""The most characters of a label inside its marker; longer labels are printed next to it."""
_STEP, _WIDE_STEP, _WIDE = 6, 12, 48


@dataclass(frozen=True)
class MapMarker:
    """A marker: inches from the left end of player A's edge and from that edge; its name; its owner."""

    x: float
    y: float
    label: str = ""
    owner: Owner | None = None


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
    return lanes_room(table.across), lanes_room(table.up)


def inches_text(value: float) -> str:
    """18.0 as "18″"."""
    return f"{value:g}″"


def _strips(canvas: Canvas, table: TableMap, x: float, y: float, size: float) -> None:
    """Each player's strip in a wash of the ruler's colour, its inner line a ruler laid along; the grid between."""
    depth = table.deployment * size / table.inches
    colour = HexColor(table.depth_colour) if table.depth_colour else None
    canvas.setFillColor(_wash(colour) if colour else Color(0.9, 0.9, 0.9))
    for bottom in (y, y + size - depth) if depth > 0 else ():
        canvas.rect(x, bottom, size, depth, stroke=0, fill=1)
    canvas.setFillGray(INK)
    _grid(canvas, table, x, y, size)
    laid = ((0.0, 1.0, table.depth_colour),) if colour else ()
    for inner in (y + depth, y + size - depth) if depth > 0 else ():
        draw_stick(canvas, (x, inner), (x + size, inner), laid, width=2.2)


def _wash(colour: Color) -> Color:
    """A light wash that still differs from paper on a printer without colours."""
    return Color(*(1 - 0.24 * (1 - part) for part in (colour.red, colour.green, colour.blue)))


def _strip_labels(canvas: Canvas, table: TableMap, x: float, y: float, size: float) -> None:
    depth = table.deployment * size / table.inches
    if depth < 13:
        return
    for side, bottom in (("A", y), ("B", y + size - depth)):
        text = f"{side} deploys within {table.depth or inches_text(table.deployment)} of this edge"
        # Close to the own edge: markers can stand on the inner line.
        base = bottom + 4.5 if side == "A" else bottom + depth - 9.5
        draw_text(canvas, x + size / 2, base, text, 7, bold=True, max_width=size - 8, min_size=4, align="centre")


def _label(canvas: Canvas, cx: float, cy: float, room: float, label: str, *, above: bool) -> None:
    """What the marker is, on white, between the marker and the middle of the table."""
    fitted = fit(label, 7, room, bold=True, min_size=4.0, max_lines=2)
    width = max(text_width(line, fitted.size, bold=True) for line in fitted.lines)
    height = fitted.size * len(fitted.lines)
    bottom = cy + MARKER_RADIUS + 2.5 if above else cy - MARKER_RADIUS - 2.5 - height
    canvas.setFillGray(PAPER)
    canvas.rect(cx - width / 2 - 1.5, bottom - 1.5, width + 3, height + 2, stroke=0, fill=1)
    canvas.setFillGray(INK)
    base = bottom + height - fitted.size * 0.85
    for line in fitted.lines:
        draw_text(canvas, cx, base, line, fitted.size, bold=True, align="centre")
        base -= fitted.size


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
    inside = marker.label if len(marker.label) <= INSIDE else (marker.owner or "").upper()
    canvas.setFillGray(PAPER if marker.owner == "a" else INK)
    if inside:
        most = MARKER_RADIUS * 1.55
        draw_text(canvas, cx, cy - 3, inside, 8.5, bold=True, max_width=most, min_size=3.5, align="centre")
    else:
        canvas.circle(cx, cy, 2, stroke=0, fill=1)
    canvas.setFillGray(INK)


def _room(table: TableMap, marker: MapMarker, scale: float, *, above: bool) -> float:
    """Points free for a label: to the next marker of its row or of another row, or to the table's edge."""
    at = marker.y + (LABEL_AWAY if above else -LABEL_AWAY) / scale
    others = [m for m in table.markers if m is not marker]
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


def _grid(canvas: Canvas, table: TableMap, x: float, y: float, size: float) -> None:
    """Thin lines every sixth inch, so that any place can be read off."""
    scale = size / table.inches
    canvas.setStrokeGray(0.75)
    canvas.setLineWidth(HAIR)
    for inch in range(_STEP, table.inches, _STEP):
        canvas.line(x + inch * scale, y, x + inch * scale, y + size)
        canvas.line(x, y + inch * scale, x + size, y + inch * scale)
    canvas.setStrokeGray(INK)
    canvas.line(x, y + size / 2, x + size, y + size / 2)


def draw_map(canvas: Canvas, x: float, y: float, size: float, table: TableMap) -> None:
    """Draw the table as a square of ``size`` points, lower left corner at x, y, A's edge at the bottom.

    The inches stand outside the square, within `SIDE_ROOM` and `END_ROOM` points; the rulers within `map_rooms`.
    """
    _strips(canvas, table, x, y, size)
    _scale(canvas, table, x, y, size)
    draw_measures(canvas, x, y, size, table.inches, table.across, table.up)
    _strip_labels(canvas, table, x, y, size)
    canvas.setLineWidth(1.6)
    canvas.rect(x, y, size, size, stroke=1, fill=0)
    scale = size / table.inches
    for marker in table.markers:
        if len(marker.label) > INSIDE:  # before the markers: none is covered by the name of another
            above = marker.y < table.inches / 2
            room = max(14.0, _room(table, marker, scale, above=above))
            _label(canvas, x + marker.x * scale, y + marker.y * scale, room, marker.label, above=above)
    for marker in table.markers:
        _marker(canvas, x + marker.x * scale, y + marker.y * scale, marker)
