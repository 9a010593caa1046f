"""Turns for reports: a few at once in each process, and how much of a request waits without a thread."""

from threading import BoundedSemaphore

KEPT = 65_536
"""Bytes of a request that wait without a thread until it is whole: every form, and most files."""
AT_ONCE = {"sqlite": 1, "postgresql": 2}
"""So many reports a process works on at the same moment, by the database: while one process stores, the other prepares;
PostgreSQL may be far away, so another one prepares meanwhile."""
NO_LONGER = 1.0
"""Seconds, after which a report goes on without its turn: whoever has it waits for something else."""


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
