"""The game's rulers along a drawn table: sticks in their colours, each with its name, so that no colour is needed."""

from collections.abc import Sequence
from dataclasses import dataclass

from reportlab.lib.colors import HexColor
from reportlab.pdfgen.canvas import Canvas

from pdf.fonts import draw_text, text_width
from pdf.page import HAIR, INK, LINE, PAPER

LANE = 13.5
"""Points that one lane of rulers takes, its names included."""
STICK, NAME = 3.4, 7.5
"""Width of a ruler in points, and size of a name that stands upright."""


Point = tuple[float, float]
Box = tuple[float, float, float, float]
"""Left, bottom, right, top."""


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


def lanes_room(measures: tuple[MapMeasure, ...]) -> float:
    """Width in points of these measures next to the table."""
    return max((measure.lane + 1 for measure in measures), default=0) * LANE + 5


def draw_stick(
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


def draw_broken(canvas: Canvas, start: Point, end: Point, boxes: Sequence[Box]) -> None:
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


def draw_measures(
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
                draw_broken(canvas, (x + led, y + row), (far + away, y + row), labels)
            else:
                draw_broken(canvas, (x + row, y + led), (x + row, y + size + away), labels)
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
            draw_stick(canvas, *points, parts)
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
