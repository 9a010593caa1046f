"""The score table of a game's own form: a row for each choice, figure and sum, with a column for A and one for B."""

from dataclasses import dataclass

from reportlab.pdfgen.canvas import Canvas

from languages.words import gettext
from pdf.fonts import Fitted, draw_fitted, draw_text, fit, text_width
from pdf.page import HAIR, INK, PAPER, Frame, Paper, block, box, draw_shared, rule
from pdf.score_size import BOX, HEAVY, PAD, Boxes, readable
from pdf.sheet_data import FEW, FormRow, ScoreForm, Scoresheet, shown_vp

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
    """The minimum height of the table on this width."""
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
    found = [line(a, b, _words(form, a)) for a, b in rows if not form.is_total(a)]
    found += [line(FormRow(text), FormRow(text), text, "+" if place else " ") for place, text in enumerate(form.sums)]
    if form.total:
        total = next((_words(form, a) for a, _ in rows if form.is_total(a)), "")
        words = ": ".join(filter(None, (gettext("Total VP"), total)))
        found.append(line(FormRow(words), FormRow(words), words, "="))
    return found


def _words(form: ScoreForm, row: FormRow) -> str:
    """The label of a row with how to fill it in: "How it ended: tick one", "Chests opened (0–6)"."""
    if 0 < len(row.choices) <= FEW:
        return gettext("%(label)s: tick one", label=row.label)
    if form.is_total(row):
        return ", ".join((row.label, gettext("%(vp)s VP each", vp=row.worth[0])))
    return f"{row.label} (0–{row.most})" if (row.most or 0) > 1 else row.label


def _height(row: FormRow, width: float, size: Boxes) -> float:
    """Height of what a row's cells hold."""
    if 0 < len(row.choices) <= FEW:
        return -(-len(row.choices) // _across(row, width, size)) * (BOX + size.tick_gap) + size.tick_gap
    return BOX + 2 * size.tick_gap if row.most == 1 else size.write + HIGHER * (not row.label)


def _choices(row: FormRow) -> list[str]:
    """The choices with what they are worth: "Routed: 10 VP"."""
    worth = row.worth or (0,) * len(row.choices)
    return [f"{text}: {shown_vp(vp)}" if vp else text for text, vp in zip(row.choices, worth, strict=True)]


def _across(row: FormRow, width: float, size: Boxes) -> int:
    """How many choices are next to each other."""
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
    """Draw a box to tick for each choice, in rows."""
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
