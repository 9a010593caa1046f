"""R8, F20: copies made while somebody writes, each put back elsewhere and looked at.

A writer raises a number in the event, change by change, and knows which are acknowledged. A copy made meanwhile must
hold every change that was acknowledged before it began, none that was not begun when it ended, and keep every promise.
While a copy is put back and looked at, the writer rests: the journal would grow the longer that takes, and that takes
the longer, the more stands in the journal.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import Engine
from sqlmodel import Session, select

from events.backups import NoBackup, back_up, folder_of
from events.restoring import restore
from events.settings import Settings
from models.db import open_engine, write
from models.event import Event
from tests.actions.stage import Stage
from tests.chaos.broken import build
from tests.chaos.outcome import Outcome, Size
from tests.chaos.serving import SECRET
from tests.conftest import Clock

COPIES: dict[Size, int] = {"short": 3, "full": 100}
FIRST = 20
"""Changes before each copy that it has to hold, beside those of before."""
PATIENCE = 60.0


@dataclass
class Writer:
    """Somebody who raises a number in an event without end, but for rests; and how far it came."""

    engine: Engine
    event_id: int | None
    begun: int = 0
    acknowledged: int = 0
    goes_on: threading.Event = field(default_factory=threading.Event)
    ended: threading.Event = field(default_factory=threading.Event)

    def work(self) -> None:
        """Raise it until it has ended."""
        with Session(self.engine) as s:
            row = s.get_one(Event, self.event_id)
            while self.goes_on.wait() and not self.ended.is_set():
                self.begun += 1
                with write(s, datetime.now(UTC), row):
                    row.size += 1
                self.acknowledged += 1

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """It writes from before the block until after it."""
        first = self.acknowledged + FIRST
        self.goes_on.set()
        until = time.monotonic() + PATIENCE
        while self.acknowledged < first:
            assert time.monotonic() < until, "nothing is written"
            time.sleep(0.001)
        try:
            yield
        finally:
            self.goes_on.clear()


def run(size: Size, broken: str | None, *, fresh: Callable[[], str], folder: Path) -> Outcome:
    """Copy under load, put each copy back into a service of its own, and compare."""
    outcome, url = Outcome(), fresh()
    apart = None if url.startswith("sqlite") else fresh()
    engine = open_engine(url)
    stage = Stage(engine, Clock(datetime.now(UTC)))
    event = stage.event(places=None)
    stage.enter(event, "Ada", "Bo")
    base, writer = event.size, Writer(engine, event.id)
    stage.s.close()
    thread = threading.Thread(target=writer.work)
    thread.start()
    try:
        for n in range(COPIES[size]):
            data = folder / f"{broken}{n}"
            elsewhere = apart or f"sqlite:///{data / 'overseer.sqlite3'}"
            _copied(outcome, writer, data, elsewhere, base, broken)
            if broken is not None and outcome.wrong:
                break
    finally:
        writer.ended.set()
        writer.goes_on.set()
        thread.join()
        engine.dispose()
    outcome.counts["changes in all"] = writer.acknowledged
    return outcome


def _copied(outcome: Outcome, writer: Writer, data: Path, url: str, base: int, broken: str | None) -> None:
    data.mkdir()
    now = datetime.now(UTC)
    elsewhere = Settings(data, url, SECRET, "127.0.0.1", 8000)
    try:
        with writer.at_work(), build(broken):
            least = writer.acknowledged
            copy = back_up(writer.engine, folder_of(data), "asked", now)
            most = writer.begun
            outcome.counts["changes while a copy was made"] += writer.acknowledged - least
            outcome.counts["copies with changes meanwhile"] += writer.acknowledged > least
        done = restore(elsewhere, copy.path, lambda: datetime.now(UTC))
        outcome.counts["copies put back"] += 1
        if done.broken:
            outcome.wrong.append(f"what was put back is not whole: {done.broken[0].what}")
            return
    except NoBackup as failed:
        outcome.wrong.append(f"the copy cannot be put back: {failed}")
        return
    opened = open_engine(elsewhere.database_url)
    with Session(opened) as s:
        event = s.exec(select(Event)).first()
        found = event.size - base if event is not None else -1
    opened.dispose()
    if not least <= found <= most:
        outcome.wrong.append(f"it holds {found} changes, and {least} to {most} were made")
