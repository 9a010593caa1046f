"""F9, R4: PostgreSQL behind a line that is cut."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tests.chaos import line_cuts
from tests.chaos.conftest import Fresh
from tests.chaos.outcome import Outcome
from tests.chaos.serving import Warm


@pytest.mark.proves("G1", "F9", "I1", "I2", "I3")
@pytest.mark.postgres
def test_a_report_is_stored_once_wherever_its_line_is_cut(
    prove: Callable[..., Outcome], fresh: Fresh, warm: Warm, tmp_path: Path, seed: int
) -> None:
    run = partial(line_cuts.run, fresh=fresh, warm=warm, data=tmp_path, seed=seed)
    done = prove("cut_line", run, "answer_first", "no_keys")
    assert done.counts["cuts"] > 8 and done.counts["cuts within the commit"] > 4
