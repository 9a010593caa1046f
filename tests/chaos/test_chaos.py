"""Interrupted, concurrent and hostile requests: each harness on new databases, with a seed."""

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
def test_request_killed_at_any_statement_is_stored_completely_or_not_at_all(
    prove: Prove, fresh: Fresh, copied: Copied, tmp_path: Path, seed: int
) -> None:
    run = partial(failing.run, fresh=fresh, copied=copied, data=tmp_path / "data", seed=seed)
    prove("failing", run, "in_pieces")


@pytest.mark.proves(
    "G2", "G3", "G5", "F1", "F2", "F3", "F13", "I5", "I8", "I11", "attack 43", "ASVS 2.3.2", "ASVS 2.3.4"
)
@pytest.mark.full_on_both
def test_two_concurrent_requests_have_the_result_of_one_after_the_other(
    prove: Prove, fresh: Fresh, copied: Copied, tmp_path: Path, seed: int
) -> None:
    run = partial(interleaving.run, fresh=fresh, copied=copied, data=tmp_path / "data", seed=seed)
    prove("interleaving", run, "in_pieces")


@pytest.mark.proves("G1", "G3", "F5", "I1", "I2", "I3", "I5")
@pytest.mark.full_on_both
def test_acknowledged_reports_survive_a_killed_server(prove: Prove, fresh: Fresh, tmp_path: Path, seed: int) -> None:
    done = prove("killing", partial(phones.kill, fresh=fresh, data=tmp_path, seed=seed), "answer_first")
    assert done.counts["acknowledged reports"] >= 12
    assert done.counts["answers lost by a kill"] > 0


@pytest.mark.proves("G1", "F11", "I1", "I2")
@pytest.mark.full_on_both
def test_report_cut_off_anywhere_and_resent_is_stored_once(
    prove: Prove, fresh: Fresh, tmp_path: Path, seed: int
) -> None:
    done = prove("cutting", partial(phones.cut, fresh=fresh, data=tmp_path, seed=seed), "no_keys")
    assert done.counts["cut in the post"] and done.counts["cut in the answer"]


@pytest.mark.proves("attack 38", "attack 40", "attack 41", "F24", "ASVS 2.2.1", "ASVS 2.2.2", "ASVS 16.5.1")
@pytest.mark.full_on_both
# werkzeug does not close the file of an upload that is cut off.
@pytest.mark.filterwarnings(
    "ignore:Exception ignored in. <function SpooledTemporaryFile:pytest.PytestUnraisableExceptionWarning"
)
def test_hostile_requests_cause_no_error_and_no_inconsistent_rows(
    pages: Flask, settings: Settings, fresh: Fresh, copied: Copied, seed: int, prove: Prove
) -> None:
    def run(size: Size, broken: str | None) -> Outcome:
        return fuzz(pages, size, seed, settings, fresh(), copied, broken)

    prove("fuzzed_pages", run, "no_checks")


@pytest.mark.proves("ASVS 2.3.1", "I4", "I6", "I7", "I8")
@pytest.mark.full_on_both
def test_event_stays_consistent_after_any_order_of_actions(
    fresh: Fresh, copied: Copied, clock: Clock, seed: int, prove: Prove
) -> None:
    empty = fresh()
    engine = open_engine(copied(empty))  # one engine for all copies, so that statements are compiled once

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
