"""A made-up edition written as catalogues, and ways to change its files and to read what is imported."""

import re
from typing import Any, NamedTuple

from tests.validators.catalogue_writer import (
    CAPS,
    Edition,
    File,
    in_the_shape_of_2018,
    in_the_shape_of_2020,
    limit,
    tag,
)
from validators.battle_mode.catalogues.read import read_catalogues
from validators.editions import EditionNote, EditionReport, EditionTitle

EDITION: Edition = {
    "heroic_caps": 60,
    "factions": [
        {"name": "Marshals", "models": [
            {"name": "Iron Marshal", "caps": 90, "unique": "Iron Marshal", "heroic": True,
             "built_in": ["Tin Star"], "may_carry": {"Rifles": ["Long Carbine"], "Melee": ["Hooked Knife"]}},
            {"name": "Deputy", "caps": 40, "heroic": True, "may_carry": {"Rifles": ["Long Carbine"]}},
            {"name": "Hound", "caps": 70, "unique": "The Hound"},
            {"name": "Hound in Armour", "caps": 75, "unique": "The Hound"},
        ]},
        {"name": "Drifters", "models": [{"name": "Drifter", "caps": 30, "may_carry": {"Heavy": ["Pipe Cannon"]}}]},
    ],
    "items": [
        {"category": "Weapons", "kind": "Heavy", "heavy": True, "takes_mod": True, "caps": {"Pipe Cannon": 35}},
        {"category": "Weapons", "kind": "Rifles", "heavy": False, "takes_mod": True, "caps": {"Long Carbine": 12}},
        {"category": "Weapons", "kind": "Melee", "heavy": False, "takes_mod": False,
         "caps": {"Hooked Knife": 4, "Rusty Saw": 3}},
    ],
    "mods": {"Long Sight": 9}, "perks": {"Quick Hands": 10, "Thick Skin": 15}, "leader_cards": {"Sheriff": 35},
}  # fmt: skip
SHAPES = {"2018": in_the_shape_of_2018, "2020": in_the_shape_of_2020}


def files(shape: str = "2018") -> list[File]:
    """The edition above as catalogues."""
    return SHAPES[shape](EDITION)


def changed(old: str, new: str, shape: str = "2018", times: int = 1) -> list[File]:
    """The same with a text replaced, which must be in it."""
    written = [(name, data.decode()) for name, data in files(shape)]
    assert sum(text.count(old) for _, text in written) >= 1, "the text to change is not in the files"
    made: list[File] = []
    for name, text in written:
        here = min(times, text.count(old))
        times -= here
        made.append((name, text.replace(old, new, here).encode()))
    return made


def everywhere(old: bytes, new: bytes, uploaded: list[File] | None = None) -> list[File]:
    return [(name, data.replace(old, new)) for name, data in uploaded or files()]


def first_with(text: str) -> list[File]:
    return [("Made-up.gst", text.encode()), *files()[1:]]


class CatalogueImport(NamedTuple):
    document: Edition
    report: EditionReport


def read(uploaded: list[File], date: str = "2024-06-01", id_: str = "", name: str = "") -> CatalogueImport:
    return CatalogueImport(*read_catalogues(uploaded, EditionTitle(id_, name, date)))


def models(imported: CatalogueImport) -> dict[str, dict[str, Any]]:
    return {model["name"]: model for faction in imported.document["factions"] for model in faction["models"]}


def items(imported: CatalogueImport) -> dict[str, int]:
    return {name: caps for group in imported.document["items"] for name, caps in group["caps"].items()}


def said(notes: tuple[EditionNote, ...], name: str, words: str) -> EditionNote:
    """The one note on this name that has these words."""
    (found,) = [note for note in notes if note.name == name and words in note.says]
    return found


def line_of(uploaded: list[File], file: str, text: str) -> int:
    before, found, _ = dict(uploaded)[file].decode().partition(text)
    assert found
    return before.count("\n") + 1


def caps_of(value: str, **attributes: str) -> str:
    return tag("costs", tag("cost", name="Caps", typeId=CAPS, value=value, **attributes))


def entry(name: str, value: str, *inner: str, **attributes: str) -> str:
    """A priced entry that nothing else names."""
    return tag("selectionEntry", caps_of(value), *inner, id_="x1", name=name, **attributes)


def id_of(name: str, shape: str = "2018", behind: str = "") -> str:
    found = re.search(f'id="([^"]*)" name="{name}"{behind}', files(shape)[0][1].decode())
    assert found
    return found[1]


def root_entry(inner: str) -> list[File]:
    """The edition with an entry at the root of its first catalogue."""
    (system, (name, data), *rest) = files()
    text = data.decode().replace("<entryLinks>", f"<selectionEntries>{inner}</selectionEntries><entryLinks>", 1)
    return [system, (name, text.encode()), *rest]


SYSTEM_TEXT = files()[0][1].decode()
ONE_MOST = f"<constraints>{limit('max')}</constraints>"
COMMON = (b'0007" primary', b'0006" primary')
"""Unique Units, and Units."""
DEPUTY_COSTS = f'name="Caps" typeId="{CAPS}" value="40.0"'
