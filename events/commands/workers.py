"""What a worker of the production server does beside answering: it cuts who keeps it waiting, and goes in time."""

import os
import selectors
import signal
import socket
import sys
import time
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from threading import Barrier
from typing import Any

from gunicorn.workers import gthread
from sqlalchemy.exc import DBAPIError

from events.commands import following
from events.commands.lines import Line, changes_something, missing
from events.commands.queues import Queues
from events.commands.turns import Kind, Turns
from events.lanes import KEPT
from events.worn_out import found_none

WAITING = {Kind.NEW: 16, Kind.CHANGE: 100}
"""So many wait in a worker for a thread before it leaves new lines to the other."""

WHOLE_WITHIN = 30.0
"""Seconds from its first byte in which such a request has to come."""
LONG_WITHIN = 120.0
"""The same for one that a thread reads, since it was given the thread."""
GONE = -1

LAST_WORDS = 5
"""Seconds in which a worker that makes way answers what it has begun."""
NO_MEMORY = (
    b"HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nRetry-After: 10\r\nContent-Type: text/plain\r\n\r\n"
    b"The server has no memory left at the moment. If you were sending something, look again before you send it anew.\n"
)


class Worker(gthread.ThreadWorker):  # type: ignore[misc]  # gunicorn tells no types
    """gunicorn's threaded worker, with four differences.

    It takes new lines from a queue of its own (``queues``), and none while many wait for it already: gunicorn's own
    takes every line that comes, and one of two workers then had nearly all of a hall's phones to serve.

    Requests wait for a thread by kind (``turns``): whoever looks does not wait for a hall that reports, nor a phone
    that comes now for those that ask again and again.

    And nobody holds a thread who only says something slowly, or nothing: a request is read in the worker's loop, and
    gets its thread once it is whole. With gunicorn's own, 32 requests that are begun and not ended keep everybody out.
    Of more lines than there may be, the one that has waited longest is let go.

    Where memory was wanting once, it answers what it has begun and makes way for another (``worn_out``).
    """

    alive: bool
    _accepting: bool
    queue: int
    """Which of the queues is its own (``queues``)."""
    threads_within = 10.0
    """Seconds until all its threads stand: one that finds no memory at its first step is waited for without end."""

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
            with suppress(MemoryError):
                self.log.error("a worker could not start, and the next one tries again: %s", failed)
            time.sleep(following.BEFORE_NEXT)
            sys.exit(1)

    def get_thread_pool(self) -> Any:
        """All threads from the beginning: one that is asked for when memory is wanting ends the worker."""
        threads, all_here = super().get_thread_pool(), Barrier(self.cfg.threads + 1)
        signal.setitimer(signal.ITIMER_REAL, self.threads_within)  # the kernel ends it then, which needs no memory
        try:
            for _ in range(self.cfg.threads):
                threads.submit(all_here.wait)
            all_here.wait()
        except RuntimeError as failed:
            all_here.abort()
            raise MemoryError(str(failed)) from failed
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        return threads

    def run(self) -> None:
        """Serve. Where memory was wanting, the end waits for no thread: one may wait for what nobody gives back."""
        self._queues = Queues(self.sockets, self.queue, self.poller, self.accept)
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

    @property
    def alone(self) -> bool:
        """Whether whoever asks this is the only one that is being answered."""
        return self._turns.alone

    def set_accept_enabled(self, enabled: bool) -> None:
        """Take new lines, or leave them to the other worker."""
        if enabled != self._accepting:
            (self._queues.open if enabled else self._queues.close)()
        self._accepting = enabled

    def wait_for_and_dispatch_events(self, timeout: float) -> None:
        """Wait, and do what is to be done."""
        super().wait_for_and_dispatch_events(self._queues.patience(timeout))
        self._queues.look()

    def accept(self, listener: socket.socket) -> bool:
        """Take a new line; whether there was one."""
        try:
            sock, client = listener.accept()
        except BlockingIOError:
            return False
        except ConnectionAbortedError:
            return True
        self.nr_conns += 1
        if self.nr_conns > self._most_lines:
            self._let_one_go()
        self._watch(Line(self.cfg, sock, client, listener.getsockname()))
        return True

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
