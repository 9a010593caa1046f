"""R5 and R6: posts that are cut anywhere, and many that come in the same instant."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tests.chaos import colliding, cutting
from tests.chaos.conftest import Fresh
from tests.chaos.outcome import Outcome
from tests.chaos.serving import Warm


@pytest.mark.proves("G1", "F11", "I1", "I2")
@pytest.mark.full_on_both
def test_a_post_that_was_cut_anywhere_and_sent_again_is_stored_once(
    prove: Callable[..., Outcome], fresh: Fresh, warm: Warm, tmp_path: Path, seed: int
) -> None:
    done = prove("cutting", partial(cutting.run, fresh=fresh, warm=warm, data=tmp_path, seed=seed), "no_keys")
    assert done.counts["cut in the post"] and done.counts["cut in the answer"]


@pytest.mark.proves("G2", "G3", "F1", "F3", "I5", "I11", "attack 43", "ASVS 2.3.2", "ASVS 2.3.4")
@pytest.mark.full_on_both
def test_what_many_do_in_the_same_instant_is_done_once(
    prove: Callable[..., Outcome], fresh: Fresh, warm: Warm, tmp_path: Path
) -> None:
    prove("colliding", partial(colliding.run, fresh=fresh, warm=warm, data=tmp_path), "in_pieces")
