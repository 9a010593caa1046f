"""The record of a finished game below its players: what each side reported, its result and history, the scenario.

Lengths are in points.
"""

from dataclasses import replace

from languages.words import gettext
from pdf.flow import Drawing
from pdf.fonts import text_width
from pdf.page import Frame, Paper, section, section_height
from pdf.score_form import draw_sides
from pdf.sheet_data import FEW, Scoresheet, SheetResult, shown_vp
from pdf.sheet_scenario import draw_texts, largest_type
from pdf.table import Col, Table, table_rows

NO, SHARES = "–", (0.31, 0.38)
"""For what a side did not report; the minimum and maximum share of the width for a side's column."""
HIGHEST, ROWS, LEADING, LEAST = 2.6, (0.5, 0.82), 1.2, 7.0
"""The maximum height of a row in type sizes; the maximum share of the height for all rows, with texts below or next to
the table; the height of a line in type sizes; the minimum type."""
TABLE, LONG, GAP = 0.62, 0.22, 14.0
"""The table's share of the width with texts next to it; an answer with this share or more has no texts next to it; the
space between columns."""


def draw_record(paper: Paper, sheet: Scoresheet, result: SheetResult, frame: Frame, most: float, *, half: bool) -> None:
    """Draw what was reported, if anything was, in type of at most ``most``, and the texts in no larger type.

    On a whole page the texts are below the table. On ``half`` a page they are next to a table of many rows with short
    answers, else below it in two columns.
    """
    totals = tuple(NO if one is None else shown_vp(one) for one in result.totals)
    rows = [(label, a or NO, b or NO) for label, a, b in result.rows]
    total = () if {*totals} == {NO} or [row[1:] for row in rows] == [totals] else (gettext("Total VP"), *totals)
    blocks = (gettext("Result"), result.sentences), (gettext("History"), result.history), (sheet.scenario, sheet.setup)
    for size in (most, most - 1, most - 2, most - 3):
        widest = max(text_width(one, size, bold=True) for row in (*rows, totals) for one in row[-2:])
        aside = half and len(rows) > FEW and widest < LONG * frame.width
        width, room, drawn = frame.width * (TABLE if aside else 1.0), frame, list[Drawing]()
        share, head = min(max(SHARES[0], widest / width + 0.03), SHARES[1]), size * 1.7
        below = top = frame.top - section_height(size)
        if rows or total:
            height = min(size * HIGHEST, frame.height * ROWS[aside] / (len(rows) + 1))
            columns = Col(""), *(Col("", "centre", strong=True, share=share),) * 2
            padding = max(1.0, (height - size * LEADING) / 2)
            drawn = table_rows(Table(columns, rows, total, size=size, padding=padding, ruled=True), width)[1]
            below = top - head - sum(row.height for row in drawn) - size / 2
            room = replace(frame, left=frame.left + width + GAP, top=top) if aside else replace(frame, top=below)
        rooms = room.halves(GAP) if half and not aside else (room,)
        if (text_size := largest_type(rooms, blocks, size, LEAST)) and below > frame.bottom:
            break
    if drawn:
        section(paper.canvas, frame.left, frame.top, frame.width, gettext("Reported"), size=size)
        draw_sides(paper.canvas, sheet, frame.left + width, top, width * share, head, size)
    y = top - head
    for row in drawn:
        row.draw(paper.canvas, frame.left, y, width)
        y -= row.height
    draw_texts(paper, rooms, blocks, text_size or LEAST)
