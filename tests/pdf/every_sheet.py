"""Every sheet with given names on it, for tests of properties that all sheets share.

A drawing function of ``pdf`` that is missing here fails ``test_pdf_every_sheet``.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial

from pdf import wall
from pdf.badges import Badge, draw_badges
from pdf.bracket import Bracket, BracketMatch, Side, draw_bracket
from pdf.force_card import ForceCard, Gear, Unit, draw_force_cards
from pdf.game_sheet import GameSheet, draw_game_sheets
from pdf.packs import EventPack, draw_event_pack
from pdf.page import PageSize
from pdf.reference_sheet import Reference
from pdf.scenario_page import PackScenario, TableSetup, draw_scenario_sheets, draw_table_setups
from pdf.scoresheet import draw_scoresheets
from pdf.sheet_data import Scoresheet
from pdf.signs import (
    Certificate,
    Poster,
    TableStand,
    draw_certificates,
    draw_poster,
    draw_table_stands,
)
from pdf.table import Col, Table
from pdf.table_map import ScenerySpot, TableMap
from tests.pdf.samples import EXTRACT, as_pdf
from validators.contract import Rule
from validators.scenario import Marker
from validators.sheet import Lines, ReferencePart

EVENT = EXTRACT.event
MAP = TableMap(36, 6, (Marker(12, 18, "1"), Marker(24, 18, "2")))
Names = Sequence[str]
Sheet = Callable[[Names, PageSize, datetime], bytes]


def some_pairings(names: Names) -> wall.RoundPairings:
    rows = [
        wall.PairingRow(table, wall.PairedPlayer(name, "Reds", "Survivors"), wall.PairedPlayer(f"Opponent {table}"))
        for table, name in enumerate(names, 1)
    ]
    return wall.RoundPairings(2, tuple(rows), "Raiders", "starts 14:15")


def a_scoresheet(table: int, name: str) -> Scoresheet:
    url = f"https://desk.example.org/g/{table:06}"
    return replace(EXTRACT, table=table, a=replace(EXTRACT.a, name=name), table_map=MAP, url=url, code=f"{table:06}")


def _standings(names: Names) -> wall.Standings:
    columns = (Col("#", "figure"), Col("Player", strong=True), Col("TP", "figure"))
    return wall.Standings("After round 2", columns, tuple((str(rank), name, "3") for rank, name in enumerate(names, 1)))


REFERENCE = Reference(
    "Battle Mode", (ReferencePart("Markers", "Objectives", ("Marker", "Test"), (("Safe", "Pick"),), ("One VP.",)),)
)


def _pack(names: Names) -> EventPack:
    return EventPack(
        event=EVENT, game="Battle Mode", force="force", when="5 December 2026", where="Town Hall",
        rows=((("About", tuple(("", name) for name in names)),), (("Rules", (("Force", "Up to 750 Caps."),)),)),
        game_rules=(Rule("bm.size", "Size", "No more Caps than the event's size.", "Rulebook"),), scenarios=(),
        reference=REFERENCE, codes=(("Event page", "https://desk.example.org/e/open"),),
    )  # fmt: skip


def _game_sheet(name: str) -> GameSheet:
    table = Table((Col("Model"), Col("Caps", "figure")), ((name, "25"),), title="Models")
    return GameSheet(name, (name,), (table, Lines("Remarks", (name,))))


def _plan(names: Names) -> wall.RoundPlan:
    rounds = tuple(wall.PlannedRound(number, "Sat 10:00", 90, name) for number, name in enumerate(names, 1))
    return wall.RoundPlan("Town Hall", rounds, ("Three rounds of 90 minutes.",))


def _card(name: str) -> ForceCard:
    gear = (Gear("Hunting Rifle 20; 2 × Stimpak: 2 × 5 = 10"),)
    return ForceCard(
        name, "Reds", "Survivors", name, "45", "of 750 Caps", (Unit(name, "45", ("Leader",), gear),), "Legal",
        "✓", "Force list", "Locked 5 Dec 2026, 18:00", "List no. 01234567", "Battle Mode", (name,), signed=True,
        ticks="Tick when checked",
    )  # fmt: skip


def _scenario(name: str) -> PackScenario:
    return PackScenario(
        name, "Round 2", name, MAP, (name,), (("Scoring", ("Each marker scores.",)), (name, (name,))),
        (("Game round 1", "0–3", "0–3"),), (), "",
    )  # fmt: skip


def a_setup(table: int, name: str) -> TableSetup:
    spots = (ScenerySpot(9, 9, "disc", "wall"),) if table % 2 else ()
    return TableSetup(f"Table {table}: {name}", "Round 2", MAP, spots, 4, (name,), needs=(name,))


DRAWN: dict[Callable[..., None], Callable[[Names], object]] = {
    draw_badges: lambda names: [Badge(name, "Reds", "Survivors", "https://desk.example.org/p/x") for name in names],
    draw_bracket: lambda names: Bracket([("Final", [BracketMatch(Side(names[0], "1"), Side(names[-1], "2"))])]),
    draw_certificates: lambda names: [
        Certificate(name, "Champion", "rank 1", "5 December 2026", ("Judge",)) for name in names
    ],
    draw_event_pack: _pack,
    draw_force_cards: lambda names: [_card(name) for name in names],
    draw_game_sheets: lambda names: [_game_sheet(name) for name in names],
    wall.draw_pairings_by_name: some_pairings,
    wall.draw_pairings_by_table: some_pairings,
    wall.draw_round_plan: _plan,
    draw_scenario_sheets: lambda names: [_scenario(name) for name in names],
    draw_poster: lambda _: Poster(
        ("5 December 2026", "The old hall"), "Scan the code", "https://desk.example.org/e/open"
    ),
    draw_scoresheets: lambda names: [a_scoresheet(table, name) for table, name in enumerate(names, 1)],
    wall.draw_standings: _standings,
    draw_table_setups: lambda names: [a_setup(table, name) for table, name in enumerate(names, 1)],
    draw_table_stands: lambda names: [TableStand(number) for number in range(1, len(names) + 1)],
}


def _sheet(draw: Callable[..., None], names: Names, size: PageSize, at: datetime) -> bytes:
    return as_pdf(draw, size, DRAWN[draw](names), event=EVENT, at=at)


SHEETS: dict[str, Sheet] = {f"{draw.__module__}.{draw.__name__}": partial(_sheet, draw) for draw in DRAWN}
"""By module and function: each draws its sheet, or its sheets, with all of these names on them."""
WITHOUT_FOOT = {
    "pdf.signs.draw_certificates": "is hung on a wall: no hour of printing, no number of a page",
    "pdf.signs.draw_poster": "the same",
}
"""Sheets without time and page numbers, and the reason."""
COUNTED_APART = {
    "pdf.force_card.draw_force_cards": "each card counts its own parts",
}
"""Documents of several sheets."""
WITHOUT_NAMES = {
    "pdf.bracket.draw_bracket": "is drawn with one match",
    "pdf.signs.draw_table_stands": "has numbers alone",
    "pdf.signs.draw_poster": "is about the event",
}
"""Sheets without names of people, and the reason."""
