"""F18: upgrades that are broken off, and two at once."""

import os
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

import pytest

from tests.chaos import migrating
from tests.chaos.conftest import Fresh
from tests.chaos.outcome import Outcome
from tests.postgres import client_programs


@pytest.mark.proves("F18")
@pytest.mark.both_databases
def test_an_upgrade_is_done_wholly_or_not_at_all_and_once(
    prove: Callable[..., Outcome],
    fresh: Fresh,
    copied: Callable[[str], str],
    tmp_path: Path,
    seed: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PATH", f"{client_programs()}{os.pathsep}{os.environ['PATH']}")
    data = tmp_path / "data"
    data.mkdir()
    old = cache(lambda revision: migrating.of_before(fresh(), revision, copied, data))
    run = partial(migrating.run, old=old, copied=copied, data=data, seed=seed)
    prove("migrating", run, "steps_apart", "unlocked")
