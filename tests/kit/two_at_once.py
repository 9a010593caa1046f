"""Two changes at the same moment: the second waits for the lock that the first holds."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session

from events.play.errors import Refused
from models.event import Event
from tests.kit.stage import Stage

PATIENCE = 30.0
"""Seconds after which a test gives up."""


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
