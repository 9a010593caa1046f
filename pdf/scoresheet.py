"""The scoresheet of one table: the players, the scenario with its map, the boxes to fill in, and how to report.

The boxes ask for the same as the result form on screen. A scoresheet takes a page, or half a page, two on a page to be
cut apart. Lengths are in points.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from itertools import product

from languages.words import gettext, noted
from pdf.cuts import Each, draw_pieces, equal_pieces
from pdf.in_play import SHARES, draw_play, play_height
from pdf.page import Frame, PageSize, Paper, bookmark, empty_page, foot, oriented, outline, page_key, render
from pdf.reference_sheet import Reference, draw_reference
from pdf.score_boxes import boxes_height, draw_boxes, draw_list, fitting, listed_height
from pdf.score_size import BOX, BOXES, LARGE_BOXES, MEDIUM_BOXES, MOST_LINES, PITCH, SMALL_BOXES, WRITE
from pdf.sheet_data import Scoresheet
from pdf.sheet_head import FULL, HALF, HeadSize, draw_head, draw_player, draw_signatures, draw_ticks
from pdf.sheet_scenario import LEAST_WITH_MAP, SCENARIO, SMALL_SCENARIO, draw_scenario

PLAYERS, BLANK_PLAYERS, SIGNS, GAP, TICKED = 54.0, 3 * PITCH + 4, 36.0, 9.0, BOX + 7.1
"""Heights on a whole page: players' boxes, lines for unknown players, signatures, gaps, a row of boxes to tick."""
HALF_PLAYERS, HALF_BLANK_PLAYERS, HALF_SIGNS, HALF_GAP = 42.0, 2 * WRITE + 4, 32.0, 3.0
"""The same heights on half a page; half a Letter page has no space for the higher lines."""
ENDED_EARLY, ENDINGS = noted("Ended early"), (noted("A conceded"), noted("B conceded"), noted("Unfinished"))
LEAST_PLAYED = 212.0, 185.0, LEAST_WITH_MAP, 98.0
"""Minimum heights of the scenario above boxes to tick in play, to try in turn."""
TICKS, COLUMN, WIDER = 60.0, 271.0, 40.0
"""Indent of the boxes to tick on a whole page; width of the column of boxes on half a page, and how much wider it is
next to lines for any scenario.
"""
LEAST, SIZES = (275.0, 225.0, 215.0, -999.0), [replace(BOXES, min_lines=lines) for lines in (MOST_LINES, 4, 3, 2)]
"""Minimum heights of the scenario for 5, 4, 3 and 2 lines for the parts of a number: below one, the next is tried."""
RECORD = replace(
    BOXES, head_height=17, min_row=36, max_row=76, max_growth=70, total_height=36, tick_gap=8, small=9,
    large=12,
)  # fmt: skip
"""Larger boxes for records, which have no map."""
HALF_RECORD = replace(
    SMALL_BOXES, head_height=15, max_row=56, gap=14, total_height=42, total_width=42, small=8,
    large=10.5,
)  # fmt: skip


def scoresheets(
    sheets: Sequence[Scoresheet],
    page_size: PageSize,
    printed_at: datetime,
    each: Each = 1,
    back: Reference | None = None,
) -> bytes:
    """A scoresheet for each table as a PDF, in the given order; without sheets, one page that says so.

    With two on a page they are in an order for stack cutting; A5 is always one, in landscape. With ``back`` every
    second page is the back of the page before.
    """
    event = sheets[0].event if sheets else ""
    return render(draw_scoresheets, page_size, _title(sheets), event, printed_at, sheets, each, back)


def draw_scoresheets(paper: Paper, sheets: Sequence[Scoresheet], each: Each = 1, back: Reference | None = None) -> None:
    """Draw a scoresheet for each table, in the given order, or a page that says that there is none."""
    is_a5 = paper.size == "A5"
    paper = oriented(paper, landscape=is_a5)
    bookmark(paper, _title(sheets))
    if not sheets:
        empty_page(paper, gettext("Scoresheets"), gettext("No table plays in this round."))

    keys: dict[int, str] = {}

    def draw(piece: Paper, number: int, sheet: Scoresheet) -> None:
        keys[number] = page_key(piece)
        (_half_sheet if is_a5 or each == 2 else _full_sheet)(piece, sheet)
        title = gettext("Round %(number)s", number=sheet.round_number)
        foot(piece, f"{title} · {sheet.named}", number, len(sheets))

    def draw_back(piece: Paper, number: int, sheet: Scoresheet) -> None:
        if back:
            draw_reference(piece, back)
            title = gettext("Back of round %(number)s", number=sheet.round_number)
            foot(piece, f"{title} · {sheet.named}", number, len(sheets))

    draw_pieces(paper, sheets, equal_pieces(paper, 1 if is_a5 else each), draw, back=draw_back if back else None)
    for number, sheet in enumerate(sheets, 1):  # in table order, not in page order
        outline(paper, sheet.named, keys[number], nested=True)


def _title(sheets: Sequence[Scoresheet]) -> str:
    rounds = ", ".join(map(str, sorted({sheet.round_number for sheet in sheets})))
    is_filled, is_blank = any(sheet.result for sheet in sheets), all(sheet.is_blank for sheet in sheets)
    what = gettext("Blank scoresheets") if is_blank and sheets else gettext("Scoresheets")
    what = gettext("Filled scoresheets") if is_filled else what
    return gettext("%(sheets)s, round %(numbers)s", sheets=what, numbers=rounds) if rounds else what


def _full_sheet(paper: Paper, sheet: Scoresheet) -> None:
    """Draw a scoresheet on a whole page: the players, the scenario, then the boxes.

    The boxes keep more lines for the parts of numbers as long as the scenario has its minimum height.
    """
    frame = paper.frame
    y = _players(paper, sheet, FULL, BLANK_PLAYERS if sheet.is_unnamed else PLAYERS, (frame.width - 10) / 2, GAP)
    low, list_height = frame.bottom + (GAP if sheet.result else SIGNS + 2 * TICKED + GAP), listed_height(sheet, BOXES)
    sizes = [RECORD] if sheet.result else SIZES
    floors = [low + boxes_height(sheet, frame.width, size) + GAP + list_height for size in sizes]
    ways = zip(sizes, floors, LEAST[-len(sizes) :], strict=True)
    size, floor = next((size, floor) for size, floor, least in ways if y - floor >= least)
    sheet, share, played = _played(sheet, frame, y - low - GAP - list_height)
    if played:
        size = SIZES[-1]
        floor = low + boxes_height(sheet, frame.width, size) + GAP + list_height + played
    y = draw_scenario(paper, sheet, frame.left, y, frame.right, floor, SCENARIO)
    if played:
        draw_play(paper, sheet, replace(frame, top=y - GAP), share)
        y -= played
    draw_list(paper.canvas, frame.left, y, frame.width, sheet, BOXES)
    y -= GAP + list_height
    y = draw_boxes(paper, sheet, frame.left, y, frame.width, low, size) - GAP - 2 * TICKED
    if not sheet.result:
        draw_ticks(paper.canvas, frame.left, y + TICKED, frame.width, gettext("Winner"), sheet.winners, 9, TICKS)
        ended, endings = gettext(ENDED_EARLY), [gettext(one) for one in ENDINGS]
        draw_ticks(paper.canvas, frame.left, y, frame.width, ended, endings, 9, TICKS)
        draw_signatures(paper, frame.bottom + 4, 7.5)


def _played(sheet: Scoresheet, frame: Frame, room: float) -> tuple[Scoresheet, float, float]:
    """The sheet with what it can tick in play in ``room`` points, above its boxes: all, or the turns, or nothing.

    Also the share of the usual size of boxes, and their height. Losses replace lines for parts of unknown names.
    """
    form = sheet.form
    if form and any(one.rows[0][0].strip("_") for one in sheet.losses):
        a, b = (tuple(replace(row, parts=row.parts if row.names else "") for row in rows) for rows in (form.a, form.b))
        form = replace(form, a=a, b=b)
    for one in (replace(sheet, form=form), replace(sheet, losses=())):
        free = room - boxes_height(one, frame.width, SIZES[-1])
        for least, share in product(LEAST_PLAYED if sheet.scenario else LEAST_PLAYED[:2], SHARES):
            played = play_height(one, frame.width, share)
            if played and free - played >= least:
                return one, share, played
    return sheet, 0.0, 0.0


def _half_sheet(paper: Paper, sheet: Scoresheet) -> None:
    """Draw a scoresheet on half a page, with the scenario at the left of the boxes and as much text as fits at 7
    points.
    """
    canvas, frame = paper.canvas, paper.frame
    high = HALF_BLANK_PLAYERS if sheet.is_unnamed and paper.size != "Letter" else HALF_PLAYERS
    left = (frame.width - 9) / 2 if sheet.is_unnamed else frame.width - COLUMN - 9
    y = _players(paper, sheet, HALF, high, left, HALF_GAP)
    column = COLUMN + WIDER * bool(sheet.form and not sheet.scenario)
    right, low = frame.right - column, frame.bottom + HALF_GAP * bool(sheet.result)
    if not sheet.result:
        draw_signatures(paper, low, 7)
        low += HALF_SIGNS
        draw_ticks(canvas, frame.left, low, right - frame.left - 9, gettext("Winner"), sheet.winners, 8)
        draw_ticks(canvas, right, low, column, gettext(ENDED_EARLY), [gettext(one) for one in ENDINGS], 8)
        low += BOX + HALF_GAP
    draw_scenario(paper, sheet, frame.left, y, right - 9, low + 4, SMALL_SCENARIO)
    low += listed_height(sheet, SMALL_BOXES)
    draw_list(canvas, right, low, column, sheet, SMALL_BOXES)
    ways = (one for one in (LARGE_BOXES, MEDIUM_BOXES) if sheet.form and boxes_height(sheet, column, one) <= y - low)
    size = next(ways, SMALL_BOXES)
    if sheet.result:
        size = replace(size, max_growth=RECORD.max_growth) if sheet.form else HALF_RECORD
    white = y - low - boxes_height(sheet, column, fitting(sheet, column, y - low, size))
    draw_boxes(paper, sheet, right, y, column, low + max(0.0, min(HALF_GAP, white)), size)


def _players(paper: Paper, sheet: Scoresheet, head: HeadSize, height: float, left: float, gap: float) -> float:
    """Draw the head, and below it the players' boxes, A's ``left`` points wide. Returns the y below."""
    frame = paper.frame
    right = draw_head(paper.canvas, frame, sheet, head)
    y, at = frame.top - head.height - gap, frame.left + left + (10 if head is FULL else 9)
    for x, width, side in ((frame.left, left, "A"), (at, right - at, "B")):
        draw_player(paper.canvas, x, y, width, height, side, sheet, large=head is FULL)
    return y - height - gap
