"""Rows of boxes to tick or write in while a game is played: hit points, wounds, turns."""

from collections.abc import Sequence
from dataclasses import dataclass

from reportlab.pdfgen.canvas import Canvas

from pdf.flow import Drawing, lines_of
from pdf.fonts import Fitted, draw_fitted, draw_text, text_width
from pdf.page import box
from pdf.table import HIGH

SIZE, PAD = 9.5, 4.0
GAP, LEAST = 2.0, 15.0
"""The white between boxes, and the least width that keeps those without print on one row."""
WIDE = 26.0
"""A box whose name stands above it."""
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
    """The rows one below the other, or side by side if all are short; names that all rows share stand once above."""
    rows = track.rows
    names = rows[0][1] if rows else ()
    shared = any(names) and all(boxes == names for _, boxes in rows)
    words = shared and not any(one.isdecimal() for one in names)
    if words and track.label + len(names) * (WIDE + GAP) <= width:
        return [_names(track, names), *(_row(track, label, [""] * len(names), width, WIDE) for label, _ in rows)]

    longest = max((len(boxes) for _, boxes in rows), default=0)
    beside = int((width + COLUMN_GAP) / (track.label + longest * (HIGH + GAP) + COLUMN_GAP))
    across = max(1, min(ACROSS, len(rows), beside))
    step = (width + COLUMN_GAP) / across
    lines = [rows[first : first + across] for first in range(0, len(rows), across)]
    found = [[_row(track, *one, step - COLUMN_GAP, HIGH) for one in line] for line in lines]
    return [side_by_side(row, step, before=2 if place else 5) for place, row in enumerate(found)]


def side_by_side(row: Sequence[Drawing], step: float, before: float) -> Drawing:
    """Drawings next to each other, this far from left end to left end."""

    def draw(canvas: Canvas, left: float, top: float, width: float) -> None:
        for place, one in enumerate(row):
            one.draw(canvas, left + place * step, top, width)

    return Drawing(max(one.height for one in row), draw, before=before)


def _names(track: SheetTrack, names: Sequence[str]) -> Drawing:
    """The names of the boxes below."""

    def draw(canvas: Canvas, left: float, top: float, _: float) -> None:
        for place, name in enumerate(names):
            x = left + track.label + place * (WIDE + GAP) + WIDE / 2
            draw_text(canvas, x, top - 8, name, 8, bold=True, align="centre", max_width=WIDE)

    return Drawing(10, draw, before=2, stays=True)


def _row(track: SheetTrack, label: str, boxes: Sequence[str], width: float, wide: float) -> Drawing:
    room, step = width - track.label + 0.01, HIGH + GAP
    if boxes and not all(boxes) and LEAST <= (narrow := room / len(boxes) - GAP) < wide:
        wide = narrow
    each = wide + GAP
    fitting = int((room + GAP) / each)
    parted = TEN_GAP * (len(boxes) > fitting)
    tens = int((room + GAP + TEN_GAP) / (TEN * each + TEN_GAP))
    across = (TEN * tens or fitting) if parted else max(1, len(boxes))
    name = Fitted(lines_of(label, SIZE, track.label - PAD), SIZE, leading=1.25)
    high = max(-(-len(boxes) // across) * step, name.height)

    def draw(canvas: Canvas, left: float, top: float, _: float) -> None:
        draw_fitted(canvas, left, top - min(HIGH, high) / 2 - SIZE * 0.36, name)
        for place, small in enumerate(boxes):
            row, column = divmod(place, across)
            x = left + track.label + column * each + column // TEN * parted
            y = top - row * step - HIGH
            box(canvas, x, y, wide, HIGH)
            if small:
                draw_text(canvas, x + wide / 2, y + HIGH / 2 - 2.6, small, 7, align="centre", max_width=wide - 1)

    return Drawing(high + 1, draw, before=2)
