"""What the organiser chooses in a campaign of Fallout: Warfare, and the parts of the sequence after a battle."""

import json
from math import ceil, floor

from validators.campaign import Phase, World, settings_of
from validators.fallout_warfare.edition import DATA

LEAST_START, MOST_START = 500, 1500
"""Army points with which a campaign is advised to start (8.1)."""

TABLES = json.loads((DATA / "campaign.json").read_text(encoding="utf-8"))
SETTINGS = settings_of(TABLES["settings"])
PHASES = tuple(Phase(**row) for row in TABLES["phases"])
FIRST_PHASE = 3
"""A new group picks its places, then musters."""


def battle_points(world: World) -> tuple[int, int]:
    """The fewest and the most army points of a battle."""
    most = int(world.settings["most"])
    return ceil(most * int(world.settings["least"]) / 100), most


def battles(start: int, most: int) -> tuple[int, int]:
    """How many battles are advised: 125 to 150 % of start over most, rounded down and up."""
    return floor(start * 5 / (most * 4)), ceil(start * 3 / (most * 2))
