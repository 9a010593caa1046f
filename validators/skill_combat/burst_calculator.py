"""The calculator of bursts: its fields, and the arithmetic of ``burst`` told in figures."""

from collections.abc import Sequence

from validators.calculator import Calculator, Figure, Given, Group, Reckoned
from validators.sheet import Column, Table
from validators.skill_combat import attack, burst
from validators.skill_combat.asked import DOUBLE, OUTCOMES, number
from validators.skill_combat.attack import Kind
from validators.skill_combat.burst import Burst, Struck, Target

_TARGETS = (1, 2, 3, 4)


def reckon_burst(given: Given) -> Reckoned:
    """A burst on up to four targets."""
    luck, skill, roll = int(given["luck"]), int(given["skill"]), int(given["roll"])
    reach = attack.reach(int(given["range"]), int(given["perception"]))
    fired = Burst(skill, luck, reach.value, int(given["bullets"]), int(given["damage"]), int(given["stat"]))
    kind, times, counts = burst.kind_of(fired, roll), 1, roll
    if "luck_roll" in given:
        second = given.get("second")
        kind, times, counts = burst.doubled(
            fired, roll, int(given["luck_roll"]), None if second is None else int(second)
        )
    share = burst.on_target(fired, counts)
    targets = [Target(int(given.get(f"distance{n}", 0)), int(given[f"ac{n}"])) for n in _TARGETS if f"ac{n}" in given]
    struck = burst.spray(fired, counts, targets, kind, times=times)
    hits, damage = sum(one.hits for one in struck), sum(one.damage for one in struck)
    return Reckoned(
        main=(Figure("share", "Bullets aimed well", share.value, "%", share.how), *_first(fired, struck, kind, times)),
        figures=(
            Figure("outcome", f"A roll of {roll}", OUTCOMES[kind], "", f"{100 - skill} to 100 is a success"),
            Figure("reach", "Reach", reach.value, "hexes", reach.how),
            Figure("critical", "Critical success", f"{101 - luck}–100", "", f"the top {luck} (LK)"),
            Figure("fumble", "Critical failure", f"1–{12 - luck}", "", f"89 + {luck} (LK), turned round"),
            Figure("all_hits", "Bullets that hit somebody", hits, f"of {fired.bullets}"),
            Figure("all_damage", "Damage in all", damage),
        ),
        tables=(
            Table(
                "Target by target, the nearest first",
                (
                    Column("Hexes", "figure"), Column("AC", "figure"), Column("Share", "figure"),
                    Column("Hits", "figure"), Column("Damage", "figure"), Column("Left", "figure"),
                ),
                tuple(
                    (
                        str(one.target.distance), str(one.target.armour_class), f"{one.share} %", str(one.hits),
                        str(one.damage), str(one.left),
                    )
                    for one in struck
                ),
            ),
        ),
    )  # fmt: skip


def _first(fired: Burst, struck: Sequence[Struck], kind: Kind, times: int) -> tuple[Figure, ...]:
    """The bullets that hit the nearest target and their damage; nothing where there is none."""
    if not struck:
        return ()
    one = struck[0]
    bonus = f" + {fired.stat * times} (critical)" if kind == "critical" and one.hits else ""
    return (
        Figure("hits", "Bullets that hit the first target", one.hits, "", one.how),
        Figure("damage", "Damage to the first target", one.damage, "", f"{one.hits} × {fired.damage}{bonus}"),
    )


BURST = Calculator(
    id="burst",
    name="Bursts",
    summary="How many bullets of a burst reach each target. The fields begin with the document's own example.",
    source="Document 002: The Burst Attack",
    reckon=reckon_burst,
    groups=(
        Group(
            "The shooter",
            (
                number("skill", "Weapon skill", 0, 300, 60),
                number("perception", "Perception", 0, 20, 4, "Half of it adds to the range."),
                number("luck", "Luck", 1, 10, 4),
            ),
        ),
        Group(
            "The weapon",
            (
                number("range", "Range", 0, 200, 15, "In hexes."),
                number("bullets", "Bullets in a burst", 1, 200, 20),
                number("damage", "Damage of a bullet", 0, 100, 2),
                number("stat", "A critical adds", 0, 20, 0, "Usually Endurance, to each target that is hit."),
            ),
        ),
        Group("The roll", (number("roll", "Rolled", 1, 100, 70, "High is good in a burst."), *DOUBLE)),
        Group(
            "The targets",
            tuple(
                ask
                for n, (distance, ac) in zip(_TARGETS, ((3, 7), (4, 0), (None, None), (None, None)), strict=True)
                for ask in (
                    number(f"distance{n}", f"Target {n}: distance", 0, 200, distance),
                    number(f"ac{n}", f"Target {n}: armor class", 0, 200, ac, "0 where it has none." if n == 1 else ""),
                )
            ),
        ),
    ),
)
