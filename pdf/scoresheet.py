"""The scoresheet of one table: who plays, the scenario and its map, the boxes to fill in, how to report.

The grids ask what the result form asks, so paper and screen agree. A cell that cannot score is hatched.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from reportlab.pdfgen.canvas import Canvas

from pdf.fonts import draw_text, plain, text_width
from pdf.page import (
    HAIR,
    INK,
    LINE,
    PAPER,
    Frame,
    PageSize,
    Paper,
    bookmark,
    finish,
    foot,
    headline,
    new_paper,
    next_page,
    section,
    section_height,
    tick_box,
    turned,
)
from pdf.prose import draw_prose
from pdf.qr import draw_qr
from pdf.score_grids import (
    TOTALS,
    VP_HEAD,
    VP_ROW,
    MarkerGrid,
    VpGrid,
    draw_marker_grid,
    draw_signatures,
    draw_totals,
    draw_vp_grid,
    marker_grid_height,
    side_tab,
    vp_columns,
    vp_grid_height,
)
from pdf.stamps import stamp
from pdf.table_map import END_ROOM, SIDE_ROOM, TableMap, draw_map, map_rooms
from pdf.tags import heading


@dataclass(frozen=True)
class SheetPlayer:
    """One side of a table. An empty ``name`` leaves a line to write on (spare sheets)."""

    name: str
    faction: str = ""
    club: str = ""
    force_total: int | None = None
    leader: str = ""
    """The line about the leader: "Leader: Piper, Commander"."""


@dataclass(frozen=True)
class Scoresheet:
    """All that one sheet says. ``unit`` is what forces are paid in ("Caps")."""

    event: str
    round_number: int
    minutes: int
    """How long the round lasts; 0 prints nothing."""
    table: int
    a: SheetPlayer
    b: SheetPlayer
    unit: str
    scenario: str
    setup: tuple[str, ...]
    scoring: tuple[str, ...]
    table_map: TableMap
    grid: VpGrid
    objectives: MarkerGrid
    url: str = ""
    """Address of this game's form, drawn as a QR code; "" draws none."""
    code: str = ""
    """The short code that leads to the same form."""
    address: str = ""
    """Where the code is typed in, as people read an address ("desk.example/g")."""


HEAD, PLAYERS, WINNER, SIGNS = 82.0, 52.0, 16.0, 30.0
QR = 80.0
GAP = 9.0
SECTION = section_height()
TITLE_SIZE = 13.0
TITLE = section_height(TITLE_SIZE)


def _head(canvas: Canvas, frame: Frame, sheet: Scoresheet) -> None:
    top, bottom = frame.top, frame.top - HEAD
    block = 92.0
    canvas.setFillGray(INK)
    canvas.rect(frame.left, bottom, block, HEAD, stroke=0, fill=1)
    canvas.setFillGray(PAPER)
    draw_text(canvas, frame.left + block / 2, top - 16, "TABLE", 11, bold=True, align="centre")
    draw_text(
        canvas,
        frame.left + block / 2,
        bottom + 14,
        str(sheet.table),
        58,
        bold=True,
        max_width=block - 12,
        min_size=12,
        align="centre",
    )
    canvas.setFillGray(INK)
    right = frame.right
    if sheet.url:
        # Its quiet zone is the margin at the right, and the white kept to the left and below.
        draw_qr(canvas, right - QR, top - QR, QR, sheet.url)
        right -= QR + QR / 6
    left = frame.left + block + 14
    draw_text(canvas, left, top - 17, sheet.event, 18, bold=True, max_width=right - left, min_size=11)
    what = f"Round {sheet.round_number}" + (f" · {sheet.minutes} minutes" if sheet.minutes else "")
    draw_text(canvas, left, top - 36, what, 12, max_width=right - left)
    if sheet.code:
        draw_text(canvas, left, bottom + 26, "Report the result: scan the square, or type this code", 8.5)
        code = draw_text(canvas, left, bottom + 7, sheet.code, 17, bold=True, max_width=right - left)
        if sheet.address:
            at = left + text_width(sheet.code, code.size, bold=True) + 8
            draw_text(canvas, at, bottom + 7, f"at {sheet.address}", 10, max_width=right - at, min_size=5)


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
    about = " · ".join(part for part in (player.faction, player.club) if plain(part))
    draw_text(canvas, left, top - 36, about, 9, max_width=right - left, min_size=7)
    draw_text(canvas, left, top - 47, player.leader, 8.5, max_width=right - left, min_size=6.5)


def _called(side: str, player: SheetPlayer) -> str:
    return f"{side} · {player.name}" if plain(player.name) else f"Player {side}"


def _winner(canvas: Canvas, x: float, y: float, width: float, sheet: Scoresheet) -> None:
    draw_text(canvas, x, y + 3, "Winner", 9, bold=True)
    at = x + 44
    room = (width - 44 - 56) / 2
    for side, player in (("A", sheet.a), ("B", sheet.b)):
        tick_box(canvas, at, y + 1, 10)
        draw_text(canvas, at + 15, y + 3, _called(side, player), 9.5, max_width=room - 24, min_size=6.5)
        at += room
    tick_box(canvas, at, y + 1, 10)
    draw_text(canvas, at + 15, y + 3, "Draw", 9.5)


def _sheet(paper: Paper, sheet: Scoresheet) -> None:
    canvas, frame = paper.canvas, paper.frame
    half = (frame.width - 10) / 2
    second = frame.left + half + 10
    with heading(canvas, paper.tags):
        _head(canvas, frame, sheet)
    y = frame.top - HEAD - GAP
    _player(canvas, frame.left, y, half, "A", sheet)
    _player(canvas, second, y, half, "B", sheet)
    y -= PLAYERS + GAP

    # From the bottom up what has a fixed height; the map and the scenario take what is left.
    signs = frame.bottom
    winner = signs + SIGNS + 2
    totals_top = winner + WINNER + 6 + TOTALS
    markers_top = totals_top + (GAP + marker_grid_height(sheet.objectives) if sheet.objectives.each else 0)
    vp_top = markers_top + (SECTION if sheet.objectives.each else 0) + GAP + vp_grid_height()
    body_bottom = vp_top + SECTION + GAP
    body = y - body_bottom

    name_room, (above, beside) = 11.0, map_rooms(sheet.table_map)
    size = min(body - TITLE - above - END_ROOM - 2 * name_room, 250.0)
    map_left = frame.left + SIDE_ROOM
    map_bottom = y - TITLE - above - name_room - size
    map_width = SIDE_ROOM + size + beside
    middle = map_left + size / 2
    section(canvas, frame.left, y, frame.width, sheet.scenario, size=TITLE_SIZE)
    stamp(
        paper,
        ("map", sheet.table_map, size, map_bottom),
        lambda: draw_map(canvas, map_left, map_bottom, size, sheet.table_map),
    )
    for side, player, at in (
        ("B", sheet.b, map_bottom + size + above + 1),
        ("A", sheet.a, map_bottom - END_ROOM - 8),
    ):
        draw_text(canvas, middle, at, _called(side, player), 9, bold=True, max_width=size, align="centre")
    text_left = frame.left + map_width + 12
    blocks = (("Setting up", sheet.setup), ("Scoring", sheet.scoring))
    stamp(
        paper,
        ("prose", blocks, y, body),
        lambda: draw_prose(canvas, text_left, y - TITLE + 1, frame.right - text_left, body - TITLE, blocks),
    )

    top = vp_top + SECTION
    hatched = "Hatched: nothing to score" if 0 in (*sheet.grid.most_a, *sheet.grid.most_b) else ""
    note = " · ".join(filter(None, (sheet.grid.note, hatched)))
    what = "What is reported" if sheet.grid.heads else "Victory points in each game round"
    section(canvas, frame.left, top, frame.width, what, note)
    stamp(
        paper,
        ("vp", sheet.grid, vp_top),
        lambda: draw_vp_grid(canvas, frame.left, vp_top, frame.width, sheet.grid),
    )
    first, _, _ = vp_columns(frame.width, sheet.grid)
    lift = 19.0 if sheet.grid.choice else 11.5
    for player, row in ((sheet.a, 1), (sheet.b, 2)):
        base = top - SECTION - VP_HEAD - row * VP_ROW + lift
        draw_text(canvas, frame.left + 25, base, player.name, 9, bold=True, max_width=first - 30, min_size=6)

    top = markers_top + SECTION
    summed = () if sheet.grid.heads else ("Game rounds", "Markers") if sheet.objectives.each else ("Game rounds",)
    if sheet.objectives.each:
        section(canvas, frame.left, top, frame.width, "Objective markers", sheet.objectives.note)

    def marker_grids() -> None:
        for side, left in (("A", frame.left), ("B", second)):
            if sheet.objectives.each:
                draw_marker_grid(canvas, left, top - SECTION, half, sheet.objectives, side)
            draw_totals(canvas, left, totals_top, half, side, summed)
        draw_signatures(canvas, frame.left, signs, frame.width)

    stamp(paper, ("markers", sheet.objectives, markers_top, totals_top), marker_grids)
    _winner(canvas, frame.left, winner, frame.width, sheet)


def scoresheets(sheets: Sequence[Scoresheet], page_size: PageSize, printed_at: datetime) -> bytes:
    """One page for each table, in the order given, as a PDF. ``printed_at`` must know its zone (ValueError).

    Without a sheet there is one page that says so.
    """
    event = sheets[0].event if sheets else ""
    paper = new_paper(page_size, title=_title(sheets), event=event, printed_at=printed_at)
    draw_scoresheets(paper, sheets)
    return finish(paper)


def draw_scoresheets(paper: Paper, sheets: Sequence[Scoresheet]) -> None:
    """A page for each table, in the order given; one that says so where there is none."""
    paper = turned(paper, wide=False)
    bookmark(paper, _title(sheets))
    for number, sheet in enumerate(sheets, 1):
        bookmark(paper, f"Table {sheet.table}", under=True)
        _sheet(paper, sheet)
        foot(paper, f"Round {sheet.round_number} · Table {sheet.table}", number, len(sheets))
        next_page(paper)
    if not sheets:
        headline(paper, "Scoresheets", ["No table plays in this round."])
        foot(paper, "Scoresheets", 1, 1)
        next_page(paper)


def _title(sheets: Sequence[Scoresheet]) -> str:
    rounds = ", ".join(map(str, sorted({sheet.round_number for sheet in sheets})))
    return f"Scoresheets, round {rounds}" if rounds else "Scoresheets"
