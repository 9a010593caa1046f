"""The second factor: a code after the password, each good once, with spare ones, and no way around it."""

import base64
import re
from dataclasses import replace

import pyotp
import pytest
from flask import Flask
from werkzeug.test import TestResponse

from events.accounts import actions as accounts_actions
from events.accounts.second_factor_views import DEMANDED, FREE
from models.event import Event
from models.people import Account
from service.settings import Settings
from tests.conftest import Clock
from tests.kit.person import Page, Person
from tests.kit.stage import PASSWORD, Stage


def code_of(secret: str, clock: Clock) -> str:
    """What the phone's app shows."""
    return pyotp.TOTP(secret).at(clock())


def turned_on(olga: Person, clock: Clock) -> tuple[str, list[str]]:
    """Turn it on; gives the secret and the spare codes, as a person reads them."""
    olga.open("/account/second-factor")
    secret = olga.page.part(".long-code")
    page = olga.press("Turn it on", code=code_of(secret, clock), old=PASSWORD)
    assert page.part("h1") == "Your second factor is on", page.text
    clock.advance(seconds=accounts_actions.STEP)
    return secret, [code.get_text() for code in page.soup.select(".spare-codes code")]


def half_in(app: Flask) -> Person:
    """Somebody who knows the password."""
    person = Person(app)
    person.open("/sign-in")
    page = person.press("Sign in", name="Olga", password=PASSWORD)
    assert page.path == "/sign-in/code"
    return person


@pytest.mark.proves("ASVS 6.3.3", "ASVS 6.5.1")
@pytest.mark.both_databases
def test_a_code_is_asked_for_and_good_once(app: Flask, olga: Person, clock: Clock, database_url: str) -> None:
    secret, _ = turned_on(olga, clock)
    assert olga.open("/desk").path == "/desk", "who turned it on stays signed in"
    person, code = half_in(app), code_of(secret, clock)
    assert person.open("/desk").path == "/sign-in", "half is nothing"
    person.open("/sign-in/code")
    assert person.press("Sign in", code=f" {code[:3]} {code[3:]}").path == "/desk"
    again = half_in(app)
    page = again.press("Sign in", code=code)
    assert (page.status, "was used already" in page.error_at("code")) == (422, True)
    clock.advance(seconds=accounts_actions.STEP)
    assert again.press("Sign in", code=code_of(secret, clock)).path == "/desk"


@pytest.mark.proves("ASVS 6.5.1")
def test_only_codes_about_now_are_taken(app: Flask, olga: Person, clock: Clock) -> None:
    secret, _ = turned_on(olga, clock)
    clock.advance(minutes=10)
    person = half_in(app)
    for wrong in (-2, 2, 20):
        late = pyotp.TOTP(secret).at(clock(), counter_offset=wrong)
        assert person.press("Sign in", code=late).status == 422
    for odd in ("", "000000", "１２３４５６", "x" * 41, "\u202e123456", "-1", code_of(secret, clock)[:5]):
        assert person.press("Sign in", code=odd).status == 422, odd
    assert person.press("Sign in", code=pyotp.TOTP(secret).at(clock(), counter_offset=1)).path == "/desk", (
        "a clock that is fast"
    )


def test_a_spare_code_is_good_once(app: Flask, olga: Person, stage: Stage, clock: Clock) -> None:
    _, spare = turned_on(olga, clock)
    assert len(spare) == len(set(spare)) == accounts_actions.SPARE_CODES
    assert all(re.fullmatch(r"([2-9A-HJ-NP-Z]{4}-){3}[2-9A-HJ-NP-Z]{4}", code) for code in spare)
    assert spare[0] not in stage.one(Account).spare_codes, "only digests are kept"
    assert half_in(app).press("Sign in", code=spare[3].lower().replace("-", " ")).path == "/desk"
    assert half_in(app).press("Sign in", code=spare[3]).status == 422
    assert "Spare codes left: 7" in olga.open("/account").text or olga.open("/account/second-factor").path
    assert half_in(app).press("Sign in", code=spare[0]).path == "/desk"


@pytest.mark.proves("attack 20", "ASVS 6.3.1")
def test_codes_are_not_tried_out(app: Flask, olga: Person, clock: Clock) -> None:
    secret, spare = turned_on(olga, clock)
    person = half_in(app)
    for n in range(10):
        assert person.press("Sign in", code=f"{n:06}").status == 422
    for right in (code_of(secret, clock), spare[0]):
        assert person.press("Sign in", code=right).status == 429
    clock.advance(minutes=16)
    page = person.press("Sign in", code=code_of(secret, clock))
    assert page.path == "/sign-in", "half of a sign-in lasts ten minutes"


@pytest.mark.proves("ASVS 6.4.3")
def test_no_other_way_in_leads_past_it(app: Flask, olga: Person, stage: Stage, event: Event, clock: Clock) -> None:
    secret, _ = turned_on(olga, clock)
    person = Person(app)
    person.open(stage.password_link("Olga"))
    page = person.press("Set password and sign in", password="three other old lamps", again="three other old lamps")
    assert page.path == "/sign-in/code"
    assert person.open("/desk").path == "/sign-in"
    person.open("/sign-in/code")
    assert person.press("Sign in", code=code_of(secret, clock)).path == "/desk"
    olga.open("/desk")
    assert olga.page.path == "/sign-in", "a new password ends the other sign-ins"
    person.open("/e/iron-open/desk/staff")
    link = person.press("Make a link", role="judge").part(".copy-text").removeprefix("http://localhost")
    other = Person(app)
    other.open(link)
    refused = other.press("Sign in and accept", **{"k-name": "Olga", "k-password": "three other old lamps"})
    assert (refused.status, "has a second factor" in refused.errors) == (422, True)
    assert other.open("/desk").path == "/sign-in"


@pytest.mark.proves("attack 61", "ASVS 13.3.1")
@pytest.mark.both_databases
def test_the_secret_is_stored_encrypted(olga: Person, app: Flask, stage: Stage, clock: Clock) -> None:
    secret, _ = turned_on(olga, clock)
    stored = stage.one(Account).totp_secret
    assert secret not in stored and secret.lower() not in stored.lower()
    assert base64.b32decode(secret) not in base64.urlsafe_b64decode(stored)
    key = app.extensions["overseer_settings"].secret
    assert accounts_actions.decrypted(stored, accounts_actions.key_from(key)) == secret
    assert accounts_actions.decrypted(stored, accounts_actions.key_from(f"{key}.")) is None
    person = half_in(app)
    assert person.press("Sign in", code=code_of(secret, clock)).path == "/desk"


@pytest.mark.proves("attack 61")
def test_with_another_installation_key_the_page_says_why_no_code_fits(
    olga: Person, app: Flask, stage: Stage, settings: Settings, clock: Clock
) -> None:
    secret, spare = turned_on(olga, clock)
    app.extensions["overseer_settings"] = replace(settings, secret="the key of another installation of ours")
    person = half_in(app)
    page = person.press("Sign in", code=code_of(secret, clock))
    assert (page.status, "the key of this installation was replaced" in page.error_at("code")) == (422, True)
    assert "overseer second-factor-off" in page.error_at("code")
    assert person.open("/desk").path == "/sign-in"
    person.open("/sign-in/code")
    assert person.press("Sign in", code=spare[0]).path == "/desk", "a spare code needs no key"


@pytest.mark.proves("ASVS 7.5.1")
def test_who_turns_it_on_or_off_says_who_they_are(olga: Person, stage: Stage, clock: Clock) -> None:
    olga.open("/account/second-factor")
    secret = olga.page.part(".long-code")
    page = olga.press("Turn it on", code=code_of(secret, clock), old="not the password")
    assert (page.status, page.error_at("old")) == (422, "This is not your password.")
    page = olga.press("Turn it on", code="000000", old=PASSWORD)
    assert (page.status, "not right" in page.error_at("code")) == (422, True)
    assert stage.one(Account).totp_secret == ""
    secret, spare = turned_on(olga, clock)
    olga.open("/account/second-factor")
    assert olga.press("Turn it off", code=code_of(secret, clock), old="not the password").status == 422
    assert olga.press("Turn it off", code="000000", old=PASSWORD).status == 422
    assert stage.one(Account).totp_secret
    page = olga.press("Turn it off", code=spare[0], old=PASSWORD)
    assert (page.path, stage.one(Account).totp_secret, stage.one(Account).spare_codes) == ("/account", "", "")


def test_turning_it_on_signs_out_elsewhere(app: Flask, olga: Person, clock: Clock) -> None:
    other = Person(app)
    other.open("/sign-in")
    other.press("Sign in", name="Olga", password=PASSWORD)
    turned_on(olga, clock)
    assert other.open("/desk").path == "/sign-in"


def test_strangers_and_those_without_it_find_nothing_there(app: Flask, olga: Person) -> None:
    for address in ("/sign-in/code", "/account/second-factor"):
        assert Person(app).open(address).path == "/sign-in"
    assert olga.open("/sign-in/code").path == "/sign-in"


@pytest.mark.proves("ASVS 6.2.1", "ASVS 6.2.4")
def test_a_password_that_is_guessed_first_is_refused_wherever_one_is_chosen(
    olga: Person, visitor: Person, stage: Stage
) -> None:
    def at(page: Page) -> str:
        assert page.status == 422
        return page.error_at("password")

    olga.open("/account")
    for guessed in ("password123", "1234567890", "olgaolga2026"):
        assert "first passwords" in at(olga.press("Change password", old=PASSWORD, password=guessed, again=guessed))
    assert "From 10 to 200" in at(olga.press("Change password", old=PASSWORD, password="x7#kQ", again="x7#kQ"))
    visitor.open(stage.set_up_link())
    assert "first passwords" in at(visitor.press("Set up and sign in", name="Petra", password="qwertyuiop"))
    assert visitor.press("Set up and sign in", name="Petra", password="three old lamps").path == "/desk"


@pytest.mark.proves("ASVS 6.3.3")
def test_where_it_is_demanded_an_account_without_it_gets_nothing_else(
    app: Flask, olga: Person, event: Event, settings: Settings, clock: Clock
) -> None:
    app.extensions["overseer_settings"] = replace(settings, second_factor="demanded")
    rules = [rule for rule in app.url_map.iter_rules() if "GET" in (rule.methods or ()) and rule.endpoint not in FREE]
    led = {rule.endpoint: re.sub("<.*?>", "1", rule.rule.replace("<slug>", event.slug)) for rule in rules}
    assert len(led) > 100
    for endpoint, address in led.items():
        answer = olga.ask("GET", address)
        assert (answer.status_code, answer.location) == (303, "/account/second-factor"), endpoint
    page = olga.open("/desk")
    assert page.flashes == DEMANDED, "once, though much was asked for"
    assert not page.soup.select("main a"), "nothing there leads back to itself"
    before = stored(olga, f"/e/{event.slug}/desk/fee", fee="5")
    assert before.location == "/account/second-factor", "nor is a form of it taken"
    assert Person(app).open(f"/e/{event.slug}").status == 200, "who has no account is asked for nothing"
    turned_on(olga, clock)
    assert olga.open("/desk").path == "/desk"


def stored(person: Person, address: str, **values: str) -> TestResponse:
    """Send a form with a token of the person's own browser, taken from a page that may be seen."""
    token = str(person.open("/account/second-factor").soup.select_one("[name=csrf_token]")["value"])  # type: ignore[index]
    return person.http.post(address, data={"csrf_token": token} | values)
