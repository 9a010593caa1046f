"""R1, F5: kill -9 of the whole server under load."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tests.chaos import killing
from tests.chaos.conftest import Fresh
from tests.chaos.outcome import Outcome
from tests.chaos.serving import Warm


@pytest.mark.proves("G1", "G2", "G3", "F4", "F5", "I1", "I2", "I3", "I5")
@pytest.mark.full_on_both
def test_nothing_that_a_phone_was_told_is_lost_by_a_kill(
    prove: Callable[..., Outcome], fresh: Fresh, warm: Warm, tmp_path: Path, seed: int
) -> None:
    run = partial(killing.run, fresh=fresh, warm=warm, data=tmp_path, seed=seed)
    done = prove("killing", run, "answer_first")
    assert done.counts["acknowledged reports"] >= 12
    assert done.counts["answers lost by a kill"] > 0
