"""The scoresheet of one table: who plays, the scenario and its map, the boxes to fill in, how to report.

The grids ask what the result form asks, so paper and screen agree. A cell that cannot score is hatched. One lies on a
page, or two on a page to be cut apart, each half as large with the same content.
"""

import re
from collections.abc import Sequence
from datetime import datetime
from functools import partial
from typing import Literal

from pdf.cuts import parts, put_pieces
from pdf.fonts import Fitted, draw_fitted, draw_text, wrap
from pdf.page import PageSize, Paper, bookmark, drawn, foot, landmark, outline, page_of_nothing, stamp, turned
from pdf.reference_sheet import Reference, draw_reference
from pdf.score_boxes import BOX, boxes_height, draw_boxes
from pdf.score_boxes import HALF as SMALL_BOXES
from pdf.score_boxes import WHOLE as BOXES
from pdf.sheet_data import Scoresheet
from pdf.sheet_head import FULL, HALF, draw_head, draw_outcome, draw_player, draw_signatures
from pdf.sheet_scenario import HALF as SMALL_SCENARIO
from pdf.sheet_scenario import WHOLE as SCENARIO
from pdf.sheet_scenario import draw_scenario, most_scenario

PLAYERS, SIGNS, GAP, TICKED = 54.0, 30.0, 9.0, BOX + 7.1
"""Heights on a whole page: of the players, of the signatures, of white, of a line of boxes to tick."""
HALF_PLAYERS, HALF_SIGNS, HALF_GAP, HALF_TICKED = 37.0, 19.0, 4.0, BOX + 3.0
"""The same on half a page."""
LISTED, LISTED_ROW = 3, 11.0
"""Columns of a list to choose from, below the scenario, and the height of its rows."""
LINES = 10
"""To write on, of a scenario that the sheet does not know."""
COLUMN = 276.0
"""Width of the column of boxes on half a page."""
LIST, LIST_LINES = 7.0, 2
"""Of a list to choose from there: the size of its type, and the most lines."""
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
    return drawn(draw_scoresheets, page_size, _title(sheets), event, printed_at, sheets, each, back)


def draw_scoresheets(paper: Paper, sheets: Sequence[Scoresheet], each: Each = 1, back: Reference | None = None) -> None:
    """A sheet for each table, in the order given; a page that says so where there is none."""
    small = paper.size == "A5"
    paper = turned(paper, wide=small)
    bookmark(paper, _title(sheets))
    if not sheets:
        page_of_nothing(paper, "Scoresheets", "No table plays in this round.")

    keys: dict[int, str] = {}

    def draw(piece: Paper, number: int, sheet: Scoresheet) -> None:
        keys[number] = landmark(piece)
        (_half_sheet if small or each == 2 else _full_sheet)(piece, sheet)
        foot(piece, f"Round {sheet.round_number} · {sheet.named}", number, len(sheets))

    behind = partial(draw_reference, reference=back) if back else None
    put_pieces(paper, sheets, parts(paper, 1 if small else each), draw, back=behind)
    for number, sheet in enumerate(sheets, 1):  # in the order of the tables, however they lie
        outline(paper, sheet.named, keys[number], under=True)


def _title(sheets: Sequence[Scoresheet]) -> str:
    rounds = ", ".join(map(str, sorted({sheet.round_number for sheet in sheets})))
    over, blank = any(sheet.result for sheet in sheets), all(sheet.is_blank for sheet in sheets)
    what = "Filled scoresheets" if over else "Blank scoresheets" if blank and sheets else "Scoresheets"
    return f"{what}, round {rounds}" if rounds else what


def _full_sheet(paper: Paper, sheet: Scoresheet) -> None:
    """A sheet on a page of its own, without its foot: the scenario over the boxes."""
    canvas, frame = paper.canvas, paper.frame
    half = (frame.width - 10) / 2
    draw_head(canvas, frame, sheet, FULL)
    y = frame.top - FULL.height - GAP
    draw_player(canvas, frame.left, y, half, PLAYERS, "A", sheet)
    draw_player(canvas, frame.left + half + 10, y, half, PLAYERS, "B", sheet)
    y -= PLAYERS + GAP
    low = frame.bottom + SIGNS + 2 * TICKED + GAP
    # The map and the scenario take what the boxes leave; of what is then left over, the boxes have their share.
    boxes = boxes_height(sheet, frame.width, BOXES)
    listed = sheet.written.choices
    rows = -(-len(listed) // LISTED)
    most = most_scenario(sheet, frame.width, SCENARIO, LINES) + GAP + rows * LISTED_ROW
    top = low + boxes + (max(0.0, y - low - boxes - most) if boxes else 0.0)
    draw_scenario(paper, sheet, frame.left, y, frame.right, top + GAP + rows * LISTED_ROW, SCENARIO)
    for place, words in enumerate(listed):
        at, wide = frame.left + place // rows * frame.width / LISTED, frame.width / LISTED - 8
        draw_text(canvas, at, top + GAP + (rows - place % rows) * LISTED_ROW - 8, words, 8, max_width=wide)
    y = draw_boxes(paper, sheet, frame.left, top, frame.width, low, BOXES) - GAP - 2 * TICKED
    draw_outcome(canvas, frame.left, y, frame.width, TICKED, sheet, 9.5)
    _signed(paper, sheet, 7.5)


def _half_sheet(paper: Paper, sheet: Scoresheet) -> None:
    """What the whole one asks, its texts as far as they fit at 7 points: the scenario at the left of the boxes."""
    canvas, frame = paper.canvas, paper.frame
    draw_head(canvas, frame, sheet, HALF)
    y = frame.top - HALF.height - HALF_GAP
    right = frame.right - COLUMN
    draw_player(canvas, frame.left, y, right - frame.left - 9, HALF_PLAYERS, "A", sheet)
    draw_player(canvas, right, y, COLUMN, HALF_PLAYERS, "B", sheet)
    y -= HALF_PLAYERS + HALF_GAP
    low = frame.bottom + HALF_SIGNS + 2 * HALF_TICKED + HALF_GAP
    # Numbers with what stands in brackets after the names: the rest is on the scenario sheet.
    short = [re.sub(r"^(\d+) .+ \((.+)\)$", r"\1 \2", one) for one in sheet.written.choices]
    if short:
        lines = wrap(f"{sheet.written.label}: {' · '.join(short)}", LIST, frame.width)[:LIST_LINES]
        low += LIST * 1.15 * len(lines)
        draw_fitted(canvas, frame.left, low - LIST * 1.15, Fitted(lines, LIST))
    draw_outcome(canvas, frame.left, frame.bottom + HALF_SIGNS, frame.width, HALF_TICKED, sheet, 7.5)
    draw_scenario(paper, sheet, frame.left, y, right - 9, low, SMALL_SCENARIO)
    draw_boxes(paper, sheet, right, y, COLUMN, low, SMALL_BOXES)
    _signed(paper, sheet, 7)


def _signed(paper: Paper, sheet: Scoresheet, size: float) -> None:
    """Lines to sign on; on a record what it is."""
    canvas, frame = paper.canvas, paper.frame
    if sheet.result:
        said = "Filled in from what was reported, for the records; see above how it was decided."
        draw_text(canvas, frame.left, frame.bottom + 1.5, said, size, max_width=frame.width)
    else:
        stamp(paper, "signatures", lambda: draw_signatures(canvas, frame.left, frame.bottom, frame.width, size))
