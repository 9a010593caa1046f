"""A server that a newer one was started beside: it shows nothing of the database any more, and says so."""

import pytest
from flask import Flask
from sqlalchemy import Engine

import migrations
from models.event import Event
from tests.chaos.next_release import REVISION, become, migrating, say
from tests.conftest import Clock
from tests.views.person import Person

SAID = "Another version is at work"


@pytest.mark.proves("F18")
@pytest.mark.both_databases
def test_a_server_that_was_left_behind_says_so_until_the_database_is_its_own_again(
    app: Flask, olga: Person, visitor: Person, event: Event, engine: Engine, clock: Clock
) -> None:
    olga.open("/e/iron-open/register")
    become(engine, REVISION)
    assert visitor.open("/e/iron-open").status == 200, "it looks once a second"
    answer = olga.press("Register", name="Ada").response
    assert (answer.status_code, SAID in answer.text) == (503, True), "a change looks for itself"
    assert int(answer.headers["Retry-After"]) > 0
    for address in ("/", "/e/iron-open", "/e/iron-open/version"):
        page = visitor.ask("GET", address)
        assert (page.status_code, SAID in page.text) == (503, True), address
    assert visitor.ask("GET", "/healthz").status_code == 200, "nothing is mended by starting this one again"
    assert visitor.ask("GET", "/readyz").status_code == 503
    assert visitor.ask("GET", "/static/overseer.css").status_code == 200
    become(engine, migrations.head())
    clock.advance(seconds=1)
    assert visitor.open("/e/iron-open").status == 200


@pytest.mark.proves("F18", "ASVS 16.5.1")
@pytest.mark.both_databases
def test_a_page_that_fails_because_another_version_changed_a_table_is_no_fault(
    app: Flask, visitor: Person, event: Event, engine: Engine, clock: Clock
) -> None:
    with migrating(engine) as connection:
        connection.exec_driver_sql("ALTER TABLE event RENAME COLUMN fee TO price")
        say(connection, REVISION)
    page = visitor.ask("GET", "/e/iron-open")
    assert (page.status_code, SAID in page.text) == (503, True)


def test_a_page_that_fails_in_our_own_shape_is_a_fault(
    app: Flask, visitor: Person, event: Event, engine: Engine
) -> None:
    """The control."""
    with migrating(engine) as connection:
        connection.exec_driver_sql("ALTER TABLE event RENAME COLUMN fee TO price")
    assert visitor.ask("GET", "/e/iron-open").status_code == 500
