"""F9, R4: PostgreSQL is stopped at once and started again while phones report; no acknowledged report is lost."""

import random
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psycopg
from sqlalchemy import make_url

from tests.chaos.hall import Hall, Table, open_hall
from tests.chaos.history import SAVED, UNKNOWN, History, Sent, count_reports, hold_against
from tests.chaos.outcome import Outcome, Size
from tests.chaos.phone import next_report
from tests.chaos.serving import Service, Warm
from tests.kit.postgres import PostgresServer

PHONES = 6
RESTARTS = {"short": 2, "full": 100}
IN_CONTROL = 12
ANSWERED = 8
"""Reports that are answered between two restarts, at least."""
RECOVERS_WITHIN = 5.0
GIVES_UP_AFTER = 60.0
"""Seconds without an answer after which a phone counts as unanswered."""


@dataclass
class Load:
    """What the phones of one database share."""

    hall: Hall
    history: History
    port: int
    over: threading.Event = field(default_factory=threading.Event)

    def settle(self, one: Sent) -> str:
        """Send a report to the current server. Returns its answer, or UNKNOWN."""
        return self.history.settle(one, self.port, self.hall.report_path)


def run(
    size: Size, broken: str | None, *, fresh: Callable[[], str], server: PostgresServer, warm: Warm, data: Path,
    seed: int,
) -> Outcome:  # fmt: skip
    """Stop and start the database so often; everything found broken is reported."""
    outcome, dice, url = Outcome(), random.Random(seed), fresh()
    wait_for_the_log(url)
    hall = open_hall(url, 2 * PHONES)
    service = Service(url, data / (broken or "sound"), broken=broken, warm=warm)
    load = Load(hall, History(), service.port)
    try:
        service.start()
        with reporting(load, hall.tables):
            for _ in range(IN_CONTROL if broken else RESTARTS[size]):
                wait_until_saved(load, ANSWERED)
                if load.over.is_set():
                    break  # a phone got another answer than before: that is a fault
                time.sleep(dice.uniform(0, 0.2))
                server.crash()
                time.sleep(dice.uniform(0, 0.3))
                server.start()
                outcome.counts["restarts"] += 1
                look_how_soon(load, outcome, time.monotonic(), "the database's start", RECOVERS_WITHIN)
    finally:
        service.kill()
    hold_against(load.history, url, hall.tables, outcome)
    count_reports(load.history, outcome)
    return outcome


def wait_for_the_log(url: str) -> None:
    """Let this database's commits wait until they are written, as PostgreSQL does by default."""
    address = make_url(url)
    name = str(address.database)
    with psycopg.connect(host=str(address.query["host"]), user="overseer", dbname=name, autocommit=True) as connection:
        connection.execute("SET synchronous_commit = on")
        connection.execute(f'ALTER DATABASE "{name}" SET synchronous_commit = on'.encode())


def wait_until_saved(load: Load, more: int) -> None:
    """Wait until so many more reports were saved."""
    enough, until = load.history.counts[SAVED] + more, time.monotonic() + GIVES_UP_AFTER
    while load.history.counts[SAVED] < enough and time.monotonic() < until and not load.over.is_set():
        time.sleep(0.005)


def look_how_soon(load: Load, outcome: Outcome, began: float, what: str, within: float) -> None:
    """Wait for the next saved report and keep how long it took since ``what`` began; within so many seconds it must."""
    wait_until_saved(load, 1)
    took = time.monotonic() - began
    slowest = f"milliseconds from {what} to the next saved report, at most"
    outcome.counts[slowest] = max(outcome.counts[slowest], round(took * 1000))
    if took > within:
        outcome.wrong.append(f"nothing was saved for {took:.1f} s from {what} on")


@contextmanager
def reporting(load: Load, tables: Sequence[Table]) -> Iterator[None]:
    """A phone for each of these tables reports again and again until the block ends."""
    with at_once([threading.Thread(target=keep_reporting, args=(load, table)) for table in tables], load.over):
        yield


@contextmanager
def at_once(threads: Sequence[threading.Thread], over: threading.Event) -> Iterator[None]:
    """They run until the block ends, which ``over`` tells them, and have ended after it."""
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        over.set()
        for thread in threads:
            thread.join()


def keep_reporting(load: Load, table: Table) -> None:
    """One side of one table: report, and send again with the same key until it is answered."""
    version = 0
    while not load.over.is_set():
        one = next_report(table, version)
        load.history.add(one)
        until = time.monotonic() + GIVES_UP_AFTER
        while load.settle(one) == UNKNOWN and time.monotonic() < until:
            time.sleep(0.1)
        if one.state != SAVED:
            load.over.set()
        version += 1
