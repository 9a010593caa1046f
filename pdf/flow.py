"""Lay out text over columns and pages: text that does not fit continues in the next column, and nothing is cut.

Lengths are in points. Pages are laid out before they are drawn, so that every footer can give the number of pages.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence, Sized
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, count, pairwise
from math import ceil
from typing import TypeVar

from reportlab.pdfgen.canvas import Canvas

from pdf.fonts import Fitted, draw_fitted, draw_text, plain, text_width, wrap
from pdf.page import Frame, Paper, bookmark, foot, headline, next_page, section, section_height
from pdf.tags import Within, part

LEADING, MIN_SPLIT = 1.3, 6
"""Distance between baselines, in type sizes; the least lines of a paragraph that may be split between columns."""
MIN_COLUMN_HEIGHT, WIDE = 60.0, 450.0
"""Height of a column in points below which `balanced` does not shorten it; width from which text may be in halves."""
PIECE = re.compile(r".{1,1500}(?!\S)|.{1,1500}", re.DOTALL)
"""Up to 1,500 characters to wrap at once, ending at a space if possible; the fonts read at most 2,000."""
SPACES = 2.0, 1.8, 1.6, 1.45, 1.3, 1.15, 1.0, 0.8, 0.6, 0.45, 0.3
"""Multiples of the space between blocks to try, the largest first."""
NARROWER, STUB = (0.95, 0.9, 0.85), 0.2
"""Shares of the width to wrap a text again whose last line is a stub: this share of the first, or less."""

Way = TypeVar("Way")
Laid = TypeVar("Laid", bound=Sized)
Mark = Callable[[Canvas], object]
"""A function that draws one thing on the canvas of its page."""


@dataclass(frozen=True)
class Column(Frame):
    """A rectangle for text on a page; ``page`` is counted from 0."""

    page: int = 0


def page_columns(
    frame: Frame, top: float, shares: Sequence[float] = (1.0,), gap: float = 0.0, first: int = 0
) -> Iterator[Column]:
    """Columns that divide the frame's width by ``shares``, page after page from ``first``, with gaps between them."""
    room = frame.width - gap * (len(shares) - 1)
    for page in count(first):
        left = frame.left
        for share in shares:
            yield Column(left, frame.bottom, left + room * share, top, page)
            left += room * share + gap


@dataclass(frozen=True)
class Paragraph:
    """A paragraph of any length, in type of ``size`` points.

    ``label`` is printed to the left of the first line, within the ``indent``.
    ``above`` is the space above it. A paragraph with ``keep_next`` stays in one column with the next block. For screen
    readers, paragraphs with labels are list items, and bold ones with ``keep_next`` are headings.
    """

    text: str
    size: float = 10.0
    bold: bool = False
    above: float = 3.0
    indent: float = 0.0
    label: str = ""
    label_bold: bool = False
    keep_next: bool = False
    leading: float = LEADING


@dataclass(frozen=True)
class Drawing:
    """A block of fixed height; ``draw`` gets the canvas, and the left end, the top and the width of its column."""

    height: float
    draw: Callable[[Canvas, float, float, float], None]
    above: float = 0.0
    keep_next: bool = False


Block = Paragraph | Drawing


def heading(text: str, size: float = 11.0) -> Drawing:
    def draw(canvas: Canvas, x: float, top: float, width: float) -> None:
        section(canvas, x, top, width, text, size=size)

    return Drawing(section_height(size), draw, above=13, keep_next=True)


@lru_cache(maxsize=1024)
def wrapped_lines(text: str, size: float, width: float, *, bold: bool = False) -> tuple[str, ...]:
    """All lines of a text of any length, none wider than ``width``; the last is no stub if it can be avoided."""
    lines = _lines_of(text, size, width, bold=bold)
    if len(lines) == 1 or len(lines[-1]) > len(lines[0]) * STUB:
        return lines
    narrower = (_lines_of(text, size, width * share, bold=bold) for share in NARROWER)
    ways = lines, *(row for row in narrower if len(row) == len(lines))
    return max(ways, key=lambda row: min(len(row[-1]), len(row[0]) * STUB))


def _lines_of(text: str, size: float, width: float, *, bold: bool) -> tuple[str, ...]:
    lines = [""]
    for piece in PIECE.findall(text.strip()):
        # The last line of a piece may have space for the beginning of the next piece.
        lines[-1:] = wrap(lines[-1] + piece, size, width, bold=bold)
    if len(lines) > 2 and " " not in lines[-1]:  # a lone last word gets company
        before, _, moved = lines[-2].rpartition(" ")
        last = f"{moved} {lines[-1]}"
        if before and text.rstrip().endswith(last) and text_width(last, size, bold=bold) <= width:
            lines[-2:] = before, last
    return tuple(lines)


def _printed(text: str) -> str:
    pieces = PIECE.findall(text.strip())
    return "".join((" " if piece[0].isspace() else "") + plain(piece) for piece in pieces)


def text_height(words: Sequence[Paragraph], width: float) -> float:
    """Height that paragraphs take in a column of this width, with the space above each."""
    lines = [len(wrapped_lines(word.text, word.size, width - word.indent, bold=word.bold)) for word in words]
    return sum(
        paragraph.above + paragraph.size * paragraph.leading * count
        for paragraph, count in zip(words, lines, strict=True)
    )


class Flow:
    """A layout in progress: the pages so far, the current column, and ``y``, the height down to which it is filled."""

    def __init__(self, columns: Iterator[Column], spacing: float = 1.0) -> None:
        """Start in the first of the ``columns``, an endless iterator. ``spacing`` scales the space above each block."""
        self.columns, self.spacing = columns, spacing
        self.pages: list[list[Mark]] = []
        self.items = object()
        self.row_pages: list[int] = []
        """The page of each row of the tables."""
        self.next_column()

    def __len__(self) -> int:
        return len(self.pages)

    def next_column(self) -> None:
        self.go_on(next(self.columns))

    def go_on(self, column: Column) -> None:
        """Leave the rest of this column empty and continue in ``column``, which need not be a planned one."""
        self.column = column
        self.y = column.top
        while len(self.pages) <= column.page:
            self.pages.append([])

    def put(self, blocks: Sequence[Block]) -> None:
        """Add blocks below each other; a block that does not fit continues in the next column."""
        if self.spacing != 1:
            blocks = [replace(block, above=block.above * self.spacing) for block in blocks]
        for place, block in enumerate(blocks):
            if self.is_full(blocks[place:]):
                self.next_column()
            if isinstance(block, Paragraph):
                self._words(block)
            else:
                self._drawing(block)

    def put_halves(
        self, blocks: Sequence[Block], gap: float = 18.0, *, head: Sequence[Block] = (), alone: Sequence[Block] = ()
    ) -> None:
        """Add blocks in two balanced columns below their ``head`` if a wide page has room for them, or else these, or
        those ``alone``, in one."""
        column, page = self.column, self.column.page

        def lay_out(room: Frame) -> "Flow":
            columns = (Column(half.left, half.bottom, half.right, half.top, page) for half in room.halves(gap))
            laid = Flow(chain(columns, page_columns(room, 1e6, first=page + 1)), self.spacing)
            laid.put(blocks)
            return laid

        first = [
            replace(block, above=block.above * self.spacing * (place > 0 or not self._fresh), keep_next=True)
            for place, block in enumerate((*head, *blocks[:1]))
        ]
        high = self.needed(first) - self.needed([replace(block, above=0.0) for block in first[-1:]])
        laid = balanced(lay_out, replace(column, top=self.y - high))
        if not blocks or column.width < WIDE or len(laid) > page + 1:
            self.put([*head, *(alone or blocks)])
        else:
            self.put(head)
            self.pages[page] += laid.pages[page]
            self.y = laid.column.bottom

    def is_full(self, blocks: Sequence[Block]) -> bool:
        needed = self.needed(blocks)
        if needed > self.column.height:
            needed = self.needed(blocks[:1])
        return not self._fresh and self.y - needed < self.column.bottom

    @property
    def _fresh(self) -> bool:
        return self.y == self.column.top

    def needed(self, blocks: Sequence[Block]) -> float:
        """Height of the first block and those it is kept with; of a long paragraph only two lines count."""
        needed = 0.0
        for block in blocks:
            if isinstance(block, Drawing):
                needed += block.above + block.height
            elif block.text.strip():  # others print nothing
                lines = len(self._lines(block))
                lines = lines if lines < (12 if block.keep_next else MIN_SPLIT) else 2
                needed += block.above + block.size * block.leading * lines
            if not block.keep_next:
                break
        return needed

    def _lines(self, words: Paragraph) -> tuple[str, ...]:
        return wrapped_lines(words.text, words.size, self.column.width - words.indent, bold=words.bold)

    def _words(self, words: Paragraph, item: object = None) -> None:
        """Add a paragraph; ``item`` is the key of the list item that it continues."""
        words = replace(words, text=_printed(words.text))
        if not words.text:
            return
        step = words.size * words.leading
        top = self.y if self._fresh else self.y - words.above
        lines = self._lines(words)
        fitting = max(1, int((top - self.column.bottom) / step + 0.001))
        if fitting < len(lines):
            # At least two lines stay together, in this column and in the next.
            fitting = max(1, min(fitting, len(lines) - 2))
        if words.label:
            item = object()
        self._mark_words(words, lines[:fitting], top, item)
        self.y = top - step * len(lines[:fitting])
        if fitting < len(lines):
            # The rest is wrapped again, because the next column may have another width.
            rest = words.text
            for line in lines[:fitting]:
                rest = rest[len(line) :].lstrip()
            self.next_column()
            self._words(replace(words, text=rest, label=""), item)

    def _mark_words(self, words: Paragraph, lines: Sequence[str], top: float, item: object) -> None:
        column, size, base = self.column, words.size, top - words.size
        if not item:
            self.items = object()
        path: tuple[Within, ...] = (("L", self.items), ("LI", item)) if item else ()

        def mark(canvas: Canvas) -> None:
            with part(canvas, "LBody" if item else "H2" if words.bold and words.keep_next else "P", *path):
                if words.label:
                    bold, room = words.label_bold, max(words.indent - 5, words.indent / 2)
                    draw_text(canvas, column.left, base, words.label, size, bold=bold, max_width=room, min_size=7)
                fitted = Fitted(tuple(lines), size, leading=words.leading, bold=words.bold)
                draw_fitted(canvas, column.left + words.indent, base, fitted)

        self.pages[column.page].append(mark)

    def _drawing(self, drawing: Drawing) -> None:
        column = self.column
        top = self.y if self._fresh else self.y - drawing.above
        self.items = object()
        self.pages[column.page].append(lambda canvas: drawing.draw(canvas, column.left, top, column.width))
        self.y = top - drawing.height


def largest(ways: Sequence[Way], pages: Callable[[Way], float]) -> Way:
    """The largest of ``ways`` that needs no more ``pages`` than the last; each needs no more than the one before it."""
    fewest = pages(ways[-1])
    return ways[bisect_left(ways[:-1], True, key=lambda way: pages(way) <= fewest)]


def first_of(ways: Sequence[Way], pages: Callable[[Way], float]) -> Way:
    """The first of ``ways``, the best ones first, that needs no more ``pages`` than the last."""
    fewest = pages(ways[-1])
    return next(way for way in ways if pages(way) <= fewest)


def balanced(lay: Callable[[Frame], Laid], frame: Frame) -> Laid:
    """What ``lay`` lays out in a frame, with columns and pages about equally full.

    The bottom of the frame is raised by as many steps of 10 points as need no further page.
    """
    fewest = len(lay(frame))
    steps = range(1 + max(0, ceil((frame.height - MIN_COLUMN_HEIGHT) / 10)))
    raised = [replace(frame, bottom=frame.bottom + 10 * step) for step in steps]
    first_too_many = bisect_left(raised, True, key=lambda a_frame: len(lay(a_frame)) > fewest)
    return lay(raised[max(0, first_too_many - 1)])


@dataclass(frozen=True)
class Chapter:
    """Pages with a common title, the notes below it, printed ``large`` to be read from a distance, and what they draw.

    ``entry`` is the text of the outline entry, if it differs from the title; it is ``nested`` below the last top-level
    one. With ``again`` it continues the chapter before, so that screen readers skip its head.
    """

    title: str
    notes: Sequence[str]
    pages: Sequence[Sequence[Mark]]
    entry: str = ""
    nested: bool = False
    large: bool = False
    again: bool = False


def draw_chapters(paper: Paper, parts: Sequence[Chapter]) -> None:
    number, of = 0, sum(len(a_chapter.pages) for a_chapter in parts)
    for chapter in parts:
        for place, marks in enumerate(chapter.pages):
            number += 1
            if not place:
                bookmark(paper, chapter.entry or chapter.title, nested=chapter.nested)
            with part(paper.canvas, "Artifact") if chapter.again or place else nullcontext():
                headline(paper, chapter.title, chapter.notes, large=chapter.large)
            for mark in marks:
                mark(paper.canvas)
            foot(paper, chapter.title, number, of)
            next_page(paper)


def draw_rows(
    paper: Paper, flow: Flow, title: str, notes: Sequence[str], part: Callable[[int, int], str], *, large: bool = False
) -> None:
    """Draw the pages of a table below its title; ``part`` of several, by its first and last row, names each of them."""
    first = [bisect_left(flow.row_pages, page) for page in range(len(flow.pages) + 1)]
    parts = [part(start, end - 1) if len(flow.pages) > 1 else title for start, end in pairwise(first)]
    named = enumerate(zip(parts, flow.pages, strict=True))
    draw_chapters(paper, [Chapter(text, notes, [page], large=large, again=n > 0) for n, (text, page) in named])
