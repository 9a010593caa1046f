"""Attack 71: connections that ask for much and read nothing, while others want a page."""

import socket
import time
import urllib.request
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.chaos.conftest import Fresh
from tests.chaos.serving import serving

CONNECTIONS = 44
"""More than the two workers have threads."""
PIPELINED = 200
ASKED = b"GET /static/overseer.css HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
BUFFER = 2048
WITHIN = 4.0
"""Seconds for the health of the service; it takes milliseconds otherwise."""
WATCHED = 8.0
"""Seconds for which the service is asked; it hangs once the answers fill the connections."""


@pytest.mark.xfail(strict=True, raises=OSError, reason="the shipped proxy will keep slow readers out")
@pytest.mark.proves("attack 71")
def test_connections_that_read_nothing_keep_nobody_out(fresh: Fresh, tmp_path: Path) -> None:
    with serving(fresh(), tmp_path / "data") as service, ExitStack() as opened:
        for _ in range(CONNECTIONS):
            connection = opened.enter_context(socket.socket())
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, BUFFER)
            connection.settimeout(WITHIN)
            connection.connect(("127.0.0.1", service.port))
            connection.sendall(ASKED * PIPELINED)
        until = time.monotonic() + WATCHED
        while time.monotonic() < until:
            with urllib.request.urlopen(f"http://127.0.0.1:{service.port}/healthz", timeout=WITHIN) as answer:
                assert answer.status == 200
