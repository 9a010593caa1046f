"""A second, deliberately simple check of Fallout Skirmish groups: plain loops over the edition's JSON."""

import json
from pathlib import Path
from typing import Any

DATA = Path(__file__).parents[2] / "validators" / "fallout_skirmish" / "data" / "edition_rulebook.json"
LISTS: dict[str, Any] = json.loads(DATA.read_text(encoding="utf-8"))
GROUPS = {row["name"]: group for group in LISTS["items"] for row in group["rows"]}
PRICES = {row["name"]: row["caps"] for group in LISTS["items"] for row in group["rows"]}


def simple_check(document: dict[str, Any], size: int) -> tuple[int, int, set[str], set[str]]:
    """The cost, the rating, the rules broken and the rules asked about, of a group with names as the edition spells."""
    force = next(one for one in LISTS["forces"] if one["name"] == document["faction"])
    own = {rank["name"]: rank for rank in force["ranks"]}
    other_names = {name: rank["name"] for rank in force["ranks"] for name in rank.get("also", [])}
    armour = {row["name"]: row for row in force["armour"]}
    foreign = {rank["name"]: rank for one in reversed(LISTS["forces"]) for rank in one["ranks"]}
    people = [model for model in document["models"] for _ in range(model.get("count", 1))]
    total = experience = guns = stimpaks = 0
    bad: set[str] = set()
    asked: set[str] = set()
    number: dict[str, int] = {}
    charismas, leaders = [], []
    for written in people:
        person = written | {"rank": other_names.get(written["rank"], written["rank"])}
        rank = own.get(person["rank"]) or foreign.get(person["rank"])
        mine = person["rank"] in own
        if rank is None:
            bad.add("fs.cost")
        else:
            total += rank["caps"]
            experience += rank["experience"]
            charismas.append(rank["special"][3])
            number[person["rank"]] = number.get(person["rank"], 0) + mine
            if not mine:
                bad.add("fs.force")
        if person.get("leader"):
            leaders.append(rank["special"][3] if rank else 99)
        pieces, worn = 0, set()
        grenades: dict[str, int] = {}
        for item in person.get("items", []):
            name, copies = item["name"], item.get("count", 1)
            if PRICES.get(name) is None:  # unknown, or built and never bought
                bad.add("fs.cost")
                continue
            kind = GROUPS[name]
            total += copies * (armour[name]["caps"] if name in armour else force["weapons"].get(name, PRICES[name]))
            if kind.get("big_gun"):
                guns += copies
                if mine and person["rank"] not in force["big_gun_ranks"]:
                    bad.add("fs.big-gun-carrier")
            if kind.get("armour"):
                if mine:
                    pieces += copies
                    worn.add(name)
                    if name not in armour or person["rank"] not in armour[name]["ranks"]:
                        bad.add("fs.armour")
            elif name == "Stimpak":
                stimpaks += copies
                asked.add("fs.stimpak")
            elif name not in force["weapons"]:
                bad.add("fs.list")
            if kind.get("lasting"):
                grenades[name] = grenades.get(name, 0) + copies
        if pieces > 1:
            bad.add("fs.armour")
        if any(copies > 1 for copies in grenades.values()):
            asked.add("fs.grenade")
        covered = any(name in armour and person["rank"] in armour[name]["ranks"] for name in worn)
        if mine and person["rank"] in force["must_wear"] and not covered:
            bad.add("fs.must-wear")
        if any(perk != "Leader" or not person.get("leader") for perk in person.get("perks", [])):
            bad.add("fs.perk")
    if any(number.get(rank["name"], 0) > rank["most"] for rank in force["ranks"]):
        bad.add("fs.allowance")
    if not number.get(force["ranks"][-1]["name"]):
        bad.add("fs.leader")
    if len(people) > force["group_most"]:
        bad.add("fs.group")
    if len(leaders) != 1 or (charismas and max(charismas) > leaders[0]):
        bad.add("fs.charisma")
    if guns > len(people) // force["big_gun_per"]:
        bad.add("fs.big-guns")
    if stimpaks > 3:
        bad.add("fs.stimpak")
    if total > size:
        bad.add("fs.size")
    turfs = document.get("turfs", [])
    if len(turfs) not in (0, 3) or any(turf not in [row["name"] for row in LISTS["turfs"]] for turf in turfs):
        bad.add("fs.turf")
    return total, total + experience + 50 * len(turfs), bad, asked
