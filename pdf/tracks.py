"""Rows of boxes to tick or write in while a game is played: hit points, wounds, turns."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil

from reportlab.pdfgen.canvas import Canvas

from pdf.flow import Drawing, lines_of
from pdf.fonts import Fitted, draw_fitted, draw_text, text_width
from pdf.page import box
from pdf.table import HIGH

SIZE, PAD, HEAD = 9.5, 4.0, 8.0
GAP, LEAST = 2.0, 13.0
"""The white between boxes, and the least width that keeps those without print on one row."""
FIVE, MOST, SMALL = 5, 4, 18.5
"""Where not all boxes fit on one row, it has a few times five, which is easy to count, of this width at least."""
LABEL, COLUMN_GAP, ACROSS = 60.0, 14.0, 3


@dataclass(frozen=True)
class SheetTrack:
    """Rows of boxes: a label, and the small print of each box."""

    title: str
    rows: tuple[tuple[str, tuple[str, ...]], ...]

    @property
    def label(self) -> float:
        """The width of the labels: one of two widths, so that tracks below each other stand in line, or none."""
        widest = max((text_width(label, SIZE) for label, _ in self.rows), default=0.0)
        return LABEL * min(2, ceil((widest + PAD * (widest > 0)) / LABEL))


def tracks(track: SheetTrack, width: float) -> list[Drawing]:
    """The rows one below the other, or side by side if all are short; below their labels if numbers need more rows."""
    longest = max((boxes for _, boxes in track.rows), key=len, default=())
    if any(label and all(boxes) and _across(width - track.label, boxes)[0] < len(boxes) for label, boxes in track.rows):
        return [_row(0.0, *row, *_across(width, longest)) for row in track.rows]
    beside = int((width + COLUMN_GAP) / (track.label + len(longest) * (HIGH + GAP) + COLUMN_GAP))
    across = max(1, min(ACROSS, len(track.rows), beside))
    step = (width + COLUMN_GAP) / across
    room = step - COLUMN_GAP - track.label
    found = [_row(track.label, *one, *_across(room, one[1])) for one in track.rows]
    return [side_by_side(found[n : n + across], step, before=2 if n else 5) for n in range(0, len(found), across)]


def side_by_side(row: Sequence[Drawing], step: float, before: float) -> Drawing:
    """Drawings next to each other, this far from left end to left end."""

    def draw(canvas: Canvas, left: float, top: float, width: float) -> None:
        for place, one in enumerate(row):
            one.draw(canvas, left + place * step, top, width)

    return Drawing(max(one.height for one in row), draw, before=before)


def _across(room: float, boxes: Sequence[str]) -> tuple[int, float]:
    """How many of the boxes stand on a row, and the width of each."""
    room, many = room + GAP + 0.01, max(1, len(boxes))
    wide = min(HIGH, room / many - GAP)
    if wide >= (HIGH if all(boxes) else LEAST):
        return many, wide
    many = max(1, min(MOST, int(room / (SMALL + GAP)) // FIVE) * FIVE)
    return many, min(HIGH, room / many - GAP)


def _row(indent: float, label: str, boxes: Sequence[str], across: int, wide: float) -> Drawing:
    """A label and its boxes, next to it or without an indent below; a box's print is out of the pencil's way."""
    step, above = HIGH + GAP, HEAD + 5 if label and not indent else 0.0
    name = Fitted(lines_of(label, SIZE, indent - PAD) if indent else (label,), SIZE if indent else HEAD, leading=1.25)
    high = max(-(-len(boxes) // across) * step + above, name.height)

    def draw(canvas: Canvas, left: float, top: float, _: float) -> None:
        middle = min(HIGH, high) / 2 + SIZE * 0.36
        base = max(SIZE * 0.9, middle - name.step * (len(name.lines) - 1) / 2) if indent else HEAD + 2
        draw_fitted(canvas, left, top - base, replace(name, bold=not indent))
        for place, small in enumerate(boxes):
            row, column = divmod(place, across)
            x = left + indent + column * (wide + GAP)
            y = top - above - row * step - HIGH
            box(canvas, x, y, wide, HIGH)
            draw_text(canvas, x + 2, y + HIGH - 7.5, small, 7, max_width=wide - 3)

    return Drawing(high + 1, draw, before=2 if indent else 5)
