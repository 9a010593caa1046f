"""Which of the requests that wait in a worker of the production server gets a thread next."""

import time
from collections import deque
from collections.abc import Iterator
from enum import Enum
from typing import Generic, TypeVar

Conn = TypeVar("Conn")


class Kind(Enum):
    """What waits. Each kind has its own queue, and they take turns."""

    NEW = "the first request of a line"
    AGAIN = "a further one"
    CHANGE = "one that changes something"
    LONG = "one that is longer than what is kept of it, or does not tell how long it is"


MOST = {Kind.CHANGE: 8, Kind.LONG: 4}
"""So many of a kind have a thread at once: changes wait for each other anyway, and long ones for their senders; whoever
only looks waits for neither."""
READY = 4
"""So many more than there are threads are handed out, so that no thread waits for the loop to have its turn."""


class Turns(Generic[Conn]):
    """The requests of one worker that wait for a thread or have one; used by its loop, ``alone`` by them as well."""

    def __init__(self, threads: int) -> None:
        """Nobody is here."""
        self._most = threads + READY
        self._next: dict[Kind, deque[tuple[Conn, float]]] = {kind: deque() for kind in Kind}
        self._order = deque(Kind)
        self._here: dict[Conn, tuple[Kind, float]] = {}

    def wait(self, conn: Conn, kind: Kind) -> None:
        """Come last of its kind."""
        self._next[kind].append((conn, time.monotonic()))

    def waiting(self, kind: Kind) -> int:
        """How many of a kind have no thread yet."""
        return len(self._next[kind])

    def go(self) -> Iterator[Conn]:
        """Those whose turn it is: the kinds one after the other, while there are threads for them."""
        passed = 0
        while len(self._here) < self._most and passed < len(self._order):
            kind = self._order[0]
            self._order.rotate(-1)
            if self._next[kind] and self._at_work(kind) < MOST.get(kind, self._most):
                passed, (conn, _) = 0, self._next[kind].popleft()
                self._here[conn] = kind, time.monotonic()
                yield conn
            else:
                passed += 1

    @property
    def alone(self) -> bool:
        """Whether no more than one has a thread."""
        return len(self._here) <= 1

    def leave(self, conn: Conn) -> None:
        """It was answered, or came to nothing."""
        self._here.pop(conn, None)

    def since(self, kind: Kind, seconds: float) -> list[Conn]:
        """Those of a kind that have had a thread for more than so many seconds."""
        before = time.monotonic() - seconds
        return [conn for conn, (found, since) in self._here.items() if found == kind and since < before]

    def longest(self, kind: Kind) -> tuple[Conn, float] | None:
        """The one of a kind that has waited the longest, and since when; None where none waits."""
        return self._next[kind][0] if self._next[kind] else None

    def let_go(self, kind: Kind) -> None:
        """The one that has waited the longest waits no more."""
        self._next[kind].popleft()

    def _at_work(self, kind: Kind) -> int:
        return sum(found == kind for found, _ in self._here.values()) if kind in MOST else 0
