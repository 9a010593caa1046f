"""The figures of the edition of August 2018 by the rulebook, and of the partial edition of January 2021."""

from typing import Any

from tests.kit.forces import SYSTEM, check_force, force, model, only, rules
from tests.kit.forces import judge as judge_any
from tests.validators.imports.rosters import read, ros, selection
from validators.battle_mode.edition_file import EDITIONS
from validators.contract import Terms, Verdict
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


def test_lists_of_2018_have_all_entries() -> None:
    entries = {faction.name: len(faction.models) for faction in EDITION.factions.values()}
    assert entries == dict(zip(FIELDED, (21, 10, 10), strict=True)) | {"Robots": 5, "Wasteland Creatures": 5}
    assert {f.name for f in EDITION.factions.values() if f.fielded} == set(FIELDED)
    assert len({key for f in EDITION.factions.values() for key in f.models}) == 47
    assert [len(t) for t in (EDITION.items, EDITION.leader_cards, EDITION.perks, EDITION.mods)] == [134, 17, 33, 29]


def test_costs_of_2018_and_what_piper_carries_are_those_of_the_rulebook() -> None:
    survivors = {name: EDITION.model(name, "Survivors") for name in RULEBOOK_MODELS}
    assert {name: entry and entry.caps for name, entry in survivors.items()} == RULEBOOK_MODELS
    assert {entry.name for entry in survivors.values() if entry} == {
        entry.name for entry in EDITION.factions["survivors"].models.values()
    }
    items = {name: EDITION.items.find(name) for name in RULEBOOK_ITEMS}
    assert {name: item and item.caps for name, item in items.items()} == RULEBOOK_ITEMS
    assert EDITION.file.heroic_caps == 60
    piper = EDITION.model("Piper", "Survivors")
    assert piper and piper.heroic
    assert {*piper.offers["item"]} == {
        *("Baseball Bat", "Board", "Machete", "Pipe Wrench", "Baseball Grenade", "Fragmentation Grenade"),
        *(".44 Revolver", "10mm Pistol", "Pipe Pistol"),
    }


def test_spellings_of_the_published_catalogue_are_read_and_built_in_parts_are_free() -> None:
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
        for listed in faction.models.values():
            parts = [selection(spelt.get(fold(part.partition(" (")[0]), part)) for part in listed.built_in]
            name = spelt.get(fold(listed.name), listed.name)
            imported = read(ros(selection(name, listed.caps, *parts, kind="model"), catalogue=faction.name))
            (found,) = imported.document["models"]
            assert (found["name"], found["items"], found["perks"]) == (listed.name, [], []), imported.notes
            assert imported.total == listed.caps, name
    imported = read(ros(selection("zU Enslaved Tech (SM)", 33, kind="model"), catalogue="Super Mutants"))
    assert (imported.total, imported.document["models"][0]["name"]) == (33, "Enslaved Tech"), "a link's own name"
    mod = selection("Long Barrel mod for Laser Musket", 10)
    priced = read(ros(selection("Preston Garvey", 124, mod, kind="model")))
    assert (priced.total, priced.document["models"][0]["items"]) == (124, []), "sold nowhere: it is the built-in part"
    bought = read(ros(selection("Sole Survivor Loner", 140, selection("Lone Wanderer", 50), kind="model"), total=190))
    assert bought.total == 190, "a priced part that is sold was bought"


PARTIAL_INFO = SYSTEM.edition("2021-01")
PARTIAL = EDITIONS["2021-01"]
SURVIVORS, BROTHERHOOD = "Survivors", "Brotherhood of Steel"


def judge(*models: dict[str, Any], **fields: Any) -> Verdict:
    return judge_any(*models, edition=PARTIAL_INFO, **fields)


def test_partial_edition_has_the_counts_of_its_source() -> None:
    assert [edition.id for edition in SYSTEM.editions] == ["2024-community", "2022-community", "2018-08", "2021-01"]
    assert (PARTIAL.file.partial, EDITIONS["2018-08"].file.partial) == (True, False)
    assert any("Power Armor" in note for note in PARTIAL.file.notes)
    assert {f.name: len(f.models) for f in PARTIAL.factions.values()} == {SURVIVORS: 38, BROTHERHOOD: 19}
    counts = [len(t) for t in (PARTIAL.items, PARTIAL.leader_cards, PARTIAL.perks, PARTIAL.mods)]
    assert counts == [405, 30, 95, 115]  # of the 645 rows of the source one more is Heroic itself
    packs = {pack.name: len(pack.items) for pack in PARTIAL.packs.values()}
    assert (len(packs), sum(packs.values()), packs["Power Armor"], packs["Usable Items"]) == (12, 405, 0, 70)


def test_costs_of_2021_are_those_of_its_source() -> None:
    for faction, printed in (
        (SURVIVORS, {"Arcade Gannon": 50, "Vault-Security Officer": 40, "X6-88 Courser": 152}),
        (BROTHERHOOD, {"Knight Patrol (Blade)": 38, "Paladin Danse": 118}),
    ):
        entries = {name: PARTIAL.model(name, faction) for name in printed}
        assert {name: entry and entry.caps for name, entry in entries.items()} == printed
    items = {"Anti-Materiel Rifle": 37, "Fat Man": 45, "Pipe Pistol": 2, "Dog Bite": 0, "Nuka-Cola Quantum": 41}
    assert {name: item.caps for name in items if (item := PARTIAL.items.find(name))} == items
    mods = {"Recon Sensors": 7, "Recon Sensors (Robots)": 5, "Powerful": 16}
    assert {name: mod.caps for name in mods if (mod := PARTIAL.mod(name))} == mods
    perks = {"Lone Wanderer": 22, "Pain Train": 1}
    assert {name: perk.caps for name in perks if (perk := PARTIAL.perks.find(name))} == perks
    shares = {share.name: share.percent for share in PARTIAL.perks.values() if share.percent}
    assert shares == {"Unpredictable": 15, "Wild": -20, "Clunky": -20}
    assert {card.caps for card in (PARTIAL.leader_cards.find("Defender"),) if card} == {28}
    assert PARTIAL.file.heroic_caps == 60


def test_suggestions_name_parts_of_the_models_packs() -> None:
    bayonet = {"name": "Hand Nail Gun", "mods": ["Serrated Bayonet"]}
    for verdict, near in (
        (judge(model("Enslaved Tech", "Combat Rifle")), "Pipe Rifle, Railway Rifle, Sawed-Off Shotgun"),
        (judge(model("Codsworth", "Power Armor Frame", "Mr Handy Flamer"), size=500), "Mechanist Armor and Helmet"),
        (judge(model("Dogmeat", "Pipe Rifle")), "Take it off."),
        (judge(model("Dogmeat", perks=["Sneak"])), "packs hold no perk"),
        (judge(model("Mr Handy", bayonet)), "Serrated Bodywork"),
        (judge(model("Eyebot", leader_card="Defender")), "packs hold no Leader card"),
    ):
        assert near in only(verdict).fix
    assert len(only(judge(model("Settler", "Laser Rifle"))).fix) < 120, "of a long list only near names"


def test_percentage_is_queried_if_another_reading_decides() -> None:
    rifleman = model("Settler", "Hunting Rifle", perks=["Unpredictable"])  # 66, or 69 with a share of the rifle
    query = judge(rifleman, size=68).queries[0]
    assert query.figures == {"total": 66, "least": 66, "most": 69, "size": 68}
    assert "Unpredictable" in query.message
    assert judge(rifleman, size=69).queries == ()


def test_names_of_2018_are_found_in_2021() -> None:
    meant = {
        "Stimpak": "Stimpack", "psycho": "Psycho (chem)", "mentats  (BERRY)": "Berry Mentats",
        "Road Goggles": "Road Googles", "Ice Cold Gwinnett Ale": "Ice Cold Gwinette Ale",
    }  # fmt: skip
    found = {written: PARTIAL.items.find(written) for written in meant}
    assert {written: item and item.name for written, item in found.items()} == meant
    perks = {"Command: Impetuous": "Command: Impetous", "Action Girl": "Action Boy / Girl"}
    assert {written: perk and perk.name for written in perks if (perk := PARTIAL.perks.find(written))} == perks
    old = EDITIONS["2018-08"]
    gone = [mod.name for mod in old.mods.values() if PARTIAL.mod(mod.name) is None]
    for table in ("items", "perks", "leader_cards"):
        gone += [one.name for one in getattr(old, table).values() if getattr(PARTIAL, table).find(one.name) is None]
    for name, faction in PARTIAL.factions.items():
        gone += [entry.name for key, entry in old.factions[name].models.items() if key not in faction.models]
    assert gone == []


def test_models_packs_decide_between_mods_of_one_written_name() -> None:
    """Codsworth (90, Clunky -18, Buzzsaw 6) has the robots' pack: Recon Sensors cost 5 there, elsewhere 7."""
    for who, item, written, name, broken in (
        ("Codsworth", "Mr Handy Buzzsaw", "Recon Sensors", "Recon Sensors (Robots)", []),
        ("Settler", "Board", "Recon Sensors", "Recon Sensors", []),
        ("Settler", "Board", "sensor arrays", "Sensor Array (Power Armor)", []),
        ("Settler", "Board", "Recon Sensors (Robots)", "Recon Sensors (Robots)", ["bm.mod"]),
        ("Dogmeat", "Dog Bandana", "Sensor Array", "Sensor Array", ["bm.cost", "bm.mod"]),
    ):  # fmt: skip
        judged = judge(model(who, {"name": item, "mods": [written]}))
        document = force(model(who, {"name": item, "mods": [written]}), edition=PARTIAL_INFO)
        assert document["models"][0]["items"][0]["mods"] == [name], written
        assert [rule for rule in rules(judged) if rule in ("bm.mod", "bm.cost")] == broken, (who, written)
    for below in (True, False):
        sensors = selection("Recon Sensors", 5)
        parts = [selection("Mr Handy Buzzsaw", 6, sensors if below else ""), "" if below else sensors]
        codsworth = selection("Codsworth", 90, selection("Clunky", -18), *parts, selection("Leader"), kind="model")
        roster = ros(codsworth, total=83)
        imported = SYSTEM.forces.files.import_("list", roster, PARTIAL_INFO)
        verdict = SYSTEM.checks.check(imported.document, Terms(PARTIAL_INFO, 750))
        assert (verdict.total, verdict.legal, verdict.queries) == (83, True, ()), imported.notes
        items = imported.document["models"][0]["items"]
        assert items == [{"name": "Mr Handy Buzzsaw", "mods": ["Recon Sensors (Robots)"], "count": 1}], below


def test_builder_offers_the_parts_of_the_models_packs() -> None:
    robot = model("Eyebot", {"name": "Eyebot Laser", "mods": ["Long Barrel"]}, leader=True, leader_card="Defender")
    document = force(robot, model("Settler"), model("Piper"), edition=PARTIAL_INFO)
    view = SYSTEM.forces.builder(document, Terms(PARTIAL_INFO, 750), {})
    eyebot, settler, piper = view.models
    assert [(perk.name, perk.cost) for perk in eyebot.add_perks] == [("Clunky", -8)]
    assert (len(settler.add_perks), settler.mods) == (93, ())
    offered = {mod.name for mod in eyebot.mods[0]}
    assert {"Recon Sensors (Robots)", "Long Barrel"} <= offered, "the chosen mod stays"
    assert "Recon Sensors" not in offered
    assert [card.name for card in view.leader_cards] == ["Defender"], "the chosen card stays"
    assert "T-60 Power Armor" in {option.name for option in piper.add_items[-1].options}, "perhaps in a pack"
    groups = [{option.name for option in group.options} for group in view.add_models]
    where = [[n for n, group in enumerate(groups) if name in group] for name in ("Settler", "Piper", "Boone")]
    assert sorted(where) == [[0], [1], [2]], "any number, once each, perhaps once each"
