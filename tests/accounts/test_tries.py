"""Guessing is rate-limited, and one person's guesses lock out nobody else: neither an organiser nor a hall."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from ipaddress import ip_network

import pytest
from flask import Flask
from sqlalchemy import Engine

from app import put_over
from events.accounts import actions as accounts_actions
from events.accounts.actions import BY_ADDRESS, BY_BROWSER, BY_NAME, BY_NAME_AND_ADDRESS, CODES, SIGN_UPS, Tried
from events.play.parsing import CODE_ALPHABET, sheet_code
from models.people import Account, SignInAttempt
from models.play import Player
from models.staff import Role
from service.settings import Settings
from tests.conftest import Clock
from tests.kit.accounts import sign_in, sign_out
from tests.kit.person import Person
from tests.kit.stage import Stage
from tests.kit.statements import sent

MANY = CODES.most + 2
WRONG_LINKS = ("/p/WRONG", "/mail/WRONG", "/i/WRONG", "/set-up/WRONG")
TICK, WINDOW = timedelta(microseconds=1), timedelta(minutes=15)


class Faraway(Person):
    """A browser at this network address, as reported by our proxy."""

    def __init__(self, app: Flask, address: str) -> None:
        super().__init__(app)
        self.http.environ_base["HTTP_X_FORWARDED_FOR"] = address


@pytest.fixture
def behind(app: Flask, settings: Settings, engine: Engine, clock: Clock) -> Flask:
    """The service behind one proxy."""
    put_over(app, replace(settings, proxies=(ip_network("127.0.0.1"),)), engine, clock)
    return app


def kinds(stage: Stage) -> list[str]:
    """The kinds of the stored attempts."""
    return sorted(one.kind for one in stage.all(SignInAttempt))


@pytest.mark.proves("attack 20", "ASVS 6.1.1", "ASVS 6.3.1")
def test_failed_guesses_lock_an_account_for_new_browsers_only(behind: Flask, stage: Stage) -> None:
    """A browser that has signed in before is counted separately, and only for its own account."""
    stage.set_up("Olga")
    stage.set_up("Petra")
    own, new = Faraway(behind, "192.0.2.1"), Faraway(behind, "192.0.2.2")
    assert sign_in(own, "Olga").path == "/desk"
    sign_out(own)
    for n in range(BY_NAME.most):
        assert sign_in(Faraway(behind, f"198.51.100.{n}"), "Olga", f"guess {n}").status == 422
        assert sign_in(own, "Petra", f"guess {n}").status == 422
    for name in ("ＯＬＧＡ", "Petra"):
        assert sign_in(new, name).status == 429, name
    assert sign_in(own, "Olga").path == "/desk", "her own browser is known"
    sign_out(own)
    for n in range(BY_BROWSER.most):
        assert sign_in(own, "Olga", f"guess {n}").status == 422
    assert sign_in(own, "Olga").status == 429, "a known browser cannot guess without end either"


@pytest.mark.both_databases
@pytest.mark.proves("attack 20", "attack 66", "ASVS 6.3.1")
def test_right_password_works_at_an_address_with_many_failures(behind: Flask, stage: Stage) -> None:
    """Each account has three tries there, and then waits."""
    stage.set_up("Olga")
    here = Faraway(behind, "192.0.2.7")
    sign_in(here, "Nobody 0", "Password1!")
    (key,) = [one.name_key for one in stage.all(SignInAttempt) if one.kind == "client"]
    assert "192.0.2.7" not in key, "the address itself is not stored"
    with stage.changing() as s:
        s.add_all(SignInAttempt(kind="client", name_key=key, at=stage.clock()) for _ in range(BY_ADDRESS.most - 1))
    assert sign_in(here, "Nobody", "Password1!").status == 422
    assert sign_in(Faraway(behind, "192.0.2.7"), "Olga").path == "/desk"
    for n in range(BY_NAME_AND_ADDRESS.most):
        assert sign_in(here, "Olga", f"guess {n}").status == 422
    assert kinds(stage).count("client") == BY_ADDRESS.most, "such an address gets no more rows"
    assert sign_in(here, "Olga").status == 429
    assert sign_in(here, "Petra").status == 422
    assert sign_in(Faraway(behind, "192.0.2.8"), "Olga").path == "/desk"
    stage.clock.advance(minutes=16)
    assert sign_in(here, "Olga").path == "/desk"


def test_addresses_of_one_ipv6_network_are_counted_together(behind: Flask, stage: Stage) -> None:
    for address in ("2001:db8:1:2::1", "2001:db8:1:2:ffff::2", "2001:db8:1:3::1"):
        sign_in(Faraway(behind, address), "Nobody", "wrong")
    assert len({one.name_key for one in stage.all(SignInAttempt) if one.kind == "client"}) == 2


@pytest.mark.proves("attack 24")
def test_known_browser_cookie_lasts_and_grants_no_access(app: Flask, stage: Stage) -> None:
    stage.set_up("Olga")
    person, marks = Person(app), list[str]()
    for _ in range(2):
        assert sign_in(person, "Olga").path == "/desk"
        mark = person.http.get_cookie("overseer-known")
        assert mark is not None and mark.http_only
        marks.append(mark.value)
        sign_out(person)
    assert marks[0] == marks[1], "with another cookie the browser could guess from the start again"
    other = Person(app)
    other.http.set_cookie("overseer", marks[0])
    other.http.set_cookie("overseer-known", marks[0][:-2])
    assert other.open("/desk").path == "/sign-in"
    for address in ("/p/", "/i/", "/set-up/"):
        assert other.open(address + marks[0]).status == 404
    with stage.changing() as s:  # as after a restore of a backup from before the account was made
        s.delete(s.merge(stage.one(Account)))
    assert sign_in(person, "Olga", "wrong").status == 422
    assert kinds(stage) == ["both", "client", "name"]


@pytest.mark.both_databases
@pytest.mark.proves("attack 22", "attack 23", "attack 58", "ASVS 2.4.1")
def test_wrong_codes_in_a_hall_block_neither_links_nor_correct_codes(
    behind: Flask, stage: Stage, link_of: Callable[[Player], str]
) -> None:
    """Links contain 128 bits or a signature, so a valid one always works.

    Sheet codes are long enough to do the same.
    """
    event = stage.event()
    ada, bo = stage.enter(event, "Ada", "Bo")
    (game,) = stage.publish(event, 1)
    set_up_link = stage.set_up_link()
    olga = stage.hire(event, "Olga", Role.OWNER)
    with stage.changing(event) as s:
        _, invitation = accounts_actions.invite(s, event, Role.JUDGE, olga, "organiser Olga", stage.clock())
    player, guesser = Faraway(behind, "192.0.2.1"), Faraway(behind, "192.0.2.1")
    assert player.open(link_of(ada)).status == 200
    answers = [guesser.ask("GET", f"/g/WRONG{n:03}").status_code for n in range(MANY)]
    assert answers == [404] * CODES.most + [429] * (MANY - CODES.most)
    before = stage.digest()
    with sent(behind.extensions["overseer_engine"]) as statements:
        refused = guesser.ask("GET", "/g/WRONG")
        assert [Faraway(behind, "192.0.2.1").ask("GET", one).status_code for one in WRONG_LINKS] == [404] * 4
    assert (refused.status_code, refused.headers["Retry-After"]) == (429, "900")
    assert "a right one works" in refused.text
    assert [one for one in statements if one != "BEGIN" and not one.startswith("SELECT")] == []
    assert stage.digest() == before, "neither wrong links nor codes beyond the limit write anything"
    for address in (link_of(ada), link_of(bo), set_up_link, f"/i/{invitation}", f"/g/{game.code}"):
        assert Faraway(behind, "192.0.2.1").ask("GET", address).status_code == 302, address
    typing = Faraway(behind, "192.0.2.1")
    typing.open("/g")
    assert typing.press("Continue", code=game.code).status == 200
    assert player.ask("GET", "/g/WRONG").status_code == 404, "a signed-in browser is never slowed down"
    assert Faraway(behind, "192.0.2.9").ask("GET", "/g/WRONG").status_code == 404
    guesser.open("/g")
    page = guesser.press("Continue", code="WRONG999")
    assert (page.status, page.response.headers["Retry-After"], page.value("code")) == (429, "900", "WRONG999")
    assert "Check it" in page.error_at("code")
    stage.clock.advance(minutes=15)
    assert guesser.press("Continue", code="WRONG999").status == 404


# ---- how attempts are counted


@pytest.mark.proves("attack 20", "ASVS 6.3.1")
def test_sign_in_waits_at_the_limit_until_the_window_ends(stage: Stage) -> None:
    then = stage.clock()
    for limit, key, same, other in (
        (BY_NAME, "olga", Tried("OLGA", "", "another client"), Tried("Petra", "", "another client")),
        (BY_BROWSER, "her own", Tried("Olga", "her own", "hall"), Tried("Rita", "", "hall")),
    ):
        with stage.changing() as s:
            s.add_all(SignInAttempt(kind=limit.kind, name_key=key, at=then) for _ in range(limit.most - 1))
        assert not accounts_actions.must_wait(stage.s, same, then)
        with stage.changing() as s:
            s.add(SignInAttempt(kind=limit.kind, name_key=key, at=then))
        assert accounts_actions.must_wait(stage.s, same, then)
        assert not accounts_actions.must_wait(stage.s, other, then)
        assert accounts_actions.must_wait(stage.s, same, then + WINDOW - TICK)
        assert not accounts_actions.must_wait(stage.s, same, then + WINDOW)


def test_attempts_are_kept_until_they_no_longer_count(stage: Stage) -> None:
    def kinds_after(tried: Tried, at: timedelta) -> list[str]:
        with stage.changing() as s:
            assert accounts_actions.start(s, tried, stage.clock() + at) is not None
        return kinds(stage)

    new, own = Tried("Olga", "", "hall"), Tried("Olga", "her own", "hall")
    assert kinds_after(new, timedelta(0)) == ["both", "client", "name"]
    assert kinds_after(own, WINDOW - TICK) == ["both", "browser", "client", "name"]
    assert kinds_after(own, WINDOW) == ["browser", "browser"]


def test_success_removes_only_its_own_attempt(stage: Stage) -> None:
    olga = Tried("Olga", "", "hall")
    with stage.changing() as s:
        first, second = accounts_actions.start(s, olga, stage.clock()), accounts_actions.start(s, olga, stage.clock())
    assert first is not None and second is not None
    with stage.changing() as s:
        accounts_actions.succeeded(s, second)
    assert sorted(one.id for one in stage.all(SignInAttempt)) == sorted(first)


def test_attempts_beyond_a_limit_are_not_stored(stage: Stage) -> None:
    with stage.changing() as s:
        for _ in range(CODES.most):
            assert accounts_actions.count(s, {CODES: "hall"}, stage.clock()) is None
        assert accounts_actions.count(s, {CODES: "hall"}, stage.clock()) == CODES
        assert accounts_actions.count(s, {SIGN_UPS: "1 hall", CODES: "hall"}, stage.clock()) == CODES
        assert accounts_actions.count(s, {CODES: "another hall"}, stage.clock()) is None
    assert len(stage.all(SignInAttempt)) == CODES.most + 1


def test_sheet_code_has_ten_characters_that_are_read_from_paper() -> None:
    codes = {sheet_code() for _ in range(20)}
    assert len(codes) == 20
    assert all(len(code) == 10 and set(code) <= set(CODE_ALPHABET) for code in codes)
