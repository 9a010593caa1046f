"""Two hosts share one database: each sees what the other counts or stores."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from threading import Barrier

import pytest
from flask import Flask
from sqlalchemy import Engine

from app import build_pages, put_over
from events.accounts import actions as accounts_actions
from events.accounts.actions import BY_NAME, CODES, SIGN_UPS
from events.rounds.actions import unpublish
from models.db import open_engine
from models.event import Event
from models.people import SignInAttempt
from models.play import Player
from models.staff import Role
from service.settings import Settings
from tests.conftest import Clock
from tests.kit.accounts import sign_in, with_cookie_of
from tests.kit.people import let_in
from tests.kit.person import Person
from tests.kit.stage import BY, Stage
from tests.kit.statements import rendered

GUESSES = 16

pytestmark = [pytest.mark.both_at_length]


@pytest.fixture(scope="module")
def more_pages() -> Flask:
    """The pages of a second host."""
    made = build_pages()
    made.testing = True
    return made


@pytest.fixture
def hosts(app: Flask, more_pages: Flask, settings: Settings, clock: Clock) -> Iterator[tuple[Flask, Flask]]:
    """Two hosts on one database, each with its own connections and memory."""
    engine: Engine = open_engine(settings.database_url)
    put_over(more_pages, settings, engine, clock)
    yield app, more_pages
    engine.dispose()


Hosts = tuple[Flask, Flask]


@pytest.mark.proves("attack 75", "attack 20", "attack 23")
def test_wrong_codes_and_passwords_are_counted_across_hosts(hosts: Hosts, stage: Stage) -> None:
    stage.set_up("Olga")
    for n in range(BY_NAME.most):
        assert sign_in(Person(hosts[n % 2]), "Olga", f"guess {n}").status == 422
    assert [sign_in(Person(host), "Olga").status for host in hosts] == [429, 429]
    for n in range(CODES.most):
        assert Person(hosts[n % 2]).ask("GET", f"/g/WRONG{n:03}").status_code == 404
    assert [Person(host).ask("GET", "/g/WRONG").status_code for host in hosts] == [429, 429]
    assert len(stage.all(SignInAttempt, kind="code")) == CODES.most


def round_page(host: Flask) -> str:
    """The text of round 1 for a visitor on this host."""
    return Person(host).open("/e/iron-open/rounds/1").text


@pytest.mark.proves("F14", "attack 75")
def test_cached_pages_of_both_hosts_show_each_change_at_once(
    hosts: Hosts, stage: Stage, event: Event, enter: Callable[..., list[Person]]
) -> None:
    """Control: until the change, both hosts show the old result, and neither renders again."""
    ada, *_ = enter(event, "Ada", "Bo")
    (game,) = stage.publish(event, 1)
    own = (ada, with_cookie_of(ada, hosts[1]))
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


@pytest.mark.proves("attack 66", "attack 75", "ASVS 6.3.1")
def test_simultaneous_guesses_on_two_hosts_are_limited(
    hosts: Hosts, stage: Stage, event: Event, settings: Settings
) -> None:
    """For a password, a code, a password at an invitation and an old password, only ten guesses are checked."""
    names = ("Olga", "Petra", "Quin", "Rita")
    olga, petra, quin, rita = (stage.hire(event, name, Role.OWNER) for name in names)
    with stage.changing(event) as s:
        accounts_actions.turn_on(s, petra, accounts_actions.new_secret(), 1, accounts_actions.key_from(settings.secret))
        _, token = accounts_actions.invite(s, event, Role.JUDGE, olga, BY, stage.clock())
    visitor, half_in, invited, signed_in = Person(hosts[0]), Person(hosts[0]), Person(hosts[0]), let_in(hosts[0], rita)
    visitor.open("/sign-in")
    assert sign_in(half_in, "Petra").path == "/sign-in/code"
    invited.open(f"/i/{token}")
    new = {"password": "another three words", "again": "another three words"}
    for person, page, button, field, others in (
        (visitor, "/sign-in", "Sign in", "password", {"name": "Olga"}),
        (half_in, "/sign-in/code", "Sign in", "code", {}),
        (invited, "/invitation", "Sign in and accept", "k-password", {"k-name": quin.name}),
        (signed_in, "/account", "Change password", "old", new),
    ):
        browsers, start = [with_cookie_of(person, hosts[n % 2]) for n in range(GUESSES)], Barrier(GUESSES)
        for one in browsers:
            one.open(page)

        def guess(
            n: int, browsers: list[Person] = browsers, start: Barrier = start, button: str = button,
            values: dict[str, str] = others, field: str = field,
        ) -> int:  # fmt: skip
            start.wait()
            return browsers[n].press(button, **values, **{field: f"guess {n}"}).status

        with ThreadPoolExecutor(GUESSES) as pool:
            answers = sorted(pool.map(guess, range(GUESSES)))
        assert answers == [422] * BY_NAME.most + [429] * (GUESSES - BY_NAME.most), page


@pytest.mark.proves("attack 75", "attack 60", "attack 51")
def test_sign_ups_are_counted_and_resent_forms_found_across_hosts(hosts: Hosts, event: Event, stage: Stage) -> None:
    person = Person(hosts[0])
    page = person.open("/e/iron-open/register")
    form = {name: str(page.value(name)) for name in ("csrf_token", "key", "club", "faction")} | {"name": "Ada"}
    for one in (person, with_cookie_of(person, hosts[1])):
        answer = one.ask("POST", "/e/iron-open/register", form)
        assert (answer.status_code, answer.location) == (302, "/e/iron-open/me/link")
    assert [player.name for player in stage.all(Player)] == ["Ada"]
    (key,) = [one.name_key for one in stage.all(SignInAttempt) if one.kind == "sign-up"]
    with stage.changing() as s:
        s.add_all(SignInAttempt(kind="sign-up", name_key=key, at=stage.clock()) for _ in range(SIGN_UPS.most - 5))
    for n in range(1, 7):
        person = Person(hosts[n % 2])
        person.open("/e/iron-open/register")
        expected = 200 if n < 5 else 429
        assert person.press("Register", name=f"Player {n}").status == expected, n
