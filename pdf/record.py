"""The record of a finished game below its players: what each side reported, its result and history, the scenario.

Lengths are in points.
"""

from dataclasses import replace

from languages.words import gettext
from pdf.page import Frame, Paper, section, section_height
from pdf.score_form import draw_sides
from pdf.sheet_data import Scoresheet, SheetResult, shown_vp
from pdf.sheet_scenario import draw_texts, largest_type
from pdf.table import Col, Table, table_rows

NO, TABLE, SHARE, GAP = "–", 0.64, 0.33, 14.0
"""For what a side did not report; the share of the width for the table, that of the table for a side's column; the
space between the table and the texts."""
HIGHEST, LEADING, SIZES, LEAST = 2.6, 1.2, (11.0, 10.0, 9.0, 8.0), 7.0
"""The maximum height of a row, and that of a line, in type sizes; the type sizes to try; the minimum of the texts."""


def draw_record(paper: Paper, sheet: Scoresheet, result: SheetResult, frame: Frame) -> None:
    """Draw what was reported, if anything was, and next to it the texts, in no larger type."""
    totals = tuple(NO if one is None else shown_vp(one) for one in result.totals)
    rows = [(label, a or NO, b or NO) for label, a, b in result.rows]
    total = () if {*totals} == {NO} or [row[1:] for row in rows] == [totals] else (gettext("Total VP"), *totals)
    blocks = (gettext("Result"), result.sentences), (gettext("History"), result.history), (sheet.scenario, sheet.setup)
    columns = Col(""), *(Col("", "centre", strong=True, share=SHARE),) * 2
    table = Table(columns, rows, total, ruled=True, keep_size=True)
    width = frame.width * TABLE if rows or total else 0.0
    for size in SIZES:
        top, head = frame.top - section_height(size), size * 1.7
        height = min(size * HIGHEST, (top - head - frame.bottom) / (len(rows) + 1))
        padding = max(1.0, (height - size * LEADING) / 2)
        drawn = table_rows(replace(table, size=size, padding=padding), width)[1]
        rooms = (replace(frame, left=frame.left + width + GAP, top=top),) if width else frame.halves(GAP)
        fits = sum(row.height for row in drawn) <= top - head - frame.bottom
        if (text_size := largest_type(rooms, blocks, size, LEAST)) and fits:
            break
    y = top - head
    if drawn:
        section(paper.canvas, frame.left, frame.top, frame.width, gettext("Reported"), size=size)
        draw_sides(paper.canvas, sheet, frame.left + width, top, width * SHARE, head, size)
    for row in drawn:
        row.draw(paper.canvas, frame.left, y, width)
        y -= row.height
    draw_texts(paper, rooms, blocks, text_size or LEAST)
