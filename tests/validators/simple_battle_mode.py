"""A second Battle Mode checker, deliberately simple: written from the rules and the data files, by plain loops.

It shares no code with the package. It expects names spelt as in the data file, or unknown ones.
"""

import json
from collections import Counter
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import Any

DATA = Path(__file__).parents[2] / "validators" / "battle_mode" / "data"
HEAVY = {
    "2018-08": {"Broadsider", "Gatling Laser", "Minigun", "Missile Launcher"},
    "2021-01": {
        *("Broadsider", "Light Machine Gun", "Minigun", "Missile Launcher", "Fat Man", "Final Judgement"),
        *("Gatling Laser", "Heavy Incinerator", "Incinerator", "Tesla Cannon", "Freezing Junk Jet", "Junk Jet"),
        *("Securitron Gatling Laser", "Securitron Missile Launcher"),
    },
}
NO_MOD = {*("Power Armor", "Clothing", "Chems", "Food", "Alcohol", "Gear", "Thrown", "Mines", "Automatron")}
BANNED = ["boost", "event", "explore", "danger", "stranger", "creature", "quest", "solo", "settlement"]
ROUNDINGS = (ROUND_HALF_UP, ROUND_FLOOR, ROUND_CEILING)


@dataclass(frozen=True)
class Lists:
    """An edition as its file has it, and what of it is asked often."""

    raw: dict[str, Any]
    cost: dict[str, int]
    kind: dict[str, str]
    entries: dict[str, list[tuple[str, dict[str, Any]]]]
    """Each model's name with the factions that list it, in the file's order."""


def lists_of(file: str) -> Lists:
    raw = json.loads((DATA / file).read_text(encoding="utf-8"))
    entries: dict[str, list[tuple[str, dict[str, Any]]]] = {}
    for faction in raw["factions"]:
        for model in faction["models"]:
            entries.setdefault(model["name"], []).append((faction["name"], model))
    cost = {name: caps for group in raw["items"] for name, caps in group["caps"].items()}
    kind = {name: group["kind"] for group in raw["items"] for name in group["caps"]}
    return Lists(raw, cost, kind, entries)


def packs_of(lists: Lists, entry: dict[str, Any]) -> list[dict[str, Any]]:
    return [pack for pack in lists.raw.get("packs", []) if pack["name"] in entry.get("packs", [])]


def allowed(lists: Lists, entry: dict[str, Any], what: str) -> list[str]:
    """Names of items, mods, perks or Leader cards that this model may have."""
    packs = packs_of(lists, entry)
    names = [name for pack in packs for name in pack.get(what, [])]
    if what == "items":
        return names + [name for listed in entry.get("may_carry", {}).values() for name in listed]
    if not packs:
        return [*lists.raw[what], *(lists.raw.get("shares", {}) if what == "perks" else {})]
    return names


def perhaps_in_a_pack(lists: Lists, entry: dict[str, Any]) -> list[str]:
    """Items of which nobody knows whether this model's packs hold them."""
    return [name for pack in packs_of(lists, entry) for name in pack.get("perhaps", [])]


def may_be_heroic(lists: Lists, entry: dict[str, Any]) -> bool:
    """By its own row or by a pack."""
    return bool(entry.get("heroic")) or any(pack.get("heroic") for pack in packs_of(lists, entry))


def share_cost(base: int, percent: int, rounding: str) -> int:
    """What so many per cent add to a cost that is then rounded to whole Caps."""
    with_share = Decimal(base) * (100 + percent) / 100
    return int(with_share.quantize(Decimal(1), rounding=rounding)) - base


def mod_meant(lists: Lists, entry: dict[str, Any] | None, mod: str) -> str:
    """The mod that a name means on this model: where its packs hold only one whose name goes on in brackets, that."""
    if entry and entry.get("packs") and mod not in allowed(lists, entry, "mods"):
        theirs = [name for name in allowed(lists, entry, "mods") if name.startswith(f"{mod} (")]
        if len(theirs) == 1:
            return theirs[0]
    return mod


def simple_check(force: dict[str, Any], size: int, lists: Lists) -> tuple[int, set[str], set[str]]:
    """Total, broken rules and rules under which something is asked."""
    raw, heavies = lists.raw, HEAVY[lists.raw["id"]]
    shares = raw.get("shares", {})
    total, heavy, leaders, cards = 0, 0, 0, 0
    readings = [0] * 6
    broken, asked = set[str](), set[str]()
    people, perhaps = list[str](), list[str]()
    resting: Counter[tuple[str, str, str, str]] = Counter()
    copies: Counter[str] = Counter()
    fielded = {f["name"] for f in raw["factions"] if f["fielded"]}
    if force["faction"] not in fielded:
        broken.add("bm.faction")
    for line in force["models"]:
        for _ in range(line.get("count", 1)):
            entry: dict[str, Any] | None = None
            where, own, bought, ratios = "", 0, 0, []
            entries = lists.entries.get(line["name"], [])
            if entries:
                where, entry = ([pair for pair in entries if pair[0] == force["faction"]] or entries)[0]
                if where != force["faction"]:
                    broken.add("bm.faction")
                own = entry["caps"]
                if "unique" in entry:
                    people.append(entry["unique"])
                if "perhaps_unique" in entry:
                    perhaps.append(entry["perhaps_unique"])
                resting["unique", where, entry["name"], ""] += 1
            else:
                broken.add("bm.cost")
            if line.get("heroic"):
                bought += 60
                if entry and not may_be_heroic(lists, entry):
                    broken.add("bm.heroic")
                if entry:
                    resting["heroic", where, entry["name"], ""] += 1
            if line.get("leader"):
                leaders += 1
            card = line.get("leader_card")
            if card in raw["leader_cards"]:
                bought += raw["leader_cards"][card]
                cards += 1
                if not line.get("leader") or (entry and card not in allowed(lists, entry, "leader_cards")):
                    broken.add("bm.leader-card")
            elif card:
                broken.add("bm.cost")
            for perk in line.get("perks", []):
                if perk in shares:
                    ratios.append(shares[perk])
                elif perk in raw["perks"]:
                    bought += raw["perks"][perk]
                else:
                    broken.add("bm.cost")
                    continue
                if entry and perk not in allowed(lists, entry, "perks"):
                    broken.add("bm.perk")
                if line["perks"].count(perk) > 1 or (entry and perk in entry.get("built_in", [])):
                    asked.add("bm.perk")
            for item in line.get("items", []):
                count, name = item.get("count", 1), item["name"]
                mods = [mod_meant(lists, entry, m) for m in item.get("mods", [])]
                stray = mod_meant(lists, entry, name) if name not in lists.cost else ""
                bought += count * (lists.cost.get(name, 0) + sum(raw["mods"].get(m, 0) for m in [*mods, stray]))
                if stray in raw["mods"]:
                    broken.add("bm.mod")
                elif stray:
                    broken.add("bm.cost")
                if any(m not in raw["mods"] for m in mods):
                    broken.add("bm.cost")
                if name in lists.cost:
                    copies[name] += count
                    if len(mods) > 1 or (mods and lists.kind[name] in NO_MOD):
                        broken.add("bm.mod")
                    if entry:
                        if any(built == f"{m} (on {name})" for built in entry.get("built_in", []) for m in mods):
                            asked.add("bm.mod")
                        if any(m in raw["mods"] and m not in allowed(lists, entry, "mods") for m in mods):
                            broken.add("bm.mod")
                        if name not in allowed(lists, entry, "items"):
                            if name in perhaps_in_a_pack(lists, entry):
                                asked.add("bm.carry")
                            elif lists.cost[name] > 0:
                                broken.add("bm.carry")
                            elif name not in entry.get("built_in", []):
                                asked.add("bm.carry")
                        resting["carry", where, entry["name"], name] += 1
                if name in heavies:
                    heavy += count
            total += own + bought + sum(share_cost(own, ratio, ROUND_HALF_UP) for ratio in ratios)
            for n, (base, rounding) in enumerate((b, r) for b in (own, own + bought) for r in ROUNDINGS):
                readings[n] += own + bought + sum(share_cost(base, ratio, rounding) for ratio in ratios)
    for card in force.get("cards", []):
        if card["kind"].lower() == "leader":
            if card["name"] in raw["leader_cards"]:
                total += raw["leader_cards"][card["name"]]
                readings = [one + raw["leader_cards"][card["name"]] for one in readings]
                broken.add("bm.leader-card")
            else:
                broken.add("bm.cost")
        else:
            broken.add("bm.banned" if card["kind"].lower() in BANNED else "bm.cost")
    if total > size:
        broken.add("bm.size")
    if any((one > size) != (total > size) for one in readings):
        asked.add("bm.cost")
    if heavy > max(0, size // 250 - 1):
        broken.add("bm.heavy")
    if leaders != 1:
        broken.add("bm.leader")
    if cards > 1:
        broken.add("bm.leader-card")
    if any(times > 1 for times in Counter(people).values()):
        broken.add("bm.unique")
    if any((people + perhaps).count(person) > 1 for person in perhaps):
        asked.add("bm.unique")
    for dispute in raw["disputed"]:
        fact = dispute["fact"]
        times = resting[fact, dispute.get("faction", ""), dispute.get("model", ""), dispute.get("item", "")]
        if fact == "caps":
            other = total + copies[dispute["item"]] * (dispute["there"] - dispute["here"])
            if (other > size) != (total > size):
                asked.add("bm.size")
        elif times > (1 if fact == "unique" else 0):
            asked.add(f"bm.{fact}")
    return total, broken, asked
