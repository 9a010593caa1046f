"""Interrupted, concurrent and hostile requests: each harness on new databases, with a seed."""

from collections.abc import Callable
from functools import partial

import pytest
from flask import Flask

from service.settings import Settings
from tests.chaos import failing, interleaving, phones
from tests.chaos.fuzzed_pages import fuzz
from tests.chaos.outcome import Outcome
from tests.chaos.whole_events import play

Prove = Callable[..., Outcome]


@pytest.mark.sweep
@pytest.mark.proves("G2", "F4", "I4", "I8", "ASVS 2.3.3")
@pytest.mark.full_on_both
def test_request_killed_at_any_statement_is_stored_completely_or_not_at_all(prove: Prove) -> None:
    prove("failing", failing.run, "in_pieces")


@pytest.mark.proves(
    "G2", "G3", "G5", "F1", "F2", "F3", "F13", "I5", "I8", "I11", "attack 43", "ASVS 2.3.2", "ASVS 2.3.4"
)
@pytest.mark.full_on_both
def test_two_concurrent_requests_have_the_result_of_one_after_the_other(prove: Prove) -> None:
    prove("interleaving", interleaving.run, "in_pieces")


@pytest.mark.sweep
@pytest.mark.proves("G1", "G3", "F5", "I1", "I2", "I3", "I5")
@pytest.mark.full_on_both
def test_acknowledged_reports_survive_a_killed_server(prove: Prove) -> None:
    done = prove("killing", phones.kill, "answer_first")
    assert done.counts["acknowledged reports"] >= 12
    assert done.counts["answers lost by a kill"] > 0


@pytest.mark.proves("G1", "F11", "I1", "I2")
@pytest.mark.full_on_both
def test_report_cut_off_anywhere_and_resent_is_stored_once(prove: Prove) -> None:
    done = prove("cutting", phones.cut, "no_keys")
    assert done.counts["cut in the post"] and done.counts["cut in the answer"]


@pytest.mark.sweep
@pytest.mark.proves("attack 38", "attack 40", "attack 41", "F24", "ASVS 2.2.1", "ASVS 2.2.2", "ASVS 16.5.1")
@pytest.mark.full_on_both
# werkzeug does not close the file of an upload that is cut off.
@pytest.mark.filterwarnings(
    "ignore:Exception ignored in. <function SpooledTemporaryFile:pytest.PytestUnraisableExceptionWarning"
)
def test_hostile_requests_cause_no_error_and_no_inconsistent_rows(
    pages: Flask, settings: Settings, prove: Prove
) -> None:
    prove("fuzzed_pages", partial(fuzz, pages, settings), "no_checks")


@pytest.mark.sweep
@pytest.mark.proves("ASVS 2.3.1", "I4", "I6", "I7", "I8")
@pytest.mark.full_on_both
def test_event_stays_consistent_after_any_order_of_actions(prove: Prove) -> None:
    sound = prove("whole_events", play, "absent_who_play")
    for what in ("draw", "publish", "decide", "no-show"):
        assert sound.counts[f"pressed with effect: {what}"], what
