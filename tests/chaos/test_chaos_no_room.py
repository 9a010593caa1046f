"""F7: quotas, and folders that may only be read."""

from collections.abc import Callable
from functools import partial

import pytest
from flask import Flask

from tests.chaos import no_room
from tests.chaos.conftest import Fresh
from tests.chaos.outcome import Outcome


@pytest.mark.proves("G6", "F7")
def test_what_may_not_be_written_is_told_and_what_may_be_read_is_served(
    prove: Callable[..., Outcome], fresh: Fresh, pages: Flask, seed: int
) -> None:
    prove("no_room", partial(no_room.run, pages=pages, fresh=fresh, seed=seed), "no_words")
