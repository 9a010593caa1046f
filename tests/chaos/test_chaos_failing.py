"""R2, F4: everything that people do, broken off at its statements."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tests.chaos import failing
from tests.chaos.conftest import Fresh
from tests.chaos.outcome import Outcome


@pytest.mark.proves("G2", "F4", "I4", "I8", "ASVS 2.3.3")
@pytest.mark.full_on_both
def test_what_is_broken_off_anywhere_is_done_wholly_or_not_at_all(
    prove: Callable[..., Outcome], fresh: Fresh, copied: Callable[[str], str], tmp_path: Path, seed: int
) -> None:
    run = partial(failing.run, fresh=fresh, copied=copied, data=tmp_path / "data", seed=seed)
    prove("failing", run, "in_pieces")
