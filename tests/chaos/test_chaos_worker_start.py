"""F22, F25: workers are killed, as the kernel does for want of memory, and the next ones cannot reach the database."""

import os
import time
from pathlib import Path
from signal import SIGKILL

import pytest

from tests.chaos.conftest import Fresh
from tests.chaos.hall import browser_of
from tests.chaos.serving import Warm, serving


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
