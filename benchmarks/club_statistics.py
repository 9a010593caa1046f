"""The club's statistics over 100 events with 10,000 games. Run: ``python -m benchmarks.club_statistics``.

Fills a database in a temporary folder: in each event 40 players with legal lists play five rounds, both players report.
Printed is the processor time of the calculation in a new process (all read and counted), with and without lists, and
from the figures kept for each event, as every later page has it.
"""

import random
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlalchemy import Engine, insert
from sqlmodel import Session, SQLModel

import migrations
from events.setup.actions import create_event, default_settings
from events.standings.statistics_figures import added
from events.standings.statistics_pictures import sections
from events.standings.statistics_queries import counted_events, load_tally
from events.store.rounds import rounds_of
from models.db import open_engine, write
from models.event import Event, EventState, RoundState
from models.play import ForceList, Game, GameState, Player, PlayerState, Report, ReportSide
from validators import SYSTEMS
from validators.contract import Terms

EVENTS, PLAYERS, ROUNDS = 100, 40, 5
NOW = datetime(2026, 12, 5, 9, tzinfo=UTC)
GAME = SYSTEMS["battle_mode"]


def fill(engine: Engine, chance: random.Random) -> None:
    """Store the events as rows: playing them by their actions would take an hour."""
    edition = GAME.editions[0]
    lists = [
        GAME.forces.sample(Terms(edition, GAME.default_size), faction, seed)
        for faction in edition.factions for seed in range(3)
    ]  # fmt: skip
    rows: dict[type[SQLModel], list[dict[str, object]]] = {Player: [], ForceList: [], Game: [], Report: []}
    with Session(engine) as s:
        for number in range(EVENTS):
            with write(s, NOW):
                settings = default_settings(GAME.id, f"Open {number}", "Hall", NOW.date(), "UTC", NOW)
                event = create_event(
                    s, settings.model_copy(update={"rounds": ROUNDS, "scenarios": ("",) * ROUNDS}), "benchmark", NOW
                )
                event.state, event.lists_locked_at, event.lists_revealed_at = EventState.FINISHED, NOW, NOW
            add_event(s, event, lists, rows, chance)
    with engine.begin() as connection:
        for table, values in rows.items():
            connection.execute(insert(table), values)


def add_event(
    s: Session, event: Event, lists: list[dict[str, object]], rows: dict[type[SQLModel], list[dict[str, object]]],
    chance: random.Random,
) -> None:  # fmt: skip
    """Publish the event's rounds, and add the rows of its players and games."""
    first = len(rows[Player]) + 1
    for id_ in range(first, first + PLAYERS):
        force = chance.choice(lists)
        rows[Player].append({
            "id": id_, "event_id": event.id, "name": f"Player {id_}", "name_key": f"player {id_}",
            "faction": force["faction"], "state": PlayerState.CHECKED_IN, "registered_at": NOW,
        })  # fmt: skip
        rows[ForceList].append({"player_id": id_, "submitted_at": NOW, "saved_at": NOW, "document": force})
    with write(s, NOW, event):
        for a_round in rounds_of(s, event):
            starts = NOW + timedelta(hours=3 * a_round.number)
            scenario = chance.choice(GAME.scenarios)
            a_round.state, a_round.scenario, a_round.published_at = RoundState.PUBLISHED, scenario.id, starts
            a_round.started_at, a_round.minutes = starts, 150
            seats = chance.sample(range(first, first + PLAYERS), PLAYERS)
            for table, (a, b) in enumerate(zip(seats[::2], seats[1::2], strict=True), start=1):
                answers = {
                    q.key: chance.choice(q.choices) if q.kind == "choice" else chance.randint(0, min(q.most, 3))
                    for q in scenario.questions
                }  # fmt: skip
                id_ = len(rows[Game]) + 1
                rows[Game].append({
                    "id": id_, "round_id": a_round.id, "table_number": table, "a_id": a, "b_id": b, "code": f"C{id_}",
                    "notes": [], "state": GameState.CONFIRMED, "answers": answers,
                })  # fmt: skip
                rows[Report] += [
                    {"game_id": id_, "side": side, "answers": answers, "by": "x", "at": starts + timedelta(minutes=140)}
                    for side in (ReportSide.A, ReportSide.B)
                ]


def measured(what: str, work: Callable[[], object]) -> None:
    """Print the best of three runs, in milliseconds of processor time."""
    taken = []
    for _ in range(3):
        start = time.process_time()
        work()
        taken.append(time.process_time() - start)
    print(f"{what:<34} {min(taken) * 1000:6.0f} ms")


def main() -> None:
    """Fill the database and measure."""
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{Path(folder) / 'club.sqlite3'}"
        engine = open_engine(url)
        migrations.upgrade(engine)
        fill(engine, random.Random(1))
        with Session(engine) as s:
            events = counted_events(s)
            kept = [load_tally(s, event, NOW) for event in events]
            total = added(kept)
            print(f"{len(events)} events, {total.totals['games']} games, {total.totals['lists']} lists")
            measured("all read and counted", lambda: added(load_tally(s, event, NOW) for event in counted_events(s)))
            measured("events kept, with the charts", lambda: sections(added(kept), GAME, {}))
            with write(s, NOW):
                for event in events:
                    event.lists_locked_at = event.lists_revealed_at = None
                    event.list_deadline = NOW + timedelta(days=1)
            measured("without lists", lambda: added(load_tally(s, event, NOW) for event in counted_events(s)))
        engine.dispose()


if __name__ == "__main__":
    main()
