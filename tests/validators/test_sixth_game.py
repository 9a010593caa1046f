"""A new game is one folder and one entry in the list of systems: it then has lists, rounds, results and paper."""

from collections.abc import Callable, Iterator

import pytest

from models.play import ReportSide
from tests.kit.papers import texts
from tests.kit.person import Person
from tests.kit.stage import Stage
from tests.validators.toy_game.game import EDITION, SYSTEM
from validators import SYSTEMS
from validators.contract import Terms


@pytest.fixture(autouse=True)
def sixth() -> Iterator[None]:
    SYSTEMS[SYSTEM.id] = SYSTEM
    yield
    del SYSTEMS[SYSTEM.id]


def test_an_event_is_played_and_its_sheets_are_printed(
    stage: Stage, enter: Callable[..., list[Person]], olga: Person
) -> None:
    event = stage.event("Of Rats", game=SYSTEM.id, rounds=2, scenarios=("race", "race"))
    players = stage.enter(event, "Ada", "Ben", "Cleo", "Dan")
    for seed, player in enumerate(players):
        faction = EDITION.factions[seed % 2]
        stage.force(event, player, SYSTEM.forces.sample(Terms(EDITION, 20), faction, seed))
    for number in (1, 2):
        for game in stage.publish(event, number):
            best = game.a_id < (game.b_id or 0)
            answers = {"a.cheese": 6 if best else 2, "b.cheese": 2 if best else 6}
            stage.report(event, game, ReportSide.ORGANISER, answers)
    rows = stage.standings(event)
    assert rows[0].name == "Ada"
    printed = " ".join(texts(olga.open(f"/e/of-rats/players/{players[0].id}/force.pdf?copy=sheets")))
    assert "Runner" in printed and "The pack" in printed
    assert "× Runner" in " ".join(texts(olga.open(f"/e/of-rats/players/{players[0].id}/force.pdf")))
    assert "Known rats" in olga.open(f"/rules/{SYSTEM.id}").text
