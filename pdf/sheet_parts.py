"""What scoresheets of either size share: who has won and how it ended, to tick, and the figures filled in."""

from reportlab.pdfgen.canvas import Canvas

from pdf.fonts import draw_text, text_width
from pdf.page import HAIR, INK, PAPER, tick_box
from pdf.score_grids import GridSize, MarkerGrid, VpGrid, choice_rows, marker_grid_height, total_boxes, vp_columns
from pdf.sheet_data import Scoresheet, SheetResult, SideResult, called

RECORD = "Filled in from what was reported, for the records; see above how it was decided."
"""Stands where a sheet that is not filled in is signed."""
ENDED = (("a", "A conceded"), ("b", "B conceded"), ("time", "unfinished"))


def draw_winner(canvas: Canvas, x: float, y: float, width: float, sheet: Scoresheet, size: float = 9.5) -> None:
    """A box to tick for each side and for a draw; the names share what the width leaves."""
    won = sheet.result.winner if sheet.result else ""
    at = x + _label(canvas, x, y, "Winner", size)
    draw = text_width("Draw", size) + size * 1.6
    room = (width - (at - x) - draw) / 2
    for side, words in (("a", called("A", sheet.a)), ("b", called("B", sheet.b))):
        _ticked(canvas, at, y, words, size, room - size * 0.8, yes=side == won)
        at += room
    _ticked(canvas, at, y, "Draw", size, draw, yes=won == "draw")


def draw_ended(canvas: Canvas, x: float, y: float, width: float, sheet: Scoresheet, size: float = 9.5) -> None:
    """The boxes of a game that was not played out."""
    ended = sheet.result.ended if sheet.result else ""
    at = x + _label(canvas, x, y, "Not played out", size)
    least = [text_width(words, size) + size * 2.6 for _, words in ENDED]
    scale = min(1.0, (width - (at - x)) / sum(least))
    for (key, words), room in zip(ENDED, least, strict=True):
        _ticked(canvas, at, y, words, size, room * scale - size * 0.8, yes=key == ended)
        at += room * scale


def _label(canvas: Canvas, x: float, y: float, words: str, size: float) -> float:
    draw_text(canvas, x, y + size * 0.3, words, size * 0.95, bold=True)
    return text_width(words, size * 0.95, bold=True) + size


def _ticked(canvas: Canvas, x: float, y: float, words: str, size: float, room: float, *, yes: bool) -> None:
    """A box with its words, crossed where it is so."""
    side = size * 1.05
    tick_box(canvas, x, y, side)
    if yes:
        cross(canvas, x, y, side)
    words_at = x + side + size * 0.45
    draw_text(canvas, words_at, y + size * 0.3, words, size, bold=yes, max_width=room - side - size * 0.45, min_size=5)


def cross(canvas: Canvas, x: float, y: float, side: float) -> None:
    """The cross in a box that is ticked."""
    canvas.setLineWidth(1.4)
    canvas.line(x + 1.2, y + 1.2, x + side - 1.2, y + side - 1.2)
    canvas.line(x + 1.2, y + side - 1.2, x + side - 1.2, y + 1.2)


def fill_vp(
    canvas: Canvas, x: float, top: float, width: float, grid: VpGrid, size: GridSize, reported: SheetResult
) -> None:
    """The reported figures in their cells, their sums, and what each side chose."""
    first, cell, last = vp_columns(width, grid, size)
    for row, side in enumerate((reported.a, reported.b), 1):
        y = top - size.head - row * size.row
        base = y + size.row * 0.3
        for n, figure in enumerate(side.figures):
            if figure is not None:
                _figure(canvas, x + first + cell * (n + 0.5), base, figure, size.row * 0.5, cell)
        known = [figure for figure in side.figures if figure is not None]
        if last and known:
            _figure(canvas, x + width - last / 2, base, sum(known), size.row * 0.55, last)
        _chosen(canvas, x, y, grid, size, side)


def _chosen(canvas: Canvas, x: float, y: float, grid: VpGrid, size: GridSize, side: SideResult) -> None:
    rows = choice_rows(grid, size)
    at, width = x + size.tab + 5 * size.type, size.first - size.tab - 9 * size.type
    if side.choice and not rows:
        draw_text(canvas, at, y + 13 * size.type, side.choice, 8 * size.type, bold=True, max_width=width, min_size=4)
    elif side.choice in grid.choice:
        across = -(-len(grid.choice) // rows)
        row, column = divmod(grid.choice.index(side.choice), across)
        cross(canvas, at + column * width / across, y + 4 + (rows - 1 - row) * (size.box + 2.5), size.box)


def fill_markers(
    canvas: Canvas, x: float, top: float, width: float, grid: MarkerGrid, size: GridSize, side: SideResult
) -> None:
    """How many markers were completed; which they were is not reported, so no box of theirs is ticked."""
    if side.objectives is not None:
        label = min(width * 0.46, size.label)
        deep = marker_grid_height(grid, size) - size.marker_head
        left, room, low = x + label, width - label, top - size.marker_head - deep
        canvas.setFillGray(PAPER)
        canvas.rect(left + 0.6, low + 0.6, room - 1.2, deep - 1.2, stroke=0, fill=1)
        canvas.setFillGray(INK)
        large = 20 * size.type
        middle, base = left + room / 2, low + deep / 2 - large * 0.1
        draw_text(canvas, middle, base, str(side.objectives), large, bold=True, align="centre")
        draw_text(canvas, middle, base - 11 * size.type, f"of {grid.each} completed", 8.5 * size.type, align="centre")


def fill_totals(
    canvas: Canvas, x: float, top: float, width: float, summed: tuple[str, ...], size: GridSize, side: SideResult
) -> None:
    """The total of a side, and what it is the sum of."""
    *boxes, (big_at, big) = total_boxes(x, width, summed, size)
    known = [figure for figure in side.figures if figure is not None]
    parts = [sum(known) if known else None, side.objectives]
    base = top - size.totals + size.totals * 0.13
    for (at, box), figure in zip(boxes, parts, strict=False):
        if figure is not None:
            _figure(canvas, at + box / 2, base, figure, size.totals * 0.42, box)
    if side.total is not None:
        _figure(canvas, big_at + big / 2, base, side.total, size.totals * 0.5, big)


def _figure(canvas: Canvas, x: float, y: float, figure: int, size: float, room: float) -> None:
    draw_text(canvas, x, y, str(figure), size, bold=True, align="centre", max_width=room - 4, min_size=5)


def write_on(canvas: Canvas, x: float, top: float, width: float, height: float) -> None:
    """Lines to write a scenario on that the sheet does not know."""
    canvas.setLineWidth(HAIR)
    for n in range(1, int(height / 22) + 1):
        canvas.line(x, top - 22 * n, x + width, top - 22 * n)
