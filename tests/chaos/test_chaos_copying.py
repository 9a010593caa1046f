"""R8, F20: copies under load."""

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tests.chaos import copying
from tests.chaos.conftest import Fresh
from tests.chaos.outcome import Outcome
from tests.postgres import client_programs


@pytest.mark.full_on_both
@pytest.mark.proves("G7", "F20", "I1")
def test_a_copy_made_under_load_is_one_moment_and_comes_back_whole(
    prove: Callable[..., Outcome], fresh: Fresh, tmp_path: Path, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"{client_programs()}{os.pathsep}{os.environ['PATH']}")
    broken = "file_alone" if database_url.startswith("sqlite") else "first_again"
    prove("copying", partial(copying.run, fresh=fresh, folder=tmp_path), broken)
