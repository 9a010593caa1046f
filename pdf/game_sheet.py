"""A game's own sheets, a force list, an army sheet, a character: blocks of figures, tables, tracks and sentences."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from reportlab.pdfgen.canvas import Canvas

from pdf.flow import (
    Block,
    Chapter,
    Drawing,
    Flow,
    Mark,
    Paragraph,
    draw_chapters,
    even_pages,
    heading,
    page_columns,
    wrapped_lines,
)
from pdf.fonts import Fitted, draw_fitted, draw_text
from pdf.page import INK, LINE, PAPER, Frame, PageSize, finish, headline_height, new_paper, oriented, rule
from pdf.table import WRITE_HEIGHT, Table, least_width, put_table
from pdf.tracks import SheetTrack, side_by_side, tracks

PAD = 4.0
FACTS_ACROSS = 4
SMALLEST = 7.0
"""Of the numbers on a map."""
CLOSER = 0.5
"""Share of the white between blocks that is kept where this spares a page."""
SCALES, SMALLER = (1.35, 1.25, 1.15, 1.08, 1.0), (0.9, 0.8)
"""How much a sheet is enlarged where this takes no further page, and the names of a list made smaller to spare one."""
ABOVE = 13.0
"""White above a title."""
MAP = 0.55
"""The most of a page's height that a map takes."""


@dataclass(frozen=True)
class SheetFigure:
    """A figure: what it is, its value, and how it was calculated."""

    label: str
    value: str
    how: str = ""


@dataclass(frozen=True)
class SheetFigures:
    """Figures side by side."""

    title: str
    figures: tuple[SheetFigure, ...]


@dataclass(frozen=True)
class SheetLines:
    """Sentences."""

    title: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class SheetMap:
    """Numbered places, each at x and y of 100 from the left and the top, black where held, and roads by position."""

    title: str
    places: tuple[tuple[float, float, bool], ...]
    roads: tuple[tuple[int, int], ...] = ()


SheetBlock = SheetFigures | Table | SheetTrack | SheetLines | SheetMap


@dataclass(frozen=True)
class GameSheet:
    """One sheet: its title, the lines below it, and its blocks."""

    title: str
    notes: tuple[str, ...]
    blocks: tuple[SheetBlock, ...]


def game_sheets(sheets: Sequence[GameSheet], event: str, page_size: PageSize, printed_at: datetime) -> bytes:
    """The sheets as one PDF, each beginning on a page of its own. ``printed_at`` must know its zone (ValueError)."""
    name = sheets[0].title if sheets else "Sheet"
    paper = new_paper(page_size, title=name, event=event, printed_at=printed_at)
    paper = oriented(paper, landscape=False)
    laid = []
    for sheet in sheets:
        entry = " · ".join(filter(None, (sheet.title, *sheet.notes[:1])))
        laid.append(Chapter(sheet.title, sheet.notes, _pages(sheet, paper.frame), entry))
    draw_chapters(paper, laid)
    return finish(paper)


def _pages(sheet: GameSheet, frame: Frame) -> list[list[Mark]]:
    """The pages of a sheet, as few as the closest way needs, in the first way that takes no more.

    It is enlarged; else it has less white between its blocks, or parts blocks; a list has smaller names.
    """
    blocks, top = sheet.blocks, frame.top - headline_height(frame, sheet.notes) - 6
    tables = [block for block in blocks if isinstance(block, Table)]
    listed = len(tables) == len(blocks)
    widths = {scale: frame.width / scale for scale in SCALES}
    kept = [scale for scale, wide in widths.items() if all(least_width(one, width=wide) <= wide for one in tables)]
    ways = [(blocks, scale, 1.0, True) for scale in kept or SCALES[-1:]]
    ways += [(blocks, 1.0, CLOSER, True), (blocks, 1.0, 1.0, False), (blocks, 1.0, CLOSER, False)]
    ways += [(_smaller(blocks, share), 1.0, 1.0, False) for share in SMALLER] if listed else []

    def laid(blocks: Sequence[SheetBlock], scale: float, white: float, whole: bool, up: float = 0.0) -> Flow:
        room = Frame(0.0, up, frame.width / scale, (top - frame.bottom) / scale)
        return _laid(blocks, room, white, whole=whole)

    few = len(laid(*ways[-1]).pages)
    way, flow = next((way, flow) for way in ways if len((flow := laid(*way)).pages) <= few)
    if listed:
        flow = even_pages(flow, partial(laid, *way))
    return [[partial(_enlarged, frame=frame, scale=way[1], marks=marks)] for marks in flow.pages]


def _enlarged(canvas: Canvas, *, frame: Frame, scale: float, marks: Sequence[Mark]) -> None:
    canvas.saveState()
    canvas.translate(frame.left, frame.bottom)
    canvas.scale(scale, scale)
    for mark in marks:
        mark(canvas)
    canvas.restoreState()


def _smaller(blocks: Sequence[SheetBlock], share: float) -> tuple[SheetBlock, ...]:
    """Lists with names and rows of this share of their size, but for what a pencil needs."""
    tables = [block for block in blocks if isinstance(block, Table)]
    columns = [tuple(replace(one, size=one.size * share) for one in table.columns) for table in tables]
    found = zip(tables, columns, strict=True)
    least = WRITE_HEIGHT
    return tuple(replace(one, row_height=max(least, one.row_height * share), columns=smaller) for one, smaller in found)


def _laid(blocks: Sequence[SheetBlock], frame: Frame, white: float, *, whole: bool) -> Flow:
    """The blocks with this share of the usual white between them.

    Those under one title stay together where a page can hold them, single ones where they are to be ``whole``.
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
            high = top - alone.y + ABOVE * white
            if len(alone.pages) == 1 and flow.y < top and flow.y - high < frame.bottom:
                flow.next_column()
        _put(flow, group, frame)
    return flow


def _put(flow: Flow, blocks: Sequence[SheetBlock], frame: Frame) -> None:
    """Set these one below the other."""
    for block in blocks:
        match block:
            case SheetFigures():
                found: Sequence[Block] = _figures(block, frame.width)
            case Table():
                put_table(flow, block)
                continue
            case SheetTrack():
                found = tracks(block, frame.width)
            case SheetMap():
                found = [_map(block, min(frame.width, frame.height * MAP))]
            case SheetLines():
                found = [Paragraph(line, 10.0, above=3) for line in block.lines]
        flow.put([heading(block.title), *found] if block.title else found)


def _figures(block: SheetFigures, width: float) -> list[Block]:
    step = width / FACTS_ACROSS
    rows = [block.figures[i : i + FACTS_ACROSS] for i in range(0, len(block.figures), FACTS_ACROSS)]
    return [side_by_side([_figure(one, step - 2 * PAD) for one in row], step, above=3) for row in rows]


def _figure(figure: SheetFigure, room: float) -> Drawing:
    how = Fitted(wrapped_lines(figure.how, 8, room) if figure.how else (), 8, leading=9.5 / 8)

    def draw(canvas: Canvas, x: float, top: float, width: float) -> None:
        draw_text(canvas, x, top - 9, figure.label, 8, max_width=room)
        draw_text(canvas, x, top - 24, figure.value, 14, bold=True, max_width=room, min_size=8)
        draw_fitted(canvas, x, top - 34.5, how)

    return Drawing(28.5 + how.height + PAD, draw)


def _map(block: SheetMap, side: float) -> Drawing:
    radius, pad = side / 32, side / 24

    def draw(canvas: Canvas, left: float, top: float, width: float) -> None:
        def at(place: tuple[float, float, bool]) -> tuple[float, float]:
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
            size = max(radius, SMALLEST)
            draw_text(canvas, x, y - size * 0.35, str(number), size, bold=True, max_width=2 * radius, align="centre")
        canvas.setFillGray(INK)

    return Drawing(side, draw, above=4)
