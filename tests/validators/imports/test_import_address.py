"""Addresses of a web builder, made from the figures of its own lists: every model, item, mod and Leader card."""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.kit.profiles import every_nth
from tests.validators.imports.rosters import SYSTEM, read
from validators.battle_mode.imports.address import FACTIONS, LEADER_CARDS, USED_UP, WORN
from validators.contract import Imported, Terms

EDITION = SYSTEM.edition("2022-community")
ROWS = [line.split("\t") for line in (Path(__file__).parents[1] / "lists_of_2022.tsv").read_text().splitlines()]
MODELS = [row for row in ROWS if row[0] == "model" and row[2] != "0"]
COSTS = {(row[0], row[1]): float(row[2]) for row in ROWS}
CARRIED = ("heavy_weapons", "rifles", "pistols", "melee")


def address(*units: dict[str, Any], leader: str = "0,0", faction: str = "srv") -> str:
    written = "".join(json.dumps(unit, separators=(",", ":")).replace('"', "!") + ";" for unit in units)
    return f"https://example.org/w/?f={faction};n=My%20list;s=n;l={leader};{written}"


@cache
def imported(text: str) -> Imported:
    return SYSTEM.forces.files.import_("", text.encode(), EDITION)


def slot(item: str, copies: int = 1) -> dict[str, Any]:
    """An item in the slot of a unit: worn as a text, a weapon in a list, what is used up with its number."""
    kind, _, name = item.partition(".")
    return {kind: name if kind in WORN else {name: copies} if kind in USED_UP else [name]}


def usual(row: list[str]) -> Iterator[tuple[str, int]]:
    """The items that the builder puts in at first, and their numbers."""
    for item in row[8].split() if len(row) > 8 else ():
        name, _, copies = item.partition("*")
        yield name, int(copies or 1)


@every_nth(6, 1)
def test_every_model_is_read_with_what_the_builder_puts_in_at_first(step: int) -> None:
    for row in MODELS[::step]:
        unit: dict[str, Any] = {"name": row[1]}
        caps = int(row[2])
        for item, copies in usual(row):
            kind, _, name = item.partition(".")
            caps += int(COSTS[kind, name]) * copies
            for key, value in slot(item, copies).items():
                match value:
                    case list():
                        unit[key] = [*unit.get(key, ()), *value]
                    case dict():
                        unit[key] = unit.get(key, {}) | value
                    case _:
                        unit[key] = value
        found = imported(address(unit, faction=row[3].split()[0]))
        assert found.total == caps, (row[1], found.notes)
        assert not any("not known" in note for note in found.notes), found.notes
        assert found.document["models"][0]["leader"], row[1]


@pytest.mark.slow
@every_nth(6, 1)
def test_every_item_is_read_worn_carried_and_used_up(step: int) -> None:
    knight = 62
    for kind, name, caps, *_ in ROWS[::step]:
        if kind not in (*WORN, *CARRIED, *USED_UP) or float(caps) == 0:
            continue
        found = imported(address({"name": "knight", "modelCount": 3} | slot(f"{kind}.{name}", 4)))
        times = 4 if kind in USED_UP else 3
        assert found.total == 3 * knight + times * int(caps), (name, found.notes)
        assert not any("not known" in note for note in found.notes), found.notes


def test_every_mod_is_on_its_own_item_and_every_leader_card_on_the_leader() -> None:
    fitting = {"rifles": "laser_rifle", "pistols": "pipe_pistol", "melee": "ripper", "heavy_weapons": "minigun",
               "power_armor": "t60_power_armor", "armor": "army_helmet"}  # fmt: skip
    for kind, name, caps, *more in ROWS:
        types = set(" ".join(more).split()) & set(fitting)
        if kind != "mods" or not types:
            continue
        on = sorted(types)[0]
        unit = {"name": "knight", "mods": {on if on in WORN else fitting[on]: name}}
        unit |= slot(f"{on}.{fitting[on]}") | {"thrown": {"fragmentation_grenade": 1}}
        found = imported(address(unit))
        items = {item["name"]: item["mods"] for item in found.document["models"][0]["items"]}
        assert [len(mods) for mods in items.values()] == [1, 0] or [len(m) for m in items.values()] == [0, 1], name
        assert found.total == 62 + int(COSTS[on, fitting[on]]) + 6 + int(caps), (name, found.notes)
    cards = [row for row in ROWS if row[0] == "leader"]
    assert [row[1] for row in cards] == list(LEADER_CARDS)
    for place, row in enumerate(cards, start=1):
        found = imported(address({"name": "settler"}, {"name": "piper"}, leader=f"1,{place}"))
        assert [model["leader_card"] is not None for model in found.document["models"]] == [False, True]
        assert found.total == 40 + int(COSTS["model", "piper"]) + int(row[2])


def test_every_faction_code_names_a_faction() -> None:
    known = {faction.name for faction in EDITION.lists.factions.values()}
    for code, name in FACTIONS.items():
        assert EDITION.lists.factions.find(name), code
    assert {code for row in MODELS for code in row[3].split()} <= set(FACTIONS)
    assert len(known) >= len(FACTIONS)


def test_older_addresses_are_read_with_the_edition_of_2018() -> None:
    for text, total in (
        ("f=srv;n=S;l=0,0;{!name!:!minuteman!,!modelCount!:3,!thrown!:{!fragmentation_grenade!:4}};", 190),
        ("f=srv;n=S;l=1,0;{!name!:!minuteman!};{!name!:!piper!};", 130),
        ("f=srv;n=S;l=0,0;{!name!:!piper!,!pistols!:[!pipe_pistol!],!mods!:{!pipe_pistol!:!long_barrel!}};", 91),
        ("f=bos;n=Steel;l=0,5;{!name!:!knight!,!power_armor!:!t60_power_armor!,!rifles!:[!laser_rifle!]};", 179),
    ):
        for written in (
            f"https://example.org/w/?{text}",
            f"My list: https://example.org/w/?{text.replace('!', '%21')}\nMax",
        ):
            found = read(written)
            verdict = SYSTEM.checks.check(found.document, Terms(SYSTEM.edition("2018-08"), 500))
            assert (found.total, verdict.legal, verdict.queries) == (total, True, ()), text
    leads = [
        model["leader"]
        for model in read("https://example.org/?f=srv;n=S;l=1,0;{!name!:!settler!};{!name!:!piper!};").document[
            "models"
        ]
    ]
    assert leads == [False, True]
