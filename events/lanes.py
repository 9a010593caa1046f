"""Turns for what takes the processor for seconds: one at a time in each lane of a process, and a short queue."""

from threading import BoundedSemaphore

WAITING = 4
"""Requests that may wait for their turn in each lane."""
PATIENCE = 20.0
"""Seconds that they wait."""

KEPT = 65_536
"""Bytes of a request that wait without a thread until it is whole: every form, and most files."""
AT_ONCE = {"sqlite": 1, "postgresql": 2}
"""So many reports a process works on at the same moment, by the database: while one process stores, the other prepares;
PostgreSQL may be far away, so another one prepares meanwhile."""
NO_LONGER = 1.0
"""Seconds, after which a report goes on without its turn: whoever has it waits for something else."""

_under_way: set["Lane"] = set()


def is_under_way() -> bool:
    """Whether a paper is being made in this process at this moment."""
    return bool(_under_way)


class Lane:
    """One turn at a time, and a short queue before it."""

    def __init__(self) -> None:
        """Nobody is here."""
        self.turn, self.queue = BoundedSemaphore(1), BoundedSemaphore(WAITING)

    def enter(self) -> bool:
        """Wait for the turn; whether one got it. Whoever did has to ``leave``."""
        if not self._waited_for():
            return False
        try:
            _under_way.add(self)
        except MemoryError:
            self.turn.release()
            raise
        return True

    def _waited_for(self) -> bool:
        if self.turn.acquire(blocking=False):
            return True
        if not self.queue.acquire(blocking=False):
            return False
        try:
            return self.turn.acquire(timeout=PATIENCE)
        finally:
            self.queue.release()

    def leave(self) -> None:
        """Let the next one in."""
        _under_way.discard(self)
        self.turn.release()


class FewAtOnce:
    """Reports that come in the same instant are taken one or two at a time in each process, and the others wait.

    All together they get in each other's way: the one that holds the database's lock would wait for the processor at
    every step, while all others wait for the lock (``benchmarks/event_day.py``).
    """

    def __init__(self, at_once: int) -> None:
        """Nobody is here; there is room for so many."""
        self._room = BoundedSemaphore(at_once)

    def enter(self) -> bool:
        """Wait for the turn, not for long; whether one got it. Whoever did has to ``leave``."""
        return self._room.acquire(timeout=NO_LONGER)

    def leave(self) -> None:
        """Let the next one in."""
        self._room.release()
