"""What scoresheets of either size share: the players, the boxes to fill in, who has won and how it ended."""

from dataclasses import replace

from reportlab.pdfgen.canvas import Canvas

from pdf.fonts import draw_text, fit, plain, put_text, text_width, wrap
from pdf.page import HAIR, INK, LINE, Paper, section, section_height, stamp, tick_box
from pdf.score_form import draw_form, fill_form, form_height, most_height
from pdf.score_grids import (
    BOX,
    Boxes,
    VpGrid,
    choice_boxes,
    choices_height,
    cross,
    draw_marker_grid,
    draw_totals,
    draw_vp_grid,
    marker_grid_height,
    side_tab,
    total_boxes,
    vp_columns,
)
from pdf.sheet_data import Scoresheet, SheetPlayer, SheetResult, SideResult, called

RECORD = "Filled in from what was reported, for the records; see above how it was decided."
"""Stands where a sheet that is not filled in is signed."""
ENDED = (("a", "A conceded"), ("b", "B conceded"), ("time", "Unfinished"))
TICKED, TICKED_HALF = BOX + 7.1, BOX + 3.0
"""Height of a line of boxes to tick, on a page and on half of one."""
GAP, NOTE = 8.0, 7.0


def draw_player(
    canvas: Canvas, x: float, top: float, width: float, height: float, side: str, sheet: Scoresheet
) -> None:
    """A player's box: the name on one line or two, and below it as much of the rest as has room."""
    player, large = (sheet.a if side == "A" else sheet.b), height > 40
    tab = 24 if large else 17
    canvas.setStrokeGray(INK)
    canvas.setLineWidth(LINE)
    canvas.rect(x, top - height, width, height, stroke=1, fill=0)
    side_tab(canvas, x, top - height, tab, height, side)
    left, right = x + tab + 6, x + width - 6
    if not plain(player.name):
        _to_write(canvas, left, right, top - height, player, large=large)
        return
    total = "" if player.force_total is None else f"{player.force_total} {sheet.unit}"
    if total and player.fielded is not None:
        total = f"fields at most {player.fielded} of its {player.force_total}"
    name = fit(player.name, 14 if large else 11, right - left, bold=True, min_size=9 if large else 8)
    if name.cut:
        name = fit(player.name, 10 if large else 7, right - left, bold=True, min_size=7, max_lines=2)
    y = top - 3 - name.size
    for line in name.lines:
        draw_text(canvas, left, y, line, name.size, bold=True)
        y -= name.size * 1.12
    size, kept = 9.0 if large else 7.5 if len(name.lines) == 1 else 7.0, 0.0
    leading = size * (1.25 if large or len(name.lines) == 1 else 1.15)
    if total:
        worth = draw_text(canvas, right, top - height + 5, total, size + 3.5, bold=True, max_width=(right - left) * 0.6,
                          min_size=8, align="right")  # fmt: skip
        kept = text_width(worth.lines[0], worth.size, bold=True) + 8
    y += name.size * 0.87 - size * 1.05
    said = (player.about, player.leader)
    free = not plain(player.leader) and y - leading >= top - height + 2
    if free and text_width(player.about, 7) > right - left - kept:  # the club has the free line
        said = (player.played, player.club)
    for words in filter(plain, said):
        if y >= top - height + 2:
            room = right - left - (kept if y < top - height + size + 8 else 0.0)
            draw_text(canvas, left, y, words, size, max_width=room, min_size=7)
        y -= leading


def _to_write(canvas: Canvas, left: float, right: float, low: float, player: SheetPlayer, *, large: bool) -> None:
    """Two rows of lines, 9 mm apart, for all that stands here of a player who is known; on half a page one, for less.

    The player has what the game calls these in the place of their values.
    """
    rows = [[("Name", 3), (player.club, 2)], [(player.faction, 3), (player.leader, 2), ("Total", 2)]]
    rows = rows if large else [[("Name", 3), (player.faction, 2), ("Total", 1)]]
    canvas.setLineWidth(HAIR)
    for asked, up in zip(rows, (34.0, 8.5) if large else (9.5,), strict=True):
        row = [(label, part) for label, part in asked if label]
        share = (right - left + 6) / sum(part for _, part in row)
        at = left
        for label, part in row:
            canvas.line(at, low + up, at + part * share - 6, low + up)
            draw_text(canvas, at, low + up - 7, label, 7)
            at += part * share


def draw_winner(canvas: Canvas, x: float, y: float, width: float, sheet: Scoresheet, size: float = 9.5) -> None:
    """A box to tick for each side and for a draw; the names share what the width leaves."""
    won = sheet.result.winner if sheet.result else ""
    at = x + _label(canvas, x, y, "Winner", size)
    draw = text_width("Draw", size, bold=True) + BOX + 6
    room = (width - (at - x) - draw) / 2
    for side, words in (("a", called("A", sheet.a)), ("b", called("B", sheet.b))):
        _ticked(canvas, at, y, words, size, room - 8, yes=side == won)
        at += room
    _ticked(canvas, at, y, "Draw", size, draw, yes=won == "draw")


def draw_ended(canvas: Canvas, x: float, y: float, width: float, sheet: Scoresheet, size: float = 9.5) -> None:
    """The boxes of a game that ended early."""
    ended = sheet.result.ended if sheet.result else ""
    at = x + _label(canvas, x, y, "Ended early", size)
    for key, words in ENDED:
        room = text_width(words, size, bold=True) + BOX + 6
        _ticked(canvas, at, y, words, size, room, yes=key == ended)
        at += room + size


def _label(canvas: Canvas, x: float, y: float, words: str, size: float) -> float:
    draw_text(canvas, x, y + 3, words, size, bold=True)
    return max(text_width(one, size, bold=True) for one in ("Winner", "Ended early")) + size


def _ticked(canvas: Canvas, x: float, y: float, words: str, size: float, room: float, *, yes: bool) -> None:
    """A box with its words, crossed where it is so."""
    tick_box(canvas, x, y, BOX)
    if yes:
        cross(canvas, x, y, BOX)
    draw_text(canvas, x + BOX + 4, y + 3, words, size, bold=yes, max_width=room - BOX - 4, min_size=7)


def boxes_height(sheet: Scoresheet, width: float, size: Boxes) -> float:
    """The least height of what is filled in, with its titles."""
    if sheet.form is not None:
        if not (sheet.form.a or sheet.form.b or sheet.form.total):
            return 0.0
        return _head(sheet, width, size) + form_height(sheet.form, (width - 10) / 2, size)
    markers = _title(size) + marker_grid_height(sheet.objectives, size) + GAP if sheet.marked else 0.0
    return _head(sheet, width, size) + size.head + 2 * _row(sheet.grid, size) + GAP + markers + size.totals


def _head(sheet: Scoresheet, width: float, size: Boxes) -> float:
    """Height of the title, with the limits of the figures on lines of their own where they have no room next to it."""
    return _title(size) + len(_noted(sheet, width, size)) * NOTE * 1.2


def _heading(sheet: Scoresheet) -> str:
    if sheet.form is None:
        return "Victory points in each game round"
    return "Reported" if sheet.result else "Report these"


def _noted(sheet: Scoresheet, width: float, size: Boxes) -> tuple[str, ...]:
    room = width - text_width(_heading(sheet), size.large, bold=True) - 10
    return wrap(sheet.grid_note, NOTE, width) if text_width(sheet.grid_note, NOTE) > room else ()


def _title(size: Boxes) -> float:
    return section_height(size.large)


def _row(grid: VpGrid, size: Boxes) -> float:
    """The least height of a row: a name, and the boxes of a choice below it, or on a small sheet in its place."""
    return max(size.row, choices_height(grid, size) + (size.small + 6 if size.kinds else 3) if grid.choice else 0.0)


def draw_boxes(paper: Paper, sheet: Scoresheet, x: float, top: float, width: float, low: float, size: Boxes) -> float:
    """All that is filled in, from ``top`` down, with rows as high as ``low`` allows. Gives the y below.

    This is the one part that depends on what is reported of a game.
    """
    if (needed := boxes_height(sheet, width, size)) > top - low:  # half a page of Letter: no room for names
        size = replace(size, name=0.0)
        needed = boxes_height(sheet, width, size)
    if not needed:
        return top
    canvas, half = paper.canvas, (width - 10) / 2
    noted = _noted(sheet, width, size)
    section(canvas, x, top, width, _heading(sheet), "" if noted else sheet.grid_note, size=size.large)
    for place, line in enumerate(noted):
        draw_text(canvas, x, top - _title(size) - (place + 1) * NOTE * 1.2 + 3, line, NOTE)
    spare = max(0.0, top - low - needed)
    y = top - _head(sheet, width, size)
    if sheet.form is not None:
        height = form_height(sheet.form, half, size)
        height = min(height + spare, most_height(sheet.form, half, size))
        _form(paper, sheet, x, y, half, height, size)
        return y - height
    row = _row(sheet.grid, size)
    return _grids(paper, sheet, x, y, width, max(row, min(size.largest, row + spare / 2)), size)


def _form(paper: Paper, sheet: Scoresheet, x: float, y: float, width: float, height: float, size: Boxes) -> None:
    canvas, form, second = paper.canvas, sheet.form, x + width + 10
    assert form is not None  # noqa: S101 - by draw_boxes
    sides = (("A", sheet.a, x), ("B", sheet.b, second))

    def draw() -> None:
        for side, _, left in sides:
            draw_form(canvas, left, y, width, form, side, size, height=height)

    rows = "; ".join(dict.fromkeys(row.label for row in (*form.a, *form.b) if row.label))
    stamp(paper, ("form", form, size, x, y, width, height), draw, f"Boxes to fill in for A and for B: {rows}.")
    for side, player, left in sides:
        if size.name:
            at, room = left + size.tab + 5, width - size.tab - 10
            draw_text(canvas, at, y - size.name + 4, player.name, size.large, bold=True, max_width=room, min_size=7)
        if sheet.result:
            of = sheet.result.a if side == "A" else sheet.result.b
            other = sheet.result.b if side == "A" else sheet.result.a
            fill_form(canvas, left, y, width, form, side, size, height=height, figures=of.figures, choice=of.choice,
                      total=(other if form.to_enemy else of).total, summed=of.parts)  # fmt: skip


def _grids(paper: Paper, sheet: Scoresheet, x: float, top: float, width: float, row: float, size: Boxes) -> float:
    """The VP by game round, the objective markers, the sums."""
    canvas, grid, markers, half = paper.canvas, sheet.grid, sheet.objectives, (width - 10) / 2
    shown = f"Boxes to fill in: the VP of A and of B in each of {len(grid.most_a)} game rounds, and their sum."
    key = ("vp", grid, size, x, top, width, row)
    stamp(paper, key, lambda: draw_vp_grid(canvas, x, top, width, grid, size, row), shown)
    first, _, _ = vp_columns(width, grid, size)
    for place, player in enumerate((sheet.a, sheet.b) if size.kinds or not grid.choice else ()):
        y = top - size.head - place * row
        lines = 1 if grid.choice else 2
        name = fit(player.name, size.large, first - size.tab - 7, bold=True, min_size=7, max_lines=lines)
        if name.cut and lines > 1:
            name = fit(player.name, 7, first - size.tab - 7, bold=True, min_size=7, max_lines=int(row / 8.3))
        base = y - size.small - 3 if grid.choice else y - row / 2 - name.size * (0.59 * len(name.lines) - 0.23)
        for line in reversed(name.lines):
            put_text(canvas, x + size.tab + 4, base, line, name.size, True)
            base += name.size * 1.18
    y = markers_top = top - size.head - 2 * row - GAP
    if sheet.marked:
        title = "Objective markers: tick each when completed" if size.kinds else "Objective markers"
        section(canvas, x, y, width, title, markers.note, size=size.large)
        markers_top = y - _title(size)
        y = markers_top - marker_grid_height(markers, size) - GAP
    sides = (("A", x), ("B", x + half + 10))

    def boxes() -> None:
        for side, left in sides:
            if sheet.marked:
                draw_marker_grid(canvas, left, markers_top, half, markers, side, size)
            draw_totals(canvas, left, y, half, side, sheet.summed, size)

    stamp(paper, ("boxes", markers, sheet.summed, size, x, markers_top, width, bool(sheet.result)), boxes,
          f"Boxes to fill in for A and for B: {', '.join(map(str.lower, sheet.summed))}, total VP.")  # fmt: skip
    if sheet.result:
        _fill_vp(canvas, x, top, width, grid, size, row, sheet.result)
        for (_, left), of in zip(sides, (sheet.result.a, sheet.result.b), strict=True):
            _fill_totals(canvas, left, y, half, sheet, size, of)
    return y - size.totals


def _fill_vp(
    canvas: Canvas, x: float, top: float, width: float, grid: VpGrid, size: Boxes, row: float, reported: SheetResult
) -> None:
    """The reported figures in their cells, their sums, and what each side chose."""
    first, cell, last = vp_columns(width, grid, size)
    for place, side in enumerate((reported.a, reported.b), 1):
        y = top - size.head - place * row
        base = y + row * 0.36
        for n, figure in enumerate(side.figures):
            if figure is not None:
                _figure(canvas, x + first + cell * (n + 0.5), base, figure, row * 0.45, cell)
        known = [figure for figure in side.figures if figure is not None]
        if known:
            _figure(canvas, x + width - last / 2, base, sum(known), row * 0.5, last)
        if side.choice in grid.choice:
            cross(canvas, *choice_boxes(x, y, grid, size)[grid.choice.index(side.choice)], BOX)


def _fill_totals(
    canvas: Canvas, x: float, top: float, width: float, sheet: Scoresheet, size: Boxes, side: SideResult
) -> None:
    """The total of a side, and what it is the sum of."""
    *boxes, (big_at, big) = total_boxes(x, width, sheet.summed, size)
    known = [figure for figure in side.figures if figure is not None]
    base = top - size.totals + size.totals * 0.19
    markers = "" if side.objectives is None else f"{side.objectives} of {sheet.objectives.each}"
    for (at, box), figure in zip(boxes, (sum(known) if known else "", markers), strict=False):
        if figure != "":
            _figure(canvas, at + box / 2, base, figure, size.totals * 0.4, box)
    if side.total is not None:
        _figure(canvas, big_at + big / 2, base, side.total, size.totals * 0.45, big)


def _figure(canvas: Canvas, x: float, y: float, figure: int | str, size: float, room: float) -> None:
    draw_text(canvas, x, y, str(figure), size, bold=True, align="centre", max_width=room - 4, min_size=7)


def write_on(canvas: Canvas, x: float, top: float, width: float, height: float) -> None:
    """Lines to write a scenario on that the sheet does not know."""
    canvas.setLineWidth(HAIR)
    for n in range(1, int(height / 24) + 1):
        canvas.line(x, top - 24 * n, x + width, top - 24 * n)
