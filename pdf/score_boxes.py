"""What players fill in on a scoresheet: VP by game round or the game's own form, objective markers, totals, signatures.

A function draws what is the same at every table, and gives the places where a record is filled in.
"""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, replace
from itertools import count, pairwise

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from pdf.fonts import Align, draw_fitted, draw_text, fit, text_width, wrap
from pdf.page import (
    HAIR,
    INK,
    LINE,
    PAPER,
    Frame,
    Paper,
    box,
    hatch,
    rule,
    section,
    section_height,
    stamp,
)
from pdf.sheet_data import FEW, FormRow, MarkerGrid, ScoreForm, Scoresheet, SideResult, VpGrid

BOX = 4 * mm
"""Side of a box to tick."""
WRITE = 8 * mm
"""Least height of a box to write in."""
PAD, GAP, NOTE = 5.0, 8.0, 7.0
MOST_PARTS = 5
KIND, ACROSS = 6.5 * mm, 2
"""Objective markers: the height of a kind, and how many stand next to each other."""
Key = tuple[str, str, object]
"""What is filled in: the side, what it is, and its number or words."""
Value = int | str | None


@dataclass(frozen=True)
class Blank:
    """A place to fill in: the baseline, the size of type, the room; of size 0 the corner of a box to tick."""

    x: float
    y: float
    size: float = 0.0
    room: float = 0.0
    worth: int = 1
    """What is written is as many times the figure."""
    align: Align = "centre"


Blanks = list[tuple[Key, Blank]]


@dataclass(frozen=True)
class Boxes:
    """How large the boxes are, in points, and their type."""

    row: float = 29.0
    largest: float = 40.0
    """A row, where there is room."""
    head: float = 13.0
    first: float = 132.0
    """Width of the column of names."""
    last: float = 64.0
    """Width of the sums."""
    tab: float = 20.0
    kinds: bool = True
    """Whether the kinds of objective markers are listed; else each marker has a box to tick."""
    name: float = 15.0
    """Height of a side's name over its form; 0 leaves it out."""
    totals: float = 34.0
    big: float = 66.0
    """Width of the box of the total."""
    sign: float = 12.0
    """Width of a plus or an equals sign between the boxes of a sum."""
    figure: float = 46.0
    """Width of the box of a figure."""
    times: float = 46.0
    """Width of what a figure is worth, before a box for its VP; 0 leaves both out."""
    parts: int = 5
    """Lines at least for what a number is added up from."""
    small: float = 7.5
    large: float = 9.5

    @property
    def title(self) -> float:
        """Height of a title over boxes."""
        return section_height(self.large)


WHOLE = Boxes()
HALF = Boxes(
    row=WRITE, largest=44.0, head=11.0, first=66.0, last=34.0, tab=13.0, kinds=False, name=13.0, totals=31.0,
    big=39.0, sign=9.0, figure=30.0, times=0.0, parts=0, small=7.0, large=8.0,
)  # fmt: skip


def side_tab(canvas: Canvas, x: float, y: float, width: float, height: float, side: str) -> None:
    """The letter of a side: white on black for A, black on white for B, as their markers on the map."""
    canvas.setStrokeGray(INK)
    canvas.setLineWidth(LINE)
    canvas.setFillGray(INK if side == "A" else PAPER)
    canvas.rect(x, y, width, height, stroke=1, fill=1)
    canvas.setFillGray(PAPER if side == "A" else INK)
    size = max(7.0, min(16.0, width * 0.75, height * 0.78))
    draw_text(canvas, x + width / 2, y + height / 2 - size * 0.36, side, size, bold=True, align="centre")
    canvas.setFillGray(INK)


def cross(canvas: Canvas, x: float, y: float) -> None:
    """The cross in a box that is ticked."""
    rule(canvas, x + 1.2, y + 1.2, x + BOX - 1.2, y + BOX - 1.2, 1.4)
    rule(canvas, x + 1.2, y + BOX - 1.2, x + BOX - 1.2, y + 1.2, 1.4)


def _fill(canvas: Canvas, blanks: Blanks, side: str, of: SideResult, more: dict[tuple[str, object], Value]) -> None:
    """What was reported of a side, in its places; ``more`` is what only some sheets have a place for."""
    values: dict[tuple[str, object], Value] = {("choice", of.choice): 1, ("total", 0): of.total, **more}
    values |= {("figure", place): figure for place, figure in enumerate(of.figures)}
    for (whose, what, number), blank in blanks:
        value = values.get((what, number)) if whose == side else None
        if value is None:
            continue
        if blank.size:
            draw_text(canvas, blank.x, blank.y, str(value * blank.worth), blank.size, bold=True, max_width=blank.room,
                      min_size=7, align=blank.align)  # fmt: skip
        elif value:
            cross(canvas, blank.x, blank.y)


def boxes_height(sheet: Scoresheet, width: float, size: Boxes) -> float:
    """The least height of what is filled in, with its titles."""
    if sheet.form is not None:
        return 0.0 if sheet.form.is_empty else _head(sheet, width, size) + _form_height(sheet.form, width, size)
    markers = size.title + _markers_height(sheet.objectives, size) + GAP if sheet.marked else 0.0
    return _head(sheet, width, size) + size.head + 2 * _row(sheet.grid, size) + GAP + markers + size.totals


def _head(sheet: Scoresheet, width: float, size: Boxes) -> float:
    """Height of the title, with the limits of the figures on lines of their own where they have no room next to it."""
    return size.title + len(_noted(sheet, width, size)) * NOTE * 1.2


def _heading(sheet: Scoresheet) -> str:
    if sheet.form is None:
        return "Victory points in each game round"
    return "Reported" if sheet.result else "Report these"


def _noted(sheet: Scoresheet, width: float, size: Boxes) -> tuple[str, ...]:
    room = width - text_width(_heading(sheet), size.large, bold=True) - 10
    return wrap(sheet.grid_note, NOTE, width) if text_width(sheet.grid_note, NOTE) > room else ()


def draw_boxes(paper: Paper, sheet: Scoresheet, x: float, top: float, width: float, low: float, size: Boxes) -> float:
    """All that is filled in, from ``top`` down, with rows as high as ``low`` allows. Gives the y below.

    This is the one part that depends on what is reported of a game.
    """
    needed = boxes_height(sheet, width, size)
    if needed > top - low:  # half a page of Letter: no room for names
        size = replace(size, name=0.0)
        needed = boxes_height(sheet, width, size)
    if not needed:
        return top
    noted = _noted(sheet, width, size)
    section(paper.canvas, x, top, width, _heading(sheet), "" if noted else sheet.grid_note, size=size.large)
    for place, line in enumerate(noted):
        draw_text(paper.canvas, x, top - size.title - (place + 1) * NOTE * 1.2 + 3, line, NOTE)
    spare = max(0.0, top - low - needed)
    y = top - _head(sheet, width, size)
    if sheet.form is None:
        return _grids(paper, sheet, x, y, width, spare, size)
    height = _form_height(sheet.form, width, size)
    low = y - min(height + spare, height + _more(sheet.form, size))
    _form(paper, sheet, sheet.form, Frame(x, low, x + width, y), size)
    return low


def _form(paper: Paper, sheet: Scoresheet, form: ScoreForm, room: Frame, size: Boxes) -> None:
    canvas, half = paper.canvas, (room.width - 10) / 2
    areas = replace(room, right=room.left + half), replace(room, left=room.right - half)

    def draw() -> Blanks:
        return _side(canvas, areas[0], form, "A", size) + _side(canvas, areas[1], form, "B", size)

    rows = "; ".join(dict.fromkeys(row.label for row in (*form.a, *form.b) if row.label))
    blanks = stamp(paper, ("form", form, size, room), draw, f"Boxes to fill in for A and for B: {rows}.")
    for area, (side, player, of) in zip(areas, sheet.sides, strict=True):
        if size.name:
            at, wide = area.left + size.tab + 5, half - size.tab - 10
            draw_text(canvas, at, area.top - size.name + 4, player.name, size.large, bold=True, max_width=wide)
        if sheet.result:
            other = sheet.sides[side == "A"][2]
            more: dict[tuple[str, object], Value] = {("sum", place): part for place, part in enumerate(of.parts)}
            more |= {("written", 0): of.choice, ("total", 0): (other if form.to_enemy else of).total}
            _fill(canvas, blanks, side, of, more)


def _form_height(form: ScoreForm, width: float, size: Boxes) -> float:
    """The least height of the form on this width of the sheet."""
    room = (width - 10) / 2 - size.tab - 2 * PAD
    rows = max(sum(_row_height(row, room, size) for row in rows) for rows in (form.a, form.b))
    rows += size.parts * WRITE if any(row.parts for row in form.a) else 0.0
    return (size.name or 3) + rows + (size.totals + 7 if form.total else 4)


def _more(form: ScoreForm, size: Boxes) -> float:
    """How much higher a form is of use: lines for all parts, else higher rows."""
    parts = (MOST_PARTS - size.parts) * WRITE if any(row.parts for row in form.a) else 0.0
    return parts + max(1, len(form.a), len(form.b)) * (size.largest - size.row)


def _row_height(row: FormRow, room: float, size: Boxes) -> float:
    if row.choices and len(row.choices) <= FEW:
        return size.small + 7 + -(-len(row.choices) // (len(_across(row, room, size)) - 1)) * (BOX + 4)
    return (BOX + 2 if row.most == 1 else WRITE + 2) + (0 if not size.times else 4 if row.most == 1 else 2)


def _side(canvas: Canvas, area: Frame, form: ScoreForm, side: str, size: Boxes) -> Blanks:
    """Draw one side's form, but for the name."""
    side_tab(canvas, area.left, area.bottom, size.tab, area.height, side)
    box(canvas, area.left, area.bottom, area.width, area.height)
    left, right = area.left + size.tab + PAD, area.right - PAD
    blanks: Blanks = []
    numbers = count()
    for row, y, deep, lines in _placed(form, side, area, size):
        top, at = y - lines * WRITE, _number_box(right, row, size)
        for place in range(1, lines + 1):  # a line for what a number is added up from, and a box for what it counts
            low = y - place * WRITE
            draw_text(canvas, left, low + 1.5, row.parts, 7)
            rule(canvas, left, low + 8.5, at - 8, low + 8.5)
            box(canvas, at, low, size.figure, WRITE, HAIR)
        if len(row.choices) > FEW:
            blanks.append(_written(canvas, left, right, top - WRITE + 4, row, side, size))
        elif row.choices:
            blanks += _choice(canvas, left, top, right, row, side, size)
        else:
            key = side, "figure", next(numbers)
            blanks += [(key, blank) for blank in _figure(canvas, left, top - deep, right, deep, row, size)]
    if form.total:
        sums = form.sums if size.times else ()
        if not sums:  # what the total is stands before its box
            room, words = (
                right - size.big - left - 6,
                ": ".join(filter(None, (form.total_label(side), " + ".join(form.sums)))),
            )
            said = fit(words, size.large, room, bold=True, max_lines=2)
            base = area.bottom + 1 + size.totals / 2 + (len(said.lines) - 1) * size.large / 2
            draw_fitted(canvas, left, base, said)
        label = form.total_label(side) if sums else ""
        blanks += _total(canvas, left, area.bottom + 4, right, side, sums, label, size)
    return blanks


def _placed(form: ScoreForm, side: str, area: Frame, size: Boxes) -> list[tuple[FormRow, float, float, int]]:
    """Each row with its top, its height and its lines for parts; what else the form has too much, the rows share."""
    rows, spare = form.a if side == "A" else form.b, area.height - _form_height(form, 2 * area.width + 10, size)
    more = min(MOST_PARTS - size.parts, int(spare / WRITE)) if any(row.parts for row in rows) else 0
    more = more if size.parts + more > 1 else 0  # one alone sums up nothing
    lines = size.parts + more
    each = (spare - more * WRITE) / max(1, sum(not row.choices for row in rows) or len(rows))
    y, placed, first = area.top - (size.name or 3), [], True
    for row in rows:
        own = lines if row.parts and first else 0
        first = first and not own
        deep = _row_height(row, area.width - size.tab - 2 * PAD, size)
        deep += each if not row.choices or all(one.choices for one in rows) else 0.0
        placed.append((row, y, deep, own))
        y -= deep + own * WRITE
    return placed


def _across(row: FormRow, width: float, size: Boxes) -> list[float]:
    """Where choices next to each other begin, as many as have room, and the end of the last."""
    wide, many = [text_width(one, size.large) + BOX + 8 for one in _worded(row)], len(row.choices)
    if any(row.worth) and size.times:
        width -= size.figure + 16
    for rows in range(1, many + 1):
        across = -(-many // rows)
        columns = [max(wide[place::across]) for place in range(across)]
        spare = (width - sum(columns)) / across
        if spare >= 0 or across == 1:
            break
    return [sum(columns[:place]) + spare * place for place in range(across + 1)]


def _worded(row: FormRow) -> list[str]:
    """The choices, with their VP where they have some."""
    worth = row.worth or (0,) * len(row.choices)
    return [f"{one}: {vp} VP" if vp else one for one, vp in zip(row.choices, worth, strict=True)]


def _written(
    canvas: Canvas, x: float, right: float, base: float, row: FormRow, side: str, size: Boxes
) -> tuple[Key, Blank]:
    """A label and a line to write one of many choices on."""
    label = draw_text(canvas, x, base, row.label, size.large, max_width=(right - x) * 0.6)
    rule(canvas, x + label.last_width + 6, base - 2, right, base - 2)
    room = max(right - x - text_width(row.label, size.large) - 10, (right - x) * 0.4)
    return (side, "written", 0), Blank(right, base, size.small, room, align="right")


def _choice(canvas: Canvas, x: float, top: float, right: float, row: FormRow, side: str, size: Boxes) -> Blanks:
    """A label, a box to tick for each choice, and where they are worth something one for the VP of the chosen one."""
    draw_text(canvas, x, top - size.small - 1, row.label, size.small, bold=True, max_width=right - x)
    columns = list(pairwise(_across(row, right - x, size)))
    worth, at, low = any(row.worth) and size.times, right - size.figure, top - size.small + 3 - WRITE
    blanks: Blanks = []
    for place, (choice, words) in enumerate(zip(row.choices, _worded(row), strict=True)):
        (start, end), line = columns[place % len(columns)], place // len(columns)
        base = top - size.small - 4 - BOX - line * (BOX + 4)
        box(canvas, x + start, base, BOX, BOX)
        draw_text(canvas, x + start + BOX + 4, base + 2.5, words, size.large, max_width=end - start - BOX - 6)
        key = side, "choice", choice
        blanks.append((key, Blank(x + start, base)))
        if worth:
            blanks.append((key, Blank(at + size.figure / 2, low + 7, 14, size.figure - 4, row.worth[place])))
    if worth:
        box(canvas, at, low, size.figure, WRITE)
        draw_text(canvas, at - 8, low - 3 + WRITE / 2, "=", size.large, align="centre")
    return blanks


def _number_box(right: float, row: FormRow, size: Boxes) -> float:
    """Where the box of a number begins: before the one of its VP, where it has one."""
    return right - size.figure - (size.times + size.figure if row.worth and size.times else 0.0)


def _figure(
    canvas: Canvas, x: float, y: float, right: float, deep: float, row: FormRow, size: Boxes
) -> Iterator[Blank]:
    """A label and a box to write in, or to tick; then what it is worth, and a box for that."""
    ticked, vp = row.most == 1, right - size.figure
    at, base = right - BOX - 4 if ticked else _number_box(right, row, size), y + (deep - BOX) / 2
    words = row.label if size.times or not any(row.worth) or ticked else f"{row.label}, {row.worth[0]} VP each"
    said = fit(words, size.large, at - x - 6, max_lines=2)
    if row.label:
        draw_fitted(canvas, x, y + deep / 2 + (len(said.lines) - 1) * said.step / 2 - said.size * 0.36, said)
    else:
        rule(canvas, x, base, at - 8, base)
    if ticked:
        box(canvas, at, base, BOX, BOX)
        yield Blank(at, base)
        return
    high, middle = min(deep - 2, WRITE * 1.5), y + deep / 2
    box(canvas, at, middle - high / 2, size.figure, high)
    yield Blank(at + size.figure / 2, middle - 5, 14, size.figure - 4)
    if row.most is not None:
        draw_text(canvas, at + size.figure - 2.5, middle - high / 2 + 2.5, f"0–{row.most}", 7, align="right")
    if row.worth and size.times:
        says = f"× {row.worth[0]} VP =" if row.worth[0] else "no VP"
        draw_text(canvas, vp - size.times / 2, middle - size.small * 0.36, says, size.small, align="centre",
                  max_width=size.times - 2)  # fmt: skip
        if row.worth[0]:
            box(canvas, vp, middle - high / 2, size.figure, high)
            yield Blank(vp + size.figure / 2, middle - 5, 14, size.figure - 4, row.worth[0])


def _total(
    canvas: Canvas, x: float, y: float, right: float, side: str, summed: tuple[str, ...], label: str, size: Boxes
) -> Blanks:
    """A heavy box for the total, and before it one for each of the ``summed``."""
    blanks: Blanks = []
    step = (right - size.big - x) / max(1, len(summed))
    for place, words in enumerate(summed):
        at, wide = x + place * step, step - size.sign
        box(canvas, at, y, wide, size.totals)
        draw_text(canvas, at + 1.5, y + size.totals - 8, words, 7, max_width=wide - 2)
        sign = "=" if place == len(summed) - 1 else "+"
        draw_text(canvas, at + wide + size.sign / 2, y + size.totals / 2 - 5, sign, 12, bold=True, align="centre")
        blank = Blank(at + wide / 2, y + size.totals * 0.19, size.totals * 0.4, wide - 4)
        blanks.append(((side, "sum", place), blank))
    box(canvas, right - size.big, y + 1.1, size.big - 1.1, size.totals - 2.2, 2.2)
    draw_text(canvas, right - size.big + 4, y + size.totals - 9.5, label, 7, bold=True, max_width=size.big - 8)
    up = 0.19 if label else 0.3
    total = Blank(right - size.big / 2, y + size.totals * up, size.totals * 0.45, size.big - 4)
    blanks.append(((side, "total", 0), total))
    return blanks


def _grids(paper: Paper, sheet: Scoresheet, x: float, top: float, width: float, spare: float, size: Boxes) -> float:
    """The VP by game round, the objective markers, the sums. Gives the y below."""
    canvas, grid, markers, half = paper.canvas, sheet.grid, sheet.objectives, (width - 10) / 2
    least = _row(grid, size)
    row = max(least, min(size.largest, least + spare / 2))
    shown = f"Boxes to fill in: the VP of A and of B in each of {len(grid.most_a)} game rounds, and their sum."
    like: Hashable = "vp", grid, size, x, top, width, row
    blanks = stamp(paper, like, lambda: _vp_grid(canvas, x, top, width, grid, size, row), shown)
    for place, (_, player, _) in enumerate(sheet.sides if size.kinds or not grid.choice else ()):
        y, room = top - size.head - place * row, size.first - size.tab - 7
        lines = 1 if grid.choice else 2
        name = fit(player.name, size.large, room, bold=True, max_lines=lines, leading=1.18)
        if name.cut and lines > 1:
            name = fit(player.name, 7, room, bold=True, max_lines=int(row / 8.3), leading=1.18)
        low = y - size.small - 3 if grid.choice else y - row / 2 - name.size * (0.59 * len(name.lines) - 0.23)
        draw_fitted(canvas, x + size.tab + 4, low + (len(name.lines) - 1) * name.step, name)
    y = top - size.head - 2 * row - GAP
    markers_top = y - size.title
    if sheet.marked:
        title = "Objective markers: tick each when completed" if size.kinds else "Objective markers"
        section(canvas, x, y, width, title, markers.note, size=size.large)
        y = markers_top - _markers_height(markers, size) - GAP
    low = y - size.totals

    def boxes() -> Blanks:
        found: Blanks = []
        for side, left in (("A", x), ("B", x + half + 10)):
            if sheet.marked:
                _marker_grid(canvas, left, markers_top, half, markers, side, size)
            side_tab(canvas, left, low, size.tab, size.totals, side)
            found += _total(canvas, left + size.tab + 5, low, left + half, side, sheet.summed, "Total VP", size)
        return found

    like = "boxes", markers, sheet.summed, size, x, low, width, sheet.marked
    summed = f"Boxes to fill in for A and for B: {', '.join(map(str.lower, sheet.summed))}, total VP."
    blanks = blanks + stamp(paper, like, boxes, summed)
    for side, _, of in sheet.sides if sheet.result else ():
        known = [figure for figure in of.figures if figure is not None]
        rounds = sum(known) if known else None
        ticked = None if of.objectives is None else f"{of.objectives} of {markers.each}"
        _fill(canvas, blanks, side, of, {("rounds", 0): rounds, ("sum", 0): rounds, ("sum", 1): ticked})
    return low


def _row(grid: VpGrid, size: Boxes) -> float:
    """The least height of a row: a name, and the boxes of a choice below it, or on a small sheet in its place."""
    if not grid.choice:
        return size.row
    choices = BOX + 3 if _next_to(grid, size) else (BOX + 2) * len(grid.choice)
    return max(size.row, choices + (size.small + 6 if size.kinds else 3))


def _next_to(grid: VpGrid, size: Boxes) -> bool:
    """Whether the boxes of a choice have room next to each other."""
    return sum(text_width(one, 7) + BOX + 7 for one in grid.choice) <= size.first - size.tab - 8


def _vp_grid(canvas: Canvas, x: float, top: float, width: float, grid: VpGrid, size: Boxes, row: float) -> Blanks:
    """A row for each side with a cell for each game round and their sum; the sheet writes the names in it."""
    rounds, first, last = len(grid.most_a), size.first, size.last
    cell, blanks = (width - first - last) / max(1, rounds), Blanks()
    base = top - size.head + 4
    draw_text(canvas, x, base, "Game round", size.small, bold=True)
    draw_text(canvas, x + width - last / 2, base, "Sum", size.large, bold=True, align="centre")
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
        box(canvas, x + width - last, y, last, row, 1.8)
        blanks.append(((side, "rounds", 0), Blank(x + width - last / 2, figures, row * 0.5, last - 4)))
    return blanks


def _markers_height(grid: MarkerGrid, size: Boxes) -> float:
    return KIND * -(-len(grid.kinds) // ACROSS) if size.kinds and grid.kinds else WRITE


def _marker_grid(canvas: Canvas, x: float, top: float, width: float, grid: MarkerGrid, side: str, size: Boxes) -> None:
    """Draw one player's boxes to tick when a marker is completed: of each kind, or where none is listed of all."""
    height = _markers_height(grid, size)
    box(canvas, x, top - height, width, height)
    side_tab(canvas, x, top - height, size.tab, height, side)
    listed = grid.kinds if size.kinds else ()
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
