"""A clock that stands still while whoever reads it is stopped: a machine that sleeps or measures proves nobody late."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

TICK, STOPPED = 0.2, 3.0
"""Seconds between two looks at it, and from which on nobody was there to look."""


@dataclass
class Clock:
    """Seconds for which somebody was awake to count them."""

    stops: int = 0
    _slept: float = 0.0
    _last: float = field(default_factory=time.monotonic)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def now(self) -> float:
        """The seconds until now. Whoever asks first after a stop leaves it out."""
        with self._lock:
            now = time.monotonic()
            if now - self._last > STOPPED:
                self._slept += now - self._last
                self.stops += 1
            self._last = now
            return now - self._slept


@contextmanager
def ticking() -> Iterator[Clock]:
    """A clock that is looked at until the block ends."""
    clock, over = Clock(), threading.Event()

    def tick() -> None:
        while not over.wait(TICK):
            clock.now()

    thread = threading.Thread(target=tick)
    thread.start()
    try:
        yield clock
    finally:
        over.set()
        thread.join()
