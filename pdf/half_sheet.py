"""A scoresheet on half a page, lying: what the whole one asks, its texts as far as they fit at 7 points."""

from collections.abc import Sequence
from dataclasses import replace

from pdf.fonts import draw_text
from pdf.page import Paper, section, section_height, stamp
from pdf.prose import Room, draw_prose, map_beside
from pdf.score_grids import HALF as SMALL
from pdf.score_grids import draw_signatures, side_tab
from pdf.sheet_data import Scoresheet
from pdf.sheet_head import HALF, draw_head
from pdf.sheet_parts import RECORD, TICKED_HALF, draw_boxes, draw_ended, draw_player, draw_winner, write_on
from pdf.table_map import END_ROOM, SIDE_ROOM, draw_map, map_rooms, map_words
from pdf.tags import part

PLAYERS, SIGNS = 37.0, 19.0
GAP = 5.0
BOXES = 276.0
"""Width of the column of boxes."""
TITLE_SIZE, TYPE = 10.0, 7.5
TITLE = section_height(TITLE_SIZE)
TEXT = 92.0
"""Least width of the texts next to the map."""
SMALL_MAP = 94.0
"""A map that is worth drawing."""
LANES = 66.0
"""Room that the rulers may take; wider ones are on the scenario's own sheet."""
LEFT_OVER = 36.0
"""A height that is worth setting a text in."""


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
    draw_winner(canvas, frame.left, winner + TICKED_HALF, frame.width, sheet, TYPE)
    draw_ended(canvas, frame.left, winner, frame.width, sheet, TYPE)
    _scenario(paper, sheet, y, low, right - 9)
    draw_boxes(paper, sheet, right, y, BOXES, low, SMALL)
    if sheet.result:
        draw_text(canvas, frame.left, frame.bottom + 1.5, RECORD, 7, max_width=frame.width)
    else:
        stamp(paper, "signatures", lambda: draw_signatures(canvas, frame.left, frame.bottom, frame.width, 7))


def _scenario(paper: Paper, sheet: Scoresheet, top: float, low: float, right: float) -> None:
    """The scenario's name, its map with the edges' letters, and its texts, next to it and below."""
    canvas, left, table = paper.canvas, paper.frame.left, sheet.table_map
    blocks = sheet.blocks if sheet.result else sheet.blocks[:1]  # the table has a sheet of how it is set up
    section(canvas, left, top, right - left, sheet.scenario or "Scenario", size=TITLE_SIZE)
    y = top - TITLE
    rooms: Sequence[Room] = [(left, y + 2, right - left, y + 2 - low)]
    if table:
        if sum(map_rooms(table)) > LANES:
            table = replace(table, across=(), up=())
        above, aside = map_rooms(table)
        above = max(above, 17.0)
        most = max(SMALL_MAP, min(y - low - above - END_ROOM, right - left - SIDE_ROOM - aside - TEXT))

        def around(side: float) -> Sequence[Room]:
            at = left + SIDE_ROOM + side + aside + 6
            under = y - above - side - END_ROOM - 4
            foot = under if under - low > LEFT_OVER else low
            return [(at, y + 2, right - at, y + 2 - foot), (left, foot, right - left, foot - low)]

        size, rooms = map_beside(most, SMALL_MAP, around, blocks)
        map_left, bottom = left + SIDE_ROOM, y - above - size

        def draw() -> None:
            draw_map(canvas, map_left, bottom, size, table)
            for side, at in (("A", bottom - 15), ("B", bottom + size + 7)):
                side_tab(canvas, left, at, 9, 9, side)

        stamp(paper, ("map", table, size, bottom), draw, map_words(table))

    def texts() -> None:
        draw_prose(canvas, rooms, blocks, largest=9, elsewhere=sheet.elsewhere)

    if not sheet.scenario:
        write_on(canvas, left, y, right - left, y - low)
    elif sheet.result:
        texts()
    else:
        stamp(paper, ("prose", blocks, *rooms), texts)
