"""A turn's action points, and hiding. Document 002: Action Points and the Turn; Find cover and Hide."""

from collections.abc import Sequence
from dataclasses import dataclass

from validators.calculator import Calculated, Figure, Given
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
    """A turn that begins with ``points`` AP, of which ``spent`` go to actions, and a move of ``hexes``.

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


_ENEMIES = (1, 2, 3, 4)


def calculate_turn(given: Given) -> Calculated:
    """The AP at a turn's end and at the beginning of the next."""
    special = {"AG": int(given["agility"]), "EN": int(given["endurance"])}
    most = action_points(special)
    spent = int(given["actions"]) + int(given["defence"])
    ended = turn(special, int(given["points"]), spent, int(given["hexes"]))
    short = -ended.left.value
    enough = "yes" if short <= 0 else f"no, {short} too few"
    then = Figure("then", "AP of the next turn", ended.then.value, "AP", ended.then.how)
    if short > 0:
        why = f"{ended.left.how} is {short} AP too few: spend or move less"
        then = Figure("then", "AP of the next turn", "this turn cannot be paid", "", why)
    return Calculated(
        main=(
            then,
            Figure("back", f"AP back, {ended.way}", ended.back.value, "AP", ended.back.how),
        ),
        figures=(
            Figure("left", "AP left this turn", ended.left.value, "AP", ended.left.how),
            Figure("enough", "Enough AP", enough),
            Figure("most", "Most AP", most.value, "AP", most.how),
            Figure("sprint", "Cost of the sprint", ended.sprint, "AP", "2 for each hex beyond 5"),
            Figure("ac", "Armor class more until the next turn", int(given["defence"]), "", "1 for each AP"),
        ),
    )


def calculate_hiding(given: Given) -> Calculated:
    """The number to roll to stay hidden."""
    enemies = [int(given[f"dc{n}"]) for n in _ENEMIES if f"dc{n}" in given]
    chance = hiding(int(given["skill"]), enemies, int(given["cover"]))
    main = [Figure("chance", "To hide, roll at or below", chance.value, "%", chance.how)]
    luck = int(given["luck"])
    if "roll" in given:
        roll = int(given["roll"])
        how = f"{chance.value} − {roll} = {chance.value - roll}"
        main.append(Figure("outcome", f"A roll of {roll}", _told(roll, luck, chance.value), "", how))
    return Calculated(
        main=tuple(main),
        figures=(
            Figure("critical", "Hidden for good", f"1–{luck}", "", f"0 + {luck} (LK)"),
            Figure("fumble", "Seen by all within 5 hexes", f"{89 + luck}–100", "", f"89 + {luck} (LK)"),
        ),
    )


def _told(roll: int, luck: int, chance: int) -> str:
    if roll <= luck:
        return "Hidden for good"
    if roll >= 89 + luck:
        return "Seen at once"
    return "Hidden" if roll <= chance else "Seen"
