"""Clients that hold a connection for as long as they can: slow readers, stalled uploads, unfinished requests."""

import socket
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from urllib.parse import urlsplit

READERS, PIPELINED = 44, 200
"""More readers than the two workers have threads, and more answers than a connection's buffers hold."""
STALLED = 200
LARGE = 30
RECEIVE_BUFFER = 2048
WITHIN = 15.0
"""Seconds for a page meanwhile, on a busy machine."""
VISITS = 12


def slow_readers(address: str) -> list[socket.socket]:
    """Connections that ask for the stylesheet 200 times and read nothing."""
    ask = f"GET /static/overseer.css HTTP/1.1\r\nHost: {urlsplit(address).netloc}\r\n\r\n".encode()
    return [_connection(address, ask * PIPELINED) for _ in range(READERS)]


def stalled_posts(address: str, length: int = 100_000) -> list[socket.socket]:
    """Connections that send the header of an upload and a few bytes of its body."""
    head = f"POST /sign-in HTTP/1.1\r\nHost: {urlsplit(address).netloc}\r\nContent-Length: {length}\r\n"
    form = "Content-Type: application/x-www-form-urlencoded\r\n\r\nname="
    return [_connection(address, (head + form).encode()) for _ in range(STALLED)]


def large_posts(address: str, path: str) -> list[socket.socket]:
    """Connections that have sent almost all of 32 MB, or as much of it as the server took."""
    host = urlsplit(address).netloc
    head = f"POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: 32000000\r\n\r\n"
    opened = [_connection(address, head.encode()) for _ in range(LARGE)]
    for one in opened:
        with suppress(OSError):  # refused, or not read on
            one.sendall(b"a" * 31_000_000)
    return opened


def idle_connections(address: str) -> list[socket.socket]:
    """Connections that send nothing, half a header, or half a chunk."""
    host = urlsplit(address).netloc
    chunked = f"POST /sign-in HTTP/1.1\r\nHost: {host}\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nna"
    kinds = ("", "GET / HTTP/1.1\r\nHos", chunked)
    return [_connection(address, kinds[number % 3].encode()) for number in range(STALLED)]


def _connection(address: str, sent: bytes) -> socket.socket:
    to = urlsplit(address)
    assert to.hostname and to.port
    opened = socket.socket()
    opened.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVE_BUFFER)
    opened.settimeout(WITHIN)
    opened.connect((to.hostname, to.port))
    opened.sendall(sent)
    return opened


@contextmanager
def attacked(attack: Callable[[str], list[socket.socket]], address: str) -> Iterator[None]:
    """Keep these connections open until the block ends."""
    with ExitStack() as opened:
        for one in attack(address):
            opened.enter_context(one)
        yield


def visit(address: str) -> None:
    """Open a page as other visitors do, for a few seconds. Raises OSError if it is not answered in time."""
    for _ in range(VISITS):
        with urllib.request.urlopen(f"{address}/sign-in", timeout=WITHIN) as answer:  # noqa: S310 - our own server
            assert answer.status == 200
        time.sleep(0.25)


UPLOAD_OF_A_FILE = partial(stalled_posts, length=20_000_000)
