"""The table that all sheets use: its columns share a width, its rows are as high as their text, its heads repeat.

`put_table` adds it to a `Flow`, in which it continues over columns and pages.

Columns by kind: "text" wraps, as "centre" does with a share; "fixed", "figure" (right-aligned) and other "centre" cells
have one line; "boxes" prints as many empty boxes as the cell's number; "write" is empty space of at least 8 mm in
height; "tick" is a box of 4 mm, empty for "" and ticked for `TICKED`. Any other text in a "write" or "tick" cell is
printed. Texts after `BELOW` in a cell are printed small below the rest, as many on a line as fit.

Widths go first to each column's minimum (for "text" its longest word), then to texts until three in four of their cells
take one line, until all do, and to heads. Tables to write in have rules between the rows; others shade each second row,
unless they ask for rules or for boxes around their cells.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import chain, compress
from typing import Literal

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from languages.words import capital
from pdf.flow import Block, Column, Drawing, Flow, Paragraph, balanced, heading, largest, page_columns, text_height
from pdf.fonts import Align, Fitted, draw_fitted, fit, longest_word, plain, text_width
from pdf.page import GREY, HAIR, INK, LINE, PALE, RULE, Frame, block, box, rule
from pdf.tags import Within, part

Kind = Literal["text", "fixed", "figure", "centre", "write", "tick", "boxes"]
ALIGN: dict[Kind, Align] = {"figure": "right", "centre": "centre"}
TICKED, BELOW, DOT = "x", "\x1f", " · "
PAD, NARROW = 4.0, 0.45
"""Space at the left and right of a cell's text, in points at least; the share of it in a narrow table."""
BELOW_SHARE, BELOW_NUMBER, BELOW_MAX = 0.86, 0.5, 17.0
"""Size of the text after `BELOW`: its share of the cell's size, and of a centred one's; its maximum in points."""
MIN_LAST_ROWS, MOST_LINES, LEADING = 3, 12, 1.2
"""Minimum number of rows on the last page; most lines of a cell, and the distance of their baselines in type sizes."""
WRITE_WIDTH, WRITE_HEIGHT, TICK_SIDE, TICK_GREY = 62.0, 8 * mm, 4 * mm, 0.45
"""Size of a cell to write in, side of a box to tick, and grey of a printed tick, lighter than one made by hand."""
MIN_BOXES_ACROSS, BOX_STEP, CLEAR = 5, 5 * mm + 2, 1 * mm
"""Boxes in one row of a cell, at least (if it has more); the step from box (5 mm) to box; their space to rules."""
PART_GAP, ACROSS = 5.0, 18.0
"""Space between boxes of two figures that have several each, and above a row that is a head; between two columns."""
UNBROKEN_HEAD, LONG_WORD = 6, 12.0
"""Heads of up to this many characters are not broken; words wider than this many type sizes are, to leave room."""
NARROWER = 0.92, 0.84, 0.76
"""Shares of a cell's width to try for text whose last line has a single word."""
HEAD_SHARE, HEAD_MAX, NOTE = 0.85, 15.0, 9.0
"""Size of the heads: its share of the rows' size, and its maximum in points; the size of a note below a title."""
MANY_ROWS = 1000
"""Rows of a table above which no type size is tried: each would be laid out whole."""


@dataclass(frozen=True)
class Col:
    """A column: its head, the kind of its cells, whether they are bold, their type size (0 for the table's).

    ``share`` is its minimum share of the table's width, for kinds "text" and "write"; ``meaning`` explains a short
    head. With ``listed`` each text after `BELOW` has a line of its own, in the cell's size.
    """

    head: str
    kind: Kind = "text"
    strong: bool = False
    size: float = 0.0
    share: float = 0.0
    meaning: str = ""
    listed: bool = False


@dataclass(frozen=True)
class Table:
    """Columns and rows, with one text in each row for each column, and a bold ``total`` row at the end.

    ``row_height`` is the minimum height of a row, ``tick_side`` the side of a box to tick, ``padding`` the space above
    and below text, ``write`` the height of a cell to write in, all in points. A table with ``unsplit`` is not split if
    a page can hold it; one with ``keep_size`` wraps text before it shrinks it. No head row is drawn if all heads are
    empty. ``aligned`` are the rows of all tables that must get the same column widths, including this one's. A
    ``narrow`` table has little space between columns. ``groups`` are the places of rows that head those below them: a
    group stays on one page if it can. The ``note`` is below the title, in smaller type. A table in ``halves`` has two
    columns of rows, without heads, where the page has no room for one.
    """

    columns: tuple[Col, ...]
    rows: Sequence[tuple[str, ...]]
    total: tuple[str, ...] = ()
    aligned: Sequence[tuple[str, ...]] = ()
    size: float = 9.5
    row_height: float = 0.0
    tick_side: float = TICK_SIDE
    title: str = ""
    note: str = ""
    padding: float = PAD - 1
    write: float = WRITE_HEIGHT
    unsplit: bool = False
    keep_size: bool = False
    ruled: bool = False
    boxed: bool = False
    narrow: bool = False
    groups: frozenset[int] = frozenset()
    halves: bool = False

    @cached_property
    def side(self) -> float:
        """Space at the left and right of a cell's text."""
        largest = max((column.size for column in self.columns), default=0.0)
        return max(PAD, self.size * 0.28, largest * 0.2) * (NARROW if self.narrow else 1.0)

    @property
    def head_size(self) -> float:
        """The type size of the heads."""
        return max(7.0, min(self.size * HEAD_SHARE, HEAD_MAX))

    @property
    def has_rules(self) -> bool:
        """Whether rules separate the rows, as on any table to write in."""
        return self.ruled or any(column.kind in ("write", "tick", "boxes") for column in self.columns)


def filled(table: Table) -> Table:
    """The table without the columns to read in which every cell is empty; ``aligned`` rows count, too."""
    rows = table.aligned or table.rows
    used = [
        column.kind in ("write", "tick", "boxes") or not rows or any(row[place].strip(BELOW) for row in rows)
        for place, column in enumerate(table.columns)
    ]
    cut = [[tuple(compress(row, used)) for row in them] for them in (table.rows, table.aligned)]
    return replace(table, columns=tuple(compress(table.columns, used)), rows=cut[0], aligned=cut[1])


def put_table(flow: Flow, table: Table, title: Sequence[Block] = (), again: Sequence[Block] = ()) -> None:
    """Add a table to a flow. Its title (or ``title``) and its heads stay in the column of its first row.

    In further columns ``again`` stands above its heads.
    """
    first, last = (len(table.rows), 0) if table.unsplit else (1, len(table.rows) - MIN_LAST_ROWS)
    begin, title = table.groups or range(len(table.rows)), title or titled(table.title, table.note)

    def kept(width: float) -> tuple[list[Drawing], list[Drawing]]:
        head, rows = table_rows(table, width)
        keep = (place < len(rows) and (place > last or place not in begin) for place in range(1, len(rows) + 1))
        return head, [replace(row, keep_next=kept) for row, kept in zip(rows, keep, strict=True)]

    head, rows = kept(flow.column.width)
    high = flow.needed([replace(a_part, keep_next=True) for a_part in (*title, *rows)]) if table.halves else 0.0
    if flow.y - high < flow.column.bottom:
        flow.put_halves(kept((flow.column.width - ACROSS) / 2)[1], ACROSS, head=title, alone=rows)
        return
    flow.put([*title, *head, *rows[:first]])
    flow.row_pages.append(flow.column.page)
    for place in range(first, len(rows)):
        if flow.is_full(rows[place:]):
            flow.next_column()
            flow.put([*again, *(replace(drawing, keep_next=False) for drawing in head)])
        flow.put(rows[place : place + 1])
        flow.row_pages.append(flow.column.page)


def titled(title: str, note: str = "") -> list[Block]:
    """A heading; what it says after a colon, or a note, is below it in smaller type."""
    head, _, more = title.partition(": ")
    return [heading(head.rstrip()), Paragraph(capital(more) or note, NOTE, above=0, keep_next=True)] if title else []


def table_rows(table: Table, width: float, *within: Within) -> tuple[list[Drawing], list[Drawing]]:
    """The row of heads, if any, and the other rows, all inside the structure elements ``within``."""
    widths, key = column_widths(table, width), (*within, ("Table", object()))
    heads = tuple(column.head for column in table.columns)
    head = [_row(table, heads, widths, key=key, head=True)] if any(heads) else []
    rows = [
        _row(table, row, widths, key=key, shaded=place % 2 == 1, group=place in table.groups)
        for place, row in enumerate(table.rows)
    ]
    if table.total:
        rows.append(_row(table, table.total, widths, key=key, total=True))
    return head, rows


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
    table = largest(tables, lambda a_table: len(lay_out(a_table)))
    return balanced(partial(lay_out, table), frame) if across == 1 else lay_out(table)


def least_width(table: Table, longest: float = LONG_WORD, width: float = 0.0) -> float:
    """The minimum width of a table in points; below it, words are broken or figures shrink.

    Words wider than ``longest`` type sizes may be broken. With ``width`` the columns' shares of that width count.
    """
    return sum(least for least, *_ in _column_needs(table, width, longest))


def column_widths(table: Table, width: float) -> list[float]:
    """The width of each column, in points; together they fill ``width``."""
    needs = _column_needs(table, width)
    if sum(least for least, *_ in needs) > width:
        needs = _column_needs(table, 0.0)
    widths = [least for least, *_ in needs]
    texts = [place for place, column in enumerate(table.columns) if column.kind == "text"]
    if sum(widths) > width:
        # A very long word must not take width from other columns.
        fixed = sum(widths) - sum(widths[place] for place in texts)
        cap = limit([widths[place] for place in texts], max(width - fixed, width * 0.3)) if texts else width
        widths = [min(need, cap) if place in texts else need for place, need in enumerate(widths)]
        return [need * width / sum(widths) for need in widths]
    heads = {place for place, column in enumerate(table.columns) if column.kind not in ("write", "tick")}
    wide = {place for place in heads if table.columns[place].kind in ("text", "boxes")}
    for stage, wider in ((1, wide), (2, wide), (2, heads)):
        wants = [max(0.0, needs[place][stage] - have) * (place in wider) for place, have in enumerate(widths)]
        most = limit(wants, width - sum(widths))  # what is short is on one line before what is long
        widths = [have + min(want, most) for have, want in zip(widths, wants, strict=True)]
    # Spare width goes to columns to write in, or else to texts.
    by_hand = [n for n, column in enumerate(table.columns) if column.kind == "write" and not column.share]
    without_share = [place for place in texts if not table.columns[place].share]
    takers = by_hand or without_share or texts or list(range(len(widths)))
    left = width - sum(widths)
    return [has + left / len(takers) if place in takers else has for place, has in enumerate(widths)]


def _column_needs(table: Table, width: float, longest: float = LONG_WORD) -> list[tuple[float, float, float]]:
    """The minimum width of each column, and the widths that give three in four and all of its cells one line."""
    needs = []
    for place, column in enumerate(table.columns):
        cells = [row[place] for row in (*(table.aligned or table.rows), *([table.total] if table.total else []))]
        size = table.head_size
        head_width = text_width(column.head, size, bold=True) + 0.01  # widths are sums, which may be rounded down
        head = head_width if len(column.head) <= UNBROKEN_HEAD else longest_word(column.head, size, bold=True)
        bold = column.strong or bool(table.total)
        size = column.size or table.size
        parts, small = [cell.partition(BELOW) for cell in cells], _below_size(column, size)
        found = [
            (text_width(main, size, bold=bold), text_width(said.replace(BELOW, DOT), small)) for main, _, said in parts
        ]
        line_widths = sorted(map(max, found)) or [0.0]
        minimum = max(head, line_widths[-1])
        if column.kind == "tick":
            minimum = max(table.tick_side, minimum)
        elif column.kind == "boxes":
            box_count = max((parts * step for parts, _, step in map(_boxes, cells)), default=BOX_STEP)
            line_widths = [min(2 * MIN_BOXES_ACROSS * BOX_STEP, box_count), box_count]
            minimum = max(head, min(MIN_BOXES_ACROSS * BOX_STEP, box_count))
        elif column.kind == "write":
            minimum = max(column.share * width - 2 * table.side if column.share and width else WRITE_WIDTH, head)
        elif column.share and width and column.kind in ("text", "centre"):
            minimum, line_widths = max(head, column.share * width - 2 * table.side), [0.0]
        elif column.kind == "text":
            words = [longest_word(main, size, bold=column.strong) for main, *_ in parts]
            minimum = max(head, min(max(words, default=0.0), size * longest))
        most_cells, all_cells = line_widths[len(line_widths) * 3 // 4 - (len(line_widths) > 1)], line_widths[-1]
        wider, side = max(minimum, head_width), 2 * table.side
        needs.append((minimum + side, max(wider, most_cells) + side, max(wider, all_cells) + side))
    return needs


def _below_size(column: Col, size: float) -> float:
    share = BELOW_NUMBER if column.kind == "centre" else BELOW_SHARE
    return size if column.listed else min(BELOW_MAX, max(7.5, size * share))


def limit(needs: Sequence[float], room: float) -> float:
    """The limit for each of ``needs`` at which they fill ``room``, so that smaller needs are met in full."""
    left = sorted(needs)
    while left and left[0] * len(left) <= room:
        room -= left.pop(0)
    return room / len(left) if left else max(needs)


def _row(
    table: Table, cells: Sequence[str], widths: Sequence[float], *, key: tuple[Within, ...],
    head: bool = False, total: bool = False, shaded: bool = False, group: bool = False,
) -> Drawing:  # fmt: skip
    """Lay out a row; ``key`` is the table's path of structure elements."""
    row, size = object(), table.head_size if head else table.size
    fitted_cells = [
        _cell(table, cell, column, width - 2 * table.side, head=head, total=total or group)
        for cell, column, width in zip(cells, table.columns, widths, strict=True)
    ]
    pad, is_entry = table.padding, not (head or total or group)
    is_read_only = not (table.has_rules or any(column.size for column in table.columns))
    height = max([sum(part.height for part in cell) for cell in fitted_cells] + [size * LEADING]) + 2 * pad
    boxes = {
        place: found
        for place, column in enumerate(table.columns)
        if is_entry and column.kind == "boxes" and (found := _box_places(table, cells[place], widths[place]))
    }
    if is_entry:
        by_kind = {"write": table.write, "tick": table.tick_side + 2 * CLEAR}
        height = max(height, table.row_height, *(by_kind.get(column.kind, 0.0) for column in table.columns))
        lowest = (found[-1][0] for found in boxes.values())
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
                text_height = sum(a_fitted.height for a_fitted in cell)
                # Heads stand on their rule; tables to read are aligned at the top, tables to write in at the middle.
                above = height - pad - text_height if head else pad if is_read_only else (height - text_height) / 2
                with part(canvas, "TH" if head or group else "TD", *key, ("TR", row)):
                    align, y = ALIGN.get(column.kind, "left"), top - above
                    at = {"left": table.side, "centre": column_width / 2, "right": column_width - table.side}[align]
                    for fitted in cell:
                        draw_fitted(canvas, x + at, y - fitted.size * (0.5 * LEADING + 0.36), fitted, align)
                        y -= fitted.height
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
    small, lines = _below_size(column, size), list[str]()
    for said in filter(plain, below):
        joined = DOT.join((*lines[-1:], said))
        if lines and not column.listed and text_width(joined, small) <= room:
            lines[-1] = joined
        else:
            lines.append(said)
    found = _fitted(table, main, size, room, most, bold=bold)
    return found, *(_fitted(table, line, small, room, MOST_LINES) for line in lines)


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


def _boxes(cell: str) -> tuple[int, int, float]:
    """How many parts have boxes, how many each has ("3×2", or "7" for parts with one), and the width of each part."""
    parts, _, each = cell.partition("×")
    return int(parts), int(each or 1), BOX_STEP * int(each or 1) + PART_GAP * bool(each)


def _box_places(table: Table, cell: str, width: float) -> list[tuple[int, float]]:
    """The row of each box and its distance from the left, in as few rows as possible; no part is split."""
    room, (parts, each, step) = width - 2 * table.side + 0.01, _boxes(cell)
    if step > room:
        parts, each, step = parts * each, 1, BOX_STEP
    across = max(1, -(-parts // max(1, -(-parts // max(1, int(room / step))))))
    return [(part // across, part % across * step + BOX_STEP * n) for part in range(parts) for n in range(each)]
