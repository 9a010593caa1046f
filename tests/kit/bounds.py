"""How long is far too long: a bound that only what has run away passes, on any machine and under any load.

How fast something is, is measured in ``benchmarks``; a test that asks for it would fail by chance.
"""

import tracemalloc
from collections.abc import Callable

RUN_AWAY = 20.0
"""Processor seconds. What is refused takes a fraction of one; what is not refused in time would take minutes."""


def most_memory(work: Callable[[], object]) -> int:
    """The most bytes that are held meanwhile."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
