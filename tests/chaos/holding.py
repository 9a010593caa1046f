"""F6, F8: somebody holds the database's lock: a backup, a shell, or a worker that hangs or dies within a change.

Who waits for a short while is served, who waits too long is told so within the time, with when to ask again; whoever
only reads notices nothing; and all goes on as soon as the lock is given back.
"""

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path

from models.db import BUSY_SECONDS, lock_file, open_engine
from tests.chaos.hall import Answer, Hall, open_hall
from tests.chaos.held import HOLD
from tests.chaos.history import SAVED, UNKNOWN, History, Sent, hold_against
from tests.chaos.outcome import Outcome, Size
from tests.chaos.phone import next_report
from tests.chaos.serving import Service, Warm

PLAYERS = 8
TOLD_WITHIN = BUSY_SECONDS + 3.0
"""Seconds; the phone gets an answer by then, whatever it says."""
READ_WITHIN = 2.0
ROUNDS = {"short": 1, "full": 10}


@dataclass
class Load:
    """A served hall, what was sent, and what was found."""

    hall: Hall
    service: Service
    hold: Path
    history: History
    outcome: Outcome
    versions: dict[int, int] = field(default_factory=dict)

    def report(self, table: int) -> Sent:
        """The next report of one table's first side, not sent yet."""
        at = self.hall.tables[table]
        version = self.versions.get(table, 0)
        self.versions[table] = version + 1
        one = next_report(at, version)
        self.history.add(one)
        return one

    def settle(self, one: Sent) -> None:
        """Send it until it is told what became of it."""
        for _ in range(6):
            if self.history.settle(one, self.service.port, self.hall.report_path) != UNKNOWN:
                return

    def send_once(self, one: Sent) -> Answer | None:
        """Send it one time; None where nobody answered in time."""
        one.began = one.began or time.monotonic()
        try:
            return one.browser.post(
                self.service.port, self.hall.report_path, one.fields, outbox=True, timeout=TOLD_WITHIN
            )
        except (OSError, HTTPException):
            return None


def run(size: Size, broken: str | None, *, fresh: Callable[[], str], warm: Warm, data: Path) -> Outcome:
    """Hold the lock in each way; everything that was found broken is told."""
    outcome, url = Outcome(), fresh()
    folder = data / (broken or "sound")
    folder.mkdir()
    hold = folder / "hold"
    service = Service(
        url,
        folder,
        made_by=f"tests.chaos.held:create_app('{broken or 'sound'}')",
        environment={HOLD: str(hold)},
        warm=warm,
    )
    load = Load(open_hall(url, PLAYERS), service, hold, History(), outcome)
    try:
        service.start()
        load.settle(load.report(0))
        for _ in range(ROUNDS[size] if broken is None else 1):
            _held_elsewhere(load, url)
            _worker_stops(load)
            _worker_dies(load)
    finally:
        hold.unlink(missing_ok=True)
        service.kill()
    hold_against(load.history, url, load.hall.tables, outcome)
    outcome.counts["acknowledged reports"] = sum(one.state == SAVED for one in load.history.sent)
    return outcome


def _held_elsewhere(load: Load, url: str) -> None:
    """Another process writes for a second: who reports waits, and who reads does not."""
    one = load.report(1)
    with _locked(url):
        waiting = threading.Thread(target=load.settle, args=(one,))
        waiting.start()
        until = time.monotonic() + 1
        while time.monotonic() < until:
            _read(load)
    waiting.join()
    load.outcome.counts["waited for another process"] += one.tries == 1 and one.state == SAVED
    if one.tries != 1 or one.state != SAVED:
        load.outcome.wrong.append(f"a second's wait ended {one.state} after {one.tries} tries")


def _worker_stops(load: Load) -> None:
    """A worker hangs with the lock in its hands: the others say so in time; it goes on, and so do they."""
    with _held(load) as (pid, first):
        os.kill(pid, signal.SIGSTOP)
        try:
            second = load.report(2)
            began = time.monotonic()
            answer = load.send_once(second)
            took = time.monotonic() - began
            if answer is None:
                load.outcome.wrong.append(f"nobody answered within {took:.1f} s while a worker held the lock")
            elif answer.status != 503 or "retry-after" not in answer.headers:
                load.outcome.wrong.append(f"while a worker held the lock: {answer.status} {answer.body[:100]}")
            else:
                load.outcome.counts["told in time that the database is busy"] += 1
            _read(load)
        finally:
            os.kill(pid, signal.SIGCONT)
    first.join()
    load.settle(second)


def _worker_dies(load: Load) -> None:
    """A worker is killed with the lock in its hands: the lock is free at once, and the phone sends again."""
    with _held(load) as (pid, first):
        os.kill(pid, signal.SIGKILL)
        load.settle(load.report(3))
        load.hold.unlink()
    first.join()
    load.outcome.counts["workers killed in a change"] += 1


@contextmanager
def _held(load: Load) -> Iterator[tuple[int, threading.Thread]]:
    """A report that a worker holds in the middle of: its process, and the phone that waits."""
    pid_file = load.hold.with_suffix(".held")
    pid_file.unlink(missing_ok=True)
    load.hold.touch()
    phone = threading.Thread(target=load.settle, args=(load.report(0),))
    phone.start()
    until = time.monotonic() + 30
    while not (pid_file.exists() and pid_file.read_text().endswith("\n")):
        assert time.monotonic() < until, f"no change was held:\n{load.service.log()}"
        time.sleep(0.01)
    try:
        yield int(pid_file.read_text()), phone
    finally:
        load.hold.unlink(missing_ok=True)


@contextmanager
def _locked(url: str) -> Iterator[None]:
    """Hold the lock that writers need, from outside of the service."""
    engine = open_engine(url)
    if engine.dialect.name == "sqlite":
        with engine.connect() as connection, connection.begin():
            lock_file(connection)
            yield
    else:
        with engine.connect() as connection, connection.begin():
            connection.exec_driver_sql("LOCK TABLE event IN EXCLUSIVE MODE")
            yield
    engine.dispose()


def _read(load: Load) -> None:
    """Somebody opens the round's page: in time, whoever holds what."""
    began = time.monotonic()
    answer = load.hall.tables[0].a.get(load.service.port, f"/e/{load.hall.slug}/rounds/1", timeout=30)
    took = time.monotonic() - began
    load.outcome.counts["pages read meanwhile"] += 1
    slowest = "milliseconds for such a page, at most"
    load.outcome.counts[slowest] = max(load.outcome.counts[slowest], round(took * 1000))
    if answer.status != 200 or took > READ_WITHIN:
        load.outcome.wrong.append(f"a page was answered {answer.status} after {took:.1f} s while the lock was held")
