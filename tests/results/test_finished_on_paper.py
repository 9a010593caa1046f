"""After a round's pack is downloaded and the server is lost, the event can be finished on paper."""

import io
import re
import zipfile

from flask import Flask
from pypdf import PdfReader

from models.event import Event
from models.play import GameState
from tests.kit.lost_server import Elsewhere, organiser
from tests.kit.person import Person
from tests.kit.stage import Stage

DESK = "/e/iron-open/desk"


def test_event_survives_the_loss_of_its_server(app: Flask, olga: Person, stage: Stage, elsewhere: Elsewhere) -> None:
    event = stage.event(scenarios=("hold-the-line",) * 3, rounds=3)
    stage.enter(event, "Ada", "Bo", "Cy", "Dee", "Eve")
    stage.play(event, 1)
    stage.publish(event, 2)
    answer = olga.ask("GET", f"{DESK}/rounds/2/pack.zip")
    with zipfile.ZipFile(io.BytesIO(answer.data)) as pack:
        files = {name.partition("/")[2]: pack.read(name) for name in pack.namelist()}

    # What the old server would have done: the same results entered, and the next round drawn.
    for game in stage.games(event, 2):
        if game.b_id:
            stage.decide(event, game, 3, 1)
    stage.draw(event, 3, seed=7)
    expected = stage.pairs(event, 3)

    there = elsewhere()
    nora = organiser(app, there, "Nora")
    nora.open("/desk/archive-in")
    page = nora.press("Import", file=("archive.json", files["iron-open-archive.json"]))
    assert page.path == DESK

    # The paper has each table's code; the scorekeeper types one sheet after the other.
    printed = "\n".join(one.extract_text() for one in PdfReader(io.BytesIO(files["iron-open-round-2.pdf"])).pages)
    here = there.one(Event)
    codes = [game.code for game in there.games(here, 2) if game.b_id]
    assert all(re.search(r"[\s-]*".join(code), printed) for code in codes)
    for code in codes:
        nora.open(f"{DESK}/rounds/2/entry?table={code}")
        typed = nora.press("Store", **{"a.objectives": "3", "b.objectives": "1"})
        assert typed.status == 200, typed.errors
    assert {game.state for game in there.games(here, 2)} == {GameState.CONFIRMED}
    assert "2 of 2 tables are in" in nora.open(f"{DESK}/rounds/2/entry").text

    assert [(row.rank, row.name, row.points) for row in there.standings(here)] == [
        (row.rank, row.name, row.points) for row in stage.standings(event)
    ]
    there.draw(here, 3, seed=7)
    assert there.pairs(here, 3) == expected
    nora.open(f"{DESK}/rounds/3")
    assert nora.press("Publish round 3").status == 200
    assert Person(app).open("/e/iron-open/rounds/3").status == 200
    there.s.close()
