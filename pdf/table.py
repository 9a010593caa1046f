"""The one table of all sheets: columns that share a width, rows as high as their text, heads on every page.

Give it to a `Flow`; it goes on over columns and pages::

    table = Table((Col("Player", strong=True), Col("Caps", "figure"), Col("Here", "tick")), rows)
    put_table(flow, table, title("Players"))

A "text" takes what its longest word needs, then what three in four of its cells take on one line, then the others. A
"figure" and a "fixed" text take their one line, figures at the right; "boxes" are as many as the number. What follows
`BELOW` in a cell stands under the rest, small. A cell to "write" in is at least 8 mm high, a box to "tick" 4 mm wide:
empty it is an empty box, `TICKED` a ticked one, any other text is printed. `BLANK` is a box to write in, of 8 mm.
Tables to write in have rules, others every second row shaded, unless they ask for rules or boxes around their cells.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from pdf.flow import Block, Drawing, Flow, Mark, evened, heading, page_columns
from pdf.fonts import Fitted, draw_fitted, fit, plain, text_width
from pdf.page import HAIR, INK, LINE, PALE, Frame, block, box, rule
from pdf.tags import Within, part

Kind = Literal["text", "fixed", "figure", "centre", "write", "tick", "boxes"]
TICKED, BLANK = "x", "____"
BELOW = "\x1f"
PAD = 4.0
SMALL, SMALL_MOST = 0.8, 14.0
"""The size of a line below another, as a share of that one's, and its largest in points."""
PRINTED = 0.45
"""The ink of a tick that is printed: one that is made by hand is darker."""
TOGETHER = 3
"""Rows at least on a further page."""
WRITE, HIGH, TICK = 62.0, 8 * mm, 4 * mm
"""Width and height of a cell to write in, side of a box to tick."""
ACROSS, EACH = 6, 6 * mm + 2
"""How many of many boxes in a cell stand side by side at least, and the step from one, of 6 mm, to the next."""
MOST_LINES = 12
SHORT = 6
"""Characters of a head that is not broken."""
LONG_WORD = 12.0
"""A word wider than this many sizes is broken before it takes the room of others."""
LEADING = 1.2
HEAD, HEAD_MOST = 0.85, 15.0
"""Size of the heads, in that of the rows, and the most of it."""


@dataclass(frozen=True)
class Col:
    """A column: its head, what stands in it, whether that is bold, and its size if that is not the table's.

    ``share`` is the part of the table's width that it has at least, whatever stands in it, of "text" or to "write" in;
    ``meaning`` says what a short head means.
    """

    head: str
    kind: Kind = "text"
    strong: bool = False
    size: float = 0.0
    share: float = 0.0
    meaning: str = ""


@dataclass(frozen=True)
class Table:
    """The columns, the rows with one text for each, a bold last row; ``high`` is the least height of a row.

    ``tick`` is the side of a box, ``pad`` the white above and below text. One that is ``whole`` is not parted where a
    page can hold it. Where it is ``even`` text takes more lines before smaller type. Without any heads none are drawn.
    ``aligned`` are the rows, these among them, of all tables whose columns stand in line.
    """

    columns: tuple[Col, ...]
    rows: Sequence[tuple[str, ...]]
    total: tuple[str, ...] = ()
    aligned: Sequence[tuple[str, ...]] = ()
    size: float = 9.5
    high: float = 0.0
    tick: float = TICK
    title: str = ""
    pad: float = PAD - 1
    whole: bool = False
    even: bool = False
    ruled: bool = False
    boxed: bool = False

    @property
    def side(self) -> float:
        """The white at the left and the right of a cell's text."""
        return max(PAD, self.size * 0.28)

    def size_of(self, column: Col) -> float:
        """The size of a column's text."""
        return column.size or self.size

    @property
    def head_size(self) -> float:
        """The size of the heads."""
        return max(7.0, min(self.size * HEAD, HEAD_MOST))

    @property
    def has_rules(self) -> bool:
        """Whether there are rules between the rows, as a pencil needs them."""
        return self.ruled or any(column.kind in ("write", "tick", "boxes") for column in self.columns)


def put_table(flow: Flow, table: Table, title: Sequence[Block] = ()) -> None:
    """Set a table: its title, or this one, and the heads stay on the page of its first row."""
    head, rows = table_rows(table, flow.column.width)
    last = 0 if table.whole else len(rows) - TOGETHER
    rows = [replace(row, stays=last <= place < len(rows) - 1) for place, row in enumerate(rows)]
    title = [heading(table.title)] if table.title else title
    flow.put([*title, *head, *(rows if table.whole else rows[:1])])
    for place in range(1, 0 if table.whole else len(rows)):
        if flow.is_full(rows[place:]):
            flow.next_column()
            flow.put([replace(one, stays=False) for one in head])
        flow.put(rows[place : place + 1])


def table_rows(table: Table, width: float, *within: Within) -> tuple[list[Drawing], list[Drawing]]:
    """The row of heads, if there are any, and the rows; ``within`` are the parts for screen readers they belong to."""
    widths, key = column_widths(table, width), (*within, ("Table", object()))
    heads = tuple(column.head for column in table.columns)
    head = [_row(table, heads, widths, key=key, head=True)] if any(heads) else []
    rows = [_row(table, row, widths, key=key, shaded=place % 2 == 1) for place, row in enumerate(table.rows)]
    if table.total:
        rows.append(_row(table, table.total, widths, key=key, total=True))
    return head, rows


def filled(
    frame: Frame, top: float, tables: Sequence[Table], across: int = 1, below: Sequence[Block] = ()
) -> list[list[Mark]]:
    """The pages, in this many columns, of the first of these tables that takes as few of them as the last.

    What is ``below`` follows it.
    """

    def laid(table: Table, up: float = 0.0) -> Flow:
        flow = Flow(page_columns(replace(frame, bottom=frame.bottom + up), top, [1 / across] * across, 18.0))
        put_table(flow, table)
        flow.put(below)
        return flow

    few = len(laid(tables[-1]).pages)
    table, flow = next((table, flow) for table in tables if len((flow := laid(table)).pages) == few)
    return (evened(flow, partial(laid, table)) if across == 1 else flow).pages


def least_width(table: Table, longest: float = LONG_WORD, width: float = 0.0) -> float:
    """The width below which words of up to this many sizes are broken or figures shrink; with its shares of a width."""
    return sum(least for least, *_ in _needs(table, width, longest))


def column_widths(table: Table, width: float) -> list[float]:
    """The width of each column; together they fill the width."""
    needs = _needs(table, width if least_width(table, width=width) <= width else 0.0)
    found = [least for least, *_ in needs]
    texts = [place for place, column in enumerate(table.columns) if column.kind == "text"]
    if sum(found) > width:
        # One long word takes no room from the words of other columns.
        fixed = sum(found) - sum(found[place] for place in texts)
        cap = _cap([found[place] for place in texts], max(width - fixed, width * 0.3)) if texts else width
        found = [min(need, cap) if place in texts else need for place, need in enumerate(found)]
        return [need * width / sum(found) for need in found]
    wider = [place for place, column in enumerate(table.columns) if column.kind in ("text", "boxes")]
    for stage in (1, 2):
        wants = [max(0.0, needs[place][stage] - have) * (place in wider) for place, have in enumerate(found)]
        share = min(1.0, (width - sum(found)) / sum(wants)) if sum(wants) else 0.0
        found = [have + want * share for have, want in zip(found, wants, strict=True)]
    # What nobody needs is written in by hand, or else read more easily.
    by_hand = [n for n, column in enumerate(table.columns) if column.kind == "write" and not column.share]
    takers = by_hand or [place for place in texts if not table.columns[place].share] or texts or list(range(len(found)))
    left = width - sum(found)
    return [one + left / len(takers) if place in takers else one for place, one in enumerate(found)]


def _needs(table: Table, width: float, longest: float = LONG_WORD) -> list[tuple[float, float, float]]:
    """What each column takes at least, for three in four of its cells on one line, and for all of them."""
    needs = []
    for place, column in enumerate(table.columns):
        cells = [row[place] for row in (*(table.aligned or table.rows), *([table.total] if table.total else []))]
        size = table.head_size
        one = text_width(column.head, size, bold=True)
        head = one if len(column.head) <= SHORT else _longest_word(column.head, size, bold=True)
        bold = column.strong or bool(table.total)
        size = table.size_of(column)
        parts = [cell.partition(BELOW) for cell in cells]
        found = [(text_width(said, size, bold=bold), text_width(below, _small(size))) for said, _, below in parts]
        lines = sorted(max(HIGH if cell == BLANK else 0.0, *wide) for cell, wide in zip(cells, found, strict=True))
        lines = lines or [0.0]
        least = max(head, lines[-1])
        if column.kind == "tick":
            least = max(table.tick, least)
        elif column.kind == "boxes":
            most = max(map(int, cells), default=1)
            lines = [EACH * min(2 * ACROSS, most), EACH * most]
            least = max(head, EACH * min(ACROSS, most))
        elif column.kind == "write":
            least = max(column.share * width - 2 * table.side if column.share and width else WRITE, head)
        elif column.share and width and column.kind == "text":
            least, lines = max(head, column.share * width - 2 * table.side), [0.0]
        elif column.kind == "text":
            words = [_longest_word(said, size, bold=column.strong) for said, *_ in parts]
            least = max(head, min(max(words, default=0.0), size * longest))
        usual, widest = lines[len(lines) * 3 // 4 - (len(lines) > 1)], lines[-1]
        wants = (least, max(least, one, usual), max(least, one, widest))
        needs.append((wants[0] + 2 * table.side, wants[1] + 2 * table.side, wants[2] + 2 * table.side))
    return needs


def _small(size: float) -> float:
    return min(SMALL_MOST, max(7.5, size * SMALL))


def _longest_word(text: str, size: float, *, bold: bool) -> float:
    return max((text_width(word, size, bold=bold) for word in plain(text).split()), default=0.0)


def _cap(needs: Sequence[float], room: float) -> float:
    """The most that one may take, so that those that need less have all that they need."""
    left = sorted(needs)
    while left and left[0] * len(left) <= room:
        room -= left.pop(0)
    return room / len(left) if left else max(needs)


def _row(
    table: Table,
    cells: Sequence[str],
    widths: Sequence[float],
    *,
    key: tuple[Within, ...],
    head: bool = False,
    total: bool = False,
    shaded: bool = False,
) -> Drawing:
    row = object()
    size = table.head_size if head else table.size
    fitted = [
        _cell(table, cell, column, width - 2 * table.side, head=head, total=total)
        for cell, column, width in zip(cells, table.columns, widths, strict=True)
    ]
    pad = table.pad
    read = not (table.has_rules or any(column.size for column in table.columns))
    height = max([sum(part.height for part in cell) for cell in fitted] + [size * LEADING]) + 2 * pad
    if not (head or total):
        by_kind = {"write": HIGH, "tick": table.tick + 4}
        blank = HIGH + 2 * table.pad if BLANK in cells else 0.0
        height = max(height, table.high, blank, *(by_kind.get(column.kind, 0.0) for column in table.columns))
        boxed = [place for place, column in enumerate(table.columns) if column.kind == "boxes"]
        rows = [row for place in boxed for row, _ in _boxes(table, cells[place], widths[place])]
        height = max([height, *((row + 1) * EACH + 2 for row in rows)])

    def draw(canvas: Canvas, left: float, top: float, width: float) -> None:
        if table.boxed and not head:
            for place, wide in enumerate(widths):
                box(canvas, left + sum(widths[:place]), top - height, wide, height)
        elif shaded and not table.has_rules:
            block(canvas, left, top - height, width, height, PALE)
        elif head or total or table.has_rules:
            canvas.setStrokeGray(INK)
            y = top if total else top - height
            rule(canvas, left, y, left + width, y, LINE if head or total else HAIR)
        x = left
        for cell, text, column, wide in zip(fitted, cells, table.columns, widths, strict=True):
            if cell:
                deep = sum(one.height for one in cell)
                # Heads stand on their rule; what is only read begins at the top.
                above = height - pad - deep if head else pad if read else (height - deep) / 2
                with part(canvas, "TH" if head else "TD", *key, ("TR", row)):
                    for down, one in enumerate(cell):
                        _put(canvas, one, column, x, top - above - down * cell[0].height, wide, table.side)
            elif text == BLANK:
                box(canvas, x + table.side, top - (height + HIGH) / 2, wide - 2 * table.side, HIGH)
            elif column.kind == "boxes":
                places, each = _boxes(table, text, wide), EACH
                high = top - (height - each * (1 + max(row for row, _ in places))) / 2
                for down, along in places:
                    box(canvas, x + table.side + along * each, high - (down + 1) * each + 1, each - 2, each - 2)
            elif column.kind == "tick" and not (head or total):
                side, at, low = table.tick, x + table.side, top - (height + table.tick) / 2
                box(canvas, at, low, side, side)
                if text == TICKED:
                    canvas.setStrokeGray(PRINTED)
                    rule(canvas, at + 2, low + side / 2, at + side * 0.4, low + 2.5, 1.6)
                    rule(canvas, at + side * 0.4, low + 2.5, at + side, low + side + 2, 1.6)
            x += wide

    return Drawing(height, draw, stays=head)


def _cell(table: Table, text: str, column: Col, room: float, *, head: bool, total: bool) -> tuple[Fitted, ...]:
    """The text of a cell in its size, or unless they are ``even`` nearly, and what stands below it; else nothing."""
    size = table.head_size if head else table.size_of(column)
    said, _, below = text.partition(BELOW)
    if not plain(said) or text in (BLANK, TICKED * (column.kind == "tick")) or (column.kind == "boxes" and not head):
        return ()
    lines = 1 if not head and column.kind in ("fixed", "figure", "centre") else MOST_LINES
    bold, room = column.strong or head or total, max(room, 1.0)
    fitted = fit(said, size, room, bold=bold, min_size=min(size, 7.0), max_lines=lines, leading=LEADING)
    whole = _longest_word(said, size, bold=bold) <= room
    if table.even and whole and fitted.size < size and lines > 1:
        full = fit(said, size, room, bold=bold, min_size=size, max_lines=lines, leading=LEADING)
        fitted = fitted if full.cut else full
    under = fit(below, _small(size), room, min_size=7.0, max_lines=2, leading=LEADING) if plain(below) else None
    return (fitted, under) if under else (fitted,)


def _boxes(table: Table, number: str, width: float) -> list[tuple[int, int]]:
    """The row and the column of each box, in as few rows as possible."""
    rows = -(-int(number) // max(1, int((width - 2 * table.side + 0.01) / EACH)))
    return [divmod(place, -(-int(number) // rows)) for place in range(int(number))]


def _put(canvas: Canvas, cell: Fitted, column: Col, x: float, top: float, width: float, side: float) -> None:
    base = top - cell.size * (0.5 * LEADING + 0.36)
    if column.kind == "figure":
        draw_fitted(canvas, x + width - side, base, cell, "right")
    elif column.kind == "centre":
        draw_fitted(canvas, x + width / 2, base, cell, "centre")
    else:
        draw_fitted(canvas, x + side, base, cell)
