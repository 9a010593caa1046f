"""Two concurrent changes: the second waits for the lock of the first."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session

from events.store.errors import Refused
from models.event import Event
from tests.kit.stage import Stage

PATIENCE = 30.0
"""The most seconds to wait for the second change."""


@contextmanager
def another_waits(
    stage: Stage, event: Event | None, act: Callable[[Stage], object]
) -> Iterator[tuple[Session, list[object]]]:
    """Open a change; ``act`` must wait for it in another thread. Then the list contains its result or error."""
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
        s.flush()  # takes the lock that the other change waits for
        thread.start()
        time.sleep(0.5)
        assert results == [], "it waits for the lock of the first change"
    thread.join(PATIENCE)
