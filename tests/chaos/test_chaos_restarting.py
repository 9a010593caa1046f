"""F9, R4: PostgreSQL is started again under load."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tests.chaos import restarting
from tests.chaos.conftest import Fresh
from tests.chaos.outcome import Outcome
from tests.chaos.serving import Warm
from tests.kit.postgres import PostgresServer


@pytest.mark.proves("G1", "F9", "I1", "I2", "I3")
@pytest.mark.postgres
def test_nothing_that_a_phone_was_told_is_lost_when_the_database_is_started_again(
    prove: Callable[..., Outcome], fresh: Fresh, postgres_server: PostgresServer, warm: Warm, tmp_path: Path, seed: int
) -> None:
    run = partial(restarting.run, fresh=fresh, server=postgres_server, warm=warm, data=tmp_path, seed=seed)
    done = prove("restarts", run, "answer_first")
    assert done.counts["acknowledged reports"] > 16
