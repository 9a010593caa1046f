"""A second, simple check of Battle Mode forces, with names spelt as in the data; shares no code with the first."""

import json
import re
from collections import Counter
from dataclasses import dataclass, field
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_UP, Decimal
from functools import lru_cache
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
HEAVY["2022-community"] = HEAVY["2021-01"]
HEAVY["2024-community"] = HEAVY["2021-01"] | {
    *("Admiral's Friend", "Eugene", "Fawkes' Gatling Laser", "Harpoon Gun", "Mortar Launcher", "Space Laser"),
    *("Floater Fireball", "Floater Flamethrower", "Floater Freezer Breath"),
    *("Scorchbeast Queen Scream", "Scorchbeast Sonic Scream"),
}
NO_MOD = {*("Power Armor", "Clothing", "Chems", "Food", "Alcohol", "Gear", "Thrown", "Mines", "Automatron")}
BANNED = ["boost", "event", "explore", "danger", "stranger", "creature", "quest", "solo", "settlement"]
ROUNDINGS = (ROUND_HALF_UP, ROUND_FLOOR, ROUND_CEILING)


@dataclass(frozen=True)
class Lists:
    raw: dict[str, Any]
    cost: dict[str, int]
    kind: dict[str, str]
    printed: set[str]
    """Items that only models with them built in have."""
    entries: dict[str, list[tuple[str, dict[str, Any]]]]
    """Each model's name with the factions that list it, in the file's order."""
    bounds: dict[tuple[int, str], tuple[list[str], list[str]]] = field(default_factory=dict)
    """What ``sure_and_doubtful`` has found, by the entry's ``id`` and the table."""

    def no_mod(self, item: str) -> bool:
        kinds = {kind for fitted in self.raw.get("mod_kinds", {}).values() for kind in fitted}
        return self.kind[item] not in kinds if kinds else self.kind[item] in NO_MOD


def lists_of(file: str) -> Lists:
    raw = json.loads((DATA / file).read_text(encoding="utf-8"))
    entries: dict[str, list[tuple[str, dict[str, Any]]]] = {}
    for faction in raw["factions"]:
        for model in faction["models"]:
            entries.setdefault(model["name"], []).append((faction["name"], model))
    cost = {name: caps for group in raw["items"] for name, caps in group["caps"].items()}
    kind = {name: group["kind"] for group in raw["items"] for name in group["caps"]}
    printed = {name for group in raw["items"] if group.get("printed") for name in group["caps"]}
    return Lists(raw, cost, kind, printed, entries)


def packs_of(lists: Lists, entry: dict[str, Any]) -> list[dict[str, Any]]:
    return [pack for pack in lists.raw.get("packs", []) if pack["name"] in entry.get("packs", [])]


WORN = {"Armor", "Power Armor", "Clothing"}
ARMS = {"Heavy", "Rifles", "Pistols", "Melee", "Thrown", "Mines"}
BEASTS = {"Robot", "Creature", "Dog"}
TABLES = ("items", "mods", "perks", "leader_cards")


def sure_and_doubtful(lists: Lists, entry: dict[str, Any], table: str) -> tuple[list[str], list[str]]:
    """What the model may have of a table, and what the organiser is asked about, from the facts of the lists' source.

    The tag of a synth takes away what is worn; a lacking pack Power Armor, power armour; built-in weapons of a robot,
    creature or dog, all others. Of the rest such a model keeps what is marked for it; if its pack marks nothing for its
    like, the organiser is asked.
    """
    key = (id(entry), table)
    if key not in lists.bounds:
        lists.bounds[key] = _sure_and_doubtful(lists, entry, table)
    return lists.bounds[key]


def allowed(lists: Lists, entry: dict[str, Any], table: str) -> list[str]:
    return sure_and_doubtful(lists, entry, table)[0]


def perhaps_allowed(lists: Lists, entry: dict[str, Any], table: str) -> list[str]:
    sure, doubtful = sure_and_doubtful(lists, entry, table)
    return [*sure, *doubtful]


def _sure_and_doubtful(lists: Lists, entry: dict[str, Any], table: str) -> tuple[list[str], list[str]]:
    packs, raw = packs_of(lists, entry), lists.raw
    shares = raw.get("shares", {}) if table == "perks" else {}
    everything = [*lists.cost] if table == "items" else [*raw[table], *shares]
    if entry.get("options_unknown"):
        return [*entry.get("usual", {})] if table == "items" else [], everything
    if table != "items" and not packs:
        return everything, []
    own = [name for listed in entry.get("may_carry", {}).values() for name in listed] if table == "items" else []
    own += entry.get("usual", {}) if table == "items" else []
    tags, needs, bars = set(entry.get("tags", [])), raw.get("needs_tag", {}), raw.get("bars_tag", {})
    beast = tags & BEASTS
    taken: set[str] = {name for name, tag in needs.items() if table != "mods" and not set(tag) <= tags}
    taken |= {name for name, tag in bars.items() if table != "mods" and set(tag) & tags}
    if table == "items":
        held = any(pack["name"] == "Power Armor" and pack.get("items") for pack in raw.get("packs", []))
        lacks = held and "Power Armor" not in entry.get("packs", [])
        taken |= {name for name, kind in lists.kind.items() if kind == "Power Armor" and lacks}
        taken |= {name for name, kind in lists.kind.items() if kind in WORN and "Synth" in tags}
        armed = any(lists.kind.get(name) in ARMS for name in entry.get("built_in", []))
        taken |= {name for name, kind in lists.kind.items() if kind in ARMS and beast and armed}
    sure, doubtful = [*own], list[str]()
    for pack in packs:
        inside = [name for name in pack.get(table, []) if name not in taken]
        marked = [name for name in inside if not beast or table == "mods" or beast & set(needs.get(name, []))]
        sure += marked
        if not any(beast & set(needs.get(name, [])) for kind in TABLES for name in pack.get(kind, [])):
            doubtful += inside
        doubtful += [name for name in pack.get("perhaps", []) if name in everything and name not in taken]
    if table == "items":
        held_somewhere = {name for pack in raw.get("packs", []) for name in pack.get("items", [])}
        doubtful += [
            name for name, caps in lists.cost.items() if has_no_cost(lists, name, caps) and name not in held_somewhere
        ]
    if table == "mods":
        doubtful += [name for name, kinds in raw.get("mod_kinds", {}).items() if set(kinds) & tags]
    return sure, [name for name in doubtful if name not in sure]


def for_model(lists: Lists, entry: dict[str, Any] | None, mod: str) -> bool:
    """Whether a mod is for the model itself."""
    return bool(entry) and not set(lists.raw.get("mod_kinds", {}).get(mod, [])).isdisjoint(entry.get("tags", []))  # type: ignore[union-attr]


def misfits(lists: Lists, entry: dict[str, Any] | None, mod: str, item: str) -> bool:
    """Whether these lists say that a mod fits neither the item nor the model."""
    kinds = lists.raw.get("mod_kinds", {}).get(mod)
    return kinds is not None and lists.kind[item] not in kinds and not for_model(lists, entry, mod)


def loosely(name: str) -> str:
    """A name for meeting it in other lists."""
    return re.sub(r"[^a-z0-9]", "", name.lower().replace("armour", "armor"))


@lru_cache
def later() -> Lists:
    return lists_of("edition_2024_community.json")


@lru_cache
def later_names() -> dict[tuple[str, str], str]:
    """The later lists' names by sort and loose spelling."""
    lists = later()
    named = [("mod", name) for name in lists.raw["mods"]] + [("item", name) for name in lists.cost]
    named += [("model", name) for name in lists.entries]
    known = {(sort, loosely(name)): name for sort, name in named}
    for alias, name in lists.raw["aliases"].items():
        known |= {(sort, loosely(alias)): name for sort, other in named if other == name}
    return known


def misfits_later(where: str, entry: dict[str, Any], mod: str, item: str) -> bool:
    """Whether the later lists know both names, and say that the mod fits neither the item nor the model."""
    known = later_names()
    model = known.get(("model", loosely(entry["name"])))
    rows = later().entries.get(model, []) if model else []
    row = next((one for faction, one in rows if faction == where), rows[0][1] if rows else None)
    there = known.get(("mod", loosely(mod)))
    if row:
        meant = mod_meant(later(), row, there or mod)
        there = meant if meant in later().raw["mods"] else there
    thing = known.get(("item", loosely(item)))
    return there is not None and thing is not None and misfits(later(), row, there, thing)


def may_be_heroic(lists: Lists, entry: dict[str, Any]) -> bool:
    unknown = bool(entry.get("options_unknown"))
    return unknown or bool(entry.get("heroic")) or any(pack.get("heroic") for pack in packs_of(lists, entry))


def share_cost(base: int, percent: int, rounding: str) -> int:
    with_share = Decimal(base) * (100 + percent) / 100
    return int(with_share.quantize(Decimal(1), rounding=rounding)) - base


def mod_meant(lists: Lists, entry: dict[str, Any] | None, mod: str) -> str:
    """The mod that a name means on this model: the only one in its packs that adds a word in brackets, if any."""
    theirs = allowed(lists, entry, "mods") if entry and entry.get("packs") else []
    longer = [name for name in theirs if name.startswith(f"{mod} (")]
    meant = longer[0] if len(longer) == 1 and mod not in theirs else mod
    return meant if meant in lists.raw["mods"] else lists.raw.get("aliases", {}).get(meant.lower(), meant)


def has_no_cost(lists: Lists, name: str, caps: int | None) -> bool:
    """Whether the lists have this name and do not say what it costs."""
    return caps == 0 and name in lists.raw.get("no_cost", [])


def simple_check(force: dict[str, Any], size: int, lists: Lists) -> tuple[int, set[str], set[str]]:
    """The total, the broken rules, and the rules with queries."""
    raw, heavies = lists.raw, HEAVY[lists.raw["id"]]
    shares, leader_cards = raw.get("shares", {}), raw["leader_cards"]
    total, heavy, leaders, cards = 0, 0, 0, 0
    readings = [0] * 6
    broken = true_of(
        {"bm.faction": force["faction"] not in {f["name"] for f in raw["factions"] if f.get("fielded", True)}}
    )
    asked = set[str]()
    people, perhaps = list[str](), list[str]()
    free_names = raw.get("names_built_in", False)
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
            and (not leads or (entry and card not in perhaps_allowed(lists, entry, "leader_cards"))),
        })  # fmt: skip
        doubted_card = entry and card in sure_and_doubtful(lists, entry, "leader_cards")[1]
        asked |= true_of({"bm.leader-card": doubted_card and not entry.get("options_unknown")})  # type: ignore[union-attr]
        unknown = bool(entry and entry.get("options_unknown"))
        extras = [
            bool(heroic),
            card in leader_cards,
            *(p in shares or p in raw["perks"] for p in line.get("perks", [])),
        ]
        unpriced = [(line["name"], entry["caps"] if entry else None), (card, leader_cards.get(card))]
        unpriced += [(perk, raw["perks"].get(perk)) for perk in line.get("perks", [])]
        if entry:
            asked |= true_of({"bm.unique": entry.get("stage")})
            people += [entry["name"] if entry.get("stage") else entry["unique"]] if "unique" in entry else []
            perhaps += [entry["perhaps_unique"]] if "perhaps_unique" in entry else []
            resting["unique", where, entry["name"], ""] += 1
            resting["heroic", where, entry["name"], ""] += bool(heroic)
        bought += raw["heroic_caps"] * bool(heroic) + leader_cards.get(card, 0)
        leaders += bool(leads)
        cards += card in leader_cards
        for perk in line.get("perks", []):
            known = perk in shares or perk in raw["perks"]
            ratios += [shares[perk]] if perk in shares else []
            bought += 0 if perk in shares else raw["perks"].get(perk, 0)
            doubted = entry and perk in sure_and_doubtful(lists, entry, "perks")[1]
            broken |= true_of({
                "bm.cost": not known,
                "bm.perk": known and entry and perk not in perhaps_allowed(lists, entry, "perks"),
            })  # fmt: skip
            doubted = doubted and not unknown
            asked |= true_of({"bm.perk": known and (line["perks"].count(perk) > 1 or perk in built_in or doubted)})
        unbought = set(built_in) if free_names else set()
        unpaid = dict(entry.get("free_mods", {})) if entry else {}
        own_mods = 0
        for item in line.get("items", []):
            count, name = item.get("count", 1), item["name"]
            mods = [mod_meant(lists, entry, m) for m in item.get("mods", [])]
            stray = mod_meant(lists, entry, name) if name not in lists.cost else ""
            gift = int(name in unbought and name in lists.cost)
            unbought -= {name} if gift else set()
            given = {m for m in mods if count == 1 and m in unpaid and unpaid[m] in (name, lists.kind.get(name))}
            for m in given:
                del unpaid[m]
            bought += (count - gift) * lists.cost.get(name, 0)
            bought += count * sum(raw["mods"].get(m, 0) for m in [*mods, stray])
            bought -= sum(raw["mods"][m] for m in given)
            heavy += (count - gift) * (name in heavies)
            unpriced += [(m, raw["mods"].get(m)) for m in [*mods, stray]]
            unpriced += [(name, lists.cost.get(name))]
            new = name in lists.cost and name not in [*entry.get("usual", {}), *built_in] if entry else False
            extras += [new, any(m in raw["mods"] and m not in built_in for m in [*mods, stray])]
            on_model = for_model(lists, entry, stray)
            own_mods += count * on_model
            broken |= true_of({
                "bm.mod": stray in raw["mods"]
                and not (on_model and entry and stray in perhaps_allowed(lists, entry, "mods")),
                "bm.cost": (stray and stray not in raw["mods"]) or any(m not in raw["mods"] for m in mods),
            })  # fmt: skip
            doubted = entry and stray in sure_and_doubtful(lists, entry, "mods")[1]
            asked |= true_of({"bm.mod": on_model and doubted and not unknown})
            if stray:
                continue
            copies[name] += count
            broken |= true_of({"bm.mod": len(mods) > 1 or (mods and lists.no_mod(name))})
            if entry:
                listed, doubtful = sure_and_doubtful(lists, entry, "items")
                sure_mods, asked_mods = sure_and_doubtful(lists, entry, "mods")
                gifts = [m for m, where in entry.get("free_mods", {}).items() if where in (name, lists.kind[name])]
                free = lists.cost[name] == 0 and not has_no_cost(lists, name, 0)
                broken |= true_of({
                    "bm.mod": not unknown and any(
                        misfits(lists, entry, m, name) or m not in [*sure_mods, *asked_mods, *gifts]
                        for m in mods
                        if m in raw["mods"]
                    ),
                    "bm.carry": False if unknown else name not in built_in if name in lists.printed
                    else name not in listed and name not in doubtful and not free and count > gift,
                })  # fmt: skip
                asked |= true_of({
                    "bm.mod": any(
                        {m, f"{m} (on {name})"} & set(built_in) for m in mods if m not in given and m in raw["mods"]
                    )
                    or (not unknown and any(
                        m in asked_mods and m not in gifts and not misfits(lists, entry, m, name) for m in mods
                    ))
                    or ("mod_kinds" not in raw and any(
                        m in raw["mods"] and misfits_later(where, entry, m, name) for m in mods
                    )),
                    "bm.carry": not unknown and name not in listed and name not in lists.printed
                    and ((name in doubtful and count > gift) or (free and name not in built_in)),
                })  # fmt: skip
                resting["carry", where, entry["name"], name] += 1
        broken |= true_of({"bm.mod": own_mods > 2})
        asked |= true_of({
            "bm.carry": unknown and any(extras),
            "bm.cost": any(has_no_cost(lists, name, caps) for name, caps in unpriced if name not in built_in),
        })  # fmt: skip
        total += own + bought + sum(share_cost(own, ratio, ROUND_HALF_UP) for ratio in ratios)
        for n, (base, rounding) in enumerate((b, r) for b in (own, own + bought) for r in ROUNDINGS):
            readings[n] += own + bought + sum(share_cost(base, ratio, rounding) for ratio in ratios)
    for kind, name in ((card["kind"].lower(), card["name"]) for card in force.get("cards", [])):
        leader = kind == "leader" and name in leader_cards
        caps = leader_cards[name] if leader else 0
        total, readings = total + caps, [one + caps for one in readings]
        asked |= true_of({"bm.cost": leader and has_no_cost(lists, name, caps)})
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
