"""Guessing: passwords guessed first are refused, tries are limited, and the second factor cannot be bypassed."""

import base64
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from ipaddress import ip_network

import pyotp
import pytest
from flask import Flask
from sqlalchemy import Engine

from app import attach_database
from events.accounts import limits, second_factor, staff
from events.accounts.limits import (
    BY_ADDRESS,
    BY_BROWSER,
    BY_NAME,
    BY_NAME_AND_ADDRESS,
    CODES,
    PACE,
    SIGN_UPS,
    Client,
    Tried,
)
from events.accounts.passwords import is_guessed
from events.accounts.second_factor_views import DEMANDED, FIRST, FREE
from events.web.parsing import CODE_ALPHABET, sheet_code
from models.people import Account, SignInAttempt
from service.settings import Settings
from tests.conftest import PUBLIC, Clock
from tests.kit.accounts import code_of, sign_in, sign_out, signed_in, turned_on
from tests.kit.person import Person
from tests.kit.stage import PASSWORD, Event, Player, Role, Stage
from tests.kit.statements import sent

GUESSED = [
    "1234567890", "0987654321", "mnbvcxzlkjhg", "qwertyuiop", "qwertzuiop", "1q2w3e4r5t", "1qaz2wsx3edc",
    "password12", "p@ssw0rd123", "passw0rd!!!", "iloveyou!!!", "basketball", "aaaaaaaaaa", "abcabcabcabc",
    "asdfasdfasdf", "asdfghjkl;", "a123456789", "12345qwert", "qwert12345", "5555555555", "q1w2e3r4t5y6",
    "123qweasdzxc", "qwerty123456", "zxcvbnm123", "0123456789", "abcdefghij", "welcome2026", "Sommer2026!",
    "123456654321", "1029384756", "3141592653589", "starwars77", "trustno1trustno1", "Overseer2026", "Warhammer40k",
    "qwertyuiop[]", "1234567891", "qazwsxedcrfv", "147258369147", "poiuytrewq", "poiuytrewq7#",
    "passwordgqk", "8305162947", "gqkzhgqkzhg",
]  # fmt: skip
GOOD = [
    "correct horse battery", "three old lamps", "drei alte Lampen", "x7#kQ!2mPz", "tin helmet under rain",
    "ΑλεπούΚαφέΒροχή", "Der Bus war spät", "vault door 1982 squeak", "gqkzhvmtre", "my dog likes Tuesdays",
    "kzqhgqkhzg", "klopnmopkl", "7#2%9&6(8)",
]  # fmt: skip
LEAKED = ["ghjcnjabkz", "3rjs1la7qe", "NewOrleans", "01telemike01", "hd764nw5d7e1vb1"]
"""No rule finds these: they are often in leaks."""


@pytest.mark.proves("ASVS 6.2.4", "ASVS 6.2.12")
def test_passwords_that_are_guessed_first_are_refused() -> None:
    assert [text for text in (*GUESSED, *LEAKED) if not is_guessed(text)] == []
    assert [text for text in GOOD if is_guessed(text)] == []
    own = ["Olga Petrova", "olgapetrova1", "petrova2026", "OLGA-olga-1", "olgapassword"]
    assert [text for text in own if not is_guessed(text, "Olga Petrova")] == [], "one's own name"
    for odd in ("a" * 199 + "b", "ab" * 100, "\U0001f600" * 200, "qwert" * 40, "0" * 100 + "x" * 100):
        is_guessed(odd, odd[:80])  # ends soon, however long


def half_in(app: Flask) -> Person:
    person = Person(app)
    assert sign_in(person, "Olga").path == "/sign-in/code"
    return person


@pytest.mark.proves("ASVS 6.3.3", "ASVS 6.5.1")
@pytest.mark.both_databases
def test_sign_in_asks_for_a_code_or_a_spare_one_that_work_once(app: Flask, olga: Person, stage: Stage) -> None:
    other, clock = signed_in(app, "Olga"), stage.clock
    assert olga.open("/sign-in/code").path == "/sign-in", "nothing to enter yet"
    secret, spare = turned_on(olga, clock)
    assert olga.open("/desk").path == "/desk", "the browser that turned it on stays signed in"
    assert other.open("/desk").path == "/sign-in", "all others are signed out"
    person, code = half_in(app), code_of(secret, clock)
    assert person.open("/desk").path == "/sign-in", "the password alone opens nothing"
    assert person.press("Sign in", at="/sign-in/code", code=f" {code[:3]} {code[3:]}").path == "/desk"
    again = half_in(app)
    page = again.press("Sign in", code=code)
    assert (page.status, "was already used" in page.error_at("code")) == (422, True)
    clock.advance(seconds=second_factor.STEP)
    assert again.press("Sign in", code=code_of(secret, clock)).path == "/desk"
    assert len(spare) == len(set(spare)) == second_factor.SPARE_CODES
    assert all(re.fullmatch(r"([2-9A-HJ-NP-Z]{4}-){3}[2-9A-HJ-NP-Z]{4}", code) for code in spare)
    assert spare[0] not in stage.one(Account).spare_codes, "only digests are kept"
    assert half_in(app).press("Sign in", code=spare[3].lower().replace("-", " ")).path == "/desk"
    assert half_in(app).press("Sign in", code=spare[3]).status == 422
    assert half_in(app).press("Sign in", code=spare[0]).path == "/desk"


@pytest.mark.proves("ASVS 6.5.1", "attack 20", "ASVS 6.3.1")
def test_only_current_codes_are_accepted_and_ten_guesses(app: Flask, olga: Person, clock: Clock) -> None:
    secret, spare = turned_on(olga, clock)
    clock.advance(minutes=10)
    person = half_in(app)
    for wrong in (-2, 2, 20):
        late = pyotp.TOTP(secret).at(clock(), counter_offset=wrong)
        assert person.press("Sign in", code=late).status == 422
    for odd in ("", "000000", "１２３４５６", "x" * 41, "\u202e123456", "-1", code_of(secret, clock)[:5]):
        assert person.press("Sign in", code=odd).status == 422, odd
    fast = pyotp.TOTP(secret).at(clock(), counter_offset=1)
    assert person.press("Sign in", code=fast).path == "/desk", "a clock that is fast"
    clock.advance(minutes=16)
    person = half_in(app)
    for n in range(10):
        assert person.press("Sign in", code=f"{n:06}").status == 422
    for right in (code_of(secret, clock), spare[0]):
        assert person.press("Sign in", code=right).status == 429
    clock.advance(minutes=16)
    page = person.press("Sign in", code=code_of(secret, clock))
    assert page.path == "/sign-in", "the password counts for ten minutes"


@pytest.mark.proves("ASVS 6.4.3")
def test_no_link_or_invitation_bypasses_the_second_factor(app: Flask, olga: Person, stage: Stage, event: Event) -> None:
    secret, _ = turned_on(olga, stage.clock)
    person = Person(app)
    person.open(stage.password_link("Olga"))
    page = person.press("Set password and sign in", password="three other old lamps", again="three other old lamps")
    assert page.path == "/sign-in/code"
    assert person.open("/desk").path == "/sign-in"
    assert person.press("Sign in", at="/sign-in/code", code=code_of(secret, stage.clock)).path == "/desk"
    olga.open("/desk")
    assert olga.page.path == "/sign-in", "a new password ends the other sign-ins"
    person.open("/e/iron-open/desk/staff")
    link = person.press("Create link", role="judge").part(".copy-text").removeprefix(PUBLIC)
    other = Person(app)
    refused = other.press("Sign in and accept", at=link, **{"k-name": "Olga", "k-password": "three other old lamps"})
    assert (refused.status, "has a second factor" in refused.errors) == (422, True)
    assert other.open("/desk").path == "/sign-in"


@pytest.mark.proves("attack 61", "ASVS 13.3.1")
@pytest.mark.both_at_length
def test_secret_is_stored_encrypted_and_its_codes_fail_with_another_key(
    olga: Person, app: Flask, stage: Stage, settings: Settings
) -> None:
    secret, spare = turned_on(olga, stage.clock)
    stored = stage.one(Account).totp_secret
    assert secret not in stored and secret.lower() not in stored.lower()
    assert base64.b32decode(secret) not in base64.urlsafe_b64decode(stored)
    assert second_factor.decrypted(stored, second_factor.key_from(settings.secret)) == secret
    app.extensions["overseer_settings"] = replace(settings, secret=f"{settings.secret}.")
    person = half_in(app)
    page = person.press("Sign in", code=code_of(secret, stage.clock))
    assert (page.status, "server’s secret was replaced" in page.error_at("code")) == (422, True)
    assert "overseer second-factor-off" in page.error_at("code")
    assert person.open("/desk").path == "/sign-in"
    assert person.press("Sign in", at="/sign-in/code", code=spare[0]).path == "/desk", "a spare code needs no key"


@pytest.mark.proves("ASVS 7.5.1")
def test_turning_it_on_or_off_needs_password_and_code(olga: Person, stage: Stage) -> None:
    olga.open("/account/second-factor")
    secret = olga.page.part(".long-code")
    page = olga.press("Turn it on", code=code_of(secret, stage.clock), old="not the password")
    assert (page.status, page.error_at("old")) == (422, "The password is wrong.")
    page = olga.press("Turn it on", code="000000", old=PASSWORD)
    assert (page.status, "is wrong" in page.error_at("code")) == (422, True)
    assert stage.one(Account).totp_secret == ""
    secret, spare = turned_on(olga, stage.clock)
    olga.open("/account/second-factor")
    assert olga.press("Turn it off", code=code_of(secret, stage.clock), old="not the password").status == 422
    assert olga.press("Turn it off", code="000000", old=PASSWORD).status == 422
    assert stage.one(Account).totp_secret
    page = olga.press("Turn it off", code=spare[0], old=PASSWORD)
    assert (page.path, stage.one(Account).totp_secret, stage.one(Account).spare_codes) == ("/account", "", "")


@pytest.mark.proves("ASVS 6.3.3")
def test_account_without_a_required_second_factor_can_only_set_it_up(
    app: Flask, olga: Person, event: Event, settings: Settings, clock: Clock
) -> None:
    app.extensions["overseer_settings"] = replace(settings, second_factor="demanded")
    rules = [
        rule
        for rule in app.url_map.iter_rules()
        if "GET" in (rule.methods or ())
        and rule.endpoint not in FREE | FIRST
        and not rule.rule.startswith("/api/v1/")  # for programs, whose cookies do not count
    ]
    led = {rule.endpoint: re.sub("<.*?>", "1", rule.rule.replace("<slug>", event.slug)) for rule in rules}
    assert len(led) > 100
    for endpoint, address in led.items():
        answer = olga.ask("GET", address)
        assert (answer.status_code, answer.location) == (303, "/account/second-factor"), endpoint
    page = olga.open("/desk")
    assert page.flashes == DEMANDED, "shown once, after many requests"
    assert [link["href"] for link in page.soup.select("main a")] == ["/account/passkeys"], "no link leads back here"
    token = str(olga.open("/account/second-factor").soup.select_one("[name=csrf_token]")["value"])  # type: ignore[index]
    answer = olga.ask("POST", f"/e/{event.slug}/desk/settings/registration", {"csrf_token": token, "fee": "5"})
    assert answer.location == "/account/second-factor", "no form is accepted either"
    assert Person(app).open(f"/e/{event.slug}").status == 200, "visitors need no second factor"
    turned_on(olga, clock)
    assert olga.open("/desk").path == "/desk"


def test_second_factor_can_be_required_of_those_who_run_the_club(
    app: Flask, olga: Person, event: Event, settings: Settings, stage: Stage
) -> None:
    stage.hire(event, "Sam", Role.JUDGE)
    sam = signed_in(app, "Sam")
    app.extensions["overseer_settings"] = replace(settings, second_factor="organisers")
    assert olga.open("/desk").path == "/account/second-factor"
    assert sam.open("/desk").path == "/desk"


MANY = CODES.most + 2
WRONG_LINKS = ("/p/WRONG", "/mail/WRONG", "/i/WRONG", "/set-up/WRONG")
HALL = Client("hall")
TICK, WINDOW = timedelta(microseconds=1), timedelta(minutes=15)


class Faraway(Person):
    """A browser at this network address, as reported by our proxy."""

    def __init__(self, app: Flask, address: str) -> None:
        super().__init__(app)
        self.http.environ_base["HTTP_X_FORWARDED_FOR"] = address


@pytest.fixture
def behind(app: Flask, settings: Settings, engine: Engine, clock: Clock) -> Flask:
    attach_database(app, replace(settings, proxies=(ip_network("127.0.0.1"),)), engine, clock)
    return app


def kinds(stage: Stage) -> list[str]:
    return sorted(attempt.kind for attempt in stage.all(SignInAttempt))


@pytest.mark.proves("attack 20", "attack 80", "ASVS 6.1.1", "ASVS 6.3.1")
def test_failed_guesses_stop_the_guesser_and_not_the_owner(behind: Flask, stage: Stage) -> None:
    """A browser that has signed in before is counted separately, and only for its own account."""
    stage.set_up("Olga")
    stage.set_up("Petra")
    own, new = Faraway(behind, "192.0.2.1"), Faraway(behind, "192.0.2.2")
    assert sign_in(own, "Olga").path == "/desk"
    sign_out(own)
    for n in range(BY_NAME.most):
        assert sign_in(Faraway(behind, f"198.51.100.{n}"), "Olga", f"guess {n}").status == 422
        assert sign_in(own, "Petra", f"guess {n}").status == 422
    assert sign_in(own, "Petra").status == 429, "ten guesses from one address"
    assert sign_in(new, "ＯＬＧＡ", "a guess").status == 422
    assert sign_in(new, "ＯＬＧＡ").status == 429, "with so many guesses, each address has one at a time"
    elsewhere = Faraway(behind, "192.0.2.3")
    assert sign_in(elsewhere, "Olga").path == "/desk", "her new browser, somewhere else"
    assert sign_in(own, "Olga").path == "/desk", "her own browser is known"
    sign_out(own)
    for n in range(BY_BROWSER.most):
        assert sign_in(own, "Olga", f"guess {n}").status == 422
    assert sign_in(own, "Olga").status == 429, "a known browser cannot guess without end either"


@pytest.mark.both_at_length
@pytest.mark.proves("attack 20", "attack 66", "ASVS 6.3.1")
def test_right_password_works_at_an_address_with_many_failures(behind: Flask, stage: Stage) -> None:
    """Each account has one try at a time there."""
    stage.set_up("Olga")
    here = Faraway(behind, "192.0.2.7")
    engine = behind.extensions["overseer_engine"]
    with sent(engine) as statements:
        sign_in(here, "Nobody 0", "Password1!")
    locks = any("pg_advisory_xact_lock" in statement for statement in statements)
    assert locks == (engine.dialect.name == "postgresql"), "two hosts never count at the same moment"
    (key,) = [attempt.name_key for attempt in stage.all(SignInAttempt) if attempt.kind == "client"]
    assert "192.0.2.7" not in key, "the address itself is not stored"
    with stage.changing() as s:
        s.add_all(SignInAttempt(kind="client", name_key=key, at=stage.clock()) for _ in range(BY_ADDRESS.most - 1))
    assert sign_in(here, "Nobody", "Password1!").status == 422
    assert sign_in(Faraway(behind, "192.0.2.7"), "Olga").path == "/desk"
    assert sign_in(here, "Olga", "a guess").status == 422
    assert kinds(stage).count("client") == BY_ADDRESS.most, "such an address gets no more rows"
    assert sign_in(here, "Olga").status == 429
    assert sign_in(here, "Petra").status == 422
    assert sign_in(Faraway(behind, "192.0.2.8"), "Olga").path == "/desk"
    stage.clock.advance(minutes=3)
    assert sign_in(here, "Olga").path == "/desk"


@pytest.mark.proves("attack 80", "ASVS 6.1.1")
def test_failed_guesses_in_a_hall_slow_a_new_browser_there_and_do_not_shut_it_out(behind: Flask, stage: Stage) -> None:
    stage.set_up("Olga")
    for n in range(BY_NAME_AND_ADDRESS.most):
        assert sign_in(Faraway(behind, "192.0.2.7"), "Olga", f"guess {n}").status == 422
    new = Faraway(behind, "192.0.2.7")
    page = sign_in(new, "Olga")
    assert page.status == 429 and "Wait three minutes" in page.text
    assert page.response.headers["Retry-After"] == "180"
    stage.clock.advance(seconds=PACE.total_seconds())
    assert sign_in(new, "Olga", "a guess").status == 422
    assert sign_in(new, "Olga").status == 429, "a guesser has one try in three minutes"
    stage.clock.advance(seconds=PACE.total_seconds())
    assert sign_in(new, "Olga").path == "/desk"


def test_addresses_of_one_ipv6_network_are_counted_together(behind: Flask, stage: Stage) -> None:
    for address in ("2001:db8:1:2::1", "2001:db8:1:2:ffff::2", "2001:db8:1:3::1"):
        sign_in(Faraway(behind, address), "Nobody", "wrong")
    for kind, different in (("client", 2), ("client+", 1), ("both", 1)):
        assert len({attempt.name_key for attempt in stage.all(SignInAttempt) if attempt.kind == kind}) == different, (
            kind
        )


@pytest.mark.proves("attack 20", "attack 81", "ASVS 6.3.1")
def test_many_ipv6_networks_of_one_sender_give_no_more_guesses(behind: Flask, stage: Stage) -> None:
    """A provider gives one customer up to 65,536 networks of the usual size, with one beginning."""
    stage.set_up("Olga")
    guessers = [Faraway(behind, f"2001:db8:1:{n:x}::1") for n in range(BY_NAME_AND_ADDRESS.most + 2)]
    answers = [sign_in(guesser, "Olga", "a guess").status for guesser in guessers]
    assert answers == [422] * BY_NAME_AND_ADDRESS.most + [429] * 2
    assert sign_in(Faraway(behind, "2001:db8:2::1"), "Olga").path == "/desk", "her new browser, somewhere else"
    wrong = [
        Faraway(behind, f"2001:db8:1:{n:x}::1").ask("GET", "/g/WRONG99").status_code
        for n in range(limits.WIDER)
        for _ in range(CODES.most)
    ]
    assert wrong == [404] * (limits.WIDER * CODES.most)
    assert Faraway(behind, "2001:db8:1:ff::1").ask("GET", "/g/WRONG99").status_code == 429
    event = stage.event()
    stage.enter(event, "Ada", "Bo")
    (game,) = stage.publish(event, 1)
    assert Faraway(behind, "2001:db8:1:ff::1").ask("GET", f"/g/{game.code}").status_code == 302, "a right one works"


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


@pytest.mark.both_at_length
@pytest.mark.proves("attack 22", "attack 23", "attack 58", "ASVS 2.4.1")
def test_wrong_codes_block_no_links_or_codes(behind: Flask, stage: Stage, link_of: Callable[[Player], str]) -> None:
    """Links have 128 bits or a signature, and sheet codes are long: a valid one always works."""
    event = stage.event()
    ada, bo = stage.enter(event, "Ada", "Bo")
    (game,) = stage.publish(event, 1)
    set_up_link = stage.set_up_link()
    olga = stage.hire(event, "Olga", Role.OWNER)
    _, invitation = stage.do(event, staff.invite, Role.JUDGE, olga)
    player, guesser = Faraway(behind, "192.0.2.1"), Faraway(behind, "192.0.2.1")
    assert player.open(link_of(ada)).status == 200
    answers = [guesser.ask("GET", f"/g/WRONG{n:03}").status_code for n in range(MANY)]
    assert answers == [404] * CODES.most + [429] * (MANY - CODES.most)
    assert len(stage.all(SignInAttempt, kind="code")) == CODES.most
    with stage.unchanged():  # neither wrong links nor codes beyond the limit write anything
        with sent(behind.extensions["overseer_engine"]) as statements:
            refused = guesser.ask("GET", "/g/WRONG")
            assert [Faraway(behind, "192.0.2.1").ask("GET", link).status_code for link in WRONG_LINKS] == [404] * 4
        assert (refused.status_code, refused.headers["Retry-After"]) == (429, "900")
        assert "a right one works" in refused.text
        assert [
            statement for statement in statements if statement != "BEGIN" and not statement.startswith("SELECT")
        ] == []
    for address in (link_of(ada), link_of(bo), set_up_link, f"/i/{invitation}", f"/g/{game.code}"):
        assert Faraway(behind, "192.0.2.1").ask("GET", address).status_code == 302, address
    typing = Faraway(behind, "192.0.2.1")
    assert typing.press("Continue", at="/g", code=game.code).status == 200
    assert player.ask("GET", "/g/WRONG").status_code == 404, "a signed-in browser is never slowed down"
    assert Faraway(behind, "192.0.2.9").ask("GET", "/g/WRONG").status_code == 404
    page = guesser.press("Continue", at="/g", code="WRONG999")
    assert (page.status, page.response.headers["Retry-After"], page.value("code")) == (429, "900", "WRONG999")
    assert "Check it" in page.error_at("code")
    stage.clock.advance(minutes=15)
    assert guesser.press("Continue", code="WRONG999").status == 404


@pytest.mark.proves("attack 20", "ASVS 6.3.1")
def test_sign_in_waits_at_the_limit_until_the_window_ends(stage: Stage) -> None:
    then = stage.clock()
    for limit, key, same, other in (
        (
            BY_NAME_AND_ADDRESS,
            Tried("Olga", "", HALL).counts[BY_NAME_AND_ADDRESS],
            Tried("OLGA", "", HALL),
            Tried("Olga", "", Client("another address")),
        ),
        (BY_BROWSER, "her own", Tried("Olga", "her own", HALL), Tried("Rita", "", HALL)),
    ):
        with stage.changing() as s:
            s.add_all(SignInAttempt(kind=limit.kind, name_key=key, at=then) for _ in range(limit.most - 1))
        assert not limits.must_wait(stage.s, same, then)
        with stage.changing() as s:
            s.add(SignInAttempt(kind=limit.kind, name_key=key, at=then))
        assert limits.must_wait(stage.s, same, then)
        assert not limits.must_wait(stage.s, other, then)
        assert limits.must_wait(stage.s, same, then + PACE - TICK)
        assert not limits.must_wait(stage.s, same, then + PACE), "one more, and then one each time"
        assert not limits.must_wait(stage.s, same, then - timedelta(hours=1)), "the clock was ahead, and is right again"


def test_attempts_are_kept_until_they_no_longer_count_and_success_removes_its_own(stage: Stage) -> None:
    new, own, then = Tried("Olga", "", HALL), Tried("Olga", "her own", HALL), stage.clock()
    with stage.changing() as s:
        first, second = limits.start_sign_in(s, new, then), limits.start_sign_in(s, new, then)
        assert first is not None and second is not None
        limits.succeeded(s, second)
    assert sorted(attempt.id for attempt in stage.all(SignInAttempt)) == sorted(first)
    assert kinds(stage) == ["both", "client", "name"]
    for at, kept in ((WINDOW - TICK, ["both", "browser", "client", "name"]), (WINDOW, ["browser", "browser"])):
        with stage.changing() as s:
            assert limits.start_sign_in(s, own, then + at) is not None
        assert kinds(stage) == kept


def test_attempts_beyond_a_limit_are_not_stored(stage: Stage) -> None:
    with stage.changing() as s:
        for _ in range(CODES.most):
            assert limits.count_attempt(s, {CODES: "hall"}, stage.clock()) is None
        assert limits.count_attempt(s, {CODES: "hall"}, stage.clock()) == CODES
        assert limits.count_attempt(s, {SIGN_UPS: "1 hall", CODES: "hall"}, stage.clock()) == CODES
        assert limits.count_attempt(s, {CODES: "another hall"}, stage.clock()) is None
    assert len(stage.all(SignInAttempt)) == CODES.most + 1


def test_sheet_code_has_ten_characters_that_are_read_from_paper() -> None:
    codes = {sheet_code() for _ in range(20)}
    assert len(codes) == 20
    assert all(len(code) == 10 and set(code) <= set(CODE_ALPHABET) for code in codes)
