"""R9, F21: damaged pages of the database's file."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from app import build_pages
from tests.chaos import damaging
from tests.chaos.conftest import Fresh
from tests.chaos.outcome import Outcome


@pytest.mark.proves("F21", "G6")
def test_nothing_that_a_damaged_page_says_is_served_in_silence(
    prove: Callable[..., Outcome], fresh: Fresh, tmp_path: Path, seed: int
) -> None:
    prove("damaging", partial(damaging.run, pages=build_pages(), fresh=fresh, data=tmp_path, seed=seed), "no_look")
