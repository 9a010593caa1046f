"""Garbage is looked for between two requests: why, and that it is."""

import errno
import gc
import os
import selectors
import signal
import socket
import subprocess
import sys
import time
import tomllib
import weakref
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest
from gunicorn.config import Config
from gunicorn.workers import gthread

from events.busy import Slots
from events.commands import garbage, workers
from events.commands.lines import Line
from events.commands.turns import Kind, Turns
from events.worn_out import found_none

ROOT = Path(__file__).resolve().parents[2]

# What happens to a row of SQLAlchemy whose instance is garbage when its session is closed: storing an attribute beyond
# the places that all instances share moves its attributes into a dict, and a weak reference's callback does so too.
STORED_WHILE_LOOKING = """
import gc, sys, weakref
from events.commands import garbage

class State: pass
class Thing: pass

states = []
for n in range(40):
    state = State(); state.a = n; state.b = n; state.seen = None; states.append(state)
states[-1].last_place = 1
gc.set_threshold(1)
gc.disable() if sys.argv[1] == "by itself" else garbage.post_worker_init(None)
told, kept = [], [{} for _ in range(2000)]
for n in range(500):
    state, thing = State(), Thing()
    state.a = state.b = n
    thing.itself = thing
    def gone(_, state=state): state.late = 1; told.append(1)
    state.seen = weakref.ref(thing, gone)
    del thing, gone
    kept.extend({} for _ in range(100))
    if sys.argv[1] == "by itself": gc.enable()
    state.late = 2
    if sys.argv[1] == "by itself": gc.disable()
    garbage.look(alone=True)
    kept.append([object() for _ in range(50)])
    assert state.__dict__["a"] == state.__dict__["b"] == n
assert told
"""


def run(how: str) -> int:
    """Run it in a process of its own; returns how it ended."""
    done = subprocess.run(
        [sys.executable, "-c", STORED_WHILE_LOOKING, how], cwd=ROOT, capture_output=True, timeout=60,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    return done.returncode


def test_a_worker_is_not_killed_by_its_own_search_for_garbage() -> None:
    assert run("between requests") == 0
    # The control: as the interpreter does it by itself. Should a 3.11 come in which this is mended, the hooks may go.
    assert (run("by itself") == 0) == (sys.version_info >= (3, 12))


def test_no_command_searches_for_garbage_by_itself() -> None:
    asked = "import atexit, gc; atexit.register(lambda: print(gc.isenabled())); from events.commands.main import main"
    done = subprocess.run(
        [sys.executable, "-c", f"{asked}; main()", "--version"], cwd=ROOT, capture_output=True, text=True, timeout=60,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert done.stdout.splitlines()[-1] == "False", done
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]
    assert scripts == {"overseer": "events.commands.main:main"}


@pytest.mark.slow
@pytest.mark.parametrize("beside_others", [False, True])
def test_garbage_is_found_once_enough_has_come_together(beside_others: bool) -> None:
    class Thing:
        itself: "Thing"

    before, paper = gc.get_threshold(), Slots(1)
    try:
        garbage.post_worker_init(None)
        assert not gc.isenabled()
        thing = Thing()
        thing.itself = thing
        gone = weakref.ref(thing)
        del thing
        garbage.look(alone=True)
        assert gone() is not None, "too little to look through"
        kept: list[list[int]] = [[] for _ in range(garbage.MOST_YOUNG)]
        assert paper.enter()
        garbage.look(alone=True)
        assert gone() is not None, "nobody waits for a look at a paper that is being made"
        paper.leave()
        garbage.look(alone=False)
        assert gone() is not None, "nor for one at a round that is being drawn"
        if beside_others:
            kept += [[] for _ in range(garbage.MOST_BESIDE)]
        garbage.look(alone=not beside_others)
        assert gone() is None and kept
    finally:
        gc.enable()
        gc.set_threshold(*before)


@pytest.fixture
def worker() -> Iterator[workers.Worker]:
    """A worker that serves nobody yet, and the threads of one."""
    cfg = Config()
    made = workers.Worker(0, os.getppid(), [], None, 30, cfg, None)
    made.tpool = ThreadPoolExecutor(max_workers=1)
    made.method_queue.init()
    yield made
    made.tpool.shutdown()
    made.method_queue.close()
    made.tmp.close()


@pytest.fixture
def said(worker: workers.Worker) -> list[str]:
    """What the worker puts into its log as an error."""
    told: list[str] = []

    class Log:
        def error(self, words: str) -> None:
            told.append(words)

    worker.log = Log()
    return told


def test_a_worker_with_enough_to_do_leaves_new_lines_to_the_other(worker: workers.Worker) -> None:
    most = worker.worker_connections
    served_before, come_now, report = (Line(worker.cfg, socket.socket(), "", "") for _ in range(3))
    served_before.initialized = True
    for line, came in ((served_before, b"GET /"), (come_now, b"\r\nHEAD /"), (report, b"POST /")):
        worker._came[line] = bytearray(came)
        line.whole = True
    kinds = [worker._kind(line) for line in (served_before, come_now, report)]
    assert kinds == [Kind.AGAIN, Kind.NEW, Kind.CHANGE]
    come_now.whole = False
    assert worker._kind(come_now) == Kind.LONG
    for kind, enough in ((Kind.AGAIN, None), (Kind.CHANGE, 100), (Kind.NEW, 16)):
        turns: Turns[Line] = Turns(worker.cfg.threads)
        worker._turns = turns
        for waiting in range(200):
            left = enough is not None and waiting >= enough
            assert worker.worker_connections == (0 if left else most) and most > 0, (kind, waiting)
            turns.wait(come_now, kind)
    for line in (served_before, come_now, report):
        line.sock.close()


@pytest.mark.proves("attack 47")
def test_of_too_many_lines_the_one_goes_that_has_waited_longest(worker: workers.Worker) -> None:
    """One that comes now is not the one, though all others wait to be read and it alone has said nothing yet."""
    worker.poller = selectors.DefaultSelector()
    lines = [socket.socketpair() for _ in range(4)]
    try:
        first, second, now, mute = (Line(worker.cfg, ours, "", "") for ours, _ in lines)
        for line, kind in ((first, Kind.LONG), (second, Kind.LONG)):
            worker._came[line] = bytearray(b"POST")
            worker._turns.wait(line, kind)
        worker._watch(now)
        worker._silent[now] = time.monotonic() + 1
        worker.nr_conns = 4
        for left in ([second, now, mute], [now, mute], [mute]):
            worker._let_one_go()
            assert [one for one in (first, second, now, mute) if one.sock.fileno() != -1] == left
            assert worker.nr_conns == len(left)
    finally:
        worker.poller.close()
        for pair in lines:
            for one in pair:
                one.close()


@pytest.mark.proves("F22")
def test_where_no_page_can_be_made_for_want_of_memory_words_are_sent(worker: workers.Worker, said: list[str]) -> None:
    ours, phone = socket.socketpair()
    with ours, phone:
        worker.handle_error(None, ours, None, MemoryError())
        answer = phone.recv(4096)
    assert answer.startswith(b"HTTP/1.1 503 ") and b"Retry-After: 10" in answer and b"no memory left" in answer
    assert said == ["no memory"]


@pytest.mark.proves("F22")
def test_a_worker_that_found_no_memory_makes_way_for_another(worker: workers.Worker, said: list[str]) -> None:
    worker.murder_pending()
    assert worker.alive and not said
    try:
        try:
            raise MemoryError
        except MemoryError:
            raise KeyError("what was to be given back")  # noqa: B904  # as Python does by itself
    except KeyError as failed:
        assert found_none(failed)
    worker.murder_pending()
    assert not worker.alive and worker.cfg.graceful_timeout == workers.LAST_WORDS
    assert said == ["memory was wanting: this worker makes way for another"]


@pytest.mark.proves("F22")
def test_a_worker_that_hangs_in_its_start_is_ended_in_time() -> None:
    """A thread that finds no memory at its first step is waited for without end; gunicorn ends whoever says nothing."""

    class Hangs(workers.Worker):
        def get_thread_pool(self) -> object:
            raise KeyError("as far as it comes")

    hangs = Hangs(0, os.getppid(), [], None, 30, Config(), None)
    with pytest.raises(KeyError):
        hangs.init_process()
    assert hangs.tmp.last_update() <= time.monotonic(), "by gunicorn's clock it is not late, whatever happens"
    hangs.tmp.close()


@pytest.mark.proves("F22")
def test_a_worker_whose_threads_do_not_all_stand_is_ended_by_the_kernel_and_soon() -> None:
    class TooFew(gthread.ThreadWorker):
        def get_thread_pool(self) -> ThreadPoolExecutor:
            return ThreadPoolExecutor(self.cfg.threads - 1)

    class Waits(workers.Worker, TooFew):
        threads_within = 0.05

    process = os.fork()
    if process == 0:
        try:
            config = Config()
            config.set("threads", 2)
            Waits(0, os.getppid(), [], None, 30, config, None).get_thread_pool()
        finally:
            os._exit(0)
    until = time.monotonic() + 30
    while (ended := os.waitpid(process, os.WNOHANG)) == (0, 0) and time.monotonic() < until:
        time.sleep(0.01)
    if ended == (0, 0):
        os.kill(process, signal.SIGKILL)
        ended = os.waitpid(process, 0)
    assert os.WIFSIGNALED(ended[1]) and os.WTERMSIG(ended[1]) == signal.SIGALRM


@pytest.mark.parametrize(
    ("error", "of_memory"),
    [
        (MemoryError(), True), (SystemError(), True), (OSError(errno.ENOMEM, "no"), True),
        (OSError(errno.ENOENT, "no"), False), (KeyError(), False), (None, False),
        (psycopg.DatabaseError("out of memory for query result"), True), (psycopg.DatabaseError("no"), False),
        (psycopg.errors.OutOfMemory("out of memory"), False),
    ],
)  # fmt: skip
def test_want_of_memory_is_known_by_what_is_raised(error: BaseException | None, of_memory: bool) -> None:
    assert found_none(error) == of_memory
    assert found_none() == of_memory


def test_all_threads_stand_before_the_first_request(worker: workers.Worker) -> None:
    pool = worker.get_thread_pool()
    assert len(pool._threads) == worker.cfg.threads
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)
    pool.shutdown()
