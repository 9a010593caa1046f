"""What a new event draws its scenarios from."""

import pytest

from models.event import Round
from tests.kit.stage import Stage
from validators import SYSTEMS
from validators.contract import GameSystem


@pytest.mark.parametrize("game", SYSTEMS.values(), ids=lambda game: game.id)
def test_a_new_event_draws_what_lists_of_its_size_can_meet(stage: Stage, game: GameSystem) -> None:
    drawn = stage.event(game=game.id).scenario_pool
    assert drawn == [one.id for one in game.scenarios if one.id != "convoy"]


def test_a_scenario_with_forces_of_its_own_can_be_chosen(stage: Stage) -> None:
    event = stage.event(game="fallout_warfare", scenarios=("convoy", "", ""))
    stage.enter(event, "Ada", "Bo")
    stage.publish(event, 1)
    assert stage.one(Round, event_id=event.id, number=1).scenario == "convoy"
