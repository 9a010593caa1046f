"""Where the workers of the production server take lines from."""

import selectors
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack
from types import SimpleNamespace

import pytest
from gunicorn.config import Config
from gunicorn.glogging import Logger

from events.commands.queues import LATE, Queues, free_queue, listening

COMING = 200


@pytest.fixture
def listeners() -> Iterator[list[socket.socket]]:
    """What a server of two workers listens to."""
    cfg = Config()
    cfg.set("workers", 2)
    with socket.socket() as probe:  # holds the number, and listens to nobody
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        probe.bind(("127.0.0.1", 0))
        cfg.set("bind", f"127.0.0.1:{probe.getsockname()[1]}")
        made = listening(SimpleNamespace(cfg=cfg, log=Logger(cfg)))
    assert not cfg.reuse_port, "the workers would make others, which end with them"
    yield made
    for one in made:
        one.close()


@pytest.fixture
def come(listeners: list[socket.socket]) -> Iterator[ExitStack]:
    """So many phones have come."""
    with ExitStack() as phones:
        for _ in range(COMING):
            phones.enter_context(socket.create_connection(listeners[0].getsockname(), timeout=5))
        yield phones


class Taking:
    """A worker that counts the lines which it takes."""

    def __init__(self, listeners: list[socket.socket], own: int) -> None:
        self.poller = selectors.DefaultSelector()
        self.queues = Queues(listeners, own, self.poller, self.take)
        self.took: list[int] = []
        self.numbers = {one.fileno(): number for number, one in enumerate(listeners)}

    def take(self, listener: socket.socket) -> bool:
        """Take one, as the worker does."""
        try:
            listener.accept()[0].close()
        except BlockingIOError:
            return False
        self.took.append(self.numbers[listener.fileno()])
        return True

    def look(self, seconds: float) -> None:
        """One turn of a worker's loop."""
        for key, _ in self.poller.select(self.queues.patience(seconds)):
            key.data(key.fileobj)
        self.queues.look()

    def work(self, seconds: float) -> None:
        """Its loop, for so long."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            self.look(max(0.0, until - time.monotonic()))


@pytest.mark.usefixtures("come")
@pytest.mark.proves("F14")
def test_lines_that_come_at_once_are_shared_out_whoever_is_awake(listeners: list[socket.socket]) -> None:
    first, second = Taking(listeners, 0), Taking(listeners, 1)
    first.queues.open()
    first.work(LATE / 2)
    second.queues.open()
    second.work(LATE / 2)
    assert set(first.took) == {0} and set(second.took) == {1}, "each has taken from its own queue"
    assert len(first.took) + len(second.took) == COMING
    # Of two hundred, by chance, fewer than 55 come to either once in some billions of times.
    assert min(len(first.took), len(second.took)) >= 55


@pytest.mark.slow
@pytest.mark.usefixtures("come")
@pytest.mark.proves("F6")
def test_who_waits_in_the_queue_of_a_worker_that_does_not_work_is_taken_by_another(
    listeners: list[socket.socket],
) -> None:
    alone = Taking(listeners, 0)
    alone.queues.open()
    alone.work(LATE / 2)
    assert set(alone.took) == {0}
    own, until = len(alone.took), time.monotonic() + 30
    while len(alone.took) < COMING and time.monotonic() < until:
        alone.look(1.0)
    assert alone.took[own:] == [1] * (COMING - own)
    alone.work(2 * LATE)
    with socket.create_connection(listeners[0].getsockname(), timeout=5):
        alone.work(2 * LATE)
    assert len(alone.took) == COMING + 1, "it looks on, whichever queue the next one comes to"


@pytest.mark.usefixtures("come")
def test_a_worker_with_enough_to_do_takes_from_no_queue(listeners: list[socket.socket]) -> None:
    worker = Taking(listeners, 1)
    worker.queues.open()
    worker.look(0)
    worker.queues.close()
    before = len(worker.took)
    worker.work(1.5 * LATE)
    assert len(worker.took) == before < COMING
    assert worker.queues.patience(0.7) == 0.7, "it waits for nothing"
    worker.queues.open()
    worker.work(LATE / 2)
    assert before < len(worker.took) < COMING


def test_a_worker_gets_the_queue_of_the_one_that_ended() -> None:
    first, second = SimpleNamespace(queue=0), SimpleNamespace(queue=1)
    assert free_queue([], 2) == 0
    assert free_queue([first], 2) == 1
    assert free_queue([second], 2) == 0
    assert free_queue([first, second], 2) == 0, "when all are made anew at once, the new ones share them as well"
    assert free_queue([first, second, first], 2) == 1
    assert free_queue([first, second], 1) == 0
