"""A scoresheet on half a page, lying: all that the whole one asks and says, its texts as far as they fit."""

from dataclasses import replace

from reportlab.pdfgen.canvas import Canvas

from pdf.fonts import draw_text, plain, text_width, wrap
from pdf.page import HAIR, INK, LINE, Paper, section, section_height, stamp
from pdf.prose import Blocks, draw_prose
from pdf.score_grids import (
    GridSize,
    draw_marker_grid,
    draw_signatures,
    draw_totals,
    draw_vp_grid,
    marker_grid_height,
    side_tab,
    vp_columns,
    vp_grid_height,
)
from pdf.sheet_data import Scoresheet
from pdf.sheet_head import HALF, draw_head
from pdf.sheet_parts import RECORD, draw_ended, draw_winner, fill_markers, fill_totals, fill_vp, write_on
from pdf.table_map import END_ROOM, SIDE_ROOM, draw_map, map_rooms
from pdf.tags import heading

PLAYERS, WINNER, SIGNS = 29.5, 13.0, 17.0
GAP = 4.0
BOXES = 268.0
"""Width of the column of grids."""
TITLE_SIZE, SECTION_SIZE, NOTE_SIZE = 10.0, 7.0, 6.5
TITLE, SECTION = section_height(TITLE_SIZE), section_height(SECTION_SIZE)
SMALL = GridSize(
    row=21.0, head=10.0, first=90.0, last=32.0, tab=13.0, kind_row=8.0, marker_head=9.5, done_row=12.5, label=60.0,
    totals=20.0, big=40.0, type=0.8, box=6.2,
)  # fmt: skip
"""The least measures of the boxes; where the half sheet is higher, the rows of figures are."""
LARGEST_ROW = 36.0
TEXT = 101.0
"""Least width of the texts next to the map."""
FEW, WIDER = 3, 122.0
"""With so few columns of figures, names are this wide."""
LEFT_OVER = 44.0
"""A height that is worth setting a text in."""


def draw_half_sheet(paper: Paper, sheet: Scoresheet) -> None:
    """Draw the sheet on the piece at hand, without its foot."""
    canvas, frame = paper.canvas, paper.frame
    with heading(canvas, paper.tags):
        draw_head(canvas, frame, sheet, HALF)
    y = frame.top - HALF.height - GAP
    right = frame.right - BOXES
    _player(canvas, frame.left, y, right - frame.left - 9, "A", sheet)
    _player(canvas, right, y, BOXES, "B", sheet)
    y -= PLAYERS + GAP
    low = frame.bottom + SIGNS + WINNER + 4
    draw_winner(canvas, frame.left, low - WINNER, frame.width * 0.58, sheet, 7.5)
    draw_ended(canvas, frame.left + frame.width * 0.6, low - WINNER, frame.width * 0.4, sheet, 7.5)
    below = _boxes(paper, sheet, right, y, low + GAP)
    _scenario(paper, sheet, y, low + GAP, right - 9, sheet.blocks[1:] if below else sheet.blocks)
    if sheet.result:
        draw_text(canvas, frame.left, frame.bottom + 1.5, RECORD, 6.5, max_width=frame.width)
    else:
        stamp(paper, "signatures", lambda: draw_signatures(canvas, frame.left, frame.bottom, frame.width, 6.5))


def _player(canvas: Canvas, x: float, top: float, width: float, side: str, sheet: Scoresheet) -> None:
    player = sheet.a if side == "A" else sheet.b
    canvas.setStrokeGray(INK)
    canvas.setLineWidth(LINE)
    canvas.rect(x, top - PLAYERS, width, PLAYERS, stroke=1, fill=0)
    side_tab(canvas, x, top - PLAYERS, 17, PLAYERS, side)
    left, right = x + 22, x + width - 5
    room = right - left
    total = "" if player.force_total is None else f"{player.force_total}"
    if total:
        worth = draw_text(canvas, right, top - 12, f"{total} {sheet.unit}", 10, bold=True, max_width=76, align="right")
        room -= text_width(worth.lines[0], worth.size, bold=True) + 7
    if plain(player.name):
        draw_text(canvas, left, top - 12, player.name, 11, bold=True, max_width=room, min_size=6.5)
    else:
        canvas.setLineWidth(HAIR)
        for label, start, end in (
            ("Name", left, left + room * 0.55),
            ("Faction, force total", left + room * 0.6, right),
        ):
            canvas.line(start, top - 19, end, top - 19)
            draw_text(canvas, start, top - 26, label, 6)
    for words, below in ((player.about, 19.8), (player.leader, 27)):
        draw_text(canvas, left, top - below, words, 7, max_width=right - left, min_size=5.5)


def _boxes(paper: Paper, sheet: Scoresheet, x: float, top: float, low: float) -> bool:
    """The grids and the sums, from ``top`` down to ``low``; whether the first of the texts found room between them."""
    canvas, grid, markers = paper.canvas, sheet.grid, sheet.objectives
    if sheet.asks == "outcome":
        return _words(paper, sheet, x, top, top - low)
    half = (BOXES - 8) / 2
    size = replace(SMALL, head=16.0) if grid.heads else SMALL
    if len(grid.most_a) <= FEW:
        size = replace(size, first=WIDER)
    under = GAP + SECTION + marker_grid_height(markers, size) if markers.each else 0.0
    noted = _note_lines(sheet)
    vp_top = top - SECTION - len(noted) * NOTE_SIZE * 1.15
    spare = vp_top - low - (vp_grid_height(size) + under + GAP + size.totals)
    size = replace(size, row=min(LARGEST_ROW, size.row + max(0.0, spare) / 2))
    section(canvas, x, top, BOXES, sheet.grid_title, "" if noted else sheet.grid_note, size=SECTION_SIZE)
    for n, line in enumerate(noted):
        draw_text(canvas, x, top - SECTION - n * NOTE_SIZE * 1.15 - NOTE_SIZE + 2, line, NOTE_SIZE)
    stamp(paper, ("vp", grid, size, vp_top), lambda: draw_vp_grid(canvas, x, vp_top, BOXES, grid, size))
    first, _, _ = vp_columns(BOXES, grid, size)
    for player, row in ((sheet.a, 1), (sheet.b, 2)):
        base = vp_top - size.head - (row - 1) * size.row - 8.5
        draw_text(
            canvas, x + size.tab + 4, base, player.name, 7, bold=True, max_width=first - size.tab - 7, min_size=5
        )  # fmt: skip
    markers_top = vp_top - vp_grid_height(size) - GAP - SECTION
    totals_top = low + size.totals
    if markers.each:
        section(canvas, x, markers_top + SECTION, BOXES, "Objective markers", markers.note, size=SECTION_SIZE)

    def boxes() -> None:
        for side, left in (("A", x), ("B", x + half + 8)):
            if markers.each:
                draw_marker_grid(canvas, left, markers_top, half, markers, side, size)
            if sheet.asks == "full":
                draw_totals(canvas, left, totals_top, half, side, sheet.summed, size)

    stamp(paper, ("boxes", sheet.asks, markers, sheet.summed, size, markers_top, totals_top), boxes)
    if sheet.result:
        fill_vp(canvas, x, vp_top, BOXES, grid, size, sheet.result)
        for side_result, left in ((sheet.result.a, x), (sheet.result.b, x + half + 8)):
            fill_markers(canvas, left, markers_top, half, markers, size, side_result)
            if sheet.asks == "full":
                fill_totals(canvas, left, totals_top, half, sheet.summed, size, side_result)
    left_over = vp_top - vp_grid_height(size) - totals_top - under - 2 * GAP
    return _words(paper, sheet, x, vp_top - vp_grid_height(size) - under - GAP, left_over)


def _words(paper: Paper, sheet: Scoresheet, x: float, top: float, room: float) -> bool:
    """The first of the texts, where the boxes leave ``room`` for it; whether they do."""
    if room < LEFT_OVER or not sheet.scenario:
        return False
    draw_prose(
        paper.canvas, x, top, BOXES, room, sheet.blocks[:1], largest=8.5, least=5.8, elsewhere=sheet.elsewhere
    )  # fmt: skip
    return True


def _note_lines(sheet: Scoresheet) -> tuple[str, ...]:
    """The limits of the figures on lines of their own, for want of room next to the title."""
    title, note = sheet.grid_title, sheet.grid_note
    room = BOXES - text_width(title, SECTION_SIZE, bold=True) - 10
    return wrap(note, NOTE_SIZE, BOXES) if text_width(note, 6) > room else ()


def _scenario(paper: Paper, sheet: Scoresheet, top: float, low: float, right: float, blocks: Blocks) -> None:
    """The scenario's name, its map with the edges' letters, and next to it as many texts as fit."""
    canvas, left, table = paper.canvas, paper.frame.left, sheet.table_map
    section(canvas, left, top, right - left, sheet.scenario or "Scenario", size=TITLE_SIZE)
    y = top - TITLE
    text_left = left
    if table:
        above, aside = map_rooms(table)
        above = max(above, 14.0)
        size = min(y - low - above - END_ROOM, right - left - SIDE_ROOM - aside - TEXT)
        map_left, bottom = left + SIDE_ROOM, y - above - size

        def draw() -> None:
            draw_map(canvas, map_left, bottom, size, table)
            for side, at in (("A", bottom - 13), ("B", bottom + size + 4)):
                side_tab(canvas, left, at, 9, 9, side)

        stamp(paper, ("map", table, size, bottom), draw)
        text_left = map_left + size + aside + 6

    def texts() -> None:
        draw_prose(
            canvas, text_left, y + 2, right - text_left, y + 2 - low, blocks,
            largest=8.0, least=5.8, elsewhere=sheet.elsewhere,
        )  # fmt: skip

    if sheet.result:
        texts()
    elif sheet.scenario:
        stamp(paper, ("prose", blocks, text_left, y, low, right), texts)
    else:
        write_on(canvas, left, y, right - left, y - low)
