"""The check of armies agrees with a second, simple one on 5,000 random armies, legal and illegal."""

import json
from collections import Counter
from random import Random
from typing import Any

import pytest

from tests.kit.armies import EDITION, SYSTEM
from tests.kit.profiles import at_length
from tests.validators import simple_fallout_warfare as simple
from validators.contract import Terms

pytestmark = pytest.mark.slow

assert SYSTEM.edition_files is not None
EDITIONS = {simple.LISTS["id"]: EDITION, "club": SYSTEM.edition_files.read(json.dumps(simple.CLUB).encode())}
ARMIES = 500
PROBLEMS = {rule.id for rule in SYSTEM.checks.rules}
QUERIES = {"fw.faction", "fw.squad", "fw.mixed", "fw.beasts", "fw.hero-points", "fw.restricted", "fw.weapon"}
QUERIES |= {"fw.level", "fw.skills", "fw.vehicle", "fw.mines"}


def random_army(dice: Random) -> dict[str, Any]:
    """An army mostly of squads that fit together, with a few faults; it is legal now and then."""
    wild = dice.choice([0.0, 0.0, 0.01, 0.06])

    def odd(chance: float = 1.0) -> bool:
        return dice.random() < wild * chance

    edition = dice.choice(list(EDITIONS))
    faction = dice.choice(sorted(simple.PAID | {"Robots"} if edition == "club" else simple.PAID))
    listed = [t for t in simple.TROOPS.values() if t["faction"] == faction]
    squads = [_squad(dice, odd, listed) for _ in range(0 if odd() else dice.choice([1, 2, 3, 3, 4, 5]))]
    vehicles = [dice.choice([*simple.VEHICLES, "Dune Buggy"])] if dice.random() < 0.15 else []
    if odd(3):
        vehicles += [dice.choice([*simple.VEHICLES, "Zeppelin"]) for _ in range(2)]
    return {
        "system": "fallout_warfare", "edition": edition,
        "faction": dice.choice(["Robots", "Nobody"]) if odd() else faction,
        "squads": [{"models": []}, *squads] if odd(0.5) else squads, "vehicles": vehicles,
        "mines": dice.randint(1, 4) if dice.random() < 0.04 or odd() else 0,
    }  # fmt: skip


def _squad(dice: Random, odd: Any, listed: list[dict[str, Any]]) -> dict[str, Any]:
    troop = dice.choice(list(simple.TROOPS.values()) if odd(2) or dice.random() < 0.08 else listed)
    if troop["kind"] == "beastlord":
        beasts = [t for t in simple.TROOPS.values() if t["kind"] in ("beast", "wolf", "alpha")]
        led = [_line(dice, odd, dice.choice(beasts), "grunt", dice.randint(1, 2)) for _ in range(dice.randint(0, 3))]
        lord = _line(dice, odd, troop, dice.choice(list(troop["ranks"])), 1, heavy=dice.random() < 0.1)
        return {"models": [lord, *led]}
    ranks = [rank for rank in troop["ranks"] if rank != "grunt"] or ["grunt"]
    leader = dice.choice(list(simple.TROOPS.values())) if odd(2) or dice.random() < 0.05 else troop
    rank = dice.choice(["squadleader", "hero"]) if odd() else dice.choice([*ranks, ranks[0]])
    models = [_line(dice, odd, leader, rank, 2 if odd() else 1)]
    if not (rank == "hero" and dice.random() < 0.3) and not odd():
        many = dice.choice([1, 2, 19, 20, 21]) if odd(4) else dice.choice([2, 3, 3, 3, 4, 5])
        models.append(_line(dice, odd, troop, "grunt", many))
        if dice.random() < 0.2:
            models.append(_line(dice, odd, troop, "grunt", 1, heavy=True))
        if odd():
            models.append(_line(dice, odd, dice.choice(list(simple.TROOPS.values())), "grunt", 1))
    if odd():
        models.append(_line(dice, odd, troop, "squadleader", 1))
    return {"models": models}


def _line(
    dice: Random, odd: Any, troop: dict[str, Any], rank: str, many: int, *, heavy: bool = False
) -> dict[str, Any]:
    weapons = [name for name, one in simple.WEAPONS.items() if not one["restricted"] and not one["each"]]
    able = troop["weapons"] == "any" or odd()
    weapon = dice.choice(list(simple.WEAPONS) if odd(2) else weapons[:7]) if able and dice.random() < 0.7 else ""
    if able and dice.random() < 0.03:
        weapon = dice.choice(["Laser", "Plasma"])
    if heavy and able:
        weapon = dice.choice(["Heavy", "Minigun", "RPG"])
    name, grenades = "Nobody" if odd(0.5) else troop["name"], able and dice.random() < 0.1
    line: dict[str, Any] = {
        "name": name, "rank": rank, "count": many, "weapon": "Slingshot" if odd(0.5) else weapon, "level": 1,
        "grenades": dice.randint(1, 3) if grenades or odd() else 0, "skills": [],
    }  # fmt: skip
    carries = {"grunt": 0, "squadleader": 1, "hero": 2}[rank] + odd(2)
    line["items"] = ["Teapot" if odd() else dice.choice(list(simple.ITEMS)) for _ in range(dice.randint(0, carries))]
    if rank == "hero" or odd():
        line["level"] = dice.choice([1, 1, 1, 2, 3, 6, 7, 16, 17] if odd(6) else [1, 1, 1, 1, 2, 2, 3])
        for _ in range(dice.choice([0, 1, 1, 2])):
            name = "Yodelling" if odd() else dice.choice(["Piloting", "Traps", *simple.LISTS["skills"]])
            line["skills"].append({"name": name, "level": dice.choice([4, 5, 5, 5, 5, 6, 7])})
    return line


@pytest.mark.parametrize("seeds", at_length([range(3), range(3, 10)], [range(3)]), ids=["usual", "rest"])
def test_both_checks_agree_on_random_armies_that_meet_every_rule_and_query(seeds: range) -> None:
    met = sum(map(compared, seeds), Counter[str]())
    assert met["legal"] > len(seeds) * ARMIES // 20, met
    assert met["illegal"] > len(seeds) * ARMIES // 4, met
    assert {what.removeprefix("problem ") for what in met if what.startswith("problem ")} == PROBLEMS
    assert {what.removeprefix("query ") for what in met if what.startswith("query ")} == QUERIES


def compared(seed: int) -> Counter[str]:
    dice, met = Random(f"fallout_warfare/{seed}"), Counter[str]()
    for number in range(ARMIES):
        army = random_army(dice)
        size = dice.choice([100, 150, 199, 200, 200, 200, 300, 399, 400, 600])
        if dice.random() < 0.2:  # close to the total, where a reading decides
            size = max(1, simple.simple_check(army, size)[0] + dice.randint(-3, 6))
        edition = EDITIONS[army["edition"]]
        terms, plays = Terms(edition, size), Random(f"{seed}/{number}").choice([None, None, *simple.ROLES])
        if plays:
            terms = terms.in_role(SYSTEM.scenario(plays[0]).roles[plays[1]])
        verdict = SYSTEM.checks.check(SYSTEM.forces.read(army, edition), terms)
        problems = {problem.rule for problem in verdict.problems}
        queries = {query.rule for query in verdict.queries}
        expected = simple.simple_check(army, size, plays)
        assert (verdict.total, problems, queries) == expected, f"{number} at {size} as {plays}: {json.dumps(army)}"
        met["legal" if verdict.legal else "illegal"] += 1
        met.update(f"problem {rule}" for rule in problems)
        met.update(f"query {rule}" for rule in queries)
    return met
