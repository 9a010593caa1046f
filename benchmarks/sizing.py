"""What events leave in the database. Run: ``python -m benchmarks.sizing``, from the checkout.

Plays events by the actions that the pages call, into a PostgreSQL of its own, and measures rows, bytes on disk with
indexes, bytes of a compressed dump, and bytes of write-ahead log. Force lists are saved and submitted for everyone.
"""

import os
import tempfile
import time
from pathlib import Path
from typing import Any

import psycopg
from sqlalchemy import make_url

from models.db import open_engine
from service.backups import postgres
from service.commands.demo import play_demonstration
from tests.kit.postgres import TEMPLATE, PostgresServer, client_programs, running_postgres

EVENTS = ((32, 5), (200, 6))
"""Players and rounds."""
TABLES = """
SELECT relname, pg_total_relation_size(relid) FROM pg_stat_user_tables ORDER BY 2 DESC
"""


def main() -> None:
    os.environ["PATH"] = f"{client_programs()}{os.pathsep}{os.environ['PATH']}"
    print("PostgreSQL, sizes in kB (1,000 bytes); an empty database is subtracted")
    with running_postgres({"fsync": "off", "autovacuum": "off"}) as server:
        for number, (players, rounds) in enumerate(EVENTS):
            measure(server, f"sizing_{number}", players, rounds)


def measure(server: PostgresServer, name: str, players: int, rounds: int) -> None:
    """Play one event into a fresh database and print what it left."""
    server.create(name, TEMPLATE)
    url = server.url(name)
    with psycopg.connect(url, autocommit=True) as s:
        before, began = sizes(s), log_position(s)
        engine = open_engine(url)
        start = time.perf_counter()
        play_demonstration(engine, players=players, rounds=rounds, seed=7, leave_open=False)
        taken = time.perf_counter() - start
        engine.dispose()
        log = log_position(s) - began
        s.execute("VACUUM FULL")
        after = sizes(s)
        games = one(s, "SELECT count(*) FROM game")
        reports = one(s, "SELECT count(*) FROM report")
        print(f"\n{players} players, {rounds} rounds, {games} games, {reports} reports; played in {taken:.0f} s")
        print(f"{'table':24}{'rows':>8}{'kB':>8}")
        total = rows = 0
        for table, size in sorted(after.items(), key=lambda pair: -pair[1]):
            count = one(s, f'SELECT count(*) FROM "{table}"')  # noqa: S608 - the name of a table of ours
            more = size - before.get(table, 0)
            total, rows = total + more, rows + count
            if more > 0:
                print(f"{table:24}{count:8,}{more / 1000:8,.0f}")
        print(f"{'all':24}{rows:8,}{total / 1000:8,.0f}")
    with tempfile.TemporaryDirectory() as folder:
        dump = Path(folder) / "dump"
        postgres(make_url(url), "pg_dump", "--format=custom", f"--file={dump}")
        print(f"compressed dump {dump.stat().st_size / 1000:,.0f} kB; write-ahead log {log / 1000:,.0f} kB")
    server.drop(name)


def sizes(s: psycopg.Connection[Any]) -> dict[str, int]:
    """Bytes of each table with its indexes."""
    return {table: int(size) for table, size in s.execute(TABLES).fetchall()}


def log_position(s: psycopg.Connection[Any]) -> int:
    """Bytes of write-ahead log since the server was made."""
    return one(s, "SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint")


def one(s: psycopg.Connection[Any], query: str) -> int:
    """The only number that a query returns."""
    row = s.execute(query.encode()).fetchone()
    assert row is not None
    return int(row[0])


if __name__ == "__main__":
    main()
