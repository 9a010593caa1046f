"""What a worker of the production server does beside answering: it cuts who keeps it waiting, and goes in time.

gunicorn reads this file as its settings (``serve.production_server``).
"""

import os
import resource
import selectors
import socket
import struct
import sys
import time
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from pathlib import Path
from threading import Barrier
from typing import Any

from gunicorn.workers import gthread
from sqlalchemy.exc import DBAPIError

from events.commands import following, garbage
from events.commands.lines import KEPT, Line, changes_something, missing
from events.commands.turns import Kind, Turns
from events.worn_out import found_none

NEXT_BYTE = 30
"""Seconds without a byte after which a request that a thread reads is cut off."""

WAITING = {Kind.NEW: 16, Kind.CHANGE: 100}
"""So many wait in a worker for a thread before it leaves new lines to the other worker."""

WHOLE_WITHIN = 30.0
"""Seconds from its first byte in which such a request has to come."""
LONG_WITHIN = 120.0
"""The same for one that a thread reads, since it was given the thread."""
GONE = -1

FIRST_TO_GO = 300
"""So much sooner than the process that follows it up is a worker ended by a kernel without memory."""
LAST_WORDS = 5
"""Seconds in which a worker that makes way answers what it has begun."""
BEFORE_NEXT = 1.0
"""Seconds that a worker waits which could not start, so that one does not follow the other at once."""
NO_MEMORY = (
    b"HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nRetry-After: 10\r\nContent-Type: text/plain\r\n\r\n"
    b"The server has no memory left at the moment. If you were sending something, look again before you send it anew.\n"
)

on_starting, post_worker_init, post_request = following.on_starting, garbage.post_worker_init, garbage.post_request
"""gunicorn asks for them here."""


class Worker(gthread.ThreadWorker):  # type: ignore[misc]  # gunicorn tells no types
    """gunicorn's threaded worker, with four differences.

    It takes no new line from the other worker while many wait for it already. gunicorn's own takes every line that
    comes, up to a thousand, and of two workers the one that happened to be awake more often had 350 of a hall's 500
    phones to serve while the other had nothing to do.

    Requests wait for a thread by kind (``turns``): whoever looks does not wait for a hall that reports, nor a phone
    that comes now for those that ask again and again.

    And nobody holds a thread who only says something slowly, or nothing: a request is read in the worker's loop, and
    gets its thread once it is whole. With gunicorn's own, 32 requests that are begun and not ended keep everybody out.
    Of more lines than there may be, the one that has waited longest is let go.

    Where memory was wanting once, it answers what it has begun and makes way for another (``worn_out``).
    """

    alive: bool

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """As gunicorn's; nobody waits yet."""
        self._silent: dict[gthread.TConn, float] = {}
        self._begun: dict[gthread.TConn, float] = {}
        """Lines that are watched, the oldest first: since when nothing came, or a part of a request."""
        self._came: dict[gthread.TConn, bytearray] = {}
        super().__init__(*args, **kwargs)
        self._turns: Turns[gthread.TConn] = Turns(self.cfg.threads)

    def init_process(self) -> None:
        """Begin to work. What fails for the moment ends this worker alone: at another end gunicorn gives up all."""
        self.notify()  # else gunicorn waits without end for one that hangs in its start
        try:
            super().init_process()
        except (DBAPIError, MemoryError, OSError, ImportError) as failed:
            # A library that is not there ends the service's start; later on there was no memory to read it into.
            if self.booted or (isinstance(failed, ImportError) and self.age <= self.cfg.workers):
                raise
            self.log.error("a worker could not start, and the next one tries again: %s", failed)
            time.sleep(BEFORE_NEXT)
            sys.exit(1)

    def get_thread_pool(self) -> Any:
        """All threads from the beginning: one that is asked for when memory is wanting ends the worker."""
        threads, all_here = super().get_thread_pool(), Barrier(self.cfg.threads + 1)
        try:
            for _ in range(self.cfg.threads):
                threads.submit(all_here.wait)
        except RuntimeError as failed:
            all_here.abort()
            raise MemoryError(str(failed)) from failed
        all_here.wait()
        return threads

    def run(self) -> None:
        """Serve. Where memory was wanting, the end waits for no thread: one may wait for what nobody gives back."""
        try:
            super().run()
        except BaseException as failed:
            if not found_none(failed):
                raise
        if found_none():
            os._exit(0)

    @property
    def worker_connections(self) -> int:
        """How many lines it may hold at this moment: asked by gunicorn before each look at what came in."""
        enough = any(self._turns.waiting(kind) >= many for kind, many in WAITING.items())
        return 0 if enough else self._most_lines + 1

    @worker_connections.setter
    def worker_connections(self, most: int) -> None:
        self._most_lines = most

    def accept(self, listener: socket.socket) -> None:
        """Take a new line."""
        try:
            sock, client = listener.accept()
        except (BlockingIOError, ConnectionAbortedError):
            return
        self.nr_conns += 1
        if self.nr_conns > self._most_lines:
            self._let_one_go()
        self._watch(Line(self.cfg, sock, client, listener.getsockname()))

    def on_client_socket_readable(self, conn: gthread.TConn, client: socket.socket) -> None:
        """Take the next request of a line that was served before."""
        if conn not in self.keepalived_conns:
            return  # let go since the loop heard of it
        self.poller.unregister(client)
        self.keepalived_conns.remove(conn)
        self._watch(conn)

    def enqueue_req(self, conn: gthread.TConn) -> None:
        """Take the next request of a line, of which a part came with the one before."""
        conn.sock.setblocking(False)
        self._watch(conn, conn.parser.unreader.take_buffered())

    def _watch(self, conn: gthread.TConn, came: bytes = b"") -> None:
        """Read what is there, and watch the line only where that is not all: each word with the system costs the loop
        its turn while threads answer, and most requests come in one piece."""
        self._came[conn] = bytearray(came)
        more = self._more(conn)
        if more is None or more <= 0:
            self._go_on(conn, more)
            return
        (self._begun if self._came[conn] else self._silent)[conn] = time.monotonic()
        self.poller.register(conn.sock, selectors.EVENT_READ, partial(self._read, conn))

    def _read(self, conn: gthread.TConn, _: Any = None) -> None:
        """Read what has come of a watched line's request, and give it a thread where that is all."""
        if conn not in self._silent and conn not in self._begun:
            return  # let go since the loop heard of it
        more = self._more(conn)
        if more is None or more <= 0:
            self._unwatch(conn)
            self._go_on(conn, more)
        elif self._came[conn] and self._silent.pop(conn, None) is not None:
            self._begun[conn] = time.monotonic()

    def _more(self, conn: gthread.TConn) -> int | None:
        """What ``missing`` says of all that has come; 0 also where no more will, and GONE where that is nothing."""
        came = self._came[conn]
        try:
            piece = conn.sock.recv(KEPT)
            came += piece
            ended = not piece
        except BlockingIOError:
            ended = False
        except (OSError, MemoryError):
            ended = True
        if ended:
            return 0 if came else GONE
        return missing(came)

    def _go_on(self, conn: gthread.TConn, more: int | None) -> None:
        if more == GONE:
            self._close(conn)
        else:
            conn.whole = more is not None
            self._turns.wait(conn, self._kind(conn))
            self.give_threads()

    def _kind(self, conn: gthread.TConn) -> Kind:
        if not conn.whole:
            return Kind.LONG
        if changes_something(self._came[conn]):
            return Kind.CHANGE
        return Kind.AGAIN if conn.initialized else Kind.NEW

    def give_threads(self) -> None:
        """Let threads answer those whose turn it is."""
        for conn in self._turns.go():
            super().enqueue_req(conn)

    def handle(self, conn: gthread.TConn) -> object:
        """In a thread: read and answer it."""
        try:
            conn.data_ready = True
            conn.init()
            conn.parser.unreader.unread(bytes(self._came.pop(conn)))
            return super().handle(conn)
        except BaseException as failed:
            found_none(failed)
            raise

    def handle_error(self, req: Any, client: socket.socket, addr: Any, exc: BaseException) -> None:
        """Answer what no page could be made for. Where memory is wanting, the words are there already."""
        if not found_none(exc):
            super().handle_error(req, client, addr, exc)
            return
        with suppress(OSError):
            client.sendall(NO_MEMORY)
        self.log.error("no memory")

    def finish_request(self, conn: gthread.TConn, fs: "Future[object]") -> None:
        """In the loop again: the next one has its turn."""
        self._turns.leave(conn)
        self.give_threads()
        super().finish_request(conn, fs)

    def murder_pending(self) -> None:
        """Let those go whose time is over; of the long ones nothing more is read. And go oneself, where it is time."""
        now = time.monotonic()
        if self.alive and found_none():
            self.log.error("memory was wanting: this worker makes way for another")
            self.cfg.set("graceful_timeout", LAST_WORDS)
            self.alive = False
        silence = self.cfg.keepalive if self.alive else gthread.STOP_KEEPALIVE_LINGER
        for lines, seconds in ((self._silent, silence), (self._begun, WHOLE_WITHIN)):
            while lines and (oldest := next(iter(lines))) and lines[oldest] + seconds < now:
                self._let_go(oldest)
        for conn in self._turns.since(Kind.LONG, LONG_WITHIN):
            with suppress(OSError):
                conn.sock.shutdown(socket.SHUT_RD)

    def _let_one_go(self) -> None:
        oldest = [next(iter(lines.items())) for lines in (self._silent, self._begun) if lines]
        long = self._turns.longest(Kind.LONG)
        if long is not None and all(long[1] <= since for _, since in oldest):
            self._turns.let_go(Kind.LONG)
            self._close(long[0])
        elif oldest:
            self._let_go(min(oldest, key=lambda one: one[1])[0])
        elif self.keepalived_conns:
            conn = self.keepalived_conns.popleft()
            self.poller.unregister(conn.sock)
            self._close(conn)

    def _let_go(self, conn: gthread.TConn) -> None:
        self._unwatch(conn)
        self._close(conn)

    def _unwatch(self, conn: gthread.TConn) -> None:
        self.poller.unregister(conn.sock)
        self._silent.pop(conn, None)
        self._begun.pop(conn, None)

    def _close(self, conn: gthread.TConn) -> None:
        self._came.pop(conn, None)
        self.nr_conns -= 1
        conn.close()


def post_fork(server: Any, worker: Any) -> None:
    """Before the worker takes a line: it may have as many as it is set to, and nobody holds a thread for long."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    for listener in worker.sockets:
        cut_silent(listener.sock, NEXT_BYTE)
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text(str(FIRST_TO_GO))


def cut_silent(listener: socket.socket, seconds: float) -> None:
    """Let each line that is taken from this listener give up waiting for a byte after so many seconds."""
    whole = int(seconds)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("ll", whole, int((seconds - whole) * 1e6)))
