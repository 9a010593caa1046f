"""What the production server's processes do at their beginning and after each answer.

gunicorn reads this file as its settings (``serve.production_server``) and calls each function at the time of its name.
"""

import resource
import sys
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from events.commands import following, garbage, queues

NEXT_BYTE = 30
"""Seconds without a byte after which a request that a thread reads is cut off."""
LONGEST_TURN = 0.001
"""Seconds that a thread may keep the interpreter while another one wants it. Whoever holds the database's lock gives
the interpreter away at each statement, and with Python's usual 5 ms would wait as long for it each time."""
FIRST_TO_GO = 300
"""So much sooner than the process that follows it up is a worker ended by a kernel without memory."""

post_worker_init, post_request = garbage.post_worker_init, garbage.post_request


def on_starting(server: Any) -> None:
    """Before it listens: how it goes on where no worker can be made, and where it takes lines from."""
    server.spawn_worker = partial(following.spawn_worker, server)
    server.LISTENERS = queues.listening(server)


def pre_fork(server: Any, worker: Any) -> None:
    """Before a worker is made: it gets a queue of its own."""
    worker.queue = queues.free_queue(server.WORKERS.values(), len(worker.sockets))


def post_fork(server: Any, worker: Any) -> None:
    """Before the worker takes a line: it may have as many as it is set to, and nobody holds a thread for long."""
    sys.setswitchinterval(LONGEST_TURN)
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    for listener in worker.sockets:
        queues.cut_silent(listener.sock, NEXT_BYTE)
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text(str(FIRST_TO_GO))
