"""Scenarios on paper: the map, set-up, scoring, possible VP and interpretations; and how to set up one table.

A scenario takes a page in the largest type that fits. The set-up of a table shows the scenery on the map and lists it
in words.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import product

from languages.words import gettext, labelled, noted
from pdf.flow import (
    Block,
    Chapter,
    Column,
    Flow,
    Mark,
    Paragraph,
    draw_chapters,
    heading,
    largest,
    page_columns,
    text_height,
)
from pdf.fonts import fit, plain
from pdf.page import Frame, Paper, bookmark, empty_page, headline_height, oriented
from pdf.table import Col, Table, least_width, put_table, table_rows
from pdf.table_map import SIDE_ROOM, ScenerySpot, TableMap, inches_text, map_block, map_rooms

TITLE = noted("Scenarios")
GAP = 16.0
WAYS = sorted(
    product((13.0, 12.25, 11.5, 11.0, 10.5, 10.0, 9.5, 9.0), (0.66, 0.62, 0.575, 0.53), (1.0, 0.85, 0.7)),
    key=lambda way: -way[0] - 8 * way[1] * way[2],
)
"""Type sizes, shares of the width for the first column, and of that for the map, until a scenario fits one page: a map
larger by an eighth of the width is worth a point of type.
"""
LISTED, ENTRY = (9.5, 9.0, 8.5), 150.0
"""Type sizes of a list of choices, and the minimum width of an entry."""
DICE = (6, 8, 10, 12, 20)
"""Faces of the dice that choose from a list."""
USUAL = 10.0, 0.53, 1.0
"""The type size and shares of scenarios that need several pages."""
HEAD_GAP = 8.0
"""Space between the line below a title and the text."""


@dataclass(frozen=True)
class PackScenario:
    """The content of a scenario's page, in the order in which it is printed."""

    name: str
    played: str
    """When it is played: "Round 2", "May be drawn"."""
    summary: str
    table_map: TableMap
    setup: tuple[str, ...]
    scoring: tuple[str, ...]
    worth: tuple[tuple[str, str, str], ...]
    """The possible VP of players A and B by time: ("Game rounds 2 to 6", "0–3", "0–3")."""
    limits: tuple[str, ...]
    """Further limits, in sentences."""
    readings: tuple[str, ...]
    source: str
    reports: tuple[tuple[str, str], ...] = ()
    """What players report instead of VP, each with an explanation."""
    listed: tuple[str, ...] = ()
    """The numbered entries that a step of the set-up chooses from or rolls for."""
    queries: tuple[str, ...] = ()
    """Open questions, only on the organiser's copy."""


def draw_scenario_sheets(paper: Paper, scenarios: Sequence[PackScenario]) -> None:
    """Draw the pages of these scenarios, or one page that says that there are none."""
    paper = oriented(paper, landscape=False)
    bookmark(paper, gettext(TITLE))
    draw_chapters(paper, [scenario_pages(one, paper.frame) for one in scenarios])
    if not scenarios:
        empty_page(paper, gettext(TITLE), gettext("No scenario is chosen yet."))


def scenario_pages(scenario: PackScenario, frame: Frame) -> Chapter:
    """The pages of a scenario; their outline entry is nested."""
    return Chapter(scenario.name, [scenario.played], _best_pages(scenario, frame), nested=True)


def _best_pages(scenario: PackScenario, frame: Frame) -> list[list[Mark]]:
    """The first layout that fits one page without splitting the set-up, or else the first that fits one page.

    Layouts with the scoring next to the map come first, then those with it below the set-up.
    """
    first = None
    for beside, way in product((True, False), WAYS):
        pages, unsplit = _pages(scenario, frame, *way, beside=beside)
        if len(pages) == 1 and unsplit:
            return pages
        first = first or (pages if len(pages) == 1 else None)
    return first or _pages(scenario, frame, *USUAL, beside=False)[0]


def _pages(
    scenario: PackScenario, frame: Frame, size: float, share: float, of_column: float, *, beside: bool
) -> tuple[list[list[Mark]], bool]:
    """The pages with these of `WAYS`, and whether the set-up is unsplit below the map."""
    top = frame.top - headline_height(frame, [scenario.played]) - HEAD_GAP
    flow = Flow(page_columns(frame, top, (share, 1 - share), GAP))
    if fit(scenario.name, 21, frame.width * 0.62, bold=True, min_size=13).cut:
        flow.put([Paragraph(scenario.name, 13, bold=True)])
    side = of_column * (flow.column.width - SIDE_ROOM - map_rooms(scenario.table_map)[1])
    flow.put([Paragraph(scenario.summary, size + 0.5), map_block(scenario.table_map, side)])
    flow.put(_steps(gettext("Set-up"), scenario.setup, size, numbered=True))
    unsplit = flow.column.page == 0 and flow.column.left == frame.left
    _put_listed(flow, scenario.listed)
    readings = _steps(gettext("How we read it"), scenario.readings, size)
    if beside and flow.column.page == 0 and flow.column.left == frame.left:
        if not flow.is_full([replace(one, keep_next=True) for one in readings]):
            flow.put(readings)
            readings = []
        flow.next_column()
    flow.put(_steps(gettext("Scoring"), scenario.scoring, size))
    equal = all(a == b for _, a, b in scenario.worth)
    if scenario.worth:
        heads = (gettext("Each player"),) if equal else ("A", "B")
        columns = (Col(gettext("VP of one player")), *(Col(head, "figure") for head in heads))
        rows = [row[: 2 if equal else 3] for row in scenario.worth]
        put_table(flow, Table(columns, rows, size=min(size, 11.0)), [_heading(gettext("What can be scored"), size)])
    for place, (what, says) in enumerate(scenario.reports):
        title = [] if place else [_heading(gettext("Report for each player"), size)]
        label = Paragraph(what, size, bold=True, above=3.5, keep_next=bool(says))
        flow.put([*title, label, Paragraph(says, size, above=1)])
    flow.put([Paragraph(line, size, above=5, indent=10, label="•") for line in scenario.limits])
    flow.put(readings)
    flow.put(_steps(gettext("Questions for the organiser"), scenario.queries, size))
    flow.put([Paragraph(scenario.source, 8, above=8)])
    return flow.pages, unsplit


def _put_listed(flow: Flow, listed: Sequence[str]) -> None:
    """Add a list of choices, down as many columns as hold each on a line; in the next column if this one is full."""
    if not listed:
        return
    rolled = gettext("Objectives: roll a D%(sides)s", sides=len(listed))
    title = rolled if len(listed) in DICE else gettext("Objectives")
    for across, size in product(range(max(1, int(flow.column.width / ENTRY)), 0, -1), LISTED):
        down = -(-len(listed) // across)
        padded = [*listed, *[""] * (across * down - len(listed))]
        rows = list(zip(*(padded[place * down : (place + 1) * down] for place in range(across)), strict=True))
        table = Table((Col("", "fixed"),) * across, rows, size=size, padding=1.0, keep_size=True)
        if least_width(table) <= flow.column.width:
            break
    table = replace(table, columns=(Col(""),) * across)
    drawn = [heading(title), *(replace(row, keep_next=True) for row in table_rows(table, flow.column.width)[1])]
    if flow.is_full(drawn):  # the next column may hold more or fewer columns
        flow.next_column()
        _put_listed(flow, listed)
    else:
        flow.put(drawn)


def _heading(text: str, size: float) -> Block:
    """A heading for text of this size, of at least 11 points."""
    return heading(text, max(11.0, size + 1.0))


def _steps(head: str, lines: Sequence[str], size: float, *, numbered: bool = False) -> list[Block]:
    """Sentences below a heading, as a numbered list or with bullets."""
    shown = [line for line in lines if plain(line)]
    if not shown:
        return []
    indent = size * (1.6 if len(shown) < 10 else 2.2) if numbered else 10.0
    marks = [f"{number}." if numbered else "•" for number in range(1, len(shown) + 1)]
    item = Paragraph("", size, above=3.5, indent=indent)
    items = [replace(item, text=text, label=mark) for text, mark in zip(shown, marks, strict=True)]
    return [_heading(head, size), *items]


SETUP = noted("Set-up")
SETUP_SIZES = (16.0, 15.0, 14.0, 13.0, 12.0, 11.0, 10.5, 10.0, 9.5, 9.0, 8.5)
"""Type sizes to try, the largest first."""
SETUP_MAPS, PER_MAP, LEAST_SIZE, SMALL = (1.0, 0.9, 0.8, 0.73, 0.65, 0.55, 0.45), 24.0, 10.5, 12.0
"""Sides of the map to try, as shares of its maximum; how many points of type the whole map is worth; type that is
smaller counts `SMALL` points less for each point.
"""
SETUP_GAP, PIECES, NEEDS, TO_WRITE = 12.0, 9.5, 9.5, 4
"""Space between map and lists; type sizes of pieces and needs; number of lines to write on."""
LEAST_LIST, LEAST_MAP, LIST_SHARE = 138.0, 120.0, 0.33
"""Minimum widths of a list next to scenery, and of the map there, so that names of pieces are not cut; share of the
width of a list next to an empty table or the steps."""


@dataclass(frozen=True)
class TableSetup:
    """The content of one table's set-up sheet."""

    table: int
    round_number: int
    scenario: str
    table_map: TableMap
    spots: tuple[ScenerySpot, ...]
    across: float
    """The size of the drawn pieces, in inches."""
    steps: tuple[str, ...]
    """What to know and to do, in sentences."""
    needs: tuple[str, ...] = ()
    """The objects to put on the table, with their counts: "6 chests"."""
    a: str = field(default_factory=lambda: gettext("Player A"))
    b: str = field(default_factory=lambda: gettext("Player B"))
    listed: tuple[str, ...] = ()
    """The entries that a step chooses from."""
    order: tuple[str, ...] | None = None
    """The characters, highest Sequence first; () prints lines to write on, None nothing."""
    by: str = ""
    """In a season, the last day for the game, which has no table."""


def draw_table_setups(paper: Paper, setups: Sequence[TableSetup]) -> None:
    """Draw the pages of these tables, or one page that says that there are none."""
    paper = oriented(paper, landscape=False)
    bookmark(paper, gettext(SETUP))
    pages = []
    for setup in setups:
        number = gettext("Round %(number)s", number=setup.round_number)
        notes = [f"{number} · {gettext(SETUP)} · {setup.a} – {setup.b}"]
        entry = f"{setup.a} – {setup.b}" if setup.by else gettext("Table %(table)s", table=setup.table)
        by = setup.by and gettext("%(scenario)s, by %(day)s", scenario=setup.scenario, day=setup.by)
        title = by or labelled(entry, setup.scenario)
        pages.append(Chapter(title, notes, _best_setup_pages(setup, notes, paper.frame), entry, nested=True))
    draw_chapters(paper, pages)
    if not setups:
        empty_page(paper, gettext(SETUP), gettext("No table plays in this round."))


def _best_setup_pages(setup: TableSetup, notes: Sequence[str], frame: Frame) -> list[list[Mark]]:
    """The pages of a set-up: as few as possible, with a large map and large type."""
    most = frame.width - SIDE_ROOM - map_rooms(setup.table_map)[1] - _aside(setup, frame)
    maps = [share for share in SETUP_MAPS if share * most >= LEAST_MAP] or SETUP_MAPS[:1]
    ways = sorted(
        product(SETUP_SIZES, maps),
        key=lambda way: -way[0] - PER_MAP * way[1] + SMALL * max(0.0, LEAST_SIZE - way[0]),
    )
    lay = cache(lambda way: _setup_pages(setup, notes, frame, way[0], way[1] * most))
    return lay(largest(ways, lambda way: len(lay(way))))


def _setup_pages(setup: TableSetup, notes: Sequence[str], frame: Frame, size: float, side: float) -> list[list[Mark]]:
    """The map with the steps below it, and the lists at the right of the map or of the steps, or else between them."""
    top = frame.top - headline_height(frame, notes)
    flow, right, last = Flow(page_columns(frame, top)), frame.right, list[Block]()
    if _aside(setup, frame):  # the lists have what the map leaves
        right = frame.left + SIDE_ROOM + side + map_rooms(setup.table_map)[1]
    flow.go_on(Column(frame.left, frame.bottom, right, top))
    flow.put([map_block(setup.table_map, side, setup.spots, setup.across)])
    bottom, at_side = flow.y - SETUP_GAP, right < frame.right
    between = not at_side and bool(setup.spots or setup.order is not None)
    if setup.needs and not (at_side or between):
        right -= frame.width * LIST_SHARE
    if right < frame.right:
        flow.go_on(Column(right + SETUP_GAP, frame.bottom, frame.right, top if at_side else bottom))
    if right < frame.right or between:
        ticks, columns = [("", one) for one in setup.needs], (Col("", "tick"), Col(""))
        needs = Table(columns, ticks, size=NEEDS, title=gettext("On the table"), keep_size=True)
        for table in (one for one in (needs, _scenery(setup)) if one.rows):
            put_table(flow, replace(table, unsplit=between))
        _put_listed(flow, () if setup.spots or between else setup.listed)
        if setup.order == ():
            column = Col(gettext("Highest Sequence first:"), "write")
            put_table(flow, Table((column,), [("",)] * TO_WRITE, title=gettext("Order of turns")))
        elif setup.order:
            last = _steps(gettext("Order of turns, by Sequence"), setup.order, NEEDS, numbered=True)
            height = text_height([one for one in last if isinstance(one, Paragraph)], flow.column.width) + 3 * size
            if height <= flow.y - flow.column.bottom:
                flow.put(last)
                last = []
    below = setup.listed if setup.spots or right == frame.right else ()
    if at_side:
        bottom, right = min(bottom, flow.y - SETUP_GAP), frame.right
    if not between:
        flow.columns = page_columns(frame, top, first=1)
        free = bottom - frame.bottom > 6 * size
        flow.go_on(Column(frame.left, frame.bottom, right, bottom) if free else next(flow.columns))
    flow.put(_steps(gettext(SETUP), setup.steps, size, numbered=True))
    flow.put(last)
    _put_listed(flow, below)
    return flow.pages


def _aside(setup: TableSetup, frame: Frame) -> float:
    """Width of the lists at the right of the map, if there is scenery or the table is empty; 0 if they have no room."""
    if setup.spots or setup.order is not None:
        aside = max(LEAST_LIST, least_width(_scenery(setup), 99.0)) + SETUP_GAP
        return aside if frame.width - SIDE_ROOM - map_rooms(setup.table_map)[1] - aside >= LEAST_MAP else 0.0
    return 0.0 if setup.table_map.markers else frame.width * LIST_SHARE


def _scenery(setup: TableSetup) -> Table:
    """The pieces of scenery in words, as a table."""
    rows = [
        (
            f"{one.letter}{place}",
            *[one.name] * bool(one.name),
            gettext("%(inches)s right", inches=inches_text(one.x)),
            gettext("%(inches)s up", inches=inches_text(one.y)),
        )
        for place, one in enumerate(setup.spots, 1)
    ]
    named = [Col("", "fixed")] * any(one.name for one in setup.spots)
    columns = (Col("", "figure", strong=True), *named, Col("", "figure"), Col("", "figure"))
    title = gettext("Pieces, %(inches)s across", inches=inches_text(setup.across))
    return Table(columns, rows, size=PIECES, padding=2.0, title=title)
