"""R9, F21: damaged pages of the database's file."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from app import build_pages
from tests.chaos import damaging
from tests.chaos.conftest import Fresh
from tests.chaos.outcome import Outcome, Size


@pytest.mark.proves("F21", "G6")
def test_nothing_that_a_damaged_page_says_is_served_in_silence(
    prove: Callable[..., Outcome], fresh: Fresh, tmp_path: Path, seed: int, size: Size
) -> None:
    run = partial(damaging.run, pages=build_pages(), fresh=fresh, data=tmp_path, seed=seed)
    # What seals alone find is rare, and found in short by tests/test_seals.py.
    prove("damaging", run, "no_look", *(["no_seals"] if size == "full" else []))
