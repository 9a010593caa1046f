"""A second, deliberately simple checker of skill combat: it reads the data itself and shares no code with ours."""

import json
from math import ceil, floor
from pathlib import Path
from typing import Any

DATA = Path(__file__).parents[2] / "validators" / "skill_combat" / "data"
RAW: dict[str, Any] = json.loads((DATA / "edition.json").read_text(encoding="utf-8"))
WEAPONS = [one["name"].lower() for one in RAW["weapons"]]
ARMOUR = {one["name"].lower(): one for one in RAW["armour"]}
ITEMS = [one.lower() for one in RAW["items"]]
SKILLS = {one["name"].lower(): one.get("of", {}) for one in RAW["skills"]}
ORIGINS = [one.lower() for one in RAW["origins"]]


def simple_check(force: dict[str, Any], size: int) -> tuple[int, set[str], set[str]]:
    """The total, the rules broken and the rules asked about, of a force file as it is written."""
    problems, queries = set(), set()
    characters = force["models"]
    total = sum(sum(one["special"].values()) for one in characters)
    if total > size:
        problems.add("sc.size")
    if not 1 <= len(characters) <= max(1, size // 40):
        problems.add("sc.characters")
    if force["faction"].lower() not in ORIGINS:
        problems.add("sc.origin")
    for one in characters:
        if min(one["special"].values()) < 1 or max(one["special"].values()) > 10:
            problems.add("sc.special")
        if one.get("level", 1) != 1:
            queries.add("sc.level")
        skills = [(line["name"].lower(), line["points"]) for line in one.get("skills", [])]
        if len({name for name, _ in skills}) < len(skills):
            problems.add("sc.skill")
        if any(not SKILLS.get(name) or points > 0 for name, points in skills):
            queries.add("sc.skill")
        for weapon in one.get("weapons", []):
            own = weapon.get("own")
            if own:
                queries.add("sc.gear")
                if own["mode"] == "burst" and own.get("bullets", 0) == 0:
                    problems.add("sc.gear")
            elif weapon["name"].lower() not in WEAPONS:
                problems.add("sc.gear")
        suit = one.get("armour")
        if suit and suit.get("own"):
            queries.add("sc.gear")
        elif suit and suit["name"].lower() not in ARMOUR:
            problems.add("sc.gear")
        if any(item["name"].lower() not in ITEMS for item in one.get("items", [])):
            queries.add("sc.gear")
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
    """What an unaimed shot with scratches does to somebody without armour."""
    lead = chance - roll
    critical = roll <= luck
    if roll >= 89 + luck:
        return 0
    if critical and lead < 16:
        lead = 16
    if lead < -15:
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
"""The document's HP of each part: the share of EN, whether up, one in how many HP, whether up."""


def simple_body(endurance: int, health: int) -> dict[str, tuple[int, int]]:
    """The HP of each part, and the damage that cripples it."""
    found = {}
    for name, (share, share_up, one_in, health_up) in BODY.items():
        own = ceil(round(endurance * share, 6)) if share_up else floor(endurance * share)
        holds = own + (ceil(health / one_in) if health_up else floor(health / one_in))
        found[name] = holds, holds + 1 if name in ("Leg", "Arm") else holds
    return found


def simple_order(a: list[dict[str, Any]], b: list[dict[str, Any]]) -> list[int]:
    """The Sequences in the order of the turns, each once."""
    return sorted({one["special"]["PE"] * 2 for one in (*a, *b)}, reverse=True)
