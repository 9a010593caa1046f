"""Samples that the sheet tests share, and the reading back of what was printed."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from pdf.score_grids import MarkerGrid, VpGrid
from pdf.scoresheet import Scoresheet, SheetPlayer
from pdf.table_map import MapMarker, TableMap

RULERS = ((6.0, "Red"), (12.0, "Black"), (18.0, "Black + Red"), (24.0, "2 × Black"))
KINDS = (
    "Locked Safe",
    "Hidden Item",
    "Secure Console",
    "Passing Wastelander",
    "Trophy Wrack",
    "Trick Shot",
)


@pytest.fixture
def printed_at() -> datetime:
    return datetime(2026, 11, 20, 14, 5, tzinfo=ZoneInfo("Europe/Warsaw"))


@pytest.fixture
def extract_sheet() -> Scoresheet:
    """Extract the Information: a scenario with a choice, a limit for both together and a round that cannot score."""
    return Scoresheet(
        event="Autumn Wasteland Open",
        round_number=2,
        minutes=90,
        table=7,
        a=SheetPlayer(
            "Zofia Wiśniewska",
            "Brotherhood of Steel",
            "Vault 13 Kraków",
            748,
            "Leader: Paladin Danse, Tactician",
        ),
        b=SheetPlayer("Miles O'Hara", "Super Mutants", "", 750, "Leader: Super Mutant Brute"),
        unit="Caps",
        scenario="Extract the Information",
        setup=(
            "Three Searchable Markers with the computer sign stand on the centre line: one in the middle, one 12″ (Black) from either side edge.",
            "Both roll 2 Black dice; the higher roll picks an edge. The other decides who deploys first.",
            "Deploy by turns, one model at a time, within 6″ (Red) of the own edge. Who is done first takes the Advantage Marker and says who has priority in round 1.",
        ),
        scoring=(
            "Before the game each side chooses: hackers or smashers. Both may choose the same.",
            "From round 2 a hacker's model in base contact with a marker scores 1 VP by passing a Use Computers test; a smasher's by an Agility test.",
            "Each marker gives its point once a round. The game lasts 6 rounds; more VP wins, even with no model left.",
        ),
        table_map=TableMap(
            36, 6, (MapMarker(12, 18, "1"), MapMarker(18, 18, "2"), MapMarker(24, 18, "3")), RULERS
        ),
        grid=VpGrid(
            (0, 3, 3, 3, 3, 3),
            (0, 3, 3, 3, 3, 3),
            "Both players together: at most 3 VP a round",
            ("Hackers", "Smashers"),
        ),
        objectives=MarkerGrid(
            KINDS, 5, "Each kind at most twice. Secret until turned face up: tick the kind then."
        ),
        url="https://desk.example.org/g/7K3QX2",
        code="7K3 QX2",
        address="desk.example.org/g",
    )
