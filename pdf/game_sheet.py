"""The game's own sheets: force lists, army sheets, characters, in blocks of figures, tables, tracks and texts."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import combinations, groupby
from math import hypot
from typing import Literal

from reportlab.pdfgen.canvas import Canvas

from pdf.cuts import draw_pieces, equal_pieces
from pdf.flow import SPACES, Chapter, Drawing, Flow, Mark, Paragraph, balanced, draw_chapters, largest, page_columns
from pdf.fonts import Fitted, draw_fitted, draw_text, fit
from pdf.page import (
    GREY,
    INK,
    LINE,
    PAPER,
    Frame,
    Paper,
    block,
    bookmark,
    foot,
    frame_of,
    headline,
    headline_height,
    next_page,
    oriented,
    rule,
)
from pdf.rows import put_table, titled
from pdf.table import Table, least_width
from pdf.tracks import side_by_side, tracks
from validators.sheet import Derived, LabelledFigures, Lines, Track

PAD = 4.0
FIGURES_ACROSS = 4
MIN_NUMBER, HOLDER = 7.0, 9.5
"""Minimum type size of the numbers on a map, and size of the initials of who holds a place."""
TOUCHING = 0.42
"""Maximum radius of a place on a map, as a share of the shortest distance between two."""
LISTS, SCALES = (1.35, 1.25), (1.15, 1.08, 1.0, 0.95)
"""Scales of a sheet to try, the largest first; those of a player differ little, because they lie side by side."""
KEPT = 0.4
"""Blocks below one title are not split if that leaves at most this share of a page empty."""
TITLE_SPACE, ABOVE_FOOT = 13.0, 9.0
"""Space above a title, and above the foot where it needs no further page, in points."""
MAP_SHARE = 0.62
"""Maximum height of a map, as a share of the page's."""


@dataclass(frozen=True)
class SheetMap:
    """Places to number on a map: x and y in percent from the left and the top, and who holds it, as initials, or "".

    Roads are pairs of places by index.
    """

    title: str
    places: tuple[tuple[float, float, str], ...]
    roads: tuple[tuple[int, int], ...] = ()


SheetBlock = LabelledFigures | Table | Track | Lines | SheetMap


@dataclass(frozen=True)
class GameSheet:
    """A sheet: its title, the lines below it, and its blocks. Sheets in a row of one ``owner`` share page numbers."""

    title: str
    notes: tuple[str, ...]
    blocks: tuple[SheetBlock, ...]
    owner: str = ""


def draw_game_sheets(paper: Paper, sheets: Sequence[GameSheet], each: int = 1, sides: Literal[1, 2] = 1) -> None:
    """Draw the sheets; each begins on a new page, or up to ``each`` are on a page to be cut apart, if all fit there.

    Printed on both ``sides``, each owner's sheets begin on a new leaf.
    """
    paper = oriented(paper, landscape=False)
    if paper.size != "A5" and any(_draw_pieces(paper, sheets, number) for number in range(each, 1, -1)):
        return
    for _, owned in groupby(sheets, key=lambda sheet: sheet.owner):
        chapters = [Chapter(sheet.title, sheet.notes, _pages(sheet, paper.frame)) for sheet in owned]
        draw_chapters(paper, chapters)
        if sides == 2 and sum(len(chapter.pages) for chapter in chapters) % 2:
            next_page(paper)


def _draw_pieces(paper: Paper, sheets: Sequence[GameSheet], each: int) -> bool:
    """Draw ``each`` sheets to a page, in an order for stack cutting, or nothing if a sheet needs more room."""
    cutting = equal_pieces(paper, each)
    frame = cutting.pieces[0]
    pages_by_sheet = [_pages(sheet, frame_of(frame.width, frame.height)) for sheet in sheets]
    if any(len(pages) > 1 for pages in pages_by_sheet):
        return False

    def draw(piece: Paper, number: int, sheet: GameSheet) -> None:
        bookmark(piece, sheet.title)
        headline(piece, sheet.title, sheet.notes)
        for mark in pages_by_sheet[number - 1][0]:
            mark(piece.canvas)
        foot(piece, sheet.title, number, len(sheets))

    draw_pieces(paper, sheets, cutting, draw)
    return True


def _pages(sheet: GameSheet, frame: Frame) -> list[list[Mark]]:
    """The pages of a sheet in the largest scale, then with the most space, that adds no page."""
    key = object()
    tables = [block for block in sheet.blocks if isinstance(block, Table)]
    clear = [replace(frame, bottom=frame.bottom + space) for space in (ABOVE_FOOT, 0.0)]
    frame = largest(clear, lambda a_frame: len(_laid(sheet, key, a_frame, SCALES[-1], SPACES[-1])))
    scales = [
        scale for scale in (*(LISTS if not sheet.owner else ()), *SCALES[:-1])
        if all(least_width(table, width=frame.width / scale) <= frame.width / scale for table in tables)
    ] + [SCALES[-1]]  # fmt: skip
    laid = cache(partial(_laid, sheet, key, frame))
    scale, _ = largest([*((scale, 1.0) for scale in scales), (SCALES[-1], SPACES[-1])], lambda way: len(laid(*way)))
    space = largest(SPACES, lambda one: len(laid(scale, one)))
    flow = laid(scale, space)
    if len(flow) > 1:
        flow = balanced(
            lambda raised: _laid(sheet, key, frame, scale, space, (raised.bottom - frame.bottom) / scale), frame
        )
    return [[partial(_enlarged, frame=frame, scale=scale, marks=page)] for page in flow.pages]


def _laid(sheet: GameSheet, key: object, frame: Frame, scale: float, space: float, free: float = 0.0) -> Flow:
    """A sheet in this scale, with this multiple of the space between blocks; below 1 rows of tables are lower, too.

    Blocks below one title stay together, if that leaves little of a page empty. Tables are measured once for a ``key``.
    """
    top = (frame.top - headline_height(frame, sheet.notes) - 6 - frame.bottom) / scale
    room = Frame(0.0, free, frame.width / scale, top)
    flow = Flow(page_columns(room, top), space)
    groups: list[list[SheetBlock]] = [[]]
    for a_block in sheet.blocks:
        groups += [[]] if a_block.title else []
        groups[-1].append(a_block)
    for group in filter(None, groups):
        left = flow.y - room.bottom
        if flow.y < top and left < KEPT * room.height:
            alone = Flow(page_columns(room, top), space)
            _put(alone, group, room, key)
            if len(alone.pages) == 1 and left < top - alone.y + TITLE_SPACE * space:
                flow.next_column()
        _put(flow, group, room, key)
    return flow


def _enlarged(canvas: Canvas, *, frame: Frame, scale: float, marks: Sequence[Mark]) -> None:
    canvas.saveState()
    canvas.translate(frame.left, frame.bottom)
    canvas.scale(scale, scale)
    for mark in marks:
        mark(canvas)
    canvas.restoreState()


def _put(flow: Flow, blocks: Sequence[SheetBlock], frame: Frame, key: object) -> None:
    """Add blocks below each other; a table that goes on in another column has their title again."""
    again = titled(blocks[0].title)
    for shown in blocks:
        match shown:
            case LabelledFigures():
                rows: Sequence[Drawing | Paragraph] = _figures(shown, frame.width)
            case Table():
                tight = min(1.0, 0.8 + 0.2 * flow.spacing)
                narrow = shown.narrow or least_width(shown) > frame.width
                write = shown.write * max(tight if any(map(any, shown.rows)) else 1.0, 0.6 + 0.4 * flow.spacing)
                fitted = replace(shown, narrow=narrow, padding=shown.padding * tight**4, write=write)
                put_table(flow, fitted, again=again, key=(key, id(shown)))
                continue
            case Track():
                rows = tracks(shown, frame.width)
            case SheetMap():
                rows = [_map(shown, min(frame.width, frame.top * MAP_SHARE))]
            case Lines():
                rows = [Paragraph(line) for line in shown.lines]
        flow.put([*titled(shown.title), *rows])


def _figures(block: LabelledFigures, width: float) -> list[Drawing]:
    step = width / FIGURES_ACROSS
    drawn, lefts = (
        [_figure(figure, step - 2 * PAD) for figure in block.figures],
        [n * step for n in range(FIGURES_ACROSS)],
    )
    return [side_by_side(drawn[n : n + FIGURES_ACROSS], lefts, 3) for n in range(0, len(drawn), FIGURES_ACROSS)]


def _figure(figure: Derived, room: float) -> Drawing:
    how = fit(figure.how, 8, room, min_size=8, max_lines=99, leading=9.5 / 8) if figure.how else Fitted((), 8)

    def draw(canvas: Canvas, x: float, top: float, width: float) -> None:
        draw_text(canvas, x, top - 9, figure.label, 8, max_width=room)
        draw_text(canvas, x, top - 24, figure.value, 14, bold=True, max_width=room, min_size=8)
        draw_fitted(canvas, x, top - 34.5, how)

    return Drawing(28.5 + how.height + PAD, draw)


def _map(drawn: SheetMap, side: float) -> Drawing:
    pad = side / 24
    between = (hypot(a[0] - b[0], a[1] - b[1]) for a, b in combinations(drawn.places, 2))
    radius = min(side / 32, min(between, default=100.0) / 100 * (side - 2 * pad) * TOUCHING)

    def draw(canvas: Canvas, left: float, top: float, width: float) -> None:
        def at(place: tuple[float, float, str]) -> tuple[float, float]:
            inner = side - 2 * pad
            return left + (width - side) / 2 + pad + inner * place[0] / 100, top - pad - inner * place[1] / 100

        for one, other in drawn.roads:
            rule(canvas, *at(drawn.places[one]), *at(drawn.places[other]), LINE)
        for number, place in enumerate(drawn.places, 1):
            x, y = at(place)
            canvas.setFillGray(GREY if place[2] else PAPER)
            canvas.setLineWidth(LINE)
            canvas.circle(x, y, radius, stroke=1, fill=1)
            size = max(radius, MIN_NUMBER)
            canvas.setFillGray(INK)
            draw_text(canvas, x, y - size * 0.35, str(number), size, bold=True, max_width=2 * radius, align="centre")
            if place[2]:
                holder = fit(place[2], HOLDER, 3 * radius, bold=True)
                base = y - radius - HOLDER
                block(canvas, x - holder.width / 2 - 1, base - 2, holder.width + 2, HOLDER, PAPER)  # over a road
                draw_fitted(canvas, x, base, holder, "centre")

    return Drawing(side, draw, above=4)
