"""A second, simple check of Battle Mode forces, with names spelt as in the data; shares no code with the first."""

import json
from collections import Counter
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import Any

from tests.kit.conditions import true_of

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


def allowed(lists: Lists, entry: dict[str, Any], table: str) -> list[str]:
    packs = packs_of(lists, entry)
    if table != "items" and not packs:
        return [*lists.raw[table], *(lists.raw.get("shares", {}) if table == "perks" else {})]
    own = [name for listed in entry.get("may_carry", {}).values() for name in listed] if table == "items" else []
    return own + [name for pack in packs for name in pack.get(table, [])]


def perhaps_in_a_pack(lists: Lists, entry: dict[str, Any]) -> list[str]:
    return [name for pack in packs_of(lists, entry) for name in pack.get("perhaps", [])]


def may_be_heroic(lists: Lists, entry: dict[str, Any]) -> bool:
    return bool(entry.get("heroic")) or any(pack.get("heroic") for pack in packs_of(lists, entry))


def share_cost(base: int, percent: int, rounding: str) -> int:
    with_share = Decimal(base) * (100 + percent) / 100
    return int(with_share.quantize(Decimal(1), rounding=rounding)) - base


def mod_meant(lists: Lists, entry: dict[str, Any] | None, mod: str) -> str:
    """The mod that a name means on this model: the only one in its packs that adds a word in brackets, if any."""
    theirs = allowed(lists, entry, "mods") if entry and entry.get("packs") else []
    longer = [name for name in theirs if name.startswith(f"{mod} (")]
    return longer[0] if len(longer) == 1 and mod not in theirs else mod


def simple_check(force: dict[str, Any], size: int, lists: Lists) -> tuple[int, set[str], set[str]]:
    """The total, the broken rules, and the rules with queries."""
    raw, heavies = lists.raw, HEAVY[lists.raw["id"]]
    shares, leader_cards = raw.get("shares", {}), raw["leader_cards"]
    total, heavy, leaders, cards = 0, 0, 0, 0
    readings = [0] * 6
    broken = true_of({"bm.faction": force["faction"] not in {f["name"] for f in raw["factions"] if f["fielded"]}})
    asked = set[str]()
    people, perhaps = list[str](), list[str]()
    resting: Counter[tuple[str, str, str, str]] = Counter()
    copies: Counter[str] = Counter()
    for line in (one for one in force["models"] for _ in range(one.get("count", 1))):
        entries = lists.entries.get(line["name"], [])
        where, entry = next((pair for pair in entries if pair[0] == force["faction"]), [*entries, ("", None)][0])
        own, bought, ratios = entry["caps"] if entry else 0, 0, []
        built_in = entry.get("built_in", []) if entry else []
        heroic, leads, card = line.get("heroic"), line.get("leader"), line.get("leader_card")
        broken |= true_of({
            "bm.cost": entry is None or (card and card not in leader_cards),
            "bm.faction": entry and where != force["faction"],
            "bm.heroic": heroic and entry and not may_be_heroic(lists, entry),
            "bm.leader-card": card in leader_cards
            and (not leads or (entry and card not in allowed(lists, entry, "leader_cards"))),
        })  # fmt: skip
        if entry:
            people += [entry["unique"]] if "unique" in entry else []
            perhaps += [entry["perhaps_unique"]] if "perhaps_unique" in entry else []
            resting["unique", where, entry["name"], ""] += 1
            resting["heroic", where, entry["name"], ""] += bool(heroic)
        bought += 60 * bool(heroic) + leader_cards.get(card, 0)
        leaders += bool(leads)
        cards += card in leader_cards
        for perk in line.get("perks", []):
            known = perk in shares or perk in raw["perks"]
            ratios += [shares[perk]] if perk in shares else []
            bought += 0 if perk in shares else raw["perks"].get(perk, 0)
            broken |= true_of({
                "bm.cost": not known, "bm.perk": known and entry and perk not in allowed(lists, entry, "perks"),
            })  # fmt: skip
            asked |= true_of({"bm.perk": known and (line["perks"].count(perk) > 1 or perk in built_in)})
        for item in line.get("items", []):
            count, name = item.get("count", 1), item["name"]
            mods = [mod_meant(lists, entry, m) for m in item.get("mods", [])]
            stray = mod_meant(lists, entry, name) if name not in lists.cost else ""
            bought += count * (lists.cost.get(name, 0) + sum(raw["mods"].get(m, 0) for m in [*mods, stray]))
            heavy += count * (name in heavies)
            broken |= true_of({
                "bm.mod": stray in raw["mods"],
                "bm.cost": (stray and stray not in raw["mods"]) or any(m not in raw["mods"] for m in mods),
            })  # fmt: skip
            if stray:
                continue
            copies[name] += count
            broken |= true_of({"bm.mod": len(mods) > 1 or (mods and lists.kind[name] in NO_MOD)})
            if entry:
                listed, doubtful = allowed(lists, entry, "items"), perhaps_in_a_pack(lists, entry)
                free = lists.cost[name] == 0
                broken |= true_of({
                    "bm.mod": any(m in raw["mods"] and m not in allowed(lists, entry, "mods") for m in mods),
                    "bm.carry": name not in listed and name not in doubtful and not free,
                })  # fmt: skip
                asked |= true_of({
                    "bm.mod": any(f"{m} (on {name})" in built_in for m in mods),
                    "bm.carry": name not in listed and (name in doubtful or (free and name not in built_in)),
                })  # fmt: skip
                resting["carry", where, entry["name"], name] += 1
        total += own + bought + sum(share_cost(own, ratio, ROUND_HALF_UP) for ratio in ratios)
        for n, (base, rounding) in enumerate((b, r) for b in (own, own + bought) for r in ROUNDINGS):
            readings[n] += own + bought + sum(share_cost(base, ratio, rounding) for ratio in ratios)
    for kind, name in ((card["kind"].lower(), card["name"]) for card in force.get("cards", [])):
        leader = kind == "leader" and name in leader_cards
        caps = leader_cards[name] if leader else 0
        total, readings = total + caps, [one + caps for one in readings]
        broken.add("bm.banned" if kind in BANNED else "bm.leader-card" if leader else "bm.cost")
    broken |= true_of({
        "bm.size": total > size, "bm.heavy": heavy > max(0, size // 250 - 1), "bm.leader": leaders != 1,
        "bm.leader-card": cards > 1, "bm.unique": any(times > 1 for times in Counter(people).values()),
    })  # fmt: skip
    asked |= true_of({
        "bm.cost": any((one > size) != (total > size) for one in readings),
        "bm.unique": any((people + perhaps).count(person) > 1 for person in perhaps),
    })  # fmt: skip
    for dispute in raw["disputed"]:
        fact = dispute["fact"]
        times = resting[fact, dispute.get("faction", ""), dispute.get("model", ""), dispute.get("item", "")]
        if fact == "caps":
            other = total + copies[dispute["item"]] * (dispute["there"] - dispute["here"])
            asked |= true_of({"bm.size": (other > size) != (total > size)})
        elif times > (1 if fact == "unique" else 0):
            asked.add(f"bm.{fact}")
    return total, broken, asked
