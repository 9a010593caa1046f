"""Fixtures: the organiser, players and visitors, each with their own browser."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from flask import Flask
from sqlalchemy import Engine

from app import attach_database
from events.journal.invariants import check_invariants, in_lines
from events.visitors.loading import private_path
from events.visitors.queries import new_sign_in
from models.db import open_engine
from models.event import Event
from models.people import Account
from models.play import Player
from service.settings import Settings
from tests.conftest import Clock
from tests.kit.person import Enter, Person
from tests.kit.stage import Stage

Links = Callable[[Player], str]
"""The fixture ``link_of``: a player's private address."""
Elsewhere = Callable[[], Stage]
"""The fixture ``elsewhere``: loses the server and returns the stage of another server."""


@pytest.fixture
def stage(engine: Engine, clock: Clock, request: pytest.FixtureRequest) -> Iterator[Stage]:
    """The test's database, without events. After a test without pages, every invariant must hold."""
    opened = Stage(engine, clock)
    yield opened
    if "app" not in request.fixturenames:
        opened.s.rollback()
        assert in_lines(check_invariants(opened.s)) == []
    opened.s.close()


@pytest.fixture
def other(other_url: str, clock: Clock) -> Iterator[Stage]:
    stage = Stage(open_engine(other_url), clock)
    yield stage
    stage.s.close()
    stage.engine.dispose()


@pytest.fixture
def visitor(app: Flask) -> Person:
    return Person(app)


def let_in(app: Flask, account: Account) -> Person:
    """A browser signed in to the account by its cookie, because checking a password is slow."""
    person = Person(app)
    with person.http.session_transaction() as session:
        session["organiser"] = new_sign_in(account.id, account.session_key, app.extensions["overseer_clock"]())
    return person


def browser(app: Flask, link_of: Links, player: Player) -> Person:
    person = Person(app)
    person.open(link_of(player))
    return person


@pytest.fixture
def olga(app: Flask, stage: Stage) -> Person:
    """The organiser, signed in, at the list of events. tests/accounts/test_sign_in.py tests the set-up link."""
    olga = let_in(app, stage.set_up("Olga"))
    assert olga.open("/desk").path == "/desk"
    return olga


@pytest.fixture
def event(stage: Stage) -> Event:
    return stage.event()


@pytest.fixture
def link_of(app: Flask) -> Links:
    def make(player: Player) -> str:
        with app.test_request_context("/"):
            return private_path(player)

    return make


@pytest.fixture
def enter(app: Flask, stage: Stage, link_of: Links) -> Enter:
    """Enters players; returns for each a browser that has opened the private link."""

    def make(event: Event, *names: str, here: bool = True) -> list[Person]:
        people = []
        for player in stage.enter(event, *names, here=here):
            person = Person(app)
            assert person.ask("GET", link_of(player)).location == f"/e/{event.slug}/me"
            people.append(person)
        return people

    return make


@pytest.fixture
def playing(enter: Enter, stage: Stage, event: Event) -> list[Person]:
    people = enter(event, "Ada", "Bo", "Cy", "Di")
    stage.publish(event, 1)
    return people


@pytest.fixture
def elsewhere(app: Flask, settings: Settings, other_url: str, clock: Clock) -> Iterator[Elsewhere]:
    """Loses the server: from then on the pages use another, empty database and another secret."""
    opened: list[Engine] = []

    def lose() -> Stage:
        opened.append(open_engine(other_url))
        attach_database(
            app, replace(settings, database_url=other_url, secret="another secret of another server"), opened[0], clock
        )
        return Stage(opened[0], clock)

    yield lose
    for engine in opened:
        engine.dispose()
