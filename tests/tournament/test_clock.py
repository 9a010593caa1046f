"""The clock of a round: its reading at each time; local times that occur twice or never; one clock for the service."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.tournament import clock
from events.web.forms import ZONES
from tests.kit.sources import CODE_FILES, found, python_files

TEN = datetime(2026, 12, 5, 10, tzinfo=UTC)
RULES = clock.ClockRules()
RUNNING = clock.StoredClock(90, started_at=TEN)


def after(minutes: float) -> datetime:
    return TEN + timedelta(minutes=minutes)


def test_running_clock_from_its_start_into_overtime() -> None:
    for minutes, left, words in (
        (0, "1:30:00", "Running"),
        (59.99, "30:01", "Running"),
        (60, "30:00", "30 minutes called"),
        (75, "15:00", "Last game round"),
        (89.99, "00:01", "Last game round"),
        (90, "00:00", "Overtime"),
        (93.1167, "−03:07", "Overtime"),
        (155, "−1:05:00", "Overtime"),
    ):
        reading = clock.read(RUNNING, RULES, after(minutes))
        assert (reading.state, reading.shown, reading.words) == (clock.State.RUNNING, left, words)
        assert (reading.over, reading.ends_at) == (minutes >= 90, after(90))
    assert [clock.clock_text(seconds) for seconds in (59, 3600, -61)] == ["00:59", "1:00:00", "−01:01"]


def test_waiting_paused_stopped_and_extended_clocks() -> None:
    paused, resumed = replace(RUNNING, paused_at=after(20)), replace(RUNNING, paused_seconds=7 * 60)
    longer = replace(RUNNING, extra_seconds=5 * 60)
    for facts, extra, minutes, left, words, ends in (
        (clock.StoredClock(10, extra_seconds=60), 0, 500, "11:00", "Not started", None),
        (paused, 0, 400, "1:10:00", "Paused", None),
        (resumed, 0, 27, "1:10:00", "Running", 97),
        (replace(RUNNING, stopped_at=after(95)), 0, 300, "−05:00", "Time was called", None),
        (replace(RUNNING, stopped_at=after(40)), 0, 300, "50:00", "Stopped", None),
        (replace(RUNNING, paused_at=after(40), stopped_at=after(60)), 0, 300, "50:00", "Stopped", None),
        (longer, 0, 90, "05:00", "Last game round", 95),
        (longer, 10 * 60, 90, "15:00", "Last game round", 105),
    ):
        reading = clock.read(facts, RULES, after(minutes), extra_seconds=extra)
        assert (reading.shown, reading.words) == (left, words)
        assert reading.ends_at == (None if ends is None else after(ends))
        assert reading.over == left.startswith("−")
    waiting = clock.read(clock.StoredClock(10), RULES, after(500))
    assert (waiting.state, waiting.called, waiting.next_call, waiting.last_game_round) == (
        clock.State.WAITING, None, None, False,
    )  # fmt: skip
    assert clock.read(paused, RULES, after(25)).state == clock.State.PAUSED


def test_next_call_and_the_last_game_round_are_returned_with_their_times() -> None:
    calls = {10: clock.Call(30, after(60)), 60: clock.Call(15, after(75)), 86: None}
    assert {at: clock.read(RUNNING, RULES, after(at)).next_call for at in calls} == calls
    short = clock.read(clock.StoredClock(15, started_at=TEN), RULES, after(0))
    assert (short.words, short.called, short.next_call) == ("Running", None, clock.Call(5, after(10))), "none for all"
    rules = clock.ClockRules(calls=(30, 5), last_game_round=20)
    assert clock.read(RUNNING, rules, after(65)).last_game_round_at == after(70)
    reading = clock.read(RUNNING, rules, after(70))
    assert (reading.last_game_round_at, reading.words) == (None, "Last game round")
    assert clock.read(clock.StoredClock(20, started_at=TEN), rules, after(1)).last_game_round_at is None
    assert clock.read(RUNNING, clock.ClockRules(last_game_round=0), after(1)).last_game_round_at is None


def test_turns_are_the_times_at_which_the_clocks_text_changes() -> None:
    found = clock.turns(RUNNING, RULES, [0, 600])
    assert found == [after(m) for m in (60, 70, 75, 85, 90, 95, 100)]
    assert clock.turns(clock.StoredClock(90), RULES) == []
    assert clock.turns(clock.StoredClock(90, started_at=TEN, paused_at=after(3)), RULES) == []


@given(
    minutes=st.integers(1, 600), extra=st.integers(0, 240), paused=st.integers(0, 9999),
    calls=st.lists(st.integers(1, 300), max_size=6), last=st.integers(0, 120), second=st.integers(0, 60_000),
)  # fmt: skip
def test_only_the_seconds_change_between_two_turns(
    minutes: int, extra: int, paused: int, calls: list[int], last: int, second: int
) -> None:
    rules = clock.ClockRules(calls=tuple(calls), last_game_round=last)
    facts = clock.StoredClock(minutes, started_at=TEN, paused_seconds=paused, extra_seconds=extra * 60)
    now = TEN + timedelta(seconds=second)
    found = clock.turns(facts, rules)
    until = next((moment for moment in found if moment > now), now + timedelta(days=1))
    first, end = clock.read(facts, rules, now), clock.read(facts, rules, until - timedelta(microseconds=1))
    assert (first.words, first.called, first.next_call, first.ends_at) == (
        end.words, end.called, end.next_call, end.ends_at,
    )  # fmt: skip
    assert first.left == second * -1 + (minutes + extra) * 60 + paused


def test_round_is_planned_after_the_previous_one_unless_it_has_its_own_time() -> None:
    assert clock.planned_starts([None, None], 90, RULES) == [None, None]
    assert clock.planned_starts([TEN, None, None], 90, RULES) == [TEN, after(105), after(210)]
    assert clock.planned_starts([TEN, None, after(300), None], 90, RULES) == [TEN, after(105), after(300), after(405)]
    assert clock.planned_starts([None, TEN], 90, RULES) == [None, TEN]
    late = [after(20), None, None]
    assert clock.planned_starts([TEN, None, None], 90, RULES, late) == [TEN, after(125), after(230)]
    assert clock.planned_starts([None, None, after(300)], 90, RULES, late) == [None, after(125), after(300)]


def test_stored_rules_have_each_call_once_in_order() -> None:
    assert clock.ClockRules(20, (5, 30, 5), 10).calls == (30, 5)


NEVER = [
    ("Europe/Berlin", "2026-03-29T02:30"),
    ("Africa/Cairo", "2026-04-24T00:30"),
    ("Australia/Lord_Howe", "2026-10-04T02:15"),
    ("Antarctica/Troll", "2026-03-29T02:30"),
    ("Pacific/Apia", "2011-12-30T12:00"),
]
"""The clocks go forward over it: by half an hour on Lord Howe, by two at Troll, by a whole day in Samoa in 2011."""
TWICE = [
    ("Europe/Berlin", "2026-10-25T02:30", "2026-10-25T00:30", "2026-10-25T01:30"),
    ("Europe/Dublin", "2026-10-25T01:30", "2026-10-25T00:30", "2026-10-25T01:30"),
    ("Africa/Cairo", "2026-10-29T23:30", "2026-10-29T20:30", "2026-10-29T21:30"),
    ("Australia/Lord_Howe", "2026-04-05T01:45", "2026-04-04T14:45", "2026-04-04T15:15"),
    ("Antarctica/Troll", "2026-10-25T02:30", "2026-10-25T00:30", "2026-10-25T02:30"),
]
ONCE = [
    ("Europe/Berlin", "2026-03-29T03:00", "2026-03-29T01:00"),
    ("Europe/Berlin", "2026-03-29T01:59", "2026-03-29T00:59"),
    ("Europe/Berlin", "2026-10-25T03:00", "2026-10-25T02:00"),
    ("Asia/Kathmandu", "2026-10-25T02:30", "2026-10-24T20:45"),
    ("Pacific/Kiritimati", "2026-12-04T20:00", "2026-12-04T06:00"),
]


def moment(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.proves("F16")
def test_local_time_occurs_never_once_or_twice() -> None:
    for zone, local, *meant in (*NEVER, *TWICE, *ONCE):
        found = clock.utc_times_of(datetime.fromisoformat(local), zone)
        assert found == tuple(moment(text) for text in meant), (zone, local)


@pytest.mark.proves("F16")
@given(st.sampled_from(ZONES), st.integers(0, 60 * 24 * 366 * 40))
def test_every_time_is_found_again_from_its_local_time(zone: str, minutes: int) -> None:
    then = datetime.fromtimestamp(minutes * 60 + 946_684_800, UTC)  # since 2000
    shown = then.astimezone(ZoneInfo(zone)).replace(tzinfo=None)
    assert then in clock.utc_times_of(shown, zone)
    assert clock.utc_times_of(shown.replace(fold=0), zone) == clock.utc_times_of(shown.replace(fold=1), zone)


def test_time_in_utc_names_the_day_only_if_it_differs() -> None:
    for zone, at, hour, ahead in (
        ("Europe/Berlin", "2026-10-25T00:30", "00:30 UTC", "UTC+2"),
        ("Europe/Berlin", "2026-10-25T01:30", "01:30 UTC", "UTC+1"),
        ("Pacific/Kiritimati", "2026-12-04T18:00", "Fri 4 Dec, 18:00 UTC", "UTC+14"),
        ("America/St_Johns", "2026-12-04T18:00", "18:00 UTC", "UTC-3:30"),
        ("UTC", "2026-12-04T18:00", "18:00 UTC", "UTC"),
    ):
        assert (clock.in_utc(moment(at), zone), clock.ahead_of_utc(moment(at), zone)) == (hour, ahead)


CLOCKS = r"\bdatetime\.(now|utcnow|today)\b|\bdate\.today\b|\btime\.(time|time_ns|localtime|gmtime|ctime|strftime)\b"
CLOCKS += r"|(?i:\bCURRENT_(TIMESTAMP|TIME|DATE)\b|\bnow\(\)::|func\.(now|current_timestamp)|\bstrftime\('%s)"
READS_THE_TIME = ("app.py", "service/commands/", "run")
"""``create_app`` has the service's only clock; a command reads the time once, when it starts."""


@pytest.mark.proves("F15")
def test_time_is_read_only_from_the_clock() -> None:
    """Neither the database nor another module reads the machine's time."""
    assert [text for text in found(CODE_FILES, CLOCKS) if not text.startswith(READS_THE_TIME)] == []
    assert found(python_files("migrations/versions/"), CLOCKS) == []
    assert found(["app.py"], CLOCKS), "the control: the one clock is seen"
