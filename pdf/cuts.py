"""Several small sheets on a sheet of paper, with marks to cut along, in an order for stack cutting.

The pile of paper is cut as one, and its parts are put on each other in reading order: then the sheets are in order.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TypeVar

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from pdf.page import INK, MARGIN, Paper, frame_of, next_page, rule

T = TypeVar("T")
ARM = 4 * mm
"""Length of a mark at a corner."""


@dataclass(frozen=True)
class Piece:
    """What is cut out of a sheet of paper: its lower left corner on it, and its size."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class Cutting:
    """The pieces of a sheet of paper in reading order, and the marks that lead the knife."""

    pieces: tuple[Piece, ...]
    mark: Callable[[Canvas, int], None]
    """From a sheet and the number of its pieces, draw the marks."""


def parts(paper: Paper, each: int) -> Cutting:
    """The whole paper in one piece, or in equal ones along its longer side, each with margins of its own."""
    across, down = (1, each) if paper.width < paper.height else (each, 1)
    width, height = paper.width / across, paper.height / down
    pieces = _pieces(0.0, paper.height, across, down, width, height)

    def mark(canvas: Canvas, _: int) -> None:
        """Dots along every cut, between the margins: they lie in the white of both sides."""
        canvas.setStrokeGray(INK)
        canvas.setDash(0.4, 4)
        for piece in pieces[1:]:
            if down > 1:
                rule(canvas, MARGIN, piece.y + height, paper.width - MARGIN, piece.y + height)
            else:
                rule(canvas, piece.x, MARGIN, piece.x, paper.height - MARGIN)
        canvas.setDash()

    return Cutting(pieces, mark)


def cards(paper: Paper, width: float, height: float) -> Cutting:
    """As many pieces of one size as a page holds, spread over it: an inexact cut spoils no neighbour."""
    frame = paper.frame
    across, down = int(frame.width / width), int(frame.height / height)
    gap_x = (frame.width - across * width) / (across + 1)
    gap_y = (frame.height - down * height) / (down + 1)
    pieces = _pieces(frame.left + gap_x, frame.top, across, down, width, height, gap_x, gap_y)

    def mark(canvas: Canvas, count: int) -> None:
        """Marks at the corners, outside of each piece."""
        canvas.setStrokeGray(INK)
        for piece in pieces[:count]:
            for x, out in ((piece.x, -1), (piece.x + width, 1)):
                for y, up in ((piece.y, -1), (piece.y + height, 1)):
                    rule(canvas, x + out * gap_x / 5, y, x + out * min(ARM, gap_x / 2), y)
                    rule(canvas, x, y + up * gap_y / 5, x, y + up * min(ARM, gap_y / 2))

    return Cutting(pieces, mark)


def stacked(items: Sequence[T], each: int) -> list[list[tuple[int, T]]]:
    """For every sheet of paper what lies on it: the number of each item from 1, and the item, in the order of places.

    Place i of all sheets together holds the i-th part of the items: the order in which the parts are put on each other.
    All sheets but the last are full.
    """
    pages = -(-len(items) // each)
    last = len(items) - (pages - 1) * each
    starts = [place * pages - max(0, place - last) for place in range(each)]
    return [
        [(start + page + 1, items[start + page]) for start in starts[: each if page < pages - 1 else last]]
        for page in range(pages)
    ]


def put_pieces(
    paper: Paper,
    items: Sequence[T],
    cutting: Cutting,
    draw: Callable[[Paper, int, T], None],
    below: Callable[[int, int], None] | None = None,
    back: Callable[[Paper, int, T], None] | None = None,
) -> None:
    """Draw each item on a piece of its own, on as many sheets of paper as it takes, in the order of `stacked`.

    ``draw`` gets a paper whose origin is the piece's lower left corner, the item's number from 1, and the item;
    ``below`` the number of the sheet of paper from 1, and how many there are. ``back`` draws the back of each piece, on
    a page after each sheet of paper.
    """
    canvas = paper.canvas
    sheets = stacked(items, len(cutting.pieces))
    for page, sheet in enumerate(sheets, 1):
        for side in filter(None, (draw, back)):
            for (number, item), piece in zip(sheet, cutting.pieces, strict=False):
                with _on(paper, piece) as part:
                    side(part, number, item)
            if side is draw:
                cutting.mark(canvas, len(sheet))
            if below:
                below(page, len(sheets))
            next_page(paper)


@contextmanager
def _on(paper: Paper, piece: Piece) -> Iterator[Paper]:
    """The paper with its origin at the lower left corner of a piece."""
    paper.canvas.saveState()
    paper.canvas.translate(piece.x, piece.y)
    yield replace(paper, width=piece.width, height=piece.height, frame=frame_of(piece.width, piece.height))
    paper.canvas.restoreState()


def _pieces(
    left: float, top: float, across: int, down: int, width: float, height: float, gap_x: float = 0.0, gap_y: float = 0.0
) -> tuple[Piece, ...]:
    """Rows of pieces from the left and downwards, a gap below each and at its right."""
    lefts = [left + n * (width + gap_x) for n in range(across)]
    return tuple(Piece(x, top - n * (height + gap_y), width, height) for n in range(1, down + 1) for x in lefts)
