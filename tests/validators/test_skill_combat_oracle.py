"""The check of sides and a second, simple one agree on 5,000 random sides, the shots on 50,000 random rolls."""

import json
from collections import Counter
from collections.abc import Iterable
from random import Random
from typing import Any

import pytest

from tests.kit.profiles import at_length
from tests.kit.skill_combatants import EDITION, SYSTEM
from tests.validators.simple_skill_combat import (
    RAW,
    simple_body,
    simple_check,
    simple_damage,
    simple_figures,
    simple_order,
)
from validators.contract import Terms
from validators.skill_combat.attack import Shot, outcome
from validators.skill_combat.figures import body_table
from validators.skill_combat.force import side_of
from validators.skill_combat.sheets import figures_of, turn_order

pytestmark = pytest.mark.slow

SIDES = 1000
MET = ("sc.size", "sc.characters", "sc.special", "sc.origin", "sc.gear", "sc.skill")
ASKED = ("sc.gear", "sc.skill", "sc.level")


def random_character(dice: Random, wild: float) -> dict[str, Any]:
    """A character of about 40 points, with faults strewn in."""

    def odd() -> bool:
        return dice.random() < wild

    def spelt(name: str) -> str:
        return name.upper() if odd() else name

    low, high = (0, 12) if odd() else (3, 8)
    one: dict[str, Any] = {
        "name": dice.choice(["Ash", "Bolt", ""]),
        "special": {name: dice.randint(low, high) for name in ("STR", "PE", "EN", "CH", "IN", "AG", "LK")},
    }
    if odd():
        one["level"] = dice.randint(1, 9)
    weapons: list[dict[str, Any]] = [
        {"name": spelt(weapon["name"])} for weapon in dice.sample(RAW["weapons"], dice.randint(0, 2))
    ]
    if odd():
        weapons.append({"name": "No Such Gun"})
    if odd():
        own = {"skill": "Unarmed", "mode": dice.choice(["quick", "burst"]), "stat": "EN", "range": 3, "damage": 4}
        weapons.append({"name": "Own Gun", "own": own | {"bullets": dice.randint(0, 1)}})
    if weapons:
        one["weapons"] = weapons
    if dice.random() < 0.5:
        one["armour"] = {"name": "No Such Coat" if odd() else spelt("Leather Jacket")}
        if odd():
            one["armour"]["own"] = {"ac": dice.randint(0, 9), "jc": dice.randint(0, 3)}
    if odd():
        names = [*(skill["name"] for skill in RAW["skills"]), "Juggling"]
        chosen = dice.sample(names, dice.randint(1, 3))
        if odd():
            chosen.append(chosen[0].lower())
        one["skills"] = [{"name": name, "points": dice.choice([0, 0, 7])} for name in chosen]
    if dice.random() < 0.3:
        one["items"] = [{"name": "Rope" if odd() else dice.choice(RAW["items"]), "count": dice.randint(1, 3)}]
    return one


def random_side(dice: Random) -> dict[str, Any]:
    """A side of nobody to three characters."""
    wild = dice.choice([0.0, 0.03, 0.2])
    count = dice.choice([1, 1, 1, 2, 2, 3]) if dice.random() > wild / 4 else 0
    return {
        "system": "skill_combat",
        "edition": RAW["id"],
        "faction": "Nobody's" if dice.random() < wild / 3 else dice.choice(RAW["origins"]),
        "models": [random_character(dice, wild) for _ in range(count)],
    }


def judged(seed: int) -> Counter[str]:
    """How often each id was met in a chunk, all of it agreed."""
    dice, met = Random(seed), Counter[str]()
    before: dict[str, Any] | None = None
    for number in range(SIDES):
        side = random_side(dice)
        size = dice.choice([36, 39, 40, 41, 79, 80, 100, 120, 160])
        if dice.random() < 0.4:  # at the total, where a point decides
            size = max(1, simple_check(side, size)[0] + dice.randint(-1, 1))
        terms = Terms(EDITION, size)
        document = SYSTEM.forces.read(side, EDITION)
        verdict = SYSTEM.checks.check(document, terms)
        problems, queries = {one.rule for one in verdict.problems}, {one.rule for one in verdict.queries}
        listed = f"{number} of {seed} at {size}: {json.dumps(side)}"
        assert (verdict.total, problems, queries) == simple_check(side, size), listed
        if len(side["models"]) == 1 and "sc.skill" not in problems:
            fighters = side_of(document, terms)
            shown = {one.label: one.value for one in figures_of(fighters.characters[0], fighters)}
            assert simple_figures(side["models"][0]).items() <= shown.items(), listed
            endurance, health = side["models"][0]["special"]["EN"], int(shown["Health Points"])
            rows = body_table(endurance, health).rows
            body = {row[0].strip(): (int(row[1]), int(row[2])) for row in rows}
            assert body == simple_body(endurance, health), listed
        if before and side["models"] and before["models"]:
            order = turn_order(before, document, EDITION)
            values = [int(one.removesuffix(", the higher d10 first").split()[-1]) for one in order]
            assert values == simple_order(before["models"], side["models"]), listed
        before = document
        met["legal" if verdict.legal else "illegal"] += 1
        met.update(problems)
        met.update(f"query {rule}" for rule in queries)
    return met


@pytest.mark.parametrize("seeds", at_length([range(2), range(2, 5)], [range(2)]), ids=["usual", "rest"])
def test_both_checks_agree_on_a_thousand_sides(seeds: Iterable[int]) -> None:
    for seed in seeds:
        met = judged(seed)
        seldom = {name: met[name] for name in ("legal", "illegal", *MET, *(f"query {rule}" for rule in ASKED))}
        assert min(seldom.values()) >= 10, f"hardly met: {seldom}"


@pytest.mark.parametrize("seeds", at_length([range(2), range(2, 5)], [range(2)]), ids=["usual", "rest"])
def test_both_calculations_agree_on_shots(seeds: Iterable[int]) -> None:
    for seed in seeds:
        dice = Random(seed)
        for _ in range(100):
            chance, luck = dice.randint(-60, 160), dice.randint(1, 10)
            base, extra, stat = dice.randint(0, 30), dice.randint(0, 9), dice.randint(1, 10)
            shot = Shot(chance, luck, base, extra, stat)
            for roll in range(1, 101):
                simple = simple_damage(chance, luck, base, extra, stat, roll)
                assert outcome(shot, roll).damage == simple, (shot, roll)
