"""The desk's table of players: its filters and orders, and what each row says and offers."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import datetime, timedelta

from events.lists.queries import plays_without
from events.registration.check_in import paint_first
from events.store.players import awaits_approval, by_name, entry_state, has_check_in, placed
from languages.words import N_, gettext
from models.event import Event, EventState
from models.play import ForceList, Player, PlayerState

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


def next_press(event: Event, player: Player, *, may_check_in: bool, may_change: bool) -> tuple[str, str, str] | None:
    """What staff with these rights do next with a player: the verb, its label and its look; None for nothing."""
    state = player.state
    if state == PlayerState.REGISTERED and may_check_in:
        painted = ("check-in-painted", N_("Painted: check in"), "")
        return painted if paint_first(event, player) else ("check-in", N_("Check in"), "")
    if state == PlayerState.WAITING and may_change and event.state != EventState.FINISHED:
        return "give-place", N_("Give a place"), ""
    if state == PlayerState.DROPPED and may_change:
        return "reinstate", N_("Bring back"), " wide-only"
    if (
        state == PlayerState.CHECKED_IN
        and may_check_in
        and event.state == EventState.REGISTRATION
        and has_check_in(event)
    ):
        return "undo-check-in", N_("Undo"), " quiet"
    return None


def exceptions(
    event: Event, player: Player, force: ForceList | None, *, names_listless: bool
) -> Sequence[tuple[str, str]]:
    """What is not with a player as with most: states with their words; "" for the usual ones of a state.

    That is who is not here once the event has begun, and, with ``names_listless``, which list is missing.
    """
    before = event.state in (EventState.DRAFT, EventState.REGISTRATION) and has_check_in(event)
    usual = PlayerState.REGISTERED if before else PlayerState.CHECKED_IN
    found = [] if player.state == usual else [(entry_state(event, player), "")]
    if player.state not in (PlayerState.REGISTERED, PlayerState.CHECKED_IN):
        return found
    if plays_without(player, force):
        found.append(("waived", N_("Plays without a list")))
    elif names_listless and force is None:
        found.append(("none", N_("No list")))
    elif names_listless and force and not force.submitted:
        found.append(("sent_back" if force.sent_back_at else "draft", ""))
    return found
