"""The partial edition of January 2021: its figures, and the rules where packs say what a model may have."""

from typing import Any

from tests.kit.forces import SYSTEM, force, model, only, rules
from tests.kit.forces import judge as judge_any
from tests.validators.imports.rosters import ros, selection
from validators.battle_mode.edition import Priced
from validators.battle_mode.edition_file import EDITIONS
from validators.contract import Terms, Verdict

INFO = SYSTEM.edition("2021-01")
EDITION = EDITIONS["2021-01"]
SURVIVORS, BROTHERHOOD = "Survivors", "Brotherhood of Steel"


def judge(*models: dict[str, Any], **fields: Any) -> Verdict:
    return judge_any(*models, edition=INFO, **fields)


def test_partial_edition_comes_after_the_default() -> None:
    assert [edition.id for edition in SYSTEM.editions] == ["2018-08", "2021-01"]
    assert (EDITION.partial, EDITIONS["2018-08"].partial) == (True, False)
    assert any("Power Armor" in note for note in EDITION.notes)


def test_counts_of_the_lists() -> None:
    assert {f.name: len(f.models) for f in EDITION.factions.values()} == {SURVIVORS: 38, BROTHERHOOD: 19}
    counts = [len(t) for t in (EDITION.items, EDITION.leader_cards, EDITION.perks, EDITION.mods)]
    assert counts == [405, 30, 95, 115]  # of the 645 rows of the source one more is Heroic itself
    assert {pack.name: len(pack.items) for pack in EDITION.packs.values()} == {
        "Advanced Items": 99, "Automatron Items": 11, "Creature Items": 36, "Dog Items": 3, "High Tech Items": 60,
        "Power Armor": 0, "Robot Items": 30, "Special Items": 6, "Super Mutant Items": 9, "Upgrades": 0,
        "Usable Items": 70, "Wasteland Items": 81,
    }  # fmt: skip


def test_costs_are_those_of_the_source() -> None:
    for faction, printed in (
        (SURVIVORS, {"Arcade Gannon": 50, "Piper": 76, "Preston Garvey": 124, "Settler": 40, "X6-88 Courser": 152}),
        (SURVIVORS, {"Vault-Security Officer": 40}),
        (BROTHERHOOD, {"Elder Maxson": 120, "Knight Patrol (Blade)": 38, "Paladin Danse": 118, "Veronica": 60}),
    ):
        entries = {name: EDITION.model(name, faction) for name in printed}
        found = {name: entry and (entry.caps, entry.faction) for name, entry in entries.items()}
        assert found == {name: (caps, faction) for name, caps in printed.items()}
    items = {"Anti-Materiel Rifle": 37, "Fat Man": 45, "Pipe Pistol": 2, "Dog Bite": 0, "Nuka-Cola Quantum": 41}
    assert {name: item.caps for name in items if (item := EDITION.items.find(name))} == items
    mods = {"Recon Sensors": 7, "Recon Sensors (Robots)": 5, "Powerful": 16}
    assert {name: mod.caps for name in mods if (mod := EDITION.mod(name))} == mods
    perks = {"Lone Wanderer": 22, "Pain Train": 1}
    assert {name: perk.caps for name in perks if (perk := EDITION.perks.find(name))} == perks
    shares = {share.name: share.percent for share in EDITION.perks.values() if share.percent}
    assert shares == {"Unpredictable": 15, "Wild": -20, "Clunky": -20}
    assert EDITION.leader_cards.find("Defender") == Priced("Defender", 28)
    assert EDITION.heroic_caps == 60


def test_suggestions_name_what_the_packs_hold() -> None:
    rifles = [
        *("Bolt-Action Pipe Rifle", "Crippling Bolt-Action Pipe Rifle", "Irradiated Pipe Rifle"),
        *("Junkie's Bolt Action Pipe Rifle", "Pipe Rifle", "Railway Rifle", "Sawed-Off Shotgun"),
    ]
    bayonet = {"name": "Hand Nail Gun", "mods": ["Serrated Bayonet"]}
    for verdict, near in (
        (judge(model("Enslaved Tech", "Combat Rifle")), ", ".join(rifles)),
        (judge(model("Codsworth", "Power Armor Frame", "Mr Handy Flamer"), size=500), "Mechanist Armor and Helmet"),
        (judge(model("Dogmeat", "Pipe Rifle")), "its packs (Dog Items) hold no Rifles"),
        (judge(model("Dogmeat", perks=["Sneak"])), "packs hold no perk"),
        (judge(model("Mr Handy", bayonet)), "Serrated Bodywork"),
        (judge(model("Eyebot", leader_card="Defender")), "Eyebot"),
    ):
        assert near in only(verdict).fix
    assert len(only(judge(model("Settler", "Laser Rifle"))).fix) < 120, "of a long list only near names"


def test_share_is_asked_about_where_another_reading_decides() -> None:
    rifleman = model("Settler", "Hunting Rifle", perks=["Unpredictable"])  # 66, or 69 with a share of the rifle
    query = judge(rifleman, size=68).queries[0]
    assert query.figures == {"total": 66, "least": 66, "most": 69, "size": 68}
    assert "Unpredictable" in query.message
    assert judge(rifleman, size=69).queries == ()


def test_names_of_2018_are_found() -> None:
    meant = {
        "Stimpak": "Stimpack", "psycho": "Psycho (chem)", "mentats  (BERRY)": "Berry Mentats",
        "Road Goggles": "Road Googles", "Kneecapper .44 Revolver": "Kneecapper .44 Revoler",
        "Matriarch Swipe": "Matriach Swipe", "Ice Cold Gwinnett Ale": "Ice Cold Gwinette Ale",
    }  # fmt: skip
    found = {written: EDITION.items.find(written) for written in meant}
    assert {written: item and item.name for written, item in found.items()} == meant
    perks = {"Adamantium Skeleton": "Adamantion Skeleton", "Command: Impetuous": "Command: Impetous",
             "Action Girl": "Action Boy / Girl", "Action Boy": "Action Boy / Girl"}  # fmt: skip
    assert {written: perk and perk.name for written in perks if (perk := EDITION.perks.find(written))} == perks
    old = EDITIONS["2018-08"]
    gone = [item.name for item in old.items.values() if EDITION.items.find(item.name) is None]
    gone += [mod.name for mod in old.mods.values() if EDITION.mod(mod.name) is None]
    gone += [perk.name for perk in old.perks.values() if EDITION.perks.find(perk.name) is None]
    gone += [card.name for card in old.leader_cards.values() if EDITION.leader_cards.find(card.name) is None]
    for name, faction in EDITION.factions.items():
        gone += [entry.name for key, entry in old.factions[name].models.items() if key not in faction.models]
    assert gone == []


def test_packs_of_the_model_decide_between_mods_that_one_written_name_fits() -> None:
    """Codsworth (90, Clunky -18, Buzzsaw 6) has the robots' pack: Recon Sensors cost 5 there, 7 in Upgrades."""
    for who, item, written, name, broken in (
        ("Codsworth", "Mr Handy Buzzsaw", "Recon Sensors", "Recon Sensors (Robots)", []),
        ("Codsworth", "Mr Handy Buzzsaw", "sensor arrays", "Sensor Array (Robots)", []),
        ("Settler", "Board", "Recon Sensors", "Recon Sensors", []),
        ("Settler", "Board", "Sensor Array", "Sensor Array (Power Armor)", []),
        ("Settler", "Board", "Headlamp", "Headlamp", []),
        ("Settler", "Board", "Recon Sensors (Robots)", "Recon Sensors (Robots)", ["bm.mod"]),
        ("Dogmeat", "Dog Bandana", "Sensor Array", "Sensor Array", ["bm.cost", "bm.mod"]),
    ):  # fmt: skip
        judged = judge(model(who, {"name": item, "mods": [written]}))
        document = force(model(who, {"name": item, "mods": [written]}), edition=INFO)
        assert document["models"][0]["items"][0]["mods"] == [name], written
        assert [rule for rule in rules(judged) if rule in ("bm.mod", "bm.cost")] == broken, (who, written)
    for below in (True, False):
        sensors = selection("Recon Sensors", 5)
        parts = [selection("Mr Handy Buzzsaw", 6, sensors if below else ""), "" if below else sensors]
        roster = ros(
            selection("Codsworth", 90, selection("Clunky", -18), *parts, selection("Leader"), kind="model"), total=83
        )
        imported = SYSTEM.forces.files.import_("list", roster, INFO)
        verdict = SYSTEM.checks.check(imported.document, Terms(INFO, 750))
        assert (verdict.total, verdict.legal, verdict.queries) == (83, True, ()), imported.notes
        assert any("Recon Sensors: read as Recon Sensors (Robots)." in note for note in imported.notes)


def test_builder_offers_what_the_packs_hold() -> None:
    robot = model("Eyebot", {"name": "Eyebot Laser", "mods": ["Long Barrel"]}, leader=True, leader_card="Defender")
    document = force(robot, model("Settler"), model("Piper"), edition=INFO)
    view = SYSTEM.forces.builder(document, Terms(INFO, 750), {})
    eyebot, settler, piper = view.models
    assert [(perk.name, perk.cost) for perk in eyebot.add_perks] == [("Clunky", -8)]
    assert (len(settler.add_perks), len(settler.mods)) == (93, 68)
    assert {"Recon Sensors (Robots)", "Long Barrel"} <= {mod.name for mod in eyebot.mods}, "the chosen mod stays"
    assert "Recon Sensors" not in {mod.name for mod in eyebot.mods}
    assert [card.name for card in view.leader_cards] == ["Defender"], "the chosen card stays"
    assert "T-60 Power Armor" in {option.name for option in piper.add_items[-1].options}, "perhaps in a pack"
    groups = [{option.name for option in group.options} for group in view.add_models]
    where = [[n for n, group in enumerate(groups) if name in group] for name in ("Settler", "Piper", "Boone")]
    assert sorted(where) == [[0], [1], [2]], "any number, once each, perhaps once each"
