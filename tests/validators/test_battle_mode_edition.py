"""The edition of August 2018 against the rulebook's own sample list and against itself."""

from tests.kit.forces import check_force
from tests.validators.imports.rosters import read, ros, selection
from validators.battle_mode.edition_file import EDITIONS
from validators.names import fold

EDITION = EDITIONS["2018-08"]
FIELDED = ("Survivors", "Brotherhood of Steel", "Super Mutants")
RULEBOOK_MODELS = {
    "Cait": 137, "Codsworth": 120, "Dog": 90, "Dogmeat": 104, "Dogmeat Scout": 100, "Enslaved Tech": 33, "Eyebot": 59,
    "Mama Murphy": 160, "Minuteman": 54, "Mr Handy": 100, "Nuka Cola Girl": 60, "Piper": 76, "Preston Garvey": 124,
    "Ronnie Shaw": 114, "Scavenger": 30, "Settler": 40, "Sole Survivor": 95, "Sole Survivor Day One": 70,
    "Sole Survivor Loner": 140, "Sturges": 100, "X6-88 Courier": 188,
}  # fmt: skip
RULEBOOK_ITEMS = {
    "Gatling Laser": 30, "Minigun": 30, "Missile Launcher": 30, "Laser Rifle": 30, "Plasma Rifle": 24,
    "Hunting rifle": 20, "Double-Barrel Shotgun": 17, "Institute Laser Rifle": 17, "Combat Rifle": 14,
    "Laser Musket": 11, "Bolt-Action Pipe Rifle": 10, "Combat Shotgun": 10, "Assault Rifle": 8, "Gamma Gun": 23,
    "Laser Pistol": 7, ".44 Revolver": 6, "10mm Pistol": 6, "Alien Blaster": 6, "Pipe Pistol": 5,
    "Thirst Zapper Cola": 4, "T-60 Power Armor": 72, "T-51 Power Armor": 54, "T-45 Power Armor": 36,
    "Power Armor Frame": 15, "Stun Baton": 30, "Super Sledge": 30, "Deathclaw Gauntlet": 15, "Sledgehammer": 12,
    "Board": 9, "Baton": 8, "Pipe Wrench": 7, "Ripper": 7, "Baseball Bat": 5, "Machete": 5, "Bottlecap Mine": 20,
    "Fragmentation Mine": 10, "Fragmentation Grenade": 7, "Baseball Grenade": 6, "Pulse Grenade": 5, "Stimpack": 58,
    "Nuka-Cherry": 40, "Nuka-Cola": 30,
}  # fmt: skip


SPELT_OTHERWISE = {
    "Phycho": "Psycho", "Stady Aim": "Steady Aim", "Chem Resistnt": "Chem Resistant", "Mulit-Calibre": "Multi-Calibre",
    "Alian Blaster": "Alien Blaster", "Radroach Swam": "Radroach Swarm",
}  # fmt: skip


def test_counts_of_the_lists() -> None:
    entries = {faction.name: len(faction.models) for faction in EDITION.factions.values()}
    assert entries == dict(zip(FIELDED, (21, 10, 10), strict=True)) | {"Robots": 5, "Wasteland Creatures": 5}
    assert {f.name for f in EDITION.factions.values() if f.fielded} == set(FIELDED)
    assert len({key for f in EDITION.factions.values() for key in f.models}) == 47
    assert [len(t) for t in (EDITION.items, EDITION.leader_cards, EDITION.perks, EDITION.mods)] == [134, 17, 33, 29]


def test_costs_are_those_of_the_rulebook() -> None:
    survivors = {name: EDITION.model(name, "Survivors") for name in RULEBOOK_MODELS}
    assert {name: entry and (entry.caps, entry.faction) for name, entry in survivors.items()} == {
        name: (caps, "Survivors") for name, caps in RULEBOOK_MODELS.items()
    }
    assert {entry.name for entry in survivors.values() if entry} == {
        entry.name for entry in EDITION.factions["survivors"].models.values()
    }
    items = {name: EDITION.items.find(name) for name in RULEBOOK_ITEMS}
    assert {name: item and item.caps for name, item in items.items()} == RULEBOOK_ITEMS
    assert EDITION.heroic_caps == 60


def test_piper_carries_what_the_rulebook_prints() -> None:
    piper = EDITION.model("Piper", "Survivors")
    assert piper is not None
    assert piper.heroic
    assert {name for names in piper.may_carry.values() for name in names} == {
        *("Baseball Bat", "Board", "Machete", "Pipe Wrench", "Baseball Grenade", "Fragmentation Grenade"),
        *(".44 Revolver", "10mm Pistol", "Pipe Pistol"),
    }


def test_a_name_costs_the_same_on_every_list() -> None:
    costs: dict[str, set[int]] = {}
    for faction in EDITION.factions.values():
        for key, entry in faction.models.items():
            costs.setdefault(key, set()).add(entry.caps)
    assert [key for key, caps in costs.items() if len(caps) > 1] == []


def test_published_catalogue_s_spellings_are_read_and_built_in_parts_never_charged() -> None:
    """The names are those of Fallout_Wasteland_Warfare.gst, BSData at commit 5cac9a5 (9 September 2018)."""
    cait = selection(
        "Cait", 137, selection("Phycho"), selection("Chem Resistnt", 15), selection("Stady Aim", 15),
        selection("Commander", 55), kind="model",
    )  # fmt: skip
    musket = selection("Laser Musket", 11, selection("Mulit-Calibre", 7))
    preston = selection("Preston Garvey", 124, selection("Long Barrel mod for Laser Musket"), musket, kind="model")
    imported = read(ros(cait, preston, total=364))
    assert imported.total == imported.stated == 364
    assert check_force(imported.document, 500).problems == ()
    assert not [note for note in imported.notes if "not known" in note], imported.notes
    spelt = {fold(name): alias for alias, name in SPELT_OTHERWISE.items()}
    for faction in EDITION.factions.values():
        for model in faction.models.values():
            parts = [selection(spelt.get(fold(part.partition(" (")[0]), part)) for part in model.built_in]
            name = spelt.get(fold(model.name), model.name)
            imported = read(ros(selection(name, model.caps, *parts, kind="model"), catalogue=faction.name))
            (found,) = imported.document["models"]
            assert (found["name"], found["items"], found["perks"]) == (model.name, [], []), imported.notes
            assert imported.total == model.caps, name
    for catalogue, name in (("Survivors", "zU Enslaved Tech (Surv)"), ("Super Mutants", "zU Enslaved Tech (SM)")):
        imported = read(ros(selection(name, 33, kind="model"), catalogue=catalogue))
        assert (imported.total, imported.document["models"][0]["name"]) == (33, "Enslaved Tech"), "a link's own name"
    priced = read(
        ros(selection("Preston Garvey", 124, selection("Long Barrel mod for Laser Musket", 10), kind="model"))
    )
    assert (priced.total, priced.document["models"][0]["items"]) == (124, []), (
        "sold nowhere, so it is the built-in part"
    )
    bought = read(ros(selection("Sole Survivor Loner", 140, selection("Lone Wanderer", 50), kind="model"), total=190))
    assert bought.total == 190, "a priced part that is sold was bought"
