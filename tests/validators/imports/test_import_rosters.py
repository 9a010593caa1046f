"""What each roster of a program gives: the right force, or a question about the line that has two readings."""

import json

from tests.kit.forces import summarise
from tests.validators.imports.rosters import (
    JSON_SAMPLE,
    SAMPLE,
    SETTLER,
    read,
    ros,
    rosz,
    selection,
)
from validators.contract import Imported

RIFLE, JET, LEADER = selection("Combat Rifle", 14), selection("Jet", 7), selection("Leader")
LONG_BARREL, PISTOL, COMMANDER = selection("Long Barrel", 10), selection("Pipe Pistol", 5), selection("Commander", 55)
PIPER = "Piper, Heroic, Leader (Commander); 3 × Baseball Grenade, Pipe Pistol, Pipe Wrench"
WITH_BARREL = "Settler; Combat Rifle with Long Barrel"


def model(name: str, caps: int, *below: str, number: int = 1) -> str:
    return selection(name, caps, *below, number=number, kind="model")


def settler(*below: str, caps: int = 40, number: int = 1) -> str:
    return model("Settler", caps, *below, number=number)


def unit(name: str, *below: str, caps: int = 0, kind: str = "unit") -> str:
    return selection(name, caps, *below, kind=kind)


MINUTEMAN = model("Minuteman", 54)


def deep(levels: int, inner: str) -> str:
    for level in range(levels):
        inner = selection(f"Level {level}", 0, inner)
    return inner


def lines(imported: Imported) -> list[str]:
    """The models of a force; the order in which a model's items stand does not matter."""
    shown = []
    for line, _ in summarise(imported.document).lines:
        who, parted, parts = line.partition("; ")
        items, perked, perks = parts.partition("; ")
        shown.append(f"{who}{parted}{', '.join(sorted(items.split(', ')))}{perked}{perks}")
    return shown


READ: tuple[tuple[str, tuple[str, ...], list[str]], ...] = (
    ("a model", (settler(),), ["Settler"]),
    ("tags of another program", (f"<groups><group>{settler()}</group></groups>",), ["Settler"]),
    ("a mod below its item", (SETTLER,), [WITH_BARREL]),
    ("a sorting prefix", (model("zU Settler", 40),), ["Settler"]),
    ("another spelling", (model("settlers", 40, selection("COMBAT-RIFLES", 14)),), ["Settler; Combat Rifle"]),
    # Copies: the number of a part is of all copies of its model, unless its cost says that each has it.
    ("copies", (settler(caps=120, number=3),), ["Settler"] * 3),
    ("a part whose cost is that of each", (settler(selection("Combat Rifle", 42), caps=120, number=3),),
     ["Settler; Combat Rifle"] * 3),
    ("as many parts as copies", (settler(selection("Combat Rifle", 42, number=3), caps=120, number=3),),
     ["Settler; Combat Rifle"] * 3),
    ("a part for two of three", (settler(selection("Combat Rifle", 28, number=2), caps=120, number=3),),
     ["Settler; Combat Rifle", "Settler; Combat Rifle", "Settler"]),
    ("Heroic for one of two", (settler(selection("Heroic", 60), caps=80, number=2),), ["Settler, Heroic", "Settler"]),
    ("a mod on each of two copies", (settler(selection("Combat Rifle", 28, selection("Long Barrel", 20, number=2),
     number=2)),), ["Settler; 2 × Combat Rifle with Long Barrel"]),
    ("a mod on one of three copies", (settler(selection("Combat Rifle", 42, LONG_BARREL, number=3)),),
     ["Settler; 2 × Combat Rifle, Combat Rifle with Long Barrel"]),
    ("a number in the name", (model("x2 Settler", 80),), ["Settler", "Settler"]),
    ("a number behind the name", (model("Settlers (x2)", 80),), ["Settler", "Settler"]),
    # Units and headings
    ("a unit that holds models", (unit("Gunline", settler(RIFLE), MINUTEMAN),), ["Settler; Combat Rifle", "Minuteman"]),
    ("a unit of units", (unit("All", unit("Gunline", settler(RIFLE), MINUTEMAN)),),
     ["Settler; Combat Rifle", "Minuteman"]),
    ("a unit named like a model", (unit("Piper", SETTLER, MINUTEMAN),), [WITH_BARREL, "Minuteman"]),
    ("a model that brings another", (model("Piper", 76, PISTOL, model("Dog", 90)),), ["Piper; Pipe Pistol", "Dog"]),
    ("a heading among the parts", (settler(selection("Weapons", 0, RIFLE)),), ["Settler; Combat Rifle"]),
    ("headings above the models", (selection("Group", 0, selection("Inner", 0, SETTLER)),), [WITH_BARREL]),
    ("a heading among the mods", (settler(selection("Pipe Pistol", 5, selection("Mods", 0, LONG_BARREL)),
     selection("Machete", 5)),), ["Settler; Machete, Pipe Pistol with Long Barrel"]),
    ("settings of the program", (settler(), selection("Rules: none"), selection("Size", 0, selection("500 Caps"))),
     ["Settler"]),
    # Parts
    ("a built-in part", (model("Dogmeat Scout", 100, selection("Dog Bite")),), ["Dogmeat Scout"]),
    ("a built-in part that is also sold", (model("Cait", 137, selection("Psycho")),), ["Cait"]),
    ("a built-in part and a bought one", (model("Cait", 137, selection("Psycho"), selection("Psycho", 30)),),
     ["Cait; Psycho"]),
    ("a mod for the one item that takes it", (settler(LONG_BARREL, RIFLE),), [WITH_BARREL]),
    ("a built-in mod under its item", (model("Preston Garvey", 124, selection("Laser Musket", 11,
     selection("Bayonet", 12), selection("Long Barrel"))),), ["Preston Garvey; Laser Musket with Bayonet"]),
    ("a perk", (settler(selection("Sneak", 20)),), ["Settler; perk Sneak"]),
    ("a perk below an item", (settler(selection("Combat Rifle", 14, selection("Sneak", 20))),),
     ["Settler; Combat Rifle; perk Sneak"]),
    ("a part typed as a model", (model("Dogmeat Scout", 100, selection("Heroic", 60, kind="unit")),),
     ["Dogmeat Scout, Heroic"]),
    ("a perk typed as a model", (model("Dogmeat Scout", 100, selection("Sneak", 20, kind="model")),),
     ["Dogmeat Scout; perk Sneak"]),
    # Leaders
    ("a Leader by its mark", (settler(LEADER), MINUTEMAN), ["Settler, Leader", "Minuteman"]),
    ("a Leader by its card", (settler(), model("Minuteman", 54, COMMANDER)),
     ["Settler", "Minuteman, Leader (Commander)"]),
    ("a card below the mark", (settler(selection("Leader", 0, COMMANDER)),), ["Settler, Leader (Commander)"]),
    ("a card below its heading", (settler(selection("Leader card", 0, COMMANDER)),), ["Settler, Leader (Commander)"]),
)  # fmt: skip
"""Rosters with one reading: nothing is asked."""

ASKED: tuple[tuple[str, tuple[str, ...], list[str]], ...] = (
    ("a part of a unit as a whole", (unit("Gunline", settler(RIFLE), MINUTEMAN, JET),),
     ["Settler; Combat Rifle", "Minuteman"]),
    ("a mod for either of two items", (settler(LONG_BARREL, RIFLE, PISTOL),), []),
    ("an unknown root that is an upgrade", (settler(), selection("Gunner", 321)), ["Settler"]),
    ("an item that no model has", (settler(), selection("Fat Man", 321)), ["Settler"]),
    ("a heading with Caps of its own", (selection("Group", 321, settler()),), ["Settler"]),
    ("a part ten deep", (settler(deep(10, selection("Widget", 321))),), ["Settler"]),
    ("an unknown part", (settler(selection("Laser Sword", 9)),), ["Settler"]),
    ("an unknown model", (settler(), model("Nobody", 40)), ["Settler"]),
    ("an unknown model typed as an upgrade", (settler(), selection("Nobody", 0, RIFLE)), ["Settler"]),
    ("one whose parts are below a heading", (settler(), selection("Nobody", 0, selection("Weapons", 0, RIFLE))),
     ["Settler"]),
    ("one in a unit", (unit("Gunline", settler(), selection("Nobody", 0, JET)),), ["Settler"]),
)  # fmt: skip
"""Rosters in which one line has no sure reading: it is asked about, and the others are read."""


def is_asked(imported: Imported) -> bool:
    return bool(imported.open)


def test_rosters_with_one_reading_are_read() -> None:
    for what, selections, expected in READ:
        imported = read(ros(*selections))
        assert (lines(imported), is_asked(imported)) == (expected, False), (what, imported.lines, imported.notes)


def test_sample_is_read_from_each_kind_of_file() -> None:
    for data in (SAMPLE, rosz(SAMPLE)):
        imported = read(data)
        assert sorted(lines(imported)) == sorted(["Dogmeat Scout", "Minuteman; Laser Musket", PIPER, WITH_BARREL])
        assert (imported.stated, imported.total, is_asked(imported)) == (450, 450, False)
    imported = read(json.dumps(JSON_SAMPLE))
    assert lines(imported) == ["Dogmeat Scout", f"{WITH_BARREL}, Pipe Wrench", WITH_BARREL]
    assert (imported.format, imported.stated, imported.total) == ("New Recruit JSON", 239, 235)


def test_lines_with_more_than_one_reading_are_asked_about() -> None:
    for what, selections, expected in ASKED:
        imported = read(ros(*selections))
        assert is_asked(imported), (what, imported.lines)
        assert all(line.state == "check" for line in imported.lines if line.written == "Nobody"), what
        assert not expected or lines(imported) == expected, (what, imported.lines)
