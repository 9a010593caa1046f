"""A game's own form on a scoresheet: numbers and what they are worth, and choices."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby, pairwise

from reportlab.pdfgen.canvas import Canvas

from languages.words import gettext, noted
from pdf.fonts import Fitted, draw_fitted, draw_text, fit, text_width, wrap
from pdf.page import LINE, Frame, Paper, box, draw_shared, rule
from pdf.score_size import BOX, HEAVY, LABEL, PAD, WRITE, Boxes, side_tab
from pdf.sheet_data import FEW, FormRow, ScoreForm

MOST_APART = 28.0
"""The most space between two choices."""
TOTAL = noted("Total VP of %(side)s")


def draw_form(
    paper: Paper, form: ScoreForm, x: float, top: float, width: float, low: float, size: Boxes, below: float
) -> float:
    """Draw the forms of both sides next to each other, no lower than ``low``, and return the y below.

    The rows share the space that is left. The frames end ``below`` points lower.
    """
    canvas, half, height = paper.canvas, (width - 10) / 2, form_height(form, width, size)
    room = half - size.tab_width - 2 * PAD
    sharing = max(_sharing(_rows_by_line(rows, room, size, form)) for rows in (form.a, form.b))
    spare = max(0.0, min(top - low - height, sharing * size.max_growth))
    left = Frame(x, top - height - spare, x + half, top)
    areas = left, replace(left, left=left.right + 10, right=x + width)

    def draw() -> None:
        for area, side, rows in zip(areas, "AB", (form.a, form.b), strict=True):
            _side(canvas, area, side, rows, spare, size, form, below)

    labels = dict.fromkeys(row.label for row in (*form.a, *form.b) if row.label)
    shown = "; ".join((*labels, *[gettext("total VP")] * form.has_total_row))
    alt = gettext("Boxes to fill in for A and for B: %(shown)s.", shown=shown)
    draw_shared(paper, ("form", form, size, areas, below), draw, alt)
    return left.bottom


def form_height(form: ScoreForm, width: float, size: Boxes) -> float:
    """The minimum height of the form on this width of the sheet."""
    room = (width - 10) / 2 - size.tab_width - 2 * PAD
    by_line = (_rows_by_line(rows, room, size, form) for rows in (form.a, form.b))
    rows = max(sum(_row_height(row, room, size, form) for row, *_ in rows) for rows in by_line)
    summed = WRITE + size.row_gap + 2 * size.is_page if form.has_total_row else 0.0
    return _above(form, size) + rows + summed + size.tick_gap


def _rows_by_line(rows: Sequence[FormRow], room: float, size: Boxes, form: ScoreForm) -> list[list[FormRow]]:
    """The rows on each line of a form: on a whole page more than two short ones to tick are in two columns."""
    widths = [BOX + 10 + text_width(row.label, size.large) for row in rows if row.most == 1]
    pairs = size.is_page and len(widths) > 2 and 2 * max(widths) <= room
    lines = list[list[FormRow]]()
    for in_columns, same in groupby(rows, key=lambda row: pairs and row.most == 1):
        run = list(same)
        down = -(-len(run) // 2) if in_columns else len(run)
        lines += [run[place::down] for place in range(down)]
    return lines


def _sharing(lines: Sequence[Sequence[FormRow]]) -> int:
    """The number of lines that share extra height: those without choices, or else all."""
    return sum(not row.choices for row, *_ in lines) or len(lines)


def _above(form: ScoreForm, size: Boxes) -> float:
    """Height above the rows, with heads."""
    return size.tick_gap + (LABEL + 2 if form.heads else 0.0)


def _row_height(row: FormRow, room: float, size: Boxes, form: ScoreForm) -> float:
    if row.choices and len(row.choices) <= FEW:
        ticks = -(-len(row.choices) // (len(_across(row, room, size)) - 1)) * (BOX + size.tick_gap)
        if any(row.worth):
            ticks = max(ticks, WRITE - 4) if size.is_page else ticks + WRITE + 2
        return size.label + size.tick_gap + 5 + ticks
    if row.most == 1:
        return BOX + (6 if size.is_page else size.tick_gap)
    if row.choices:
        return WRITE + 2
    caption = _caption(row, room, size, form)
    return WRITE + (caption.height + 2 * size.tick_gap if caption else size.row_gap)


def _with_worth(row: FormRow, form: ScoreForm) -> str:
    """The label of a number with its VP: "HP left, 1 VP each"."""
    return ", ".join(
        [row.label, *([gettext("%(vp)s VP each", vp=row.worth[0])] if row.worth and not form.has_product(row) else [])]
    )


def _caption(row: FormRow, room: float, size: Boxes, form: ScoreForm) -> Fitted | None:
    """The label above a number's box, for both sides if one of their labels has no room next to its box."""
    next_to, words = room - size.figure_width - 6, _with_worth(row, form) if form.is_total(row) else row.label

    def above(one: FormRow) -> bool:
        if form.is_total(one):
            return text_width(f"{_with_worth(one, form)}  {gettext(TOTAL, side='A')}", size.large, bold=True) > next_to
        lines = len(wrap(one.label, size.large, next_to)) + any(one.worth)
        is_long = lines > 2 and text_width(one.label, size.large) < 2 * room and not size.brief
        return not size.is_page and (form.has_product(one) or is_long)

    is_above = row.label and any(map(above, _of_both(row, form)))
    return fit(words, size.large, room, max_lines=3, leading=1.1) if is_above else None


def _of_both(row: FormRow, form: ScoreForm) -> tuple[FormRow, ...]:
    """The row and the one next to it in the other player's part, in the order A, B."""
    return next((both for both in zip(form.a, form.b, strict=False) if row in both), (row,))


def _side(
    canvas: Canvas, area: Frame, side: str, rows: Sequence[FormRow], spare: float, size: Boxes, form: ScoreForm,
    below: float
) -> None:  # fmt: skip
    """Draw one side's form; the rows share ``spare`` points of extra height."""
    side_tab(canvas, area.left, area.bottom - below, size.tab_width, area.height + below, side)
    box(canvas, area.left, area.bottom - below, area.width, area.height + below)
    left, right, y = area.left + size.tab_width + PAD, area.right - PAD, area.top - _above(form, size)
    if form.heads:
        asked, room = gettext("What scores for %(side)s", side=side), right - left - size.figure_width
        draw_text(canvas, left, y + 2, asked, size.small, bold=True, max_width=room)
        draw_text(canvas, right - size.figure_width / 2, y + 2, gettext("VP"), size.small, bold=True, align="centre")
    by_line = _rows_by_line(rows, right - left, size, form)
    shared = spare / (_sharing(by_line) or 1)
    for row, *others in by_line:
        height = _row_height(row, right - left, size, form)
        height += shared if not row.choices or all(one.choices for one in rows) else 0.0
        if len(row.choices) > FEW:
            at = right - size.figure_width
            draw_text(canvas, left, y - WRITE / 2 - 3, row.label, size.large, max_width=at - left - 6)
            box(canvas, at, y - WRITE, size.figure_width, WRITE)
        elif row.choices:
            _choice(canvas, left, y, right, row, size)
        else:
            step = (right - left) / (1 + len(others))
            for place, one in enumerate((row, *others)):
                at = left + place * step
                _figure(canvas, at, y - height, at + step, height, one, size, form, side)
        y -= height
    if form.has_total_row:
        low, at, label = area.bottom + 4, right - size.figure_width, gettext(TOTAL, side=side)
        draw_text(
            canvas, at - 8, low + WRITE / 2 - 3, label, size.large, bold=True, max_width=at - 8 - left, align="right"
        )
        box(canvas, at + 1.1, low + 1.1, size.figure_width - 2.2, WRITE - 2.2, HEAVY)


def _across(row: FormRow, width: float, size: Boxes) -> list[float]:
    """The left ends of choices next to each other, as many as fit on a row, and the right end of the last."""
    widths, count = [text_width(one, size.label) + BOX + 8 for one in row.choices], len(row.choices)
    if any(row.worth) and size.is_page:
        width -= size.figure_width + 14 + text_width(_worth(row), size.label)
    for rows in range(1, count + 1):
        across = -(-count // rows)
        columns = [max(widths[place::across]) for place in range(across)]
        spare = min(MOST_APART, (width + 4 - sum(columns)) / max(1, across - 1))  # the last needs no space after it
        if spare >= 0 or across == 1:
            break
    return [sum(columns[:place]) + spare * place for place in range(across + 1)]


def _worth(row: FormRow) -> str:
    """What the choices are worth: "Routed: 10 VP ="."""
    worth = ((one, vp) for one, vp in zip(row.choices, row.worth, strict=True) if vp)
    return ", ".join(gettext("%(label)s: %(n)s VP", label=one, n=vp) for one, vp in worth) + " ="


def _label(row: FormRow, worth: str, room: float, size: Boxes, form: ScoreForm) -> Fitted:
    """A number's label with its worth, in the size and with the break that suit both parts of the form."""
    largest = size.label if any(one.choices or form.has_product(one) for one in form.a) else size.large
    rows = _of_both(row, form)
    found = [fit(_with_worth(one, form), largest, room, max_lines=2) for one in rows]
    if worth and any(one.size < largest or len(one.lines) > 1 for one in found):
        first = [fit(one.label, largest, room) for one in rows]
        found = [replace(one, lines=(one.lines[0], worth)) for one in first]
    return replace(found[rows.index(row)], size=min(one.size for one in found))


def _choice(canvas: Canvas, x: float, top: float, right: float, row: FormRow, size: Boxes) -> None:
    """Draw a label, with "tick one" if that fits, a box to tick for each choice, and a box for their VP."""
    asked = gettext("%(label)s: tick one", label=row.label)
    label = asked if text_width(asked, 7.5) <= right - x else row.label
    draw_text(canvas, x, top - size.label - 1, label, size.label, max_width=right - x)
    columns = list(pairwise(_across(row, right - x, size)))
    rooms = [end - start - BOX - 6 for start, end in columns] * len(row.choices)
    type_size = min(fit(one, size.label, room).size for one, room in zip(row.choices, rooms, strict=False))
    for place, choice in enumerate(row.choices):
        start, line = columns[place % len(columns)][0], place // len(columns)
        base = top - size.label - size.tick_gap - 2 - BOX - line * (BOX + size.tick_gap)
        box(canvas, x + start, base, BOX, BOX)
        draw_text(canvas, x + start + BOX + 4, base + 2.5, choice, type_size)
    if any(row.worth):
        at, bottom = right - size.figure_width, base + (BOX - WRITE) / 2 if size.is_page else base - WRITE - 3
        box(canvas, at, bottom, size.figure_width, WRITE)
        draw_text(canvas, at - 4, bottom + WRITE / 2 - 3, _worth(row), size.label, max_width=at - x - 4, align="right")


def _figure(
    canvas: Canvas, x: float, y: float, right: float, height: float, row: FormRow, size: Boxes, form: ScoreForm,
    side: str
) -> None:  # fmt: skip
    """Draw a number's label, its worth and its box (a heavy one for a total, or one to tick), then a box for the VP."""
    if row.most == 1:
        base, words = y + (height - BOX) / 2, y + height / 2 - size.large * 0.36
        box(canvas, x, base, BOX, BOX)
        draw_text(canvas, x + BOX + 5, words, row.label, size.large, max_width=right - x - BOX - 5)
        if not row.label:
            rule(canvas, x + BOX + 5, base, right, base)
        return
    product, last, worth = (
        form.has_product(row),
        right - size.figure_width,
        _with_worth(row, form)[len(row.label) + 2 :],
    )
    caption, total = _caption(row, right - x, size, form), gettext(TOTAL, side=side) if form.is_total(row) else ""
    at = last - size.worth_width - size.figure_width if product else last
    bottom = y + (height - WRITE - (caption.height + 2 if caption else 0.0)) / 2
    middle = bottom + WRITE / 2
    if caption:
        draw_fitted(canvas, x, bottom + WRITE + 4 + caption.height - caption.step, caption)
        draw_text(canvas, at - 6, middle - size.small * 0.36, "" if total else worth, size.small, align="right")
    elif row.label:
        fitted = _label(row, worth, at - 6 - x, size, form)
        draw_fitted(canvas, x, middle + (len(fitted.lines) - 1) * fitted.step / 2 - fitted.size * 0.36, fitted)
    elif not total:
        rule(canvas, x, bottom + 4, at - 8, bottom + 4)
    if total:
        draw_text(canvas, at - 8, middle - 3, total, size.large, bold=True, max_width=at - 8 - x, align="right")
    line = HEAVY if total else LINE
    inset = (line - LINE) / 2  # a heavy line ends where a thin one does
    box(canvas, at + inset, bottom + inset, size.figure_width - 2 * inset, WRITE - 2 * inset, line)
    if row.known is not None:
        draw_text(canvas, at + size.figure_width / 2, middle - 5, str(row.known), 14, bold=True, align="centre")
    if row.most is not None:
        draw_text(canvas, at + size.figure_width - 2.5, bottom + 2.5, f"0–{row.most}", 7, align="right")
    if product:
        each = gettext("%(vp)s VP", vp=row.worth[0])
        at, room, times = last - size.worth_width / 2, size.worth_width - 6, f"× {each} ="
        draw_text(canvas, at, middle - 3, times, size.label, align="centre", max_width=room)
        box(canvas, last, bottom, size.figure_width, WRITE)
