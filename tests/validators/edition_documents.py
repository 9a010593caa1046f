"""Edition files made up from dice: legal ones, damaged ones, and ones with a single change of a known sort."""

import copy
from random import Random
from typing import Any

Document = dict[str, Any]

ODD_VALUES: list[Any] = [
    None, True, False, 0, 1, -1, 7, 10_000, 10**20, 0.5, "", " ", "x", "x ", " x", "a\nb", "a\u202eb", "2027-01-01",
    "2027-1-1", "é", "x" * 81, "x" * 401, "Caps 1", "battle_mode", "caps", [], {}, [[]], [1], {"name": "x"}, ["x", "x"],
]  # fmt: skip
"""Values that replace others. No 1.0: it is a whole number for JSON Schema, but not for the reader."""


KINDS = [
    ("Weapons", "Heavy", True), ("Weapons", "Rifles", False), ("Weapons", "Melee", False),
    ("Armor", "Clothing", False), ("Items", "Chems", False),
]  # fmt: skip
SYLLABLES = ["ka", "lo", "mi", "nu", "re", "to", "va", "ze", "bri", "dun"]


def name_of(number: int) -> str:
    """A made-up name; names of different numbers are never mistaken for each other."""
    return (
        "".join(SYLLABLES[int(digit)] for digit in f"{number:03d}").capitalize() + f"'n {chr(65 + number % 7)}{number}"
    )


def random_edition(dice: Random) -> Document:
    numbers = iter(dice.sample(range(120), 120))

    def either() -> bool:
        return dice.random() < 0.5

    def table(most: int) -> dict[str, int]:
        return {name_of(next(numbers)): dice.randint(1, 400) for _ in range(dice.randint(0, most))}

    groups: list[Document] = [
        {"category": category, "kind": kind, "heavy": heavy, "takes_mod": either(), "caps": table(4)}
        for category, kind, heavy in dice.sample(KINDS, len(KINDS))
    ]
    items = [group for group in groups if group["caps"]]
    mods = table(4)
    if not mods:
        for group in items:
            group["takes_mod"] = False

    def model() -> Document:
        made: Document = {"name": name_of(next(numbers)), "caps": dice.randint(1, 400)}
        if either():
            made["heroic"] = True
        if either():
            made["built_in"] = [name_of(next(numbers))]
        carried = {group["kind"]: [name for name in group["caps"] if either()] for group in items}
        if any(carried.values()):
            made["may_carry"] = {kind: names for kind, names in carried.items() if names}
        return made

    def roots() -> list[Document]:
        models: list[Document] = []
        for sort in dice.choices(["many", "unique", "faces"], k=dice.randint(1, 3)):
            faces = [model() for _ in range(2 if sort == "faces" else 1)]
            person = name_of(next(numbers)) if sort == "faces" and either() else faces[0]["name"]
            models += [face if sort == "many" else face | {"unique": person} for face in faces]
        return models

    factions: list[Document] = [
        {"name": name_of(next(numbers)), "fielded": True, "models": roots()} for _ in range(dice.randint(1, 2))
    ]
    if either():  # a model that two factions field
        guest = factions[0]["models"][0]
        alone = sum(model.get("unique") == guest.get("unique") for model in factions[0]["models"]) == 1
        if (alone or "unique" not in guest) and len(factions) == 2:
            factions[1]["models"].append(guest | {"caps": dice.choice([guest["caps"], 77])})
    anyone_heroic = any(m.get("heroic") for faction in factions for m in faction["models"])
    return {
        "heroic_caps": dice.randint(1, 400) if anyone_heroic else 60, "factions": factions, "items": items,
        "mods": mods, "perks": table(3), "leader_cards": table(3), "aliases": {}, "disputed": [],
    }  # fmt: skip


def damaged(document: Document, dice: Random) -> Document:
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
