"""Attack 47: ten thousand lines at once."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tests.chaos import crowding
from tests.chaos.conftest import Fresh
from tests.chaos.outcome import Outcome
from tests.chaos.serving import Warm


@pytest.mark.long
@pytest.mark.proves("G1", "attack 47")
def test_a_crowd_of_silent_and_slow_lines_keeps_nobody_out(
    prove: Callable[..., Outcome], fresh: Fresh, warm: Warm, tmp_path: Path
) -> None:
    prove("crowding", partial(crowding.run, fresh=fresh, warm=warm, data=tmp_path), "in_threads")
