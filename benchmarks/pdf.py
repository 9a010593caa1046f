"""The scoresheets that one core draws in a second, the size of the file, and the memory used.

Run: ``python benchmarks/pdf.py [tables]``. Every sheet has its own names, address and code; the scenarios' maps are
shared, as in a real round. The aim is 150 sheets a second on one core, one or two to a page, and less than 200 MB.
Processor time is measured, which other work on the machine changes little.
"""

import resource
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

# This file has the name of the package that it measures: import the package, not this file.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from pdf.scoresheet import scoresheets
from pdf.sheet_data import MarkerGrid, Scoresheet, SheetPlayer, VpGrid
from pdf.table import Col
from pdf.table_map import TableMap
from pdf.wall import (
    PairedPlayer,
    PairingRow,
    RoundPairings,
    Standings,
    pairings_by_name,
    pairings_by_table,
    standings_sheet,
)
from validators.measures import Measure
from validators.scenario import Marker

PRINTED = datetime(2026, 11, 20, 14, 5, tzinfo=UTC)
FIRST = ("Zofia", "Юлия", "Łukasz", "山田", "김민수", "Chloë", "مريم", "Owen", "🦊 Fox")
LAST = ("Wiśniewska", "Кузнецова", "O'Hara", "Featherstonehaugh-Cholmondeley", "Nguyễn", "García")
MAPS = (
    ("Hold the Line", ((6, 18), (30, 18))),
    ("Defend Your Stash", ((12, 12), (18, 18), (24, 24))),
    ("Extract the Information", ((12, 18), (18, 18), (24, 18))),
    ("Raiders", ((12, 6), (18, 6), (24, 6), (12, 30), (18, 30), (24, 30))),
    ("Scrapyard", ((12, 18), (18, 18), (24, 18))),
)
RULERS = (
    Measure(0, 12, 0, "Black 12″", ((0, 12, "#000000"),)),
    Measure(24, 36, 0, "Black 12″", ((24, 36, "#000000"),)),
    Measure(0, 18, 1, "Black + Red 18″", ((0, 12, "#000000"), (12, 18, "#E6332B"))),
)
KINDS = ("Locked Safe", "Hidden Item", "Secure Console", "Passing Wastelander", "Trophy Wrack", "Trick Shot")
TEXT = "Players place one model at a time, within Red (6 inches) of their own edge, until all are down."


def name(number: int) -> str:
    """A different name for each number, in one of several scripts."""
    return f"{FIRST[number % len(FIRST)]} {LAST[number % len(LAST)]} {number}"


def sheet(table: int) -> Scoresheet:
    """One table of a large event."""
    scenario, places = MAPS[table % len(MAPS)]
    return Scoresheet(
        event="Autumn Wasteland Open",
        round_number=2,
        minutes=90,
        table=table,
        a=SheetPlayer(name(2 * table), "Brotherhood of Steel", "Vault 13 Kraków", 748, "Leader: Paladin Danse"),
        b=SheetPlayer(name(2 * table + 1), "Super Mutants", "Leeds Nightowls", 750, "Leader: Brute"),
        unit="Caps",
        scenario=scenario,
        setup=(TEXT,) * 6,
        scoring=(TEXT,) * 2,
        table_map=TableMap(36, 6, tuple(Marker(x, y, "Cache") for x, y in places), RULERS, RULERS[2:]),
        grid=VpGrid((0, 3, 3, 3, 3, 3), (0, 3, 3, 3, 3, 3), "Both together: at most 3 a round"),
        objectives=MarkerGrid(KINDS, 5, "No kind more than twice"),
        url=f"https://desk.example.org/g/{table:06}",
        code=f"{table:06}",
        address="desk.example.org/g",
    )


def measure(title: str, pages: int, document: bytes, seconds: float) -> None:
    """Print one line of the result."""
    print(f"{title:34} {pages / seconds:7.0f} a second {seconds:6.2f} s {len(document) / 1e6:6.2f} MB")


def main(tables: int) -> None:
    """Draw everything once and print the figures; raises SystemExit if the aim is missed."""
    scoresheets([sheet(1)], "A4", PRINTED)  # reads the fonts
    sheets = [sheet(table) for table in range(1, tables + 1)]
    start = time.process_time()
    document = scoresheets(sheets, "A4", PRINTED)
    took = time.process_time() - start
    measure(f"{tables} scoresheets", tables, document, took)

    sheets = [sheet(table) for table in range(tables + 1, 2 * tables + 1)]  # other names and codes than the first
    start = time.process_time()
    halves = scoresheets(sheets, "A4", PRINTED, 2)
    took_halves = time.process_time() - start
    measure(f"{tables} scoresheets, two to a page", tables, halves, took_halves)

    rows = tuple(
        PairingRow(n, PairedPlayer(name(2 * n), "Reds", "Survivors"), PairedPlayer(name(2 * n + 1), "Blues"))
        for n in range(1, tables + 1)
    )
    pairings = RoundPairings("Autumn Wasteland Open", 2, rows, "Raiders", "starts 14:15")
    for title, draw in (("pairings by table", pairings_by_table), ("pairings by name", pairings_by_name)):
        start = time.process_time()
        listed = draw(pairings, "A4", PRINTED)
        measure(f"{title}, {tables} tables", tables, listed, time.process_time() - start)

    columns = (Col("#", "figure"), Col("Player", strong=True), Col("TP", "figure"))
    players = tuple((str(n), name(n), str(tables - n)) for n in range(1, 2 * tables + 1))
    start = time.process_time()
    standings = standings_sheet(Standings("Autumn Wasteland Open", 2, columns, players), "A4", PRINTED)
    measure(f"standings, {2 * tables} players", 2 * tables, standings, time.process_time() - start)

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak memory {peak:.0f} MB")
    if tables / max(took, took_halves) < 150 or peak > 200:
        raise SystemExit("The aim is missed: 150 scoresheets a second, 200 MB")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 500)
