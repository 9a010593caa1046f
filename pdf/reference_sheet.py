"""A game's reference sheet: one page, in the largest type that fits, for players to look things up in a game.

It is a page of the event pack, and can be printed on the back of scoresheets.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product

from reportlab.pdfgen.canvas import Canvas

from languages.words import ENGLISH, N_, gettext, language
from pdf.flow import Block, Chapter, Drawing, Flow, Mark, Paragraph, balanced, first_of, page_columns, wrapped_lines
from pdf.fonts import Fitted, draw_fitted, draw_text, text_width
from pdf.page import Frame, Paper, headline, headline_height, made_once, section, section_height
from pdf.rows import put_table
from pdf.table import Col, Table
from pdf.tags import afresh
from pdf.tags import part as tag
from validators.sheet import ReferencePart, key_to_readings

SIZES = tuple(size / 4 for size in range(56, 27, -1))
"""Type sizes to try, the largest first: 14 to 7 points, which some languages need on half a page."""
GAP, LEADING, LEAST_SOURCE = 12.0, 1.13, 7.0
MIN_SPACED, SHORT_LABEL, MIN_HEADLINE_FRAME, TITLE_SIZE = 9.0, 13, 450.0, 12.0
"""Below this type size no space is left between lines; the longest first column, in characters, that takes one line;
up to this frame height a title of the last size replaces the black headline."""
NOTE = N_("A summary in our own words. The game’s document decides.")
TRANSLATED = N_("A summary in our own words, translated. The game’s document in English decides.")


@dataclass(frozen=True)
class Reference:
    game: str
    parts: tuple[ReferencePart, ...]

    @property
    def title(self) -> str:
        return gettext("%(game)s, reference sheet", game=self.game)

    @property
    def note(self) -> str:
        """What the sheet is, and what its marks mean."""
        return " ".join(
            filter(None, (gettext(NOTE if language() == ENGLISH else TRANSLATED), key_to_readings(self.parts)))
        )


def draw_reference(paper: Paper, reference: Reference) -> None:
    """Draw the sheet, without a footer, on a page or a piece of one. The last parts are left out if all do not fit."""
    canvas, frame = paper.canvas, paper.frame
    if frame.height > MIN_HEADLINE_FRAME:
        headline(paper, reference.title, [reference.note])
        top = frame.top - headline_height(frame, [reference.note]) - 2
    else:
        top = frame.top - section_height(TITLE_SIZE) - 1
        with tag(canvas, "H1"):
            section(canvas, frame.left, frame.top, frame.width, reference.title, reference.note, size=TITLE_SIZE)
    with afresh(canvas):
        for mark in made_once(paper, ("reference", reference, frame), lambda: _lay_out(reference.parts, frame, top)[0]):
            mark(canvas)


def reference_pages(reference: Reference, frame: Frame, sizes: Sequence[float]) -> Chapter:
    """The sheet as a chapter of a longer document, in the largest type that needs no more pages than the smallest."""
    top = frame.top - headline_height(frame, [reference.note]) - 2
    ways = [(reference.parts, 2, whole, size) for whole, size in product((True, False), sizes)]
    best = first_of(ways, lambda way: len(_pages(frame, top, *way)))
    return Chapter(reference.title, [reference.note], balanced(lambda frame: _pages(frame, top, *best), frame))


def _lay_out(parts: Sequence[ReferencePart], frame: Frame, top: float) -> list[list[Mark]]:
    """The pages in the largest type that needs one page in two columns, or else in three, or else of fewer parts.

    The columns are balanced. Each part stays in one column, or is continued in the next, if that saves a page.
    """
    layouts = [(parts, *way) for way in product((2, 3), (True, False), SIZES)]
    layouts += [(parts[:count], 3, True, SIZES[-1]) for count in range(len(parts) - 1, 0, -1)]
    best = next((layout for layout in layouts if len(_pages(frame, top, *layout, most=1)) == 1), layouts[-1])
    return balanced(lambda frame: _pages(frame, top, *best), frame)


def _pages(
    frame: Frame, top: float, parts: Sequence[ReferencePart], across: int, whole: bool, size: float, most: int = 0
) -> list[list[Mark]]:
    """The pages of a layout. With ``most``, only as many parts as show whether there are more pages."""
    flow = Flow(page_columns(frame, top, [1 / across] * across, GAP))
    for part in parts:
        if whole and flow.y < top:
            alone = Flow(page_columns(frame, top, [1 / across] * across, GAP))
            _put(alone, part, size)
            needed = (top - alone.y) + (0.6 if size >= MIN_SPACED else 0.2) * size
            if flow.y - needed < frame.bottom:
                flow.next_column()
        _put(flow, part, size)
        if most and len(flow.pages) > most:
            break
    return flow.pages


def _put(flow: Flow, part: ReferencePart, size: float) -> None:
    continued = replace(part, title=gettext("%(title)s, continued", title=part.title), source="")
    title, again = (
        [_title(reference_part, size, flow.column.width)] if part.title else [] for reference_part in (part, continued)
    )
    last, white = len(part.lines) - 1, 0.0 if size < MIN_SPACED else size
    item = Paragraph("", size, above=0.15 * white, indent=0.8 * size, label="•", leading=LEADING)
    kept = [place < last and place in (0, last - 1) for place in range(last + 1)]
    lines: list[Block] = [replace(item, text=line, keep_next=keep) for line, keep in zip(part.lines, kept, strict=True)]
    if part.rows:
        columns = [Col(head) for head in part.heads or ("",) * len(part.rows[0])]
        if len(part.rows) > 1 and max(len(row[0]) for row in part.rows) <= SHORT_LABEL:
            columns[0] = replace(columns[0], kind="fixed")
        pad = 0.08 * white if flow.column.height > MIN_HEADLINE_FRAME else 0.0
        table = Table(tuple(columns), part.rows, size=size, padding=pad, keep_size=size > SIZES[-1])
        put_table(flow, replace(table, unsplit=bool(part.heads)), title, again)
    else:
        lines = [*title, *lines]
    for place in range(len(lines)):
        if flow.is_full(lines[place:]):
            flow.next_column()
            flow.put(again if place or part.rows else [])
        flow.put(lines[place : place + 1])


def _title(part: ReferencePart, size: float, width: float) -> Drawing:
    small = max(LEAST_SOURCE, 0.7 * size)
    lines = wrapped_lines(part.title, size + 0.5, width - text_width(part.source, small) - 8, bold=True)
    title = Fitted(lines, size + 0.5, leading=size * LEADING / (size + 0.5), bold=True)

    def draw(canvas: Canvas, left: float, top: float, width: float) -> None:
        with tag(canvas, "H2"):
            draw_fitted(canvas, left, top - size, title)
        draw_text(canvas, left + width, top - size, part.source, small, align="right")

    return Drawing(title.height + 0.1 * size, draw, above=(0.6 if size >= MIN_SPACED else 0.2) * size, keep_next=True)
