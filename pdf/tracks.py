"""Rows of boxes to tick or write in while a game is played: hit points, wounds, turns."""

from collections.abc import Sequence
from dataclasses import dataclass

from reportlab.pdfgen.canvas import Canvas

from pdf.flow import Drawing, lines_of
from pdf.fonts import Fitted, draw_fitted, draw_text, text_width
from pdf.page import box
from pdf.table import HIGH

SIZE, PAD = 9.5, 4.0
GAP, LEAST = 2.0, 13.0
"""The white between boxes, and the least width that keeps those without print on one row."""
TEN, TEN_GAP = 10, 8.0
"""Boxes that stand together where not all fit on one row, for they are easy to count, and the white between tens."""
LABEL, COLUMN_GAP, ACROSS = 120.0, 14.0, 3


@dataclass(frozen=True)
class SheetTrack:
    """Rows of boxes: a label, and the small print of each box."""

    title: str
    rows: tuple[tuple[str, tuple[str, ...]], ...]

    @property
    def label(self) -> float:
        """The width of the labels: one of two widths, so that tracks below each other stand in line, or none."""
        widest = max((text_width(label, SIZE) for label, _ in self.rows), default=0.0)
        return next(
            width for width in (0.0, LABEL / 2, LABEL) if widest + PAD * (widest > 0) <= width or width == LABEL
        )


def tracks(track: SheetTrack, width: float) -> list[Drawing]:
    """The rows one below the other, or side by side if all are short."""
    longest = max((len(boxes) for _, boxes in track.rows), default=0)
    beside = int((width + COLUMN_GAP) / (track.label + longest * (HIGH + GAP) + COLUMN_GAP))
    across = max(1, min(ACROSS, len(track.rows), beside))
    step = (width + COLUMN_GAP) / across
    lines = [track.rows[first : first + across] for first in range(0, len(track.rows), across)]
    found = [[_row(track.label, *one, step - COLUMN_GAP) for one in line] for line in lines]
    return [side_by_side(row, step, before=2 if place else 5) for place, row in enumerate(found)]


def side_by_side(row: Sequence[Drawing], step: float, before: float) -> Drawing:
    """Drawings next to each other, this far from left end to left end."""

    def draw(canvas: Canvas, left: float, top: float, width: float) -> None:
        for place, one in enumerate(row):
            one.draw(canvas, left + place * step, top, width)

    return Drawing(max(one.height for one in row), draw, before=before)


def _row(indent: float, label: str, boxes: Sequence[str], width: float) -> Drawing:
    """A label and its boxes; the print of each is in its corner, out of the pencil's way."""
    room, step, wide = width - indent + 0.01, HIGH + GAP, HIGH
    if boxes and not all(boxes) and LEAST <= (narrow := room / len(boxes) - GAP) < wide:
        wide = narrow
    each = wide + GAP
    fitting = int((room + GAP) / each)
    parted = TEN_GAP * (len(boxes) > fitting)
    tens = int((room + GAP + TEN_GAP) / (TEN * each + TEN_GAP))
    across = (TEN * tens or fitting) if parted else max(1, len(boxes))
    name = Fitted(lines_of(label, SIZE, indent - PAD), SIZE, leading=1.25)
    high = max(-(-len(boxes) // across) * step, name.height)

    def draw(canvas: Canvas, left: float, top: float, _: float) -> None:
        middle = min(HIGH, high) / 2 + SIZE * 0.36
        draw_fitted(canvas, left, top - max(SIZE * 0.9, middle - name.step * (len(name.lines) - 1) / 2), name)
        for place, small in enumerate(boxes):
            row, column = divmod(place, across)
            x = left + indent + column * each + column // TEN * parted
            y = top - row * step - HIGH
            box(canvas, x, y, wide, HIGH)
            draw_text(canvas, x + 2, y + HIGH - 7.5, small, 7, max_width=wide - 3)

    return Drawing(high + 1, draw, before=2)
