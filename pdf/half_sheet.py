"""A scoresheet on half a page, lying: what the whole one asks, its texts as far as they fit at 7 points."""

import re

from pdf.fonts import draw_text, put_text, wrap
from pdf.page import Paper, stamp
from pdf.score_grids import HALF as SMALL
from pdf.score_grids import draw_signatures
from pdf.sheet_data import Scoresheet
from pdf.sheet_head import HALF, draw_head
from pdf.sheet_parts import RECORD, TICKED_HALF, draw_boxes, draw_ended, draw_player, draw_winner
from pdf.sheet_scenario import HALF as SCENARIO
from pdf.sheet_scenario import draw_scenario
from pdf.tags import part

PLAYERS, SIGNS = 37.0, 19.0
GAP = 4.0
BOXES = 276.0
"""Width of the column of boxes."""
TYPE = 7.5
LIST, LISTED = 7.0, 2
"""Of a list to choose from: the size of its type, and the most lines."""


def draw_half_sheet(paper: Paper, sheet: Scoresheet) -> None:
    """Draw the sheet on the piece at hand, without its foot."""
    canvas, frame = paper.canvas, paper.frame
    with part(canvas, "H1"):
        draw_head(canvas, frame, sheet, HALF)
    y = frame.top - HALF.height - GAP
    right = frame.right - BOXES
    draw_player(canvas, frame.left, y, right - frame.left - 9, PLAYERS, "A", sheet)
    draw_player(canvas, right, y, BOXES, PLAYERS, "B", sheet)
    y -= PLAYERS + GAP
    winner = frame.bottom + SIGNS
    low = winner + 2 * TICKED_HALF + GAP
    # Numbers with what stands in brackets after the names: the rest is on the scenario sheet.
    short = [re.sub(r"^(\d+) .+ \((.+)\)$", r"\1 \2", one) for one in sheet.listed]
    listed = wrap(f"{sheet.listed_for}: {' · '.join(short)}", LIST, frame.width)[:LISTED] if short else ()
    low += LIST * 1.15 * len(listed)
    for place, line in enumerate(listed, 1):
        put_text(canvas, frame.left, low - GAP - place * LIST * 1.15 + 4, line, LIST, False)
    draw_winner(canvas, frame.left, winner + TICKED_HALF, frame.width, sheet, TYPE)
    draw_ended(canvas, frame.left, winner, frame.width, sheet, TYPE)
    draw_scenario(paper, sheet, frame.left, y, right - 9, low, SCENARIO)
    draw_boxes(paper, sheet, right, y, BOXES, low, SMALL)
    if sheet.result:
        draw_text(canvas, frame.left, frame.bottom + 1.5, RECORD, 7, max_width=frame.width)
    else:
        stamp(paper, "signatures", lambda: draw_signatures(canvas, frame.left, frame.bottom, frame.width, 7))
