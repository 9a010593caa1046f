"""The check of SNAFU forces agrees with a second, simple one on random forces, legal and illegal."""

import json
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.kit.conditions import true_of
from tests.kit.new_vegas import EDITION, SCORES, SYSTEM
from tests.kit.profiles import at_length
from validators.contract import Terms
from validators.new_vegas.figures import of_force
from validators.new_vegas.force import mustered

pytestmark = pytest.mark.slow

DATA = Path(__file__).parents[2] / "validators" / "new_vegas" / "data"
RAW: dict[str, Any] = json.loads((DATA / "edition_snafu.json").read_text(encoding="utf-8"))
FORCES = 500
RULES = ("size", "faction", "class", "squad", "special", "charisma", "weapon", "strength")


def simple_check(force: dict[str, Any], size: int) -> tuple[int, list[str], list[str], int, int]:
    """Total, problem ids, query ids (both sorted, with repeats), leadership dice, force markers, from the JSON."""
    problems, own = list[str](), force.get("weapons", [])
    queries = ["nv.own-weapon"] * len(own)
    total = dice = markers = 0
    for squad in force["squads"]:
        of_class = [one for one in RAW["classes"] if one["name"] == squad["class"]]
        problems += true_of({"nv.class": not of_class, "nv.squad": not squad["models"]})
        markers += of_class[0]["markers"] if of_class and squad["models"] else 0
        for model in squad["models"]:
            special, count = model["special"], model.get("count", 1)
            total += sum(special.values()) * count
            dice += special["charisma"] * count
            problems += ["nv.special"] * ((special["strength"] > 5) + (special["agility"] > 5))
            queries += true_of({"nv.endurance": special["endurance"] < 1})
            for name in {name.lower() for name in model.get("weapons", [])}:
                found = [one for one in (*RAW["weapons"], *own) if one["name"].lower() == name]
                too_weak = found and found[0].get("strength", 0) > special["strength"]
                problems += true_of({"nv.weapon": not found, "nv.strength": too_weak})
    problems += true_of({"nv.size": total > size, "nv.charisma": dice == 0})
    queries += true_of({"nv.faction": force["faction"] not in RAW["factions"]})
    return total, sorted(problems), sorted(queries), dice, markers


def random_force(dice: Random) -> dict[str, Any]:
    """A force of listed entries: about half are legal, others have a few faults."""
    wild = dice.choice([0.0, 0.0, 0.03, 0.2])

    def odd() -> bool:
        return dice.random() < wild

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
            names = [one["name"] for one in (*carried, *(own if odd() else ()))] + ["Fat Man"] * odd()
            models.append({"name": "Model", "special": special, "weapons": names, "count": dice.choice([1, 1, 2, 5])})
        named = "Cavalry" if odd() else dice.choice(RAW["classes"])["name"]
        squads.append({"name": f"Squad {number % 3}", "class": named, "models": models})
    faction = "Nobody" if odd() else dice.choice(RAW["factions"])
    return {"system": "new_vegas", "edition": "snafu", "faction": faction, "squads": squads, "weapons": own}


def compared(seed: int) -> Counter[str]:
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


@pytest.mark.parametrize("seeds", at_length([range(1), range(1, 10)], [range(1)]), ids=["usual", "rest"])
def test_both_checks_agree_on_random_forces(seeds: range) -> None:
    for seed in seeds:
        met = compared(seed)
        assert {f"nv.{rule}" for rule in RULES} <= set(met), "every rule was broken at least once"
        assert {"nv.endurance", "nv.own-weapon"} <= set(met)
        assert FORCES // 8 < met["legal"] < FORCES * 7 // 8, met
