"""Skill combat agrees with a second, simple calculation of shots on every roll and of the parts of the body."""

from collections import Counter
from itertools import product
from math import ceil, floor
from random import Random

import pytest

from tests.kit.profiles import full_run
from validators.skill_combat.attack import Shot, expected, odds, outcome
from validators.skill_combat.figures import body_table

pytestmark = pytest.mark.slow


def simple_damage(chance: int, luck: int, base: int, extra: int, stat: int, roll: int) -> int:
    """The damage of an unaimed shot with scratches to a target without armour."""
    critical = roll <= luck
    lead = max(16, chance - roll) if critical else chance - roll
    if roll >= 89 + luck or lead < -15:
        return 0
    if lead < 0:
        damage = base - 3 * extra
    elif lead <= 15:
        damage = base - extra
    else:
        damage = base
        while lead > 30:
            damage += extra
            lead -= 15
    return max(0, damage + (stat if critical else 0))


BODY: dict[str, tuple[float, bool, int, bool]] = {
    "Head": (1, False, 20, False), "Forehead": (1, False, 40, False), "Eyes": (2 / 3, True, 40, False),
    "Neck": (2 / 3, True, 40, False), "Torso": (2, False, 10, False), "Chest": (1, False, 10, True),
    "Gut": (1, False, 10, False), "Groin": (1, False, 20, False), "Leg": (1, False, 10, True),
    "Hip": (1, False, 20, False), "Knee": (1, False, 20, False), "Calf": (1 / 2, True, 20, False),
    "Arm": (1, False, 10, False), "Shoulder": (1, False, 20, False), "Elbow": (1 / 2, True, 20, False),
    "Hand": (1 / 2, True, 40, False),
}  # fmt: skip
"""Each part of the body by the document: its share of EN, whether rounded up, the HP for 1 HP more, whether up."""


def simple_body(endurance: int, health: int) -> dict[str, tuple[int, int]]:
    found = {}
    for name, (share, share_up, one_in, health_up) in BODY.items():
        own = ceil(round(endurance * share, 6)) if share_up else floor(endurance * share)
        holds = own + (ceil(health / one_in) if health_up else floor(health / one_in))
        found[name] = holds, holds + 1 if name in ("Leg", "Arm") else holds
    return found


@pytest.mark.parametrize("seeds", full_run([range(1), range(1, 5)], [range(1)]), ids=["usual", "rest"])
def test_both_calculations_agree_on_shots(seeds: range) -> None:
    for seed in seeds:
        dice = Random(seed)
        for _ in range(100):
            chance, luck = dice.randint(-60, 160), dice.randint(1, 10)
            base, extra, stat = dice.randint(0, 30), dice.randint(0, 9), dice.randint(1, 10)
            shot = Shot(chance, luck, base, extra, stat)
            done = [outcome(shot, roll) for roll in range(1, 101)]
            simple = [simple_damage(chance, luck, base, extra, stat, roll) for roll in range(1, 101)]
            assert [one.damage for one in done] == simple, shot
            assert expected(shot).value == sum(simple) and odds(shot) == Counter(one.kind for one in done), shot
            hits = max(0, min(chance, 88 + luck) - luck)
            kinds = [odds(shot)[kind] for kind in ("critical", "fumble", "hit")]
            assert kinds == [luck, 12 - luck, hits], shot


def test_both_calculations_agree_on_the_body() -> None:
    for endurance, health in product(range(1, 11), range(18, 90)):
        rows = body_table(endurance, health).rows
        assert {row[0].strip(): (int(row[1]), int(row[2])) for row in rows} == simple_body(endurance, health)
