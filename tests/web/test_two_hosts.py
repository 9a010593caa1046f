"""Two hosts serve one database: what one counts or stores, the other knows."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from threading import Barrier

import pytest
from flask import Flask
from sqlalchemy import Engine

from app import build_pages, put_over
from events.accounts import actions as accounts_actions
from events.rounds.actions import unpublish
from models.db import open_engine
from models.event import Event
from models.people import SignInAttempt
from models.play import Player, Report
from models.staff import Role
from service.settings import Settings
from tests.conftest import Clock
from tests.kit.person import Page, Person
from tests.kit.stage import BY, PASSWORD, Stage
from tests.web.test_cached_pages import rendered
from tests.web.test_presses_once import filled

GUESSES = 40
WRONG_CODES, FAILED_SIGN_INS, SIGN_UPS = 60, 10, 90
"""The limits: in 15 minutes by address, in 15 minutes by name, in 5 minutes by address and event."""


@pytest.fixture(scope="module")
def more_pages() -> Flask:
    """The pages of a second host."""
    made = build_pages()
    made.testing = True
    return made


@pytest.fixture
def other(app: Flask, more_pages: Flask, settings: Settings, clock: Clock) -> Iterator[Flask]:
    """A second host over the database of ``app``, with connections and memory of its own."""
    engine: Engine = open_engine(settings.database_url)
    put_over(more_pages, settings, engine, clock)
    yield more_pages
    engine.dispose()


def moved(person: Person, app: Flask) -> Person:
    """The same browser, whose next request reaches another host."""
    there = Person(app)
    cookie = person.http.get_cookie("overseer")
    assert cookie is not None
    there.http.set_cookie("overseer", cookie.value)
    return there


def sign_in(app: Flask, name: str, password: str) -> Page:
    """Sign in on a new browser."""
    person = Person(app)
    person.open("/sign-in")
    return person.press("Sign in", name=name, password=password)


@pytest.mark.both_databases
@pytest.mark.proves("attack 75", "attack 23")
def test_wrong_sheet_codes_are_counted_across_hosts(app: Flask, other: Flask, stage: Stage, database_url: str) -> None:
    for n in range(WRONG_CODES):
        assert Person((app, other)[n % 2]).ask("GET", f"/g/WRONG{n:03}").status_code == 404
    assert [Person(host).ask("GET", "/g/WRONG").status_code for host in (app, other)] == [429, 429]
    assert len(stage.all(SignInAttempt)) == WRONG_CODES


@pytest.mark.both_databases
@pytest.mark.proves("attack 75", "attack 20")
def test_failed_sign_ins_are_counted_across_hosts(app: Flask, other: Flask, stage: Stage, database_url: str) -> None:
    stage.set_up("Olga")
    for n in range(FAILED_SIGN_INS):
        assert sign_in((app, other)[n % 2], "Olga", f"guess {n}").status == 422
    assert [sign_in(host, "Olga", PASSWORD).status for host in (app, other)] == [429, 429]


def round_page(host: Flask) -> str:
    """The text of round 1 as a visitor reads it on this host, in single spaces."""
    return " ".join(Person(host).open("/e/iron-open/rounds/1").text.split())


@pytest.mark.both_databases
@pytest.mark.proves("F14", "attack 75")
def test_cached_pages_of_both_hosts_show_each_change_at_once(
    app: Flask, other: Flask, stage: Stage, event: Event, enter: Callable[..., list[Person]], database_url: str
) -> None:
    """The control: until the change, both hosts show the old result, and without a change neither renders again."""
    ada, *_ = enter(event, "Ada", "Bo")
    (game,) = stage.publish(event, 1)
    hosts, own = (app, other), (ada, moved(ada, other))
    results = ["Not reported", *(f"{markers} : 0" for markers in range(1, 5))]
    for markers, (old, new) in enumerate(pairwise(results), 1):
        for host in hosts:
            assert [result in round_page(host) for result in (old, new)] == [True, False]
        stage.decide(event, stage.now(game), markers, 0)
        for host, browser in zip(hosts, own, strict=True):
            with rendered(host) as names:
                assert [result in round_page(host) for result in (old, new)] == [False, True]
                assert new in browser.open("/e/iron-open/me").part("table.record")
                rendered_once = len(names)
                assert rendered_once > 0
                assert new in round_page(host)
            assert len(names) == rendered_once
    with stage.changing(event) as s:
        unpublish(s, event, 1, BY, stage.clock(), with_results=True)
    assert [Person(host).open("/e/iron-open/rounds/1").status for host in hosts] == [404, 404]


def guesses(person: Person, hosts: tuple[Flask, Flask], page: str, button: str, field: str, **others: str) -> list[int]:
    """The answers to wrong values of a field, sent at once by browsers with this one's cookie, half to each host."""
    people = [moved(person, hosts[n % 2]) for n in range(GUESSES)]
    for one in people:
        one.open(page)
    start = Barrier(GUESSES)

    def guess(one: Person, value: str) -> int:
        start.wait()
        return one.press(button, **others, **{field: value}).status

    with ThreadPoolExecutor(GUESSES) as pool:
        return list(pool.map(guess, people, [f"guess {n}" for n in range(GUESSES)]))


def held(answers: list[int]) -> bool:
    """Whether only as many were checked as may be, and all others refused."""
    return sorted(answers) == [422] * FAILED_SIGN_INS + [429] * (GUESSES - FAILED_SIGN_INS)


@pytest.mark.both_databases
@pytest.mark.proves("attack 66", "attack 75", "ASVS 6.3.1")
def test_simultaneous_passwords_on_two_hosts_are_limited(
    app: Flask, other: Flask, stage: Stage, database_url: str
) -> None:
    stage.set_up("Olga")
    person = Person(app)
    person.open("/sign-in")
    answers = guesses(person, (app, other), "/sign-in", "Sign in", "password", name="Olga")
    assert held(answers), "only so many passwords are compared"


@pytest.mark.both_databases
@pytest.mark.proves("attack 66", "attack 75", "ASVS 6.3.1")
def test_simultaneous_codes_on_two_hosts_are_limited(
    app: Flask, other: Flask, stage: Stage, clock: Clock, settings: Settings
) -> None:
    olga = stage.set_up("Olga")
    with stage.changing() as s:
        accounts_actions.turn_on(s, olga, accounts_actions.new_secret(), 1, accounts_actions.key_from(settings.secret))
    person = Person(app)
    person.open("/sign-in")
    assert person.press("Sign in", name="Olga", password=PASSWORD).path == "/sign-in/code"
    assert held(guesses(person, (app, other), "/sign-in/code", "Sign in", "code"))


@pytest.mark.both_databases
@pytest.mark.proves("attack 66", "attack 75", "ASVS 6.3.1")
def test_simultaneous_passwords_for_an_invitation_are_limited(
    app: Flask, other: Flask, stage: Stage, event: Event, database_url: str
) -> None:
    olga = stage.hire(event, "Olga", Role.OWNER)
    with stage.changing(event) as s:
        _, token = accounts_actions.invite(s, event, Role.JUDGE, olga, "organiser Olga", stage.clock())
    person = Person(app)
    person.open(f"/i/{token}")
    more = {"k-name": "Olga"}
    assert held(guesses(person, (app, other), "/invitation", "Sign in and accept", "k-password", **more))


@pytest.mark.both_databases
@pytest.mark.proves("attack 66", "attack 75", "ASVS 6.3.1")
def test_simultaneous_old_passwords_on_two_hosts_are_limited(
    app: Flask, other: Flask, olga: Person, database_url: str
) -> None:
    new = {"password": "another three words", "again": "another three words"}
    assert held(guesses(olga, (app, other), "/account", "Change password", "old", **new))


@pytest.mark.both_databases
@pytest.mark.proves("attack 75", "attack 60")
def test_sign_ups_are_counted_across_hosts(app: Flask, other: Flask, event: Event, database_url: str) -> None:
    for n in range(SIGN_UPS):
        person = Person((app, other)[n % 2])
        person.open("/e/iron-open/register")
        assert person.press("Register", name=f"Player {n}").status == 200
    for host in (app, other):
        person = Person(host)
        person.open("/e/iron-open/register")
        assert person.press("Register", name="One More").status == 429


@pytest.mark.both_databases
@pytest.mark.proves("attack 75", "attack 51")
def test_sign_up_resent_to_another_host_is_stored_once(
    app: Flask, other: Flask, event: Event, stage: Stage, database_url: str
) -> None:
    person = Person(app)
    form = {
        name: str(person.open("/e/iron-open/register").value(name)) for name in ("csrf_token", "key", "club", "faction")
    }
    again = moved(person, other)
    for one in (person, again):
        answer = one.ask("POST", "/e/iron-open/register", form | {"name": "Ada"})
        assert (answer.status_code, answer.location) == (302, "/e/iron-open/me/link")
    assert [player.name for player in stage.all(Player)] == ["Ada"]


@pytest.mark.both_databases
@pytest.mark.proves("attack 75")
def test_report_resent_to_another_host_is_stored_once(
    app: Flask, other: Flask, stage: Stage, enter: Callable[..., list[Person]], database_url: str
) -> None:
    event = stage.event(scenarios=("hold-the-line", "", ""))
    ada, _ = enter(event, "Ada", "Bo")
    stage.publish(event, 1)
    form = filled(ada, a__objectives="3", b__objectives="1")
    answers = [one.ask("POST", "/e/iron-open/me/game", form) for one in (ada, moved(ada, other))]
    assert [answer.status_code for answer in answers] == [302, 302]
    assert len(stage.all(Report)) == 1
