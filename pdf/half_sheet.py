"""A scoresheet on half a page, lying: what the whole one asks, its texts as far as they fit at 7 points."""

from pdf.fonts import draw_text
from pdf.page import Paper, section, section_height, stamp
from pdf.prose import Blocks, draw_prose, map_side
from pdf.score_grids import HALF as SMALL
from pdf.score_grids import draw_signatures, side_tab
from pdf.sheet_data import Scoresheet
from pdf.sheet_head import HALF, draw_head
from pdf.sheet_parts import RECORD, TICKED, draw_boxes, draw_ended, draw_player, draw_winner, write_on
from pdf.table_map import END_ROOM, SIDE_ROOM, draw_map, map_rooms, map_words
from pdf.tags import heading

PLAYERS, SIGNS = 37.0, 19.0
GAP = 5.0
BOXES = 276.0
"""Width of the column of boxes."""
TITLE_SIZE, TYPE = 10.0, 7.5
TITLE = section_height(TITLE_SIZE)
TEXT = 92.0
"""Least width of the texts next to the map."""
SMALL_MAP = 110.0
"""A map that is worth drawing."""
LEFT_OVER = 36.0
"""A height that is worth setting a text in."""


def draw_half_sheet(paper: Paper, sheet: Scoresheet) -> None:
    """Draw the sheet on the piece at hand, without its foot."""
    canvas, frame = paper.canvas, paper.frame
    with heading(canvas, paper.tags):
        draw_head(canvas, frame, sheet, HALF)
    y = frame.top - HALF.height - GAP
    right = frame.right - BOXES
    draw_player(canvas, frame.left, y, right - frame.left - 9, PLAYERS, "A", sheet)
    draw_player(canvas, right, y, BOXES, PLAYERS, "B", sheet)
    y -= PLAYERS + GAP
    winner = frame.bottom + SIGNS
    low = winner + 2 * TICKED + GAP
    draw_winner(canvas, frame.left, winner + TICKED, frame.width, sheet, TYPE)
    draw_ended(canvas, frame.left, winner, frame.width, sheet, TYPE)
    below = draw_boxes(paper, sheet, right, y, BOXES, low, SMALL) - GAP
    first = below - low >= LEFT_OVER and bool(sheet.scenario)
    if first:
        _texts(paper, sheet, right, below, BOXES, below - low, sheet.blocks[:1])
    _scenario(paper, sheet, y, low, right - 9, sheet.blocks[1:] if first else sheet.blocks)
    if sheet.result:
        draw_text(canvas, frame.left, frame.bottom + 1.5, RECORD, 7, max_width=frame.width)
    else:
        stamp(paper, "signatures", lambda: draw_signatures(canvas, frame.left, frame.bottom, frame.width, 7))


def _scenario(paper: Paper, sheet: Scoresheet, top: float, low: float, right: float, blocks: Blocks) -> None:
    """The scenario's name, its map with the edges' letters, and next to it as many texts as fit."""
    canvas, left, table = paper.canvas, paper.frame.left, sheet.table_map
    section(canvas, left, top, right - left, sheet.scenario or "Scenario", size=TITLE_SIZE)
    y = top - TITLE
    text_left = left
    if table:
        above, aside = map_rooms(table)
        above = max(above, 14.0)
        size = max(SMALL_MAP, min(y - low - above - END_ROOM, right - left - SIDE_ROOM - aside - TEXT))
        size = map_side(size, SMALL_MAP, right - left - SIDE_ROOM - aside - 6, y + 2 - low, blocks)
        map_left, bottom = left + SIDE_ROOM, y - above - size

        def draw() -> None:
            draw_map(canvas, map_left, bottom, size, table)
            for side, at in (("A", bottom - 14), ("B", bottom + size + 3)):
                side_tab(canvas, left, at, 10, 10, side)

        stamp(paper, ("map", table, size, bottom), draw, map_words(table))
        text_left = map_left + size + aside + 6
    if sheet.scenario:
        _texts(paper, sheet, text_left, y + 2, right - text_left, y + 2 - low, blocks)
    else:
        write_on(canvas, left, y, right - left, y - low)


def _texts(paper: Paper, sheet: Scoresheet, x: float, top: float, width: float, height: float, blocks: Blocks) -> None:
    def draw() -> None:
        draw_prose(paper.canvas, x, top, width, height, blocks, largest=9, least=7, elsewhere=sheet.elsewhere)

    if sheet.result:
        draw()
    else:
        stamp(paper, ("prose", blocks, x, top, width, height), draw)
