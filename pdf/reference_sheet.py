"""A game's reference sheet: what players look up in a game, on one page, in the largest type that fits.

It is the back of a scoresheet, of one that is cut out of a page too, and a page of the event pack.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from reportlab.pdfgen.canvas import Canvas

from pdf.flow import Block, Drawing, Flow, LaidPage, Mark, balanced, lines_of, page_columns
from pdf.fonts import draw_text, put_text, text_width
from pdf.page import HAIR, Frame, Paper, foot, headline_height, section, section_height, stamp
from pdf.tags import part as tag

SIZES = tuple(size / 4 for size in range(56, 31, -1))
"""Sizes of type that are tried, the largest first: 14 to 8 points."""
GAP = 12.0
HEAD_SIZE, HEAD_GAP = 13.0, 3.0
LEADING = 1.15
LEAST_SOURCE = 7.0
PAD = 3.0
NARROW = 0.36
"""Of the width, the most for a column with a wider one after it, where not all have room."""
NOTE = "A summary in our own words. The game’s document decides."


@dataclass(frozen=True)
class ReferencePart:
    """Rows, with or without heads, or sentences, and their place in the document. Without a title it goes on."""

    title: str
    source: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Reference:
    """The reference sheet of a game."""

    game: str
    parts: tuple[ReferencePart, ...]

    @property
    def title(self) -> str:
        """What the sheet is called."""
        return f"{self.game}, reference sheet"


def draw_reference(paper: Paper, reference: Reference) -> None:
    """Draw the sheet on the page, or the piece of a page, at hand; what does not fit at 8 points is left out."""
    canvas, frame = paper.canvas, paper.frame
    with tag(canvas, "H1"):
        section(canvas, frame.left, frame.top, frame.width, reference.title, NOTE, size=HEAD_SIZE)
    marks = _laid(reference.parts, frame, frame.top - section_height(HEAD_SIZE) - HEAD_GAP)[0]

    def draw() -> None:
        for mark in marks:
            mark(canvas)

    stamp(paper, ("reference", reference), draw)
    foot(paper, reference.title, 1, 1)


def reference_pages(reference: Reference, frame: Frame) -> list[LaidPage]:
    """The sheet as a page of a longer paper."""
    top = frame.top - headline_height(frame, [NOTE]) - 4
    pages = enumerate(_laid(reference.parts, frame, top))
    return [LaidPage(reference.title, [NOTE], marks, "" if n else reference.title) for n, marks in pages]


def _laid(parts: Sequence[ReferencePart], frame: Frame, top: float) -> list[list[Mark]]:
    """The pages in the largest type that takes one page in two columns, or else three, filled to about one length."""
    ways = ((size, across) for across in (2, 3) for size in SIZES)
    size, across = next((way for way in ways if len(_pages(parts, frame, top, *way)) == 1), (SIZES[-1], 3))
    return balanced(lambda frame: _pages(parts, frame, top, size, across), frame)


def _pages(parts: Sequence[ReferencePart], frame: Frame, top: float, size: float, across: int) -> list[list[Mark]]:
    flow = Flow(page_columns(frame, top, [1 / across] * across, GAP))
    for part in parts:
        flow.put(_part(part, size, flow.column.width))
    return flow.pages


def _part(part: ReferencePart, size: float, width: float) -> list[Block]:
    blocks: list[Block] = []
    if part.title:
        blocks.append(_title(part, size, width))
    if part.rows:
        widths = _widths(part, size, width)
        if part.heads:
            blocks.append(_row(part.heads, size, widths, head=True, stays=True))
        for place, row in enumerate(part.rows, 1):  # under heads they stay together
            blocks.append(_row(row, size, widths, stays=bool(part.heads) and place < len(part.rows)))
    blocks += [_sentence(line, size, width) for line in part.lines]
    return blocks


def _title(part: ReferencePart, size: float, width: float) -> Drawing:
    """A title with its source in small print after it."""
    small = max(LEAST_SOURCE, 0.7 * size)
    lines = lines_of(part.title, size + 0.5, width - text_width(part.source, small) - 8, bold=True)

    def draw(canvas: Canvas, left: float, top: float, width: float) -> None:
        for number, line in enumerate(lines):
            put_text(canvas, left, top - size - number * size * LEADING, line, size + 0.5, True)
        draw_text(canvas, left + width, top - size, part.source, small, align="right")

    return Drawing(len(lines) * size * LEADING + 0.2 * size, draw, before=0.6 * size, stays=True)


def _sentence(text: str, size: float, width: float) -> Drawing:
    lines, indent = lines_of(text, size, width - 0.8 * size), 0.8 * size

    def draw(canvas: Canvas, left: float, top: float, width: float) -> None:
        put_text(canvas, left + 1, top - size, "•", size, False)
        for number, line in enumerate(lines):
            put_text(canvas, left + indent, top - size - number * size * LEADING, line, size, False)

    return Drawing(len(lines) * size * LEADING + 0.1 * size, draw, before=0.1 * size)


def _widths(part: ReferencePart, size: float, width: float) -> list[float]:
    """Each column as wide as its longest text, if all have room; else the wide ones share what the others leave."""
    every = [row for row in (part.heads, *part.rows) if row]
    wanted = [
        max(text_width(cell, size, bold=cell in part.heads) for cell in column) + 2 * PAD
        for column in zip(*every, strict=True)
    ]
    if (spare := width - sum(wanted)) >= 0:
        return [one + spare / len(wanted) for one in wanted] if len(wanted) > 2 else [wanted[0], width - wanted[0]]
    widths, room, left = [0.0] * len(wanted), width, len(wanted)
    for n in sorted(range(len(wanted)), key=wanted.__getitem__):
        widths[n] = min(wanted[n], room / left, width * NARROW if left > 1 else room)
        room, left = room - widths[n], left - 1
    return widths


def _row(row: Sequence[str], size: float, widths: Sequence[float], *, stays: bool, head: bool = False) -> Drawing:
    cells = [lines_of(cell, size, width - PAD, bold=head) or ("",) for cell, width in zip(row, widths, strict=True)]
    height = max(map(len, cells)) * size * LEADING + 0.2 * size

    def draw(canvas: Canvas, left: float, top: float, width: float) -> None:
        canvas.setLineWidth(HAIR)
        canvas.line(left, top - height, left + width, top - height)
        x = left
        for lines, cell_width in zip(cells, widths, strict=True):
            for number, line in enumerate(lines, 1):
                put_text(canvas, x + PAD / 2, top - number * size * LEADING + 0.15 * size, line, size, head)
            x += cell_width

    return Drawing(height, draw, stays=stays)
