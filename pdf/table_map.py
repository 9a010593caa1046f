"""The table drawn to scale: deployment strips, markers, and each player's own inches along the edges."""

from dataclasses import dataclass
from typing import Literal

from reportlab.pdfgen.canvas import Canvas

from pdf.fonts import draw_text, fit, text_width
from pdf.page import HAIR, INK, LINE, PAPER, hatch

Owner = Literal["a", "b"]
SIDE_ROOM, END_ROOM = 24.0, 16.0
"""Points beside the drawn table, and above and below it, that the inches take."""
MARKER_RADIUS = 7.5
INSIDE = 2
"""A label of so few characters stands in its marker, a longer one beside it."""


@dataclass(frozen=True)
class MapMarker:
    """A marker: inches from the left end of player A's edge and from that edge; its name; its owner."""

    x: float
    y: float
    label: str = ""
    owner: Owner | None = None


@dataclass(frozen=True)
class TableMap:
    """A square table. ``rulers`` names a distance in inches by the game's rulers: ((18, "Black + Red"),)."""

    inches: int
    deployment: int
    markers: tuple[MapMarker, ...]
    rulers: tuple[tuple[float, str], ...] = ()


def inches_text(value: float) -> str:
    """18.0 as "18″"."""
    return f"{value:g}″"


def _strips(canvas: Canvas, table: TableMap, x: float, y: float, size: float) -> None:
    depth = table.deployment * size / table.inches
    if depth <= 0:
        return
    for side, bottom in (("A", y), ("B", y + size - depth)):
        hatch(canvas, x, bottom, size, depth, gap=5)
        inner = bottom + depth if side == "A" else bottom
        canvas.setLineWidth(LINE)
        canvas.line(x, inner, x + size, inner)


def _strip_labels(canvas: Canvas, table: TableMap, x: float, y: float, size: float) -> None:
    depth = table.deployment * size / table.inches
    if depth < 13:
        return
    for side, bottom in (("A", y), ("B", y + size - depth)):
        text = f"{side} deploys within {inches_text(table.deployment)} of this edge"
        width = min(text_width(text, 7, bold=True), size - 16)
        # Close to the own edge: markers can stand on the inner line.
        base = bottom + 4.5 if side == "A" else bottom + depth - 9.5
        canvas.setFillGray(PAPER)
        canvas.rect(x + (size - width) / 2 - 4, base - 2.5, width + 8, 10, stroke=0, fill=1)
        canvas.setFillGray(INK)
        draw_text(canvas, x + size / 2, base, text, 7, bold=True, max_width=width, min_size=4, align="centre")


def _label(canvas: Canvas, cx: float, cy: float, room: float, label: str, *, above: bool) -> None:
    """What the marker is, on white, between the marker and the middle of the table."""
    fitted = fit(label, 7, room, bold=True, min_size=4.5, max_lines=2)
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


def _marker(canvas: Canvas, cx: float, cy: float, room: float, marker: MapMarker, *, above: bool) -> None:
    """A's are black discs, B's white ones, those of neither square: told apart without colour."""
    canvas.setFillGray(PAPER)
    canvas.circle(cx, cy, MARKER_RADIUS + 1.5, stroke=0, fill=1)
    canvas.setStrokeGray(INK)
    if marker.owner is None:
        canvas.setFillGray(PAPER)
        canvas.setLineWidth(1.4)
        side = MARKER_RADIUS * 1.75
        canvas.rect(cx - side / 2, cy - side / 2, side, side, stroke=1, fill=1)
    else:
        canvas.setFillGray(INK if marker.owner == "a" else PAPER)
        canvas.setLineWidth(1.8)
        canvas.circle(cx, cy, MARKER_RADIUS - 0.9, stroke=1, fill=1)
    inside = marker.label if len(marker.label) <= INSIDE else (marker.owner or "").upper()
    canvas.setFillGray(PAPER if marker.owner == "a" else INK)
    if inside:
        most = MARKER_RADIUS * 1.55
        draw_text(canvas, cx, cy - 3, inside, 8.5, bold=True, max_width=most, min_size=3.5, align="centre")
    else:
        canvas.circle(cx, cy, 2, stroke=0, fill=1)
    canvas.setFillGray(INK)
    if len(marker.label) > INSIDE:
        _label(canvas, cx, cy, room, marker.label, above=above)


def _room(table: TableMap, marker: MapMarker) -> float:
    """Inches free for a label: to the next marker of the row, or to the nearer side of the table."""
    gaps = [abs(m.x - marker.x) for m in table.markers if m.y == marker.y and m.x != marker.x]
    return min([*gaps, 2 * marker.x, 2 * (table.inches - marker.x)])


def _measures(canvas: Canvas, table: TableMap, x: float, y: float, size: float) -> None:
    """Each column and row of markers, measured from either player's left end and own edge."""
    scale = size / table.inches
    canvas.setStrokeGray(INK)
    for column in sorted({m.x for m in table.markers}):
        at = x + column * scale
        canvas.setLineWidth(HAIR)
        canvas.setDash(1, 2.5)
        canvas.line(at, y, at, y + size)
        canvas.setDash()
        canvas.setLineWidth(LINE)
        canvas.line(at, y, at, y - 4)
        canvas.line(at, y + size, at, y + size + 4)
        draw_text(canvas, at, y - 12, inches_text(column), 8.5, bold=True, align="centre")
        above = inches_text(table.inches - column)
        draw_text(canvas, at, y + size + 6, above, 8.5, bold=True, align="centre")
    for row in sorted({m.y for m in table.markers}):
        at = y + row * scale
        canvas.setLineWidth(HAIR)
        canvas.setDash(1, 2.5)
        canvas.line(x, at, x + size, at)
        canvas.setDash()
        canvas.setLineWidth(LINE)
        canvas.line(x, at, x - 4, at)
        canvas.line(x + size, at, x + size + 4, at)
        draw_text(canvas, x - 6, at - 3, inches_text(row), 8.5, bold=True, align="right")
        draw_text(canvas, x + size + 6, at - 3, inches_text(table.inches - row), 8.5, bold=True)


def draw_map(canvas: Canvas, x: float, y: float, size: float, table: TableMap) -> None:
    """Draw the table as a square of ``size`` points, lower left corner at x, y, A's edge at the bottom.

    The inches stand outside the square, within `SIDE_ROOM` and `END_ROOM` points.
    """
    canvas.setStrokeGray(INK)
    _strips(canvas, table, x, y, size)
    canvas.setLineWidth(HAIR)
    canvas.line(x, y + size / 2, x + size, y + size / 2)
    _measures(canvas, table, x, y, size)
    _strip_labels(canvas, table, x, y, size)
    canvas.setLineWidth(1.6)
    canvas.rect(x, y, size, size, stroke=1, fill=0)
    scale = size / table.inches
    for marker in table.markers:
        at_x, at_y = x + marker.x * scale, y + marker.y * scale
        room = max(14.0, _room(table, marker) * scale - 3)
        _marker(canvas, at_x, at_y, room, marker, above=marker.y < table.inches / 2)


def measures_note(table: TableMap) -> str:
    """The game's rulers for the distances on this map: "6″ = Red · 12″ = Black"; "" where none is named."""
    shown = {table.deployment}.union(*({m.x, m.y, table.inches - m.x, table.inches - m.y} for m in table.markers))
    return " · ".join(f"{inches_text(value)} = {name}" for value, name in table.rulers if value in shown)
