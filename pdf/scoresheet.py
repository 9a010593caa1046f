"""The scoresheet of one table: who plays, the scenario and its map, the boxes to fill in, how to report.

The grids ask what the result form asks, so paper and screen agree. A cell that cannot score is hatched. One lies on a
page, or two on a page to be cut apart, each half as large with the same content.
"""

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from typing import Literal

from pdf.cuts import parts, put_pieces
from pdf.full_sheet import draw_full_sheet
from pdf.half_sheet import draw_half_sheet
from pdf.page import PageSize, Paper, bookmark, drawn, foot, landmark, outline, page_of_nothing, turned
from pdf.reference_sheet import Reference, draw_reference
from pdf.sheet_data import Scoresheet

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
        if small or each == 2:
            draw_half_sheet(piece, sheet)
        else:
            draw_full_sheet(piece, sheet)
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
