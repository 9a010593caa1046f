"""R7, F2, F13: two people act at once, in every order of their steps."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tests.chaos import interleaving
from tests.chaos.conftest import Fresh
from tests.chaos.outcome import Outcome


@pytest.mark.proves("G2", "G5", "F1", "F2", "F13", "I8", "ASVS 2.3.4")
@pytest.mark.full_on_both
def test_two_who_act_at_once_come_out_as_one_after_the_other(
    prove: Callable[..., Outcome], fresh: Fresh, copied: Callable[[str], str], tmp_path: Path, seed: int
) -> None:
    run = partial(interleaving.run, fresh=fresh, copied=copied, data=tmp_path / "data", seed=seed)
    prove("interleaving", run, "in_pieces")
