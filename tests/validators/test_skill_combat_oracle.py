"""Skill combat agrees with a second, simple calculation: the check on random sides, and shots on every roll."""

import json
from collections import Counter
from math import ceil, floor
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.kit.conditions import true_of
from tests.kit.profiles import at_length
from tests.kit.skill_combatants import EDITION, SYSTEM
from validators.contract import Terms
from validators.skill_combat.attack import Shot, expected, odds, outcome
from validators.skill_combat.figures import body_table
from validators.skill_combat.force import side_of
from validators.skill_combat.sheets import figures_of, turn_order

pytestmark = pytest.mark.slow

DATA = Path(__file__).parents[2] / "validators" / "skill_combat" / "data"
RAW: dict[str, Any] = json.loads((DATA / "edition.json").read_text(encoding="utf-8"))
WEAPONS = [one["name"].lower() for one in RAW["weapons"]]
ARMOUR = {one["name"].lower(): one for one in RAW["armour"]}
ITEMS = [one.lower() for one in RAW["items"]]
SKILLS = {one["name"].lower(): one.get("of", {}) for one in RAW["skills"]}
ORIGINS = [one.lower() for one in RAW["origins"]]


def simple_check(force: dict[str, Any], size: int) -> tuple[int, set[str], set[str]]:
    """The total, the broken rules and the rules with queries, of a force file."""
    characters = force["models"]
    total = sum(sum(one["special"].values()) for one in characters)
    problems, queries = true_of({
        "sc.size": total > size, "sc.characters": not 1 <= len(characters) <= max(1, size // 40),
    }), true_of({"sc.origin": force["faction"].lower() not in ORIGINS})  # fmt: skip
    for one in characters:
        skills = [(line["name"].lower(), line["points"]) for line in one.get("skills", [])]
        weapons, suit = one.get("weapons", []), one.get("armour") or {}
        own = [weapon["own"] for weapon in weapons if weapon.get("own")]
        items = [item["name"].lower() for item in one.get("items", [])]
        problems |= true_of({
            "sc.special": min(one["special"].values()) < 1 or max(one["special"].values()) > 10,
            "sc.skill": len({name for name, _ in skills}) < len(skills),
            "sc.gear": any(weapon["mode"] == "burst" and not weapon.get("bullets") for weapon in own)
            or any(weapon["name"].lower() not in WEAPONS for weapon in weapons if not weapon.get("own"))
            or (suit and not suit.get("own") and suit["name"].lower() not in ARMOUR),
        })  # fmt: skip
        queries |= true_of({
            "sc.level": one.get("level", 1) != 1,
            "sc.skill": any(not SKILLS.get(name) or points > 0 for name, points in skills),
            "sc.gear": own or suit.get("own") or any(item not in ITEMS for item in items),
        })  # fmt: skip
    return total, problems, queries


def simple_figures(one: dict[str, Any]) -> dict[str, str]:
    special = one["special"]
    strength, perception, endurance = special["STR"], special["PE"], special["EN"]
    charisma, agility, luck = special["CH"], special["AG"], special["LK"]
    suit = one.get("armour") or {}
    worn = suit.get("own") or ARMOUR.get(suit.get("name", "").lower(), {})
    health = float(15 + strength + 2 * endurance)
    for level in range(2, one.get("level", 1) + 1):
        gain = 3 + endurance / 2
        health += ceil(gain) if level % 2 else int(gain)
    trained = {line["name"].lower(): line["points"] for line in one.get("skills", [])}
    return {
        "Health Points": f"{health:.0f}", "Armor Class": f"{agility + worn.get('ac', 0)}",
        "Detection Class": f"{perception + worn.get('dc', 0)}", "Judgment Class": f"{charisma + worn.get('jc', 0)}",
        "Action Points": f"{5 + int(agility / 2) + int(endurance / 2)}", "AP back, standing": f"+{3 + agility}",
        "AP back, walking": f"+{3 + int(agility / 2)}", "AP back, jogging": f"+{int(agility / 2)}",
        "Carry weight": f"{25 + 25 * strength} lbs", "Melee damage": f"{strength - 5 if strength > 5 else 0}",
        "Poison resistance": f"{endurance * 5} %", "Radiation resistance": f"{endurance * 2} %",
        "Sequence": f"{perception * 2}", "Healing rate": f"{int(endurance / 3)}",
        "Critical success": f"roll {luck} or less", "Critical failure": f"roll {89 + luck} or more",
        "Small Guns": f"{2 * perception + 2 * agility + trained.get('small guns', 0)} %",
        "Big Guns": f"{strength + 2 * endurance + perception + trained.get('big guns', 0)} %",
    }  # fmt: skip


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


SIDES = 1000
MET = ("sc.size", "sc.characters", "sc.special", "sc.gear", "sc.skill")
ASKED = ("sc.origin", "sc.gear", "sc.skill", "sc.level")


def random_character(dice: Random, wild: float) -> dict[str, Any]:
    """A character of about 40 points, with a few faults."""

    def odd() -> bool:
        return dice.random() < wild

    low, high = (0, 12) if odd() else (3, 8)
    special = {name: dice.randint(low, high) for name in ("STR", "PE", "EN", "CH", "IN", "AG", "LK")}
    one: dict[str, Any] = {"name": dice.choice(["Ash", "Bolt", ""]), "special": special}
    if odd():
        one["level"] = dice.randint(1, 9)
    weapons: list[dict[str, Any]] = [
        {"name": weapon["name"]} for weapon in dice.sample(RAW["weapons"], dice.randint(0, 2))
    ]
    if odd():
        weapons.append({"name": "No Such Gun"})
    if odd():
        own = {"skill": "Unarmed", "mode": dice.choice(["quick", "burst"]), "stat": "EN", "range": 3, "damage": 4}
        weapons.append({"name": "Own Gun", "own": own | {"bullets": dice.randint(0, 1)}})
    if weapons:
        one["weapons"] = weapons
    if dice.random() < 0.5:
        one["armour"] = {"name": "No Such Coat" if odd() else "Leather Jacket"}
        if odd():
            one["armour"]["own"] = {"ac": dice.randint(0, 9), "jc": dice.randint(0, 3)}
    if odd():
        names = [*(skill["name"] for skill in RAW["skills"]), "Juggling"]
        chosen = dice.sample(names, dice.randint(1, 3))
        chosen += [chosen[0].lower()] * odd()
        one["skills"] = [{"name": name, "points": dice.choice([0, 0, 7])} for name in chosen]
    if dice.random() < 0.3:
        one["items"] = [{"name": "Rope" if odd() else dice.choice(RAW["items"]), "count": dice.randint(1, 3)}]
    return one


def random_side(dice: Random) -> dict[str, Any]:
    wild = dice.choice([0.0, 0.03, 0.2])
    count = dice.choice([1, 1, 1, 2, 2, 3]) if dice.random() > wild / 4 else 0
    faction = "Nobody's" if dice.random() < wild / 3 else dice.choice(RAW["origins"])
    models = [random_character(dice, wild) for _ in range(count)]
    return {"system": "skill_combat", "edition": RAW["id"], "faction": faction, "models": models}


def compared(seed: int) -> Counter[str]:
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
            values = [int(one.removesuffix(", the higher 1d10 first").split()[-1]) for one in order]
            sequences = {one["special"]["PE"] * 2 for one in (*before["models"], *side["models"])}
            assert values == sorted(sequences, reverse=True), listed
        before = document
        met["legal" if verdict.legal else "illegal"] += 1
        met.update(problems)
        met.update(f"query {rule}" for rule in queries)
    return met


@pytest.mark.parametrize("seeds", at_length([range(1), range(1, 5)], [range(1)]), ids=["usual", "rest"])
def test_both_checks_agree_on_a_thousand_sides(seeds: range) -> None:
    for seed in seeds:
        met = compared(seed)
        seldom = {name: met[name] for name in ("legal", "illegal", *MET, *(f"query {rule}" for rule in ASKED))}
        assert min(seldom.values()) >= 10, f"hardly met: {seldom}"


@pytest.mark.parametrize("seeds", at_length([range(1), range(1, 5)], [range(1)]), ids=["usual", "rest"])
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
