"""The rows of a table, as high as their text; in further columns and pages of a `Flow` its heads repeat.

Tables to write in have rules between the rows; others shade each second row, unless they ask for rules or for boxes
around their cells.
"""

from collections.abc import Hashable, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Any

from reportlab.pdfgen.canvas import Canvas

from languages.words import capital
from pdf.flow import Block, Column, Drawing, Flow, Paragraph, balanced, first_of, heading, page_columns, text_height
from pdf.fonts import Align, Fitted, draw_fitted, fit, longest_word, plain, text_width
from pdf.page import GREY, HAIR, INK, LINE, PALE, RULE, Frame, block, box, rule
from pdf.table import (
    BELOW,
    BOX_STEP,
    CLEAR,
    DOT,
    MANY_ROWS,
    PART_GAP,
    TICKED,
    Col,
    Kind,
    Table,
    below_size,
    boxes_in,
    column_widths,
    kept_if_small,
)
from pdf.tags import Within, part

ALIGN: dict[Kind, Align] = {"figure": "right", "centre": "centre"}
MIN_LAST_ROWS, MOST_LINES, LEADING = 3, 12, 1.2
"""Minimum number of rows on the last page; most lines of a cell, and the distance of their baselines in type sizes."""
ACROSS, NARROWER, TICK_GREY, NOTE = 18.0, (0.92, 0.84, 0.76), 0.45, 9.0
"""Space between two columns of rows; shares of a cell's width to try for text whose last line has a single word; grey
of a printed tick, lighter than one made by hand; type size of a note below a title."""


def put_table(
    flow: Flow, table: Table, title: Sequence[Block] = (), again: Sequence[Block] = (), key: Hashable = None
) -> None:
    """Add a table to a flow. Its title (or ``title``) and its heads stay in the column of its first row.

    In further columns ``again`` stands above its heads. The rows of a table that is laid out several times and drawn
    once are kept by its ``key``.
    """
    title, key = title or titled(table.title, table.note), key or object()
    head, rows = _kept_rows(table, flow.column.width, key)
    high = flow.needed([replace(each, keep_next=True) for each in (*title, *rows)]) if table.halves else 0.0
    if flow.y - high < flow.column.bottom:
        halves = _kept_rows(table, (flow.column.width - ACROSS) / 2, key)[1]
        flow.put_halves(halves, ACROSS, head=title, alone=rows)
        return
    first = len(table.rows) if table.unsplit else 1
    flow.put([*title, *head, *rows[:first]])
    flow.row_pages.append(flow.column.page)
    for place in range(first, len(rows)):
        if flow.is_full(rows[place:]):
            flow.next_column()
            flow.put([*again, *(replace(each, keep_next=False) for each in head)])
        flow.put(rows[place : place + 1])
        flow.row_pages.append(flow.column.page)


@kept_if_small
def _kept_rows(table: Table, width: float, key: Hashable) -> tuple[list[Drawing], list[Drawing]]:
    """The row of heads, and the other rows, of which those stay together that should not be split between pages."""
    head, rows = table_rows(table, width)
    last, begin = 0 if table.unsplit else len(table.rows) - MIN_LAST_ROWS, table.groups or range(len(table.rows))
    keep = (place < len(rows) and (place > last or place not in begin) for place in range(1, len(rows) + 1))
    return head, [replace(row, keep_next=kept) for row, kept in zip(rows, keep, strict=True)]


def titled(title: str, note: str = "") -> list[Block]:
    """A heading; what it says after a colon, or a note, is below it in smaller type."""
    head, _, more = title.partition(": ")
    return [heading(head.rstrip()), Paragraph(capital(more) or note, NOTE, above=0, keep_next=True)] if title else []


def table_rows(table: Table, width: float, *within: Within) -> tuple[list[Drawing], list[Drawing]]:
    """The row of heads, if any, and the other rows, all inside the structure elements ``within``."""
    key, (widths, heads, *texts) = (*within, ("Table", object())), _fitted_rows(table.texts, width)
    names = tuple(column.head for column in table.columns)
    head = [_row(table, names, heads, widths, key=key, head=True)] if any(names) else []
    rows = [
        _row(table, row, cells, widths, key=key, shaded=place % 2 == 1, group=place in table.groups)
        for place, (row, cells) in enumerate(zip(table.rows, texts, strict=False))
    ]
    if table.total:
        rows.append(_row(table, table.total, texts[-1], widths, key=key, total=True))
    return head, rows


@kept_if_small
def _fitted_rows(table: Table, width: float) -> list[Sequence[Any]]:
    """The widths of the columns, then the fitted cells of the heads, of each row and of the total."""
    widths, heads = column_widths(table, width), [column.head for column in table.columns]
    rows = [(heads, "head"), *((row, "group" if n in table.groups else "") for n, row in enumerate(table.rows))]
    rows += [(table.total, "total")] * bool(table.total)
    return [
        widths,
        *(
            [
                _cell(
                    table, cell, column, width - 2 * table.side, head=kind == "head", total=kind in ("total", "group")
                )
                for cell, column, width in zip(cells, table.columns, widths, strict=True)
            ]
            for cells, kind in rows
        ),
    ]


def fill_pages(
    frame: Frame, top: float, tables: Sequence[Table], across: int = 1, below: Sequence[Paragraph] = ()
) -> Flow:
    """The layout of a table in ``across`` columns, with text ``below`` it or at the foot of the first of several pages.

    ``tables`` are variants of one table, the largest first and the smallest last: the first variant that needs no more
    pages than the last is used. Of very many rows only the smallest is laid out, once.
    """
    foot = text_height(below, frame.width)

    def lay_out(table: Table, frame: Frame = frame) -> Flow:
        columns = page_columns(frame, top, [1 / across] * across, ACROSS)
        flow = Flow(replace(column, bottom=column.bottom + foot * (column.page == 0)) for column in columns)
        put_table(flow, table)
        start = frame.bottom + foot if flow.column.page else flow.y
        if below:
            flow.go_on(Column(frame.left, start - foot - 1, frame.right, start - below[0].above))
            flow.put(below)
        return flow

    if len(tables[-1].rows) > MANY_ROWS:
        return lay_out(tables[-1])
    table = first_of(tables, lambda one: len(lay_out(one)))
    return balanced(partial(lay_out, table), frame) if across == 1 else lay_out(table)


def _row(
    table: Table, cells: Sequence[str], fitted_cells: Sequence[tuple[Fitted, ...]], widths: Sequence[float], *,
    key: tuple[Within, ...], head: bool = False, total: bool = False, shaded: bool = False, group: bool = False,
) -> Drawing:  # fmt: skip
    """Lay out a row; ``key`` is the table's path of structure elements."""
    row, size = object(), table.head_size if head else table.size
    pad, is_entry = table.padding, not (head or total or group)
    is_read_only = not (table.has_rules or any(column.size for column in table.columns))
    height = max([sum(part.height for part in cell) for cell in fitted_cells] + [size * LEADING]) + 2 * pad
    boxes = {
        place: places
        for place, column in enumerate(table.columns)
        if is_entry and column.kind == "boxes" and (places := _box_places(table, cells[place], widths[place]))
    }
    if is_entry:
        by_kind = {"write": table.write, "tick": table.tick_side + 2 * CLEAR}
        height = max(height, table.row_height, *(by_kind.get(column.kind, 0.0) for column in table.columns))
        lowest = (places[-1][0] for places in boxes.values())
        height = max([height, *((down + 1) * BOX_STEP - 2 + 2 * CLEAR for down in lowest)])

    def draw(canvas: Canvas, left: float, top: float, width: float) -> None:
        if table.boxed and not head:
            for place, column_width in enumerate(widths):
                box(canvas, left + sum(widths[:place]), top - height, column_width, height)
        elif group or (shaded and not table.has_rules):
            block(canvas, left, top - height, width, height, GREY if group else PALE)
        elif head or total or table.has_rules:
            canvas.setStrokeGray(INK)
            y = top if total else top - height
            rule(canvas, left, y, left + width, y, RULE if total else LINE if head else HAIR)
        for place, (cell, column, column_width) in enumerate(zip(fitted_cells, table.columns, widths, strict=True)):
            x = left + sum(widths[:place])
            if column.kind == "write" and place and not table.boxed:
                rule(canvas, x, top - height, x, top, HAIR)
            if cell:
                text_height = sum(line.height for line in cell)
                # Heads stand on their rule; tables to read are aligned at the top, tables to write in at the middle.
                above = height - pad - text_height if head else pad if is_read_only else (height - text_height) / 2
                with part(canvas, "TH" if head or group else "TD", *key, ("TR", row)):
                    align, y = ALIGN.get(column.kind, "left"), top - above
                    at = {"left": table.side, "centre": column_width / 2, "right": column_width - table.side}[align]
                    for line in cell:
                        draw_fitted(canvas, x + at, y - line.size * (0.5 * LEADING + 0.36), line, align)
                        y -= line.height
            elif place in boxes:
                boxes_top = top - (height - BOX_STEP * (1 + boxes[place][-1][0])) / 2
                for down, along in boxes[place]:
                    bottom = boxes_top - (down + 1) * BOX_STEP + 1
                    box(canvas, x + table.side + along, bottom, BOX_STEP - 2, BOX_STEP - 2)
            elif is_entry and column.kind == "tick":
                side, at, bottom = table.tick_side, x + table.side, top - (height + table.tick_side) / 2
                box(canvas, at, bottom, side, side)
                if cells[place] == TICKED:
                    canvas.setStrokeGray(TICK_GREY)
                    rule(canvas, at + 2, bottom + side / 2, at + side * 0.4, bottom + 2.5, 1.6)
                    rule(canvas, at + side * 0.4, bottom + 2.5, at + side - 2, bottom + side - 2, 1.6)

    return Drawing(height, draw, above=PART_GAP * group, keep_next=head)


def _cell(table: Table, text: str, column: Col, room: float, *, head: bool, total: bool) -> tuple[Fitted, ...]:
    """The fitted text of a cell, and the texts below it; empty if the cell has no text to draw."""
    size = table.head_size if head else column.size or table.size
    main, *below = text.split(BELOW)
    if not plain(main) or (column.kind, text) == ("tick", TICKED) or (column.kind == "boxes" and not head):
        return ()
    whole = column.kind in ("fixed", "figure") or (column.kind == "centre" and not column.share)
    most = 1 if whole and not head else MOST_LINES
    bold, room = column.strong or head or total, max(room, 1.0)
    if head:  # gets smaller before a word of it is broken
        size = min(size, max(7.0, 0.999 * size * room / longest_word(main, size, bold=True)))
    small, lines = below_size(column, size), list[str]()
    for note in filter(plain, below):
        joined = DOT.join((*lines[-1:], note))
        if lines and not column.listed and text_width(joined, small) <= room:
            lines[-1] = joined
        else:
            lines.append(note)
    text_lines = _fitted(table, main, size, room, most, bold=bold)
    return text_lines, *(_fitted(table, line, small, room, MOST_LINES) for line in lines)


def _fitted(table: Table, text: str, size: float, room: float, most: int, *, bold: bool = False) -> Fitted:
    """The text on lines of this room, or of somewhat less if that leaves no word alone on the last line."""
    again = partial(fit, text, bold=bold, leading=LEADING)
    fitted = again(size, room, min_size=min(size, 7.0), max_lines=most)
    if fitted.size < size and table.keep_size and most > 1 and longest_word(text, size, bold=bold) <= room:
        unshrunk = again(size, room, min_size=size, max_lines=most)
        fitted = fitted if unshrunk.cut else unshrunk
    lines, size = len(fitted.lines), fitted.size
    least = longest_word(text, size, bold=bold) if lines > 1 else room
    ways = (again(size, room * share, min_size=size, max_lines=lines) for share in NARROWER if room * share >= least)
    return next((way for way in chain((fitted,), ways) if " " in way.lines[-1] and not way.cut), fitted)


def _box_places(table: Table, cell: str, width: float) -> list[tuple[int, float]]:
    """The row of each box and its distance from the left, in as few rows as possible; no part is split."""
    room, (parts, each, step) = width - 2 * table.side + 0.01, boxes_in(cell)
    if step > room:
        parts, each, step = parts * each, 1, BOX_STEP
    across = max(1, -(-parts // max(1, -(-parts // max(1, int(room / step))))))
    return [(part // across, part % across * step + BOX_STEP * n) for part in range(parts) for n in range(each)]
