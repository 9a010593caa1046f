"""Rows of boxes to tick or write in during a game: hit points, wounds, turns. Lengths are in points."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from math import ceil

from reportlab.pdfgen.canvas import Canvas

from pdf.flow import Drawing, wrapped_lines
from pdf.fonts import Fitted, draw_fitted, draw_text, text_width
from pdf.page import box
from pdf.table import BOX_STEP
from validators.sheet import Track

TYPE, MIN_TYPE, LABEL_GAP, HEAD_SIZE, PRINT, TO_WRITE = 9.5, 7.5, 5.0, 8.0, 7.0, 1.6
"""Type sizes of labels next to boxes and their minimum, space after them, type of labels above boxes and in boxes;
height of a label above boxes to write on, in sides of a box."""
GAP, MIN_BOX_WIDTH = 2.5, 10.5
"""Space between boxes, and the minimum width at which boxes without print stay on one row."""
SIDE = BOX_STEP - GAP
"""Side of a box, as in tables."""
GROUP, MAX_GROUPS, WIDER, ALONE = 5, 4, 1.4, 1.3
"""In several rows, each row has a multiple of `GROUP` boxes, easy to count; most width in sides; share if alone."""
LABEL, NARROW, COLUMN_GAP, MAX_ACROSS = 45.0, 280.0, 14.0, 4
"""Unit of the label width, above a narrow width; space between tracks side by side, and their maximum number."""


@lru_cache(maxsize=256)
def tracks(track: Track, width: float, share: float = 1.0) -> list[Drawing]:
    """The rows as drawings: below each other, or side by side if all are short.

    If numbered boxes do not fit on one row next to their label, all labels go above their boxes. Boxes and labels have
    this ``share`` of their size.
    """
    widest_print = max((text_width(text, PRINT) for _, boxes in track.rows for text in boxes if text), default=0.0)
    size, longest = max(MIN_TYPE, min(TYPE, TYPE * share)), max((boxes for _, boxes in track.rows), key=len, default=())
    widest = max((text_width(label, size) for label, _ in track.rows), default=0.0)
    step = GAP + (side := max(SIDE * share * (1.0 if widest else ALONE), widest_print + 3.4))
    # Multiples, so that tracks below each other line up; more than three if that leaves room for the boxes.
    most = max(3, int((width - len(longest) * step) / LABEL))
    units = ceil((widest + LABEL_GAP * (widest > 0)) / LABEL)
    labels = LABEL * min(most, units if units < 2 else max(3, units))
    labels = labels if width > NARROW else min(widest + 2 * LABEL_GAP, max(width / 2, width - len(longest) * step))
    room = width - labels
    if any(label and all(boxes) and _boxes_across(room, boxes, side)[0] < len(boxes) for label, boxes in track.rows):
        return [track_row(0.0, *row, *_boxes_across(width, longest, side), side, HEAD_SIZE) for row in track.rows]
    widths = [labels + max(1, len(boxes)) * step + COLUMN_GAP for _, boxes in track.rows]
    across = max(1, min(MAX_ACROSS, len(widths), int((width + COLUMN_GAP) / max(widths, default=1.0))))
    lefts, indents = [n * (width + COLUMN_GAP) / across for n in range(across)], [labels] * len(widths)
    if 1 < len(widths) <= MAX_ACROSS and sum(widths) <= width + COLUMN_GAP:  # each label is as wide as its words
        indents = [text_width(label, size) + 2 * LABEL_GAP for label, _ in track.rows]
        widths = [wide - labels + own for wide, own in zip(widths, indents, strict=True)]
        across, lefts = len(widths), [sum(widths[:n]) + n * COLUMN_GAP for n in range(len(widths))]
    room = width - labels if across == 1 else max(1, len(longest)) * step
    wide = max(side, min(WIDER * side, (room + GAP) / max(1, len(longest)) - GAP) * (across == 1))
    drawings = [
        track_row(indent, *line, *_boxes_across(room, line[1], wide), side, size)
        for indent, line in zip(indents, track.rows, strict=True)
    ]
    return [side_by_side(drawings[n : n + across], lefts, above=2 if n else 5) for n in range(0, len(drawings), across)]


def side_by_side(row: Sequence[Drawing], lefts: Sequence[float], above: float) -> Drawing:
    """The drawings next to each other, at these distances from the left end of their column."""

    def draw(canvas: Canvas, left: float, top: float, width: float) -> None:
        for drawing, distance in zip(row, lefts, strict=False):
            drawing.draw(canvas, left + distance, top, width)

    return Drawing(max(drawing.height for drawing in row), draw, above=above)


def _boxes_across(room: float, boxes: Sequence[str | None], side: float) -> tuple[int, float]:
    """How many of the boxes go on one row of ``room`` points, and the width of each."""
    room, count = room + GAP + 0.01, max(1, len(boxes))
    box_width = min(side, room / count - GAP)
    if box_width >= (side if all(boxes) else MIN_BOX_WIDTH):
        return count, box_width
    count = max(1, min(MAX_GROUPS, int(room / (side + GAP)) // GROUP) * GROUP)
    return count, min(WIDER * side, room / count - GAP)


def whole_models(boxes: Sequence[str | None], across: int) -> int:
    """How many boxes to put on a row, at most ``across``: whole models, each from a printed box on, or even rows."""
    if boxes and not any(boxes):
        return ceil(len(boxes) / ceil(len(boxes) / across))
    starts = [place for place, printed in enumerate(boxes) if printed]
    each = starts[1] - starts[0] if "" in boxes and starts[1:] else 1
    return max(across // each, 1) * each if across < len(boxes) else across


def track_row(
    indent: float, label: str, boxes: Sequence[str | None], across: int, box_width: float, side: float, size: float
) -> Drawing:
    """A label and its boxes, to the right of an ``indent`` or, without one, below the label.

    The small print is at the top of its box, to leave space for a pencil.
    """
    step, above = side + GAP, (TO_WRITE * side if "__" in label else size + 5) * bool(label and not indent)
    name = Fitted(wrapped_lines(label, size, indent - LABEL_GAP) if indent else (label,), size, leading=1.25)
    height = max(-(-len(boxes) // across) * step + above, name.height)

    def draw(canvas: Canvas, left: float, top: float, _: float) -> None:
        middle = min(side, height) / 2 + size * 0.36
        base = max(size * 0.9, middle - name.step * (len(name.lines) - 1) / 2) if indent else above - 3
        draw_fitted(canvas, left, top - base, replace(name, bold=not (indent and boxes)))
        for place, print_ in enumerate(boxes):
            if print_ is None:  # a gap
                continue
            row, column = divmod(place, across)
            x = left + indent + column * (box_width + GAP)
            y = top - above - row * step - side
            box(canvas, x, y, box_width, side)
            draw_text(canvas, x + 1.7, y + side - 7.5, print_, PRINT, max_width=box_width - 3)

    return Drawing(height + 1, draw, above=2 if indent else 5)
