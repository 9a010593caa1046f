"""A scenario on paper, whole: the drawn table, set-up and scoring step by step, what can be scored, the readings.

And how one table is set up for it: the drawn map with a place for each piece of scenery, and the same in words.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from pdf.flow import Block, Chapter, Column, Flow, Mark, Paragraph, draw_chapters, heading, page_columns, text_height
from pdf.fonts import fit, plain
from pdf.page import Frame, PageSize, Paper, bookmark, empty_page, headline_height, oriented, render
from pdf.table import Col, Table, least_width, put_table
from pdf.table_map import SIDE_ROOM, ScenerySpot, TableMap, inches_text, map_block, map_rooms

TITLE = "Scenarios"
GAP = 16.0
MAP_SHARES = (0.66, 0.62, 0.575, 0.53)
"""Of the page's width, for the column that begins with the map: the largest that leaves the type as it is."""
SIZES = (13.0, 12.25, 11.5, 11.0, 10.5, 10.0, 9.5, 9.0)
"""Sizes of type that are tried, until a scenario fits one page."""
LISTED = 16.0
"""Width of an entry of a list, in sizes of its type."""
USUAL = 10.0
"""For a scenario that needs several pages anyway."""
HEAD_GAP = 8.0
"""Between the line below a title and the text."""


@dataclass(frozen=True)
class PackScenario:
    """What the page of a scenario says, in the order in which it says it."""

    name: str
    played: str
    """When it is played: "Round 2", "May be drawn"."""
    summary: str
    table_map: TableMap
    setup: tuple[str, ...]
    scoring: tuple[str, ...]
    worth: tuple[tuple[str, str, str], ...]
    """What can be scored when, by player A and by player B: ("Game rounds 2 to 6", "0–3", "0–3")."""
    limits: tuple[str, ...]
    """What binds the figures, in sentences."""
    readings: tuple[str, ...]
    source: str
    reports: tuple[tuple[str, str], ...] = ()
    """What is reported instead of VP, and what that is."""
    listed: tuple[str, ...] = ()
    """What a step of the set-up chooses from or rolls for, each with its number."""
    queries: tuple[str, ...] = ()
    """What is open, on the organiser's copy."""


def scenario_sheets(event: str, scenarios: Sequence[PackScenario], page_size: PageSize, printed_at: datetime) -> bytes:
    """These scenarios, each from a page of its own on, as a PDF. ``printed_at`` must know its zone (ValueError)."""
    return render(draw_scenario_sheets, page_size, TITLE, event, printed_at, scenarios)


def draw_scenario_sheets(paper: Paper, scenarios: Sequence[PackScenario]) -> None:
    """The pages of these scenarios; without any one page that says so."""
    paper = oriented(paper, landscape=False)
    bookmark(paper, TITLE)
    draw_chapters(paper, [scenario_pages(one, paper.frame) for one in scenarios])
    if not scenarios:
        empty_page(paper, TITLE, "No scenario is chosen yet.")


def scenario_pages(scenario: PackScenario, frame: Frame) -> Chapter:
    """The pages of a scenario, an entry of the outline below another."""
    return Chapter(scenario.name, [scenario.played], _laid_out(scenario, frame), nested=True)


def _laid_out(scenario: PackScenario, frame: Frame) -> list[list[Mark]]:
    """One page in the largest type that allows it: the scoring next to the map, or else the set-up unparted."""
    ways = ((size, apart, share) for apart in (True, False) for size in SIZES for share in MAP_SHARES)
    first = None
    for pages, unparted in (_pages(scenario, frame, *way) for way in ways):
        if len(pages) == 1 and unparted:
            return pages
        first = first or (pages if len(pages) == 1 else None)
    return first or _pages(scenario, frame, USUAL, apart=False, share=MAP_SHARES[-1])[0]


def _pages(
    scenario: PackScenario, frame: Frame, size: float, apart: bool, share: float
) -> tuple[list[list[Mark]], bool]:
    """The pages at a size of type with this share for the map, and whether the set-up is whole below the map."""
    top = frame.top - headline_height(frame, [scenario.played]) - HEAD_GAP
    flow = Flow(page_columns(frame, top, (share, 1 - share), GAP))
    if fit(scenario.name, 21, frame.width * 0.62, bold=True, min_size=13).cut:
        flow.put([Paragraph(scenario.name, 13, bold=True)])
    side = flow.column.width - SIDE_ROOM - map_rooms(scenario.table_map)[1]
    flow.put([Paragraph(scenario.summary, size + 0.5), map_block(scenario.table_map, side)])
    flow.put(_steps("Set-up", scenario.setup, size, numbered=True))
    unparted = flow.column.page == 0 and flow.column.left == frame.left
    readings = _steps("How we read it", scenario.readings, size)
    if unparted and apart:
        if not flow.is_full([replace(one, keep_next=True) for one in readings]):
            flow.put(readings)
            readings = []
        flow.next_column()
    _put_listed(flow, scenario.listed, min(size, 9.0))
    flow.put(_steps("Scoring", scenario.scoring, size))
    equal = all(a == b for _, a, b in scenario.worth)
    if scenario.worth:
        heads = ("Each player",) if equal else ("A", "B")
        columns = (Col("VP of one player"), *(Col(head, "figure") for head in heads))
        rows = [row[: 2 if equal else 3] for row in scenario.worth]
        put_table(flow, Table(columns, rows, size=min(size, 11.0)), [_heading("What can be scored", size)])
    for place, (what, says) in enumerate(scenario.reports):
        title = [] if place else [_heading("Report for each player", size)]
        label = Paragraph(what, size, bold=True, above=3.5, keep_next=bool(says))
        flow.put([*title, label, Paragraph(says, size, above=1)])
    flow.put([Paragraph(line, size, above=5, indent=10, label="•") for line in scenario.limits])
    flow.put(readings)
    flow.put(_steps("Questions for the organiser", scenario.queries, size))
    flow.put([Paragraph(scenario.source, 8, above=8)])
    return flow.pages, unparted


def _put_listed(flow: Flow, listed: Sequence[str], size: float) -> None:
    """A list to choose from, in as many columns as have room, with its numbers down each."""
    across = max(1, int(flow.column.width / (LISTED * size)))
    down = -(-len(listed) // across)
    padded = [*listed, *[""] * (across * down - len(listed))]
    if listed:
        rows = list(zip(*(padded[place * down : (place + 1) * down] for place in range(across)), strict=True))
        columns = (Col(""),) * across
        put_table(flow, Table(columns, rows, size=size, padding=1.0, title="List", unsplit=True, keep_size=True))


def _heading(text: str, size: float) -> Block:
    """A heading over text of this size: never the smaller of both."""
    return heading(text, max(11.0, size + 1.0))


def _steps(head: str, lines: Sequence[str], size: float, *, numbered: bool = False) -> list[Block]:
    """Sentences under a heading, numbered or as a list."""
    shown = [line for line in lines if plain(line)]
    if not shown:
        return []
    indent = size * (1.6 if len(shown) < 10 else 2.2) if numbered else 10.0
    marks = [f"{number}." if numbered else "•" for number in range(1, len(shown) + 1)]
    item = Paragraph("", size, above=3.5, indent=indent)
    return [
        _heading(head, size),
        *(replace(item, text=text, label=mark) for text, mark in zip(shown, marks, strict=True)),
    ]


SETUP = "Setting up the table"
SETUP_SIZES = (13.0, 12.0, 11.0, 10.5, 10.0, 9.5, 9.0, 8.5)
"""Sizes of type that are tried, the largest first."""
LEAST_MAPS, STEP = (0.9, 0.8, 0.73, 0.7, 0.6, 0.45), 12.0
"""Least side of the map, in the largest one that has room: a good one, ever less; what is taken off at a time."""
SETUP_GAP, PIECES, NEEDS, TO_WRITE = 12.0, 9.5, 10.5, 4
"""White between the map, the lists next to it and the rest; size of the lists' type; lines to write on."""
LEAST_LIST, LIST_SHARE = 138.0, 0.33
"""Least width of a list next to scenery, and share of the page's width of one next to an empty table or what to do."""


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
    needs: tuple[str, ...] = ()
    """What is put on the table, each with its count: "6 chests"."""
    a: str = "Player A"
    b: str = "Player B"
    listed: tuple[str, ...] = ()
    """What a step chooses from."""
    order: tuple[str, ...] = ()
    """Who acts first, who next; one that ends with a colon is the head of lines to write that on."""
    by: str = ""
    """The last day to play it, in a season: it has no table."""


def table_setups(event: str, setups: Sequence[TableSetup], page_size: PageSize, printed_at: datetime) -> bytes:
    """A page for each table, in this order, as a PDF. ``printed_at`` must know its time zone (ValueError)."""
    return render(draw_table_setups, page_size, SETUP, event, printed_at, setups)


def draw_table_setups(paper: Paper, setups: Sequence[TableSetup]) -> None:
    """The pages of these tables; without any one page that says so."""
    paper = oriented(paper, landscape=False)
    bookmark(paper, SETUP)
    pages = []
    for setup in setups:
        notes = [f"Round {setup.round_number} · {SETUP}"]
        entry = f"{setup.a} – {setup.b}" if setup.by else f"Table {setup.table}"
        title = f"{setup.scenario}, by {setup.by}" if setup.by else f"{entry}: {setup.scenario}"
        pages.append(Chapter(title, notes, _laid_setup(setup, notes, paper.frame), entry, nested=True))
    draw_chapters(paper, pages)
    if not setups:
        empty_page(paper, SETUP, "No table plays in this round.")


def _laid_setup(setup: TableSetup, notes: Sequence[str], frame: Frame) -> list[list[Mark]]:
    """As few pages as can be, in the largest type that leaves the map good room, and the largest map with it."""
    most = frame.width - SIDE_ROOM - map_rooms(setup.table_map)[1] - _aside(setup, frame)
    sides = [most - STEP * n for n in range(int(most * (1 - LEAST_MAPS[-1]) / STEP) + 1)]
    said = setup  # with what is on the table as a sentence, which takes less room than a list
    if setup.needs:
        said = replace(setup, needs=(), steps=(f"On the table: {'; '.join(setup.needs)}.", *setup.steps))
    few = len(_setup_pages(said, notes, frame, SETUP_SIZES[-1], sides[-1]) or ())
    ways = [(size, side) for least in LEAST_MAPS for size in SETUP_SIZES for side in sides if side >= least * most]
    laid = (_setup_pages(one, notes, frame, *way) for one in (setup, said) for way in ways)
    return next(pages for pages in laid if pages and len(pages) <= few)


def _setup_pages(
    setup: TableSetup, notes: Sequence[str], frame: Frame, size: float, side: float
) -> list[list[Mark]] | None:
    """The map, below it what to do, and at the right of the map, or else of what to do, what is on the table.

    None where the lists have no room there.
    """
    top = frame.top - headline_height(frame, notes)
    flow, right, last = Flow(page_columns(frame, top)), frame.right - _aside(setup, frame), list[Block]()
    flow.go_on(Column(frame.left, frame.bottom, right, top))
    flow.put([map_block(setup.table_map, side, setup.spots, setup.across, setup.a, setup.b)])
    low, at_side = flow.y - SETUP_GAP, right < frame.right
    if setup.needs and not at_side:
        right -= frame.width * LIST_SHARE
    if right < frame.right:
        flow.go_on(Column(right + SETUP_GAP, frame.bottom, frame.right, top if at_side else low))
        needs = Table((Col("", "tick"), Col("")), [("", one) for one in setup.needs], size=NEEDS, title="On the table")
        for table in (one for one in (needs, _scenery(setup)) if one.rows):
            put_table(flow, table)
        _put_listed(flow, () if setup.spots else setup.listed, PIECES - 1.5)
        if setup.order and setup.order[0].endswith(":"):
            put_table(flow, Table((Col(setup.order[0], "write"),), [("",)] * TO_WRITE, title="Order of turns"))
        else:
            last = _steps("Order of turns", setup.order, size, numbered=True)
            high = text_height([one for one in last if isinstance(one, Paragraph)], flow.column.width) + 3 * size
            if high <= flow.y - flow.column.bottom:
                flow.put(last)
                last = []
    if flow.column.page:
        return None
    below = setup.listed if setup.spots or right == frame.right else ()
    if at_side:
        low, right = min(low, flow.y - SETUP_GAP), frame.right
    flow.columns = page_columns(frame, top, first=1)
    flow.go_on(Column(frame.left, frame.bottom, right, low) if low - frame.bottom > 6 * size else next(flow.columns))
    flow.put(_steps("What to do", setup.steps, size, numbered=True))
    flow.put(last)
    _put_listed(flow, below, min(size - 1, 10.0))
    return flow.pages


def _aside(setup: TableSetup, frame: Frame) -> float:
    """The width at the right of the map that the lists take where scenery is among them, or the table is empty."""
    if setup.spots or setup.order:
        return max(LEAST_LIST, least_width(_scenery(setup), 99.0)) + SETUP_GAP
    return 0.0 if setup.table_map.markers else frame.width * LIST_SHARE


def _scenery(setup: TableSetup) -> Table:
    """The pieces in words."""
    rows = [
        (str(place), *[one.name] * bool(one.name), f"{inches_text(one.x)} right", f"{inches_text(one.y)} up")
        for place, one in enumerate(setup.spots, 1)
    ]
    named = [Col("", "fixed")] * any(one.name for one in setup.spots)
    columns = (Col("", "figure", strong=True), *named, Col("", "figure"), Col("", "figure"))
    return Table(columns, rows, size=PIECES, padding=2.0, title=f"Pieces, {inches_text(setup.across)} across")
