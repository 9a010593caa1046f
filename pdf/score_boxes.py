"""What players fill in on a scoresheet: VP by game round or the game's own form, objective markers, totals.

A function draws what is the same at every table, and gives the places where a record is filled in.
"""

from collections.abc import Hashable, Iterator
from dataclasses import replace

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from pdf.fonts import draw_fitted, draw_text, fit, text_width, wrap
from pdf.page import Paper, box, hatch, section, stamp
from pdf.score_form import draw_form, least_height
from pdf.score_size import BOX, GAP, LABEL, NOTE, WRITE, Blank, Blanks, Boxes, Key, Value, cross, side_tab
from pdf.sheet_data import MarkerGrid, Scoresheet, VpGrid

KIND, ACROSS = 6.5 * mm, 2
"""Objective markers: the height of a kind, and how many stand next to each other."""


def _fill(canvas: Canvas, blanks: Blanks, sheet: Scoresheet) -> None:
    """What was reported of both sides, in its places."""
    for side, _, of in sheet.sides if sheet.result else ():
        known = [figure for figure in of.figures if figure is not None]
        ticked = None if of.objectives is None else f"{of.objectives} of {sheet.objectives.each}"
        sums: tuple[Value, ...] = of.parts if sheet.form else (sum(known) if known else None, ticked)
        values: dict[tuple[str, object], Value] = {
            ("choice", of.choice): 1,
            ("written", 0): of.choice,
            ("total", 0): of.total,
            **{("figure", place): figure for place, figure in enumerate(of.figures)},
            **{("sum", place): part for place, part in enumerate(sums)},
        }
        for (whose, what, number), blank in blanks:
            value = values.get((what, number)) if whose == side else None
            if value is None:
                continue
            if blank.size:
                words = str(value * blank.worth)
                draw_text(canvas, blank.x, blank.y, words, blank.size, bold=True, max_width=blank.room, min_size=7,
                          align=blank.align)  # fmt: skip
            elif value:
                cross(canvas, blank.x, blank.y)


def sums_of(sheet: Scoresheet, size: Boxes) -> tuple[str, ...]:
    """What the totals are the sum of, where that has boxes of its own: else only the result has."""
    return sheet.summed if size.whole or sheet.form is None else ()


def boxes_height(sheet: Scoresheet, width: float, size: Boxes) -> float:
    """The least height of what is filled in, with its titles."""
    if sheet.form is not None and not sheet.form.a and not sheet.form.b:
        return 0.0
    head = size.title + len(_notes(sheet, width, size)) * NOTE * 1.2
    sums = GAP + LABEL + size.totals if sums_of(sheet, size) else 0.0
    if sheet.form is not None:
        return head + least_height(sheet.form, width, size) + sums
    markers = size.title + _markers_height(sheet.objectives, size) + GAP if sheet.marked else 0.0
    return head + size.head + 2 * _row(sheet.grid, size) + markers + sums


def _heading(sheet: Scoresheet) -> str:
    if sheet.form is None:
        return "Victory points in each game round"
    return "Reported" if sheet.result else "Report these"


def _beside(sheet: Scoresheet, width: float, size: Boxes) -> str:
    """What binds the figures, where it has room next to the title: all of it.

    Of a small sheet's form as much of the end as has room, for its labels say the rest.
    """
    room = width - text_width(_heading(sheet), size.large, bold=True) - 10
    clauses = sheet.grid_note.split("; ")
    least = len(clauses) if sheet.form and not size.whole else 1
    ends = ("; ".join(clauses[first:]) for first in range(least))
    return next((end for end in ends if text_width(end, NOTE) <= room), "")


def _notes(sheet: Scoresheet, width: float, size: Boxes) -> tuple[str, ...]:
    """What binds the figures, below the title; a small sheet's form has no room for it."""
    apart = not _beside(sheet, width, size) and (size.whole or sheet.form is None)
    return wrap(sheet.grid_note, NOTE, width) if apart else ()


def draw_boxes(paper: Paper, sheet: Scoresheet, x: float, top: float, width: float, low: float, size: Boxes) -> float:
    """All that is filled in, from ``top`` down, with rows as high as ``low`` allows. Gives the y below.

    This is the one part that depends on what is reported of a game.
    """
    if sheet.is_unnamed or boxes_height(sheet, width, size) > top - low:  # half a page of Letter: no room for names
        size = replace(size, name=0.0)
    needed = boxes_height(sheet, width, size)
    if not needed:
        return top
    canvas, summed = paper.canvas, sums_of(sheet, size)
    section(canvas, x, top, width, _heading(sheet), _beside(sheet, width, size), size=size.large)
    y = top - size.title
    for line in _notes(sheet, width, size):
        y -= NOTE * 1.2
        draw_text(canvas, x, y + 3, line, NOTE)
    if sheet.form is None:
        y, blanks = _grids(paper, sheet, x, y, width, max(0.0, top - low - needed), size)
    else:
        low += GAP + LABEL + size.totals if summed else 0.0
        y, blanks = draw_form(paper, sheet, sheet.form, x, y, width, low, size)
    if summed:
        y -= GAP + LABEL + size.totals
        like: Hashable = "sums", summed, size, x, y, width
        shown = f"Boxes to fill in for A and for B: {', '.join(map(str.lower, summed))}, total VP."
        blanks = blanks + stamp(paper, like, lambda: list(_sums(canvas, x, y, width, summed, size)), shown)
    _fill(canvas, blanks, sheet)
    return y


def _sums(
    canvas: Canvas, x: float, y: float, width: float, summed: tuple[str, ...], size: Boxes
) -> Iterator[tuple[Key, Blank]]:
    """For each side a box for each of the ``summed`` and a heavy one for the total, the labels above."""
    half, label = (width - 10) / 2, y + size.totals + 2
    for side, left in (("A", x), ("B", x + half + 10)):
        side_tab(canvas, left, y, size.tab, size.totals, side)
        at, right = left + size.tab + 5, left + half
        step = (right - size.big - at) / len(summed)
        for place, words in enumerate(summed):
            wide = step - size.sign
            box(canvas, at, y, wide, size.totals)
            draw_text(canvas, at, label, words, size.small, max_width=step)
            sign = "=" if place == len(summed) - 1 else "+"
            draw_text(canvas, at + wide + size.sign / 2, y + size.totals / 2 - 4, sign, 12, bold=True, align="centre")
            yield (side, "sum", place), Blank(at + wide / 2, y + size.totals * 0.3, size.totals * 0.5, wide - 4)
            at += step
        draw_text(canvas, at, label, "Total VP", size.small, bold=True, max_width=size.big)
        yield (side, "total", 0), _heavy(canvas, at, y, size)


def _heavy(canvas: Canvas, x: float, y: float, size: Boxes) -> Blank:
    """The heavy box of a total."""
    box(canvas, x + 1.1, y + 1.1, size.big - 2.2, size.totals - 2.2, 2.2)
    return Blank(x + size.big / 2, y + size.totals * 0.29, size.totals * 0.55, size.big - 6)


def draw_result(canvas: Canvas, sheet: Scoresheet, right: float, y: float, size: Boxes) -> float:
    """The result in VP, A : B, in heavy boxes that end at ``right``. Gives its left end.

    Nothing is drawn where no VP are reported, or where the totals stand next to what they are the sum of: those in a
    form are there on a small sheet alone.
    """
    form = sheet.form
    if sums_of(sheet, size) or (form and (not form.total or (form.sum_label("A") and not size.whole))):
        return right
    middle, blanks = right - size.tab - size.big - size.sign / 2, Blanks()
    left = middle - size.sign / 2 - size.big - size.tab - 6
    lost = ("A scores", "what B lost") if size.whole else ("A scores what B lost",)
    words = lost if form and form.to_enemy else ("total VP",)
    base = y + size.totals / 2 + len(words) * 4 - size.large * 0.36
    wide = draw_text(canvas, left, base, "Result", size.large, bold=True, align="right").last_width
    for line in words:
        base -= 8.5
        wide = max(wide, draw_text(canvas, left, base, line, size.small, align="right").last_width)
    for side, at, tab in (
        ("A", middle - size.sign / 2 - size.big, -size.tab),
        ("B", middle + size.sign / 2, size.big),
    ):
        side_tab(canvas, at + tab, y, size.tab, size.totals, side)
        blanks.append(((side, "total", 0), _heavy(canvas, at, y, size)))
    draw_text(canvas, middle, y + size.totals / 2 - 4, ":", 12, bold=True, align="centre")
    _fill(canvas, blanks, sheet)
    return left - wide


def _grids(
    paper: Paper, sheet: Scoresheet, x: float, top: float, width: float, spare: float, size: Boxes
) -> tuple[float, Blanks]:
    """The VP by game round and the objective markers. Gives the y below."""
    canvas, grid, markers, half = paper.canvas, sheet.grid, sheet.objectives, (width - 10) / 2
    least = _row(grid, size)
    row = max(least, min(size.largest, least + spare / 2))
    shown = f"Boxes to fill in: the VP of A and of B in each of {len(grid.most_a)} game rounds."
    like: Hashable = "vp", grid, size, x, top, width, row
    blanks = stamp(paper, like, lambda: _vp_grid(canvas, x, top, width, grid, size, row), shown)
    for place, (_, player, _) in enumerate(sheet.sides if size.whole or not grid.choice else ()):
        y, room = top - size.head - place * row, size.first - size.tab - 7
        lines = 1 if grid.choice else int(row / 8.3)
        name = fit(player.name, size.large, room, bold=True, min_size=7, max_lines=lines, max_height=row, leading=1.18)
        low = y - size.small - 3 if grid.choice else y - row / 2 - name.size * (0.59 * len(name.lines) - 0.23)
        draw_fitted(canvas, x + size.tab + 4, low + (len(name.lines) - 1) * name.step, name)
    y = top - size.head - 2 * row
    if not sheet.marked:
        return y, blanks
    y -= GAP
    title = "Objective markers: tick each when completed" if size.whole else "Objective markers"
    section(canvas, x, y, width, title, markers.note, size=size.large)
    y -= size.title

    def boxes() -> None:
        for side, left in (("A", x), ("B", x + half + 10)):
            _marker_grid(canvas, left, y, half, markers, side, size)

    stamp(paper, ("markers", markers, size, x, y, width), boxes, "Boxes to tick for A and for B: objective markers.")
    return y - _markers_height(markers, size), blanks


def _row(grid: VpGrid, size: Boxes) -> float:
    """The least height of a row: a name, and the boxes of a choice below it, or on a small sheet in its place."""
    if not grid.choice:
        return size.row
    choices = BOX + 3 if _next_to(grid, size) else (BOX + 2) * len(grid.choice)
    return max(size.row, choices + (size.small + 6 if size.whole else 3))


def _next_to(grid: VpGrid, size: Boxes) -> bool:
    """Whether the boxes of a choice have room next to each other."""
    return sum(text_width(one, 7) + BOX + 7 for one in grid.choice) <= size.first - size.tab - 8


def _vp_grid(canvas: Canvas, x: float, top: float, width: float, grid: VpGrid, size: Boxes, row: float) -> Blanks:
    """A row for each side with a cell for each game round; the sheet writes the names in it."""
    rounds, first = len(grid.most_a), size.first
    cell, blanks = (width - first) / max(1, rounds), Blanks()
    base = top - size.head + 4
    draw_text(canvas, x, base, "Game round", size.small, bold=True)
    for n in range(rounds):
        draw_text(canvas, x + first + cell * (n + 0.5), base, str(n + 1), size.large, bold=True, align="centre")
    for side, most, y in (("A", grid.most_a, top - size.head - row), ("B", grid.most_b, top - size.head - 2 * row)):
        figures = y + row * 0.36
        for n, limit in enumerate(most):
            left = x + first + cell * n
            if limit == 0:
                hatch(canvas, left, y, cell, row)
            elif limit is not None:
                draw_text(canvas, left + cell - 2.5, y + 2.5, f"0–{limit}", 7, align="right")
            box(canvas, left, y, cell, row)
            blanks.append(((side, "figure", n), Blank(left + cell / 2, figures, row * 0.45, cell - 4)))
        box(canvas, x, y, first, row)
        side_tab(canvas, x, y, size.tab, row, side)
        at, up = x + size.tab + 4, 3.0 if _next_to(grid, size) else 2.5 + (len(grid.choice) - 1) * (BOX + 2)
        for words in grid.choice:
            box(canvas, at, y + up, BOX, BOX)
            draw_text(canvas, at + BOX + 3, y + up + 2.8, words, 7, max_width=first + x - at - BOX - 5)
            blanks.append(((side, "choice", words), Blank(at, y + up)))
            if _next_to(grid, size):
                at += text_width(words, 7) + BOX + 7
            else:
                up -= BOX + 2
    return blanks


def _markers_height(grid: MarkerGrid, size: Boxes) -> float:
    return KIND * -(-len(grid.kinds) // ACROSS) if size.whole and grid.kinds else WRITE


def _marker_grid(canvas: Canvas, x: float, top: float, width: float, grid: MarkerGrid, side: str, size: Boxes) -> None:
    """Draw one player's boxes to tick when a marker is completed: of each kind, or where none is listed of all."""
    height = _markers_height(grid, size)
    box(canvas, x, top - height, width, height)
    side_tab(canvas, x, top - height, size.tab, height, side)
    listed = grid.kinds if size.whole else ()
    kinds, boxes, square = listed or ("",), grid.most if listed else grid.each, BOX if listed else BOX + 3
    down = -(-len(kinds) // ACROSS)
    wide, deep = (width - size.tab) / (ACROSS if listed else 1), height / down
    room = wide - boxes * (BOX + 5) if listed else 0.0
    column = (wide - room) / max(1, boxes)
    for place, kind in enumerate(kinds):
        left, middle = x + size.tab + place // down * wide, top - (place % down + 0.5) * deep
        if kind:
            draw_text(canvas, left + 5, middle - 2.8, kind, 8, max_width=room - 8)
        for n in range(boxes):
            at = left + room + column * (n + 0.5) - square / 2
            box(canvas, at, middle - square / 2, square, square)
