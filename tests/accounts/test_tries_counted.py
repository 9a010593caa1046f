"""How attempts are counted: which of them, for how long, and when they are forgotten."""

from datetime import timedelta

import pytest

from events.accounts import actions as accounts_actions
from events.accounts.actions import BY_ADDRESS, BY_BROWSER, BY_NAME, BY_NAME_AND_ADDRESS, CODES, SIGN_UPS, Limit, Tried
from events.play.parsing import CODE_ALPHABET, sheet_code
from models.people import SignInAttempt
from tests.kit.stage import Stage

TICK = timedelta(microseconds=1)
WINDOW = timedelta(minutes=15)


@pytest.mark.proves("attack 20", "ASVS 6.3.1")
@pytest.mark.parametrize(
    ("limit", "same", "other"),
    [
        (BY_NAME, Tried("OLGA", "", "another client"), Tried("Petra", "", "another client")),
        (BY_BROWSER, Tried("Olga", "her own", "hall"), Tried("Olga", "", "hall")),
    ],
    ids=["name", "browser"],
)
def test_sign_in_waits_at_the_limit_until_the_window_ends(
    stage: Stage, limit: Limit, same: Tried, other: Tried
) -> None:
    then, key = stage.clock(), {BY_NAME: "olga", BY_BROWSER: "her own"}[limit]
    with stage.changing() as s:
        s.add_all(SignInAttempt(kind=limit.kind, name_key=key, at=then) for _ in range(limit.most - 1))
    assert not accounts_actions.must_wait(stage.s, same, then)
    with stage.changing() as s:
        s.add(SignInAttempt(kind=limit.kind, name_key=key, at=then))
    assert accounts_actions.must_wait(stage.s, same, then)
    assert not accounts_actions.must_wait(stage.s, other, then)
    assert accounts_actions.must_wait(stage.s, same, then + WINDOW - TICK)
    assert not accounts_actions.must_wait(stage.s, same, then + WINDOW)


@pytest.mark.proves("attack 66")
def test_noisy_address_leaves_each_account_three_tries(stage: Stage) -> None:
    olga, petra = Tried("Olga", "", "hall"), Tried("Petra", "", "hall")
    with stage.changing() as s:
        s.add_all(SignInAttempt(kind="client", name_key="hall", at=stage.clock()) for _ in range(BY_ADDRESS.most))
    for _ in range(BY_NAME_AND_ADDRESS.most):
        with stage.changing() as s:
            assert accounts_actions.start(s, olga, stage.clock()) is not None
    assert accounts_actions.must_wait(stage.s, olga, stage.clock())
    assert not accounts_actions.must_wait(stage.s, petra, stage.clock())
    assert not accounts_actions.must_wait(stage.s, Tried("Olga", "", "elsewhere"), stage.clock())
    assert not accounts_actions.must_wait(stage.s, Tried("Olga", "her own", "hall"), stage.clock())
    assert len(stage.all(SignInAttempt, kind="client")) == BY_ADDRESS.most, "a noisy address gets no more rows"


def test_three_failures_at_a_quiet_address_do_not_wait(stage: Stage) -> None:
    for _ in range(BY_NAME.most - 1):
        with stage.changing() as s:
            assert accounts_actions.start(s, Tried("Olga", "", "hall"), stage.clock()) is not None
    assert not accounts_actions.must_wait(stage.s, Tried("Olga", "", "hall"), stage.clock())


def test_attempts_are_kept_by_kind_until_they_no_longer_count(stage: Stage) -> None:
    then = stage.clock()

    def kinds_after(tried: Tried, at: timedelta) -> list[str]:
        with stage.changing() as s:
            assert accounts_actions.start(s, tried, then + at) is not None
        return sorted(one.kind for one in stage.all(SignInAttempt))

    strange, own = Tried("Olga", "", "hall"), Tried("Olga", "her own", "hall")
    assert kinds_after(strange, timedelta(0)) == ["both", "client", "name"]
    assert kinds_after(own, WINDOW - TICK) == ["both", "browser", "client", "name"]
    assert kinds_after(own, WINDOW) == ["browser", "browser"]


def test_success_removes_only_its_own_count(stage: Stage) -> None:
    olga = Tried("Olga", "", "hall")
    with stage.changing() as s:
        first, second = accounts_actions.start(s, olga, stage.clock()), accounts_actions.start(s, olga, stage.clock())
    assert first is not None and second is not None
    with stage.changing() as s:
        accounts_actions.succeeded(s, second)
    assert sorted(one.id for one in stage.all(SignInAttempt)) == sorted(first)


def test_attempts_beyond_a_limit_are_not_stored(stage: Stage) -> None:
    both = {SIGN_UPS: "1 hall", CODES: "hall"}
    with stage.changing() as s:
        for _ in range(CODES.most):
            assert accounts_actions.count(s, {CODES: "hall"}, stage.clock()) is None
        assert accounts_actions.count(s, {CODES: "hall"}, stage.clock()) == CODES
        assert accounts_actions.count(s, both, stage.clock()) == CODES
        assert accounts_actions.count(s, {CODES: "another hall"}, stage.clock()) is None
    assert len(stage.all(SignInAttempt)) == CODES.most + 1


def test_sheet_code_has_ten_characters_that_are_read_from_paper() -> None:
    codes = {sheet_code() for _ in range(20)}
    assert len(codes) == 20
    assert all(len(code) == 10 and set(code) <= set(CODE_ALPHABET) for code in codes)
