"""Running text over columns and pages: what does not fit goes on in the next column, and nothing is cut.

Lengths are in points. Pages are laid out before they are drawn, so that each can say how many there are.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import count

from reportlab.pdfgen.canvas import Canvas

from pdf.fonts import Fitted, draw_fitted, draw_text, plain, text_width, wrap
from pdf.page import Frame, Paper, bookmark, foot, headline, next_page, section, section_height
from pdf.tags import Within, part

LEADING = 1.3
"""From line to line, in sizes of the type."""
SHORTEST = 100.0
"""Height below which columns are not shortened."""
WHOLE = 6
"""Lines from which on a paragraph may be parted."""
PIECE = re.compile(r".{1,1500}(?!\S)|.{1,1500}", re.DOTALL)
"""Characters wrapped in one go, up to a space where there is one; the fonts look at no more than 2,000."""

Mark = Callable[[Canvas], object]
"""One thing to draw on a page."""


@dataclass(frozen=True)
class Column(Frame):
    """A box that text runs through; ``page`` counts from 0."""

    page: int = 0


def page_columns(
    frame: Frame, top: float, shares: Sequence[float] = (1.0,), gap: float = 0.0, first: int = 0
) -> Iterator[Column]:
    """The columns of one page after another, from the ``first`` on, which share its width."""
    room = frame.width - gap * (len(shares) - 1)
    for page in count(first):
        left = frame.left
        for share in shares:
            yield Column(left, frame.bottom, left + room * share, top, page)
            left += room * share + gap


@dataclass(frozen=True)
class Words:
    """A paragraph of any length.

    ``label`` is printed before the ``indent`` of the first line, ``right`` at the end of that line; ``before`` is the
    space above; one that ``stays`` is never parted from what follows it. Labelled ones are a list, bold
    ones that stay a heading.
    """

    text: str
    size: float = 10.0
    bold: bool = False
    before: float = 3.0
    indent: float = 0.0
    label: str = ""
    label_bold: bool = False
    right: str = ""
    stays: bool = False
    leading: float = LEADING


@dataclass(frozen=True)
class Drawing:
    """Something of a fixed height; ``draw`` gets the canvas, its left end, its top and its width."""

    height: float
    draw: Callable[[Canvas, float, float, float], None]
    before: float = 0.0
    stays: bool = False


Block = Words | Drawing


def heading(text: str, size: float = 11.0) -> Drawing:
    """A heading on a rule that stays with what follows it."""

    def draw(canvas: Canvas, x: float, top: float, width: float) -> None:
        section(canvas, x, top, width, text, size=size)

    return Drawing(section_height(size), draw, before=13, stays=True)


@lru_cache(maxsize=1024)
def lines_of(text: str, size: float, width: float, *, bold: bool = False) -> tuple[str, ...]:
    """Every line of a text as long as it may be, none wider than ``width``."""
    lines = [""]
    for piece in PIECE.findall(text.strip()):
        # The last line of a piece may have room for the beginning of the next.
        lines[-1:] = wrap(lines[-1] + piece, size, width, bold=bold)
    return tuple(lines)


def _whole(text: str) -> str:
    """The text as it will be read on paper, at any length."""
    pieces = PIECE.findall(text.strip())
    return "".join((" " if piece[0].isspace() else "") + plain(piece) for piece in pieces)


def heights(words: Sequence[Words], width: float) -> float:
    """The height that paragraphs take in a column of this width, with the space above each."""
    lines = [len(lines_of(one.text, one.size, width - one.indent, bold=one.bold)) for one in words]
    return sum(one.before + one.size * one.leading * many for one, many in zip(words, lines, strict=True))


class Flow:
    """Text being laid out: the pages so far, the column at hand, and how far down it is filled."""

    def __init__(self, columns: Iterator[Column], white: float = 1.0) -> None:
        """Begin in the first of the columns; there is always another. Each block keeps this share of its white."""
        self.columns, self.white = columns, white
        self.pages: list[list[Mark]] = []
        self.items = object()
        self.next_column()

    def next_column(self) -> None:
        """Leave the rest of this column free."""
        self.go_on(next(self.columns))

    def go_on(self, column: Column) -> None:
        """Leave the rest of this column free, and go on in one that the others did not foresee."""
        self.column = column
        self.y = column.top
        while len(self.pages) <= column.page:
            self.pages.append([])

    def put(self, blocks: Sequence[Block]) -> None:
        """Set these one below the other, going on in the next column where one is full."""
        if self.white < 1:
            blocks = [replace(block, before=block.before * self.white) for block in blocks]
        for place, block in enumerate(blocks):
            if self.is_full(blocks[place:]):
                self.next_column()
            if isinstance(block, Words):
                self._words(block)
            else:
                self._drawing(block)

    def is_full(self, blocks: Sequence[Block]) -> bool:
        """Whether the first of these, with what it stays with if a column holds it, must go on in the next column."""
        needed = self._needed(blocks)
        if needed > self.column.height:
            needed = self._needed(blocks[:1])
        return not self._fresh and self.y - needed < self.column.bottom

    @property
    def _fresh(self) -> bool:
        return self.y == self.column.top

    def _needed(self, blocks: Sequence[Block]) -> float:
        """Height that the first of these takes with all that it stays with, of the last the first two lines."""
        needed = 0.0
        for block in blocks:
            needed += block.before
            if isinstance(block, Drawing):
                needed += block.height
            else:
                lines = len(self._lines(block))
                needed += block.size * block.leading * (lines if lines < (12 if block.stays else WHOLE) else 2)
            if not block.stays:
                break
        return needed

    def _lines(self, words: Words) -> tuple[str, ...]:
        room = self.column.width - words.indent
        if words.right:
            room -= text_width(words.right, words.size * 0.9) + 10
        return lines_of(words.text, words.size, room, bold=words.bold)

    def _words(self, words: Words) -> None:
        words = replace(words, text=_whole(words.text))
        if not words.text:
            return
        step = words.size * words.leading
        top = self.y if self._fresh else self.y - words.before
        lines = self._lines(words)
        fitting = max(1, int((top - self.column.bottom) / step + 0.001))
        if fitting < len(lines):
            # Two lines at least stand together, here and in the next column.
            fitting = max(1, min(fitting, len(lines) - 2))
        self._mark_words(words, lines[:fitting], top)
        self.y = top - step * len(lines[:fitting])
        if fitting < len(lines):
            # Wrapped anew, for the next column may be wider.
            rest = words.text
            for line in lines[:fitting]:
                rest = rest[len(line) :].lstrip()
            self.next_column()
            self._words(replace(words, text=rest, label="", right=""))

    def _mark_words(self, words: Words, lines: Sequence[str], top: float) -> None:
        column, size, base = self.column, words.size, top - words.size
        if not words.label:
            self.items = object()
        within: tuple[Within, ...] = (("L", self.items), ("LI", object())) if words.label else ()

        def mark(canvas: Canvas) -> None:
            with part(canvas, "H2" if words.bold and words.stays else "LBody" if words.label else "P", *within):
                if words.label:
                    bold, room = words.label_bold, words.indent - 5
                    draw_text(canvas, column.left, base, words.label, size, bold=bold, max_width=room, min_size=7)
                fitted = Fitted(tuple(lines), size, leading=words.leading, bold=words.bold)
                draw_fitted(canvas, column.left + words.indent, base, fitted)
                if words.right:
                    draw_text(canvas, column.right, base, words.right, size * 0.9, align="right")

        self.pages[column.page].append(mark)

    def _drawing(self, drawing: Drawing) -> None:
        column = self.column
        top = self.y if self._fresh else self.y - drawing.before
        self.pages[column.page].append(lambda canvas: drawing.draw(canvas, column.left, top, column.width))
        self.y = top - drawing.height


def evened(flow: Flow, lay: Callable[[float], Flow]) -> Flow:
    """The flow with about as many rows on its last page as on the others, where that takes no more pages.

    ``lay`` lays the same again, with this much less room at the foot of each page.
    """
    few = len(flow.pages)
    if few == 1:
        return flow
    even = lay(0.95 * (flow.y - flow.column.bottom) / few)
    return even if len(even.pages) == few else flow


def balanced(lay: Callable[[Frame], list[list[Mark]]], frame: Frame) -> list[list[Mark]]:
    """The pages that this lays out; on a single one the columns are of about the same length."""
    best = lay(frame)
    while len(best) == 1 and frame.height > SHORTEST:
        frame = replace(frame, bottom=frame.bottom + 10)
        shorter = lay(frame)
        if len(shorter) > 1:
            break
        best = shorter
    return best


@dataclass(frozen=True)
class Laid:
    """Pages under one title, with the notes below it, and what is drawn on each."""

    title: str
    notes: Sequence[str]
    pages: Sequence[Sequence[Mark]]
    entry: str = ""
    """Their entry of the outline, where that is not the title."""
    under: bool = False
    """The entry is nested below the one before it."""
    large: bool = False
    """The notes are read from afar."""


def draw_laid(paper: Paper, parts: Sequence[Laid]) -> None:
    """Draw the pages; they are counted together."""
    number, of = 0, sum(len(one.pages) for one in parts)
    for one in parts:
        for place, marks in enumerate(one.pages):
            number += 1
            if not place:
                bookmark(paper, one.entry or one.title, nested=one.under)
            headline(paper, one.title, one.notes, large=one.large)
            for mark in marks:
                mark(paper.canvas)
            foot(paper, one.title, number, of)
            next_page(paper)
