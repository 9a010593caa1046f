"""Two changes at the same moment: the second waits for the lock that the first holds."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sqlalchemy import Engine, text
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session

from events.play.errors import Refused
from models.event import Event
from tests.kit.stage import Stage

PATIENCE = 30.0
"""Seconds after which a test gives up."""


def started(work: Callable[[], object]) -> tuple[threading.Thread, list[BaseException]]:
    """Start the work in a thread; returns the thread and a list that what it raises is added to."""
    raised: list[BaseException] = []

    def run() -> None:
        try:
            work()
        except BaseException as error:
            raised.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    return thread, raised


def wait_until_one_waits(engine: Engine) -> None:
    if engine.dialect.name == "sqlite":
        time.sleep(0.2)  # SQLite cannot be asked
        return
    until = time.monotonic() + PATIENCE
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        while not connection.execute(text("SELECT count(*) FROM pg_locks WHERE NOT granted")).scalar_one():
            assert time.monotonic() < until, "nobody waits"
            time.sleep(0.02)


@contextmanager
def another_waits(
    stage: Stage, event: Event | None, act: Callable[[Stage], object]
) -> Iterator[tuple[Session, list[object]]]:
    """A change, at whose end ``act`` waits on another connection; afterwards the list has its result or its refusal."""
    results: list[object] = []

    def run() -> None:
        other = Stage(stage.engine, stage.clock)
        try:
            results.append(act(other))
        except (Refused, IntegrityError) as fault:
            results.append(fault)
        finally:
            other.s.close()

    thread = threading.Thread(target=run)
    with stage.changing(event) as s:
        yield s, results
        s.flush()  # takes what the other change asks for
        thread.start()
        time.sleep(0.5)
        assert results == [], "it waits for what the first change holds"
    thread.join(PATIENCE)
