"""gunicorn's settings, read by gunicorn as its configuration (``serve.production_server``)."""

import gc
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from service import proxy

workers = 2
threads = 16
worker_class = "gthread"
keepalive = 10
"""In seconds. Phones poll every 3 seconds at most, so a connection survives the pause between two requests."""
umask = 0o077
loglevel = "warning"
control_socket_disable = True
forwarded_allow_ips = ""  # events/web/http.py reads a trusted proxy's headers
worker_tmp_dir = "/dev/shm" if Path("/dev/shm").is_dir() else None  # noqa: S108 - a heartbeat must not wait for a disk

CONTAINERS = 50_000
"""Collect garbage when this many more containers exist than after the last collection."""


def post_worker_init(worker: Any) -> None:
    """Turn automatic garbage collection off in a new worker.

    Python 3.11 can collect while it moves an object's attributes into a dict. A weak reference's callback that stores
    an attribute of the same object then crashes the process (tests/service/test_garbage.py). Python 3.12 cannot.
    """
    gc.collect()
    gc.freeze()
    gc.disable()


def post_request(worker: Any, request: Any, environ: Any, response: Any) -> None:
    """Collect garbage after a response if enough has accumulated."""
    if gc.get_count()[0] > CONTAINERS:
        gc.collect()


def on_exit(server: Any) -> None:
    """Remove the folder of the socket behind the proxy (``proxy.new_socket``). End with 1 if the proxy has ended."""
    for address in server.cfg.address:
        if isinstance(address, str) and Path(address).parent.name.startswith("overseer-"):
            with suppress(OSError):
                Path(address).parent.rmdir()
    if proxy.ended.is_set():
        sys.exit(1)
