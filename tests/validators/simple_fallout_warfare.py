"""A second, deliberately simple check of Fallout: Warfare armies, which shares no code with the first."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

from tests.kit.conditions import true_of

Raw = dict[str, Any]
DATA = Path(__file__).parents[2] / "validators" / "fallout_warfare" / "data"
LISTS: Raw = json.loads((DATA / "edition_2001_03.json").read_text("utf-8"))
TROOPS = {t["name"]: t for t in LISTS["troops"]}
WEAPONS = {w["name"]: w for w in LISTS["weapons"]}
ITEMS = {i["name"]: i for i in LISTS["items"]}
VEHICLES = {v["name"]: v for v in LISTS["vehicles"]}
PAID = {t["faction"] for t in LISTS["troops"] if any(r["points"] is not None for r in t["ranks"].values())}
BEASTS = ("beast", "wolf", "alpha")
CLUB: Raw = LISTS | {
    "id": "club",
    "mine_points": 2,
    "troops": [
        t | {"ranks": {k: r | {"points": 9} for k, r in t["ranks"].items()}} if t["faction"] == "Robots" else t
        for t in LISTS["troops"]
    ],
}
"""A club's lists, in which each robot costs 9 and a mine 2."""
ROLES = {("convoy", 0): 100, ("convoy", 1): 300, ("treasure-hunt", 0): 150, ("treasure-hunt", 1): 200}
"""The points of each role of S2 and S3, as 7.0 prints them under Forces."""


def kind(m: Raw) -> str:
    return str(TROOPS[m["name"]]["kind"]) if m["name"] in TROOPS else ""


def profile(m: Raw) -> Raw | None:
    """The row of its rank; in the club's lists nothing is without a cost."""
    found: Raw | None = TROOPS.get(m["name"], {}).get("ranks", {}).get(m["rank"])
    return found | {"points": 9} if found and m["club"] and found["points"] is None else found


def own(m: Raw) -> int:
    """The points of its row, and twice n(n - 1) for a hero of level n up to 16."""
    row, n = profile(m), m["level"]
    return (row["points"] or 0 if row else 0) + (2 * n * (n - 1) if m["rank"] == "hero" and n <= 16 else 0)


def each(m: Raw) -> int:
    weapon = WEAPONS.get(m["weapon"], {"points": 0})["points"]
    return int(own(m) + weapon + 2 * m["grenades"] + sum(ITEMS[i]["points"] for i in m["items"] if i in ITEMS))


def free(m: Raw) -> dict[str, int]:
    row = profile(m)
    if row is None:
        return {}
    given = TROOPS[m["name"]]["skills"].get(m["rank"], {})
    return {k: row["special"][4] if v == "IN" else int(v) for k, v in given.items()}


def skilled(force: Raw, skill: str) -> int:
    heroes = [m for s in force["squads"] for m in s["models"] if m["rank"] == "hero"]
    return sum(m["count"] for m in heroes if skill in free(m) or skill in [k["name"] for k in m["skills"]])


def simple_check(force: Raw, size: int, role: tuple[str, int] | None = None) -> tuple[int, set[str], set[str]]:
    club = force["edition"] == "club"
    force = force | {"squads": [{"models": [m | {"club": club} for m in s["models"]]} for s in force["squads"]]}
    everybody = [m for s in force["squads"] for m in s["models"]]
    total = sum(m["count"] * each(m) for m in everybody) + 2 * club * force["mines"]
    total += sum(VEHICLES[v]["points"] for v in force["vehicles"] if v in VEHICLES)
    total -= 3 * force["vehicles"].count("Dune Buggy") * (force["faction"] == "Raiders & Reavers")
    found = true_of({
        "size": total > size, "squad": not force["squads"],
        "role": role and (total > ROLES[role] or (role == ("convoy", 0) and "APC" in force["vehicles"])),
    })  # fmt: skip
    found |= army(force, everybody, total, size) | restricted(force, everybody)
    found = found.union(*(figure(m) for m in everybody), *(squad(s["models"]) for s in force["squads"]))
    return total, {f"fw.{one}" for one in found if one[0] != "?"}, {f"fw.{one[1:]}" for one in found if one[0] == "?"}


def army(force: Raw, everybody: list[Raw], total: int, size: int) -> set[str]:
    """The broken rules about the whole army; here and below "?" marks queries."""
    paid = PAID | {"Robots"} if force["edition"] == "club" else PAID
    faction, vehicles, mines = force["faction"], force["vehicles"], force["mines"]
    troops = [m for m in everybody if m["name"] in TROOPS]
    figures = sum(m["count"] * each(m) for m in troops)
    of_faction: Counter[str] = Counter()
    for model in troops:
        of_faction[TROOPS[model["name"]]["faction"]] += model["count"] * each(model)
    known = faction in {t["faction"] for t in LISTS["troops"]}
    foreign = figures - (of_faction[faction] if known else max(of_faction.values(), default=0))
    too_many = foreign > total / 4
    squads = [s for s in force["squads"] if [(m["rank"], m["count"]) for m in s["models"]] not in ([], [("hero", 1)])]
    heroes = [m for m in everybody if m["rank"] == "hero"]
    spent, equipped = (sum(m["count"] * points(m) for m in heroes) for points in (own, each))
    pilots = skilled(force, "Piloting")
    return true_of({
        "faction": (known and faction not in paid) or too_many,
        "?faction": not known or (not too_many and foreign and figures - foreign < size * 0.75),
        "heroes": sum(m["count"] for m in heroes) > (len(squads) + 1) // 2,
        "hero-points": spent > size // 4, "?hero-points": spent <= size // 4 < equipped,
        "vehicle-limit": len(vehicles) > max(1, size // 200), "cost": any(v not in VEHICLES for v in vehicles),
        "vehicle": vehicles and not pilots, "?vehicle": 0 < pilots < len(vehicles) or "Nuclear APC" in vehicles,
        "mines": mines > 3 * skilled(force, "Traps"), "?mines": mines and force["edition"] != "club",
    })  # fmt: skip


def figure(m: Raw) -> set[str]:
    entry, row, weapon = TROOPS.get(m["name"]), profile(m), WEAPONS.get(m["weapon"])
    may, highest = entry is None or entry["weapons"] == "any", 16 if m["rank"] == "hero" else 1
    wits = row["special"][4] if row else 9
    human = row and entry and entry["faction"] != "Robots"
    needs = {"Night Goggles": wits < 4, "Stealth Boy": wits < 5, "Robot Repair Kit": human}
    return skills(m) | true_of({
        "cost": entry is None or (row and row["points"] is None) or (m["weapon"] and not weapon)
        or any(i not in ITEMS for i in m["items"]) or any(k["name"] not in LISTS["skills"] for k in m["skills"]),
        "rank": entry and not row,
        "weapon": m["weapon"] == "Grenade" or (not may and (m["grenades"] or (weapon and weapon["points"]))),
        "?weapon": may and m["weapon"] in ("Laser", "Plasma"),
        "items": len(m["items"]) > {"grunt": 0, "squadleader": 1, "hero": 2}[m["rank"]],
        "needs": any(needs.get(i) for i in m["items"]),
        "level": m["level"] > highest, "?level": 6 < m["level"] <= highest,
    })  # fmt: skip


def skills(m: Raw) -> set[str]:
    if m["rank"] != "hero":
        return true_of({"skills": m["skills"]})
    given = free(m)
    known = [(k["name"], k["level"], given.get(k["name"], 5)) for k in m["skills"] if k["name"] in LISTS["skills"]]
    new = sum(name not in given for name, _, _ in known)
    points = sum(max(0, level - base) for _, level, base in known) + 2 * max(0, new - 1)
    over = points - (m["level"] - 1)
    spare = 0 if new else max([0, *(5 - base for _, level, base in known if level >= 5)])
    twice = len({name for name, _, _ in known}) < len(known)
    return true_of({
        "skills": over > spare or twice or any(level < base for _, level, base in known), "?skills": 0 < over <= spare,
    })  # fmt: skip


def leads(m: Raw) -> bool:
    return m["rank"] != "grunt" or kind(m) == "beastlord"


def squad(models: list[Raw]) -> set[str]:
    leaders, led = [m for m in models if leads(m)], [m for m in models if not leads(m)]
    many, grunts = sum(m["count"] for m in leaders), sum(m["count"] for m in led)
    lord = any(kind(m) == "beastlord" for m in models)
    beasts = [m for m in led if kind(m) in BEASTS]
    one: Raw = leaders[0] if many == 1 else {"name": "", "rank": ""}
    row = profile(one) if kind(one) == "beastlord" else None
    charisma = row["special"][3] if row else 999
    robots = models and all(m["name"] in TROOPS and TROOPS[m["name"]]["faction"] == "Robots" for m in models)
    counted = grunts and not lord and not beasts
    names = {m["name"] for m in led if m["name"] in TROOPS}
    alphas = sum(m["count"] for m in models if kind(m) == "alpha")
    return true_of({
        "leader": (many != 1 and (many or not robots)) or (not grunts and not lord and one["rank"] not in ("hero", "")),
        "squad": counted and not (2 if many else 3) <= grunts <= 20, "?squad": counted and many and grunts in (2, 20),
        "mixed": not lord and len(names) > 1 and len(beasts) != len(led),
        "?mixed": one["rank"] == "squadleader" and not lord and one["name"] in TROOPS and len(names) == 1
        and one["name"] not in names and not beasts,
        "beasts": grunts > charisma or (beasts and many and not lord)
        or (lord and any(m["name"] in TROOPS and kind(m) not in BEASTS for m in led)),
        "?beasts": lord and (grunts == charisma or (not led and one["rank"] not in ("hero", ""))),
        "alpha": alphas > 1 or (alphas and not any(kind(m) == "wolf" for m in models)),
    })  # fmt: skip


def restricted(force: Raw, everybody: list[Raw]) -> set[str]:
    """Heavy, Minigun and RPG against the other weapons: all grunts but Paladins, and the Paladins of each squad."""
    groups = [([m for m in everybody if m["rank"] == "grunt" and kind(m) != "paladin"], 3)]
    groups += [([m for m in s["models"] if not leads(m) and kind(m) == "paladin"], 1) for s in force["squads"]]
    found = set[str]()
    for grunts, ratio in groups:
        heavy = sum(m["count"] for m in grunts if m["weapon"] in ("Heavy", "Minigun", "RPG")) * ratio
        armed = [m for m in grunts if WEAPONS.get(m["weapon"], {"points": 0})["points"]]
        others = sum(m["count"] for m in armed) - heavy // ratio
        able = [m for m in grunts if m["name"] not in TROOPS or TROOPS[m["name"]]["weapons"] == "any"]
        bare = sum(m["count"] for m in able if m not in armed)
        found |= true_of({"restricted": heavy > others + bare, "?restricted": others < heavy <= others + bare})
    return found
