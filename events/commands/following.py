"""How the process that follows the workers up goes on where one cannot be made, or cannot start, for the moment."""

import os
import sys
import time
from typing import Any

from gunicorn.arbiter import Arbiter

BEFORE_NEXT = 1.0
"""Seconds that a worker waits which could not start, so that one does not follow the other at once."""
GIVEN_UP = (Arbiter.WORKER_BOOT_ERROR, Arbiter.APP_LOAD_ERROR)
"""What a worker ends with that failed before it served: gunicorn then gives everything up."""


def spawn_worker(server: Any) -> int | None:
    """Make a worker; its process, or None where there is no memory or room for one: in a second it is asked again.

    gunicorn's own takes either for the end of everything, and ends the workers that serve as well. It gives up for a
    worker that fails before it serves, too: right for the first ones, of a service that was set up wrongly, and only
    for these.
    """
    mask = os.umask(0)
    os.umask(mask)
    try:
        process: int = Arbiter.spawn_worker(server)
    except SystemExit as ended:  # here and below: a worker's own end, in its process
        if ended.code not in GIVEN_UP or server.worker_age <= server.num_workers:
            raise
        server.log.error("a worker could not start, and the next one tries again")
        time.sleep(BEFORE_NEXT)
        sys.exit(1)
    except (OSError, MemoryError, RuntimeError) as failed:
        if os.getpid() != server.pid:
            os._exit(1)  # not that it ends the others as if they were its own
        server.worker_age -= 1
        os.umask(mask)  # gunicorn opens all files to everybody while it makes the worker's clock, and is there still
        server.log.error("no worker could be made, and it is tried again: %s", failed)
        return None
    return process
