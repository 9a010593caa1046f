"""F6, F8: the database's lock is held by somebody else, by a worker that hangs, by one that is killed."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tests.chaos import holding
from tests.chaos.conftest import Fresh
from tests.chaos.outcome import Outcome
from tests.chaos.serving import Warm


@pytest.mark.proves("F6", "F8")
@pytest.mark.full_on_both
def test_whoever_waits_for_a_lock_is_served_or_told_in_time(
    prove: Callable[..., Outcome], fresh: Fresh, warm: Warm, tmp_path: Path
) -> None:
    done = prove("held_lock", partial(holding.run, fresh=fresh, warm=warm, data=tmp_path), "patient")
    assert done.counts["told in time that the database is busy"] > 0
