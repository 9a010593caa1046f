"""How failed sign-ins are counted: which of them, for how long, and when they are forgotten."""

from datetime import timedelta

import pytest

from events.actions import tries
from events.actions.sheet_codes import CODE_ALPHABET, sheet_code
from events.actions.tries import MOST, WINDOW, Tried
from models.people import SignInAttempt
from tests.actions.stage import Stage

TICK = timedelta(microseconds=1)


@pytest.mark.proves("attack 20", "ASVS 6.3.1")
@pytest.mark.parametrize(
    ("kind", "same", "other"),
    [
        ("name", Tried("OLGA", "", "another client"), Tried("Petra", "", "another client")),
        ("client", Tried("Petra", "", "hall"), Tried("Petra", "", "another client")),
        ("browser", Tried("Olga", "her own", "hall"), Tried("Olga", "", "hall")),
    ],
)
def test_so_many_failures_of_a_quarter_of_an_hour_wait_and_no_fewer(
    stage: Stage, kind: str, same: Tried, other: Tried
) -> None:
    then, key = stage.clock(), {"name": "olga", "client": "hall", "browser": "her own"}[kind]
    with stage.changing() as s:
        s.add_all(SignInAttempt(kind=kind, name_key=key, at=then) for _ in range(MOST[kind] - 1))
    assert not tries.must_wait(stage.s, same, then)
    with stage.changing() as s:
        s.add(SignInAttempt(kind=kind, name_key=key, at=then))
    assert tries.must_wait(stage.s, same, then)
    assert not tries.must_wait(stage.s, other, then)
    assert tries.must_wait(stage.s, same, then + WINDOW - TICK)
    assert not tries.must_wait(stage.s, same, then + WINDOW)


def test_one_that_failed_is_kept_by_what_it_is_counted_for_and_until_it_no_longer_counts(stage: Stage) -> None:
    then = stage.clock()

    def failed(tried: Tried, at: timedelta) -> list[tuple[str, str]]:
        with stage.changing() as s:
            tries.record(s, tried, then + at)
        return sorted((one.kind, one.name_key) for one in stage.all(SignInAttempt))

    strange, own = Tried("Olga", "", "hall"), Tried("Olga", "her own", "hall")
    assert failed(strange, timedelta(0)) == [("client", "hall"), ("name", "olga")]
    assert failed(own, WINDOW - TICK) == [("browser", "her own"), ("client", "hall"), ("name", "olga")]
    assert failed(own, WINDOW) == [("browser", "her own")] * 2


def test_sheet_code_has_ten_characters_that_are_read_from_paper() -> None:
    codes = {sheet_code() for _ in range(20)}
    assert len(codes) == 20
    assert all(len(code) == 10 and set(code) <= set(CODE_ALPHABET) for code in codes)
