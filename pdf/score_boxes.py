"""What players fill in on a scoresheet: VP by game round or the game's own form, objective markers, totals.

A function draws what is the same at every table, and gives the places where a record is filled in.
"""

import re
from collections.abc import Hashable, Iterator
from dataclasses import replace

from reportlab.pdfgen.canvas import Canvas

from pdf.fonts import Fitted, draw_fitted, draw_text, fit, text_width, wrap
from pdf.page import HAIR, Paper, box, draw_shared, hatch, section, section_height
from pdf.score_form import draw_form, form_height
from pdf.score_size import BOX, LABEL, WRITE, Blank, Blanks, Boxes, Key, Value, cross, side_tab
from pdf.sheet_data import MarkerGrid, Scoresheet, VpGrid, lettered

LISTED = {True: (3, 8.0), False: (6, 7.0)}
"""The columns of a list to choose from, and its type, on a whole page and on half a page."""
BETWEEN = 4.0
"""White between boxes to tick of objective markers."""


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
                said = fit(words, blank.size, blank.room, bold=True, min_size=7, max_lines=blank.lines)
                draw_fitted(canvas, blank.x, blank.y + (len(said.lines) - 1) * said.step, said, blank.align)
            elif value:
                cross(canvas, blank.x, blank.y)


def boxes_height(sheet: Scoresheet, width: float, size: Boxes) -> float:
    """The least height of what is filled in, with its titles."""
    if sheet.form is not None and not sheet.form.a and not sheet.form.b:
        return 0.0
    head = section_height(size.large) + len(_titled(sheet, width, size)[2]) * size.small * 1.2
    sums = _sums_height(sheet, size)
    if sheet.form is not None:
        return head + form_height(sheet.form, width, size) + sums
    markers = sheet.marked * (section_height(size.large) + _markers_height(sheet.objectives, width, size) + size.gap)
    return head + size.head + 2 * _row(sheet.grid, size) + markers + sums


def listed_height(sheet: Scoresheet, size: Boxes) -> float:
    """The height of `draw_list`."""
    columns, high = LISTED[size.whole]
    rows = -(-len(sheet.written.choices) // columns)
    return ((rows + 1) * 1.2 + 0.9) * high if rows else 0.0


def draw_list(canvas: Canvas, x: float, y: float, width: float, sheet: Scoresheet, size: Boxes) -> None:
    """The list that one is chosen from, from ``y`` down, under its head; a column of longer words is wider."""
    label, choices, (columns, high) = sheet.written.label, sheet.written.choices, LISTED[size.whole]
    if not size.whole:  # numbers, with only what stands in brackets after the names
        choices = tuple(re.sub(r"^(\d+) .+ \((.+)\)$", r"\1 \2", one) for one in choices)
    rows, step, top = -(-len(choices) // columns) or 1, high * 1.2, y - high * 0.4
    draw_text(canvas, x, top - step, label and f"The list: {label.lower()} (write its number)", high, bold=True)
    parts = [choices[first : first + rows] for first in range(0, len(choices), rows)]
    wide = [max(text_width(one, high) for one in part) for part in parts]
    for part, one in zip(parts, wide, strict=True):
        room = one + (width - sum(wide)) / len(wide)
        for place, words in enumerate(part, 2):
            draw_text(canvas, x, top - place * step, words, high, max_width=room - 2)
        x += room


def fitting(sheet: Scoresheet, width: float, room: float, size: Boxes) -> Boxes:
    """The boxes without names where they are left to write; without what else can go where this height needs it."""
    if sheet.is_unnamed:
        size = replace(size, name=0.0)
    ways = (size, replace(size, name=0.0), replace(size, brief=True), replace(size, name=0.0, brief=True))
    return next((one for one in ways if boxes_height(sheet, width, one) <= room + 0.01), ways[-1])


def _titled(sheet: Scoresheet, width: float, size: Boxes) -> tuple[str, str, tuple[str, ...]]:
    """The title, and what binds the figures: next to it where that has room, else below it, as on half a page a list.

    Where a form has to be brief, it is as much of the end as has room next to the title, for its labels say the rest.
    """
    title = ("Reported" if sheet.result else "Report these") if sheet.form else "Victory points in each game round"
    room, brief = width - text_width(title, size.large, bold=True) - 10, sheet.form is not None and size.brief
    clauses = sheet.grid_note.split("; ")
    ends = ("; ".join(clauses[first:]) for first in range(len(clauses) if brief else 1))
    beside = next((end for end in ends if text_width(end, size.small) <= room), "")
    below = wrap(sheet.grid_note, size.small, width) if sheet.grid_note and not (beside or brief) else ()
    return title, beside, tuple(below)


def draw_boxes(paper: Paper, sheet: Scoresheet, x: float, top: float, width: float, low: float, size: Boxes) -> float:
    """All that is filled in, from ``top`` down, with rows as high as ``low`` allows. Gives the y below.

    This is the one part that depends on what is reported of a game.
    """
    size = fitting(sheet, width, top - low, size)
    needed = boxes_height(sheet, width, size)
    if not needed:
        return top
    canvas, summed, sums = paper.canvas, sheet.summed, _sums_height(sheet, size)
    title, beside, below = _titled(sheet, width, size)
    section(canvas, x, top, width, title, beside, size=size.large)
    y = top - section_height(size.large)
    for line in below:
        y -= size.small * 1.2
        draw_text(canvas, x, y + 3, line, size.small)
    if sheet.form is None:
        y, blanks = _grids(paper, sheet, x, y, width, max(0.0, top - low - needed), size)
    else:
        y, blanks = draw_form(paper, sheet, sheet.form, x, y, width, low + sums, size)
    if summed:
        y -= sums
        like: Hashable = "sums", summed, size, x, y, width
        shown = f"Boxes to fill in for A and for B: {', '.join(map(str.lower, summed))}, total VP."
        blanks = blanks + draw_shared(paper, like, lambda: list(_sums(canvas, x, y, width, summed, size)), shown)
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
            said = fit(lettered(words, side), size.small, step - 2, max_lines=2, leading=1.1)
            draw_fitted(canvas, at, label + (len(said.lines) - 1) * said.step, said)
            sign = "=" if place == len(summed) - 1 else "+"
            draw_text(canvas, at + wide + size.sign / 2, y + size.totals / 2 - 4, sign, 12, bold=True, align="centre")
            yield (side, "sum", place), Blank(at + wide / 2, y + size.totals * 0.3, size.totals * 0.5, wide - 4)
            at += step
        draw_text(canvas, at, label, "Total VP", size.small, bold=True, max_width=size.big)
        yield (side, "total", 0), _heavy(canvas, at, y, size)


def _sums_height(sheet: Scoresheet, size: Boxes) -> float:
    """The height of what the totals are the sum of, with the white above; a form's labels have two lines on a half."""
    labels = LABEL if size.whole or sheet.form is None else 2 * LABEL
    return size.gap + labels + size.totals if sheet.summed else 0.0


def _heavy(canvas: Canvas, x: float, y: float, size: Boxes) -> Blank:
    """The heavy box of a total."""
    box(canvas, x + 1.1, y + 1.1, size.big - 2.2, size.totals - 2.2, 2.2)
    return Blank(x + size.big / 2, y + size.totals * 0.29, size.totals * 0.55, size.big - 6)


def has_result(sheet: Scoresheet, size: Boxes) -> bool:
    """Whether the totals have boxes of their own: VP are reported, and the totals are not next to what they sum up.

    On a small sheet those that are in the form are there alone.
    """
    if sheet.result or sheet.summed:
        return False
    return sheet.form is None or (sheet.form.total and (size.whole or not sheet.form.sum_label("A")))


def draw_result(canvas: Canvas, sheet: Scoresheet, right: float, y: float, size: Boxes) -> float:
    """The result in VP, A : B, in heavy boxes that end at ``right``, if it `has_result`. Gives its left end."""
    if not has_result(sheet, size):
        return right
    middle = right - size.tab - size.big - size.sign / 2
    left, base = middle - size.sign / 2 - size.big - size.tab - 6, y + size.totals / 2 - 4
    wide = draw_text(canvas, left, base + 1, "Result in VP", size.large, bold=True, align="right").last_width
    for side, at, tab in (("A", middle - size.sign / 2 - size.big, -size.tab), ("B", middle + size.sign / 2, size.big)):
        side_tab(canvas, at + tab, y, size.tab, size.totals, side)
        _heavy(canvas, at, y, size)
    draw_text(canvas, middle, base, ":", 12, bold=True, align="centre")
    return left - wide


def _grids(
    paper: Paper, sheet: Scoresheet, x: float, top: float, width: float, spare: float, size: Boxes
) -> tuple[float, Blanks]:
    """The VP by game round and the objective markers. Gives the y below."""
    canvas, grid, markers = paper.canvas, sheet.grid, sheet.objectives
    least = _row(grid, size)
    row = max(least, min(size.largest, least + spare / 2))
    shown = f"Boxes to fill in: the VP of A and of B in each of {len(grid.most_a)} game rounds."
    like: Hashable = "vp", grid, size, x, top, width, row
    blanks = draw_shared(paper, like, lambda: _vp_grid(canvas, x, top, width, grid, size, row), shown)
    for place, (_, player, _) in enumerate(sheet.sides if size.whole or not grid.choice else ()):
        y, room = top - size.head - place * row, size.first - size.tab - 7
        lines = 1 if grid.choice else int(row / 8.3)
        name = fit(player.name, size.large, room, bold=True, min_size=7, max_lines=lines, max_height=row, leading=1.18)
        low = y - size.small - 3 if grid.choice else y - row / 2 - name.size * (0.59 * len(name.lines) - 0.23)
        draw_fitted(canvas, x + size.tab + 4, low + (len(name.lines) - 1) * name.step, name)
    y = top - size.head - 2 * row
    if not sheet.marked:
        return y, blanks
    y -= size.gap
    title = "Objective markers: tick each when completed" if size.whole else "Tick completed markers"
    section(canvas, x, y, width, title, markers.note, size=size.large)
    y -= section_height(size.large)
    like, shown = ("markers", markers, size, x, y, width), "Boxes to tick for A and for B: objective markers."
    draw_shared(paper, like, lambda: _markers(canvas, x, y, width, markers, size), shown)
    return y - _markers_height(markers, width, size), blanks


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


def _kinds(grid: MarkerGrid, width: float, size: Boxes) -> tuple[list[Fitted], float]:
    """The kinds of markers as heads, where each has room above its boxes, and their height; else none."""
    room = (width - size.tab) / max(1, len(grid.kinds))
    if size.brief or not grid.kinds or grid.most * (BOX + BETWEEN) > room:
        return [], 0.0
    heads = [fit(kind, size.small, room - 3, min_size=7, max_lines=2, leading=1.1) for kind in grid.kinds]
    return heads, max(head.height for head in heads) + 3


def _markers_height(grid: MarkerGrid, width: float, size: Boxes) -> float:
    heads, high = _kinds(grid, width, size)
    return high + 2 * (BOX + BETWEEN) if heads else WRITE


def _markers(canvas: Canvas, x: float, top: float, width: float, grid: MarkerGrid, size: Boxes) -> None:
    """Boxes to tick when a marker is completed: of each kind, a row for each side; or, next to each other, of all."""
    heads, high = _kinds(grid, width, size)
    y, half = top - high, (width - 10) / 2
    many, square, deep = (grid.most, BOX, BOX + BETWEEN) if heads else (1, BOX + 3, WRITE)
    for number, side in enumerate("AB"):
        left, low, wide = (x, y - (number + 1) * deep, width) if heads else (x + number * (half + 10), y - deep, half)
        box(canvas, left, low, wide, deep)
        side_tab(canvas, left, low, size.tab, deep, side)
        step = (wide - size.tab) / (len(heads) or grid.each)
        for place in range(len(heads) or grid.each):
            middle = left + size.tab + (place + 0.5) * step
            if heads and not number:
                box(canvas, middle - step / 2, y - 2 * deep, step, high - 1 + 2 * deep, HAIR)
                above = 2.5 + (len(heads[place].lines) - 1) * heads[place].step
                draw_fitted(canvas, middle, y + above, heads[place], "centre")
            for n in range(many):
                at = middle + (n - (many - 1) / 2) * (square + BETWEEN) - square / 2
                box(canvas, at, low + (deep - square) / 2, square, square)
