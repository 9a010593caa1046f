"""The order of turns, a turn's action points, hiding and running away.

Document 002: Combat's Purpose; Action Points and the Turn; Ending Combat.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from validators.calculator import Calculated, Figure, Given, numbers
from validators.sheet import Column, Table
from validators.skill_combat.figures import Special, Sum, action_points, regeneration, sequence

RUN = 5
"""The hexes of a run; each further one is a sprint."""
SPRINT = 2
"""AP for each hex of a sprint."""


@dataclass(frozen=True)
class Turn:
    """The end of a turn: the kind of movement, AP for sprinting, AP left, AP recovered, and the next turn's AP."""

    way: str
    sprint: int
    left: Sum
    back: Sum
    then: Sum


def turn(special: Special, points: int, spent: int, hexes: int) -> Turn:
    """A turn that starts with ``points`` AP, spends ``spent`` on actions, and moves ``hexes``.

    ``left`` is negative if there are not enough AP.
    """
    sprint = SPRINT * max(0, hexes - RUN)
    way = "standing" if not hexes else "walking" if hexes <= 2 else "jogging" if hexes < RUN else "running"
    left = Sum(points - spent - sprint, f"{points} − {spent}" + (f" − {sprint} (sprint)" if sprint else ""))
    back = regeneration(special).get(way, Sum(0, "running brings nothing back"))
    most = action_points(special).value
    then = Sum(min(most, left.value + back.value), f"{left.value} + {back.value}, at most {most}")
    return Turn(way if not sprint else "sprinting", sprint, left, back, then)


def in_turn(acting: Iterable[tuple[str, int]]) -> list[tuple[int, list[str]]]:
    """From names with their PE, on both sides, to one order: each Sequence from the highest, with its characters."""
    by_sequence: dict[int, list[str]] = {}
    for name, perception in acting:
        by_sequence.setdefault(sequence({"PE": perception}).value, []).append(name)
    return sorted(by_sequence.items(), reverse=True)


EQUAL = "Equal ones roll 1d10, the higher goes first."
AWAY = 15
"""The hexes from every enemy at which a Luck check ends the pursuit."""
LEGS = (
    ("whole", "Unhurt", RUN),
    ("leg", "A leg or knee crippled: no running", RUN - 1),
    ("groin", "Groin crippled: walking only", 2),
    ("both", "Both legs crippled: crawling", 1),
)
"""The state of the legs: its value, its label, and the hexes allowed without a sprint."""


def flight(points: int, legs: str) -> Sum:
    """The hexes that a turn's AP and legs allow; only unhurt characters sprint."""
    free = next(hexes for place, _, hexes in LEGS if place == legs)
    sprint = points // SPRINT if free == RUN else 0
    return Sum(free + sprint, f"{free}" + (f" + {sprint} ({points} AP / {SPRINT})" if sprint else ""))


def hiding(skill: int, detection: Sequence[int], cover: int) -> Sum:
    """The number to roll at or below: Sneak minus the DC of every enemy near enough, plus the cover's bonus."""
    how = f"{skill} (Sneak)" + "".join(f" − {dc} (DC)" for dc in detection) + (f" + {cover} (cover)" if cover else "")
    return Sum(skill - sum(detection) + cover, how)


_ENEMIES = (1, 2, 3, 4)


def calculate_turn(given: Given) -> Calculated:
    """The AP at the end of a turn and at the start of the next."""
    n = numbers(given)
    special = {"AG": n["agility"], "EN": n["endurance"]}
    most = action_points(special)
    ended = turn(special, n["points"], n["actions"] + n["defence"], n["hexes"])
    short = -ended.left.value
    enough = "yes" if short <= 0 else f"no, {short} too few"
    then = Figure("then", "AP of the next turn", ended.then.value, "AP", ended.then.how)
    if short > 0:
        why = f"{ended.left.how} is {short} AP too few: spend or move less"
        then = Figure("then", "AP of the next turn", "this turn cannot be paid", "", why)
    return Calculated(
        main=(then, Figure("back", f"AP back, {ended.way}", ended.back.value, "AP", ended.back.how)),
        figures=(
            Figure("left", "AP left this turn", ended.left.value, "AP", ended.left.how),
            Figure("enough", "Enough AP", enough),
            Figure("most", "Most AP", most.value, "AP", most.how),
            Figure("sprint", "Cost of the sprint", ended.sprint, "AP", "2 for each hex beyond 5"),
            Figure("ac", "Armor class more until the next turn", n["defence"], "", "1 for each AP"),
        ),
    )


def calculate_flight(given: Given) -> Calculated:
    """How far a run gets, and whether the enemies give up."""
    n = numbers(given)
    luck, distance = n["luck"], n["distance"]
    run = flight(n["points"], str(given["legs"]))
    far, short = distance + run.value, AWAY - distance - run.value
    check, why = f"{luck} or less", f"on 1d10, at {AWAY} hexes or more from every enemy"
    if short > 0:
        check, why = "not yet", f"{short} short of {AWAY} hexes from every enemy"
    main = [
        Figure("far", "From the nearest enemy then", far, "hexes", f"{distance} + {run.how}"),
        Figure("check", "Luck check", check, "", why),
    ]
    if "roll" in n:
        roll = n["roll"]
        outcome = "not yet" if short > 0 else "got away" if roll <= luck else "pursued"
        main.append(Figure("outcome", f"A roll of {roll}", outcome, "", f"{luck} (LK) or less"))
    return Calculated(
        main=tuple(main),
        figures=(
            Figure("run", "Hexes in this turn", run.value, "hexes", run.how),
            Figure("back", "AP back after a run", 0, "AP", "running brings nothing back"),
        ),
    )


def calculate_order(given: Given) -> Calculated:
    """The turn order over both sides."""
    names = [(f"{key[0].upper()} {key[1:]}", value) for key, value in sorted(numbers(given).items())]
    order = in_turn(names)
    rows = tuple(
        (str(place), " and ".join(names), str(value), "roll 1d10" if len(names) > 1 else "")
        for place, (value, names) in enumerate(order, 1)
    )
    first = order[0][1]
    heads = (Column("Turn", "figure"), Column("Who"), Column("Sequence", "figure"), Column("Equal"))
    return Calculated(
        main=(
            Figure("first", "First", " or ".join(first), "", EQUAL if len(first) > 1 else f"Sequence {order[0][0]}"),
        ),
        figures=(Figure("acting", "Characters", len(names), "", "each has one turn, again and again"),),
        tables=(Table("The order", heads, rows),),
    )


def calculate_hiding(given: Given) -> Calculated:
    """The number to roll to stay hidden."""
    n = numbers(given)
    enemies = [n[f"dc{at}"] for at in _ENEMIES if f"dc{at}" in n]
    chance = hiding(n["skill"], enemies, n["cover"])
    main = [Figure("chance", "To hide, roll at or below", chance.value, "%", chance.how)]
    luck = n["luck"]
    if "roll" in n:
        roll = n["roll"]
        how = f"{chance.value} − {roll} = {chance.value - roll}"
        main.append(Figure("outcome", f"A roll of {roll}", _outcome(roll, luck, chance.value), "", how))
    return Calculated(
        main=tuple(main),
        figures=(
            Figure("critical", "Hidden for good", f"1–{luck}", "", f"0 + {luck} (LK)"),
            Figure("fumble", "Seen by all within 5 hexes", f"{89 + luck}–100", "", f"89 + {luck} (LK)"),
        ),
    )


def _outcome(roll: int, luck: int, chance: int) -> str:
    if roll <= luck:
        return "Hidden for good"
    if roll >= 89 + luck:
        return "Seen at once"
    return "Hidden" if roll <= chance else "Seen"
