"""What a list earns in tournament points: in on time, without error, late. Reckoned from the seals, never stored."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from events.reading import system_of, terms_for
from models.event import Event
from models.play import ListSeal, Player
from validators.contract import Terms


@dataclass(frozen=True)
class Bonus:
    """Tournament points won off the table, and what for in a few words ("" where there is nothing to say)."""

    points: int
    why: str


def counts_lists(event: Event, terms: Terms) -> bool:
    """Whether lists earn or lose points in this event by now."""
    adds = terms.restrictions
    return event.lists_locked_at is not None and bool(adds.on_time_points or adds.error_free_points or adds.late_points)


def list_points(event: Event, player: Player, seals: Sequence[ListSeal], terms: Terms) -> Bonus:
    """*.event.on-time, *.event.error-free, *.event.late: the points of a player's list.

    The organiser's own figure goes before what is reckoned.
    ``seals`` are the player's, oldest first. Before lists are locked nothing is earned and nothing lost.
    """
    if player.list_points_set is not None:
        return Bonus(player.list_points_set, "list (set by the organiser)")
    adds = terms.restrictions
    if event.lists_locked_at is None or not counts_lists(event, terms):
        return Bonus(0, "")
    at_lock = [seal for seal in seals if seal.at <= event.lists_locked_at]
    if not at_lock or not at_lock[-1].submitted:
        return Bonus(-adds.late_points, "late list" if adds.late_points else "")
    if seals[-1] is at_lock[-1] and _legal(event, player, at_lock[-1], terms):
        points = adds.on_time_points + adds.error_free_points
        return Bonus(points, "list on time and without error" if adds.error_free_points else "list on time")
    return Bonus(adds.on_time_points, "list on time" if adds.on_time_points else "")


def _legal(event: Event, player: Player, seal: ListSeal, terms: Terms) -> bool:
    force = json.loads(seal.text)["force"]
    return system_of(event).check_force(force, terms_for(terms, player)).legal
