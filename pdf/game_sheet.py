"""The game's own sheets: force lists, army sheets, characters.

A sheet has blocks of figures, tables, tracks and texts.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from itertools import groupby

from reportlab.pdfgen.canvas import Canvas

from pdf.flow import Block, Chapter, Drawing, Flow, Mark, Paragraph, draw_chapters, even_pages, heading, page_columns
from pdf.fonts import Fitted, draw_fitted, draw_text, fit
from pdf.page import INK, LINE, PAPER, Frame, PageSize, finish, headline_height, new_paper, oriented, rule
from pdf.table import WRITE_HEIGHT, Table, least_width, put_table
from pdf.tracks import side_by_side, tracks
from validators.sheet import Derived, Facts, Lines, Track

PAD = 4.0
FIGURES_ACROSS = 4
MIN_NUMBER = 7.0
"""Minimum type size of the numbers on a map."""
COMPACT = 0.5
"""Share of the space between blocks that is kept if this saves a page."""
SCALES, NAME_SCALES = (1.35, 1.25, 1.15, 1.08, 1.0), (0.9, 0.8)
"""Scales to enlarge a sheet by if it needs no more pages; scales for the names of a list if they save a page."""
TITLE_SPACE = 13.0
"""Space above a title, in points."""
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
    """A sheet: its title, the lines below it, and its blocks. Sheets in a row of one ``owner`` share page numbers."""

    title: str
    notes: tuple[str, ...]
    blocks: tuple[SheetBlock, ...]
    owner: str = ""


def game_sheets(sheets: Sequence[GameSheet], event: str, page_size: PageSize, printed_at: datetime) -> bytes:
    """The sheets as one PDF; each begins on a new page."""
    name = sheets[0].title if sheets else "Sheet"
    paper = new_paper(page_size, title=name, event=event, printed_at=printed_at)
    paper = oriented(paper, landscape=False)
    for _, owned in groupby(sheets, key=lambda sheet: sheet.owner):
        laid = [(sheet, " · ".join(filter(None, (sheet.title, *sheet.notes[:1])))) for sheet in owned]
        draw_chapters(paper, [Chapter(one.title, one.notes, _pages(one, paper.frame), entry) for one, entry in laid])
    return finish(paper)


def _pages(sheet: GameSheet, frame: Frame) -> list[list[Mark]]:
    """The pages of a sheet: the first layout in a list that needs no more pages than the most compact one.

    The list begins with enlarged layouts; then come less space between blocks, blocks split between pages, and for
    lists smaller names.
    """
    blocks, top = sheet.blocks, frame.top - headline_height(frame, sheet.notes) - 6
    tables = [block for block in blocks if isinstance(block, Table)]
    listed = len(tables) == len(blocks)
    widths = {scale: frame.width / scale for scale in SCALES}
    scales = [scale for scale, width in widths.items() if all(least_width(one, width=width) <= width for one in tables)]
    layouts = [(blocks, scale, 1.0, True) for scale in scales or SCALES[-1:]]
    layouts += [(blocks, 1.0, COMPACT, True), (blocks, 1.0, 1.0, False), (blocks, 1.0, COMPACT, False)]
    layouts += [(_smaller(blocks, share), 1.0, 1.0, False) for share in NAME_SCALES] if listed else []

    def laid(blocks: Sequence[SheetBlock], scale: float, white: float, whole: bool, free: float = 0.0) -> Flow:
        room = Frame(0.0, free, frame.width / scale, (top - frame.bottom) / scale)
        return _lay_out(blocks, room, white, whole=whole)

    page_count = len(laid(*layouts[-1]).pages)
    layout, flow = next((layout, flow) for layout in layouts if len((flow := laid(*layout)).pages) <= page_count)
    if listed:
        flow = even_pages(flow, partial(laid, *layout))
    return [[partial(_enlarged, frame=frame, scale=layout[1], marks=marks)] for marks in flow.pages]


def _enlarged(canvas: Canvas, *, frame: Frame, scale: float, marks: Sequence[Mark]) -> None:
    canvas.saveState()
    canvas.translate(frame.left, frame.bottom)
    canvas.scale(scale, scale)
    for mark in marks:
        mark(canvas)
    canvas.restoreState()


def _smaller(blocks: Sequence[SheetBlock], share: float) -> tuple[SheetBlock, ...]:
    """The tables with names and rows at this share of their size; rows to write in keep their minimum height."""
    tables = [block for block in blocks if isinstance(block, Table)]
    columns = [tuple(replace(one, size=one.size * share) for one in table.columns) for table in tables]
    found = zip(tables, columns, strict=True)
    least = WRITE_HEIGHT
    return tuple(replace(one, row_height=max(least, one.row_height * share), columns=smaller) for one, smaller in found)


def _lay_out(blocks: Sequence[SheetBlock], frame: Frame, white: float, *, whole: bool) -> Flow:
    """Lay out the blocks; ``white`` is the share of the usual space between them.

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
            _put(alone, group, frame)
            height = top - alone.y + TITLE_SPACE * white
            if len(alone.pages) == 1 and flow.y < top and flow.y - height < frame.bottom:
                flow.next_column()
        _put(flow, group, frame)
    return flow


def _put(flow: Flow, blocks: Sequence[SheetBlock], frame: Frame) -> None:
    """Add blocks below each other."""
    for block in blocks:
        match block:
            case Facts():
                found: Sequence[Block] = _figures(block, frame.width)
            case Table():
                put_table(flow, block)
                continue
            case Track():
                found = tracks(block, frame.width)
            case SheetMap():
                found = [_map(block, min(frame.width, frame.height * MAP_SHARE))]
            case Lines():
                found = [Paragraph(line, 10.0, above=3) for line in block.lines]
        flow.put([heading(block.title), *found] if block.title else found)


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
    radius, pad = side / 32, side / 24

    def draw(canvas: Canvas, left: float, top: float, width: float) -> None:
        def at(place: tuple[float, float, str]) -> tuple[float, float]:
            inner = side - 2 * pad
            return left + (width - side) / 2 + pad + inner * place[0] / 100, top - pad - inner * place[1] / 100

        for one, other in block.roads:
            rule(canvas, *at(block.places[one]), *at(block.places[other]), LINE)
        canvas.setLineWidth(LINE)
        for number, place in enumerate(block.places, 1):
            x, y = at(place)
            canvas.setFillGray(INK if place[2] else PAPER)
            canvas.circle(x, y, radius, stroke=1, fill=1)
            canvas.setFillGray(PAPER if place[2] else INK)
            size = max(radius, MIN_NUMBER)
            draw_text(canvas, x, y - size * 0.35, str(number), size, bold=True, max_width=2 * radius, align="centre")
            canvas.setFillGray(INK)
            draw_text(canvas, x, y - radius - 7, place[2], 7, bold=True, max_width=3 * radius, align="centre")

    return Drawing(side, draw, above=4)
