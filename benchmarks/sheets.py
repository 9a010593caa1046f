"""How many sheets are printed in a second. Run: ``python -m benchmarks.sheets [--tables 100] [--players 200]``.

For each game, with sample forces and without a database or a server: the scoresheets of a round, on whole pages and on
halves, and the sheets to play with of all players. Seconds are those of the processor: other work does not change them.
"""

import argparse
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial

from events.papers.force_sheets import on_paper
from events.papers.scoresheets import blank_sheet
from models.event import Event
from pdf.game_sheet import GameSheet, draw_game_sheets
from pdf.page import render
from pdf.scoresheet import draw_scoresheets
from pdf.sheet_data import Scoresheet, SheetPlayer
from validators import SYSTEMS
from validators.contract import Terms
from validators.game_system import GameSystem

NOW = datetime(2026, 11, 28, 12, tzinfo=UTC)


def round_of(system: GameSystem, tables: int) -> Iterator[Scoresheet]:
    """The scoresheets of a round, with the losses of forces of two players each."""
    event = Event(system=system.id, name="Wasteland Open", round_minutes=90, size=system.default_size)  # type: ignore[call-arg]
    terms = Terms(system.editions[0], system.default_size)
    blank = blank_sheet(event, 1, system.scenarios[0])
    for table in range(1, tables + 1):
        players = tuple(SheetPlayer(f"Player {2 * table + place}", "Faction", "Club", 150) for place in range(2))
        factions = [terms.edition.factions[(table + place) % len(terms.edition.factions)] for place in range(2)]
        forces = [system.forces.sample(terms, faction, table) for faction in factions]
        find = system.papers.losses
        losses = tuple(replace(find(force, terms.edition), title="Losses") for force in forces) if find else ()
        yield replace(blank, table=table, a=players[0], b=players[1], losses=losses, code=f"CODE{table:06}")


def own_sheets(system: GameSystem, players: int) -> Iterator[GameSheet]:
    """The sheets to play with of all players."""
    terms = Terms(system.editions[0], system.default_size)
    for number in range(players):
        faction = terms.edition.factions[number % len(terms.edition.factions)]
        for sheet in system.papers.sheets(system.forces.sample(terms, faction, number), terms):
            yield GameSheet(sheet.title, (sheet.subtitle,), on_paper(sheet.blocks), f"Player {number}")


def per_second(count: int, draw: Callable[[], bytes]) -> str:
    """How many of ``count`` sheets are drawn in a second of the processor's time."""
    begun = time.process_time()
    draw()
    return f"{count / (time.process_time() - begun):.0f}"


def main() -> None:
    """Print a line for each game."""
    parser = argparse.ArgumentParser(description="Sheets printed in a second")
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--players", type=int, default=200)
    asked = parser.parse_args()
    print(f"{'a second':16}", *(f"{head:>8}" for head in ("whole", "halves", "to play")))
    for system in SYSTEMS.values():
        sheets = list(round_of(system, asked.tables))
        drawn = partial(render, draw_scoresheets, "A4", "", "Open", NOW)
        drawn(sheets[:1])  # loads the fonts
        line = [per_second(len(sheets), partial(drawn, sheets, each)) for each in (1, 2)]
        if system.papers.has_sheets:
            own = list(own_sheets(system, asked.players))
            line.append(per_second(len(own), partial(render, draw_game_sheets, "A4", "", "Open", NOW, own)))
        print(f"{system.id:16}", *(f"{figure:>8}" for figure in line))


if __name__ == "__main__":
    main()
