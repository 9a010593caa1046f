"""R2, F20: going back to a copy, broken off at its steps."""

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tests.chaos import going_back
from tests.chaos.conftest import Fresh
from tests.chaos.outcome import Outcome
from tests.postgres import client_programs


@pytest.mark.proves("G7", "F20")
@pytest.mark.full_on_both
def test_going_back_that_is_broken_off_anywhere_is_done_wholly_or_not_at_all_and_lets_nobody_in(
    prove: Callable[..., Outcome],
    fresh: Fresh,
    copied: Callable[[str], str],
    database_url: str,
    tmp_path: Path,
    seed: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PATH", f"{client_programs()}{os.pathsep}{os.environ['PATH']}")
    run = partial(going_back.run, fresh=fresh, copied=copied, data=tmp_path / "data", seed=seed)
    controls = ["by_hand"] if database_url.startswith("sqlite") else ["by_hand", "left_undone"]
    prove("going_back", run, *controls)
