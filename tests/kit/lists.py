"""Force lists for tests: documents, and players who have submitted them."""

import json
from datetime import UTC, datetime
from typing import Any

from events.setup.actions import default_settings
from models.event import Event
from models.play import Player
from tests.kit.forces import read_force
from tests.kit.stage import Stage
from validators.game_system import GameSystem

MINE = "/e/iron-open/me/force"
"""The address of a player's builder."""
DEADLINE = datetime(2026, 12, 4, 19, tzinfo=UTC)
"""The list deadline of the stage's event: the evening before, 20:00 in Berlin."""
PIPER: dict[str, Any] = {
    "system": "battle_mode",
    "edition": "2018-08",
    "faction": "Survivors",
    "models": [
        {
            "name": "Piper",
            "heroic": True,
            "leader": True,
            "items": [{"name": "Pipe Pistol"}, {"name": "Pipe Wrench"}, {"name": "Baseball Grenade", "count": 3}],
        }
    ],
}
"""A legal force of 166 Caps, the rulebook's example."""
ROSTER = PIPER | {"models": [{"name": "Settler", "leader": True}, *[{"name": "Settler"}] * 20, {"name": "Minuteman"}]}
"""Settlers of 40 Caps and a Minuteman of 54: 894 Caps for a roster of 1000, of which 750 are fielded."""
EVERY_GAME = "/e/of-every-game"
"""The address of the event of ``event_of_game``."""


def file(document: object) -> tuple[str, bytes]:
    return "force.json", document if isinstance(document, bytes) else json.dumps(document).encode()


def store_force(stage: Stage, name: str, document: dict[str, Any] = PIPER, *, submit: bool = True) -> Player:
    player = stage.one(Player, name=name)
    stage.force(stage.one(Event, id=player.event_id), player, read_force(document), submit=submit)
    return player


def event_of_game(stage: Stage, game: GameSystem, scenario: str = "") -> Event:
    """An event of this game with open registration; ``scenario`` replaces the planned one of round 1."""
    planned = default_settings(game, "", "", stage.clock().date(), "Europe/Berlin", stage.clock()).scenarios
    return stage.event("Of Every Game", game=game.id, scenarios=(scenario or planned[0], *planned[1:]))
