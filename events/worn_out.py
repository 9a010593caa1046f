"""Whether this process has found no memory for something.

Whoever finds none in the middle of giving something back, a lock, a turn, a connection with a change that was undone,
keeps it for as long as the process lives. So a worker that has met this answers what it is at, and makes way for
another (``commands.workers``).
"""

from errno import ENOMEM
from threading import Event

FOUND_NONE = Event()
DEEPEST = 20
"""So many errors, each raised while the one before was dealt with, are looked at."""


def found_none(error: BaseException | None = None) -> bool:
    """Whether memory was wanting, now or before. From the first time on, whatever fails here fails of that."""
    for _ in range(DEEPEST):
        if error is None:
            break
        if _tells_of_it(error):
            FOUND_NONE.set()
        error = error.__cause__ or error.__context__
    return FOUND_NONE.is_set()


def _tells_of_it(error: BaseException) -> bool:
    if hasattr(error, "sqlstate"):  # PostgreSQL's client says it in words alone; what the server says has a number
        return error.sqlstate is None and "out of memory" in str(error)
    if isinstance(error, OSError):
        return error.errno == ENOMEM
    # Python says SystemError where even what it would have said found no room.
    return isinstance(error, MemoryError | SystemError)
