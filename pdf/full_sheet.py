"""A scoresheet that has a page to itself: head, players, map and texts, the boxes to fill in, signatures."""

from reportlab.pdfgen.canvas import Canvas

from pdf.fonts import draw_text, plain, text_width
from pdf.page import HAIR, INK, LINE, Paper, section, section_height, stamp
from pdf.prose import draw_prose
from pdf.score_grids import (
    WHOLE,
    choice_rows,
    draw_marker_grid,
    draw_signatures,
    draw_totals,
    draw_vp_grid,
    marker_grid_height,
    side_tab,
    vp_columns,
    vp_grid_height,
)
from pdf.sheet_data import Scoresheet, called
from pdf.sheet_head import FULL, draw_head
from pdf.sheet_parts import RECORD, draw_ended, draw_winner, fill_markers, fill_totals, fill_vp, write_on
from pdf.table_map import END_ROOM, SIDE_ROOM, draw_map, map_rooms
from pdf.tags import heading

PLAYERS, WINNER, SIGNS = 52.0, 32.0, 30.0
GAP = 9.0
SECTION = section_height()
TITLE_SIZE = 13.0
TITLE = section_height(TITLE_SIZE)


def _player(canvas: Canvas, x: float, top: float, width: float, side: str, sheet: Scoresheet) -> None:
    player = sheet.a if side == "A" else sheet.b
    canvas.setStrokeGray(INK)
    canvas.setLineWidth(LINE)
    canvas.rect(x, top - PLAYERS, width, PLAYERS, stroke=1, fill=0)
    side_tab(canvas, x, top - PLAYERS, 24, PLAYERS, side)
    left, right = x + 31, x + width - 6
    room = right - left
    total = "" if player.force_total is None else f"{player.force_total}"
    if total:
        room -= min(60.0, max(text_width(total, 16, bold=True), text_width(sheet.unit, 8))) + 8
    if plain(player.name):
        draw_text(
            canvas,
            left,
            top - 16,
            player.name,
            14,
            bold=True,
            max_width=room,
            min_size=8,
            max_lines=2,
            leading=1.1,
        )
    else:
        canvas.setLineWidth(HAIR)
        for label, below in (("Name", 20), ("Faction, force total", 42)):
            canvas.line(left, top - below, left + room, top - below)
            draw_text(canvas, left, top - below - 7, label, 6.5)
    if total:
        draw_text(canvas, right, top - 17, total, 16, bold=True, max_width=60, align="right")
        draw_text(canvas, right, top - 27, sheet.unit, 8, max_width=60, align="right")
    draw_text(canvas, left, top - 36, player.about, 9, max_width=right - left, min_size=7)
    draw_text(canvas, left, top - 47, player.leader, 8.5, max_width=right - left, min_size=6.5)


def draw_full_sheet(paper: Paper, sheet: Scoresheet) -> None:
    """Draw the sheet on the page at hand, without its foot."""
    canvas, frame = paper.canvas, paper.frame
    half = (frame.width - 10) / 2
    second = frame.left + half + 10
    with heading(canvas, paper.tags):
        draw_head(canvas, frame, sheet, FULL)
    y = frame.top - FULL.height - GAP
    _player(canvas, frame.left, y, half, "A", sheet)
    _player(canvas, second, y, half, "B", sheet)
    y -= PLAYERS + GAP

    # From the bottom up what has a fixed height; the map and the scenario take what is left.
    signs = frame.bottom
    winner = signs + SIGNS + 2
    totals_top = winner + WINNER + 6 + (WHOLE.totals if sheet.asks == "full" else 0)
    markers_top = totals_top + (GAP + marker_grid_height(sheet.objectives) if sheet.objectives.each else 0)
    vp_top = markers_top + (SECTION if sheet.objectives.each else 0) + GAP + vp_grid_height()
    top = vp_top + SECTION if sheet.asks != "outcome" else markers_top
    _scenario(paper, sheet, y, y - (top + GAP))
    if sheet.asks != "outcome":
        _grid(paper, sheet, vp_top)

    if sheet.objectives.each:
        section(canvas, frame.left, markers_top + SECTION, frame.width, "Objective markers", sheet.objectives.note)

    def boxes() -> None:
        for side, left in (("A", frame.left), ("B", second)):
            if sheet.objectives.each:
                draw_marker_grid(canvas, left, markers_top, half, sheet.objectives, side)
            if sheet.asks == "full":
                draw_totals(canvas, left, totals_top, half, side, sheet.summed)
        if not sheet.result:
            draw_signatures(canvas, frame.left, signs, frame.width)

    stamp(
        paper, ("boxes", sheet.asks, sheet.objectives, sheet.summed, markers_top, totals_top, bool(sheet.result)), boxes
    )
    draw_winner(canvas, frame.left, winner + WINNER / 2, frame.width, sheet)
    draw_ended(canvas, frame.left, winner, frame.width, sheet)
    if sheet.result:
        draw_text(canvas, frame.left, signs + 1.5, RECORD, 7.5, max_width=frame.width)
        for side_result, left in ((sheet.result.a, frame.left), (sheet.result.b, second)):
            fill_markers(canvas, left, markers_top, half, sheet.objectives, WHOLE, side_result)
            if sheet.asks == "full":
                fill_totals(canvas, left, totals_top, half, sheet.summed, WHOLE, side_result)


def _grid(paper: Paper, sheet: Scoresheet, vp_top: float) -> None:
    """The grid of figures with its title, and the names in it."""
    canvas, frame = paper.canvas, paper.frame
    top = vp_top + SECTION
    section(canvas, frame.left, top, frame.width, sheet.grid_title, sheet.grid_note)
    stamp(
        paper,
        ("vp", sheet.grid, vp_top),
        lambda: draw_vp_grid(canvas, frame.left, vp_top, frame.width, sheet.grid),
    )
    first, _, _ = vp_columns(frame.width, sheet.grid)
    lift, type_size = (24.0, 7.0) if choice_rows(sheet.grid, WHOLE) > 1 else (19.0 if sheet.grid.choice else 11.5, 9.0)
    for player, row in ((sheet.a, 1), (sheet.b, 2)):
        base = vp_top - WHOLE.head - row * WHOLE.row + lift
        draw_text(canvas, frame.left + 25, base, player.name, type_size, bold=True, max_width=first - 30, min_size=6)
    if sheet.result:
        fill_vp(canvas, frame.left, vp_top, frame.width, sheet.grid, WHOLE, sheet.result)


def _scenario(paper: Paper, sheet: Scoresheet, y: float, body: float) -> None:
    """The scenario from ``y`` down, ``body`` high: its name, the map with the players at its edges, its texts."""
    canvas, frame, table = paper.canvas, paper.frame, sheet.table_map
    section(canvas, frame.left, y, frame.width, sheet.scenario or "Scenario", size=TITLE_SIZE)
    text_left = frame.left
    if table:
        name_room, (above, aside) = 11.0, map_rooms(table)
        size = min(body - TITLE - above - END_ROOM - 2 * name_room, 250.0)
        left, bottom = frame.left + SIDE_ROOM, y - TITLE - above - name_room - size
        stamp(paper, ("map", table, size, bottom), lambda: draw_map(canvas, left, bottom, size, table))
        for side, player, at in (("B", sheet.b, bottom + size + above + 1), ("A", sheet.a, bottom - END_ROOM - 8)):
            draw_text(canvas, left + size / 2, at, called(side, player), 9, bold=True, max_width=size, align="centre")
        text_left += SIDE_ROOM + size + aside + 12

    # Whole, the texts stand in the order of the game; on half a page the scoring is what must not be left out.
    blocks = sheet.blocks if sheet.result else sheet.blocks[::-1]

    def texts() -> None:
        draw_prose(
            canvas, text_left, y - TITLE + 1, frame.right - text_left, body - TITLE, blocks, elsewhere=sheet.elsewhere
        )

    if sheet.result:
        texts()
    elif sheet.scenario:
        stamp(paper, ("prose", blocks, y, body, text_left), texts)
    else:
        write_on(canvas, frame.left, y - TITLE, frame.width, body - TITLE)
