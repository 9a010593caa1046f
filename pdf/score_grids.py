"""What players fill in on a scoresheet: VP by game round, objective markers by kind, totals, signatures."""

from dataclasses import dataclass

from reportlab.pdfgen.canvas import Canvas

from pdf.fonts import draw_text, fit, text_width
from pdf.page import HAIR, INK, LINE, PAPER, hatch, tick_box

SMALLEST = 5.0
"""Least type size of the choices next to their boxes."""


@dataclass(frozen=True)
class GridSize:
    """How large the boxes are, in points, and their type by what it is on a whole page."""

    row: float = 31.0
    head: float = 13.0
    first: float = 126.0
    """Width of the column of names."""
    last: float = 64.0
    """Width of the sums."""
    tab: float = 20.0
    kind_row: float = 11.5
    marker_head: float = 12.0
    done_row: float = 17.0
    label: float = 112.0
    """Width of the column of kinds, at most."""
    totals: float = 34.0
    big: float = 66.0
    """Width of the box of the total."""
    type: float = 1.0
    box: float = 7.0
    """Side of a box to tick."""


WHOLE = GridSize()


@dataclass(frozen=True)
class VpGrid:
    """The most that each side can have in each column: 0 is impossible (hatched), None has no limit.

    The columns are the game rounds, VP in each, where ``heads`` does not name them otherwise. Columns with heads are
    figures that the game's scoring turns into VP, often the opponent's: nothing sums them.
    """

    most_a: tuple[int | None, ...]
    most_b: tuple[int | None, ...]
    note: str = ""
    """What binds both together: "both players together: at most 2 a round"."""
    choice: tuple[str, ...] = ()
    """What each side chooses before the game, to tick: ("Hackers", "Smashers")."""
    heads: tuple[str, ...] = ()
    choice_of: str = ""
    """What is chosen, in words: the label of a line to write on where the boxes have no room."""

    def __post_init__(self) -> None:
        if len(self.most_a) != len(self.most_b):
            raise ValueError("Both sides play the same number of game rounds")
        if self.heads and len(self.heads) != len(self.most_a):
            raise ValueError("Every column has its head, or none has")


@dataclass(frozen=True)
class MarkerGrid:
    """Each player's objective markers: how many (0 draws none), of which kinds, and the rule in a few words."""

    kinds: tuple[str, ...]
    each: int = 5
    note: str = ""


def side_tab(canvas: Canvas, x: float, y: float, width: float, height: float, side: str) -> None:
    """The letter of a side: white on black for A, black on white for B, as their markers on the map."""
    canvas.setLineWidth(LINE)
    canvas.setStrokeGray(INK)
    canvas.setFillGray(INK if side == "A" else PAPER)
    canvas.rect(x, y, width, height, stroke=1, fill=1)
    canvas.setFillGray(PAPER if side == "A" else INK)
    size = min(16.0, width * 0.75, height * 0.78)
    draw_text(canvas, x + width / 2, y + height / 2 - size * 0.36, side, size, bold=True, align="centre")
    canvas.setFillGray(INK)


def vp_grid_height(size: GridSize = WHOLE) -> float:
    """Height of the grid below its section title."""
    return size.head + 2 * size.row


def vp_columns(width: float, grid: VpGrid, size: GridSize = WHOLE) -> tuple[float, float, float]:
    """Widths of the first column, of a game round and of the sum (0: no sum), for a grid ``width`` points wide."""
    last = 0.0 if grid.heads else size.last
    rounds = len(grid.most_a)
    return size.first, (width - size.first - last) / max(1, rounds), last


def draw_vp_grid(canvas: Canvas, x: float, top: float, width: float, grid: VpGrid, size: GridSize = WHOLE) -> None:
    """Draw what of the grid is the same at every table; the sheet writes the names in the first column."""
    rounds = len(grid.most_a)
    first, cell, last = vp_columns(width, grid, size)
    type_size = 7.5 * size.type
    if not grid.heads:
        draw_text(canvas, x, top - 9 * size.type, "Game round", type_size, bold=True)
        draw_text(canvas, x + width - last / 2, top - 9 * size.type, "Sum", type_size + 0.5, bold=True, align="centre")
    for i, head in enumerate(grid.heads or map(str, range(1, rounds + 1))):
        large = type_size if grid.heads else 9.5 * size.type
        fitted = fit(head, large, cell - 4, bold=True, min_size=4.5, max_lines=2)
        base = top - size.head + 3.5 + (len(fitted.lines) - 1) * fitted.size
        for line in fitted.lines:
            draw_text(canvas, x + first + cell * (i + 0.5), base, line, fitted.size, bold=True, align="centre")
            base -= fitted.size
    for side, most, y in (
        ("A", grid.most_a, top - size.head - size.row),
        ("B", grid.most_b, top - size.head - 2 * size.row),
    ):
        for i, limit in enumerate(most):
            left = x + first + cell * i
            if limit == 0:
                hatch(canvas, left, y, cell, size.row)
            elif limit is not None:
                draw_text(canvas, left + cell - 3, y + 3, f"0–{limit}", max(5.0, 6.5 * size.type), align="right")
            canvas.setStrokeGray(INK)
            canvas.setLineWidth(LINE)
            canvas.rect(left, y, cell, size.row, stroke=1, fill=0)
        canvas.rect(x, y, first, size.row, stroke=1, fill=0)
        side_tab(canvas, x, y, size.tab, size.row, side)
        _choices(canvas, x + size.tab + 5 * size.type, y, first - size.tab - 9 * size.type, grid, size)
        if last:
            canvas.setLineWidth(1.8)
            canvas.rect(x + width - last, y, last, size.row, stroke=1, fill=0)


def choice_rows(grid: VpGrid, size: GridSize) -> int:
    """Rows of boxes that the choices of a side take in its row of the grid; 0 where they are written."""
    if not grid.choice:
        return 0
    room = size.first - size.tab - 9 * size.type
    widest = max(text_width(one, SMALLEST) for one in grid.choice) + size.box + 5
    most = max(1, int((size.row - 12 * size.type) / (size.box + 2.5)))
    for rows in range(1, most + 1):
        if widest * -(-len(grid.choice) // rows) <= room:
            return rows
    return 0 if grid.choice_of else 1


def _choices(canvas: Canvas, x: float, y: float, width: float, grid: VpGrid, size: GridSize) -> None:
    """What a side chooses: boxes with their names, in rows, or a line to write on where they have no room."""
    rows = choice_rows(grid, size)
    type_size = 7.5 * size.type
    if grid.choice and not rows:
        written = draw_text(canvas, x, y + 4.5, grid.choice_of, type_size, max_width=width * 0.68, min_size=4)
        canvas.setLineWidth(HAIR)
        canvas.line(x + text_width(grid.choice_of, written.size) + 3, y + 4, x + width, y + 4)
        canvas.setLineWidth(LINE)
    across = -(-len(grid.choice) // max(1, rows))
    for place, choice in enumerate(grid.choice if rows else ()):
        row, column = divmod(place, across)
        at, base = x + column * width / across, y + 4 + (rows - 1 - row) * (size.box + 2.5)
        tick_box(canvas, at, base, size.box)
        room = width / across - size.box - 5
        draw_text(canvas, at + size.box + 3, base + size.box * 0.1, choice, type_size, max_width=room, min_size=4)


def marker_grid_height(grid: MarkerGrid, size: GridSize = WHOLE) -> float:
    """Height of the grid below its section title."""
    return size.marker_head + size.kind_row * len(grid.kinds) + size.done_row


def draw_marker_grid(
    canvas: Canvas, x: float, top: float, width: float, grid: MarkerGrid, side: str, size: GridSize = WHOLE
) -> None:
    """Draw one player's grid: a column for each marker, a box for each kind, one that counts if completed."""
    height, scale, box = marker_grid_height(grid, size), size.type, size.box
    label = min(width * 0.46, size.label)
    column = (width - label) / max(1, grid.each)
    side_tab(canvas, x, top - size.marker_head, size.tab, size.marker_head, side)
    base = top - size.marker_head + 3 * scale
    draw_text(canvas, x + size.tab + 5 * scale, base, "Marker", 7.5 * scale, bold=True)
    for i in range(grid.each):
        draw_text(canvas, x + label + column * (i + 0.5), base, f"{i + 1}", 8.5 * scale, bold=True, align="centre")
    canvas.setStrokeGray(INK)
    y = top - size.marker_head
    for kind in grid.kinds:
        canvas.setLineWidth(HAIR)
        canvas.line(x, y, x + width, y)
        y -= size.kind_row
        base = y + (size.kind_row - 7.5 * scale * 0.72) / 2
        draw_text(canvas, x + 3, base, kind, 7.5 * scale, max_width=label - 5, min_size=4.5)
        for i in range(grid.each):
            tick_box(canvas, x + label + column * (i + 0.5) - box / 2, y + (size.kind_row - box) / 2, box)
    canvas.setLineWidth(LINE)
    canvas.line(x, y, x + width, y)
    base = y - size.done_row / 2 - 2.6 * scale
    draw_text(canvas, x + 3, base, "Completed: 1 VP", 8 * scale, bold=True, max_width=label - 6, min_size=4.5)
    large = size.done_row - 4
    for i in range(grid.each):
        canvas.setLineWidth(1.6 * scale)
        canvas.rect(x + label + column * (i + 0.5) - large / 2, y - large - 2, large, large, stroke=1, fill=0)
    canvas.setLineWidth(LINE)
    canvas.rect(x, top - height, width, height, stroke=1, fill=0)
    canvas.line(x + label, top, x + label, top - height)


def total_boxes(x: float, width: float, summed: tuple[str, ...], size: GridSize = WHOLE) -> list[tuple[float, float]]:
    """Left end and width of the boxes of one side's sum; the total is the last one."""
    sign = 14.0 * size.type
    big = size.big if summed else width - size.tab - 6
    box = (width - size.tab - big - 12 * size.type - sign * len(summed)) / max(1, len(summed))
    first = x + size.tab + 6 * size.type
    return [(first + place * (box + sign), box) for place in range(len(summed))] + [(x + width - big, big)]


def draw_totals(
    canvas: Canvas, x: float, top: float, width: float, side: str, summed: tuple[str, ...], size: GridSize = WHOLE
) -> None:
    """One side's sum: a box for each of the ``summed``, the total in the heaviest one; that alone where none is."""
    scale, y = size.type, top - size.totals
    side_tab(canvas, x, y, size.tab, size.totals, side)
    *boxes, (big_at, big) = total_boxes(x, width, summed, size)
    for (at, box), label, sign in zip(boxes, summed, ["+"] * (len(summed) - 1) + ["="], strict=False):
        canvas.setLineWidth(LINE)
        canvas.rect(at, y, box, size.totals, stroke=1, fill=0)
        draw_text(canvas, at + 3, y + size.totals - 8 * scale, label, 6.5 * scale, max_width=box - 5, min_size=4)
        middle = y + size.totals / 2 - 5 * scale
        draw_text(canvas, at + box + 7 * scale, middle, sign, 14 * scale, bold=True, align="centre")
    canvas.setLineWidth(2.4 * scale)
    canvas.rect(big_at, y + 1.2, big - 1.2, size.totals - 2.4, stroke=1, fill=0)
    label = "TOTAL VP" if summed else "VP by the scoring"
    draw_text(canvas, big_at + 4, y + size.totals - 9.5 * scale, label, 6.5 * scale, bold=True)


SIGNED = (("A agrees", 3.0), ("B agrees", 3.0), ("Judge, if called", 2.2), ("Time started", 1.5), ("Time ended", 1.5))


def draw_signatures(canvas: Canvas, x: float, y: float, width: float, size: float = 7.5) -> None:
    """Lines to sign on, from ``x`` over ``width`` at the height ``y``, in points, each with its label below."""
    gap = 12.0
    unit = (width - gap * (len(SIGNED) - 1)) / sum(share for _, share in SIGNED)
    at = x
    for label, share in SIGNED:
        canvas.setLineWidth(LINE)
        canvas.line(at, y + size + 2.5, at + share * unit, y + size + 2.5)
        draw_text(canvas, at, y + 1.5, label, size, max_width=share * unit, min_size=5)
        at += share * unit + gap
