"""How a table is set up: the drawn map with a place for each piece of scenery, and the same in words."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from pdf.flow import Column, Flow, LaidPage, Mark, draw_laid, page_columns
from pdf.page import Frame, PageSize, Paper, bookmark, drawn, headline_height, page_of_nothing, turned
from pdf.scenario_page import put_listed, steps
from pdf.table import Col, Table, least_width, put_table
from pdf.table_map import SIDE_ROOM, ScenerySpot, TableMap, inches_text, map_block, map_rooms

TITLE = "Setting up the table"
SIZES = (13.0, 12.0, 11.0, 10.5, 10.0, 9.5, 9.0, 8.5)
"""Sizes of type that are tried, the largest first."""
LEAST_MAPS, STEP = (0.75, 0.45), 12.0
"""Least side of the map, in the largest one that has room: a good one, and any; what is taken off at a time."""
GAP, LISTED = 12.0, 9.5
"""White between the map, the list of scenery and the rest; size of the list's type."""


@dataclass(frozen=True)
class TableSetup:
    """The sheet of one table."""

    table: int
    round_number: int
    scenario: str
    table_map: TableMap
    spots: tuple[ScenerySpot, ...]
    across: float
    """The size that the pieces are drawn in, in inches."""
    steps: tuple[str, ...]
    """What to know and to do, in sentences."""
    a: str = "Player A"
    b: str = "Player B"
    listed: tuple[str, ...] = ()
    """What a step chooses from."""
    by: str = ""
    """The last day to play it, in a season: it has no table."""


def table_setups(event: str, setups: Sequence[TableSetup], page_size: PageSize, printed_at: datetime) -> bytes:
    """A page for each table, in this order, as a PDF. ``printed_at`` must know its time zone (ValueError)."""
    return drawn(draw_table_setups, page_size, TITLE, event, printed_at, setups)


def draw_table_setups(paper: Paper, setups: Sequence[TableSetup]) -> None:
    """The pages of these tables; without any one page that says so."""
    paper = turned(paper, wide=False)
    bookmark(paper, TITLE)
    pages = []
    for setup in setups:
        notes, entry = (
            [f"Round {setup.round_number} · {TITLE}"],
            f"{setup.a} – {setup.b}" if setup.by else f"Table {setup.table}",
        )
        title = f"{setup.scenario}, by {setup.by}" if setup.by else f"{entry}: {setup.scenario}"
        for number, marks in enumerate(_laid(setup, notes, paper.frame)):
            pages.append(LaidPage(title, notes, marks, "" if number else entry, under=True))
    draw_laid(paper, pages)
    if not setups:
        page_of_nothing(paper, TITLE, "No table plays in this round.")


def _laid(setup: TableSetup, notes: Sequence[str], frame: Frame) -> list[list[Mark]]:
    """As few pages as can be, in the largest type that leaves the map good room, and the largest map with it."""
    list_ = _scenery(setup) if setup.spots else None
    most = frame.width - SIDE_ROOM - map_rooms(setup.table_map)[1] - (_beside(list_) if list_ else 0.0)
    sides = [most - STEP * n for n in range(int(most * (1 - LEAST_MAPS[-1]) / STEP) + 1)]
    few = len(_pages(setup, list_, notes, frame, SIZES[-1], sides[-1]))
    ways = ((size, side) for least in LEAST_MAPS for size in SIZES for side in sides if side >= least * most)
    laid = (_pages(setup, list_, notes, frame, *way) for way in ways)
    return next(pages for pages in laid if len(pages) == few)


def _beside(table: Table) -> float:
    return least_width(table, 99.0) + GAP


def _pages(
    setup: TableSetup, list_: Table | None, notes: Sequence[str], frame: Frame, size: float, side: float
) -> list[list[Mark]]:
    """The map with the list of its scenery at its right, and below both what to do."""
    top = frame.top - headline_height(frame, notes)
    flow = Flow(page_columns(frame, top))
    right = frame.right - (_beside(list_) if list_ else 0.0)
    flow.go_on(Column(0, frame.left, frame.bottom, right, top))
    flow.put([map_block(setup.table_map, side, setup.spots, setup.across, setup.a, setup.b)])
    low = flow.y
    if list_:
        flow.go_on(Column(0, right + GAP, frame.bottom, frame.right, top))
        put_table(flow, list_)
        low = min(low, flow.y)
    flow.go_on(Column(0, frame.left, frame.bottom, frame.right, low - GAP))
    flow.columns = page_columns(frame, top, first=1)
    flow.put(steps("What to do", setup.steps, size, numbered=True))
    put_listed(flow, setup.listed, min(size - 1, 10.0))
    return flow.pages


def _scenery(setup: TableSetup) -> Table:
    """The pieces in words."""
    rows = [
        (str(place), f"{inches_text(spot.x)} right", f"{inches_text(spot.y)} up")
        for place, spot in enumerate(setup.spots, 1)
    ]
    columns = (Col("", "figure", strong=True), Col("", "figure"), Col("", "figure"))
    return Table(columns, rows, size=LISTED, pad=2.0, title=f"Pieces, {inches_text(setup.across)} across")
