"""The boxes that players fill in: VP by game round or the game's own form, objective markers, totals.

Boxes that are the same at every table are drawn once and shared.
"""

import re
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from itertools import product

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from languages.words import capital, gettext, ngettext
from pdf.fonts import Fitted, draw_fitted, draw_text, fit, text_width
from pdf.page import HAIR, INK, PAPER, Frame, Paper, block, box, draw_shared, hatch, rule, section, section_height
from pdf.sheet_data import FEW, FormRow, MarkerGrid, ScoreForm, Scoresheet, VpGrid, shown_vp

BOX, WRITE, PITCH = 4 * mm, 8 * mm, 9 * mm
"""Side of a box to tick, minimum height of a box to write in, and distance between lines for names, in points."""
PAD, LEADING = 5.0, 1.15
TITLE, HEAVY = 11.0, 2.2
"""Type size of titles on a whole page and on the back of half a page; width of the line around a total."""


@dataclass(frozen=True)
class Boxes:
    """The sizes of boxes, and of the type in them, in points. ``tab`` is the field with a side's letter."""

    min_row: float = 29.0
    max_row: float = 46.0
    write: float = 20.0
    max_growth: float = 14.0
    """Minimum height of a row of a form, and how much higher it may be."""
    head_height: float = 17.0
    tab_width: float = 20.0
    gap: float = 6.0
    tick_gap: float = 4.5
    """Space above a title, and below a box to tick."""
    small: float = 9.0
    title: float = TITLE
    large: float = 9.5
    """Type size of heads, labels and choices."""


BOXES = Boxes()
SMALL_BOXES = Boxes(
    min_row=16.0, max_row=70.0, max_growth=46.0, head_height=17.0, tab_width=13.0,
    gap=4.0, tick_gap=3.4, small=7.5, title=9.0, large=8.5,
)  # fmt: skip


def side_tab(canvas: Canvas, x: float, y: float, width: float, height: float, side: str) -> None:
    """Draw the letter of a side: white on black for A, black on white for B, like their markers on the map."""
    block(canvas, x, y, width, height, INK if side == "A" else PAPER)
    box(canvas, x, y, width, height)
    canvas.setFillGray(PAPER if side == "A" else INK)
    size = max(7.0, min(16.0, width * 0.9, height * 0.78))
    draw_text(canvas, x + width / 2, y + height / 2 - size * 0.36, side, size, bold=True, align="centre")
    canvas.setFillGray(INK)


def readable(words: str, size: float, room: float, lines: int, *, bold: bool = False) -> Fitted:
    """Words on at most ``lines``, in smaller type only if they need more."""
    large = fit(words, size, room, bold=bold, min_size=size - 0.5, max_lines=lines, leading=LEADING)
    return fit(words, size, room, bold=bold, min_size=7, max_lines=lines, leading=LEADING) if large.cut else large


def write_line(canvas: Canvas, x: float, y: float, right: float, label: str, size: float) -> None:
    """Draw a label, and after it a line to write on that ends at ``right``."""
    drawn = draw_text(canvas, x, y, label, size, max_width=(right - x) * 0.6)
    rule(canvas, x + drawn.last_width + 4, y - 1, right, y - 1)


SHARE, BLANK_SHARE, MAX_ACROSS = 0.33, 0.26, 2
"""The share of the width for the column of a side, this if labels are written, and the choices next to each other."""
LEAST, GAP, HIGHER, TICKED = 15.0, 4.0, 3.0, 0.3
"""Minimum height of a field if a table has more rows than fit, and the space around it; how much higher it is if its
label is written, too, and for the total; the growth of a row of one box to tick, as a share of the others'."""


@dataclass(frozen=True)
class _Line:
    """A row of the table, as A and as B fill it in. A ``sign`` stands before the boxes of a sum."""

    a: FormRow
    b: FormRow
    label: Fitted
    height: float
    sign: str = ""


def form_height(form: ScoreForm, width: float, size: Boxes) -> float:
    return size.head_height + sum(line.height for line in _lines(form, width, size))


def draw_form(paper: Paper, sheet: Scoresheet, form: ScoreForm, frame: Frame, size: Boxes) -> float:
    """Draw the table from the top of the frame down, its rows as high as the frame allows; return the y below."""
    canvas, x, width = paper.canvas, frame.left, frame.width
    side = _side(form, width)
    draw_sides(canvas, sheet, frame.right, frame.top, side, size.head_height, size.large)
    if form.a and not any(row.label for row in form.a):  # for any scenario
        y, head = frame.top - size.head_height / 2 - size.large * 0.36, gettext("What scores")
        draw_text(canvas, x + PAD, y, head, size.large, bold=True, max_width=width - 2 * side - 2 * PAD)
    lines, top = _lines(form, width, size), frame.top - size.head_height
    spare = frame.height - form_height(form, width, size)
    growths = [TICKED * (spare > 0) if line.a.most == 1 else 1.0 for line in lines]
    growth = max(LEAST - size.write, min(size.max_growth, spare / sum(growths)))

    def draw() -> float:
        y, first, half = top, frame.right - 2 * side, frame.right - side
        for line, share in zip(lines, growths, strict=True):
            bottom, label = y - line.height - growth * share, line.label
            base = (y + bottom + (len(label.lines) - 1) * label.step) / 2 - label.size * 0.36
            draw_fitted(canvas, x + PAD, base, label)
            rule(canvas, x, bottom, first, bottom)
            _cell(canvas, Frame(first, bottom, frame.right if line.a.once else half, y), line, line.a, form, size)
            if not line.b.once:
                _cell(canvas, Frame(half, bottom, frame.right, y), line, line.b, form, size)
            y = bottom
        box(canvas, x, y, width, top - y)
        return y

    shown = "; ".join(" ".join(line.label.lines) for line in lines)
    alt = gettext("Boxes to fill in for A and for B: %(shown)s.", shown=shown)
    return draw_shared(paper, ("form", form, size, frame), draw, alt)


def draw_sides(
    canvas: Canvas, sheet: Scoresheet, right: float, top: float, width: float, height: float, size: float
) -> None:
    """Draw the heads of the columns of A and B, each ``width`` wide: letters, with as much of the names as fits."""
    left, bottom, room = right - 2 * width, top - height, width - 2 * PAD
    for names in sheet.ways_to_name:
        widest = max(text_width(text, size, bold=True) for text in names)
        if room >= widest * 0.8:
            break
    size *= min(1.0, room / widest)
    block(canvas, left, bottom, width, height)
    box(canvas, left, bottom, 2 * width, height)
    for place, name in enumerate(names):
        canvas.setFillGray(INK if place else PAPER)
        at, base = left + width * (place + 0.5), (top + bottom) / 2 - size * 0.36
        draw_text(canvas, at, base, name, size, bold=True, align="centre")


def _side(form: ScoreForm, width: float) -> float:
    return width * (SHARE if any(row.label for row in form.a) or not form.a else BLANK_SHARE)


def _lines(form: ScoreForm, width: float, size: Boxes) -> list[_Line]:
    """The rows of the table: what is asked, then the parts of the sum, if there are any, and the total."""
    side = _side(form, width)
    room, cell = width - 2 * side - 2 * PAD, side - 2 * PAD

    def line(a: FormRow, b: FormRow, words: str, sign: str = "") -> _Line:
        label = readable(words, size.large, room, 4, bold=sign == "=")
        return _Line(a, b, label, max(label.height + GAP, _height(a, cell, size) + HIGHER * (sign == "=")), sign)

    rows = list(zip(form.a, form.b, strict=True))
    lines = [line(a, b, _words(form, a)) for a, b in rows if not form.is_total(a)]
    lines += [line(FormRow(text), FormRow(text), text, "+" if place else " ") for place, text in enumerate(form.sums)]
    if form.total:
        total = next((_words(form, a) for a, _ in rows if form.is_total(a)), "")
        words = ": ".join(filter(None, (gettext("Total VP"), total)))
        lines.append(line(FormRow(words), FormRow(words), words, "="))
    return lines


def _words(form: ScoreForm, row: FormRow) -> str:
    """The label of a row with how to fill it in: "How it ended: tick one", "Chests opened (0–6)"."""
    if 0 < len(row.choices) <= FEW:
        return gettext("%(label)s: tick one", label=row.label)
    if form.is_total(row):
        return ", ".join((row.label, gettext("%(vp)s VP each", vp=row.worth[0])))
    return f"{row.label} (0–{row.most})" if (row.most or 0) > 1 else row.label


def _height(row: FormRow, width: float, size: Boxes) -> float:
    if 0 < len(row.choices) <= FEW:
        return -(-len(row.choices) // _across(row, width, size)) * (BOX + size.tick_gap) + size.tick_gap
    return BOX + 2 * size.tick_gap if row.most == 1 else size.write + HIGHER * (not row.label)


def _choices(row: FormRow) -> list[str]:
    worth = row.worth or (0,) * len(row.choices)
    return [f"{text}: {shown_vp(vp)}" if vp else text for text, vp in zip(row.choices, worth, strict=True)]


def _across(row: FormRow, width: float, size: Boxes) -> int:
    widest = max(text_width(choice, size.large) + BOX + 8 for choice in _choices(row))
    return MAX_ACROSS if MAX_ACROSS * widest <= width else 1


def _cell(canvas: Canvas, cell: Frame, line: _Line, row: FormRow, form: ScoreForm, size: Boxes) -> None:
    """Draw what a side fills in: a field for a figure, another for its VP, or boxes to tick."""
    left, middle, third = cell.left + PAD, (cell.top + cell.bottom) / 2, cell.width / 3
    box(canvas, cell.left, cell.bottom, cell.width, cell.height, HEAVY if line.sign == "=" else HAIR)
    draw_text(canvas, left, middle - 4, line.sign.strip() if form.sums else "", 12, bold=True)
    if 0 < len(row.choices) <= FEW:
        _draw_choices(canvas, cell, row, size)
    elif row.most == 1:
        side, words = min(BOX, cell.height - 2.0), gettext("yes") if row.once else ""
        at = left + third if row.once else cell.left + (cell.width - side) / 2
        box(canvas, at, middle - side / 2, side, side)
        draw_text(canvas, at + side + 4, middle - size.large * 0.36, words, size.large)
    elif form.has_product(row):
        times, high = f"× {row.worth[0]} =", min(cell.height - 1.6 * PAD, third)
        at, wide = left + third * 1.5 - PAD, third - 2 * PAD
        draw_text(canvas, at, middle - 4, times, size.large, bold=True, max_width=wide, align="centre")
        for at in (left, cell.right - third):
            box(canvas, at, middle - high / 2, third - PAD, high)
    elif form.is_vp(row):
        draw_text(canvas, cell.right - PAD - 2.5, middle - size.small * 0.36, gettext("VP"), size.small, align="right")
    if row.known is not None:
        draw_text(canvas, left + third * 1.5, middle - 5, str(row.known), 14, bold=True, align="centre")
    hint = fit(row.hint, size.small, cell.width - 2 * PAD, max_lines=3, leading=1.1)
    draw_fitted(canvas, left, middle + hint.height / 2 - hint.size * 0.9, hint)


def _draw_choices(canvas: Canvas, cell: Frame, row: FormRow, size: Boxes) -> None:
    width, choices = cell.width - 2 * PAD, _choices(row)
    across = _across(row, width, size)
    step, room, rows = width / across, width / across - BOX - 6, -(-len(choices) // across)
    type_size = min(fit(text, size.large, room).size for text in choices)
    apart = min(BOX * 2, (cell.height - size.tick_gap) / rows)
    y = (cell.top + cell.bottom + rows * apart - BOX - apart) / 2
    for place, choice in enumerate(choices):
        down, right = divmod(place, across)
        at, base = cell.left + PAD + right * step, y - down * apart
        box(canvas, at, base, BOX, BOX)
        draw_text(canvas, at + BOX + 4, base + 2.5, choice, type_size, max_width=room)


MOST_LOWER = 10.0
"""What both rows of VP may give up where words take more lines."""
SUM = 1.5
"""The width of what is added up, in widths of a game round."""


def boxes_height(sheet: Scoresheet, width: float, size: Boxes) -> float:
    """The minimum height of the boxes with their titles, in points."""
    if sheet.form is not None and not (sheet.form.a or sheet.form.total):
        return 0.0
    head, markers = _head_height(*_titled(sheet), width, size), sheet.objectives
    if sheet.form is not None:
        return head + form_height(sheet.form, width, size)
    marked = _head_height(*_markers_title(markers), width, size) + _markers_height(markers, width, size) + size.gap
    return marked * bool(markers.each) + head + size.head_height + 2 * _least_row(sheet.grid, size)


def _least_row(grid: VpGrid, size: Boxes) -> float:
    return max(size.min_row, len(grid.choice) * (BOX + 3))


def _titled(sheet: Scoresheet) -> tuple[str, str]:
    if sheet.form is not None:
        return gettext("Report these"), capital(sheet.form.note)
    return gettext("Victory points in each game round"), capital(sheet.grid_note)


def _markers_title(markers: MarkerGrid) -> tuple[str, str]:
    return gettext("Tick completed markers"), capital(markers.note)


def _below(title: str, note: str, width: float, size: Boxes) -> Fitted | None:
    """A note that has no room next to its title, for up to two lines below it."""
    if text_width(note, size.small) <= width - text_width(title, size.title, bold=True) - 5:
        return None
    return readable(note, size.small, width, 2)


def _head_height(title: str, note: str, width: float, size: Boxes) -> float:
    below = _below(title, note, width, size)
    return section_height(size.title) + (below.height if below else 0.0)


def _head(canvas: Canvas, x: float, y: float, width: float, titled: tuple[str, str], size: Boxes) -> float:
    """Draw a title with its note at the right or below, and return the y below."""
    (title, note), below = titled, _below(*titled, width, size)
    section(canvas, x, y, width, title, size=size.title)
    base = y - section_height(size.title) + 4
    if below:
        draw_fitted(canvas, x, base - below.step, below)
    else:
        draw_text(canvas, x + width, base, note, size.small, align="right")
    return y - _head_height(title, note, width, size)


def draw_boxes(paper: Paper, sheet: Scoresheet, frame: Frame, size: Boxes) -> float:
    """Draw all boxes from the top of the frame down, in rows as high as it allows, and return the y below."""
    canvas, x, y, width = paper.canvas, frame.left, frame.top, frame.width
    needed, grid, least = boxes_height(sheet, width, size), sheet.grid, _least_row(sheet.grid, size)
    if not needed:
        return y
    if sheet.form is None and sheet.objectives.each:
        y = _completed(paper, sheet.objectives, x, y, width, size) - size.gap
    y = _head(canvas, x, y, width, _titled(sheet), size)
    if sheet.form is not None:
        return draw_form(paper, sheet, sheet.form, replace(frame, top=y), size)
    row = min(max(size.max_row, least), least + max(-MOST_LOWER, frame.height - needed) / 2)
    alt = ngettext(
        "Boxes to fill in: the VP of A and of B in %(num)s game round.",
        "Boxes to fill in: the VP of A and of B in each of %(num)s game rounds.",
        len(grid.most_a),
    )
    shown = gettext("Boxes to fill in for A and for B: %(shown)s.", shown=", ".join(sheet.summed))
    key: Hashable = "vp", grid, sheet.summed, size, x, y, width, row
    room, alt = replace(frame, top=y), f"{alt} {shown}"
    draw_shared(paper, key, lambda: _vp_grid(canvas, room, grid, sheet.summed, size, row), alt)
    return y - size.head_height - 2 * row


def _completed(paper: Paper, markers: MarkerGrid, x: float, y: float, width: float, size: Boxes) -> float:
    """Draw the objective markers with their title from ``y`` down, and return the y below."""
    canvas, y = paper.canvas, _head(paper.canvas, x, y, width, _markers_title(markers), size)
    key, alt = ("markers", markers, size, x, y, width), gettext("Boxes to tick for A and for B: objective markers.")
    draw_shared(paper, key, lambda: _markers(canvas, x, y, width, markers, size), alt)
    return y - _markers_height(markers, width, size)


def _vp_grid(canvas: Canvas, frame: Frame, grid: VpGrid, sums: Sequence[str], size: Boxes, row: float) -> None:
    """Draw a row for each side: boxes for its choice, then a cell for each game round and for what is added up."""
    x, below = frame.left, frame.top - size.head_height
    first = max(
        [size.tab_width + 8, *(size.tab_width + BOX + 12 + text_width(text, size.small) for text in grid.choice)]
    )
    heads = [*map(str, range(1, len(grid.most_a) + 1)), *sums]
    step = (frame.width - first) / (len(grid.most_a) + SUM * len(sums))
    widths = [step * (SUM if head in sums else 1.0) for head in heads]
    lefts = [x + first + sum(widths[:n]) for n in range(len(heads))]
    for left, wide, head in zip(lefts, widths, heads, strict=True):
        fitted = fit(head, size.large, wide - 3, bold=True, min_size=7, max_lines=2, leading=1.0)
        draw_fitted(canvas, left + wide / 2, below + 3.6 + (len(fitted.lines) - 1) * fitted.step, fitted, "centre")
    for side, most, y in (("A", grid.most_a, below - row), ("B", grid.most_b, below - 2 * row)):
        for left, wide, limit in zip(lefts, widths, (*most, *(None for _ in sums)), strict=True):
            if limit == 0:
                hatch(canvas, left, y, wide, row)
            elif limit is not None:
                draw_text(canvas, left + wide - 2.5, y + 2.5, f"0–{limit}", 7.5, align="right")
            box(canvas, left, y, wide, row, HEAVY if left == lefts[-1] else HAIR)
        box(canvas, x, y, first, row)
        side_tab(canvas, x, y, size.tab_width if grid.choice else first, row, side)
        for place, words in enumerate(grid.choice):
            at, middle = x + size.tab_width + 4, y + row - row * (place + 0.5) / len(grid.choice)
            box(canvas, at, middle - BOX / 2, BOX, BOX)
            draw_text(canvas, at + BOX + 4, middle - size.small * 0.36, words, size.small)


def _kinds(grid: MarkerGrid, width: float, size: Boxes) -> list[Fitted]:
    """The kinds of markers as heads above their boxes; one empty head if there are no kinds."""
    kinds = grid.kinds or ("",)
    room = (width - size.tab_width) / len(kinds) - 4
    heads = list[Fitted]()
    for kind in kinds:  # what is in brackets gets a line of its own
        parts = [fit(text, size.small, room, min_size=7, max_lines=2) for text in re.split(r" (?=\()", kind)]
        lines = tuple(line for fitted in parts for line in fitted.lines)
        heads.append(Fitted(lines, min(fitted.size for fitted in parts), leading=1.1))
    return heads


def _markers_height(grid: MarkerGrid, width: float, size: Boxes) -> float:
    return max(head.height for head in _kinds(grid, width, size)) + 3 + 2 * (BOX + size.tick_gap)


def _markers(canvas: Canvas, x: float, top: float, width: float, grid: MarkerGrid, size: Boxes) -> None:
    """Draw boxes to tick for completed markers: a column for each kind, a row for each side."""
    heads, row = _kinds(grid, width, size), BOX + size.tick_gap
    y = top - max(head.height for head in heads) - 3
    step, count = (width - size.tab_width) / len(heads), grid.most if grid.kinds else grid.each
    apart = min(BOX + 2 * size.tick_gap, step / count)
    for place, head in enumerate(heads):
        middle = x + size.tab_width + (place + 0.5) * step
        box(canvas, middle - step / 2, y - 2 * row, step, top - y - 1 + 2 * row, HAIR)
        draw_fitted(canvas, middle, y + 2.5 + (len(head.lines) - 1) * head.step, head, "centre")
        for n, down in product(range(count), (1, 2)):
            at = middle + (n - (count - 1) / 2) * apart - BOX / 2
            box(canvas, at, y - down * row + size.tick_gap / 2, BOX, BOX)
    for down, side in enumerate("AB", 1):
        box(canvas, x, y - down * row, width, row)
        side_tab(canvas, x, y - down * row, size.tab_width, row, side)
