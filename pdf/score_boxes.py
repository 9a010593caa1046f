"""The boxes that players fill in: VP by game round or the game's own form, objective markers, totals.

Boxes that are the same at every table are drawn once and shared.
"""

import re
from collections.abc import Hashable, Sequence
from dataclasses import replace
from itertools import product

from reportlab.pdfgen.canvas import Canvas

from languages.words import capital, gettext, ngettext
from pdf.fonts import Fitted, draw_fitted, draw_text, fit, text_width
from pdf.page import HAIR, Frame, Paper, box, draw_shared, hatch, section, section_height
from pdf.score_form import draw_form, form_height
from pdf.score_size import BOX, HEAVY, Boxes, readable, side_tab
from pdf.sheet_data import MarkerGrid, Scoresheet, VpGrid

LISTED, LIST_TYPE = 3, 9.0
"""Columns and type size of a list of choices."""
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


def listed_height(sheet: Scoresheet) -> float:
    """Height of `draw_list`, in points."""
    rows = -(-len(sheet.written.choices) // LISTED)
    return ((rows + 1) * 1.3 + 0.7) * LIST_TYPE if rows else 0.0


def draw_list(canvas: Canvas, x: float, y: float, width: float, sheet: Scoresheet) -> float:
    """Draw the numbered list of choices from ``y`` downwards, under its head, in columns; return the y below."""
    label, choices, room, step = sheet.written.label, sheet.written.choices, width / LISTED, LIST_TYPE * 1.3
    head = label and gettext("%(label)s: write its number", label=label)
    draw_text(canvas, x, y - step, head, LIST_TYPE, bold=True)
    for place, words in enumerate(choices):
        column, row = divmod(place, -(-len(choices) // LISTED))
        draw_text(canvas, x + column * room, y - (row + 2) * step, words, LIST_TYPE, max_width=room - 4)
    return y - listed_height(sheet)


def _titled(sheet: Scoresheet) -> tuple[str, str]:
    """The title of the boxes and the note next to it."""
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
    found = list[Fitted]()
    for kind in kinds:  # what is in brackets gets a line of its own
        parts = [fit(one, size.small, room, min_size=7, max_lines=2) for one in re.split(r" (?=\()", kind)]
        lines = tuple(line for fitted in parts for line in fitted.lines)
        found.append(Fitted(lines, min(fitted.size for fitted in parts), leading=1.1))
    return found


def _markers_height(grid: MarkerGrid, width: float, size: Boxes) -> float:
    """Height of `_markers`."""
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
