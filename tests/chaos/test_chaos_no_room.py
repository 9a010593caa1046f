"""F7: quotas, folders that may only be read, and disks that turn bad under a service that runs."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from flask import Flask

from tests.chaos import no_room, turning
from tests.chaos.conftest import Fresh
from tests.chaos.outcome import Outcome, Size
from tests.chaos.serving import Warm


@pytest.mark.proves("G6", "F7")
def test_what_may_not_be_written_is_told_and_what_may_be_read_is_served(
    prove: Callable[..., Outcome], fresh: Fresh, pages: Flask, seed: int
) -> None:
    prove("no_room", partial(no_room.run, pages=pages, fresh=fresh, seed=seed), "no_words")


@pytest.mark.proves("G1", "G6", "F7", "I1", "I2")
def test_a_disk_that_turns_bad_is_told_in_words_and_nothing_is_lost_when_it_is_well_again(
    prove: Callable[..., Outcome], fresh: Fresh, warm: Warm, tmp_path: Path, size: Size
) -> None:
    done = prove("turning", partial(turning.run, fresh=fresh, warm=warm, data=tmp_path), "no_words")
    refused = done.counts["disks that this machine did not mount"]
    assert size == "short" or not refused, "for the full profile this machine must let root mount"
