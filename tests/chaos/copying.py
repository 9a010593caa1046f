"""R8, F20: copies made while somebody writes, each put back elsewhere and looked at.

A writer raises a number in the event, change by change, and knows which are acknowledged. A copy made meanwhile must
hold every change that was acknowledged before it began, none that was not begun when it ended, and keep every promise.
"""

import threading
from collections.abc import Callable
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


def run(size: Size, broken: str | None, *, fresh: Callable[[], str], folder: Path) -> Outcome:
    """Copy under load, put each copy back into a service of its own, and compare."""
    outcome, url = Outcome(), fresh()
    apart = None if url.startswith("sqlite") else fresh()
    engine = open_engine(url)
    stage = Stage(engine, Clock(datetime.now(UTC)))
    event = stage.event(places=None)
    stage.enter(event, "Ada", "Bo")
    base, event_id = event.size, event.id
    stage.s.close()
    ended, count = threading.Event(), {"begun": 0, "acknowledged": 0}

    def raise_it() -> None:
        with Session(engine) as s:
            row = s.get_one(Event, event_id)
            while not ended.is_set():
                count["begun"] += 1
                with write(s, datetime.now(UTC), row):
                    row.size += 1
                count["acknowledged"] += 1

    writer = threading.Thread(target=raise_it)
    writer.start()
    try:
        for n in range(COPIES[size]):
            data = folder / f"{broken}{n}"
            elsewhere = apart or f"sqlite:///{data / 'overseer.sqlite3'}"
            outcome.wrong += _copied(engine, data, elsewhere, count, base, broken)
            outcome.counts["copies put back"] += 1
            if broken is not None and outcome.wrong:
                break
    finally:
        ended.set()
        writer.join()
        engine.dispose()
    outcome.counts["changes meanwhile"] = count["acknowledged"]
    return outcome


def _copied(engine: Engine, data: Path, url: str, count: dict[str, int], base: int, broken: str | None) -> list[str]:
    data.mkdir()
    least = count["acknowledged"]
    now = datetime.now(UTC)
    elsewhere = Settings(data, url, SECRET, "127.0.0.1", 8000)
    try:
        with build(broken):
            copy = back_up(engine, folder_of(data), "asked", now)
        most = count["begun"]
        done = restore(elsewhere, copy.path, lambda: datetime.now(UTC))
        if done.broken:
            return [f"what was put back is not whole: {done.broken[0].what}"]
    except NoBackup as failed:
        return [f"the copy cannot be put back: {failed}"]
    opened = open_engine(elsewhere.database_url)
    with Session(opened) as s:
        event = s.exec(select(Event)).first()
        found = event.size - base if event is not None else -1
    opened.dispose()
    return [] if least <= found <= most else [f"it holds {found} changes, and {least} to {most} were made"]
