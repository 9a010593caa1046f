"""Edition files made up from dice: legal ones, damaged ones, and ones with a single change of a known sort."""

import copy
from random import Random
from typing import Any

Document = dict[str, Any]

ODD_VALUES: list[Any] = [
    None, True, False, 0, 1, -1, 7, 10_000, 10**20, 0.5, "", " ", "x", "x ", " x", "a\nb", "a\u202eb", "2027-01-01",
    "2027-1-1", "é", "x" * 81, "x" * 401, "Caps 1", "battle_mode", "caps", [], {}, [[]], [1], {"name": "x"}, ["x", "x"],
]  # fmt: skip
"""What a value is replaced by. No whole float: for JSON Schema 1.0 is a whole number, for the reader it is none."""


def random_edition(dice: Random) -> Document:
    """A document that ``read_edition`` takes, with packs and named items, aliases and disputed facts."""
    kinds = ["Rifles", "Melee", "Gear", "Hüte"][: dice.randint(1, 4)]
    groups: list[Document] = [
        {
            "category": dice.choice(["Weapons", "Items"]), "kind": kind, "heavy": heavy,
            "takes_mod": dice.random() < 0.5,
            "caps": {f"{kind} {'heavy ' * heavy}{n}": dice.randint(0, 90) for n in range(dice.randint(0, 4))},
        }
        for kind in kinds
        for heavy in ([False, True] if dice.random() < 0.3 else [False])
    ]  # fmt: skip
    items = {name: group["kind"] for group in groups for name in group["caps"]}
    mods = {f"Mod {n}": dice.randint(0, 20) for n in range(dice.randint(0, 4))}
    perks = {f"Perk {n}": dice.randint(1, 20) for n in range(dice.randint(0, 4))}
    shares = {f"Share {n}": dice.choice([-20, 15, 33]) for n in range(dice.randint(0, 2))}
    cards = {f"Card {n}": dice.randint(0, 20) for n in range(dice.randint(0, 3))}

    def some(names: Any) -> list[str]:
        return [name for name in names if dice.random() < 0.5]

    packs = [
        {
            "name": f"Pack {n}", "heroic": dice.random() < 0.5, "items": some(items), "mods": some(mods),
            "perks": some([*perks, *shares]), "leader_cards": some(cards), "perhaps": some(items),
        }
        for n in range(dice.randint(0, 3))
    ]  # fmt: skip

    def model(faction: int, n: int) -> Document:
        row: Document = {
            "name": f"Model {faction}.{n}" if dice.random() < 0.7 else f"Model {n}",
            "caps": dice.randint(1, 99),
        }
        person = dice.choice([None, None, "unique", "perhaps_unique"])
        if person:
            row[person] = f"Person {dice.randint(0, 2)}"
        if dice.random() < 0.5:
            row["heroic"] = True
        if dice.random() < 0.3:
            row["built_in"] = ["Bite (built in)"]
        if dice.random() < 0.6:
            named = some(items)
            row["may_carry"] = {k: own for k in kinds if (own := [name for name in named if items[name] == k])}
        if packs and dice.random() < 0.6:
            row["packs"] = some([pack["name"] for pack in packs])
        return row

    factions = []
    for f in range(dice.randint(1, 3)):
        rows = {row["name"]: row for row in (model(f, n) for n in range(dice.randint(0, 4)))}
        factions.append({"name": f"Faction {f}", "fielded": dice.random() < 0.8, "models": list(rows.values())})
    priced = [*items, *mods, *perks, *shares, *cards]
    document: Document = {
        "system": "battle_mode", "id": f"made-up-{dice.randint(0, 9)}", "name": "Made up",
        "date": f"20{dice.randint(18, 30)}-0{dice.randint(1, 9)}-1{dice.randint(0, 9)}", "source": "dice",
        "notes": ["A note."] * dice.randint(0, 2), "partial": dice.random() < 0.3,
        "heroic_caps": dice.choice([60, 50]), "factions": factions, "packs": packs, "items": groups,
        "leader_cards": cards, "perks": perks, "shares": shares, "mods": mods,
        "aliases": {f"alias {n}": dice.choice(priced) for n in range(2) if priced},
    }  # fmt: skip
    priced_items = [(name, caps) for group in groups for name, caps in group["caps"].items()]
    if priced_items:
        name, caps = dice.choice(priced_items)
        document["disputed"] = [{"fact": "caps", "item": name, "here": caps, "there": caps + 1}]
    return document


def damaged(document: Document, dice: Random) -> Document:
    """The document with one thing left out, added or put in another's place, anywhere."""
    broken = copy.deepcopy(document)
    container, key = dice.choice(spots(broken))
    match dice.randint(0, 3):
        case 0:
            del container[key]
        case 1 if isinstance(container, dict):
            odd = dice.choice(["caps", "x", "", "a\u202eb", "name", "x" * 81])
            container[odd] = copy.deepcopy(dice.choice(ODD_VALUES))
        case _:
            container[key] = copy.deepcopy(dice.choice(ODD_VALUES))
    return broken


def spots(node: Any) -> list[tuple[Any, Any]]:
    """Every container of a JSON tree with each of its keys."""
    keys = list(node) if isinstance(node, dict) else list(range(len(node))) if isinstance(node, list) else []
    return [(node, key) for key in keys] + [spot for key in keys for spot in spots(node[key])]
