"""Conversations with other machines: each has an end, also one whose bytes come slowly for ever."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

GRACE = 3.0
"""Seconds for what has begun when the service is stopped."""
TOO_LONG = "it took too long"
stopping = threading.Event()
"""Set when the service is stopped."""


@contextmanager
def conversation(end: Callable[[], None], seconds: float) -> Iterator[Callable[[], bool]]:
    """Call ``end`` if the block takes longer, or goes on when the service is stopped. Gives whether it was called.

    An error of the block is then a TimeoutError. The time limit of a socket is not enough, since it begins again with
    each byte: an answer of single bytes would take days.
    """
    done, over, last = threading.Event(), threading.Event(), time.monotonic() + seconds

    def watch() -> None:
        nonlocal last
        while not done.wait(min(0.2, seconds)):
            if stopping.is_set():
                last = min(last, time.monotonic() + GRACE)
            if time.monotonic() >= last:
                over.set()
                end()  # again and again: a connection may have been opened only now

    threading.Thread(target=watch, daemon=True).start()
    try:
        yield over.is_set
    except Exception as broken:
        if over.is_set():
            raise TimeoutError(TOO_LONG) from broken
        raise
    finally:
        done.set()
