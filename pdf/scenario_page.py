"""A scenario on paper, whole: the drawn table, set-up and scoring step by step, what can be scored, the readings."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from pdf.flow import Block, Flow, LaidPage, Mark, Words, draw_laid, heading, page_columns
from pdf.fonts import fit, plain
from pdf.page import (
    Frame,
    PageSize,
    Paper,
    bookmark,
    drawn,
    headline_height,
    page_of_nothing,
    turned,
)
from pdf.table import Col, Table, put_table
from pdf.table_map import SIDE_ROOM, TableMap, map_block, map_rooms

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
    reported: bool = False
    """Whether ``worth`` holds figures to report, which the scoring turns into VP, and not VP."""
    listed: tuple[str, ...] = ()
    """What a step of the set-up chooses from or rolls for, each with its number."""
    queries: tuple[str, ...] = ()
    """What is open, on the organiser's copy."""


def scenario_sheets(event: str, scenarios: Sequence[PackScenario], page_size: PageSize, printed_at: datetime) -> bytes:
    """These scenarios, each from a page of its own on, as a PDF. ``printed_at`` must know its zone (ValueError)."""
    return drawn(draw_scenario_sheets, page_size, TITLE, event, printed_at, scenarios)


def draw_scenario_sheets(paper: Paper, scenarios: Sequence[PackScenario]) -> None:
    """The pages of these scenarios; without any one page that says so."""
    paper = turned(paper, wide=False)
    bookmark(paper, TITLE)
    draw_laid(paper, [page for scenario in scenarios for page in scenario_pages(scenario, paper.frame)])
    if not scenarios:
        page_of_nothing(paper, TITLE, "No scenario is chosen yet.")


def scenario_pages(scenario: PackScenario, frame: Frame) -> list[LaidPage]:
    """The pages of a scenario, an entry of the outline below another."""
    return [
        LaidPage(scenario.name, head_notes(scenario), marks, "" if place else scenario.name, under=True)
        for place, marks in enumerate(_laid_out(scenario, frame))
    ]


def _laid_out(scenario: PackScenario, frame: Frame) -> list[list[Mark]]:
    """One page in the largest type that allows it: the scoring next to the map, or else the set-up unparted."""
    ways = ((size, apart, share) for apart in (True, False) for size in SIZES for share in MAP_SHARES)
    first = None
    for pages, unparted in (_pages(scenario, frame, *way) for way in ways):
        if len(pages) == 1 and unparted:
            return pages
        first = first or (pages if len(pages) == 1 else None)
    return first or _pages(scenario, frame, USUAL, apart=False, share=MAP_SHARES[-1])[0]


def head_notes(scenario: PackScenario) -> list[str]:
    """The line below the title."""
    return [scenario.played]


def _pages(
    scenario: PackScenario, frame: Frame, size: float, apart: bool, share: float
) -> tuple[list[list[Mark]], bool]:
    """The pages at a size of type with this share for the map, and whether the set-up is whole below the map."""
    top = frame.top - headline_height(frame, head_notes(scenario)) - HEAD_GAP
    flow = Flow(page_columns(frame, top, (share, 1 - share), GAP))
    if fit(scenario.name, 21, frame.width * 0.62, bold=True, min_size=13).cut:
        flow.put([Words(scenario.name, 13, bold=True)])
    flow.put(
        [
            Words(scenario.summary, size + 0.5),
            map_block(scenario.table_map, _side(scenario.table_map, flow.column.width)),
        ]
    )
    flow.put(steps("Set-up", scenario.setup, size, numbered=True))
    put_listed(flow, scenario.listed, min(size, 8.25))
    unparted = flow.column.page == 0 and flow.column.left == frame.left
    if unparted and apart:
        flow.next_column()
    flow.put(steps("Scoring", scenario.scoring, size))
    what = "Report these" if scenario.reported else "What can be scored"
    equal = all(a == b for _, a, b in scenario.worth)
    if any(a or b for _, a, b in scenario.worth):
        heads, of_one = ("Each player",) if equal else ("A", "B"), "" if scenario.reported else "VP of one player"
        columns = (Col(of_one), *(Col(head, "figure") for head in heads))
        put_table(flow, Table(columns, [row[: 2 if equal else 3] for row in scenario.worth]), [_heading(what, size)])
    else:
        labels = ", ".join(
            label[:1].lower() + label[1:] if label[1:2].islower() else label for label, _, _ in scenario.worth
        )
        flow.put([_heading(what, size), Words(f"Of each player: {labels}.", size)])
    flow.put([Words(line, size, before=5, indent=10, label="•") for line in scenario.limits])
    flow.put(steps("How we read it", scenario.readings, size))
    flow.put(steps("Questions for the organiser", scenario.queries, size))
    flow.put([Words(scenario.source, 8, before=8)])
    return flow.pages, unparted


def put_listed(flow: Flow, listed: Sequence[str], size: float) -> None:
    """A list to choose from, in as many columns as have room, with its numbers down each."""
    across = max(1, int(flow.column.width / (LISTED * size)))
    down = -(-len(listed) // across)
    padded = [*listed, *[""] * (across * down - len(listed))]
    if listed:
        rows = list(zip(*(padded[place * down : (place + 1) * down] for place in range(across)), strict=True))
        put_table(flow, Table((Col(""),) * across, rows, size=size, pad=1.0, title="The list", whole=True))


def _side(table: TableMap, width: float) -> float:
    return width - SIDE_ROOM - map_rooms(table)[1]


def _heading(text: str, size: float) -> Block:
    """A heading over text of this size: never the smaller of both."""
    return heading(text, max(11.0, size + 1.0))


def steps(head: str, lines: Sequence[str], size: float, *, numbered: bool = False) -> list[Block]:
    """Sentences under a heading, numbered or as a list."""
    shown = [line for line in lines if plain(line)]
    if not shown:
        return []
    indent = size * 1.6 if numbered else 10.0
    return [
        _heading(head, size),
        *(
            Words(line, size, before=3.5, indent=indent, label=f"{number}." if numbered else "•")
            for number, line in enumerate(shown, 1)
        ),
    ]
