"""A turn's action points, and hiding. Document 002: Action Points and the Turn; Find cover and Hide."""

from collections.abc import Sequence
from dataclasses import dataclass

from validators.skill_combat.figures import Special, Sum, action_points, regeneration

RUN = 5
"""Hexes that running goes; each further one is a sprint."""
SPRINT = 2
"""AP for each hex of a sprint."""


@dataclass(frozen=True)
class Turn:
    """A turn's end: how one moved, the AP for sprinting, what is left, what comes back, and the AP of the next turn."""

    way: str
    sprint: int
    left: Sum
    back: Sum
    then: Sum


def turn(special: Special, points: int, spent: int, hexes: int) -> Turn:
    """A turn begun with so many AP, some of them spent on actions, and a move of so many hexes.

    ``left`` is below 0 where the AP do not reach.
    """
    sprint = SPRINT * max(0, hexes - RUN)
    way = "standing" if not hexes else "walking" if hexes <= 2 else "jogging" if hexes < RUN else "running"
    left = Sum(points - spent - sprint, f"{points} − {spent}" + (f" − {sprint} (sprint)" if sprint else ""))
    back = regeneration(special).get(way, Sum(0, "running brings nothing back"))
    most = action_points(special).value
    then = Sum(min(most, left.value + back.value), f"{left.value} + {back.value}, at most {most}")
    return Turn(way if not sprint else "sprinting", sprint, left, back, then)


def hiding(skill: int, detection: Sequence[int], cover: int) -> Sum:
    """The number to roll at or below: Sneak less the DC of every enemy near enough, and the cover's bonus."""
    how = f"{skill} (Sneak)" + "".join(f" − {one} (DC)" for one in detection) + (f" + {cover} (cover)" if cover else "")
    return Sum(skill - sum(detection) + cover, how)
