"""A line to the server on which every answer comes late, and in two halves: ``pytest tests/browser --slow-line 0.4``.

What a test reads before it is there, or of the page that is left, it reads wrongly each time, not once in a thousand.
"""

import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Thread
from urllib.parse import urlsplit

AT_ONCE = 65536


@contextmanager
def slow_line(address: str, seconds: float) -> Iterator[str]:
    """The address by which a service is reached that late, until the block ends; without seconds its own."""
    if not seconds:
        yield address
        return
    port = urlsplit(address).port
    with socket.create_server(("127.0.0.1", 0), backlog=256) as listener:
        Thread(target=_take, args=(listener, port, seconds), daemon=True).start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        listener.shutdown(socket.SHUT_RDWR)


def _take(listener: socket.socket, port: int | None, seconds: float) -> None:
    with suppress(OSError):  # until nobody is taken any more
        while True:
            browser, _ = listener.accept()
            Thread(target=_lead, args=(browser, port, seconds), daemon=True).start()


def _lead(browser: socket.socket, port: int | None, seconds: float) -> None:
    with browser, socket.create_connection(("127.0.0.1", port)) as service:
        up = Thread(target=_move, args=(browser, service, 0.0), daemon=True)
        up.start()
        _move(service, browser, seconds)
        up.join()


def _move(source: socket.socket, target: socket.socket, late: float) -> None:
    target.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    with suppress(OSError):
        while data := source.recv(AT_ONCE):
            for part in (data[: len(data) // 2], data[len(data) // 2 :]):
                time.sleep(late / 2)
                target.sendall(part)
    for end in (source, target):
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)
