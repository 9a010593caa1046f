"""Guessing is slow, and nobody is kept out by somebody else's guessing: neither an organiser nor a hall."""

import time
from collections import deque
from collections.abc import Callable
from dataclasses import replace

import pytest
from flask import Flask
from sqlalchemy import Engine

from app import put_over
from events.actions import tries
from events.settings import Settings
from events.views.tries import MOST_CLIENTS, WITHIN, Misses
from models.event import Event
from models.people import Account, SignInAttempt
from models.play import Player
from tests.actions.stage import PASSWORD, Stage
from tests.conftest import Clock
from tests.views.person import Page, Person

FEW = 6
"""So many wrong links and codes are enough in these tests; the service's own figure is larger."""


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
    put_over(app, replace(settings, proxies=1), engine, clock)
    app.extensions["overseer_misses"] = Misses(FEW)
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


@pytest.mark.proves("attack 20", "ASVS 6.3.1")
def test_one_address_that_tries_many_accounts_is_stopped(behind: Flask, stage: Stage, clock: Clock) -> None:
    stage.set_up("Olga")
    here = Faraway(behind, "192.0.2.7")
    sign_in(here, "Nobody 0", "Password1!")
    (key,) = [one.name_key for one in stage.all(SignInAttempt) if one.kind == "client"]
    assert "192.0.2.7" not in key, "the address itself is not kept"
    with stage.changing() as s:  # what forms with as many names would have left
        s.add_all(SignInAttempt(kind="client", name_key=key, at=clock()) for _ in range(tries.MOST["client"] - 2))
    assert sign_in(here, "Nobody", "Password1!").status == 422
    assert sign_in(here, "Olga", PASSWORD).status == 429
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
    for n in range(tries.MOST["name"]):
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
    assert {one.kind for one in stage.all(SignInAttempt)} == {"name", "client"}


@pytest.mark.proves("attack 22", "attack 23", "ASVS 2.4.1")
@pytest.mark.parametrize("address", ["/g/{}", "/p/{}", "/mail/{}", "/i/{}", "/set-up/{}"])
def test_links_and_codes_are_not_tried_out(
    behind: Flask, stage: Stage, event: Event, link_of: Callable[[Player], str], address: str
) -> None:
    ada, bo = stage.enter(event, "Ada", "Bo")
    (game,) = stage.publish(event, 1)
    hall, player, guesser = (Faraway(behind, "192.0.2.1") for _ in range(3))
    assert player.open(link_of(ada)).status == 200
    before = stage.digest()
    for n in range(FEW):
        assert guesser.ask("GET", address.format(f"WRONG{n:03}")).status_code == 404
    refused = guesser.ask("GET", address.format("WRONG"))
    assert (refused.status_code, refused.headers["Retry-After"]) == (429, "900")
    assert guesser.ask("GET", f"/g/{game.code}").status_code == 429, "a right one is not told from a wrong one"
    assert stage.digest() == before, "looking something up stores nothing"
    # The same hall, behind the same address.
    assert player.open("/e/iron-open/me").status == 200
    assert player.ask("GET", f"/g/{game.code}").status_code in (200, 302)
    assert player.ask("GET", link_of(ada)).status_code == 302
    assert hall.open("/e/iron-open/rounds/1").status == 200
    assert sign_in(hall, "Nobody", "x").status == 422
    assert Faraway(behind, "192.0.2.9").ask("GET", f"/g/{game.code}").status_code == 302
    assert bo.id != ada.id


@pytest.mark.proves("attack 23")
def test_codes_are_not_tried_out_by_typing_them(behind: Flask, stage: Stage, event: Event) -> None:
    stage.enter(event, "Ada", "Bo")
    (game,) = stage.publish(event, 1)
    guesser = Faraway(behind, "192.0.2.1")
    guesser.open("/g")
    for n in range(FEW):
        assert guesser.press("Go on", code=f"WRONG{n:03}").status == 404
    guesser.open("/g")
    assert guesser.press("Go on", code=game.code).status == 429


@pytest.mark.proves("attack 23")
def test_a_player_who_tries_codes_out_is_stopped_too(behind: Flask, stage: Stage, event: Event,
                                                    link_of: Callable[[Player], str]) -> None:  # fmt: skip
    ada, bo = stage.enter(event, "Ada", "Bo")
    guesser, other = Faraway(behind, "192.0.2.1"), Faraway(behind, "192.0.2.1")
    guesser.open(link_of(ada))
    other.open(link_of(bo))
    for n in range(FEW):
        guesser.ask("GET", f"/g/WRONG{n:03}")
        if n == FEW // 2:
            guesser.open(link_of(ada))  # a sign-in anew counts on
    assert guesser.ask("GET", "/g/WRONG").status_code == 429
    assert other.ask("GET", "/g/WRONG").status_code == 404


def test_who_missed_the_longest_ago_is_forgotten_first() -> None:
    misses = Misses(FEW)
    for _ in range(FEW):
        assert not misses.too_many("first")
        misses.add("first")
    assert misses.too_many("first") and not misses.too_many("second")
    for n in range(MOST_CLIENTS - 1):
        misses.add(f"client {n}")
    assert misses.too_many("first"), "as many as may be"
    misses.add("one more")
    assert not misses.too_many("first"), "memory is bounded"
    for _ in range(FEW):
        misses.add("client 0")
    misses.add("client 0")
    for n in range(MOST_CLIENTS - 1):
        misses.add(f"another {n}")
    assert misses.too_many("client 0"), "one that goes on missing is remembered"


def test_a_quarter_of_an_hour_after_the_first_of_so_many_one_may_miss_again() -> None:
    misses, now = Misses(2), time.monotonic()
    for ago, waits in ((WITHIN - 60, True), (WITHIN + 1, False)):
        misses._when["somebody"] = deque([now - ago, now], maxlen=2)  # nobody waits so long for a test
        assert misses.too_many("somebody") is waits


@pytest.mark.proves("attack 22")
def test_an_account_and_a_player_of_one_number_are_counted_apart(
    behind: Flask, olga: Person, stage: Stage, event: Event, link_of: Callable[[Player], str]
) -> None:
    (ada,) = stage.enter(event, "Ada")
    player = Faraway(behind, "192.0.2.1")
    player.open(link_of(ada))
    assert ada.id == stage.one(Account).id
    for _ in range(FEW):
        assert olga.ask("GET", "/p/WRONG").status_code == 404
    assert olga.ask("GET", "/p/WRONG").status_code == 429
    assert player.ask("GET", "/p/WRONG").status_code == 404
    for _ in range(FEW):
        player.ask("GET", "/p/WRONG")
    assert player.ask("GET", "/p/WRONG").status_code == 429
