"""How a table is set up: the drawn map with a place for each piece of scenery, and the same in words."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from pdf.fonts import draw_text
from pdf.page import (
    PageSize,
    Paper,
    bookmark,
    finish,
    foot,
    headline,
    new_paper,
    next_page,
    page_of_nothing,
    section,
    section_height,
    turned,
)
from pdf.prose import draw_prose
from pdf.table_map import END_ROOM, SIDE_ROOM, ScenerySpot, TableMap, draw_map, inches_text, map_rooms, map_words
from pdf.tags import part

TITLE = "Setting up the table"
GAP = 12.0
NAME = 12.0
"""Room for a player's side above and below the map."""
MAP_SHARE = 0.55
"""Of the height below the head, at most, for the map."""


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


def table_setups(event: str, setups: Sequence[TableSetup], page_size: PageSize, printed_at: datetime) -> bytes:
    """A page for each table, in this order, as a PDF. ``printed_at`` must know its time zone (ValueError)."""
    paper = new_paper(page_size, title=TITLE, event=event, printed_at=printed_at)
    draw_table_setups(paper, setups)
    return finish(paper)


def draw_table_setups(paper: Paper, setups: Sequence[TableSetup]) -> None:
    """The pages of these tables; without any one page that says so."""
    paper = turned(paper, wide=False)
    bookmark(paper, TITLE)
    for number, setup in enumerate(setups, 1):
        bookmark(paper, f"Table {setup.table}", under=True)
        _page(paper, setup)
        foot(paper, f"Round {setup.round_number} · Table {setup.table}", number, len(setups))
        next_page(paper)
    if not setups:
        page_of_nothing(paper, TITLE, "No table plays in this round.")


def _page(paper: Paper, setup: TableSetup) -> None:
    canvas, frame = paper.canvas, paper.frame
    top = (
        headline(paper, f"Table {setup.table}: {setup.scenario}", [f"Round {setup.round_number} · {setup.scenario}"])
        - GAP
    )
    above, aside = map_rooms(setup.table_map)
    fixed = above + END_ROOM + 2 * NAME
    size = min((top - frame.bottom) * MAP_SHARE - fixed, frame.width - SIDE_ROOM - aside)
    left = frame.left + SIDE_ROOM + (frame.width - SIDE_ROOM - aside - size) / 2
    bottom = top - NAME - above - size
    middle = left + size / 2
    draw_text(canvas, middle, bottom + size + above + 3, "Player B", 9, bold=True, align="centre")
    with part(canvas, "Figure", alt=map_words(setup.table_map, setup.spots)):
        draw_map(canvas, left, bottom, size, setup.table_map, setup.spots, setup.across)
    draw_text(canvas, middle, bottom - END_ROOM - 9, "Player A", 9, bold=True, align="centre")
    y = bottom - END_ROOM - NAME - GAP
    if setup.spots:
        y = _listed(paper, y, setup.spots)
    draw_prose(canvas, [(frame.left, y, frame.width, y - frame.bottom)], (("What to do", setup.steps),), largest=12)


def _listed(paper: Paper, y: float, spots: Sequence[ScenerySpot]) -> float:
    """The pieces in words, in two columns. Gives the y below them."""
    canvas, frame = paper.canvas, paper.frame
    note = "Inches of the middle of each, as player A sees it"
    section(canvas, frame.left, y, frame.width, "Scenery", note)
    y -= section_height() + 9
    rows = -(-len(spots) // 2)
    half = (frame.width - GAP) / 2
    for place, spot in enumerate(spots):
        column, row = divmod(place, rows)
        x, base = frame.left + column * (half + GAP), y - row * 12.5
        draw_text(canvas, x + 14, base, str(place + 1), 9, bold=True, align="right")
        position = f"{inches_text(spot.x)} from the left, {inches_text(spot.y)} up"
        draw_text(canvas, x + 20, base, position, 9, max_width=half * 0.6 - 20, min_size=7)
        draw_text(canvas, x + half, base, spot.kind, 9, max_width=half * 0.4, min_size=7, align="right")
    return y - rows * 12.5 - 2
