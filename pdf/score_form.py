"""What is noted of each side where a game does not count VP by game round: numbers, choices, and the sum they make."""

from dataclasses import dataclass
from itertools import pairwise

from reportlab.pdfgen.canvas import Canvas

from pdf.fonts import draw_text, fit, text_width
from pdf.page import HAIR, INK, LINE, tick_box
from pdf.score_grids import BOX, WRITE, Boxes, cross, side_tab

FEW, MOST_PARTS = 4, 5
"""Choices that are ticked; of more, one is written down."""
PAD, SIGN = 5.0, 13.0


@dataclass(frozen=True)
class FormRow:
    """A number of a side, ticked if it is 1 at most; or a choice.

    ``worth`` is the VP of each, or of each choice in turn; nothing where the game's scoring says it otherwise.
    """

    label: str
    most: int | None = None
    worth: tuple[int, ...] = ()
    choices: tuple[str, ...] = ()
    parts: str = ""
    """What a number is added up from: where there is room, it has lines to write these on."""


@dataclass(frozen=True)
class ScoreForm:
    """The rows of both sides. ``sums`` says what a total is added up from, where the rows do not show it."""

    a: tuple[FormRow, ...]
    b: tuple[FormRow, ...]
    note: str = ""
    sums: tuple[str, ...] = ()
    to_enemy: bool = False
    """The VP of a side's rows are the enemy's."""
    total: bool = True
    """Whether VP are reported at all."""

    def total_label(self, side: str) -> str:
        """What the heavy box of a side's rows holds."""
        return f"VP for player {'B' if side == 'A' else 'A'}" if self.to_enemy else "Total VP"


def _places(row: FormRow, width: float, size: Boxes) -> list[float]:
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


def _row_height(row: FormRow, width: float, size: Boxes) -> float:
    if row.choices and len(row.choices) <= FEW:
        return size.small + 4 + -(-len(row.choices) // (len(_places(row, width, size)) - 1)) * (BOX + 4) + 3
    return (BOX + 6 if row.most == 1 else WRITE + 4) if size.times else (BOX + 2 if row.most == 1 else WRITE + 2)


def form_height(form: ScoreForm, width: float, size: Boxes) -> float:
    """Height of the form, ``width`` wide for each side."""
    room = width - size.tab - 2 * PAD
    rows = max(sum(_row_height(row, room, size) for row in rows) for rows in (form.a, form.b))
    rows += size.parts * WRITE if any(row.parts for row in form.a) else 0.0
    return (size.name or 3) + rows + (size.totals + 7 if form.total else 4)


def draw_form(
    canvas: Canvas, x: float, top: float, width: float, form: ScoreForm, side: str, size: Boxes, *, height: float
) -> None:
    """Draw one side's form, but for the name."""
    side_tab(canvas, x, top - height, size.tab, height, side)
    canvas.setLineWidth(LINE)
    canvas.rect(x, top - height, width, height, stroke=1, fill=0)
    left, right = x + size.tab + PAD, x + width - PAD
    for row, y, deep, lines in _placed(form, side, top, width, size, height):
        for place in range(1, lines + 1):
            _part(canvas, left, y - place * WRITE, _columns(right, row, size)[0], row, size)
        y -= lines * WRITE
        if row.choices:
            _choice(canvas, left, y, right - left, row, size)
        else:
            _figure(canvas, left, y - deep, right, deep, row, size)
    if form.total:
        _total(canvas, left, top - height + 4, right, form, side, size)


def most_height(form: ScoreForm, width: float, size: Boxes) -> float:
    """The height with which a form can do something: lines for all parts, else higher rows."""
    rows = max(1, len(form.a), len(form.b))
    parts = (MOST_PARTS - size.parts) * WRITE if any(row.parts for row in form.a) else 0.0
    return form_height(form, width, size) + parts + rows * (size.largest - size.row)


def _placed(
    form: ScoreForm, side: str, top: float, width: float, size: Boxes, height: float
) -> list[tuple[FormRow, float, float, int]]:
    """Each row with its top, its height and its lines for parts; what else the form has too much, the rows share."""
    rows, spare = form.a if side == "A" else form.b, height - form_height(form, width, size)
    more = min(MOST_PARTS - size.parts, int(spare / WRITE)) if any(row.parts for row in rows) else 0
    more = more if size.parts + more > 1 else 0  # one alone sums up nothing
    lines = size.parts + more
    each = (spare - more * WRITE) / max(1, sum(not row.choices for row in rows) or len(rows))
    y, placed, first = top - (size.name or 3), [], True
    for row in rows:
        own = lines if row.parts and first else 0
        first = first and not own
        deep = _row_height(row, width - size.tab - 2 * PAD, size)
        deep += each if not row.choices or all(one.choices for one in rows) else 0.0
        placed.append((row, y, deep, own))
        y -= deep + own * WRITE
    return placed


def _choice(canvas: Canvas, x: float, top: float, width: float, row: FormRow, size: Boxes) -> None:
    if len(row.choices) > FEW:
        base = top - WRITE + 4
        label = draw_text(canvas, x, base, row.label, size.large, max_width=width * 0.6, min_size=7)
        canvas.setLineWidth(HAIR)
        canvas.line(x + text_width(label.lines[0], label.size) + 6, base - 2, x + width, base - 2)
        return
    draw_text(canvas, x, top - size.small - 1, row.label, size.small, bold=True, max_width=width, min_size=7)
    for (at, base, room), words in zip(_ticks(x, top, width, row, size), _worded(row), strict=True):
        tick_box(canvas, at, base, BOX)
        draw_text(canvas, at + BOX + 4, base + 2.5, words, size.large, max_width=room - BOX - 6, min_size=7)
    if any(row.worth) and size.times:  # a box for the VP of what is chosen
        at, low = x + width - size.figure, top - size.small - 3 - WRITE
        canvas.rect(at, low + 6, size.figure, WRITE, stroke=1, fill=0)
        draw_text(canvas, at - 8, low + 3 + WRITE / 2, "=", size.large, align="centre")


def _ticks(x: float, top: float, width: float, row: FormRow, size: Boxes) -> list[tuple[float, float, float]]:
    """The lower left corner of each choice's box, and the room that it has with its words."""
    places, first = _places(row, width, size), top - size.small - 4 - BOX
    columns, found = list(pairwise(places)), []
    for place in range(len(row.choices)):
        (start, end), line = columns[place % len(columns)], place // len(columns)
        found.append((x + start, first - line * (BOX + 4), end - start))
    return found


def _part(canvas: Canvas, x: float, y: float, at: float, row: FormRow, size: Boxes) -> None:
    """A line for something that a number is added up from, and a box for what it counts."""
    draw_text(canvas, x, y + 1.5, row.parts, 7)
    canvas.setLineWidth(HAIR)
    canvas.line(x, y + 8.5, at - 8, y + 8.5)
    canvas.rect(at, y, size.figure, WRITE, stroke=1, fill=0)


def _columns(right: float, row: FormRow, size: Boxes) -> tuple[float, float]:
    """Where the box of a number begins, and the one of its VP; the same where it has none."""
    vp = right - size.figure
    return (vp - size.times - size.figure if row.worth and size.times else vp), vp


def _figure(canvas: Canvas, x: float, y: float, right: float, deep: float, row: FormRow, size: Boxes) -> None:
    """A label and a box to write in, or to tick; then what it is worth, and a box for that."""
    at, vp = _columns(right, row, size)
    ticked = row.most == 1
    at, base = (right - BOX - 4 if ticked else at), y + (deep - BOX) / 2
    words = row.label if size.times or not any(row.worth) or ticked else f"{row.label}, {row.worth[0]} VP each"
    fitted = fit(words or ".", size.large, at - x - 6, min_size=7, max_lines=2)
    line = y + deep / 2 + (len(fitted.lines) - 1) * fitted.size * 0.575 - fitted.size * 0.36
    if row.label:
        draw_text(canvas, x, line, words, size.large, max_width=at - x - 6, min_size=7, max_lines=2)
    else:
        canvas.setLineWidth(HAIR)
        canvas.line(x, base, at - 8, base)
    canvas.setLineWidth(LINE)
    if ticked:
        tick_box(canvas, at, base, BOX)
        return
    box = min(deep - 2, WRITE * 1.5)
    low = y + (deep - box) / 2
    canvas.rect(at, low, size.figure, box, stroke=1, fill=0)
    if row.most is not None:
        draw_text(canvas, at + size.figure - 2.5, low + 2.5, f"0–{row.most}", 7, align="right")
    if row.worth and size.times:
        middle = y + deep / 2 - size.small * 0.36
        says = f"× {row.worth[0]} VP =" if row.worth[0] else "no VP"
        draw_text(canvas, vp - size.times / 2, middle, says, size.small, align="centre", max_width=size.times - 2)
        if row.worth[0]:
            canvas.rect(vp, low, size.figure, box, stroke=1, fill=0)


def _total(canvas: Canvas, x: float, y: float, right: float, form: ScoreForm, side: str, size: Boxes) -> None:
    """The heavy box; before it those that it is the sum of."""
    height, big = size.totals, size.big
    canvas.setLineWidth(2.0)
    canvas.rect(right - big, y, big - 1, height - 1, stroke=1, fill=0)
    canvas.setLineWidth(LINE)
    base = y + height - size.small - 1
    if not form.sums or not size.times:
        room, words = right - big - x - 6, ": ".join(filter(None, (form.total_label(side), " + ".join(form.sums))))
        lines = len(fit(words, size.large, room, bold=True, min_size=7, max_lines=2).lines)
        base = y + height / 2 - 3 + (lines - 1) * size.large / 2
        draw_text(canvas, x, base, words, size.large, bold=True, max_width=room, min_size=7, max_lines=2)
        return
    draw_text(
        canvas, right - big + 4, base - 1, form.total_label(side), size.small, bold=True, max_width=big - 8, min_size=7
    )
    for place, (at, width) in enumerate(_sum_boxes(x, right, form, size)):
        words = form.sums[place]
        canvas.rect(at, y, width, height - 1, stroke=1, fill=0)
        draw_text(canvas, at + 3, base - 1, words, size.small, max_width=width - 5, min_size=7)
        mark = "=" if place == len(form.sums) - 1 else "+"
        draw_text(canvas, at + width + SIGN / 2, y + height / 2 - 4, mark, 11, bold=True, align="centre")


def _sum_boxes(x: float, right: float, form: ScoreForm, size: Boxes) -> list[tuple[float, float]]:
    """Left end and width of the boxes that the total is the sum of."""
    width = (right - size.big - x - SIGN * len(form.sums)) / len(form.sums)
    return [(x + place * (width + SIGN), width) for place in range(len(form.sums))]


def fill_form(
    canvas: Canvas, x: float, top: float, width: float, form: ScoreForm, side: str, size: Boxes, *, height: float,
    figures: tuple[int | None, ...], choice: str, total: int | None, summed: tuple[int, ...] = ()
) -> None:  # fmt: skip
    """What was reported, in its boxes."""
    left, right = x + size.tab + PAD, x + width - PAD
    numbers = list(figures)
    for row, y, deep, lines in _placed(form, side, top, width, size, height):
        y -= lines * WRITE
        if row.choices:
            if len(row.choices) > FEW:
                room = right - left - text_width(row.label, size.large) - 10
                draw_text(canvas, right, y - WRITE + 4, choice, size.small, bold=True, align="right",
                          max_width=max(room, (right - left) * 0.4), min_size=7)  # fmt: skip
            elif choice in row.choices:
                place = row.choices.index(choice)
                cross(canvas, *_ticks(left, y, right - left, row, size)[place][:2], BOX)
                if any(row.worth) and size.times:
                    draw_text(canvas, right - size.figure / 2, y - size.small - WRITE + 10, str(row.worth[place]), 14,
                              bold=True, align="centre", max_width=size.figure - 4)  # fmt: skip
            continue
        figure = numbers.pop(0) if numbers else None
        if figure is None:
            continue
        if row.most == 1:
            if figure:
                cross(canvas, right - BOX - 4, y - deep + (deep - BOX) / 2, BOX)
            continue
        at, vp = _columns(right, row, size)
        middle = y - deep / 2 - 5
        boxes = [(at, figure), *([(vp, figure * row.worth[0])] if any(row.worth) and size.times else [])]
        for box, number in boxes:
            draw_text(canvas, box + size.figure / 2, middle, str(number), 14, bold=True, align="centre",
                      max_width=size.figure - 4, min_size=7)  # fmt: skip
    of_sum = _sum_boxes(left, right, form, size) if summed and size.times else []
    for (at, wide), part in zip(of_sum, summed, strict=False):
        draw_text(canvas, at + wide / 2, top - height + 4 + size.totals * 0.2, str(part), 14, bold=True, align="centre",
                  max_width=wide - 4, min_size=7)  # fmt: skip
    if form.total and total is not None:
        up = 0.2 if form.sums and size.times else 0.3  # below a label in the box, or alone in it
        draw_text(canvas, right - size.big / 2, top - height + 4 + size.totals * up, str(total), 16, bold=True,
                  align="centre", max_width=size.big - 6, min_size=7)  # fmt: skip
    canvas.setFillGray(INK)
