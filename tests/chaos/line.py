"""A TCP line between the service and PostgreSQL that can be cut after any byte of any exchange.

One thread moves every byte, so that what was let through is known exactly. A cut line is reset towards the service, as
when a router forgets it; towards PostgreSQL it ends, so that what was not committed is undone there.
"""

import selectors
import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Literal

from sqlalchemy import URL, make_url

Way = Literal["up", "down"]
"""Up: from the service to PostgreSQL."""
COMMIT = b"COMMIT\x00"
QUERY_HEAD = 5
"""Bytes of PostgreSQL's protocol before a simple query's text: its letter and its length."""
AT_ONCE = 65536


@dataclass
class Cut:
    """When a line is cut: after so many bytes one way, counted from where ``begins_with`` is sent up."""

    way: Way
    after: int
    begins_with: bytes = b""
    passed: dict[Way, int] = field(default_factory=lambda: {"up": 0, "down": 0})
    done: bool = False
    pair: "Pair | None" = None
    """The connection on which it began."""

    def room(self, pair: "Pair", way: Way, data: bytes) -> int | None:
        """How much of what has come may pass before the cut; None: all of it, and no cut."""
        start = 0
        if self.pair is None:
            if way != "up" or self.begins_with not in data:
                return None
            self.pair = pair
            start = max(0, data.index(self.begins_with) - QUERY_HEAD) if self.begins_with else 0
        if pair is not self.pair:
            return None
        left = self.after - self.passed[way]
        self.passed[way] += len(data) - start
        if way != self.way or left > len(data) - start:
            return None
        return start + left


@dataclass(eq=False)
class Pair:
    """One connection: the service's end and PostgreSQL's."""

    service: socket.socket
    database: socket.socket

    def end(self) -> None:
        """Reset it towards the service, end it towards the database."""
        with suppress(OSError):
            self.service.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.service.close()
        self.database.close()


class Line:
    """The line: ``url`` is where the service finds its database through it."""

    def __init__(self, database_url: str) -> None:
        """Lead to the server whose socket the address names."""
        address = make_url(database_url)
        self._upstream = f"{address.query['host']}/.s.PGSQL.5432"
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        port = self._listener.getsockname()[1]
        made = URL.create("postgresql", address.username, host="127.0.0.1", port=port, database=address.database)
        self.url = made.render_as_string(hide_password=False)
        self.cut: Cut | None = None
        """What is to happen; set by the test, done by the line."""
        self._over = threading.Event()
        self._chosen = selectors.DefaultSelector()
        self._pairs: set[Pair] = set()
        self._thread = threading.Thread(target=self._run)

    def start(self) -> None:
        """Take connections."""
        self._chosen.register(self._listener, selectors.EVENT_READ, None)
        self._thread.start()

    def stop(self) -> None:
        """Take none any more, and end those that are."""
        self._over.set()
        self._thread.join()
        for one in [*self._pairs]:
            self._drop(one)
        self._chosen.close()
        self._listener.close()

    def _run(self) -> None:
        while not self._over.is_set():
            for key, _ in self._chosen.select(0.05):
                if key.data is None:
                    self._take()
                elif key.data[0] in self._pairs:
                    self._move(*key.data)

    def _take(self) -> None:
        service, _ = self._listener.accept()
        database = socket.socket(socket.AF_UNIX)
        pair = Pair(service, database)
        try:
            database.connect(self._upstream)
        except OSError:
            pair.end()
            return
        service.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._pairs.add(pair)
        self._chosen.register(service, selectors.EVENT_READ, (pair, "up"))
        self._chosen.register(database, selectors.EVENT_READ, (pair, "down"))

    def _move(self, pair: Pair, way: Way) -> None:
        source, target = (pair.service, pair.database) if way == "up" else (pair.database, pair.service)
        try:
            data = source.recv(AT_ONCE)
            cut = self.cut
            room = cut.room(pair, way, data) if cut is not None and not cut.done and data else None
            target.sendall(data[:room])
        except OSError:
            data, room = b"", None
        if room is not None and cut is not None:
            cut.done = True
        if not data or room is not None:
            self._drop(pair)

    def _drop(self, pair: Pair) -> None:
        self._pairs.discard(pair)
        for end in (pair.service, pair.database):
            self._chosen.unregister(end)
        pair.end()


@contextmanager
def line_to(database_url: str) -> Iterator[Line]:
    """A line to this database, until the block ends."""
    line = Line(database_url)
    line.start()
    try:
        yield line
    finally:
        line.stop()
