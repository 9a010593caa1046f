"""A scoresheet that has a page to itself: head, players, map and texts, the boxes to fill in, signatures."""

from collections.abc import Sequence

from pdf.fonts import draw_text
from pdf.page import Paper, section, section_height, stamp
from pdf.prose import Room, draw_prose, map_beside
from pdf.score_grids import WHOLE, draw_signatures
from pdf.sheet_data import Scoresheet, called
from pdf.sheet_head import FULL, draw_head
from pdf.sheet_parts import RECORD, TICKED, boxes_height, draw_boxes, draw_ended, draw_player, draw_winner, write_on
from pdf.table_map import END_ROOM, SIDE_ROOM, draw_map, map_rooms, map_words
from pdf.tags import part

PLAYERS, SIGNS = 54.0, 30.0
GAP = 9.0
TITLE_SIZE = 13.0
TITLE = section_height(TITLE_SIZE)
TEXT = 190.0
"""Least width of the texts next to the map."""
LISTED, LISTED_ROW = 3, 11.0
"""Columns of a list to choose from, below the scenario, and the height of its rows."""
LINES = 8
"""To write on, of a scenario that the sheet does not know."""
MAP, LEAST_MAP = 275.0, 160.0
"""The side of the largest map that helps, and of the least that can be read."""


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
    winner = frame.bottom + SIGNS
    low = winner + 2 * TICKED + GAP
    # The map and the scenario take what the boxes leave; of what is then left over, the boxes have their share.
    boxes = boxes_height(sheet, frame.width, WHOLE)
    room = y - low - boxes
    spare = max(0.0, room - _most(sheet, frame.width)) if boxes else 0.0
    top = low + boxes + spare
    _scenario(paper, sheet, y, y - top - GAP)
    draw_boxes(paper, sheet, frame.left, top, frame.width, low, WHOLE)
    draw_winner(canvas, frame.left, winner + TICKED, frame.width, sheet)
    draw_ended(canvas, frame.left, winner, frame.width, sheet)
    if sheet.result:
        draw_text(canvas, frame.left, frame.bottom + 1.5, RECORD, 7.5, max_width=frame.width)
    else:
        stamp(paper, "signatures", lambda: draw_signatures(canvas, frame.left, frame.bottom, frame.width))


def _most(sheet: Scoresheet, width: float) -> float:
    """The height with which the scenario can do something."""
    if not sheet.table_map:
        return TITLE + LINES * 24 + GAP
    return TITLE + 22 + END_ROOM + _largest(sheet, width) + GAP


def _largest(sheet: Scoresheet, width: float) -> float:
    """The side of the drawn table, where height is no object."""
    assert sheet.table_map is not None  # noqa: S101 - by its callers
    return min(MAP, width - TEXT - SIDE_ROOM - map_rooms(sheet.table_map)[1])


def _scenario(paper: Paper, sheet: Scoresheet, y: float, body: float) -> None:
    """The scenario from ``y`` down, ``body`` high: its name, the map with the players at its edges, its texts."""
    canvas, frame, table = paper.canvas, paper.frame, sheet.table_map
    section(canvas, frame.left, y, frame.width, sheet.scenario or "Scenario", size=TITLE_SIZE)
    # Whole, the texts stand in the order of the game; on half a page the scoring is what must not be left out.
    rows = -(-len(sheet.listed) // LISTED)
    low, body = y - body, body - rows * LISTED_ROW
    for place, words in enumerate(sheet.listed):
        at, wide = frame.left + place // rows * frame.width / LISTED, frame.width / LISTED - 8
        draw_text(canvas, at, low + (rows - place % rows) * LISTED_ROW - 8, words, 8, max_width=wide, min_size=7)
    blocks, high = sheet.blocks if sheet.result else sheet.blocks[::-1], body - TITLE
    rooms: Sequence[Room] = [(frame.left, y - TITLE + 1, frame.width, high)]
    if table:
        name_room, (above, aside) = 13.0, map_rooms(table)
        most = min(high - above - END_ROOM - 2 * name_room, _largest(sheet, frame.width))

        def beside(side: float) -> Sequence[Room]:
            at = frame.left + SIDE_ROOM + side + aside + 12
            return [(at, y - TITLE + 1, frame.right - at, high)]

        size, rooms = map_beside(most, LEAST_MAP, beside, blocks)
        left, bottom = frame.left + SIDE_ROOM, y - TITLE - above - name_room - size
        shown = map_words(table)
        stamp(paper, ("map", table, size, bottom), lambda: draw_map(canvas, left, bottom, size, table), shown)
        for side, player, at in (("B", sheet.b, bottom + size + above + 3), ("A", sheet.a, bottom - END_ROOM - 8)):
            draw_text(canvas, left + size / 2, at, called(side, player), 9, bold=True, max_width=size,
                      min_size=7, align="centre")  # fmt: skip
    if sheet.result:
        draw_prose(canvas, rooms, blocks, largest=11, elsewhere=sheet.elsewhere)
    elif sheet.scenario:
        stamp(
            paper,
            ("prose", blocks, *rooms),
            lambda: draw_prose(canvas, rooms, blocks, largest=11, elsewhere=sheet.elsewhere),
        )
    else:
        write_on(canvas, frame.left, y - TITLE, frame.width, high)
