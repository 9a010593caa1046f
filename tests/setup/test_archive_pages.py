"""The archive's pages: its owner saves it, an organiser of another server takes it in, faults are shown in words."""

from collections.abc import Callable

from flask import Flask

from models.event import Event
from models.play import Game, Player
from tests.kit.forces import read_force
from tests.kit.lists import PIPER
from tests.kit.lost_server import Elsewhere, organiser
from tests.kit.person import Person
from tests.kit.stage import Stage

SAVE, TAKE_IN = "/e/iron-open/desk/archive", "/desk/archive-in"


def test_event_moves_to_another_server(
    app: Flask, olga: Person, enter: Callable[..., list[Person]], stage: Stage, event: Event, elsewhere: Elsewhere
) -> None:
    ada, *_ = enter(event, "Ada", "Bo", "Cy", "Dee")
    stage.force(event, stage.all(Player)[0], read_force(PIPER))
    first = stage.all(Player)[0]
    with stage.changing(event):
        event.questions = [{"id": "q1", "label": "Lunch", "kind": "text", "choices": [], "required": False}]
        first.answers = {"q1": "Soup"}
    stage.play(event, 1)
    stage.publish(event, 2)
    page = olga.open(SAVE)
    assert "It contains secret lists" in page.text
    saved = olga.ask("GET", str(page.soup.select(".bar a.primary")[0]["href"]))
    assert saved.headers["Content-Disposition"] == 'attachment; filename="iron-open-archive.json"'
    olga.open(TAKE_IN)
    page = olga.press("Import", file=("x.json", saved.data))
    assert "the lots of its rounds depend on them" in page.error_at("file"), "the event is here already"
    pages = {path: Person(app).open(path).part("main") for path in ("/e/iron-open/rounds/2", "/e/iron-open/standings")}
    codes = [game.code for game in stage.all(Game)]

    there = elsewhere()
    nora = organiser(app, there, "Nora")
    assert "Import event" in nora.open("/desk").text
    nora.open(TAKE_IN)
    page = nora.press("Import", file=("iron-open-archive.json", saved.data))
    assert (page.status, page.path) == (200, "/e/iron-open/desk")
    assert "as it was when its archive was made" in page.flashes
    for path, words in pages.items():
        assert Person(app).open(path).part("main") == words
    assert [player.answers for player in there.all(Player)] == [{"q1": "Soup"}, None, None, None]
    assert [game.code for game in there.all(Game)] == codes, "printed sheets still lead to their games"
    assert ada.open("/e/iron-open/me").status == 403, "the old private link opens nothing here"
    assert olga.open("/e/iron-open/desk").status == 403
    assert "Took the event in" in nora.open("/e/iron-open/desk/journal").text
    for name in ("players", "lists", "rounds/2", "settings", "print", "staff", "undo", "rounds/1/results"):
        assert nora.open(f"/e/iron-open/desk/{name}").status == 200
    there.s.close()
