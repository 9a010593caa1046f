"""The scoresheet of one table: who plays, the scenario and its map, the boxes to fill in, how to report.

The grids ask what the result form asks, so paper and screen agree. A cell that cannot score is hatched. One lies on a
page, or two on a page to be cut apart, each half as large with the same content.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Literal

from pdf.cuts import draw_pieces, equal_pieces
from pdf.page import PageSize, Paper, bookmark, empty_page, foot, oriented, outline, page_key, render
from pdf.reference_sheet import Reference, draw_reference
from pdf.score_boxes import boxes_height, draw_boxes, draw_list, draw_result, fitting, has_result, listed_height
from pdf.score_size import BOX, BOXES, LARGE_BOXES, MOST_LINES, PITCH, SMALL_BOXES, WRITE
from pdf.sheet_data import Scoresheet
from pdf.sheet_head import FULL, HALF, HeadSize, draw_head, draw_player, draw_signatures, draw_ticks
from pdf.sheet_scenario import SCENARIO, SMALL_SCENARIO, draw_scenario

PLAYERS, BLANK_PLAYERS, SIGNS, GAP, TICKED = 54.0, 3 * PITCH + 4, 36.0, 9.0, BOX + 7.1
"""Heights on a whole page: of the players, of lines for them, of signatures, of white, of a line of boxes to tick."""
HALF_PLAYERS, HALF_BLANK_PLAYERS, HALF_SIGNS, HALF_GAP = 38.0, 2 * WRITE + 4, 32.0, 3.0
ENDINGS = "A conceded", "B conceded", "Unfinished"
TICKS, COLUMN = 60.0, 276.0
"""Where the boxes to tick begin on a whole page; the width of what is filled in on half a page."""
LEAST, SIZES = (275.0, 275.0, 240.0, -999.0), [replace(BOXES, lines=lines) for lines in (MOST_LINES, 4, 3, 2)]
"""Heights below which a scenario takes the room of some lines for the parts of a sum."""
RECORD = replace(BOXES, head=17, row=36, largest=76, spread=70, name=20, totals=36, tick=8, small=9, large=12)
"""The boxes of a record, larger: it has no map."""
Each = Literal[1, 2]
"""How many scoresheets lie on a sheet of paper."""


def scoresheets(
    sheets: Sequence[Scoresheet],
    page_size: PageSize,
    printed_at: datetime,
    each: Each = 1,
    back: Reference | None = None,
) -> bytes:
    """A sheet for each table, in the order given, as a PDF. ``printed_at`` must know its zone (ValueError).

    Two to a page are in an order for stack cutting; A5 holds one, lying. Every second page is the ``back`` of the page
    before it, if there is one. Without a sheet one page says so.
    """
    event = sheets[0].event if sheets else ""
    return render(draw_scoresheets, page_size, _title(sheets), event, printed_at, sheets, each, back)


def draw_scoresheets(paper: Paper, sheets: Sequence[Scoresheet], each: Each = 1, back: Reference | None = None) -> None:
    """A sheet for each table, in the order given; a page that says so where there is none."""
    small = paper.size == "A5"
    paper = oriented(paper, landscape=small)
    bookmark(paper, _title(sheets))
    if not sheets:
        empty_page(paper, "Scoresheets", "No table plays in this round.")

    keys: dict[int, str] = {}

    def draw(piece: Paper, number: int, sheet: Scoresheet) -> None:
        keys[number] = page_key(piece)
        (_half_sheet if small or each == 2 else _full_sheet)(piece, sheet)
        foot(piece, f"Round {sheet.round_number} · {sheet.named}", number, len(sheets))

    def behind(piece: Paper, number: int, sheet: Scoresheet) -> None:
        if back:
            draw_reference(piece, back)
            foot(piece, f"Back of round {sheet.round_number} · {sheet.named}", number, len(sheets))

    draw_pieces(paper, sheets, equal_pieces(paper, 1 if small else each), draw, back=behind if back else None)
    for number, sheet in enumerate(sheets, 1):  # in the order of the tables, however they lie
        outline(paper, sheet.named, keys[number], nested=True)


def _title(sheets: Sequence[Scoresheet]) -> str:
    rounds = ", ".join(map(str, sorted({sheet.round_number for sheet in sheets})))
    over, blank = any(sheet.result for sheet in sheets), all(sheet.is_blank for sheet in sheets)
    what = "Filled scoresheets" if over else "Blank scoresheets" if blank and sheets else "Scoresheets"
    return f"{what}, round {rounds}" if rounds else what


def _full_sheet(paper: Paper, sheet: Scoresheet) -> None:
    """A sheet on a page of its own, without its foot: the scenario over the boxes."""
    frame = paper.frame
    y = _players(paper, sheet, FULL, BLANK_PLAYERS if sheet.is_unnamed else PLAYERS, (frame.width - 10) / 2, GAP)
    low, high = frame.bottom + (GAP if sheet.result else SIGNS + 2 * TICKED + GAP), listed_height(sheet, BOXES)
    sizes = [RECORD] if sheet.result else SIZES
    floors = [low + boxes_height(sheet, frame.width, size) + GAP + high for size in sizes]
    ways = zip(sizes, floors, LEAST[-len(sizes) :], strict=True)
    size, floor = next((size, floor) for size, floor, least in ways if y - floor >= least)
    y = draw_scenario(paper, sheet, frame.left, y, frame.right, floor, SCENARIO)
    draw_list(paper.canvas, frame.left, y, frame.width, sheet, BOXES)
    y -= GAP + high
    y = draw_boxes(paper, sheet, frame.left, y, frame.width, low, size) - GAP - 2 * TICKED
    if not sheet.result:
        room = draw_result(paper.canvas, sheet, frame.right, y, BOXES) - 12 - frame.left
        draw_ticks(paper.canvas, frame.left, y + TICKED, room, "Winner", sheet.winners, 9, TICKS)
        draw_ticks(paper.canvas, frame.left, y, room, "Ended early", ENDINGS, 9, TICKS)
        draw_signatures(paper, frame.bottom + 4, 7.5)


def _half_sheet(paper: Paper, sheet: Scoresheet) -> None:
    """What the whole one asks, its texts as far as they fit at 7 points: the scenario at the left of the boxes."""
    canvas, frame = paper.canvas, paper.frame
    high = HALF_BLANK_PLAYERS if sheet.is_unnamed and paper.size != "Letter" else HALF_PLAYERS  # half of it is low
    y = _players(paper, sheet, HALF, high, frame.width - COLUMN - 9, HALF_GAP)
    right, low = frame.right - COLUMN, frame.bottom
    if not sheet.result:
        draw_signatures(paper, low, 7)
        low += HALF_SIGNS
        draw_ticks(canvas, frame.left, low, right - frame.left - 9, "Winner", sheet.winners, 7.5)
        draw_ticks(canvas, right, low, COLUMN, "Ended early", ENDINGS, 7.5)
        low += BOX + HALF_GAP
    draw_scenario(paper, sheet, frame.left, y, right - 9, low, SMALL_SCENARIO)
    draw_list(canvas, right, y, COLUMN, sheet, SMALL_BOXES)
    y -= listed_height(sheet, SMALL_BOXES)
    shown = has_result(sheet, SMALL_BOXES)
    large = boxes_height(sheet, COLUMN, LARGE_BOXES) + shown * (LARGE_BOXES.totals + HALF_GAP)
    size = SMALL_BOXES if sheet.summed or large > y - low else LARGE_BOXES
    size = replace(size, spread=RECORD.spread) if sheet.result else size
    total = shown * (size.totals + HALF_GAP)
    white = y - low - total - boxes_height(sheet, COLUMN, fitting(sheet, COLUMN, y - low - total, size))
    low += total + max(0.0, min(HALF_GAP, white))
    y = draw_boxes(paper, sheet, right, y, COLUMN, low, size) - total
    draw_result(canvas, sheet, frame.right, y, size)


def _players(paper: Paper, sheet: Scoresheet, head: HeadSize, height: float, left: float, gap: float) -> float:
    """The head and both players below it, A on ``left`` points of the width. Gives the y below."""
    frame = paper.frame
    draw_head(paper.canvas, frame, sheet, head)
    y, at = frame.top - head.height - gap, frame.left + left + (10 if head is FULL else 9)
    for x, width, side in ((frame.left, left, "A"), (at, frame.right - at, "B")):
        draw_player(paper.canvas, x, y, width, height, side, sheet, large=head is FULL)
    return y - height - gap
