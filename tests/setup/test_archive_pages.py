"""The archive over HTTP: its owner saves it, another club's organiser takes it in, and a bad file is told in words."""

import json
from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from flask import Flask

from events.accounts.queries import new_sign_in
from models.event import Event
from models.play import Game, Player
from models.staff import Role
from tests.kit.forces import read_force
from tests.kit.lists import PIPER
from tests.kit.lost_server import Elsewhere, organiser
from tests.kit.person import Person
from tests.kit.stage import Stage

SAVE, TAKE_IN = "/e/iron-open/desk/archive", "/desk/archive-in"


def test_an_event_moves_to_another_server(
    app: Flask, olga: Person, enter: Callable[..., list[Person]], stage: Stage, event: Event, elsewhere: Elsewhere
) -> None:
    ada, *_ = enter(event, "Ada", "Bo", "Cy", "Dee")
    stage.force(event, stage.all(Player)[0], read_force(PIPER))
    stage.play(event, 1)
    stage.publish(event, 2)
    page = olga.open(SAVE)
    assert "Lists that are still secret are in it" in page.text
    saved = olga.ask("GET", str(page.soup.select(".bar a.primary")[0]["href"]))
    assert saved.headers["Content-Disposition"] == 'attachment; filename="iron-open-archive.json"'
    pages = {path: Person(app).open(path).part("main") for path in ("/e/iron-open/rounds/2", "/e/iron-open/standings")}
    codes = [game.code for game in stage.all(Game)]

    there = elsewhere()
    nora = organiser(app, there, "Nora")
    assert "Take one in" in nora.open("/desk").text
    nora.open(TAKE_IN)
    page = nora.press("Take it in", file=("iron-open-archive.json", saved.data))
    assert (page.status, page.path) == (200, "/e/iron-open/desk")
    assert "as it was when its archive was made" in page.flashes
    for path, words in pages.items():
        assert Person(app).open(path).part("main") == words
    assert [game.code for game in there.all(Game)] == codes, "printed sheets still lead to their games"
    assert ada.open("/e/iron-open/me").status == 403, "the old private link opens nothing here"
    assert olga.open("/e/iron-open/desk").status == 403
    assert "Took the event in" in nora.open("/e/iron-open/desk/journal").text
    for name in ("players", "lists", "rounds/2", "settings", "print", "staff", "undo", "rounds/1/results"):
        assert nora.open(f"/e/iron-open/desk/{name}").status == 200
    there.s.close()


@pytest.mark.proves("attack 39", "ASVS 1.5.2")
def test_a_file_that_makes_no_event_is_told_and_nothing_is_stored(olga: Person, stage: Stage) -> None:
    before = stage.digest()
    olga.open(TAKE_IN)
    page = olga.press("Take it in", file=("x.json", b'{"format": "overseer-event/1"}'))
    assert page.status == 422
    assert "tables: is missing" in page.part("#faults")
    assert page.error_at("file")
    page = olga.press("Take it in", file=("<b>.json", b'{"format": "overseer-event/1", "<script>": 1}'))
    assert "<script>: is no part of an archive" in page.part("#faults")
    assert "Please choose a file." in olga.press("Take it in").error_at("file")
    assert stage.digest() == before


@pytest.mark.proves("attack 39")
def test_an_event_that_is_here_already_is_refused_in_words(olga: Person, stage: Stage, event: Event) -> None:
    stage.enter(event, "Ada", "Bo")
    stage.play(event, 1)
    data = olga.ask("GET", f"{SAVE}.json").data
    olga.open(TAKE_IN)
    page = olga.press("Take it in", file=("x.json", data))
    assert "the lots of its rounds hang on them" in page.error_at("file")


def test_only_the_owner_takes_everything_away(olga: Person, app: Flask, stage: Stage, event: Event) -> None:
    account = stage.hire(event, "Org", Role.ORGANISER)
    org = Person(app)
    with org.http.session_transaction() as session:
        session["organiser"] = new_sign_in(account.id, account.session_key, datetime.now(UTC))
    assert org.open(SAVE).status == 403
    assert org.open(f"{SAVE}.json").status == 403
    assert "The archive" not in org.open("/e/iron-open/desk/print").text
    assert "The archive" in olga.open("/e/iron-open/desk/print").text
    assert json.loads(olga.ask("GET", f"{SAVE}.json").data)["format"] == "overseer-event/1"
