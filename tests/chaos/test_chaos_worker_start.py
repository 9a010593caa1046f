"""F22, F25: a worker is killed, as the kernel does for want of memory, and the next one cannot start at once."""

import os
import time
from pathlib import Path
from signal import SIGKILL

import pytest

from tests.chaos.conftest import Fresh
from tests.chaos.serving import Warm, serving


@pytest.mark.proves("F22", "F25")
def test_a_worker_that_cannot_start_for_the_moment_does_not_end_the_service(
    fresh: Fresh, warm: Warm, tmp_path: Path
) -> None:
    """Both are killed while the database is not at hand; it comes back, and so do they."""
    url = fresh()
    at_hand = Path(url.removeprefix("sqlite:///")).parent
    with serving(url, tmp_path / "data", warm=warm) as service:
        workers = service.workers()
        at_hand.rename(tmp_path / "away")
        for worker in workers:
            os.kill(worker, SIGKILL)
        until = time.monotonic() + 60
        while "the next one tries again" not in service.log():
            assert time.monotonic() < until, service.log()
            time.sleep(0.02)
        (tmp_path / "away").rename(at_hand)
        service.wait_until_healthy()
        assert not set(workers) & set(service.workers())
