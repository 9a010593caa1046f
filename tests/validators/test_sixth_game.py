"""A new game is one entry in the list of systems: it then has lists, rounds, results and paper."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from models.play import ReportSide
from tests.kit.papers import texts
from tests.kit.person import Person
from tests.kit.stage import Stage
from validators import SYSTEMS
from validators.contract import Scoring, Terms
from validators.scenario import Question, Scenario, Score

RACE = Scenario(
    id="race", name="The Race", summary="Who brings home more cheese?", setup=("Put the cheese in the middle.",),
    scoring=("1 VP for each piece of cheese.",), table_inches=24,
    questions=tuple(Question(f"{side}.cheese", side, "figure", "Cheese", most=9) for side in ("a", "b")),
    round_note="at most 9", source="Made up for the tests",
)  # fmt: skip
SYSTEM = replace(
    SYSTEMS["new_vegas"],
    id="rat_race",
    name="Rat Race",
    scenarios=(RACE,),
    scoring=Scoring(
        lambda _, answers: (), lambda _, answers: Score(int(answers["a.cheese"]), int(answers["b.cheese"]))
    ),
    edition_files=None,
    scenario_files=None,
    calculators=(),
    campaign=None,
)
"""The forces of New Vegas, a race of its own, and nothing that a game may do without."""


@pytest.fixture(autouse=True)
def sixth() -> Iterator[None]:
    SYSTEMS[SYSTEM.id] = SYSTEM
    yield
    del SYSTEMS[SYSTEM.id]


def test_an_event_is_played_and_its_sheets_are_printed(
    stage: Stage, enter: Callable[..., list[Person]], olga: Person
) -> None:
    event, (edition,) = stage.event("Of Rats", game=SYSTEM.id, rounds=2, scenarios=("race", "race")), SYSTEM.editions
    players = stage.enter(event, "Ada", "Ben", "Cleo", "Dan")
    for seed, player in enumerate(players):
        stage.force(event, player, SYSTEM.forces.sample(Terms(edition, 150), edition.factions[seed % 2], seed))
    for number in (1, 2):
        for game in stage.publish(event, number):
            best = game.a_id < (game.b_id or 0)
            answers = {"a.cheese": 6 if best else 2, "b.cheese": 2 if best else 6}
            stage.report(event, game, ReportSide.ORGANISER, answers)
    rows = stage.standings(event)
    assert rows[0].name == "Ada"
    for copy in ("?copy=sheets", ""):
        printed = " ".join(texts(olga.open(f"/e/of-rats/players/{players[0].id}/force.pdf{copy}")))
        assert edition.factions[0] in printed, copy
    assert "Rat Race" in olga.open(f"/rules/{SYSTEM.id}").text
