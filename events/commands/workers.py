"""What a worker of the production server does beside answering: it looks for garbage, and cuts who keeps it waiting.

gunicorn reads this file as its settings (``serve.production_server``).
"""

import gc
import socket
import struct
from itertools import count
from typing import Any

from gunicorn.workers import gthread

MOST_YOUNG = 20_000
"""So many containers more than after the last look are looked through when a request has been answered."""
WHOLE_EVERY = 20
"""Every so manieth look is at everything that the worker holds, not at the young alone."""

FIRST_BYTE = 0.25
"""Seconds that a thread waits for the first byte of a new line before the line is watched with all others instead.
gunicorn's own five let 300 lines that say nothing keep everybody out for most of a minute (tests/chaos)."""
NEXT_BYTE = 30
"""Seconds without a byte after which a request that was begun is cut off: nothing of it was read as a whole."""

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


def post_fork(server: Any, worker: Any) -> None:
    """Before the worker takes a line: nobody who says nothing holds one of its threads for long."""
    gthread.DEFAULT_WORKER_DATA_TIMEOUT = FIRST_BYTE
    for listener in worker.sockets:
        cut_silent(listener.sock, NEXT_BYTE)


def cut_silent(listener: socket.socket, seconds: float) -> None:
    """Let each line that is taken from this listener give up waiting for a byte after so many seconds."""
    whole = int(seconds)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("ll", whole, int((seconds - whole) * 1e6)))


def post_request(worker: Any, request: Any, environ: Any, response: Any) -> None:
    """After an answer was sent: look for garbage, where enough has come together."""
    if gc.get_count()[0] > MOST_YOUNG:
        gc.collect(2 if next(_looks) % WHOLE_EVERY == 0 else 1)
