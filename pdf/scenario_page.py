"""Scenarios on paper: the map, set-up, scoring, possible VP and interpretations; and how to set up one table.

Scenarios, and set-ups of tables, which show the scenery on the map and in a list, have one type size in a print.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import product

from languages.words import N_, gettext, pgettext
from pdf.flow import Block, Chapter, Column, Flow, Mark, Paragraph, draw_chapters, heading, page_columns
from pdf.fonts import fit, plain
from pdf.page import Frame, Paper, bookmark, empty_page, headline_height, oriented
from pdf.rows import put_table
from pdf.table import Col, Table, least_width
from pdf.table_map import SIDE_ROOM, ScenerySpot, TableMap, inches_text, map_block, map_rooms

Way = tuple[float, float, float]
TITLE = N_("Scenarios")
GAP, DENSE = 16.0, 0.8
TYPE, SHARES, MAPS = (13.0, 12.25, 11.5, 11.0, 10.5, 10.0, 9.5, 9.0), (0.66, 0.62, 0.575, 0.53), (1.0, 0.85, 0.7)
ONE_PAGE, PAGES = (
    sorted(ways, key=lambda way: -way[0] - 8 * way[1] * way[2])
    for ways in (product(TYPE, SHARES, MAPS), product(TYPE, (1.0,), (*MAPS, 0.775, 0.625, 0.55, 0.475, 0.4)))
)
"""Type sizes, shares of the width for the first column, and of that for the map: until a scenario fits one page, or for
several pages of one column. A map larger by an eighth of the width is worth a point of type.
"""
LISTED = 9.5, 9.0, 8.5
"""Type sizes of lists; in set-ups they are up to a point larger."""
DICE, HEAD_GAP = (6, 8, 10, 12, 20), 8.0
"""Faces of the dice that choose from a list; space between the line below a title and the text."""


@dataclass(frozen=True)
class PackScenario:
    """The content of a scenario's page: when it is ``played`` ("Round 2"), its parts, the scoring among them, by title.

    ``worth`` has the possible VP of A and B by time ("Game rounds 2 to 6", "0–3", "0–3"), ``listed`` the numbered
    entries that a step of the set-up chooses from or rolls for.
    """

    name: str
    played: str
    summary: str
    table_map: TableMap
    setup: tuple[str, ...]
    parts: tuple[tuple[str, tuple[str, ...]], ...]
    worth: tuple[tuple[str, str, str], ...]
    readings: tuple[str, ...]
    source: str
    listed: tuple[str, ...] = ()


def draw_scenario_sheets(paper: Paper, scenarios: Sequence[PackScenario]) -> None:
    paper = oriented(paper, landscape=False)
    bookmark(paper, gettext(TITLE))
    draw_chapters(paper, scenario_chapters(scenarios, paper.frame))
    if not scenarios:
        empty_page(paper, gettext(TITLE), gettext("No scenario is chosen yet."))


def scenario_chapters(scenarios: Sequence[PackScenario], frame: Frame, most: float = TYPE[0]) -> list[Chapter]:
    """The pages of scenarios, if possible in one type size of at most ``most``; their outline entries are nested."""
    layouts = [_best_pages(scenario, frame, 0.0, most) for scenario in scenarios]
    common = min((size for size, _ in layouts), default=most)
    chapters = []
    for pack_scenario, (size, pages) in zip(scenarios, layouts, strict=True):
        smaller = [] if size == common else _best_pages(pack_scenario, frame, common, common)[1]
        chapters.append(Chapter(pack_scenario.name, [pack_scenario.played], smaller or pages, nested=True))
    return chapters


def _best_pages(scenario: PackScenario, frame: Frame, least: float, most: float) -> tuple[float, list[list[Mark]]]:
    """The type size, from ``least`` to ``most``, and one page, with the scoring next to the map or else below the
    set-up, or as few pages of one column as possible; the first that fits, if possible with a set-up in one piece."""
    fewest = len(_pages(scenario, frame, *PAGES[-1], beside=False, whole=False))
    kinds = [(ONE_PAGE, 1, True, True), (ONE_PAGE, 1, False, False)]
    kinds += [(PAGES, fewest, False, whole) for whole in (True, False)]
    for ways, count, beside, whole in kinds:
        for way in (row for row in ways if least <= row[0] <= most):
            if 0 < len(pages := _pages(scenario, frame, *way, beside=beside, whole=whole)) <= count:
                return way[0], pages
    return most, []


def _pages(
    scenario: PackScenario, frame: Frame, size: float, share: float, of_column: float, *, beside: bool, whole: bool
) -> list[list[Mark]]:
    """The pages with this `Way`; none if the set-up should be ``whole`` and is not."""
    top = frame.top - headline_height(frame, [scenario.played]) - HEAD_GAP
    shares, spacing = ((share, 1 - share), 1.0) if share < 1 else ((1.0,), DENSE)
    flow = Flow(page_columns(frame, top, shares, GAP), spacing)
    if fit(scenario.name, 21, frame.width * 0.62, bold=True, min_size=13).cut:
        flow.put([Paragraph(scenario.name, 13, bold=True)])
    side = of_column * (flow.column.width - SIDE_ROOM - map_rooms(scenario.table_map)[1])
    flow.put([Paragraph(scenario.summary, size + 0.5), map_block(scenario.table_map, side)])
    flow.put(_steps(gettext("Set-up"), scenario.setup, size, numbered=True))
    if whole and (flow.column.page, flow.column.left) != (0, frame.left):
        return []
    _put_listed(flow, scenario.listed)
    readings = _steps(gettext("How we read it"), scenario.readings, size)
    if beside:
        if not flow.is_full([replace(reading, keep_next=True) for reading in readings]):
            flow.put(readings)
            readings = []
        flow.next_column()
    for title, sentences in scenario.parts:
        flow.put(_steps(title, sentences, size))
    if scenario.worth:
        across = 2 if all(a == b for _, a, b in scenario.worth) else 3
        heads = gettext("VP of one player"), *((gettext("Each player"),) if across == 2 else ("A", "B"))
        columns = tuple(Col(head, "figure" if place else "text") for place, head in enumerate(heads))
        table = Table(columns, [row[:across] for row in scenario.worth], size=min(size, 11.0), unsplit=True)
        put_table(flow, table, [_heading(gettext("What can be scored"), size)])
    flow.put(readings)
    flow.put([Paragraph(scenario.source, 8, above=8)])
    return flow.pages


def _put_listed(flow: Flow, listed: Sequence[str]) -> None:
    rolled = gettext("Objectives: roll a D%(sides)s", sides=len(listed))
    title = rolled if len(listed) in DICE else gettext("Objectives")
    rows = tuple((text.partition(" ")[0], text.partition(" ")[2]) for text in listed)
    table = Table((Col("", "figure"), Col("")), rows, title=title, padding=1.0, keep_size=True, unsplit=True)
    if rows:
        put_table(flow, _widened(table, flow.column.width, LISTED))


@lru_cache(maxsize=256)
def _widened(table: Table, width: float, sizes: Sequence[float]) -> Table:
    """The table with its rows in as many sets of columns as hold each text on one line."""
    rows = table.rows
    for across, size in product(range(min(4, len(rows)), 1, -1), sizes):
        down = -(-len(rows) // across)
        missing = across * down - len(rows)
        padded = [*rows, *[("",) * len(table.columns)] * missing]
        sets = [padded[place * down : (place + 1) * down] for place in range(across)]
        beside = [sum(row, ()) for row in zip(*sets, strict=True)]
        wide = replace(table, columns=table.columns * across, rows=beside, size=size)
        kept = tuple(replace(column, kind="fixed") if column.kind == "text" else column for column in wide.columns)
        # A box to tick is not left without its text.
        if least_width(replace(wide, columns=kept)) <= width and not (missing and kept[0].kind == "tick"):
            return wide
    return replace(table, size=sizes[0])


def _heading(text: str, size: float) -> Block:
    return heading(text, max(11.0, size + 1.0))


def _steps(head: str, lines: Sequence[str], size: float, *, numbered: bool = False) -> list[Block]:
    shown = [line for line in lines if plain(line)]
    if not shown:
        return []
    indent = size * (1.6 if len(shown) < 10 else 2.2) if numbered else 10.0
    marks = [f"{number}." if numbered else "•" for number in range(1, len(shown) + 1)]
    item = Paragraph("", size, above=3.5, indent=indent)
    items = [replace(item, text=text, label=mark) for text, mark in zip(shown, marks, strict=True)]
    return [_heading(head, size), *items]


SETUP = N_("Set-up")
SETUP_SIZES, SETUP_MAPS = [*(n / 2 for n in range(26, 16, -1))], (1.0, 0.9, 0.82, 0.75, 0.68, 0.6, 0.52, 0.45)
"""Type sizes to try, the largest first, and sides of the map, as shares of its maximum."""
PER_MAP, LEAST_SIZE, SMALL = 60.0, 10.5, 12.0
"""How many points of type a map as wide as the page is worth, and points of type below `LEAST_SIZE` cost more."""
SETUP_GAP, TO_WRITE, LEAST_LIST, LEAST_MAP = 12.0, 4, 124.0, 180.0
"""Space between map and lists; number of lines to write on; minimum widths of lists next to the map, and of the map."""


@dataclass(frozen=True)
class TableSetup:
    """The content of one table's set-up sheet; ``note`` has the round and the players, ``entry`` is for the outline.

    The pieces drawn are ``across`` inches wide; ``needs`` are the objects to put on the table, with their counts; a
    step chooses from ``listed``; ``order`` has the characters, highest Sequence first: () prints lines, None nothing.
    """

    title: str
    note: str
    table_map: TableMap
    spots: tuple[ScenerySpot, ...]
    across: float
    steps: tuple[str, ...]
    needs: tuple[str, ...] = ()
    listed: tuple[str, ...] = ()
    order: tuple[str, ...] | None = None
    entry: str = ""


def draw_table_setups(paper: Paper, setups: Sequence[TableSetup]) -> None:
    paper = oriented(paper, landscape=False)
    bookmark(paper, gettext(SETUP))
    tried = [[_best_setup(setup, paper.frame, size) for setup in setups] for size in SETUP_SIZES]
    best = min(
        tried, key=lambda found: (sum(len(chapter.pages) for _, chapter in found), -sum(worth for worth, _ in found))
    )
    draw_chapters(paper, [chapter for _, chapter in best])
    if not setups:
        empty_page(paper, gettext(SETUP), gettext("No table plays in this round."))


def _best_setup(setup: TableSetup, frame: Frame, size: float) -> tuple[float, Chapter]:
    """The pages in this type, as few as possible, with the largest map, and their worth; lists are at its right if it
    is no smaller then, or else below it."""
    lists, room = _lists(setup, size), frame.width - SIDE_ROOM - map_rooms(setup.table_map)[1]
    most = {True: room - max([LEAST_LIST, *map(least_width, lists)]) - SETUP_GAP, False: room}
    ways = [(most[flag] * n, flag) for flag, n in product(most, SETUP_MAPS) if most[flag] * n >= LEAST_MAP]
    lay = cache(lambda way: _setup_pages(setup, lists, frame, size, *way))
    fewest = min(len(lay(min(way for way in ways if way[1] == flag))) for flag in {a_flag for _, a_flag in ways})
    best = next(way for way in sorted(ways, reverse=True) if len(lay(way)) <= fewest)
    chapter = Chapter(setup.title, [setup.note], lay(best), setup.entry, nested=True)
    return size + PER_MAP * best[0] / frame.width - SMALL * max(0.0, LEAST_SIZE - size), chapter


def _setup_pages(
    setup: TableSetup, lists: Sequence[Table], frame: Frame, size: float, side: float, at_side: bool
) -> list[list[Mark]]:
    """The map with the lists at its right or below it, and the steps below both."""
    top = frame.top - headline_height(frame, [setup.note])
    flow, right = Flow(page_columns(frame, top)), frame.right
    if at_side:  # the lists have what the map leaves
        right = frame.left + SIDE_ROOM + side + map_rooms(setup.table_map)[1]
        flow.go_on(Column(frame.left, frame.bottom, right, top))
    flow.put([map_block(setup.table_map, side, setup.spots, setup.across)])
    bottom = flow.y
    if at_side:
        flow.go_on(Column(right + SETUP_GAP, frame.bottom, frame.right, top))
    for table in lists:
        put_table(flow, _widened(table, flow.column.width, (table.size,)))
    steps = _steps(gettext(SETUP), setup.steps, size, numbered=True)
    if at_side and not flow.column.page:
        flow.go_on(Column(frame.left, frame.bottom, frame.right, min(bottom, flow.y) - SETUP_GAP))
    if flow.is_full(steps) or flow.column.height < 6 * size:
        flow.next_column()
    flow.put(steps)
    _put_listed(flow, setup.listed)
    return flow.pages


def _lists(setup: TableSetup, size: float) -> tuple[Table, ...]:
    """The pieces of scenery, what else to put on the table, and the characters in the order of their turns."""
    needs = Table((Col("", "tick"), Col("")), tuple(("", need) for need in setup.needs), keep_size=True, unsplit=True)
    title, head = gettext("Order of turns"), Col(gettext("Highest Sequence first:"), "write")
    turns = Table((head,), (("",),) * TO_WRITE, title=title)
    if setup.order:
        rows = tuple((f"{place}.", text) for place, text in enumerate(setup.order, 1))
        turns = Table((Col("", "figure"), Col("")), rows, title=gettext("Order of turns, by Sequence"), padding=2.0)
    named = any(spot.name for spot in setup.spots)
    spots = tuple(
        (
            f"{scenery_spot.letter}{place}",
            *[scenery_spot.name] * named,
            inches_text(scenery_spot.x),
            inches_text(scenery_spot.y),
        )
        for place, scenery_spot in enumerate(setup.spots, 1)
    )
    right, up = Col(pgettext("place", "Right"), "figure"), Col(pgettext("place", "Up"), "figure")
    columns = (Col("", "figure", strong=True), *[Col("", "fixed")] * named, right, up)
    title = gettext("Pieces, %(inches)s across", inches=inches_text(setup.across))
    pieces = Table(columns, spots, padding=1.5, title=title, unsplit=True)
    lists = (pieces, replace(needs, title=gettext("On the table")), *[turns] * (setup.order is not None))
    return tuple(replace(table, size=min(max(LISTED[0], size), LISTED[0] + 1)) for table in lists if table.rows)
