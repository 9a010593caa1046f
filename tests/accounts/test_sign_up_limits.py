"""Limits on registration: a hall behind one address can register, and nobody can fill an event with made-up players."""

import pytest
from flask import Flask

from events.accounts.actions import SIGN_UPS, SIGN_UPS_BY_BROWSER
from events.registration.actions import LEAST_WAITING
from models.event import Event
from models.people import SignInAttempt
from models.play import Player, PlayerState
from tests.conftest import Clock
from tests.kit.accounts import with_cookie_of
from tests.kit.person import Page, Person
from tests.kit.stage import Stage

REGISTER = "/e/iron-open/register"


def register(person: Person, name: str, **fields: str) -> Page:
    """Send the registration form."""
    person.open(REGISTER)
    return person.press("Register", name=name, **fields)


@pytest.mark.proves("attack 60")
def test_flood_of_sign_ups_from_one_address_is_refused(app: Flask, event: Event, stage: Stage, olga: Person) -> None:
    register(Person(app), "First")
    (key,) = [one.name_key for one in stage.all(SignInAttempt) if one.kind == "sign-up"]
    with stage.changing() as s:
        s.add_all(SignInAttempt(kind="sign-up", name_key=key, at=stage.clock()) for _ in range(SIGN_UPS.most - 2))
    assert register(Person(app), "The ninetieth").path == "/e/iron-open/me/link", "a hall of phones has one address"
    visitor, before = Person(app), stage.digest()
    page = register(visitor, "Made Up", club="Somewhere")
    assert page.status == 429
    assert "90 players were registered from this network in the last 5 minutes. Wait 5 minutes" in page.text
    assert (page.value("name"), page.value("club")) == ("Made Up", "Somewhere")
    assert stage.digest() == before
    olga.open("/e/iron-open/desk/players")
    assert olga.press("Add", **{"w-name": "At The Desk"}).status == 200
    stage.clock.advance(minutes=5)
    assert visitor.press("Register").path == "/e/iron-open/me/link"
    assert [one.name for one in stage.all(Player)] == ["First", "The ninetieth", "At The Desk", "Made Up"]


@pytest.mark.proves("attack 60")
def test_copies_of_one_browsers_cookie_are_counted_as_one_browser(app: Flask, event: Event, clock: Clock) -> None:
    first = Person(app)
    first.open(REGISTER)
    for n in range(SIGN_UPS_BY_BROWSER.most):
        assert register(with_cookie_of(first, app), f"Player {n}").status == 200
    page = register(with_cookie_of(first, app), "One More")
    assert (page.status, "5 players were registered from this phone or computer" in page.text) == (429, True)
    assert register(Person(app), "Another Phone").status == 200
    clock.advance(minutes=10)
    assert register(with_cookie_of(first, app), "One More").status == 200


@pytest.mark.proves("attack 60")
def test_refused_and_repeated_forms_are_not_counted(app: Flask, event: Event, stage: Stage) -> None:
    person = Person(app)
    person.open(REGISTER)
    form = {name: str(person.page.value(name)) for name in ("csrf_token", "key", "club", "faction")} | {"name": "Ada"}
    for copy in [with_cookie_of(person, app) for _ in range(2)]:
        assert copy.ask("POST", REGISTER, form).status_code == 302
    for _ in range(SIGN_UPS_BY_BROWSER.most + 1):
        assert register(person, "Ada").status == 422
    assert sorted(one.kind for one in stage.all(SignInAttempt)) == ["phone", "sign-up"]


@pytest.mark.both_at_length
@pytest.mark.proves("attack 60")
def test_waiting_list_is_bounded_for_visitors_but_not_for_the_desk(app: Flask, stage: Stage, olga: Person) -> None:
    event = stage.event(places=2)
    stage.enter(event, *(f"Player {n}" for n in range(2 + LEAST_WAITING - 1)))
    assert register(Person(app), "Last").status == 200
    page = register(Person(app), "Too Late")
    assert page.status == 422
    assert "All 2 places are taken, and the waiting list is full: 20 players are on it." in page.text
    assert page.value("name") == "Too Late"
    olga.open("/e/iron-open/desk/players")
    assert olga.press("Add", **{"w-name": "At The Desk"}).status == 200
    assert len(stage.all(Player, state=PlayerState.WAITING)) == LEAST_WAITING + 1


@pytest.mark.proves("attack 60")
def test_waiting_list_is_as_long_as_the_event_has_places(app: Flask, stage: Stage) -> None:
    event = stage.event(places=LEAST_WAITING + 1)
    stage.enter(event, *(f"Player {n}" for n in range(2 * LEAST_WAITING + 1)))
    assert register(Person(app), "Last").status == 200
    assert register(Person(app), "Too Late").status == 422
