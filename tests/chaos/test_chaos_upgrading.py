"""F19: an upgrade in the middle of an event."""

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tests.chaos import upgrading
from tests.chaos.conftest import Fresh
from tests.chaos.outcome import Outcome
from tests.chaos.serving import Warm
from tests.postgres import client_programs


@pytest.mark.proves("G1", "F19", "I1", "I2", "I3")
@pytest.mark.full_on_both
def test_nothing_that_a_phone_was_told_is_lost_by_an_upgrade(
    prove: Callable[..., Outcome], fresh: Fresh, warm: Warm, tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"{client_programs()}{os.pathsep}{os.environ['PATH']}")
    run = partial(upgrading.run, fresh=fresh, warm=warm, data=tmp_path, seed=seed)
    done = prove("upgrading", run, "forgetful")
    assert done.counts["acknowledged reports"] > upgrading.ANSWERED
