"""The edition of August 2018 against the rulebook's own sample list and against itself."""

import pytest

from validators.battle_mode.shipped import EDITIONS
from validators.names import fold, nearest

EDITION = EDITIONS["2018-08"]
FIELDED = ("Survivors", "Brotherhood of Steel", "Super Mutants")
RULEBOOK_MODELS = {
    "Cait": 137,
    "Codsworth": 120,
    "Dog": 90,
    "Dogmeat": 104,
    "Dogmeat Scout": 100,
    "Enslaved Tech": 33,
    "Eyebot": 59,
    "Mama Murphy": 160,
    "Minuteman": 54,
    "Mr Handy": 100,
    "Nuka Cola Girl": 60,
    "Piper": 76,
    "Preston Garvey": 124,
    "Ronnie Shaw": 114,
    "Scavenger": 30,
    "Settler": 40,
    "Sole Survivor": 95,
    "Sole Survivor Day One": 70,
    "Sole Survivor Loner": 140,
    "Sturges": 100,
    "X6-88 Courier": 188,
}
RULEBOOK_ITEMS = {
    "Gatling Laser": 30,
    "Minigun": 30,
    "Missile Launcher": 30,
    "Laser Rifle": 30,
    "Plasma Rifle": 24,
    "Hunting rifle": 20,
    "Double-Barrel Shotgun": 17,
    "Institute Laser Rifle": 17,
    "Combat Rifle": 14,
    "Laser Musket": 11,
    "Bolt-Action Pipe Rifle": 10,
    "Combat Shotgun": 10,
    "Assault Rifle": 8,
    "Gamma Gun": 23,
    "Laser Pistol": 7,
    ".44 Revolver": 6,
    "10mm Pistol": 6,
    "Alien Blaster": 6,
    "Pipe Pistol": 5,
    "Thirst Zapper Cola": 4,
    "T-60 Power Armor": 72,
    "T-51 Power Armor": 54,
    "T-45 Power Armor": 36,
    "Power Armor Frame": 15,
    "Stun Baton": 30,
    "Super Sledge": 30,
    "Deathclaw Gauntlet": 15,
    "Sledgehammer": 12,
    "Board": 9,
    "Baton": 8,
    "Pipe Wrench": 7,
    "Ripper": 7,
    "Baseball Bat": 5,
    "Machete": 5,
    "Bottlecap Mine": 20,
    "Fragmentation Mine": 10,
    "Fragmentation Grenade": 7,
    "Baseball Grenade": 6,
    "Pulse Grenade": 5,
    "Stimpack": 58,
    "Nuka-Cherry": 40,
    "Nuka-Cola": 30,
}


def test_counts() -> None:
    entries = {faction.name: len(faction.models) for faction in EDITION.factions.values()}
    assert entries == {
        "Survivors": 21,
        "Brotherhood of Steel": 10,
        "Super Mutants": 10,
        "Robots": 5,
        "Wasteland Creatures": 5,
    }
    assert sum(entries[name] for name in FIELDED) == 41
    assert {f.name for f in EDITION.factions.values() if f.fielded} == set(FIELDED)
    assert len({key for f in EDITION.factions.values() for key in f.models}) == 47
    counts = [len(t) for t in (EDITION.items, EDITION.leader_cards, EDITION.perks, EDITION.mods)]
    assert counts == [134, 17, 33, 29]


@pytest.mark.parametrize("name", RULEBOOK_MODELS)
def test_survivors_cost_what_the_rulebook_prints(name: str) -> None:
    entry = EDITION.model(name, "Survivors")
    assert entry is not None
    assert (entry.caps, entry.faction) == (RULEBOOK_MODELS[name], "Survivors")


def test_the_rulebook_prints_every_survivor() -> None:
    printed = {entry.name for name in RULEBOOK_MODELS if (entry := EDITION.model(name, "Survivors"))}
    assert printed == {entry.name for entry in EDITION.factions["survivors"].models.values()}


@pytest.mark.parametrize("name", RULEBOOK_ITEMS)
def test_items_cost_what_the_rulebook_prints(name: str) -> None:
    item = EDITION.item(name)
    assert item is not None
    assert item.caps == RULEBOOK_ITEMS[name]


def test_piper_carries_what_the_rulebook_prints() -> None:
    piper = EDITION.model("Piper", "Survivors")
    assert piper is not None
    assert piper.heroic
    assert {name for names in piper.may_carry.values() for name in names} == {
        *("Baseball Bat", "Board", "Machete", "Pipe Wrench"),
        *("Baseball Grenade", "Fragmentation Grenade"),
        *(".44 Revolver", "10mm Pistol", "Pipe Pistol"),
    }


def test_heroic_costs_60() -> None:
    assert EDITION.heroic_caps == 60


def test_a_name_costs_the_same_on_every_list() -> None:
    costs: dict[str, set[int]] = {}
    for faction in EDITION.factions.values():
        for key, entry in faction.models.items():
            costs.setdefault(key, set()).add(entry.caps)
    assert [key for key, caps in costs.items() if len(caps) > 1] == []


def test_permissions_name_known_items_under_their_own_kind() -> None:
    for faction in EDITION.factions.values():
        for entry in faction.models.values():
            for kind, names in entry.may_carry.items():
                for name in names:
                    item = EDITION.item(name)
                    assert item is not None, (entry.name, name)
                    assert (item.name, item.kind) == (name, kind)


def test_heavy_weapons() -> None:
    heavy = {item.name for item in EDITION.items.values() if item.heavy}
    assert heavy == {"Broadsider", "Gatling Laser", "Minigun", "Missile Launcher"}


def test_what_takes_a_mod() -> None:
    kinds = {item.kind for item in EDITION.items.values() if item.takes_mod}
    assert kinds == {"Armor", "Heavy", "Rifles", "Pistols", "Melee"}
    assert all(
        item.takes_mod == (item.kind in kinds) for item in EDITION.items.values()
    )  # a kind is whole: no item is apart


def test_unique_persons_with_two_faces() -> None:
    faces: dict[str, set[str]] = {}
    for entry in EDITION.factions["survivors"].models.values():
        if entry.unique:
            faces.setdefault(entry.unique, set()).add(entry.name)
    assert {person: names for person, names in faces.items() if len(names) > 1} == {
        "Dogmeat": {"Dogmeat", "Dogmeat Scout"},
        "Sole Survivor": {"Sole Survivor", "Sole Survivor Day One"},
    }


def test_disputed_facts_stand_in_the_file_as_they_are_used() -> None:
    assert len(EDITION.disputed) == 8
    for dispute in EDITION.disputed:
        assert dispute.here != dispute.there
        if dispute.fact == "caps":
            item = EDITION.item(dispute.item)
            assert item is not None
            assert item.caps == dispute.here
            continue
        entry = EDITION.model(dispute.model, dispute.faction)
        assert entry is not None
        assert (entry.name, entry.faction) == (dispute.model, dispute.faction)
        used = {
            "carry": entry.carries(dispute.item),
            "heroic": entry.heroic,
            "unique": entry.unique is not None,
        }
        assert used[dispute.fact] == dispute.here


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("PIPE  pistol ", "Pipe Pistol"),
        ("Stimpack", "Stimpak"),
        ("baseball grenades", "Baseball Grenade"),
        ("pipe wrenches", "Pipe Wrench"),
    ],
)
def test_names_are_found_by_case_space_and_alias(written: str, meant: str) -> None:
    item = EDITION.item(written)
    assert item is not None
    assert item.name == meant


@pytest.mark.parametrize("written", ["Pipe-Pistol", "PipePistol", "Pipe Pistols", "Pipe Pisto", ""])
def test_nothing_else_is_guessed(written: str) -> None:
    assert EDITION.item(written) is None


def test_every_alias_leads_somewhere() -> None:
    for alias, name in EDITION.aliases.items():
        assert EDITION.item(alias) or EDITION.model(alias, "Survivors"), alias
        assert name != alias


def test_a_model_on_several_lists_is_read_by_the_forces_own() -> None:
    for faction in ("Survivors", "Super Mutants"):
        tech = EDITION.model("enslaved tech", faction)
        assert tech is not None
        assert tech.faction == faction
    elsewhere = EDITION.model("Enslaved Tech", "Brotherhood of Steel")
    assert elsewhere is not None
    assert elsewhere.faction == "Survivors"  # the first in the file's order


def test_nearest_names() -> None:
    known = tuple(item.name for item in EDITION.items.values())
    assert nearest("pipe  PISTOLL", known)[0] == "Pipe Pistol"
    assert nearest("qqqqqqqq", known) == ()
    assert fold("  A  b ") == "a b"
