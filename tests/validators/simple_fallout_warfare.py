"""A second check of Fallout: Warfare armies, short and plain, that shares no code with the first.

It reads the lists' JSON and raw force files by itself, and says the total, the rules broken, and the rules asked about.
"""

import json
from pathlib import Path
from typing import Any

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
    """The kind of its entry, "" for an unknown one."""
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
    """Skills that come with its rank."""
    row = profile(m)
    if row is None:
        return {}
    given = TROOPS[m["name"]]["skills"].get(m["rank"], {})
    return {k: row["special"][4] if v == "IN" else int(v) for k, v in given.items()}


def skilled(force: Raw, skill: str) -> int:
    heroes = [m for s in force["squads"] for m in s["models"] if m["rank"] == "hero"]
    return sum(m["count"] for m in heroes if skill in free(m) or skill in [k["name"] for k in m["skills"]])


def simple_check(force: Raw, size: int, role: tuple[str, int] | None = None) -> tuple[int, set[str], set[str]]:
    """The total, the ids of the rules broken, and the ids of those asked about."""
    bad: set[str] = set()
    ask: set[str] = set()
    club = force["edition"] == "club"
    squads = [{"models": [m | {"club": club} for m in s["models"]]} for s in force["squads"]]
    force = force | {"squads": squads}
    everybody = [m for s in force["squads"] for m in s["models"]]
    total = sum(m["count"] * each(m) for m in everybody) + 2 * club * force["mines"]
    for v in force["vehicles"]:
        if v in VEHICLES:
            total += VEHICLES[v]["points"] - (3 if (v, force["faction"]) == ("Dune Buggy", "Raiders & Reavers") else 0)
    if total > size:
        bad.add("fw.size")
    if role and (total > ROLES[role] or (role == ("convoy", 0) and "APC" in force["vehicles"])):
        bad.add("fw.role")
    if not force["squads"]:
        bad.add("fw.squad")
    army(force, everybody, total, size, bad, ask)
    for m in everybody:
        figure(m, bad, ask)
    for s in force["squads"]:
        squad(s["models"], bad, ask)
    restricted(force, everybody, bad, ask)
    return total, bad, ask


def army(force: Raw, everybody: list[Raw], total: int, size: int, bad: set[str], ask: set[str]) -> None:
    paid = PAID | {"Robots"} if force["edition"] == "club" else PAID
    figures = sum(m["count"] * each(m) for m in everybody if m["name"] in TROOPS)
    foreign = sum(
        m["count"] * each(m)
        for m in everybody
        if m["name"] in TROOPS and TROOPS[m["name"]]["faction"] != force["faction"]
    )
    if force["faction"] not in paid:
        bad.add("fw.faction")
    if force["faction"] in {t["faction"] for t in LISTS["troops"]}:
        if foreign > total / 4:
            if force["faction"] in paid:
                bad.add("fw.faction")
        elif foreign and figures - foreign < size * 0.75:
            ask.add("fw.faction")
    alone = [("hero", 1)]
    squads = [s for s in force["squads"] if [(m["rank"], m["count"]) for m in s["models"]] not in ([], alone)]
    heroes = [m for m in everybody if m["rank"] == "hero"]
    if sum(m["count"] for m in heroes) > (len(squads) + 1) // 2:
        bad.add("fw.heroes")
    spent, equipped = sum(m["count"] * own(m) for m in heroes), sum(m["count"] * each(m) for m in heroes)
    if spent > size // 4:
        bad.add("fw.hero-points")
    elif equipped > size // 4:
        ask.add("fw.hero-points")
    if len(force["vehicles"]) > max(1, size // 200):
        bad.add("fw.vehicle-limit")
    if any(v not in VEHICLES for v in force["vehicles"]):
        bad.add("fw.cost")
    pilots = skilled(force, "Piloting")
    if force["vehicles"] and not pilots:
        bad.add("fw.vehicle")
    elif pilots < len(force["vehicles"]):
        ask.add("fw.vehicle")
    if "Nuclear APC" in force["vehicles"]:
        ask.add("fw.vehicle")
    if force["mines"] > 3 * skilled(force, "Traps"):
        bad.add("fw.mines")
    if force["mines"] and force["edition"] != "club":
        ask.add("fw.mines")


def figure(m: Raw, bad: set[str], ask: set[str]) -> None:
    entry, row = TROOPS.get(m["name"]), profile(m)
    if entry is None or (row and row["points"] is None) or (m["weapon"] and m["weapon"] not in WEAPONS):
        bad.add("fw.cost")
    if entry and not row:
        bad.add("fw.rank")
    if any(i not in ITEMS for i in m["items"]) or any(k["name"] not in LISTS["skills"] for k in m["skills"]):
        bad.add("fw.cost")
    weapon = WEAPONS.get(m["weapon"])
    may = entry is None or entry["weapons"] == "any"
    if (not may and (m["grenades"] or (weapon and weapon["points"]))) or (weapon and weapon["name"] == "Grenade"):
        bad.add("fw.weapon")
    if may and m["weapon"] in ("Laser", "Plasma"):
        ask.add("fw.weapon")
    if len(m["items"]) > {"grunt": 0, "squadleader": 1, "hero": 2}[m["rank"]]:
        bad.add("fw.items")
    if entry and row:
        for i in m["items"]:
            if (i == "Night Goggles" and row["special"][4] < 4) or (i == "Stealth Boy" and row["special"][4] < 5):
                bad.add("fw.needs")
            if i == "Robot Repair Kit" and entry["faction"] != "Robots":
                bad.add("fw.needs")
    if m["level"] > (16 if m["rank"] == "hero" else 1):
        bad.add("fw.level")
    elif m["level"] > 6:
        ask.add("fw.level")
    skills(m, bad, ask)


def skills(m: Raw, bad: set[str], ask: set[str]) -> None:
    if m["rank"] != "hero":
        if m["skills"]:
            bad.add("fw.skills")
        return
    known = [k for k in m["skills"] if k["name"] in LISTS["skills"]]
    given = free(m)
    points, new, lower = 0, 0, [0]
    for k in known:
        base = given.get(k["name"], 5)
        if k["level"] < base:
            bad.add("fw.skills")
        points += max(0, k["level"] - base)
        new += k["name"] not in given
        lower += [5 - base] * (k["level"] >= 5)
    over = points + 2 * max(0, new - 1) - (m["level"] - 1)
    if over > (0 if new else max(lower)) or len({k["name"] for k in known}) < len(known):
        bad.add("fw.skills")
    if 0 < over <= (0 if new else max(lower)):
        ask.add("fw.skills")


def leads(m: Raw) -> bool:
    return m["rank"] != "grunt" or kind(m) == "beastlord"


def squad(models: list[Raw], bad: set[str], ask: set[str]) -> None:
    leaders = [m for m in models if leads(m)]
    led = [m for m in models if not leads(m)]
    many, grunts = sum(m["count"] for m in leaders), sum(m["count"] for m in led)
    lord = any(kind(m) == "beastlord" for m in models)
    beasts = [m for m in led if kind(m) in BEASTS]
    one = leaders[0] if many == 1 else None
    robots = models and all(m["name"] in TROOPS and TROOPS[m["name"]]["faction"] == "Robots" for m in models)
    if (many != 1 and (many or not robots)) or (not grunts and not lord and one and one["rank"] != "hero"):
        bad.add("fw.leader")
    if grunts and not lord and not beasts:
        if grunts < (2 if many else 3) or grunts > 20:
            bad.add("fw.squad")
        elif many and grunts in (2, 20):
            ask.add("fw.squad")
    names = {m["name"] for m in led if m["name"] in TROOPS}
    if not lord and len(names) > 1 and len(beasts) != len(led):
        bad.add("fw.mixed")
    sergeant = one and one["rank"] == "squadleader" and not lord and one["name"] in TROOPS
    if one and sergeant and len(names) == 1 and one["name"] not in names and not beasts:
        ask.add("fw.mixed")
    if beasts and many and not lord:
        bad.add("fw.beasts")
    if lord:
        if any(m["name"] in TROOPS and kind(m) not in BEASTS for m in led):
            bad.add("fw.beasts")
        row = profile(one) if one and kind(one) == "beastlord" else None
        if row and grunts > row["special"][3]:
            bad.add("fw.beasts")
        if (row and grunts == row["special"][3]) or (not led and one and one["rank"] != "hero"):
            ask.add("fw.beasts")
    alphas = sum(m["count"] for m in models if kind(m) == "alpha")
    if alphas > 1 or (alphas and not any(kind(m) == "wolf" for m in models)):
        bad.add("fw.alpha")


def restricted(force: Raw, everybody: list[Raw], bad: set[str], ask: set[str]) -> None:
    """Heavy, Minigun and RPG against the other weapons: all grunts but Paladins, and the Paladins of each squad."""
    groups = [([m for m in everybody if m["rank"] == "grunt" and kind(m) != "paladin"], 3)]
    groups += [([m for m in s["models"] if not leads(m) and kind(m) == "paladin"], 1) for s in force["squads"]]
    for grunts, ratio in groups:
        heavy = sum(m["count"] for m in grunts if m["weapon"] in ("Heavy", "Minigun", "RPG"))
        armed = [m for m in grunts if WEAPONS.get(m["weapon"], {"points": 0})["points"]]
        others = sum(m["count"] for m in armed) - heavy
        able = [m for m in grunts if m["name"] not in TROOPS or TROOPS[m["name"]]["weapons"] == "any"]
        bare = sum(m["count"] for m in able if m not in armed)
        if heavy * ratio > others + bare:
            bad.add("fw.restricted")
        elif heavy * ratio > others:
            ask.add("fw.restricted")
