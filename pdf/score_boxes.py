"""The boxes that players fill in: VP by game round or the game's own form, objective markers, totals.

Boxes that are the same at every table are drawn once and shared.
"""

import re
from collections.abc import Hashable
from dataclasses import replace

from reportlab.pdfgen.canvas import Canvas

from languages.words import capital, gettext, in_sentence, ngettext, noted
from pdf.fonts import Fitted, draw_fitted, draw_text, fit, text_width, wrap
from pdf.page import HAIR, Paper, box, draw_shared, hatch, rule, section, section_height
from pdf.score_form import draw_form, form_height
from pdf.score_size import BOX, HEAVY, LABEL, PAD, WRITE, Boxes, side_tab
from pdf.sheet_data import MarkerGrid, Scoresheet, VpGrid

LISTED = {True: (3, 9.5), False: (4, 9.0)}
"""Columns and type size of a list of choices, by ``Boxes.is_page``."""
MARKER_GROWTH = 5.0
"""Maximum extra height of a row of objective markers."""
NOTE_GAP = 1.5
"""Space below a note that takes lines of its own."""
OWN_VP = noted("VP of %(side)s")


def boxes_height(sheet: Scoresheet, width: float, size: Boxes) -> float:
    """The minimum height of the boxes with their titles, in points."""
    if sheet.form is not None and not sheet.form.a and not sheet.form.total:
        return 0.0
    note_lines = _titled(sheet, width, size)[2]
    head = section_height(size.large) + len(note_lines) * size.small * 1.2 + NOTE_GAP * bool(note_lines)
    sums = _sums_height(sheet, width, size)
    if sheet.form is not None:
        return head + form_height(sheet.form, width, size) + sums
    markers = bool(sheet.objectives.each) * (
        section_height(size.large) + _markers_height(sheet.objectives, width, size) + size.gap
    )
    return head + size.head_height + 2 * size.min_row + markers + sums


def listed_height(sheet: Scoresheet, size: Boxes) -> float:
    """Height of `draw_list`, in points."""
    columns, type_size = LISTED[size.is_page]
    rows = -(-len(sheet.written.choices) // columns)
    return ((rows + 1) * 1.2 + 1.0) * type_size if rows else 0.0


def draw_list(canvas: Canvas, x: float, y: float, width: float, sheet: Scoresheet, size: Boxes) -> None:
    """Draw the numbered list of choices from ``y`` downwards, under its head, in columns as wide as their words.

    On half a page only the number and the words in brackets of each choice are printed.
    """
    label, choices, (columns, type_size) = sheet.written.label, sheet.written.choices, LISTED[size.is_page]
    if not size.is_page:  # numbers, with only what stands in brackets after the names
        choices = tuple(re.sub(r"^(\d+) .+ \((.+)\)$", r"\1 \2", choice) for choice in choices)
    rows, step, top = -(-len(choices) // columns) or 1, type_size * 1.2, y - type_size * 0.4
    draw_text(
        canvas, x, top - step, label and gettext("%(label)s: write its number", label=label), type_size, bold=True
    )
    parts = [choices[first : first + rows] for first in range(0, len(choices), rows)]
    widths = [max(text_width(choice, type_size) for choice in part) for part in parts]
    for part, column_width in zip(parts, widths, strict=True):
        room = column_width + (width - sum(widths)) / len(widths)
        for place, words in enumerate(part, 2):
            draw_text(canvas, x, top - place * step, words, type_size, max_width=room - 2)
        x += room


def fitting(sheet: Scoresheet, width: float, room: float, size: Boxes) -> Boxes:
    """The sizes, brief if the boxes do not fit into ``room`` points."""
    return size if boxes_height(sheet, width, size) <= room + 0.01 else replace(size, brief=True)


def _titled(sheet: Scoresheet, width: float, size: Boxes) -> tuple[str, str, tuple[str, ...]]:
    """The title, the note next to it, and the lines of the note below it if it is too long for that."""
    title = gettext("Report these") if sheet.form else gettext("Victory points in each game round")
    room, note = width - text_width(title, size.large, bold=True) - 10, sheet.grid_note
    note = capital(note)
    fits = text_width(note, size.small) <= room
    return title, note if fits else "", () if fits or (sheet.form and size.brief) else wrap(note, size.small, width)


def draw_boxes(paper: Paper, sheet: Scoresheet, x: float, top: float, width: float, low: float, size: Boxes) -> float:
    """Draw all boxes from ``top`` down, in rows as high as the space above ``low`` allows, and return the y below."""
    size = fitting(sheet, width, top - low, size)
    needed = boxes_height(sheet, width, size)
    if not needed:
        return top
    canvas, summed, sums = paper.canvas, sheet.summed, _sums_height(sheet, width, size)
    title, note, note_lines = _titled(sheet, width, size)
    section(canvas, x, top, width, title, note, size=size.large)
    y = top - section_height(size.large)
    for line in note_lines:
        y -= size.small * 1.2
        draw_text(canvas, x, y + 3, line, size.small)
    y -= NOTE_GAP * bool(note_lines)
    if sheet.form is None:
        y = _grids(paper, sheet, x, y, width, max(0.0, top - low - needed), size)
    else:
        y = draw_form(paper, sheet.form, x, y, width, low + sums, size, sums)
    if sheet.has_totals:
        y -= sums
        high = sums * bool(sheet.form)
        key: Hashable = "sums", summed, size, x, y, width, high
        alt = gettext(
            "Boxes to fill in for A and for B: %(shown)s.",
            shown=", ".join((*(in_sentence(one.format(own="A", enemy="B")) for one in summed), gettext("total VP"))),
        )
        draw_shared(paper, key, lambda: _sums(canvas, x, y, width, summed, size, high), alt)
    return y


def _sums(canvas: Canvas, x: float, y: float, width: float, summed: tuple[str, ...], size: Boxes, high: float) -> None:
    """Draw, for each side, a box for each part of the sum and a heavy box for the total; their labels are above.

    The sum of a form is in its frame, ``high`` points below a line; others have a field with the side's letter.
    """
    half, low = (width - 10) / 2, y + PAD * bool(high)
    label = low + size.total_height + 2
    for side, enemy, left in (("A", "B", x), ("B", "A", x + half + 10)):
        at, right = left + size.tab_width + 5, left + half - PAD * bool(high)
        if high:
            rule(canvas, left + size.tab_width, y + high, left + half, y + high)
        else:
            side_tab(canvas, left, y, size.tab_width, size.total_height, side)
        labels = _part_labels(summed, width, size, side, enemy)
        step = (right - size.total_width - at) / max(1, len(summed))
        for place, words in enumerate(labels, 1):
            room = step - size.sign_width
            box(canvas, at, low, room, size.total_height)
            draw_fitted(canvas, at, label + (len(words.lines) - 1) * words.step, words)
            sign, x_sign = "=" if place == len(summed) else "+", at + room + size.sign_width / 2
            draw_text(canvas, x_sign, low + size.total_height / 2 - 4, sign, 12, bold=True, align="centre")
            at += step
        draw_text(canvas, at, label, gettext("Total VP"), size.small, bold=True, max_width=size.total_width)
        box(canvas, at + 1.1, low + 1.1, size.total_width - 2.2, size.total_height - 2.2, HEAVY)


def _part_labels(summed: tuple[str, ...], width: float, size: Boxes, side: str, enemy: str) -> list[Fitted]:
    """The labels of the parts of a side's sum, of up to three lines."""
    room = (width - 10) / 2 - size.tab_width - 5 - PAD - size.total_width
    step = room / max(1, len(summed)) - 3.5
    named = (words.format(own=side, enemy=enemy) for words in summed)
    return [fit(words, size.small, step, max_lines=3, leading=1.1) for words in named]


def _sums_height(sheet: Scoresheet, width: float, size: Boxes) -> float:
    """Height of these boxes, with their labels and the space above."""
    if not sheet.has_totals:
        return 0.0
    lines = max((len(one.lines) for one in _part_labels(sheet.summed, width, size, "A", "B")), default=1)
    return (2 * PAD if sheet.form else size.gap) + lines * LABEL + size.total_height


def _grids(paper: Paper, sheet: Scoresheet, x: float, top: float, width: float, spare: float, size: Boxes) -> float:
    """Draw the grid of VP by game round and the objective markers, and return the y below."""
    canvas, grid, markers = paper.canvas, sheet.grid, sheet.objectives
    more = min(MARKER_GROWTH, spare / 2) if markers.each and not size.brief else 0.0
    row = max(size.min_row, min(size.max_row, size.min_row + spare / 2 - more))
    alt = ngettext(
        "Boxes to fill in: the VP of A and of B in %(num)s game round.",
        "Boxes to fill in: the VP of A and of B in each of %(num)s game rounds.",
        len(grid.most_a),
    )
    key: Hashable = "vp", grid, size, x, top, width, row
    draw_shared(paper, key, lambda: _vp_grid(canvas, x, top, width, grid, size, row), alt)
    y = top - size.head_height - 2 * row
    if not markers.each:
        return y
    y -= size.gap
    title = gettext("Tick completed markers")
    if size.is_page:
        title = gettext("Objective markers: tick each when completed")
    section(canvas, x, y, width, title, capital(markers.note), size=size.large)
    y -= section_height(size.large)
    size = replace(size, tick_gap=size.tick_gap + more)
    key, alt = ("markers", markers, size, x, y, width), gettext("Boxes to tick for A and for B: objective markers.")
    draw_shared(paper, key, lambda: _markers(canvas, x, y, width, markers, size), alt)
    return y - _markers_height(markers, width, size)


def _vp_grid(canvas: Canvas, x: float, top: float, width: float, grid: VpGrid, size: Boxes, row: float) -> None:
    """Draw a row for each side with a cell for each game round, after its boxes for a choice before the game."""
    steps = [text_width(words, 7) + BOX + 7 for words in grid.choice]
    rounds, first = (
        len(grid.most_a),
        size.tab_width + 4 + max(sum(steps), text_width(gettext(OWN_VP, side="A"), size.large) + 4),
    )
    cell = (width - first) / max(1, rounds)
    base = top - size.head_height + 4
    draw_text(canvas, x, base, gettext("Game round"), size.small, bold=True)
    for n in range(rounds):
        draw_text(canvas, x + first + cell * (n + 0.5), base, str(n + 1), size.large, bold=True, align="centre")
    below = top - size.head_height
    for side, most, y in (("A", grid.most_a, below - row), ("B", grid.most_b, below - 2 * row)):
        for n, limit in enumerate(most):
            left = x + first + cell * n
            if limit == 0:
                hatch(canvas, left, y, cell, row)
            elif limit is not None:
                draw_text(canvas, left + cell - 2.5, y + 2.5, f"0–{limit}", 7, align="right")
            box(canvas, left, y, cell, row)
        box(canvas, x, y, first, row)
        side_tab(canvas, x, y, size.tab_width, row, side)
        at, middle = x + size.tab_width + 4, y + row / 2
        draw_text(canvas, at, middle - 3, "" if grid.choice else gettext(OWN_VP, side=side), size.large)
        for words, step in zip(grid.choice, steps, strict=True):
            box(canvas, at, middle - BOX / 2, BOX, BOX)
            draw_text(canvas, at + BOX + 3, middle - 2.5, words, 7)
            at += step


def _kinds(grid: MarkerGrid, width: float, size: Boxes) -> tuple[list[Fitted], float]:
    """The kinds of markers as heads above their boxes, and the height of these heads; empty if they do not fit."""
    room = (width - size.tab_width) / max(1, len(grid.kinds))
    if size.brief or not grid.kinds or grid.most * (BOX + size.tick_gap) > room:
        return [], 0.0
    heads = [fit(kind, size.small, room - 3, min_size=7, max_lines=3, leading=1.1) for kind in grid.kinds]
    return heads, max(head.height for head in heads) + 3


def _markers_height(grid: MarkerGrid, width: float, size: Boxes) -> float:
    """Height of `_markers`."""
    heads, head_height = _kinds(grid, width, size)
    return head_height + 2 * (BOX + size.tick_gap) if heads else WRITE


def _markers(canvas: Canvas, x: float, top: float, width: float, grid: MarkerGrid, size: Boxes) -> None:
    """Draw boxes to tick for completed markers: by kind with a row for each side, or one box for each marker."""
    heads, head_height = _kinds(grid, width, size)
    y, half = top - head_height, (width - 10) / 2
    count, square, row_height = (grid.most, BOX, BOX + size.tick_gap) if heads else (1, BOX + 3, WRITE)
    for number, side in enumerate("AB"):
        left, down, wide = (x, number + 1, width) if heads else (x + number * (half + 10), 1, half)
        bottom = y - down * row_height
        box(canvas, left, bottom, wide, row_height)
        side_tab(canvas, left, bottom, size.tab_width, row_height, side)
        step = (wide - size.tab_width) / (len(heads) or grid.each)
        for place in range(len(heads) or grid.each):
            middle = left + size.tab_width + (place + 0.5) * step
            if heads and not number:
                box(canvas, middle - step / 2, y - 2 * row_height, step, head_height - 1 + 2 * row_height, HAIR)
                above = 2.5 + (len(heads[place].lines) - 1) * heads[place].step
                draw_fitted(canvas, middle, y + above, heads[place], "centre")
            for n in range(count):
                at = middle + (n - (count - 1) / 2) * (square + size.tick_gap) - square / 2
                box(canvas, at, bottom + (row_height - square) / 2, square, square)
