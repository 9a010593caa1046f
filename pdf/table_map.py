"""The table drawn to scale: deployment strips, markers, and each player's own inches along the edges."""

from dataclasses import dataclass
from typing import Literal

from reportlab.pdfgen.canvas import Canvas

from pdf.fonts import draw_text, text_width
from pdf.page import HAIR, INK, LINE, PAPER, hatch

Owner = Literal["a", "b"]
SIDE_ROOM, END_ROOM = 24.0, 16.0
"""Points beside the drawn table, and above and below it, that the inches take."""
MARKER_RADIUS = 7.5


@dataclass(frozen=True)
class MapMarker:
    """A marker: inches from the left end of player A's edge and from that edge; its letter; its owner."""

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


def _marker(canvas: Canvas, cx: float, cy: float, marker: MapMarker) -> None:
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
    canvas.setFillGray(PAPER if marker.owner == "a" else INK)
    room = MARKER_RADIUS * 1.55
    draw_text(canvas, cx, cy - 3, marker.label, 8.5, bold=True, max_width=room, min_size=3.5, align="centre")
    canvas.setFillGray(INK)


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
    for marker in table.markers:
        _marker(canvas, x + marker.x * size / table.inches, y + marker.y * size / table.inches, marker)


def measures_note(table: TableMap) -> str:
    """The game's rulers for the distances on this map: "6″ = Red · 12″ = Black"; "" where none is named."""
    shown = {table.deployment}.union(
        *({m.x, m.y, table.inches - m.x, table.inches - m.y} for m in table.markers)
    )
    return " · ".join(f"{inches_text(value)} = {name}" for value, name in table.rulers if value in shown)
