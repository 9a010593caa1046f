"""A published round for the papers of the desk."""

import pytest

from models.play import Game, Player
from tests.kit.forces import read_force
from tests.kit.lists import PIPER
from tests.kit.stage import Event, Stage

NAMES = ("Zoë Łęcka", "Юлия Кузнецова", "山田太郎", "Ωμέγα", "O’Brien & <b>Sons</b>", "김민수", "Ada")


@pytest.fixture
def games(stage: Stage, event: Event) -> list[Game]:
    """Seven players of many scripts in round 1; the first has a force of 166 Caps."""
    stage.enter(event, *NAMES, club="Łódź Dice")
    stage.force(event, stage.all(Player)[0], read_force(PIPER))
    return stage.publish(event, 1)
