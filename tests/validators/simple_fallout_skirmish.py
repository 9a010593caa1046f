"""A second, deliberately simple check of Fallout Skirmish groups: plain loops over the edition's JSON."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

from tests.kit.conditions import true_of

DATA = Path(__file__).parents[2] / "validators" / "fallout_skirmish" / "data" / "edition_rulebook.json"
LISTS: dict[str, Any] = json.loads(DATA.read_text(encoding="utf-8"))
GROUPS = {row["name"]: group for group in LISTS["items"] for row in group["rows"]}
PRICES = {row["name"]: row["caps"] for group in LISTS["items"] for row in group["rows"]}


def simple_check(document: dict[str, Any], size: int) -> tuple[int, int, set[str], set[str]]:
    """The cost, the rating, the broken rules and the rules with queries, of a group with the edition's spelling."""
    force = next(one for one in LISTS["forces"] if one["name"] == document["faction"])
    own = {rank["name"]: rank for rank in force["ranks"]}
    other_names = {name: rank["name"] for rank in force["ranks"] for name in rank.get("also", [])}
    armour = {row["name"]: row for row in force["armour"]}
    foreign = {rank["name"]: rank for one in reversed(LISTS["forces"]) for rank in one["ranks"]}
    people = [model for model in document["models"] for _ in range(model.get("count", 1))]
    total = experience = guns = stimpaks = at_home = unbought = 0
    bad, asked = set[str](), set[str]()
    number: Counter[str] = Counter()
    charismas, leaders = [], []
    for person in people:
        name = other_names.get(person["rank"], person["rank"])
        rank, mine = own.get(name) or foreign.get(name), name in own
        if rank:
            total += rank["caps"]
            experience += rank["experience"]
            charismas.append(rank["special"][3])
            number[name] += mine
        if person.get("leader"):
            leaders.append(rank["special"][3] if rank else 99)
        pieces, covered = 0, False
        grenades: Counter[str] = Counter()
        for item, copies in ((item["name"], item.get("count", 1)) for item in person.get("items", [])):
            if PRICES.get(item) is None:  # unknown, or built and never bought
                bad.add("fs.cost")
                continue
            kind = GROUPS[item]
            fits = item in armour and name in armour[item]["ranks"]
            total += copies * (armour[item]["caps"] if item in armour else force["weapons"].get(item, PRICES[item]))
            guns += copies * kind.get("big_gun", False)
            stimpaks += copies * (item == "Stimpak")
            pieces += copies * (mine and kind.get("armour", False))
            covered = covered or fits
            grenades[item] += copies * kind.get("lasting", False)
            bad |= true_of({
                "fs.big-gun-carrier": kind.get("big_gun") and mine and name not in force["big_gun_ranks"],
                "fs.armour": kind.get("armour") and mine and not fits,
                "fs.list": not kind.get("armour") and item != "Stimpak" and item not in force["weapons"],
            })  # fmt: skip
        bad |= true_of({
            "fs.cost": rank is None, "fs.force": rank and not mine, "fs.armour": pieces > 1,
            "fs.perk": any(perk != "Leader" or not person.get("leader") for perk in person.get("perks", [])),
        })  # fmt: skip
        at_home += mine and name in force["must_wear"] and not covered
        unbought += mine and name == "Commander" and not covered
        asked |= true_of({"fs.grenade": any(copies > 1 for copies in grenades.values())})
    turfs = document.get("turfs", [])
    listed = [row["name"] for row in LISTS["turfs"]]
    bad |= true_of({
        "fs.allowance": any(number[rank["name"]] > rank["most"] for rank in force["ranks"]),
        "fs.leader": not number[force["ranks"][-1]["name"]], "fs.group": len(people) > force["group_most"],
        "fs.must-wear": unbought or (at_home and at_home == len(people)),
        "fs.charisma": len(leaders) != 1 or (charismas and max(charismas) > leaders[0]),
        "fs.big-guns": guns > len(people) // force["big_gun_per"], "fs.stimpak": stimpaks > 3, "fs.size": total > size,
        "fs.turf": len(turfs) not in (0, 3) or any(turf not in listed for turf in turfs),
    })  # fmt: skip
    asked |= true_of({"fs.stimpak": stimpaks, "fs.must-wear": unbought < at_home < len(people)})
    return total, total + experience + 50 * len(turfs), bad, asked
