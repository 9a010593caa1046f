"""What the journal costs. Run: ``python benchmarks/journal.py [--players 500] [--rounds 5]``, from the checkout.

Plays an event into a folder of its own and rebuilds it from its journal, then reports a whole round again, each result
a write of its own: once as it is, once with what was caught thrown away. Times are of the processor, so that a busy
machine does not move them; bytes are those of the rows' contents.
"""

import argparse
import json
import os
import platform
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import text
from sqlmodel import Session, SQLModel, func, select

import migrations
from events.journal.replay import replay
from events.play.queries import current_round, round_views
from models.capture import KEY
from models.db import open_engine, write
from models.event import Event
from models.play import Game, Report, ReportSide
from service.commands.demo import play_demonstration

TABLES = ("change_set", "row_change", "journal_entry", "journal_value")
SIZES = {
    "row_change": "SELECT sum(length(before) + length(after)) FROM row_change",
    "journal_entry": "SELECT sum(length(text) + length(details)) FROM journal_entry",
    "journal_value": "SELECT sum(length(packed)) FROM journal_value",
}
WHO = "benchmark"


def report_all(s: Session, event: Event, games: list[int], *, caught: bool) -> list[float]:
    """Correct every game once; milliseconds of the processor for each."""
    taken = []
    for id_ in games:
        start = time.process_time()
        with write(s, datetime.now(UTC), event):
            game = s.get_one(Game, id_)
            answers = game.answers or {}
            s.add(Report(game_id=id_, side=ReportSide.ORGANISER, answers=answers, by=WHO, at=event.changed_at))
            game.version += 1
            if not caught:
                s.info.pop(KEY).changes.clear()
        taken.append((time.process_time() - start) * 1000)
    return sorted(taken)


def measure(players: int, rounds: int) -> dict[str, float]:
    """Rows, bytes and times of one event."""
    found: dict[str, float] = {}
    with tempfile.TemporaryDirectory(prefix="overseer-journal-") as folder:
        path = Path(folder) / "overseer.sqlite3"
        engine = open_engine(f"sqlite:///{path}")
        migrations.upgrade(engine)
        empty = path.stat().st_size
        slug = play_demonstration(engine, players=players, rounds=rounds, seed=7, leave_open=False)
        with engine.connect() as connection:
            connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
            found["database, bytes"] = path.stat().st_size - empty
            for table in TABLES:
                count = select(func.count()).select_from(SQLModel.metadata.tables[table])
                found[f"{table}, rows"] = connection.execute(count).scalar_one()
            for name, size in SIZES.items():
                found[f"{name}, bytes"] = connection.execute(text(size)).scalar_one()
        with Session(engine, expire_on_commit=False) as s:
            event = s.exec(select(Event).where(Event.slug == slug)).one()
            start = time.process_time()
            replayed = replay(s, event)
            assert replayed.difference is None
            found["replay, seconds"] = time.process_time() - start
            found["replay, changes"] = replayed.changes
            view = current_round(round_views(s, event))
            assert view is not None
            games = [game.id for game in view.games if game.b_id is not None]
            for name, caught in (("with", True), ("without", False)):
                taken = report_all(s, event, games, caught=caught)
                found[f"a result {name} its rows, median ms"] = taken[len(taken) // 2]
                found[f"a result {name} its rows, p99 ms"] = taken[int(0.99 * len(taken))]
        engine.dispose()
    return found


def main() -> None:
    """Measure, and print a table and the same as JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--players", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=5)
    wanted = parser.parse_args()
    found = measure(wanted.players, wanted.rounds)
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    print(f"{wanted.players} players, {wanted.rounds} rounds; times of the processor")
    for name, value in found.items():
        print(f"{name:44} {value:14,.2f}" if isinstance(value, float) else f"{name:44} {value:14,}")
    print(json.dumps(found))


if __name__ == "__main__":
    main()
