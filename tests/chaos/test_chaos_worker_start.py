"""F22, F25: workers are killed, as the kernel does for want of memory, and the next ones cannot reach the database."""

import os
import time
from collections.abc import Iterator
from pathlib import Path
from signal import SIGKILL

import pytest

from events.commands.serve import WORKERS
from tests.chaos.conftest import Fresh
from tests.chaos.half_read import MADE, UNREAD
from tests.chaos.hall import browser_of
from tests.chaos.serving import Service, Warm, serving


@pytest.mark.proves("F22", "F25")
def test_workers_that_start_without_their_database_say_so_and_serve_it_when_it_is_back(
    fresh: Fresh, warm: Warm, tmp_path: Path
) -> None:
    """Both are killed while the database is not at hand; nobody is left waiting, and it comes back."""
    url, anybody = fresh(), browser_of({})
    at_hand = Path(url.removeprefix("sqlite:///")).parent
    with serving(url, tmp_path / "data", warm=warm) as service:
        workers = service.workers()
        at_hand.rename(tmp_path / "away")
        for worker in workers:
            os.kill(worker, SIGKILL)
        service.wait_until_healthy()
        answer = anybody.get(service.port, "/")
        assert (answer.status, answer.headers["retry-after"]) == (503, "10")
        assert "The data is not at hand" in answer.body
        assert anybody.get(service.port, "/readyz").status == 503
        (tmp_path / "away").rename(at_hand)
        until = time.monotonic() + 60
        while (answer := anybody.get(service.port, "/")).status != 200:
            assert time.monotonic() < until, answer.body
            time.sleep(0.02)
        assert not set(workers) & set(service.workers())


@pytest.fixture
def half_read(fresh: Fresh, warm: Warm, tmp_path: Path) -> Iterator[tuple[Service, Path]]:
    """A service that is not started yet, and the file that keeps its application from being read."""
    unread = tmp_path / "unread"
    made_by, environment = "tests.chaos.half_read:create_app()", {UNREAD: str(unread)}
    service = Service(fresh(), tmp_path / "data", made_by=made_by, environment=environment, warm=warm)
    yield service, unread
    service.kill()


@pytest.mark.proves("F22")
def test_a_worker_that_cannot_be_read_whole_is_followed_by_the_next_one(half_read: tuple[Service, Path]) -> None:
    """A library that finds no memory ends its worker alone, and not the service."""
    (service, unread), anybody = half_read, browser_of({})
    service.start()
    until = time.monotonic() + 60
    while len(list(unread.parent.glob(f"{MADE}*"))) < WORKERS:
        assert time.monotonic() < until, service.log()
        time.sleep(0.02)  # one of the first that cannot be read ends the service, as it should
    killed, other = service.workers()
    unread.touch()
    os.kill(killed, SIGKILL)
    while "a worker could not start" not in service.log():
        assert running(service) and time.monotonic() < until, service.log()
        time.sleep(0.02)
    assert anybody.get(service.port, "/").status == 200
    unread.unlink()
    os.kill(other, SIGKILL)
    service.wait_until_healthy()
    assert anybody.get(service.port, "/").status == 200


def test_a_service_that_cannot_be_read_at_all_ends_at_its_start(half_read: tuple[Service, Path]) -> None:
    service, unread = half_read
    service.data.mkdir(parents=True)
    unread.touch()
    service.start(wait=False)
    until = time.monotonic() + 60
    while running(service):
        assert time.monotonic() < until, service.log()
        time.sleep(0.02)
    assert "failed to map segment" in service.log()


def running(service: Service) -> bool:
    """Whether it has not ended by itself."""
    return service.process is not None and service.process.poll() is None
