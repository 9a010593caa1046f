"""F17: the power is cut."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tests.chaos import power_cut
from tests.chaos.conftest import Fresh
from tests.chaos.outcome import Outcome


@pytest.mark.proves("G1", "F17", "I1", "I9")
def test_what_a_phone_was_told_is_there_after_a_power_cut(
    prove: Callable[..., Outcome], fresh: Fresh, tmp_path: Path, seed: int
) -> None:
    done = prove("power_cut", partial(power_cut.run, fresh=fresh, folder=tmp_path / "cut", seed=seed), "no_wait")
    assert done.counts["images with writes that were not waited for"] > 0
