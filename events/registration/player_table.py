"""The desk's table of players: its filters and orders."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import datetime, timedelta

from events.store.players import awaits_approval, by_name, entry_state, has_check_in, placed
from languages.words import gettext
from models.event import Event
from models.play import Player, PlayerState

FILTERS = ("here", "missing", "no-list", "dropped", "hour", "approval", "waiting", "names")
ORDERS = ("newest",)
"""The sort orders; the default is by name."""


@dataclass(frozen=True)
class Filter:
    key: str
    label: str
    count: int


@dataclass(frozen=True)
class PlayerTable:
    players: Sequence[Player]
    filters: Sequence[Filter]
    """The filters that show at least one player."""
    args: Mapping[str, str]
    """The filter and the order in the address."""
    waiting: int
    """Players of the event without a place, who wait for one or for approval."""


def shown_as(asked: Mapping[str, str]) -> dict[str, str]:
    """The filter and the order in a form or an address, without unknown values."""
    allowed = {"show": FILTERS, "order": ORDERS}
    return {name: asked[name] for name, values in allowed.items() if asked.get(name) and asked[name] in values}


def player_table(
    event: Event,
    players: Sequence[Player],
    to_check: Mapping[int, Sequence[str]],
    listless: Set[int],
    asked: Mapping[str, str],
    now: datetime,
) -> PlayerTable:
    """The players filtered and sorted as ``asked``; ``to_check`` are the warnings about names by player id,
    ``listless`` the ids of players who need a list and have submitted none."""
    hour_ago = now - timedelta(hours=1)
    shown = {
        "": list(players),
        "here": [player for player in players if player.state == PlayerState.CHECKED_IN],
        "missing": [player for player in players if player.state == PlayerState.REGISTERED],
        "no-list": [player for player in placed(players) if player.id in listless],
        "dropped": [player for player in players if player.state == PlayerState.DROPPED],
        "hour": [player for player in players if player.registered_at > hour_ago],
        "approval": [player for player in players if awaits_approval(event, player)],
        "waiting": [player for player in players if entry_state(event, player) == "waiting"],
        "names": [player for player in players if player.id in to_check],
    }
    labels = {
        "": gettext("All"),
        "here": gettext("Here"),
        "missing": gettext("Not here"),
        "no-list": gettext("No list"),
        "dropped": gettext("Dropped"),
        "hour": gettext("Last hour"),
        "approval": gettext("Waiting for approval"),
        "waiting": gettext("Waiting list"),
        "names": gettext("Names to check"),
    }
    args = shown_as(asked)
    rows = shown[args.get("show", "")]
    rows.sort(key=by_name)
    if "order" in args:
        rows.sort(key=lambda player: (player.registered_at, player.id), reverse=True)
    said_apart = {key: matches for key, matches in shown.items() if matches and (key != "here" or has_check_in(event))}
    filters = [Filter(key, labels[key], len(matches)) for key, matches in said_apart.items()]
    return PlayerTable(rows, filters, args, len(shown["approval"]) + len(shown["waiting"]))
