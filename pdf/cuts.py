"""Several small sheets on one sheet of paper, with cutting marks, in an order for cutting a stack.

The whole stack of paper is cut at once; the parts, put on top of each other in reading order, are then in order.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeVar

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from pdf.page import INK, MARGIN, Frame, Paper, frame_of, next_page, rule

T = TypeVar("T")
Each = Literal[1, 2]
"""The number of sheets on a page."""
ARM = 4 * mm
"""Length of a cutting mark at a corner, in points."""


@dataclass(frozen=True)
class Cutting:
    pieces: tuple[Frame, ...]
    mark: Callable[[Canvas, int], None]
    """Called with the canvas and the number of used pieces."""


def equal_pieces(paper: Paper, each: int) -> Cutting:
    """The whole paper as one piece, or ``each`` equal pieces along its longer side."""
    wide = paper.width >= paper.height
    width, height = (paper.width / each, paper.height) if wide else (paper.width, paper.height / each)
    pieces = _spread(Frame(0.0, 0.0, paper.width, paper.height), width, height)

    def mark(canvas: Canvas, count: int) -> None:
        canvas.setStrokeGray(INK)
        canvas.setDash(0.4, 4)
        for piece in pieces[1:count]:
            if wide:
                rule(canvas, piece.left, MARGIN, piece.left, paper.height - MARGIN)
            else:
                rule(canvas, MARGIN, piece.top, paper.width - MARGIN, piece.top)
        canvas.setDash()

    return Cutting(pieces, mark)


def cards(paper: Paper, width: float, height: float) -> Cutting:
    """As many pieces of this size as a page holds, spread over it, so that an inexact cut damages no neighbour."""
    pieces = _spread(paper.frame, width, height)
    gap_x, gap_y = pieces[0].left - paper.frame.left, paper.frame.top - pieces[0].top

    def mark(canvas: Canvas, count: int) -> None:
        canvas.setStrokeGray(INK)
        for piece in pieces[:count]:
            for x, x_direction in ((piece.left, -1), (piece.right, 1)):
                for y, y_direction in ((piece.bottom, -1), (piece.top, 1)):
                    rule(canvas, x + x_direction * gap_x / 5, y, x + x_direction * min(ARM, gap_x / 2), y)
                    rule(canvas, x, y + y_direction * gap_y / 5, x, y + y_direction * min(ARM, gap_y / 2))

    return Cutting(pieces, mark)


def stack_order(items: Sequence[T], each: int) -> list[list[tuple[int, T]]]:
    """The items on each sheet of paper, by place: the number of each item, counted from 1, and the item.

    The items are split into ``each`` consecutive parts, and place i of all sheets holds part i: after cutting, the
    parts are put on top of each other. All sheets but the last are full.
    """
    pages = -(-len(items) // each)
    last_count = len(items) - (pages - 1) * each
    starts = [place * pages - max(0, place - last_count) for place in range(each)]
    return [
        [(start + page + 1, items[start + page]) for start in starts[: each if page < pages - 1 else last_count]]
        for page in range(pages)
    ]


def draw_pieces(
    paper: Paper,
    items: Sequence[T],
    cutting: Cutting,
    draw: Callable[[Paper, int, T], None],
    below: Callable[[int, int], None] | None = None,
    back: Callable[[Paper, int, T], None] | None = None,
) -> None:
    """Draw each item on a piece of its own, on as many pages as that takes, in the order of `stack_order`.

    ``draw`` is called with a paper whose origin is the piece's lower left corner, the item's number from 1, and the
    item; ``below`` with the number of the page from 1 and the number of pages. ``back`` draws the back of each piece,
    on an extra page after each page.
    """
    canvas = paper.canvas
    sheets = stack_order(items, len(cutting.pieces))
    for page, sheet in enumerate(sheets, 1):
        for side in filter(None, (draw, back)):
            for (number, item), piece in zip(sheet, cutting.pieces, strict=False):
                canvas.saveState()
                canvas.translate(piece.left, piece.bottom)
                frame = frame_of(piece.width, piece.height)
                side(replace(paper, width=piece.width, height=piece.height, frame=frame), number, item)
                canvas.restoreState()
            if side is draw:
                cutting.mark(canvas, len(sheet))
            if below:
                below(page, len(sheets))
            next_page(paper)


def _spread(frame: Frame, width: float, height: float) -> tuple[Frame, ...]:
    """As many pieces as a frame holds, row by row, with equal gaps between them and around them."""
    across, down = int(frame.width / width + 0.001), int(frame.height / height + 0.001)
    gap_x, gap_y = (frame.width - across * width) / (across + 1), (frame.height - down * height) / (down + 1)
    lefts = [frame.left + gap_x + n * (width + gap_x) for n in range(across)]
    tops = [frame.top - gap_y - n * (height + gap_y) for n in range(down)]
    return tuple(Frame(left, top - height, left + width, top) for top in tops for left in lefts)
