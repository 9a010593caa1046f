"""R3, F7: the disk is full or breaks at any write."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.chaos import bad_disk
from tests.chaos.conftest import Fresh
from tests.chaos.outcome import Outcome, Size


@pytest.mark.proves("G1", "G6", "F7", "I9")
def test_a_disk_that_fails_at_any_write_gives_words_and_leaves_all_or_nothing(
    prove: Callable[..., Outcome], fresh: Fresh, tmp_path: Path, seed: int
) -> None:
    def run(size: Size, broken: str | None) -> Outcome:
        urls = {name: fresh() for name in bad_disk.presses(size)}
        return bad_disk.run(size, broken, urls=urls, folder=tmp_path / "disk", seed=seed)

    prove("bad_disk", run, "no_words")
