"""A second, deliberately simple checker, written from the rules and the data file, must agree with the first.

It shares no code with the package: it reads the JSON file itself and goes through the force by plain loops.
"""

import json
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import validators
from tests.forces import check_force, read_force

DATA = Path(validators.__file__).parent / "battle_mode" / "data" / "edition_2018_08.json"
RAW = json.loads(DATA.read_text(encoding="utf-8"))
COST = {name: caps for group in RAW["items"] for name, caps in group["caps"].items()}
HEAVY = {"Broadsider", "Gatling Laser", "Minigun", "Missile Launcher"}
NO_MOD = {
    name
    for group in RAW["items"]
    if group["kind"] in ("Power Armor", "Clothing", "Chems", "Food", "Alcohol", "Gear", "Thrown", "Mines")
    for name in group["caps"]
}
BANNED = ["boost", "event", "explore", "danger", "stranger", "creature", "quest", "solo", "settlement"]
SEED = 20180820
FORCES = 4000


def simple_check(force: dict[str, Any], size: int) -> tuple[int, set[str]]:
    """Total and broken rules of a force whose names are spelt as in the data file or are unknown."""
    total, heavy, leaders, cards = 0, 0, 0, 0
    broken: set[str] = set()
    people: list[str] = []
    fielded = {f["name"]: f for f in RAW["factions"] if f["fielded"]}
    if force["faction"] not in fielded:
        broken.add("bm.faction")
    for line in force["models"]:
        for _ in range(line.get("count", 1)):
            entries = [(f["name"], m) for f in RAW["factions"] for m in f["models"] if m["name"] == line["name"]]
            own = [pair for pair in entries if pair[0] == force["faction"]]
            entry: dict[str, Any] | None = None
            if entries:
                where, entry = (own or entries)[0]
                if where != force["faction"]:
                    broken.add("bm.faction")
                total += entry["caps"]
                if "unique" in entry:
                    people.append(entry["unique"])
            else:
                broken.add("bm.cost")
            if line.get("heroic"):
                total += 60
                if entry and not entry.get("heroic"):
                    broken.add("bm.heroic")
            if line.get("leader"):
                leaders += 1
            card = line.get("leader_card")
            if card in RAW["leader_cards"]:
                total += RAW["leader_cards"][card]
                cards += 1
                if not line.get("leader"):
                    broken.add("bm.leader-card")
            elif card:
                broken.add("bm.cost")
            for perk in line.get("perks", []):
                total += RAW["perks"].get(perk, 0)
                if perk not in RAW["perks"]:
                    broken.add("bm.cost")
            for item in line.get("items", []):
                count, mods = item.get("count", 1), item.get("mods", [])
                total += count * (COST.get(item["name"], 0) + sum(RAW["mods"].get(m, 0) for m in mods))
                if any(m not in RAW["mods"] for m in mods) or item["name"] not in COST:
                    broken.add("bm.cost")
                if item["name"] in COST:
                    if len(mods) > 1 or (mods and item["name"] in NO_MOD):
                        broken.add("bm.mod")
                    allowed = [n for names in (entry or {}).get("may_carry", {}).values() for n in names]
                    if entry and item["name"] not in allowed:
                        broken.add("bm.carry")
                if item["name"] in HEAVY:
                    heavy += count
    for card in force.get("cards", []):
        if card["kind"].lower() == "leader":
            if card["name"] in RAW["leader_cards"]:
                total += RAW["leader_cards"][card["name"]]
                broken.add("bm.leader-card")
            else:
                broken.add("bm.cost")
        else:
            broken.add("bm.banned" if card["kind"].lower() in BANNED else "bm.cost")
    if total > size:
        broken.add("bm.size")
    allowance = 0
    while 250 * (allowance + 2) <= size:
        allowance += 1
    if heavy > allowance:
        broken.add("bm.heavy")
    if leaders != 1:
        broken.add("bm.leader")
    if cards > 1:
        broken.add("bm.leader-card")
    if any(times > 1 for times in Counter(people).values()):
        broken.add("bm.unique")
    return total, broken


def random_force(dice: Random) -> dict[str, Any]:
    """A force that is legal about as often as not: mostly listed things, with faults strewn in."""
    wild = dice.choice([0.0, 0.0, 0.02, 0.15])

    def odd() -> bool:
        return dice.random() < wild

    faction = dice.choice([f for f in RAW["factions"] if f["fielded"]])
    everyone = [m for f in RAW["factions"] for m in f["models"]]
    models: list[dict[str, Any]] = []
    for number in range(dice.randint(0 if odd() else 1, 7)):
        entry = dice.choice(everyone if odd() else faction["models"])
        allowed = [name for names in entry.get("may_carry", {}).values() for name in names]
        items: list[dict[str, Any]] = []
        for _ in range(dice.choice([0, 1, 1, 2])):
            name = dice.choice(list(COST) if odd() or not allowed else allowed)
            if not allowed and not odd():
                continue
            item: dict[str, Any] = {"name": "No Such Thing" if odd() else name}
            if (name not in NO_MOD and dice.random() < 0.3) or odd():
                many = dice.randint(1, 2) if odd() else 1
                item["mods"] = ["No Such Mod" if odd() else dice.choice(list(RAW["mods"])) for _ in range(many)]
            if dice.random() < 0.2:
                item["count"] = dice.randint(1, 3)
            items.append(item)
        model: dict[str, Any] = {"name": "Nobody" if odd() else entry["name"], "items": items}
        if (entry.get("heroic") and dice.random() < 0.3) or odd():
            model["heroic"] = True
        if (number == 0) != odd():
            model["leader"] = True
            if dice.random() < 0.5:
                model["leader_card"] = "No Such Card" if odd() else dice.choice(list(RAW["leader_cards"]))
        elif odd():
            model["leader_card"] = dice.choice(list(RAW["leader_cards"]))
        if dice.random() < 0.4:
            model["perks"] = ["No Such Perk" if odd() else dice.choice(list(RAW["perks"])) for _ in "ab"]
        if "unique" not in entry and number and dice.random() < 0.2:
            model["count"] = dice.randint(1, 3)
        models.append(model)
    kinds = ["Boost", "Quest", "creature", "Solo", "Leader", "Perk"]
    names = [*list(RAW["leader_cards"])[:3], "Any"]
    return {
        "system": "battle_mode",
        "edition": "2018-08",
        "faction": dice.choice(["Robots", "Nobody's"]) if odd() else faction["name"],
        "models": models,
        "cards": [{"kind": dice.choice(kinds), "name": dice.choice(names)}] if odd() else [],
    }


def test_both_checkers_agree_on_random_forces() -> None:
    dice = Random(SEED)
    legal = 0
    met: Counter[str] = Counter()
    for number in range(FORCES):
        force = random_force(dice)
        size = dice.choice([250, 499, 500, 500, 750, 750, 1000, 1000, 1250, 1500])
        expected = simple_check(force, size)
        verdict = check_force(read_force(force), size)
        found = (verdict.total, {problem.rule for problem in verdict.problems})
        assert found == expected, f"force {number} of seed {SEED} at {size}: {json.dumps(force)}"
        legal += verdict.legal
        met.update(found[1])
    # The comparison is worth something only if it met legal forces and every rule often enough.
    assert FORCES // 8 < legal < FORCES * 3 // 4
    assert set(met) == {
        *("bm.size", "bm.faction", "bm.cost", "bm.heavy", "bm.carry", "bm.mod"),
        *("bm.heroic", "bm.leader", "bm.leader-card", "bm.unique", "bm.banned"),
    }
    assert min(met.values()) >= 60, met
