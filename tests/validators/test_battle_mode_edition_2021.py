"""The partial edition of January 2021: its figures, and the rules where a model is allowed packs instead of names."""

from collections.abc import Sequence
from typing import Any

import pytest

from validators import SYSTEMS
from validators.battle_mode.edition import Priced
from validators.battle_mode.shipped import EDITIONS
from validators.contract import Finding, Terms, Verdict

SYSTEM = SYSTEMS["battle_mode"]
INFO = SYSTEM.edition("2021-01")
EDITION = EDITIONS["2021-01"]


def model(name: str, *items: object, **fields: object) -> dict[str, Any]:
    carried = [{"name": item} if isinstance(item, str) else item for item in items]
    return {"name": name, "items": carried} | fields


def judge(*models: dict[str, Any], faction: str = "Survivors", size: int = 750) -> Verdict:
    """The verdict on these models, the first of which leads."""
    force = {
        "system": "battle_mode",
        "edition": "2021-01",
        "faction": faction,
        "models": [models[0] | {"leader": True}, *models[1:]],
    }
    return SYSTEM.check_force(SYSTEM.read_force(force, INFO), Terms(INFO, size))


def rules(findings: Sequence[Finding]) -> list[str]:
    return [found.rule for found in findings]


def only(verdict: Verdict) -> Finding:
    assert len(verdict.problems) == 1, verdict.problems
    return verdict.problems[0]


def test_a_partial_edition_is_no_default() -> None:
    assert [edition.id for edition in SYSTEM.editions] == ["2018-08", "2021-01"]
    assert (EDITION.partial, EDITIONS["2018-08"].partial) == (True, False)
    assert INFO.name == "Partial force lists, January 2021", "what a narrow list cuts off is not what matters"
    assert any("Power Armor" in note for note in EDITION.notes)


def test_counts() -> None:
    assert {f.name: len(f.models) for f in EDITION.factions.values()} == {"Survivors": 38, "Brotherhood of Steel": 19}
    counts = [len(t) for t in (EDITION.items, EDITION.leader_cards, EDITION.perks, EDITION.mods)]
    assert counts == [405, 30, 95, 115]  # of the 645 rows of the source one more is Heroic itself
    assert {pack.name: len(pack.items) for pack in EDITION.packs.values()} == {
        "Advanced Items": 99,
        "Automatron Items": 11,
        "Creature Items": 36,
        "Dog Items": 3,
        "High Tech Items": 60,
        "Power Armor": 0,
        "Robot Items": 30,
        "Special Items": 6,
        "Super Mutant Items": 9,
        "Upgrades": 0,
        "Usable Items": 70,
        "Wasteland Items": 81,
    }


@pytest.mark.parametrize(
    ("faction", "name", "caps"),
    [
        ("Survivors", "Arcade Gannon", 50),
        ("Survivors", "Piper", 76),
        ("Survivors", "Preston Garvey", 124),
        ("Survivors", "Settler", 40),
        ("Survivors", "Vault-Security Officer", 40),
        ("Survivors", "X6-88 Courser", 152),
        ("Brotherhood of Steel", "Elder Maxson", 120),
        ("Brotherhood of Steel", "Knight Patrol (Blade)", 38),
        ("Brotherhood of Steel", "Paladin Danse", 118),
        ("Brotherhood of Steel", "Veronica", 60),
    ],
)
def test_models_cost_what_the_source_says(faction: str, name: str, caps: int) -> None:
    entry = EDITION.model(name, faction)
    assert entry is not None
    assert (entry.faction, entry.caps) == (faction, caps)


def test_things_cost_what_the_source_says() -> None:
    items = {"Anti-Materiel Rifle": 37, "Fat Man": 45, "Pipe Pistol": 2, "Dog Bite": 0, "Nuka-Cola Quantum": 41}
    assert {name: item.caps for name in items if (item := EDITION.item(name))} == items
    mods = {"Recon Sensors": 7, "Recon Sensors (Robots)": 5, "Powerful": 16}
    assert {name: mod.caps for name in mods if (mod := EDITION.mod(name))} == mods
    perks = {"Lone Wanderer": 22, "Pain Train": 1}
    assert {name: perk.caps for name in perks if (perk := EDITION.perk(name))} == perks
    shares = {share.name: share.percent for share in EDITION.perks.values() if share.percent}
    assert shares == {"Unpredictable": 15, "Wild": -20, "Clunky": -20}
    assert EDITION.leader_card("Defender") == Priced("Defender", 28)
    assert EDITION.heroic_caps == 60


def test_heavy_weapons_and_what_takes_a_mod() -> None:
    assert {item.name for item in EDITION.items.values() if item.heavy} == {
        *("Broadsider", "Light Machine Gun", "Minigun", "Missile Launcher", "Fat Man", "Final Judgement"),
        *("Gatling Laser", "Heavy Incinerator", "Incinerator", "Tesla Cannon", "Freezing Junk Jet", "Junk Jet"),
        *("Securitron Gatling Laser", "Securitron Missile Launcher"),
    }
    kinds = {item.kind for item in EDITION.items.values() if item.takes_mod}
    assert kinds == {"Armor", "Heavy", "Rifles", "Pistols", "Melee"}


def test_a_pack_is_what_its_models_may_carry() -> None:
    tech = EDITION.model("Enslaved Tech", "Survivors")
    assert tech is not None
    assert tech.packs == ("Upgrades", "Wasteland Items", "Usable Items")
    listed = [name for names in tech.may_carry.values() for name in names]
    assert sorted(listed) == sorted(
        [*EDITION.packs["wasteland items"].items, *EDITION.packs["usable items"].items],
    )
    assert (tech.carries("Pipe Rifle"), tech.carries("Combat Rifle")) == (True, False)
    assert tech.heroic
    assert tech.perks == frozenset(EDITION.packs["upgrades"].perks)


def test_carry_by_pack() -> None:
    assert judge(model("Enslaved Tech", "Pipe Rifle")).legal
    problem = only(judge(model("Enslaved Tech", "Combat Rifle")))
    assert (problem.rule, problem.message) == ("bm.carry", "Enslaved Tech may not carry Combat Rifle")
    rifles = [
        *("Bolt-Action Pipe Rifle", "Crippling Bolt-Action Pipe Rifle", "Irradiated Pipe Rifle"),
        *("Junkie's Bolt Action Pipe Rifle", "Pipe Rifle", "Railway Rifle", "Sawed-Off Shotgun"),
    ]
    assert problem.mend == f"Take it off, or choose from {', '.join(rifles)}."
    long = only(judge(model("Settler", "Laser Rifle")))
    assert long.mend.startswith("Take it off, or choose ")
    assert len(long.mend) < 120, "of a long list only what is near is named"
    none = only(judge(model("Codsworth", "Power Armor Frame", "Mr Handy Flamer"), size=500))
    assert none.mend == "Take it off, or choose from Mechanist Armor and Helmet."
    assert only(judge(model("Dogmeat", "Pipe Rifle"))).mend == "Take it off: its packs (Dog Items) hold no Rifles."


def test_perk_by_pack() -> None:
    assert judge(model("Settler", perks=["Sneak", "Toughness"])).legal
    for name in ("Dogmeat", "Codsworth"):
        problem = only(judge(model(name, perks=["Sneak"])))
        assert (problem.rule, problem.message) == ("bm.perk", f"{name} may not have Sneak")
    assert only(judge(model("Dogmeat", perks=["Sneak"]))).mend == "Take it off: the model's packs hold no perk."
    assert rules(judge(model("Settler", perks=["Clunky"])).problems) == ["bm.perk"]
    assert rules(judge(model("Nobody", perks=["Clunky"])).problems) == ["bm.cost"], "nobody has no packs to judge by"


def test_mod_by_pack() -> None:
    assert judge(model("Settler", {"name": "Hunting Rifle", "mods": ["Long Barrel"]})).legal
    assert judge(model("Mr Handy", {"name": "Hand Nail Gun", "mods": ["Recon Sensors (Robots)"]})).legal
    problem = only(judge(model("Mr Handy", {"name": "Hand Nail Gun", "mods": ["Recon Sensors"]})))
    assert problem.rule == "bm.mod"
    assert problem.message == "Recon Sensors on Hand Nail Gun: Mr Handy may not have this mod"
    assert problem.mend.startswith("Take it off, or choose Recon Sensors (Robots)")
    other = only(judge(model("Settler", {"name": "Hunting Rifle", "mods": ["Recon Sensors (Robots)"]})))
    assert other.rule == "bm.mod"


def test_a_mod_on_power_armour() -> None:
    armour = {"name": "T-60 Power Armor", "mods": ["Headlamp (Power Armour)"]}
    assert judge(model("Knight", armour), faction="Brotherhood of Steel").legal


def test_heroic_by_pack() -> None:
    assert judge(model("Settler", heroic=True)).total == 100
    for name in ("Dogmeat", "Eyebot"):
        problem = only(judge(model(name, heroic=True)))
        assert (problem.rule, problem.message) == ("bm.heroic", f"{name} may not be Heroic")


def test_leader_card_by_pack() -> None:
    assert judge(model("Settler", leader_card="Defender")).total == 68
    assert judge(model("Eyebot")).legal, "a robot may lead"
    problem = only(judge(model("Eyebot", leader_card="Defender")))
    assert problem.rule == "bm.leader-card"
    assert problem.message == "Eyebot may not have the Leader card Defender: it is in none of its packs"
    assert problem.mend == "Take the card off Eyebot."


@pytest.mark.parametrize(
    ("name", "perk", "faction", "total"),
    [
        ("Settler", "Unpredictable", "Survivors", 46),  # 40 and 15 %
        ("Minuteman", "Unpredictable", "Survivors", 57 + 9),  # 8.55 rounds up
        ("Arcade Gannon", "Unpredictable", "Survivors", 58),  # 7.5: half up
        ("Vault Dweller", "Unpredictable", "Survivors", 39),  # 5.1 rounds down
        ("ED-E", "Clunky", "Survivors", 54),  # 67 less 13.4
        ("Eyebot", "Clunky", "Survivors", 32),
    ],
)
def test_a_share_of_the_models_own_cost(name: str, perk: str, faction: str, total: int) -> None:
    verdict = judge(model(name, perks=[perk]), faction=faction)
    assert (verdict.legal, verdict.total, verdict.queries) == (True, total, ())


def test_a_share_takes_nothing_of_what_is_carried() -> None:
    verdict = judge(model("Settler", "Hunting Rifle", heroic=True, perks=["Unpredictable", "Sneak"]))
    assert verdict.total == 40 + 6 + 20 + 60 + 3


def test_a_share_where_another_reading_decides_is_a_query() -> None:
    rifleman = model("Settler", "Hunting Rifle", perks=["Unpredictable"])  # 66, or 69 with a share of the rifle
    assert judge(rifleman, size=69).queries == ()
    query = judge(rifleman, size=68).queries[0]
    assert (query.rule, query.figures) == ("bm.cost", {"total": 66, "least": 66, "most": 69, "size": 68})
    assert "Unpredictable" in query.message
    refused = judge(rifleman, size=65)
    assert (rules(refused.problems), refused.queries) == (["bm.size"], ())
    halves = model("Arcade Gannon", perks=["Unpredictable"])  # 57.5
    assert rules(judge(halves, size=57).problems) == ["bm.size"]
    assert rules(judge(halves, size=57).queries) == ["bm.cost"]
    assert judge(halves, size=58).queries == ()


def test_the_same_share_twice_is_paid_twice_and_asked() -> None:
    verdict = judge(model("Settler", perks=["Unpredictable", "Unpredictable"]))
    assert (verdict.total, rules(verdict.queries)) == (52, ["bm.perk"])


def test_a_printed_profile_is_harmless() -> None:
    bite = judge(model("Dogmeat", "Dog Bite"))
    assert (bite.legal, bite.total, bite.queries) == (True, 83, ())
    odd = judge(model("Settler", "Dog Bite"))
    assert (odd.legal, odd.total, rules(odd.queries)) == (True, 40, ["bm.carry"])


def test_what_only_the_unknown_pack_could_hold_is_a_query() -> None:
    piper = judge(model("Piper", "T-60 Power Armor"))
    assert (piper.legal, piper.total, rules(piper.queries)) == (True, 76 + 70, ["bm.carry"])
    assert piper.queries[0].message == (
        "T-60 Power Armor on Piper: the edition does not say whether one of its packs holds it"
    )
    assert judge(model("Piper", "Power Armor Frame")).queries == (), "she has it from Wasteland Items"
    assert judge(model("Sole Survivor", "T-60 Power Armor")).queries == (), "from High Tech Items"
    assert rules(judge(model("Settler", "T-60 Power Armor")).problems) == ["bm.carry"], "without that pack"
    assert rules(judge(model("Piper", "Hellfire Armor")).problems) == ["bm.carry"]


def test_persons_known_from_2018() -> None:
    assert rules(judge(model("Piper"), model("Piper")).problems) == ["bm.unique"]
    assert rules(judge(model("Dogmeat"), model("Dogmeat Scout")).problems) == ["bm.unique"]
    assert judge(model("Settler"), model("Settler"), model("Dog"), model("Dog")).queries == ()


def test_whom_the_edition_does_not_know_twice_is_a_query() -> None:
    assert judge(model("Boone"), model("Cass")).queries == ()
    twice = judge(model("Boone"), model("Boone"))
    assert (twice.legal, rules(twice.queries)) == (True, ["bm.unique"])
    assert twice.queries[0].message == (
        "Boone may be in the force 2 times (Boone): the edition does not say who is unique"
    )
    faces = judge(model("Sole Survivor"), model("Sole Survivor Tech"))
    assert (faces.legal, rules(faces.queries)) == (True, ["bm.unique"])
    assert judge(model("Sole Survivor"), model("Sole Survivor Loner")).queries == (), "another person, as in 2018"


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("Stimpak", "Stimpack"),
        ("psycho", "Psycho (chem)"),
        ("mentats  (BERRY)", "Berry Mentats"),
        ("Road Goggles", "Road Googles"),
    ],
)
def test_names_of_2018_are_found(written: str, meant: str) -> None:
    found = EDITION.item(written)
    assert found is not None
    assert found.name == meant


def test_what_2018_knows_is_still_known() -> None:
    """Every priced name of 2018 leads to something here, and so does every model of the two factions."""
    old = EDITIONS["2018-08"]
    gone = [item.name for item in old.items.values() if EDITION.item(item.name) is None]
    gone += [mod.name for mod in old.mods.values() if EDITION.mod(mod.name) is None]
    gone += [perk.name for perk in old.perks.values() if EDITION.perk(perk.name) is None]
    gone += [card.name for card in old.leader_cards.values() if EDITION.leader_card(card.name) is None]
    for name, faction in EDITION.factions.items():
        gone += [entry.name for key, entry in old.factions[name].models.items() if key not in faction.models]
    assert gone == []


def test_the_builder_offers_what_the_packs_hold() -> None:
    force = {"system": "battle_mode", "edition": "2021-01", "faction": "Survivors"}
    robot = model("Eyebot", {"name": "Eyebot Laser", "mods": ["Long Barrel"]}, leader=True, leader_card="Defender")
    document = SYSTEM.read_force(force | {"models": [robot, model("Settler")]}, INFO)
    view = SYSTEM.builder(document, Terms(INFO, 750), {})
    eyebot, settler = view.models
    assert [perk.name for perk in eyebot.add_perks] == ["Clunky"]
    assert eyebot.add_perks[0].caps == -8
    assert len(settler.add_perks) == 93
    assert {"Recon Sensors (Robots)", "Long Barrel"} <= {mod.name for mod in eyebot.mods}, "what is chosen stays"
    assert "Recon Sensors" not in {mod.name for mod in eyebot.mods}
    assert len(settler.mods) == 68
    assert [card.name for card in view.leader_cards] == ["Defender"], "what is chosen stays"
    piper = SYSTEM.builder(SYSTEM.read_force(force | {"models": [model("Piper")]}, INFO), Terms(INFO, 750), {}).models[
        0
    ]
    assert "T-60 Power Armor" in {option.name for option in piper.add_items[-1].options}
    assert piper.add_items[-1].title == "Perhaps: the edition does not say"
    titles = {group.title: {option.name for option in group.options} for group in view.add_models}
    assert "Settler" in titles["Any number"]
    assert "Piper" in titles["Once each"]
    assert "Boone" in titles["Perhaps once each: the edition does not say"]
