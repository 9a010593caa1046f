"""The lines that come: each worker of the production server takes them from a queue of its own.

Of one queue the worker that happens to be awake takes all lines of a hall that comes in the same instant, before any of
them has asked for anything, while the other has nothing to do. So the kernel shares them out between as many queues on
the same address (SO_REUSEPORT) as there are workers. All queues are the master's: who waits in the queue of a worker
that ends waits for the next one.
"""

import selectors
import socket
import struct
import sys
import time
from collections.abc import Callable, Iterable
from typing import Any

from gunicorn.sock import create_sockets

LATE = 0.1
"""Seconds after which a line that is in another worker's queue is taken by whoever is free."""
NEXT = 0.005
"""Seconds until the next such line: by then the first is seen to be work, or none."""


def listening(server: Any) -> list[Any]:
    """What the server's master listens to: a queue for each worker, where the kernel shares lines out between them.

    Elsewhere an empty list, and gunicorn makes the one queue of all.
    """
    if sys.platform != "linux":
        return []
    server.cfg.set("reuse_port", True)
    found = [one for _ in range(server.cfg.workers) for one in create_sockets(server.cfg, server.log)]
    server.cfg.set("reuse_port", False)  # else each worker would make others of its own
    return found


def free_queue(workers: Iterable[Any], many: int) -> int:
    """Of so many queues the one that the fewest workers have: where one has ended, that one's."""
    had = [worker.queue for worker in workers]
    return min(range(many), key=had.count)


class Queues:
    """All queues as one worker sees them: it takes from its own, and from another's once nobody else does."""

    def __init__(
        self, listeners: list[Any], own: int, poller: selectors.BaseSelector, take: Callable[[Any], bool]
    ) -> None:
        """``take`` takes a line from a listener and says whether one was there."""
        self._own = listeners[own]
        self._others = [one for one in listeners if one is not self._own]
        self._poller, self._take = poller, take
        self._later: dict[Any, float] = {}
        """The others' in which somebody waits, and when they are looked at again."""
        for listener in listeners:
            listener.setblocking(False)

    def open(self) -> None:
        """Take lines from now on."""
        self._poller.register(self._own, selectors.EVENT_READ, self._take)
        for listener in self._others:
            self._poller.register(listener, selectors.EVENT_READ, self._wait)

    def close(self) -> None:
        """Leave them to the other workers."""
        for listener in (self._own, *self._others):
            if self._later.pop(listener, None) is None:
                self._poller.unregister(listener)

    def patience(self, most: float) -> float:
        """Seconds that the worker may wait for something to come, ``most`` at most."""
        return max(0.0, min(most, *self._later.values()) - time.monotonic()) if self._later else most

    def look(self) -> None:
        """Take from the others' queues what nobody has taken."""
        now = time.monotonic()
        for listener in [one for one, due in self._later.items() if due <= now]:
            if self._take(listener):
                self._later[listener] = now + NEXT
            else:
                del self._later[listener]
                self._poller.register(listener, selectors.EVENT_READ, self._wait)

    def _wait(self, listener: Any) -> None:
        self._poller.unregister(listener)
        self._later[listener] = time.monotonic() + LATE


def cut_silent(listener: Any, seconds: float) -> None:
    """Let each line that is taken from this listener give up waiting for a byte after so many seconds."""
    whole = int(seconds)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("ll", whole, int((seconds - whole) * 1e6)))
