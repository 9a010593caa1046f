"""F22: memory runs out."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tests.chaos import memory
from tests.chaos.conftest import Fresh
from tests.chaos.outcome import Outcome
from tests.chaos.serving import Warm


@pytest.mark.proves("G1", "F22", "I1", "I2")
@pytest.mark.long
@pytest.mark.full_on_both
def test_want_of_memory_loses_nothing_and_the_service_goes_on(
    prove: Callable[..., Outcome], fresh: Fresh, warm: Warm, tmp_path: Path, seed: int
) -> None:
    prove("memory", partial(memory.run, fresh=fresh, warm=warm, data=tmp_path, seed=seed), "memory_unheard")
