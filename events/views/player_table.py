"""The table of players at the desk: which of them it shows, and in which order."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from models.event import Event
from models.play import Player, PlayerState

FILTERS = ("hour", "waiting", "names")
ORDERS = ("newest",)
"""By name where none is asked for."""


@dataclass(frozen=True)
class Filter:
    """One choice of players, with how many it shows."""

    key: str
    label: str
    count: int


@dataclass(frozen=True)
class PlayerTable:
    """The rows as they were asked for."""

    players: Sequence[Player]
    filters: Sequence[Filter]
    """Those that show anybody."""
    args: Mapping[str, str]
    """What the address asks for: the filter and the order."""
    waiting: int
    """How many of the event wait for a place."""


def shown_as(asked: Mapping[str, str]) -> dict[str, str]:
    """The filter and the order that a form or an address asks for; what is unknown is left out."""
    known = {"show": FILTERS, "order": ORDERS}
    return {name: asked[name] for name, values in known.items() if asked.get(name) and asked[name] in values}


def player_table(
    event: Event,
    players: Sequence[Player],
    to_check: Mapping[int, Sequence[str]],
    asked: Mapping[str, str],
    now: datetime,
) -> PlayerTable:
    """The players as ``asked`` for; ``to_check`` has those whose names need a look."""
    hour_ago = now - timedelta(hours=1)
    shown = {
        "": list(players),
        "hour": [player for player in players if player.registered_at > hour_ago],
        "waiting": [player for player in players if player.state == PlayerState.WAITING],
        "names": [player for player in players if player.id in to_check],
    }
    labels = {
        "": "All",
        "hour": "Last hour",
        "waiting": "Waiting for approval" if event.approval else "Waiting list",
        "names": "Names to check",
    }
    args = shown_as(asked)
    rows = shown[args.get("show", "")]
    rows.sort(key=lambda player: player.name_key)
    if "order" in args:
        rows.sort(key=lambda player: (player.registered_at, player.id), reverse=True)
    filters = [Filter(key, labels[key], len(found)) for key, found in shown.items() if found]
    return PlayerTable(rows, filters, args, len(shown["waiting"]))
