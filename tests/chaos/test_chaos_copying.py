"""R8, F20: copies under load."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tests.chaos import copying
from tests.chaos.conftest import Fresh
from tests.chaos.outcome import Outcome


@pytest.mark.proves("G7", "F20", "I1")
def test_a_copy_made_under_load_is_one_moment_and_comes_back_whole(
    prove: Callable[..., Outcome], fresh: Fresh, tmp_path: Path
) -> None:
    prove("copying", partial(copying.run, fresh=fresh, folder=tmp_path), "file_alone")
