"""The scoresheet of one table: the players, the scenario with its map, the boxes to fill in, and how to report.

The boxes ask for the same as the result form on screen. A scoresheet takes a page, or both sides of half a page, two on
a page to be cut apart. Lengths are in points.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product, zip_longest

from languages.words import gettext
from pdf.cuts import Each, draw_pieces, equal_pieces
from pdf.flow import Flow, Paragraph, page_columns, text_height
from pdf.fonts import draw_text, text_width
from pdf.page import LINE, Frame, Paper, bookmark, box, empty_page, foot, next_page, oriented, outline, page_key, rule
from pdf.reference_sheet import Reference, draw_reference
from pdf.rows import table_rows
from pdf.score_boxes import (
    BOX,
    BOXES,
    PITCH,
    SMALL_BOXES,
    TITLE,
    WRITE,
    boxes_height,
    draw_boxes,
    draw_sides,
)
from pdf.sheet_data import Scoresheet, SheetResult, shown_vp
from pdf.sheet_head import HEAD, LOW_HEAD, draw_head, draw_outcome, draw_player, draw_signatures
from pdf.sheet_scenario import (
    MIN_TYPE,
    SCENARIO,
    SMALL_SCENARIO,
    ScenarioSize,
    draw_list,
    draw_notes,
    draw_scenario,
    lay_out,
    listed_height,
)
from pdf.table import PAD, Col, Table
from pdf.tracks import SHARES, draw_play, play_height

NO, SHARE, ABOVE = "–", 0.35, 7.0
"""For what a side did not report; the share of the width for a side's column; the space between the parts."""
SIZES, MOST_PADDING = (11.0, 10.0, 9.0, 8.0, 7.0), 0.6
"""Type sizes, and the most space above and below the text of a row, in type sizes."""


def draw_record(paper: Paper, sheet: Scoresheet, result: SheetResult, frame: Frame) -> None:
    """Draw what was reported, if anything was, the texts below it, and lines for notes as far as there is room.

    Of a history without room even in the smallest type, the oldest sentences are left out.
    """
    frame, canvas, many = replace(frame, top=frame.top - ABOVE), paper.canvas, len(result.history)
    rows = [(label, a or NO, b or NO) for label, a, b in result.rows]
    totals = ["" if number is None else shown_vp(number) for number in result.totals]
    label = rows.pop()[0] if rows and [*rows[-1][1:]] == totals else gettext("Result")
    total = [" · ".join(filter(None, one)) for one in zip_longest(totals, result.won)]
    columns = Col(""), *(Col("", "centre", strong=True, share=SHARE),) * 2
    table = Table(columns, rows, (label, *total) if any(total) else (), ruled=True, keep_size=True)
    for size, left_out in (*((number, 0) for number in SIZES), *((SIZES[-1], n) for n in range(1, many))):
        history = ["… " * (n == left_out > 0) + one for n, one in enumerate(result.history) if n >= left_out]
        parts = [(gettext("Scenario"), [sheet.scenario]), (gettext("How it ended"), [*result.sentences])]
        parts.append((gettext("History"), history))
        indent = max(text_width(label, size, bold=True) for label, _ in parts) + size
        item = Paragraph("", size, above=size * 0.3, indent=indent, label_bold=True, leading=1.2)
        texts = [replace(item, text=text, label=label * (not n)) for label, row in parts for n, text in enumerate(row)]
        closest = table_rows(replace(table, size=size, padding=0.0), frame.width)[1]
        head, high = size * 2.0 * bool(closest), text_height(texts, frame.width) + 2 * ABOVE
        padding = (frame.height - head - high - sum(row.height for row in closest)) / 2 / max(1, len(closest))
        if padding >= 1:
            break
    flow, side = Flow(page_columns(frame, frame.top - head)), frame.width * SHARE
    flow.put(table_rows(replace(table, size=size, padding=min(padding, MOST_PADDING * size)), frame.width)[1])
    if closest:
        y = flow.y
        draw_text(canvas, frame.left + PAD, frame.top - head / 2 - size * 0.36, gettext("Reported"), size, bold=True)
        draw_sides(canvas, sheet, frame.right, frame.top, side, head, size)
        box(canvas, frame.right - 2 * side, y, 2 * side, frame.top - y)
        rule(canvas, frame.right - side, y, frame.right - side, frame.top - head)
        rule(canvas, frame.left, y, frame.right, y, LINE)
        flow.y -= ABOVE
    flow.put(texts)
    for mark in flow.pages[0]:
        mark(canvas)
    if flow.y - frame.bottom > 5 * size:
        draw_notes(canvas, sheet, replace(frame, top=flow.y - ABOVE, bottom=frame.bottom + ABOVE), size)


PLAYERS, BLANK_PLAYERS, SIGNS, GAP, TICKED = 50.0, 3 * PITCH, 32.0, 8.0, BOX + 6.5
"""Heights on a whole page: players' boxes, lines for unknown players, signatures, gaps, the row for the winner."""
HALF_PLAYERS, HALF_BLANK_PLAYERS, HALF_SIGNS, LEAST_SIGNS, HALF_GAP = 47.0, 2 * WRITE + 4, 32.0, 20.0, 3.0
"""The same heights on half a page; signatures have the lesser height if its boxes leave no more."""
COLUMN, NO_MAP = 277.0, 1000.0
"""Width of the column of boxes on half a page; a side that no map has."""
EASE, PER_SHARE = 100.0, 300.0
"""For each share of the boxes to tick above the smallest: points for boxes to write in; how much less map."""
MAPS, BELOW, FRONT = (100.0, 72.0), 108.0, replace(SMALL_SCENARIO, least=NO_MAP, text=190.0, read=MIN_TYPE)
BACK = replace(SCENARIO, title=TITLE, type=9.5, most=150.0, name=0.0, lines=0)
"""On half a page: least sides of a map on its back to try, the height for a reference sheet, the scenario in front."""


def draw_scoresheets(paper: Paper, sheets: Sequence[Scoresheet], each: Each = 1, back: Reference | None = None) -> None:
    """Draw a scoresheet for each table, in the given order, or a page that says that there is none.

    With two on a page they are in an order for stack cutting; A5 is always one, in landscape. With ``back``, and before
    the game on half a page, every second page is the back of the page before.
    """
    is_a5 = paper.size == "A5"
    paper, keys = oriented(paper, landscape=is_a5), dict[int, str]()
    is_half = is_a5 or each == 2 or any(sheet.result for sheet in sheets)
    is_backed = back is not None or (is_half and not all(sheet.result for sheet in sheets))
    if is_backed and paper.canvas.getPageNumber() % 2 == 0:
        next_page(paper)  # in a pack, so that each front has its own back
    bookmark(paper, _title(sheets))
    if not sheets:
        empty_page(paper, gettext("Scoresheets"), gettext("No table plays in this round."))

    def draw(piece: Paper, number: int, sheet: Scoresheet) -> None:
        keys[number] = page_key(piece)
        if sheet.result:
            top = _players(piece, sheet, HALF_PLAYERS + 5, HALF_GAP)
            draw_record(piece, sheet, sheet.result, replace(piece.frame, top=top, bottom=piece.frame.bottom + HALF_GAP))
        elif is_half:
            _half_sheet(piece, sheet, back)
        else:
            _full_sheet(piece, sheet)
        title = gettext("Round %(number)s", number=sheet.round_number)
        foot(piece, f"{title} · {sheet.named}", number, len(sheets))

    def draw_back(piece: Paper, number: int, sheet: Scoresheet) -> None:
        if is_half and not sheet.result:
            _half_back(piece, sheet, back)
        elif back:
            draw_reference(piece, back)
        title = gettext("Back of round %(number)s", number=sheet.round_number)
        foot(piece, f"{title} · {sheet.named}", number, len(sheets))

    pieces = equal_pieces(paper, 1 if is_a5 or not is_half else 2)
    draw_pieces(paper, sheets, pieces, draw, back=draw_back if is_backed else None)
    for number, sheet in enumerate(sheets, 1):  # in table order, not in page order
        outline(paper, sheet.named, keys[number], nested=True)


def _title(sheets: Sequence[Scoresheet]) -> str:
    rounds = ", ".join(map(str, sorted({sheet.round_number for sheet in sheets})))
    is_filled, is_blank = any(sheet.result for sheet in sheets), all(sheet.is_blank for sheet in sheets)
    what = gettext("Blank scoresheets") if is_blank and sheets else gettext("Scoresheets")
    what = gettext("Filled scoresheets") if is_filled else what
    return gettext("%(sheets)s, round %(numbers)s", sheets=what, numbers=rounds) if rounds else what


@dataclass(frozen=True)
class _Plan:
    """The room of the scenario, and below it the boxes to tick in play: their share of the usual size, their height."""

    room: Frame
    scenario: ScenarioSize
    share: float
    played: float


def _best(sheet: Scoresheet, ways: Iterable[Sequence[_Plan]]) -> _Plan:
    """The plan with the largest map, type and boxes of the first ways in which the scenario can be read."""
    for plans in ways:
        laid = [(lay_out(sheet, plan.room, plan.scenario), plan) for plan in plans]
        worths = [(a_laid.worth + PER_SHARE * plan.share) * a_laid.fits for a_laid, plan in laid]
        if any(worths):
            return plans[worths.index(max(worths))]
    return plans[-1]


def _full_plans(paper: Paper, sheet: Scoresheet) -> Iterator[list[_Plan]]:
    """Plans for a whole page: without a map or in small type if it is full, without turns and losses only then."""
    frame, width = paper.frame, paper.frame.width
    top = frame.top - HEAD.height - 2 * GAP - (BLANK_PLAYERS if sheet.is_unnamed else PLAYERS)
    boxes = boxes_height(sheet, width, BOXES) + listed_height(sheet)
    low = frame.bottom + SIGNS + TICKED + 2 * GAP + boxes
    heights = [(share, play_height(sheet, width, share, named=False)) for share in SHARES]
    maps = (8.0, SCENARIO.least), (8.0, NO_MAP if sheet.scenario else SCENARIO.least), (MIN_TYPE, SCENARIO.least)
    for shares, (read, least) in product((heights, [(SHARES[-1], 0.0)]), (*maps, (MIN_TYPE, NO_MAP))):
        rooms = [replace(frame, top=top, bottom=low + high + EASE * (share - SHARES[-1])) for share, high in shares]
        size = replace(SCENARIO, least=least, read=read)
        yield [_Plan(room, size, *row) for room, row in zip(rooms, shares, strict=True)]


def _full_sheet(paper: Paper, sheet: Scoresheet) -> None:
    frame, plan = paper.frame, _best(sheet, _full_plans(paper, sheet))
    _players(paper, sheet, BLANK_PLAYERS if sheet.is_unnamed else PLAYERS, GAP)
    y = draw_scenario(paper, sheet, plan.room, plan.scenario) - GAP
    y = draw_play(paper, sheet, replace(frame, top=y, bottom=y - plan.played), plan.share, named=False)
    y = draw_list(paper.canvas, frame.left, y + GAP, frame.width, sheet) - GAP
    room = replace(frame, top=y, bottom=frame.bottom + SIGNS + TICKED + GAP)
    y = draw_boxes(paper, sheet, room, BOXES) - GAP - TICKED
    draw_outcome(paper.canvas, frame, y, sheet, 8.5, (frame.width - 9) / 2)
    draw_signatures(paper, frame.bottom + 4, 7.5)


def _back_plan(paper: Paper, sheet: Scoresheet, back: Reference | None) -> _Plan:
    """The plan for the back of half a page: the set-up with its map, or without if only the front has room for it."""
    frame, heights = (
        paper.frame,
        [(share, play_height(sheet, paper.frame.width, share, named=True)) for share in SHARES],
    )
    low, ways = frame.bottom + listed_height(sheet), list[list[_Plan]]()
    tried = (8.0, BELOW * bool(back), MAPS[0]), (8.0, 0.0, MAPS[0]), (8.0, 0.0, MAPS[1]), (MIN_TYPE, 0.0, NO_MAP)
    for read, kept, least in tried:
        size = replace(BACK, read=read, least=least)
        ways.append([_Plan(replace(frame, bottom=low + kept + height[1]), size, *height) for height in heights])
    return _best(replace(sheet, scoring=()), ways)


def _half_back(paper: Paper, sheet: Scoresheet, back: Reference | None) -> None:
    """Draw the back of half a page: the set-up, the boxes to tick in play, the reference sheet or lines for notes."""
    frame, plan, y = paper.frame, _back_plan(paper, sheet, back), paper.frame.top
    if sheet.setup or plan.scenario.least < NO_MAP:
        shown = replace(sheet, scoring=(), scenario=sheet.scenario or gettext("Set-up"))
        y = draw_scenario(paper, shown, plan.room, plan.scenario) - GAP
    y = draw_list(paper.canvas, frame.left, y, frame.width, sheet)
    y = draw_play(paper, sheet, replace(frame, top=y, bottom=y - plan.played), plan.share, named=True)
    if back and y - frame.bottom > BELOW - GAP:
        draw_reference(replace(paper, frame=replace(frame, top=y)), back)
    else:
        draw_notes(paper.canvas, sheet, replace(frame, top=y, bottom=frame.bottom + HALF_GAP), 9.0)


def _half_sheet(paper: Paper, sheet: Scoresheet, back: Reference | None) -> None:
    canvas, frame, right, wide = paper.canvas, paper.frame, paper.frame.right - COLUMN, paper.frame.width - COLUMN - 9
    y = _players(paper, sheet, HALF_BLANK_PLAYERS if sheet.is_unnamed else HALF_PLAYERS, HALF_GAP, wide)
    draw_signatures(paper, frame.bottom, 7.5)
    foot, needed = frame.bottom + BOX + 2 * HALF_GAP, boxes_height(sheet, COLUMN, SMALL_BOXES)
    low = frame.bottom + max(LEAST_SIGNS, min(HALF_SIGNS, y - foot - needed))
    draw_outcome(canvas, frame, low, sheet, 8, COLUMN)
    note = gettext("Set-up: see the back") if sheet.setup else ""
    room = Frame(frame.left, low + BOX + 2 * HALF_GAP + 2, frame.left + wide, y)
    small = FRONT if _back_plan(paper, sheet, back).scenario.least < NO_MAP else SMALL_SCENARIO
    draw_scenario(paper, replace(sheet, setup=(), order=()), room, small, note)
    draw_boxes(paper, sheet, Frame(right, low + BOX + 2 * HALF_GAP, frame.right, y), SMALL_BOXES)


def _players(paper: Paper, sheet: Scoresheet, height: float, gap: float, left: float = 0.0) -> float:
    """Draw the head, and below it the players' boxes, A's ``left`` points wide or both alike. Returns the y below."""
    frame, head = paper.frame, HEAD if gap == GAP else LOW_HEAD
    right = draw_head(paper.canvas, frame, sheet, head)
    y, left = frame.top - head.height - gap, left or (right - frame.left - 9) / 2
    for x, width, side in ((frame.left, left, "A"), (frame.left + left + 9, right - frame.left - left - 9, "B")):
        draw_player(paper.canvas, x, y, width, height, side, sheet, large=gap == GAP)
    return y - height - gap
