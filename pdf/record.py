"""The record of a finished game below its players: what each side reported, its result and history, the scenario.

Lengths are in points.
"""

from dataclasses import replace

from languages.words import gettext
from pdf.fonts import draw_text
from pdf.page import Frame, Paper
from pdf.score_form import draw_sides
from pdf.sheet_data import Scoresheet, SheetResult, shown_vp
from pdf.sheet_scenario import draw_notes, draw_texts, largest_type
from pdf.table import PAD, Col, Table, table_rows

NO, TABLE, SHARE, GAP, ABOVE = "–", 0.64, 0.33, 16.0, 6.0
"""For what a side did not report; the share of the width for the table, that of the table for a side's column; the
space between the table and the texts, and above and below both."""
PADDING, MOST_PADDING, SIZES, LEAST = 0.7, 1.1, (11.0, 10.0, 9.0, 8.0), 7.0
"""Space above and below the text of a row with notes below, and the most without; type sizes; the least of texts."""


def draw_record(paper: Paper, sheet: Scoresheet, result: SheetResult, frame: Frame) -> None:
    """Draw what was reported, if anything was, with lines for notes below; next to it the texts, in no larger type."""
    totals = tuple(NO if one is None else shown_vp(one) for one in result.totals)
    rows = [(label, a or NO, b or NO) for label, a, b in result.rows]
    total = () if {*totals} == {NO} or [row[1:] for row in rows] == [totals] else (gettext("Total VP"), *totals)
    blocks = (gettext("Result"), result.sentences), (gettext("History"), result.history), (sheet.scenario, sheet.setup)
    columns = Col(""), *(Col("", "centre", strong=True, share=SHARE),) * 2
    table = Table(columns, rows, total, ruled=True, keep_size=True)
    frame = replace(frame, top=frame.top - ABOVE, bottom=frame.bottom + ABOVE)
    left = replace(frame, right=frame.left + frame.width * TABLE)
    for size in SIZES:
        head, count = size * 2.0, len(rows) + bool(total)
        base = frame.top - head / 2 - size * 0.36
        rooms: tuple[Frame, ...] = (replace(frame, left=left.right + GAP, top=base + size),)
        closest = sum(row.height for row in table_rows(replace(table, size=size, padding=0.0), left.width)[1])
        padding = (left.height - head - closest) / 2 / max(1, count)
        if (text_size := largest_type(rooms, blocks, size, LEAST)) and padding >= 1:
            break
    rooms = rooms if text_size or count else frame.halves(GAP)
    draw_texts(paper, rooms, blocks, text_size or largest_type(rooms, blocks, size, LEAST) or LEAST)
    padding = padding if padding <= MOST_PADDING * size else PADDING * size
    y = frame.top - head * bool(count)
    if count:
        draw_text(paper.canvas, left.left + PAD, base, gettext("Reported"), size, bold=True)
        draw_sides(paper.canvas, sheet, left.right, frame.top, left.width * SHARE, head, size)
    for row in table_rows(replace(table, size=size, padding=padding), left.width)[1]:
        row.draw(paper.canvas, left.left, y, left.width)
        y -= row.height
    if len(rooms) == 1 and y - left.bottom > MOST_PADDING * size * 2:
        draw_notes(paper.canvas, sheet, replace(left, top=y - ABOVE * bool(count)), size)
