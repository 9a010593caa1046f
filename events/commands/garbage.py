"""When a worker of the production server looks for garbage: between two requests, and never in the middle of one."""

import gc
from itertools import count
from typing import Any

from events.busy import is_under_way

MOST_YOUNG = 20_000
"""So many containers more than after the last look are looked through when a request has been answered."""
MOST_BESIDE = 200_000
"""The same while others are still at work: each look holds them up, and a round that is drawn has 80,000 in use."""
WHOLE_EVERY = 20
"""Every so manieth look is at everything that the worker holds, not at the young alone."""

_looks = count(1)


def post_worker_init(worker: Any) -> None:
    """Once the worker holds the application: no look at what stays as long as it does, and none by itself any more.

    Python 3.11 looks for garbage in the middle of whatever asks for memory. A weak reference to what it finds may then
    be told, as SQLAlchemy's rows are, and store an attribute of the very object whose attributes are just being moved
    into a dict: its values are given back twice, and the worker dies with a segmentation fault, some hundred requests
    with it (tests/commands/test_workers.py shows it). From 3.12 on Python itself looks only between two instructions.
    """
    gc.collect()
    gc.freeze()
    gc.disable()


def post_request(worker: Any, request: Any, environ: Any, response: Any) -> None:
    """After an answer was sent: look for garbage, where enough has come together."""
    look(alone=worker.alone)


def look(*, alone: bool) -> None:
    """Look for garbage, where enough has come together; ``alone``: nobody else is being answered.

    Not while a paper is made: its thousands of pieces are all in use, and everybody would wait for the look at them.
    """
    if gc.get_count()[0] > (MOST_YOUNG if alone else MOST_BESIDE) and not is_under_way():
        gc.collect(2 if next(_looks) % WHOLE_EVERY == 0 else 1)
