"""A scoresheet that has a page to itself: head, players, map and texts, the boxes to fill in, signatures."""

from pdf.fonts import draw_text
from pdf.page import Paper, stamp
from pdf.score_grids import WHOLE, draw_signatures
from pdf.sheet_data import Scoresheet
from pdf.sheet_head import FULL, draw_head
from pdf.sheet_parts import RECORD, TICKED, boxes_height, draw_boxes, draw_ended, draw_player, draw_winner
from pdf.sheet_scenario import WHOLE as SCENARIO
from pdf.sheet_scenario import draw_scenario, most_scenario
from pdf.tags import part

PLAYERS, SIGNS = 54.0, 30.0
GAP = 9.0
LISTED, LISTED_ROW = 3, 11.0
"""Columns of a list to choose from, below the scenario, and the height of its rows."""
LINES = 10
"""To write on, of a scenario that the sheet does not know."""


def draw_full_sheet(paper: Paper, sheet: Scoresheet) -> None:
    """Draw the sheet on the page at hand, without its foot."""
    canvas, frame = paper.canvas, paper.frame
    half = (frame.width - 10) / 2
    with part(canvas, "H1"):
        draw_head(canvas, frame, sheet, FULL)
    y = frame.top - FULL.height - GAP
    draw_player(canvas, frame.left, y, half, PLAYERS, "A", sheet)
    draw_player(canvas, frame.left + half + 10, y, half, PLAYERS, "B", sheet)
    y -= PLAYERS + GAP
    low = frame.bottom + SIGNS + 2 * TICKED + GAP
    # The map and the scenario take what the boxes leave; of what is then left over, the boxes have their share.
    boxes = boxes_height(sheet, frame.width, WHOLE)
    room = y - low - boxes
    rows = -(-len(sheet.listed) // LISTED)
    most = most_scenario(sheet, frame.width, SCENARIO, LINES) + GAP + rows * LISTED_ROW
    spare = max(0.0, room - most) if boxes else 0.0
    top = low + boxes + spare
    draw_scenario(paper, sheet, frame.left, y, frame.right, top + GAP + rows * LISTED_ROW, SCENARIO)
    for place, words in enumerate(sheet.listed):
        at, wide = frame.left + place // rows * frame.width / LISTED, frame.width / LISTED - 8
        base = top + GAP + (rows - place % rows) * LISTED_ROW - 8
        draw_text(canvas, at, base, words, 8, max_width=wide, min_size=7)
    winner = draw_boxes(paper, sheet, frame.left, top, frame.width, low, WHOLE) - GAP - 2 * TICKED
    draw_winner(canvas, frame.left, winner + TICKED, frame.width, sheet)
    draw_ended(canvas, frame.left, winner, frame.width, sheet)
    if sheet.result:
        draw_text(canvas, frame.left, frame.bottom + 1.5, RECORD, 7.5, max_width=frame.width)
    else:
        stamp(paper, "signatures", lambda: draw_signatures(canvas, frame.left, frame.bottom, frame.width))
