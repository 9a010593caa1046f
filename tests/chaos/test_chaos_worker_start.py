"""F22, F25: workers are killed, as the kernel does for want of memory, and the next ones cannot reach the database."""

import os
import resource
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
from tests.chaos.warm import NO_FORK


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
@pytest.mark.parametrize("fault", ["", "what one of them makes of want of memory"])
def test_a_worker_that_cannot_be_read_whole_is_followed_by_the_next_one(
    half_read: tuple[Service, Path], fault: str
) -> None:
    """A library that finds no memory ends its worker alone, and not the service, whatever it says."""
    (service, unread), anybody = half_read, browser_of({})
    service.start()
    until = time.monotonic() + 60
    while len(list(unread.parent.glob(f"{MADE}*"))) < WORKERS:
        assert time.monotonic() < until, service.log()
        time.sleep(0.02)  # one of the first that cannot be read ends the service, as it should
    killed, other = service.workers()
    unread.write_text(fault)
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


@pytest.mark.proves("F22")
def test_where_no_memory_is_left_for_another_worker_the_one_that_is_there_serves_on(
    fresh: Fresh, warm: Warm, tmp_path: Path
) -> None:
    none_left, anybody = tmp_path / "none left", browser_of({})
    with serving(fresh(), tmp_path / "data", warm=warm, **{NO_FORK: str(none_left)}) as service:
        _both(service)
        none_left.touch()
        killed, other = _one_killed(service)
        assert "no worker could be made, and it is tried again: [Errno 12]" in service.log()
        assert anybody.get(service.port, "/").status == 200 and service.workers() == [other]
        none_left.unlink()
        assert killed not in _both(service)
        assert anybody.get(service.port, "/").status == 200


@pytest.mark.proves("F22")
def test_a_worker_that_finds_no_room_for_its_clock_is_made_later_and_opens_no_file_to_others(
    fresh: Fresh, warm: Warm, tmp_path: Path
) -> None:
    """The process that follows the workers up may open no more files; gunicorn sets its umask aside for that one."""
    with serving(fresh(), tmp_path / "data", warm=warm) as service:
        assert service.process is not None
        server, before = service.process.pid, [_umask(one) for one in _both(service)]
        most = resource.prlimit(server, resource.RLIMIT_NOFILE)
        resource.prlimit(server, resource.RLIMIT_NOFILE, (3, most[1]))
        killed, _ = _one_killed(service)
        assert "[Errno 24]" in service.log() and _umask(server) == before[0]
        resource.prlimit(server, resource.RLIMIT_NOFILE, most)
        workers = _both(service)
        assert killed not in workers and [_umask(one) for one in workers] == before


def _one_killed(service: Service) -> list[int]:
    """Kill one of two, and wait until no other could be made; those that there were, the killed one first."""
    until, workers = time.monotonic() + 60, _both(service)
    os.kill(workers[0], SIGKILL)
    while "no worker could be made" not in service.log():
        assert running(service) and time.monotonic() < until, service.log()
        time.sleep(0.02)
    return workers


def _both(service: Service) -> list[int]:
    """Its workers, once there are two."""
    until = time.monotonic() + 60
    while len(workers := service.workers()) < WORKERS:
        assert running(service) and time.monotonic() < until, service.log()
        time.sleep(0.02)
    return workers


def _umask(process: int) -> str:
    """The rights that its new files do not have, as the system tells them."""
    return Path(f"/proc/{process}/status").read_text().partition("Umask:")[2].split()[0]


def running(service: Service) -> bool:
    """Whether it has not ended by itself."""
    return service.process is not None and service.process.poll() is None
