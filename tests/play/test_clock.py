"""The clock of a round: its reading at each time."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from events.play.clock import (
    Call,
    ClockRules,
    Facts,
    State,
    planned_starts,
    read,
    rules_document,
    rules_from,
    shown,
    turns,
)

TEN = datetime(2026, 12, 5, 10, tzinfo=UTC)
RULES = ClockRules()
RUNNING = Facts(90, started_at=TEN)


def after(minutes: float) -> datetime:
    return TEN + timedelta(minutes=minutes)


def test_running_clock_from_its_start_into_overtime() -> None:
    for minutes, left, words in (
        (0, "1:30:00", "Running"),
        (59.99, "30:01", "Running"),
        (60, "30:00", "30 minutes called"),
        (75, "15:00", "Last game round"),
        (85, "05:00", "Last game round"),
        (89.99, "00:01", "Last game round"),
        (90, "00:00", "Overtime"),
        (93.1167, "−03:07", "Overtime"),
        (155, "−1:05:00", "Overtime"),
    ):
        reading = read(RUNNING, RULES, after(minutes))
        assert (reading.state, reading.shown, reading.words) == (State.RUNNING, left, words)
        assert reading.over == (minutes >= 90)
        assert reading.ends_at == after(90)
    for seconds, text in ((0, "00:00"), (59, "00:59"), (3600, "1:00:00"), (-61, "−01:01")):
        assert shown(seconds) == text


def test_before_the_start_the_whole_time_is_left_and_nothing_is_called() -> None:
    short = read(Facts(10, extra_seconds=60), RULES, after(500))
    assert (short.state, short.shown, short.words, short.ends_at) == (State.WAITING, "11:00", "Not started", None)
    assert (short.called, short.next_call, short.over, short.last_game_round) == (None, None, False, False)


def test_next_call_is_returned_with_its_time() -> None:
    calls = {10: Call(30, after(60)), 60: Call(15, after(75)), 86: None}
    assert {at: read(RUNNING, RULES, after(at)).next_call for at in calls} == calls
    short = read(Facts(15, started_at=TEN), RULES, after(0))
    assert (short.words, short.called, short.next_call) == ("Running", None, Call(5, after(10))), "none for all of it"


def test_time_of_the_last_game_round_is_returned_until_it_begins() -> None:
    rules = ClockRules(calls=(30, 5), last_game_round=20)
    assert read(RUNNING, rules, after(65)).last_game_round_at == after(70)
    assert read(RUNNING, rules, after(70)).last_game_round_at is None
    assert read(RUNNING, rules, after(70)).words == "Last game round"
    assert read(Facts(20, started_at=TEN), rules, after(1)).last_game_round_at is None
    assert read(RUNNING, ClockRules(last_game_round=0), after(1)).last_game_round_at is None


def test_paused_clock_stands_still_and_ends_later() -> None:
    paused = Facts(90, started_at=TEN, paused_at=after(20))
    for minutes in (20, 25, 400):
        reading = read(paused, RULES, after(minutes))
        assert (reading.state, reading.shown, reading.words, reading.ends_at) == (
            State.PAUSED, "1:10:00", "Paused", None,
        )  # fmt: skip
    gone_on = Facts(90, started_at=TEN, paused_seconds=7 * 60)
    assert read(gone_on, RULES, after(27)).shown == "1:10:00"
    assert read(gone_on, RULES, after(27)).ends_at == after(97)


def test_stopped_clock_keeps_its_reading() -> None:
    stopped = read(Facts(90, started_at=TEN, stopped_at=after(95)), RULES, after(300))
    assert (stopped.shown, stopped.words, stopped.over) == ("−05:00", "Time was called", True)
    early = read(Facts(90, started_at=TEN, stopped_at=after(40)), RULES, after(300))
    assert (early.shown, early.words, early.over) == ("50:00", "Stopped", False)
    while_paused = Facts(90, started_at=TEN, paused_at=after(40), stopped_at=after(60))
    assert read(while_paused, RULES, after(300)).shown == "50:00"


def test_extra_time_for_all_and_for_one_table_adds_up() -> None:
    facts = Facts(90, started_at=TEN, extra_seconds=5 * 60)
    assert read(facts, RULES, after(90)).shown == "05:00"
    assert read(facts, RULES, after(90), extra_seconds=10 * 60).shown == "15:00"


def test_turns_are_the_times_at_which_the_words_change() -> None:
    found = turns(RUNNING, RULES, [0, 600])
    assert found == [after(m) for m in (60, 70, 75, 85, 90, 95, 100)]
    assert turns(Facts(90), RULES) == []
    assert turns(Facts(90, started_at=TEN, paused_at=after(3)), RULES) == []


@given(
    minutes=st.integers(1, 600), extra=st.integers(0, 240), paused=st.integers(0, 9999),
    calls=st.lists(st.integers(1, 300), max_size=6), last=st.integers(0, 120), second=st.integers(0, 60_000),
)  # fmt: skip
def test_only_the_seconds_change_between_two_turns(
    minutes: int, extra: int, paused: int, calls: list[int], last: int, second: int
) -> None:
    rules = rules_from(rules_document(ClockRules(calls=tuple(calls), last_game_round=last)))
    facts = Facts(minutes, started_at=TEN, paused_seconds=paused, extra_seconds=extra * 60)
    now = TEN + timedelta(seconds=second)
    found = turns(facts, rules)
    until = next((moment for moment in found if moment > now), now + timedelta(days=1))
    first, end = read(facts, rules, now), read(facts, rules, until - timedelta(microseconds=1))
    assert (first.words, first.called, first.next_call, first.ends_at) == (
        end.words, end.called, end.next_call, end.ends_at,
    )  # fmt: skip
    assert first.left == second * -1 + (minutes + extra) * 60 + paused


def test_a_round_is_planned_after_the_one_before_it_unless_it_has_its_own_time() -> None:
    assert planned_starts([None, None], 90, RULES) == [None, None]
    assert planned_starts([TEN, None, None], 90, RULES) == [TEN, after(105), after(210)]
    assert planned_starts([TEN, None, after(300), None], 90, RULES) == [TEN, after(105), after(300), after(405)]
    assert planned_starts([None, TEN], 90, RULES) == [None, TEN]
    late = [after(20), None, None]
    assert planned_starts([TEN, None, None], 90, RULES, late) == [TEN, after(125), after(230)]
    assert planned_starts([None, None, after(300)], 90, RULES, late) == [None, after(125), after(300)]


def test_stored_rules_have_each_call_once_in_order() -> None:
    assert rules_from(rules_document(ClockRules(20, (5, 30, 5), 10))) == ClockRules(20, (30, 5), 10)
    assert rules_from(None) == RULES
