"""The game's own sheets: force lists, army sheets, characters.

A sheet has blocks of figures, tables, tracks and texts.
"""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache, partial
from itertools import combinations, groupby
from math import hypot
from typing import Literal

from reportlab.pdfgen.canvas import Canvas

from languages.words import gettext
from pdf.cuts import Each, draw_pieces, equal_pieces
from pdf.flow import Block, Chapter, Drawing, Flow, Mark, Paragraph, draw_chapters, even_pages, heading, page_columns
from pdf.fonts import Fitted, draw_fitted, draw_text, fit, text_width
from pdf.page import (
    INK,
    LINE,
    PAPER,
    SIZES,
    Frame,
    PageSize,
    Paper,
    bookmark,
    finish,
    foot,
    frame_of,
    headline,
    headline_height,
    new_paper,
    next_page,
    oriented,
    rule,
)
from pdf.table import TICK_SIDE, WRITE_HEIGHT, Table, least_width, put_table
from pdf.tracks import side_by_side, tracks
from validators.sheet import Derived, Facts, Lines, Track

PAD = 4.0
FIGURES_ACROSS = 4
MIN_NUMBER = 7.0
"""Minimum type size of the numbers on a map."""
TOUCHING = 0.42
"""Maximum radius of a place on a map, as a share of the shortest distance between two."""
COMPACT = 0.3
"""Share of the space between blocks that is kept if this saves a page."""
SCALES, SHARES, LEAST_TYPE = (1.35, 1.25, 1.15, 1.08, 1.0), (1.0, 0.9, 0.8, 0.7), 7.5
"""Scales to enlarge a sheet by if it needs no more pages; shares of type and rows if they save a page; least type."""
Layout = tuple[float, float, float, bool]
LAYOUTS: tuple[Layout, ...] = (
    *((1.0, scale, 1.0, True) for scale in SCALES), *((share, 1.0, COMPACT, True) for share in SHARES),
    (1.0, 1.0, 1.0, False), *((share, 1.0, COMPACT, False) for share in SHARES),
)  # fmt: skip
"""The largest first: the share of type and rows, the scale, the share of space between blocks, unsplit blocks."""
HEADING, TITLE_SPACE = 11.0, 13.0
"""Type size of a title and space above it, in points."""
MAP_SHARE = 0.55
"""Maximum height of a map, as a share of the page's."""


@dataclass(frozen=True)
class SheetMap:
    """Places to number on a map: x and y in percent from the left and the top, and who holds it, as initials, or "".

    Roads are pairs of places by index.
    """

    title: str
    places: tuple[tuple[float, float, str], ...]
    roads: tuple[tuple[int, int], ...] = ()


SheetBlock = Facts | Table | Track | Lines | SheetMap


@dataclass(frozen=True)
class GameSheet:
    """A sheet: its title, the lines below it, and its blocks. Sheets in a row of one ``owner`` share page numbers.

    ``least`` is the least share of its type's size that may save a page.
    """

    title: str
    notes: tuple[str, ...]
    blocks: tuple[SheetBlock, ...]
    owner: str = ""
    least: float = 0.0


def game_sheets(
    sheets: Sequence[GameSheet], event: str, page_size: PageSize, printed_at: datetime, each: Each = 1,
    sides: Literal[1, 2] = 1
) -> bytes:  # fmt: skip
    """The sheets as one PDF; each begins on a new page, or ``each`` are on a page to be cut apart if all fit there.

    Printed on both ``sides``, each owner's sheets begin on a new leaf.
    """
    name = sheets[0].title if sheets else gettext("Sheet")
    paper = new_paper(page_size, title=name, event=event, printed_at=printed_at)
    paper = oriented(paper, landscape=False)
    if each == 2 and page_size != "A5" and _draw_halves(paper, sheets):
        return finish(paper)
    for _, owned in groupby(sheets, key=lambda sheet: sheet.owner):
        laid = [(sheet, " · ".join(filter(None, (sheet.title, *sheet.notes[:1])))) for sheet in owned]
        chapters = [Chapter(one.title, one.notes, _pages(one, paper.frame), entry) for one, entry in laid]
        draw_chapters(paper, chapters)
        if sides == 2 and sum(len(one.pages) for one in chapters) % 2:
            next_page(paper)
    return finish(paper)


def _draw_halves(paper: Paper, sheets: Sequence[GameSheet]) -> bool:
    """Draw two sheets on each page, in an order for stack cutting. Draws nothing if a sheet needs more than a half."""
    cutting = equal_pieces(paper, 2)
    half = cutting.pieces[0]
    found = [_pages(sheet, frame_of(half.width, half.height)) for sheet in sheets]
    if any(len(pages) > 1 for pages in found):
        return False

    def draw(piece: Paper, number: int, sheet: GameSheet) -> None:
        bookmark(piece, sheet.title)
        headline(piece, sheet.title, sheet.notes)
        for mark in found[number - 1][0]:
            mark(piece.canvas)
        foot(piece, sheet.title, number, len(sheets))

    draw_pieces(paper, sheets, cutting, draw)
    return True


def _pages(sheet: GameSheet, frame: Frame) -> list[list[Mark]]:
    """The pages of a sheet: the first layout in a list that needs no more pages than the most compact one.

    On paper that needs more pages than A4, type is no larger than on A4.
    """
    layout, flow = _layout(sheet, frame)
    on_a4, largest = frame_of(*SIZES["A4"]), layout
    if frame.height < on_a4.height:
        largest, pages = _layout(sheet, on_a4)
        layout, flow = _layout(sheet, frame, largest) if len(flow.pages) > len(pages.pages) else (layout, flow)
    flow = even_pages(flow, partial(_laid, sheet, frame, layout))
    return [[partial(_enlarged, frame=frame, scale=layout[1], marks=marks)] for marks in flow.pages]


def _layout(sheet: GameSheet, frame: Frame, largest: Layout = LAYOUTS[0]) -> tuple[Layout, Flow]:
    """A layout, from the ``largest`` allowed on, that needs as few pages as the last one, and its pages.

    It is the largest, as far as a larger one never needs fewer pages: a long sheet is laid out a few times only.
    """
    tables = [block for block in sheet.blocks if isinstance(block, Table)]
    widths = {scale: frame.width / scale for scale in SCALES}
    fits = {scale for scale, width in widths.items() if all(least_width(one, width=width) <= width for one in tables)}
    least = max(sheet.least, SHARES[-1 if len(tables) == len(sheet.blocks) else -2])  # lists may be smaller
    layouts = [
        one for one in LAYOUTS[LAYOUTS.index(largest) :] if one[1] in fits | {1.0} and one[0] >= max(least, sheet.least)
    ]
    laid = cache(partial(_laid, sheet, frame))
    fewest = len(laid(layouts[-1]).pages)
    found = layouts[bisect_left(layouts, True, hi=len(layouts) - 1, key=lambda one: len(laid(one).pages) <= fewest)]
    return found, laid(found)


def _laid(sheet: GameSheet, frame: Frame, layout: Layout, free: float = 0.0) -> Flow:
    share, scale, white, whole = layout
    top = frame.top - headline_height(frame, sheet.notes) - 6
    room = Frame(0.0, free, frame.width / scale, (top - frame.bottom) / scale)
    return _lay_out([_smaller(block, share) for block in sheet.blocks], room, white, share, whole=whole)


def _enlarged(canvas: Canvas, *, frame: Frame, scale: float, marks: Sequence[Mark]) -> None:
    canvas.saveState()
    canvas.translate(frame.left, frame.bottom)
    canvas.scale(scale, scale)
    for mark in marks:
        mark(canvas)
    canvas.restoreState()


def _smaller(block: SheetBlock, share: float) -> SheetBlock:
    """A table with type and rows at this share of their size, but no type below the least one."""
    if not isinstance(block, Table):
        return block
    columns = tuple(replace(one, size=one.size * share) for one in block.columns)
    size = max(min(block.size, LEAST_TYPE), block.size * share)
    row = max(min(block.row_height, WRITE_HEIGHT), block.row_height * share)
    return replace(
        block,
        columns=columns,
        size=size,
        row_height=row,
        padding=block.padding * share**3,
        write=block.write * share,
        tick_side=max(TICK_SIDE, block.tick_side * share),
    )


def _lay_out(blocks: Sequence[SheetBlock], frame: Frame, white: float, share: float, *, whole: bool) -> Flow:
    """Lay out the blocks; ``white`` is the share of the usual space between them, ``share`` that of type.

    Blocks below one title are kept together if a page can hold them; with ``whole`` each single block is, too.
    """
    top = frame.top
    flow = Flow(page_columns(frame, top), white)
    groups: list[list[SheetBlock]] = []
    for block in blocks:
        if block.title or not groups:
            groups.append([])
        groups[-1].append(block)
    for group in groups:
        if whole or len(group) > 1:
            alone = Flow(page_columns(frame, top), white)
            _put(alone, group, frame, share)
            height = top - alone.y + TITLE_SPACE * white
            if len(alone.pages) == 1 and flow.y < top and flow.y - height < frame.bottom:
                flow.next_column()
        _put(flow, group, frame, share)
    return flow


def _put(flow: Flow, blocks: Sequence[SheetBlock], frame: Frame, share: float) -> None:
    """Add blocks below each other."""
    for block in blocks:
        match block:
            case Facts():
                found: Sequence[Block] = _figures(block, frame.width)
            case Table():
                put_table(flow, block, [heading(block.title, HEADING * share)] if block.title else ())
                continue
            case Track():
                found = tracks(block, frame.width, share)
            case SheetMap():
                found = [_map(block, min(frame.width, frame.height * MAP_SHARE))]
            case Lines():
                found = [Paragraph(line, 10.0 * share, above=3) for line in block.lines]
        flow.put([heading(block.title, HEADING * share), *found] if block.title else found)


def _figures(block: Facts, width: float) -> list[Block]:
    step = width / FIGURES_ACROSS
    rows = [block.figures[i : i + FIGURES_ACROSS] for i in range(0, len(block.figures), FIGURES_ACROSS)]
    lefts = [place * step for place in range(FIGURES_ACROSS)]
    return [side_by_side([_figure(one, step - 2 * PAD) for one in row], lefts, above=3) for row in rows]


def _figure(figure: Derived, room: float) -> Drawing:
    how = fit(figure.how, 8, room, min_size=8, max_lines=99, leading=9.5 / 8) if figure.how else Fitted((), 8)

    def draw(canvas: Canvas, x: float, top: float, width: float) -> None:
        draw_text(canvas, x, top - 9, figure.label, 8, max_width=room)
        draw_text(canvas, x, top - 24, figure.value, 14, bold=True, max_width=room, min_size=8)
        draw_fitted(canvas, x, top - 34.5, how)

    return Drawing(28.5 + how.height + PAD, draw)


def _map(block: SheetMap, side: float) -> Drawing:
    pad = side / 24
    between = (hypot(a[0] - b[0], a[1] - b[1]) for a, b in combinations(block.places, 2))
    radius = min(side / 32, min(between, default=100.0) / 100 * (side - 2 * pad) * TOUCHING)

    def draw(canvas: Canvas, left: float, top: float, width: float) -> None:
        def at(place: tuple[float, float, str]) -> tuple[float, float]:
            inner = side - 2 * pad
            return left + (width - side) / 2 + pad + inner * place[0] / 100, top - pad - inner * place[1] / 100

        for one, other in block.roads:
            rule(canvas, *at(block.places[one]), *at(block.places[other]), LINE)
        canvas.setLineWidth(LINE)
        for number, place in enumerate(block.places, 1):
            x, y = at(place)
            if place[2]:  # no road crosses the letters
                wide = min(text_width(place[2], 7, bold=True), 3 * radius) + 2
                canvas.setFillGray(PAPER)
                canvas.rect(x - wide / 2, y - radius - 8.5, wide, 8, stroke=0, fill=1)
            canvas.setFillGray(INK if place[2] else PAPER)
            canvas.circle(x, y, radius, stroke=1, fill=1)
            canvas.setFillGray(PAPER if place[2] else INK)
            size = max(radius, MIN_NUMBER)
            draw_text(canvas, x, y - size * 0.35, str(number), size, bold=True, max_width=2 * radius, align="centre")
            canvas.setFillGray(INK)
            draw_text(canvas, x, y - radius - 7, place[2], 7, bold=True, max_width=3 * radius, align="centre")

    return Drawing(side, draw, above=4)
