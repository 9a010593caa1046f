"""The order of turns, a turn's action points, hiding and running away.

Document 002: Combat's Purpose; Action Points and the Turn; Ending Combat.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from languages.words import N_, gettext, listed, ngettext, pgettext
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
    how = f"{points} − {spent}"
    left = Sum(points - spent - sprint, gettext("%(sum)s − %(n)s (sprint)", sum=how, n=sprint) if sprint else how)
    back = regeneration(special).get(way, Sum(0, gettext("running brings nothing back")))
    most = action_points(special).value
    how = gettext("%(sum)s, at most %(n)s", sum=f"{left.value} + {back.value}", n=most)
    then = Sum(min(most, left.value + back.value), how)
    return Turn(way if not sprint else "sprinting", sprint, left, back, then)


def in_turn(acting: Iterable[tuple[str, int]]) -> list[tuple[int, list[str]]]:
    """From names with their PE, on both sides, to one order: each Sequence from the highest, with its characters."""
    by_sequence: dict[int, list[str]] = {}
    for name, perception in acting:
        by_sequence.setdefault(sequence({"PE": perception}).value, []).append(name)
    return sorted(by_sequence.items(), reverse=True)


BACK = {
    "standing": N_("AP back, standing"), "walking": N_("AP back, walking"), "jogging": N_("AP back, jogging"),
    "running": N_("AP back, running"), "sprinting": N_("AP back, sprinting"),
}  # fmt: skip
"""Of each kind of movement."""
EQUAL = N_("Equal ones roll 1d10, the higher goes first.")
AWAY = 15
"""The hexes from every enemy at which a Luck check ends the pursuit."""
LEGS = (
    ("whole", N_("Unhurt"), RUN),
    ("leg", N_("A leg or knee crippled: no running"), RUN - 1),
    ("groin", N_("Groin crippled: walking only"), 2),
    ("both", N_("Both legs crippled: crawling"), 1),
)
"""The state of the legs: its value, its label, and the hexes allowed without a sprint."""


def flight(points: int, legs: str) -> Sum:
    """The hexes that a turn's AP and legs allow; only unhurt characters sprint."""
    free = next(hexes for place, _, hexes in LEGS if place == legs)
    sprint = points // SPRINT if free == RUN else 0
    how = gettext("%(free)s + %(n)s (%(points)s AP / %(each)s)", free=free, n=sprint, points=points, each=SPRINT)
    return Sum(free + sprint, how if sprint else str(free))


def hiding(skill: int, detection: Sequence[int], cover: int) -> Sum:
    """The number to roll at or below: Sneak minus the DC of every enemy near enough, plus the cover's bonus."""
    how = f"{skill} (Sneak)" + "".join(f" − {dc} (DC)" for dc in detection)
    value = skill - sum(detection) + cover
    return Sum(value, gettext("%(sum)s + %(n)s (cover)", sum=how, n=cover) if cover else how)


_ENEMIES = (1, 2, 3, 4)


def calculate_turn(given: Given) -> Calculated:
    n = numbers(given)
    special = {"AG": n["agility"], "EN": n["endurance"]}
    most = action_points(special)
    ended = turn(special, n["points"], n["actions"] + n["defence"], n["hexes"])
    short = -ended.left.value
    ap, next_turn = gettext("AP"), gettext("AP of the next turn")
    enough = gettext("yes") if short <= 0 else gettext("no, %(n)s too few", n=short)
    then = Figure("then", next_turn, ended.then.value, ap, ended.then.how)
    if short > 0:
        why = gettext("%(sum)s is %(n)s AP too few: spend or move less", sum=ended.left.how, n=short)
        then = Figure("then", next_turn, gettext("this turn cannot be paid"), "", why)
    more_ac = gettext("Armor class more until the next turn")
    return Calculated(
        main=(then, Figure("back", gettext(BACK[ended.way]), ended.back.value, ap, ended.back.how)),
        figures=(
            Figure("left", gettext("AP left this turn"), ended.left.value, ap, ended.left.how),
            Figure("enough", gettext("Enough AP"), enough),
            Figure("most", gettext("Most AP"), most.value, ap, most.how),
            Figure("sprint", gettext("Cost of the sprint"), ended.sprint, ap, gettext("2 for each hex beyond 5")),
            Figure("ac", more_ac, n["defence"], "", gettext("1 for each AP")),
        ),
    )


def calculate_flight(given: Given) -> Calculated:
    """How far a run gets, and whether the enemies give up."""
    n = numbers(given)
    luck, distance = n["luck"], n["distance"]
    run = flight(n["points"], str(given["legs"]))
    far, short = distance + run.value, AWAY - distance - run.value
    check = gettext("%(n)s or less", n=luck)
    why = ngettext(
        "on 1d10, at %(num)s hex or more from every enemy", "on 1d10, at %(num)s hexes or more from every enemy", AWAY
    )
    if short > 0:
        check = gettext("not yet")
        why = ngettext(
            "%(short)s short of %(num)s hex from every enemy",
            "%(short)s short of %(num)s hexes from every enemy",
            AWAY,
            short=short,
        )
    main = [
        Figure("far", gettext("From the nearest enemy then"), far, gettext("hexes"), f"{distance} + {run.how}"),
        Figure("check", gettext("Luck check"), check, "", why),
    ]
    if "roll" in n:
        roll = n["roll"]
        outcome = gettext("got away") if roll <= luck else gettext("pursued")
        outcome = gettext("not yet") if short > 0 else outcome
        needed = gettext("%(n)s or less", n=f"{luck} (LK)")
        main.append(Figure("outcome", gettext("A roll of %(n)s", n=roll), outcome, "", needed))
    return Calculated(
        main=tuple(main),
        figures=(
            Figure("run", gettext("Hexes in this turn"), run.value, gettext("hexes"), run.how),
            Figure("back", gettext("AP back after a run"), 0, gettext("AP"), gettext("running brings nothing back")),
        ),
    )


def calculate_order(given: Given) -> Calculated:
    names = [(f"{key[0].upper()} {key[1:]}", value) for key, value in sorted(numbers(given).items())]
    order = in_turn(names)
    rows = tuple(
        (str(place), listed(names), str(value), gettext("roll 1d10") if len(names) > 1 else "")
        for place, (value, names) in enumerate(order, 1)
    )
    first = order[0][1]
    heads = (Column(gettext("Turn"), "figure"), Column(gettext("Who")), Column("Sequence", "figure"))
    why = gettext(EQUAL) if len(first) > 1 else f"Sequence {order[0][0]}"
    again = gettext("each has one turn, again and again")
    return Calculated(
        main=(Figure("first", pgettext("turn", "First"), listed(first, style="or"), "", why),),
        figures=(Figure("acting", gettext("Characters"), len(names), "", again),),
        tables=(Table(gettext("The order"), (*heads, Column(gettext("Equal"))), rows),),
    )


def calculate_hiding(given: Given) -> Calculated:
    n = numbers(given)
    enemies = [n[f"dc{at}"] for at in _ENEMIES if f"dc{at}" in n]
    chance = hiding(n["skill"], enemies, n["cover"])
    main = [Figure("chance", gettext("To hide, roll at or below"), chance.value, "%", chance.how)]
    luck = n["luck"]
    if "roll" in n:
        roll = n["roll"]
        how = f"{chance.value} − {roll} = {chance.value - roll}"
        main.append(Figure("outcome", gettext("A roll of %(n)s", n=roll), _outcome(roll, luck, chance.value), "", how))
    return Calculated(
        main=tuple(main),
        figures=(
            Figure("critical", gettext("Hidden for good"), f"1–{luck}", "", f"0 + {luck} (LK)"),
            Figure("fumble", gettext("Seen by all within 5 hexes"), f"{89 + luck}–100", "", f"89 + {luck} (LK)"),
        ),
    )


def _outcome(roll: int, luck: int, chance: int) -> str:
    if roll <= luck:
        return gettext("Hidden for good")
    if roll >= 89 + luck:
        return gettext("Seen at once")
    return pgettext("character", "Hidden") if roll <= chance else pgettext("character", "Seen")
