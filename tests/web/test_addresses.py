"""No page, sheet or code sends a phone to 127.0.0.1; if no other address is known, pages explain what to do."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from flask import Flask

from events.accounts.access import is_of_staff
from events.desk.round_pack_views import blueprint as packs
from models.event import Event, Round, RoundState
from models.play import GameState
from service.settings import Settings
from tests.kit.person import Person
from tests.kit.routes import addresses, rules
from tests.kit.secrets_planted import everything
from tests.kit.stage import Stage

HERE = "http://127.0.0.1:8000"
ONLY_HERE = re.compile(r"127\.0\.0\.1|localhost")


@pytest.fixture
def only_here(app: Flask, settings: Settings) -> Settings:
    """A service without a public address that listens only on this computer."""
    made = replace(settings, public="", port=8123, data=Path("/srv/the club"))
    app.extensions["overseer_settings"] = made
    return made


def sign_in_here(people: list[Person]) -> None:
    """Copy each person's cookies to 127.0.0.1."""
    for cookie, person in ((person.http.get_cookie("overseer"), person) for person in people):
        if cookie is not None:
            person.http.set_cookie("overseer", cookie.value, domain="127.0.0.1")


def test_no_page_and_no_paper_names_this_computer(
    app: Flask, stage: Stage, four_people: list[Person], only_here: Settings
) -> None:
    sign_in_here(four_people)
    visitor, ada, _, olga = four_people
    found, read = [], 0
    for rule, address in addresses(rules(app, "GET"), stage).items():
        person = olga if is_of_staff(rule) else ada if "/me" in rule else visitor
        answer = person.http.get(address, base_url=HERE, buffered=True)
        answer.headers.remove("Location")
        read += answer.status_code == 200
        found += [rule] if ONLY_HERE.search(everything(answer)) else []
    assert (found, read > 80) == ([], True)
    assert packs.name == "round_pack", "the pack is among them"


def test_staff_read_how_to_reach_the_hall(
    olga: Person, stage: Stage, four_people: list[Person], only_here: Settings
) -> None:
    sign_in_here(four_people)
    addresses = ("/e/iron-open/desk", "/e/iron-open/desk/print", "/e/iron-open/desk/players/1", "/e/iron-open")
    for page in (olga.http.get(address, base_url=HERE).text for address in addresses):
        assert "Only this computer can open Overseer" in page
        assert "./run serve" not in page, "not while a round is played"
    event = stage.one(Event, slug="iron-open")
    for one in stage.all(Round, event_id=event.id):
        for game in stage.games(event, one.number):
            if game.state != GameState.CONFIRMED and game.b_id is not None and one.state == RoundState.PUBLISHED:
                stage.decide(event, game, 1, 0)
    command = "HOST=0.0.0.0 PORT=8123 OVERSEER_DATA=&#39;/srv/the club&#39; ./run serve"
    for page in (olga.http.get(address, base_url=HERE).text for address in addresses):
        assert command in page
        assert 'class="qr"' not in page
    visitor = four_people[0].http.get("/e/iron-open", base_url=HERE).text
    assert "./run serve" not in visitor, "only staff read where the data is"


def test_poster_needs_an_address(olga: Person, four_people: list[Person], app: Flask, settings: Settings) -> None:
    page = olga.open("/e/iron-open/desk/poster.pdf")
    assert page.response.mimetype == "application/pdf"
    app.extensions["overseer_settings"] = replace(settings, public="")
    page = olga.open("/e/iron-open/desk/poster.pdf")
    assert page.path == "/e/iron-open/desk/print"
    assert "only this computer can open Overseer" in page.flashes
