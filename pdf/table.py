"""The table that all sheets use: its columns share a width; `pdf.rows` draws its rows.

Columns by kind: "text" wraps, as "centre" does with a share; "fixed", "figure" (right-aligned) and other "centre" cells
have one line; "boxes" prints as many empty boxes as the cell's number; "write" is empty space of at least 8 mm in
height; "tick" is a box of 4 mm, empty for "" and ticked for `TICKED`. Any other text in a "write" or "tick" cell is
printed. Texts after `BELOW` in a cell are printed small below the rest, as many on a line as fit.

Widths go first to each column's minimum (for "text" its longest word), then to texts until three in four of their cells
take one line, until all do, and to heads.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, wraps
from itertools import compress
from typing import Literal, TypeVar

from reportlab.lib.units import mm

from pdf.fonts import longest_word, text_width

T = TypeVar("T")
Kind = Literal["text", "fixed", "figure", "centre", "write", "tick", "boxes"]
TICKED, BELOW, DOT = "x", "\x1f", " · "
PAD, NARROW = 4.0, 0.45
"""Space at the left and right of a cell's text, in points at least; the share of it in a narrow table."""
BELOW_SHARE, BELOW_NUMBER, BELOW_MAX = 0.86, 0.5, 17.0
"""Size of the text after `BELOW`: its share of the cell's size, and of a centred one's; its maximum in points."""
WRITE_WIDTH, WRITE_HEIGHT, TICK_SIDE = 62.0, 8 * mm, 4 * mm
"""Size of a cell to write in, side of a box to tick."""
MIN_BOXES_ACROSS, BOX_STEP, CLEAR = 5, 5 * mm + 2, 1 * mm
"""Boxes in one row of a cell, at least (if it has more); the step from box (5 mm) to box; their space to rules."""
PART_GAP = 5.0
"""Space between boxes of two figures that have several each, and above a row that is a head."""
UNBROKEN_HEAD, LONG_WORD = 6, 12.0
"""Heads of up to this many characters are not broken; words wider than this many type sizes are, to leave room."""
HEAD_SHARE, HEAD_MAX = 0.85, 15.0
"""Size of the heads: its share of the rows' size, and its maximum in points."""
KEPT, MOST_KEPT = 128, 100
"""Tables whose measures are kept, and the most rows of each."""
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

    def __post_init__(self) -> None:
        """Make the rows a key of `_column_needs` and `_fitted_rows`."""
        object.__setattr__(self, "rows", tuple(self.rows))
        object.__setattr__(self, "aligned", tuple(self.aligned))

    @cached_property
    def texts(self) -> "Table":
        """The table without what its columns and lines do not depend on, to be measured once for all heights."""
        return replace(self, title="", note="", row_height=0.0, padding=0.0, write=0.0, unsplit=False, halves=False)

    @cached_property
    def side(self) -> float:
        largest = max((column.size for column in self.columns), default=0.0)
        return max(PAD, self.size * 0.28, largest * 0.2) * (NARROW if self.narrow else 1.0)

    @property
    def head_size(self) -> float:
        return max(7.0, min(self.size * HEAD_SHARE, HEAD_MAX))

    @property
    def has_rules(self) -> bool:
        return self.ruled or any(column.kind in ("write", "tick", "boxes") for column in self.columns)


def kept_if_small(measure: Callable[..., T]) -> Callable[..., T]:
    """Keep what a function of a table returns, for layouts to come, but not of long lists, which take megabytes."""
    kept = lru_cache(maxsize=KEPT)(measure)

    @wraps(measure)
    def call(table: Table, *rest: object) -> T:
        return (kept if len(table.rows) + len(table.aligned) <= MOST_KEPT else measure)(table, *rest)

    return call


def filled(table: Table) -> Table:
    """The table without the columns to read in which every cell is empty; ``aligned`` rows and the total count, too."""
    rows = [*(table.aligned or table.rows), *[table.total] * bool(table.total)]
    used = [
        column.kind in ("write", "tick", "boxes") or not rows or any(row[place].strip(BELOW) for row in rows)
        for place, column in enumerate(table.columns)
    ]

    def cut(rows: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
        return [tuple(compress(row, used)) for row in rows]

    columns, total = tuple(compress(table.columns, used)), tuple(compress(table.total, used))
    return replace(table, columns=columns, rows=cut(table.rows), aligned=cut(table.aligned), total=total)


def least_width(table: Table, longest: float = LONG_WORD, width: float = 0.0) -> float:
    """The minimum width of a table in points; below it, words are broken or figures shrink.

    Words wider than ``longest`` type sizes may be broken. With ``width`` the columns' shares of that width count.
    """
    return sum(least for least, *_ in _column_needs(table.texts, width, longest))


def column_widths(table: Table, width: float) -> list[float]:
    """The width of each column, in points; together they fill ``width``."""
    needs = _column_needs(table.texts, width)
    if sum(least for least, *_ in needs) > width:
        needs = _column_needs(table.texts, 0.0)
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


@kept_if_small
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
        parts, small = [cell.partition(BELOW) for cell in cells], below_size(column, size)
        found = [
            (text_width(main, size, bold=bold), text_width(said.replace(BELOW, DOT), small)) for main, _, said in parts
        ]
        line_widths = sorted(map(max, found)) or [0.0]
        minimum = max(head, line_widths[-1])
        if column.kind == "tick":
            minimum = max(table.tick_side, minimum)
        elif column.kind == "boxes":
            box_count = max((parts * step for parts, _, step in map(boxes_in, cells)), default=BOX_STEP)
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


def below_size(column: Col, size: float) -> float:
    """The type size of the texts after `BELOW`, in points."""
    share = BELOW_NUMBER if column.kind == "centre" else BELOW_SHARE
    return size if column.listed else min(BELOW_MAX, max(7.5, size * share))


def limit(needs: Sequence[float], room: float) -> float:
    """The limit for each of ``needs`` at which they fill ``room``, so that smaller needs are met in full."""
    left = sorted(needs)
    while left and left[0] * len(left) <= room:
        room -= left.pop(0)
    return room / len(left) if left else max(needs)


def boxes_in(cell: str) -> tuple[int, int, float]:
    """How many parts have boxes, how many each has ("3×2", or "7" for parts with one), and the width of each part."""
    parts, _, each = cell.partition("×")
    return int(parts), int(each or 1), BOX_STEP * int(each or 1) + PART_GAP * bool(each)
