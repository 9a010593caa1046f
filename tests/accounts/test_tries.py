"""Guessing is slow, and nobody is kept out by somebody else's guessing: neither an organiser nor a hall."""

from collections.abc import Callable
from dataclasses import replace
from ipaddress import ip_network

import pytest
from flask import Flask
from sqlalchemy import Engine

from app import put_over
from events.accounts import actions as accounts_actions
from events.accounts.actions import CODES
from models.people import Account, SignInAttempt
from models.play import Player
from models.staff import Role
from service.settings import Settings
from tests.conftest import Clock
from tests.kit.person import Page, Person
from tests.kit.stage import PASSWORD, Stage
from tests.kit.statements import sent

MANY = 220
"""Wrong codes of one address."""


def sign_in(person: Person, name: str, password: str) -> Page:
    """Fill in the sign-in form."""
    person.open("/sign-in")
    return person.press("Sign in", name=name, password=password)


class Faraway(Person):
    """Somebody at another address of the network, as our own proxy saw it."""

    def __init__(self, app: Flask, address: str) -> None:
        super().__init__(app)
        self.http.environ_base["HTTP_X_FORWARDED_FOR"] = address


@pytest.fixture
def behind(app: Flask, settings: Settings, engine: Engine, clock: Clock) -> Flask:
    """The service behind one proxy."""
    put_over(app, replace(settings, proxies=(ip_network("127.0.0.1"),)), engine, clock)
    return app


@pytest.mark.proves("attack 20", "ASVS 6.1.1", "ASVS 6.3.1")
def test_a_stranger_who_guesses_keeps_no_organiser_out(behind: Flask, stage: Stage) -> None:
    """The account waits for all browsers but those that it has signed in on before."""
    stage.set_up("Olga")
    own, new = Faraway(behind, "192.0.2.1"), Faraway(behind, "192.0.2.2")
    assert sign_in(own, "Olga", PASSWORD).path == "/desk"
    own.open("/")
    own.press("Sign out")
    for n in range(10):
        assert sign_in(Faraway(behind, f"198.51.100.{n}"), "Olga", f"guess {n}").status == 422
    assert sign_in(Faraway(behind, "198.51.100.99"), "Olga", PASSWORD).status == 429
    assert sign_in(new, "Olga", PASSWORD).status == 429
    assert sign_in(own, "Olga", PASSWORD).path == "/desk", "her own browser is known"
    own.open("/")
    own.press("Sign out")
    for n in range(10):
        assert sign_in(own, "Olga", f"guess {n}").status == 422
    assert sign_in(own, "Olga", PASSWORD).status == 429, "and it is no way to guess without end either"


@pytest.mark.both_databases
@pytest.mark.proves("attack 20", "attack 66", "ASVS 6.3.1")
def test_right_password_works_at_an_address_with_many_failures(
    behind: Flask, stage: Stage, clock: Clock, database_url: str
) -> None:
    """Each account has three tries there, and then waits."""
    stage.set_up("Olga")
    here = Faraway(behind, "192.0.2.7")
    sign_in(here, "Nobody 0", "Password1!")
    (key,) = [one.name_key for one in stage.all(SignInAttempt) if one.kind == "client"]
    assert "192.0.2.7" not in key, "the address itself is not kept"
    with stage.changing() as s:  # what forms with as many names would have left
        s.add_all(SignInAttempt(kind="client", name_key=key, at=clock()) for _ in range(59))
    assert sign_in(here, "Nobody", "Password1!").status == 422
    assert sign_in(Faraway(behind, "192.0.2.7"), "Olga", PASSWORD).path == "/desk"
    for n in range(3):
        assert sign_in(here, "Olga", f"guess {n}").status == 422
    assert sign_in(here, "Olga", PASSWORD).status == 429
    assert sign_in(here, "Petra", PASSWORD).status == 422
    assert sign_in(Faraway(behind, "192.0.2.8"), "Olga", PASSWORD).path == "/desk"
    clock.advance(minutes=16)
    assert sign_in(here, "Olga", PASSWORD).path == "/desk"


def test_of_the_newer_addresses_a_household_is_one(behind: Flask, stage: Stage) -> None:
    for address in ("2001:db8:1:2::1", "2001:db8:1:2:ffff::2", "2001:db8:1:3::1"):
        sign_in(Faraway(behind, address), "Nobody", "wrong")
    assert len({one.name_key for one in stage.all(SignInAttempt) if one.kind == "client"}) == 2


@pytest.mark.proves("attack 24")
def test_the_mark_of_a_browser_is_good_for_nothing_else(app: Flask, olga: Person, stage: Stage) -> None:
    person = Person(app)
    sign_in(person, "Olga", PASSWORD)
    mark = person.http.get_cookie("overseer-known")
    assert mark is not None and mark.http_only
    other = Person(app)
    other.http.set_cookie("overseer", mark.value)
    other.http.set_cookie("overseer-known", mark.value[:-2])
    assert other.open("/desk").path == "/sign-in"
    for address in ("/p/", "/i/", "/set-up/"):
        assert other.open(address + mark.value).status == 404
    stage.s.rollback()


def test_a_browser_keeps_its_mark_however_often_its_owner_signs_in(app: Flask, stage: Stage) -> None:
    """It is counted by its mark: one that gets another could be used to guess from the start again."""
    stage.set_up("Olga")
    here = Person(app)
    marks = list[str]()
    for _ in range(2):
        assert sign_in(here, "Olga", PASSWORD).path == "/desk"
        mark = here.http.get_cookie("overseer-known")
        assert mark is not None
        marks.append(mark.value)
        here.open("/")
        here.press("Sign out")
    assert marks[0] == marks[1]


@pytest.mark.proves("attack 20", "ASVS 6.3.1")
def test_a_browser_is_known_for_its_own_account_alone(behind: Flask, stage: Stage) -> None:
    """Whoever has an account of their own guesses at another's like a stranger: the other one's count rises."""
    stage.set_up("Olga")
    stage.set_up("Petra")
    here = Faraway(behind, "192.0.2.1")
    sign_in(here, "Olga", PASSWORD)
    here.open("/")
    here.press("Sign out")
    for n in range(accounts_actions.BY_NAME.most):
        assert sign_in(here, "Petra", f"guess {n}").status == 422
    assert sign_in(Faraway(behind, "192.0.2.2"), "Petra", PASSWORD).status == 429
    assert sign_in(here, "Olga", PASSWORD).path == "/desk"


def test_the_mark_of_an_account_that_is_gone_is_none(app: Flask, olga: Person, stage: Stage) -> None:
    """As after going back to a copy of before the account was made."""
    person = Person(app)
    sign_in(person, "Olga", PASSWORD)
    assert person.http.get_cookie("overseer-known") is not None
    with stage.changing() as s:
        s.delete(s.merge(stage.one(Account)))
    person.http.delete_cookie("overseer")
    assert sign_in(person, "Olga", "wrong").status == 422
    assert {one.kind for one in stage.all(SignInAttempt)} == {"both", "client", "name"}


@pytest.mark.both_databases
@pytest.mark.proves("attack 22", "attack 23", "attack 58", "ASVS 2.4.1")
def test_wrong_codes_of_a_hall_refuse_no_link_and_no_right_code(
    behind: Flask, stage: Stage, link_of: Callable[[Player], str], database_url: str
) -> None:
    """Links hold 128 bits or a signature, so a right one always works; sheet codes hold enough to let right ones in."""
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
    for address in ("/p/WRONG", "/mail/WRONG", "/i/WRONG", "/set-up/WRONG"):
        assert Faraway(behind, "192.0.2.1").ask("GET", address).status_code == 404
    for address in (link_of(ada), link_of(bo), set_up_link, f"/i/{invitation}", f"/g/{game.code}"):
        assert Faraway(behind, "192.0.2.1").ask("GET", address).status_code == 302, address
    assert answers == [404] * CODES.most + [429] * (MANY - CODES.most)
    typing = Faraway(behind, "192.0.2.1")
    typing.open("/g")
    assert typing.press("Go on", code=game.code).status == 200
    assert player.ask("GET", "/g/WRONG").status_code == 404, "a signed-in browser is never slowed down"
    assert Faraway(behind, "192.0.2.9").ask("GET", "/g/WRONG").status_code == 404


@pytest.mark.both_databases
@pytest.mark.proves("attack 58")
def test_wrong_codes_beyond_the_limit_write_nothing(behind: Flask, stage: Stage, database_url: str) -> None:
    guesser = Faraway(behind, "192.0.2.1")
    for n in range(CODES.most):
        guesser.ask("GET", f"/g/WRONG{n:03}")
    before = stage.digest()
    with sent(behind.extensions["overseer_engine"]) as statements:
        refused = guesser.ask("GET", "/g/WRONG")
    assert (refused.status_code, refused.headers["Retry-After"]) == (429, "900")
    assert "a right one works" in refused.text
    assert [one for one in statements if one != "BEGIN" and not one.startswith("SELECT")] == []
    assert stage.digest() == before


@pytest.mark.proves("attack 58")
def test_wrong_links_write_nothing(behind: Flask, stage: Stage) -> None:
    before = stage.digest()
    for address in ("/p/WRONG", "/mail/WRONG", "/i/WRONG", "/set-up/WRONG"):
        assert Faraway(behind, "192.0.2.1").ask("GET", address).status_code == 404
    assert stage.digest() == before


@pytest.mark.proves("attack 23", "attack 58")
def test_typed_code_stays_on_the_page_when_there_were_too_many(behind: Flask, stage: Stage, clock: Clock) -> None:
    guesser = Faraway(behind, "192.0.2.1")
    guesser.open("/g")
    for n in range(CODES.most):
        assert guesser.press("Go on", code=f"WRONG{n:03}").status == 404
    page = guesser.press("Go on", code="WRONG999")
    assert (page.status, page.response.headers["Retry-After"], page.value("code")) == (429, "900", "WRONG999")
    assert "Check the code" in page.error_at("code")
    clock.advance(minutes=15)
    assert guesser.press("Go on", code="WRONG999").status == 404
