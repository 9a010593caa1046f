"""What the organiser chooses in a campaign of Fallout: Warfare, and the parts of the sequence after a battle."""

import json
from math import ceil, floor

from validators.campaign import Phase, World, settings_of
from validators.fallout_warfare.edition import DATA

LEAST_START, MOST_START = 500, 1500
"""Army points with which a campaign is advised to start (8.1)."""

TABLES = json.loads((DATA / "campaign.json").read_text(encoding="utf-8"))
SETTINGS = settings_of(TABLES["settings"])
PHASES = (
    Phase("losses", "Losses", "Record who died, retreated or was damaged. Everybody else held.", "FW 8.1"),
    Phase("heroes", "Experience", "Heroes grow, and spend skill points.", "FW 8.2"),
    Phase("rest", "Rest", "Heroes may miss the next battle to heal.", "FW 8.1; 5.0"),
    Phase("moves", "Moves", "Pick starting places; later, move troops to adjacent places.", "FW 8.1, Using a Map"),
    Phase("muster", "Muster", "Choose who fights in the next battle.", "FW 8.1; 3.3"),
)
FIRST_PHASE = 3
"""A new group picks its places, then musters."""


def battle_points(world: World) -> tuple[int, int]:
    """The fewest and the most army points of a battle."""
    most = int(world.settings["most"])
    return ceil(most * int(world.settings["least"]) / 100), most


def battles(start: int, most: int) -> tuple[int, int]:
    """How many battles are advised: 125 to 150 % of start over most, rounded down and up."""
    return floor(start * 5 / (most * 4)), ceil(start * 3 / (most * 2))
