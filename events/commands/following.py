"""How the process that follows the workers up goes on where it cannot make one for the moment."""

import os
from typing import Any

from gunicorn.arbiter import Arbiter


def spawn_worker(server: Any) -> int | None:
    """Make a worker; its process, or None where there is no memory or room for one: in a second it is asked again.

    gunicorn's own takes either for the end of everything, and ends the workers that serve as well.
    """
    mask = os.umask(0)
    os.umask(mask)
    try:
        process: int = Arbiter.spawn_worker(server)
    except (OSError, MemoryError, RuntimeError) as failed:
        if os.getpid() != server.pid:
            os._exit(1)  # what a worker fails with on its way out: not that one ends the others as if they were its own
        os.umask(mask)  # gunicorn opens all files to everybody while it makes the worker's clock, and is there still
        server.log.error("no worker could be made, and it is tried again: %s", failed)
        return None
    return process
