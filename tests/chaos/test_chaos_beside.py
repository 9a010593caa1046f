"""F18: a newer release beside a server that nobody stopped."""

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tests.chaos import beside
from tests.chaos.conftest import Fresh
from tests.chaos.outcome import Outcome
from tests.chaos.serving import Warm
from tests.postgres import client_programs


@pytest.mark.proves("G1", "F18", "F19", "I1", "I2", "I3")
@pytest.mark.full_on_both
def test_a_server_that_an_upgrade_left_behind_stores_nothing_and_says_so(
    prove: Callable[..., Outcome], fresh: Fresh, warm: Warm, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"{client_programs()}{os.pathsep}{os.environ['PATH']}")
    done = prove("beside", partial(beside.run, fresh=fresh, warm=warm, data=tmp_path), "any_shape")
    assert done.counts["acknowledged reports"] > beside.ANSWERED
