"""One whole event by its pages."""

from collections import Counter

import pytest
from flask import Flask

from models.event import Event, EventState
from models.play import ForceList, Game, Player
from tests.kit.forces import SYSTEM, sample_force
from tests.kit.lists import PIPER, file
from tests.kit.person import Person
from tests.kit.stage import Round, Stage

pytestmark = pytest.mark.fast

SLUG = "/e/rust-cup"
DESK = f"{SLUG}/desk"
FACTIONS = SYSTEM.editions[0].factions


@pytest.mark.both_at_length
def test_from_the_set_up_link_to_the_final_standings(app: Flask, stage: Stage) -> None:
    olga = Person(app)
    olga.open(stage.set_up_link())
    olga.press("Set up and sign in", name="Olga", password="three words to remember")
    olga.open("/desk/new")
    olga.press("Create event", name="Rust Cup", place="Old Mill", starts_on="2026-12-05", timezone="Europe/Berlin")
    olga.press("Open registration")

    people: dict[str, Person] = {}
    for number, name in enumerate(("Ada", "Бо", "山田", "Di")):
        people[name] = Person(app)
        people[name].open(f"{SLUG}/register")
        assert people[name].press("Register", name=name, club="Reds").path == f"{SLUG}/me/link"
        people[name].open(f"{SLUG}/me/force")
        document = sample_force(FACTIONS[number % len(FACTIONS)], 750, number)
        people[name].press("Read the list", file=file(document if number else PIPER))
        assert people[name].press("Submit this force").path == f"{SLUG}/me"
    olga.open(f"{DESK}/players")
    assert "1 of 1 lines entered." in olga.press("Add all", **{"p-names": "Ed; Blues; Survivors"}).text
    for player in stage.all(Player):
        olga.open(f"{DESK}/players")
        olga.press("Check in", inside=f"#player-{player.id}")
    event = stage.one(Event)

    for number in (1, 2, 3):
        olga.open(f"{DESK}/rounds/{number}")
        olga.press(f"Draw round {number}")
        assert "is published" in olga.press(f"Publish round {number}").flashes
        for game in stage.games(event, number):
            if game.b_id is None:
                continue
            a, b = (people.get(stage.name(one)) for one in (game.a_id, game.b_id))
            if a is None or b is None:
                olga.open(f"{DESK}/games/{game.id}")
                olga.press("Save", a__objectives="3", b__objectives="1")
                continue
            a.open(f"{SLUG}/me/game")
            a.press("Send the result", a__objectives="4", b__objectives="2")
            b.open(f"{SLUG}/me/game")
            if number == 2:
                assert "differ" in b.press("Send my report", a__objectives="2", b__objectives="4").flashes
                olga.open(f"{DESK}/games/{game.id}")
                decided = olga.press("Decide", a__objectives="4", b__objectives="2", reason="Seen at the table")
                assert "confirmed" in decided.flashes
            else:
                assert "confirmed" in b.agree().flashes
        if number == 1:
            people["Di"].open(f"{SLUG}/me")
            people["Di"].press("Drop from the event")
            olga.open(f"{DESK}/players")
            olga.press("Add", inside="#walk-in", **{"w-name": "Late"})
    olga.open(DESK)
    assert "the standings are final" in olga.press("Close the event").flashes

    assert stage.now(event).state == EventState.FINISHED
    page = Person(app).open(f"{SLUG}/standings")
    assert page.part("h1") == "Final standings"
    rows = page.rows(".standings")
    assert {row[1].removesuffix(" dropped") for row in rows} == {"Ada", "Бо", "山田", "Di", "Ed", "Late"}
    points = [int(row[6].split()[0]) for row in rows]
    assert points == sorted(points, reverse=True)
    played = [game for game in stage.all(Game) if game.b_id]
    met = Counter(frozenset((game.a_id, game.b_id)) for game in played)
    assert max(met.values()) == 1
    assert sum(points) == 3 * len(stage.all(Game)), "every game and every bye has a winner"
    assert len({r.scenario for r in stage.all(Round)}) == 3
    assert sum(force.submitted_at is not None for force in stage.all(ForceList)) == 4
    for address in ("", "/lists", "/rounds/1", "/rounds/2", "/rounds/3", "/standings.pdf", "/rounds/3/pairings.pdf"):
        assert Person(app).open(f"{SLUG}{address}").status == 200
