"""The check of SNAFU forces and a second, simple one agree on 5,000 random forces, legal and illegal."""

from collections import Counter
from collections.abc import Iterable
from random import Random
from typing import Any

import pytest

from tests.kit.profiles import at_length
from tests.validators.simple_new_vegas import RAW, simple_check
from validators import SYSTEMS
from validators.contract import Terms
from validators.new_vegas.figures import of_force
from validators.new_vegas.force import mustered

pytestmark = pytest.mark.slow

SYSTEM = SYSTEMS["new_vegas"]
EDITION = SYSTEM.editions[0]
FORCES = 500
SCORES = ("strength", "perception", "endurance", "charisma", "intelligence", "agility", "luck")
RULES = ("size", "faction", "class", "squad", "special", "charisma", "weapon", "strength")


def random_force(dice: Random) -> dict[str, Any]:
    """A force that is legal about as often as not: listed things, with faults strewn in."""
    wild = dice.choice([0.0, 0.0, 0.03, 0.2])

    def odd() -> bool:
        return dice.random() < wild

    def spelt(name: str) -> str:
        return f" {name.upper()}  " if dice.random() < 0.1 else name

    own: list[dict[str, Any]] = [
        {"name": "Gauss Rifle" if dice.random() < 0.7 else "minigun", "attacks": 1, "strength": dice.randint(0, 5)}
        for _ in range(int(dice.random() < 0.2))
    ]
    squads = []
    for number in range(dice.randint(0 if odd() else 1, 5)):
        models = []
        for place in range(0 if odd() else dice.randint(1, 3)):
            special = {score: dice.randint(0, 9 if odd() else 4) for score in SCORES}
            special["endurance"] = dice.randint(0 if odd() else 1, 4)
            special["charisma"] = dice.randint(1, 4) if number + place == 0 and not odd() else 0
            carried = [dice.choice(RAW["weapons"]) for _ in range(dice.randint(0, 3))]
            if not odd():
                carried = [one for one in carried if one.get("strength", 0) <= special["strength"]]
            names = [spelt(one["name"]) for one in carried] + [spelt(one["name"]) for one in own if odd()]
            names += ["Fat Man"] if odd() else []
            models.append({"name": "Model", "special": special, "weapons": names, "count": dice.choice([1, 1, 2, 5])})
        named = "Cavalry" if odd() else spelt(dice.choice(RAW["classes"])["name"])
        squads.append({"name": f"Squad {number % 3}", "class": named, "models": models})
    faction = "Nobody" if odd() else dice.choice(RAW["factions"])
    return {"system": "new_vegas", "edition": "snafu", "faction": faction, "squads": squads, "weapons": own}


def judged(seed: int) -> Counter[str]:
    dice, met = Random(seed), Counter[str]()
    for _ in range(FORCES):
        force, size = random_force(dice), dice.choice([20, 60, 100, 150, 200])
        document = SYSTEM.forces.read(force, EDITION)
        terms = Terms(EDITION, size)
        verdict = SYSTEM.checks.check(document, terms)
        figures = {one.label: one.value for one in of_force(mustered(document, terms))}
        ours = (
            verdict.total, sorted(one.rule for one in verdict.problems), sorted(one.rule for one in verdict.queries),
            int(figures["Leadership dice"]), int(figures["Force markers"]),
        )  # fmt: skip
        assert ours == simple_check(force, size), force
        met.update({*ours[1], *ours[2], "legal" if verdict.legal else "illegal"})
    return met


@pytest.mark.parametrize("seeds", at_length([range(2), range(2, 10)], [range(2)]), ids=["usual", "rest"])
def test_both_checkers_agree(seeds: Iterable[int]) -> None:
    for seed in seeds:
        met = judged(seed)
        assert {f"nv.{rule}" for rule in RULES} <= set(met), "every rule was broken at least once"
        assert {"nv.endurance", "nv.own-weapon"} <= set(met)
        assert FORCES // 8 < met["legal"] < FORCES * 7 // 8, met
