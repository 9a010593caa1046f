"""The record of a finished game below its players: what each side reported and who won, then its history in words.

Lengths are in points.
"""

from dataclasses import replace
from itertools import zip_longest

from languages.words import gettext
from pdf.flow import Flow, Paragraph, page_columns, text_height
from pdf.fonts import draw_text, text_width
from pdf.page import LINE, Frame, Paper, box, rule
from pdf.rows import table_rows
from pdf.score_form import draw_sides
from pdf.sheet_data import Scoresheet, SheetResult, shown_vp
from pdf.sheet_scenario import draw_notes
from pdf.table import PAD, Col, Table

NO, SHARE, ABOVE = "–", 0.35, 7.0
"""For what a side did not report; the share of the width for a side's column; the space between the parts."""
SIZES, MOST_PADDING = (11.0, 10.0, 9.0, 8.0, 7.0), 0.6
"""Type sizes, and the most space above and below the text of a row, in type sizes."""


def draw_record(paper: Paper, sheet: Scoresheet, result: SheetResult, frame: Frame) -> None:
    """Draw what was reported, if anything was, the texts below it, and lines for notes as far as there is room.

    Of a history without room even in the smallest type, the oldest sentences are left out.
    """
    frame, canvas, many = replace(frame, top=frame.top - ABOVE), paper.canvas, len(result.history)
    rows = [(label, a or NO, b or NO) for label, a, b in result.rows]
    totals = ["" if number is None else shown_vp(number) for number in result.totals]
    label = rows.pop()[0] if rows and [*rows[-1][1:]] == totals else gettext("Result")
    total = [" · ".join(filter(None, one)) for one in zip_longest(totals, result.won)]
    columns = Col(""), *(Col("", "centre", strong=True, share=SHARE),) * 2
    table = Table(columns, rows, (label, *total) if any(total) else (), ruled=True, keep_size=True)
    for size, left_out in (*((number, 0) for number in SIZES), *((SIZES[-1], n) for n in range(1, many))):
        history = ["… " * (n == left_out > 0) + one for n, one in enumerate(result.history) if n >= left_out]
        said = [(gettext("Scenario"), [sheet.scenario]), (gettext("How it ended"), [*result.sentences])]
        said.append((gettext("History"), history))
        indent = max(text_width(label, size, bold=True) for label, _ in said) + size
        item = Paragraph("", size, above=size * 0.3, indent=indent, label_bold=True, leading=1.2)
        texts = [replace(item, text=text, label=label * (not n)) for label, them in said for n, text in enumerate(them)]
        closest = table_rows(replace(table, size=size, padding=0.0), frame.width)[1]
        head, high = size * 2.0 * bool(closest), text_height(texts, frame.width) + 2 * ABOVE
        padding = (frame.height - head - high - sum(row.height for row in closest)) / 2 / max(1, len(closest))
        if padding >= 1:
            break
    flow, side = Flow(page_columns(frame, frame.top - head)), frame.width * SHARE
    flow.put(table_rows(replace(table, size=size, padding=min(padding, MOST_PADDING * size)), frame.width)[1])
    if closest:
        y = flow.y
        draw_text(canvas, frame.left + PAD, frame.top - head / 2 - size * 0.36, gettext("Reported"), size, bold=True)
        draw_sides(canvas, sheet, frame.right, frame.top, side, head, size)
        box(canvas, frame.right - 2 * side, y, 2 * side, frame.top - y)
        rule(canvas, frame.right - side, y, frame.right - side, frame.top - head)
        rule(canvas, frame.left, y, frame.right, y, LINE)
        flow.y -= ABOVE
    flow.put(texts)
    for mark in flow.pages[0]:
        mark(canvas)
    if flow.y - frame.bottom > 5 * size:
        draw_notes(canvas, sheet, replace(frame, top=flow.y - ABOVE, bottom=frame.bottom + ABOVE), size)
