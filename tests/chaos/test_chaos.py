"""What people do while something breaks or everybody acts at once: each harness over fresh databases, by its dice."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy import Engine

from models.db import open_engine
from service.settings import Settings
from tests.chaos import failing, interleaving, phones
from tests.chaos.conftest import Copied, Fresh
from tests.chaos.fuzzed_pages import fuzz
from tests.chaos.outcome import Outcome, Size
from tests.chaos.whole_events import play
from tests.conftest import Clock

Prove = Callable[..., Outcome]


@pytest.mark.proves("G2", "F4", "I4", "I8", "ASVS 2.3.3")
@pytest.mark.full_on_both
def test_what_is_broken_off_anywhere_is_done_wholly_or_not_at_all(
    prove: Prove, fresh: Fresh, copied: Copied, tmp_path: Path, seed: int
) -> None:
    run = partial(failing.run, fresh=fresh, copied=copied, data=tmp_path / "data", seed=seed)
    prove("failing", run, "in_pieces")


@pytest.mark.proves(
    "G2", "G3", "G5", "F1", "F2", "F3", "F13", "I5", "I8", "I11", "attack 43", "ASVS 2.3.2", "ASVS 2.3.4"
)
@pytest.mark.full_on_both
def test_two_who_act_at_once_come_out_as_one_after_the_other(
    prove: Prove, fresh: Fresh, copied: Copied, tmp_path: Path, seed: int
) -> None:
    run = partial(interleaving.run, fresh=fresh, copied=copied, data=tmp_path / "data", seed=seed)
    prove("interleaving", run, "in_pieces")


@pytest.mark.proves("G1", "G3", "F5", "I1", "I2", "I3", "I5")
@pytest.mark.full_on_both
def test_nothing_that_a_phone_was_told_is_lost_by_a_kill(prove: Prove, fresh: Fresh, tmp_path: Path, seed: int) -> None:
    done = prove("killing", partial(phones.kill, fresh=fresh, data=tmp_path, seed=seed), "answer_first")
    assert done.counts["acknowledged reports"] >= 12
    assert done.counts["answers lost by a kill"] > 0


@pytest.mark.proves("G1", "F11", "I1", "I2")
@pytest.mark.full_on_both
def test_a_post_that_was_cut_anywhere_and_sent_again_is_stored_once(
    prove: Prove, fresh: Fresh, tmp_path: Path, seed: int
) -> None:
    done = prove("cutting", partial(phones.cut, fresh=fresh, data=tmp_path, seed=seed), "no_keys")
    assert done.counts["cut in the post"] and done.counts["cut in the answer"]


@pytest.mark.proves("attack 38", "attack 40", "attack 41", "F24", "ASVS 2.2.1", "ASVS 2.2.2", "ASVS 16.5.1")
@pytest.mark.full_on_both
# A form that breaks off in a file leaves that file to the garbage: werkzeug does, and nothing keeps it.
@pytest.mark.filterwarnings(
    "ignore:Exception ignored in. <function SpooledTemporaryFile:pytest.PytestUnraisableExceptionWarning"
)
def test_no_request_breaks_a_page_or_leaves_rows_that_are_unsound(
    pages: Flask, settings: Settings, fresh: Fresh, copied: Copied, seed: int, prove: Prove
) -> None:
    def run(size: Size, broken: str | None) -> Outcome:
        return fuzz(pages, size, seed, settings, fresh(), copied, broken)

    prove("fuzzed_pages", run, "no_checks")


@pytest.mark.proves("ASVS 2.3.1", "I4", "I6", "I7", "I8")
@pytest.mark.full_on_both
def test_whatever_is_pressed_in_whatever_order_the_event_stays_whole(
    fresh: Fresh, copied: Copied, clock: Clock, seed: int, prove: Prove
) -> None:
    empty = fresh()
    engine = open_engine(copied(empty))  # one for all copies: it has written each statement once

    def renew() -> Engine:
        engine.dispose()
        copied(empty)
        return engine

    def run(size: Size, broken: str | None) -> Outcome:
        return play(size, seed, renew, clock, broken)

    sound = prove("whole_events", run, "absent_who_play")
    engine.dispose()
    for what in ("draw", "publish", "decide", "no-show"):
        assert sound.counts[f"pressed with effect: {what}"], what
