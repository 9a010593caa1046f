"""Every rule for armies just kept and just broken; the document's own examples; what is asked about."""

import json
import re
from typing import Any

import pytest

from tests.validators.simple_fallout_warfare import LISTS
from validators import SYSTEMS
from validators.contract import Document, EditionInfo, Terms, UnreadableForce, Verdict
from validators.restrictions import Restrictions

SYSTEM = SYSTEMS["fallout_warfare"]
EDITION = SYSTEM.editions[0]
BOS, MUTANTS, RAIDERS, LORDS = "Brotherhood of Steel", "Mutants", "Raiders & Reavers", "Beastlords"


def line(name: str, rank: str = "grunt", count: int = 1, weapon: str = "", **more: Any) -> dict[str, Any]:
    """Figures that are alike."""
    return {"name": name, "rank": rank, "count": count, "weapon": weapon} | more


def skill(name: str, level: int = 5) -> dict[str, Any]:
    """A chosen skill."""
    return {"name": name, "level": level}


def squad(*models: dict[str, Any]) -> dict[str, Any]:
    """Figures that act together."""
    return {"models": list(models)}


def squires(grunts: int = 3, weapon: str = "Rifle", *more: dict[str, Any]) -> dict[str, Any]:
    """A squad that breaks no rule: a squadleader and grunts."""
    return squad(line("Squire", "squadleader"), line("Squire", "grunt", grunts, weapon), *more)


def army(*squads: dict[str, Any], faction: str = BOS, **more: Any) -> Document:
    """A force file."""
    head = {"system": "fallout_warfare", "edition": EDITION.id, "faction": faction, "squads": list(squads)}
    return SYSTEM.read_force(head | more, EDITION)


def check(document: Document, size: int = 400, edition: EditionInfo = EDITION, **adds: Any) -> Verdict:
    """The verdict at a size."""
    return SYSTEM.check_force(document, Terms(edition, size, Restrictions(**adds)))


def broken(document: Document, size: int = 400) -> set[str]:
    """The ids of the rules that an army breaks."""
    return {problem.rule for problem in check(document, size).problems}


def asked(document: Document, size: int = 400) -> set[str]:
    """The ids of the rules that it is asked about."""
    return {query.rule for query in check(document, size).queries}


def test_the_document_s_level_table_and_its_cost() -> None:
    """8.2: a level costs twice the experience that it needs."""
    printed = {2: 2, 3: 6, 4: 12, 5: 20, 6: 30, 7: 42, 8: 56, 9: 72}
    printed |= {10: 90, 11: 110, 12: 132, 13: 156, 14: 182, 15: 210, 16: 240}
    assert {n: EDITION.lists.level_points(n) for n in printed} == {n: 2 * xp for n, xp in printed.items()}
    assert EDITION.lists.level_points(1) == 0
    alone = army(squires(), squad(line("Squire", "hero", level=3)))
    assert check(alone).total == 6 + 3 * 11 + 8 + 12


@pytest.mark.parametrize(
    ("level", "skills", "legal"),
    [
        (1, [skill("Sneak")], True),  # S2: the raiders' hero of level 1
        (1, [skill("Lockpick")], True),  # S3: both sides' hero of level 1
        (3, [skill("Piloting", 7)], True),  # S2: the convoy's hero of level 3; 8.2: one skill at 7
        (3, [skill("Sneak"), skill("Traps")], True),  # 8.2: or two skills at 5
        (3, [skill("Sneak", 6), skill("Traps")], False),
        (2, [skill("Piloting", 7)], False),
        (2, [skill("Sneak"), skill("Traps")], False),
        (1, [skill("Sneak", 6)], False),
        (1, [skill("Sneak", 4)], False),
        (6, [skill("Sneak", 10)], True),  # 5.1: five skill points at most
        (6, [skill("Sneak", 11)], False),
        (3, [skill("Sneak"), skill("Sneak")], False),
    ],
)
def test_skill_points_as_the_document_counts_them(level: int, skills: list[dict[str, Any]], legal: bool) -> None:
    document = army(squires(), squad(line("Squire", "hero", level=level, skills=skills)))
    assert ("fw.skills" not in broken(document)) == legal


def test_a_skill_of_the_entry_comes_beside_the_chosen_one_and_is_raised_from_its_own_level() -> None:
    """Raiders have Piloting (4), Scribes roll Repair against their IN of 9."""
    raised = army(squad(line("Raider", "hero", skills=[skill("Sneak"), skill("Piloting", 4)])), faction=RAIDERS)
    assert "fw.skills" not in broken(raised)
    raised = army(squad(line("Raider", "hero", skills=[skill("Piloting")])), faction=RAIDERS)
    assert "fw.skills" in broken(raised)
    assert "fw.skills" not in broken(army(squad(line("Scribe", "hero", skills=[skill("Repair", 9)]))))
    assert "fw.skills" in broken(army(squad(line("Scribe", "hero", skills=[skill("Repair", 10)]))))


@pytest.mark.parametrize(
    ("rule", "kept", "breaks"),
    [
        ("fw.cost", army(squires()), army(squires(weapon="Riffle"))),
        ("fw.cost", army(squires()), army(squires(), squad(line("Hover Robot", "grunt", 3)))),
        ("fw.cost", army(squires()), army(squires(), vehicles=["Zeppelin"])),
        ("fw.rank", army(squires()), army(squires(), squad(line("Citizen", "hero")))),
        ("fw.leader", army(squires()), army(squad(line("Squire", "grunt", 3)))),
        ("fw.leader", army(squires()), army(squires(3, "", line("Squire", "hero")))),
        ("fw.leader", army(squires(), squad(line("Squire", "hero"))), army(squad(line("Squire", "squadleader")))),
        ("fw.leader", army(squires()), army(squires(), squad())),
        ("fw.squad", army(squires(3)), army(squires(1))),
        ("fw.squad", army(squires(3)), army()),
        ("fw.squad", army(squires(20, "")), army(squires(21, ""))),
        ("fw.mixed", army(squires(3)), army(squires(3, "", line("Knight")))),
        ("fw.heroes", army(squires(), squad(line("Squire", "hero"))), army(squad(line("Squire", "hero")))),
        ("fw.weapon", army(squad(line("Scribe", "hero"))), army(squad(line("Scribe", "hero", 1, "Pistol")))),
        ("fw.weapon", army(squires(3, "")), army(squires(3, "Grenade"))),
        ("fw.weapon", army(squires()), army(squires(), squad(line("Citizen", grenades=1)))),
        (
            "fw.items",
            army(squad(line("Squire", "squadleader", items=["Stimpak"]), line("Squire", "grunt", 3))),
            army(squad(line("Squire", "squadleader", items=["Stimpak"] * 2), line("Squire", "grunt", 3))),
        ),
        ("fw.items", army(squires()), army(squires(), squad(line("Squire", items=["Stimpak"])))),
        (
            "fw.needs",
            army(squad(line("Ghoul", "squadleader", items=["Stealth Boy"])), faction=MUTANTS),
            army(squad(line("Super Mutant", "squadleader", items=["Stealth Boy"])), faction=MUTANTS),
        ),
        ("fw.needs", army(squires()), army(squad(line("Squire", "hero", items=["Robot Repair Kit"])))),
        ("fw.level", army(squad(line("Squire", "hero", level=16))), army(squad(line("Squire", "hero", level=17)))),
        ("fw.level", army(squires()), army(squires(3, "", line("Squire", level=2)))),
        ("fw.skills", army(squires()), army(squires(3, "", line("Squire", skills=[skill("Sneak")])))),
        (
            "fw.vehicle",
            army(squad(line("Squire", "hero", skills=[skill("Piloting")])), vehicles=["Taxi"]),
            army(squad(line("Squire", "hero")), vehicles=["Taxi"]),
        ),
        ("fw.vehicle-limit", army(vehicles=["Taxi"] * 2), army(vehicles=["Taxi"] * 3)),
        (
            "fw.mines",
            army(squad(line("Squire", "hero", skills=[skill("Traps")])), mines=3),
            army(squad(line("Squire", "hero", skills=[skill("Traps")])), mines=4),
        ),
        (
            "fw.beasts",  # the squadleader's Charisma is 6
            army(squad(line("Beastlord", "squadleader"), line("Dog", count=6)), faction=LORDS),
            army(squad(line("Beastlord", "squadleader"), line("Dog", count=7)), faction=LORDS),
        ),
        (
            "fw.beasts",
            army(squad(line("Beastlord"), line("Dog"), line("Giant Rat", count=2)), faction=LORDS),
            army(squad(line("Raider", "squadleader"), line("Dog", count=3)), faction=RAIDERS),
        ),
        (
            "fw.beasts",
            army(squad(line("Beastlord"), line("Dog")), faction=LORDS),
            army(squad(line("Beastlord"), line("Raider")), faction=LORDS),
        ),
        (
            "fw.leader",
            army(squad(line("Beastlord", count=1), line("Dog")), faction=LORDS),
            army(squad(line("Beastlord", count=2), line("Dog")), faction=LORDS),
        ),
        (
            "fw.alpha",
            army(squad(line("Beastlord"), line("Alpha Wolf"), line("Wolf")), faction=LORDS),
            army(squad(line("Beastlord"), line("Alpha Wolf"), line("Dog")), faction=LORDS),
        ),
        (
            "fw.alpha",
            army(squad(line("Beastlord"), line("Alpha Wolf"), line("Wolf")), faction=LORDS),
            army(squad(line("Beastlord"), line("Alpha Wolf", count=2), line("Wolf")), faction=LORDS),
        ),
        ("fw.faction", army(squires(), faction=BOS), army(faction="Robots")),
    ],
)
def test_a_rule_just_kept_and_just_broken(rule: str, kept: Document, breaks: Document) -> None:
    assert rule not in broken(kept)
    found = [problem for problem in check(breaks).problems if problem.rule == rule]
    assert found
    assert all(problem.message and problem.mend for problem in found)


def test_size() -> None:
    document = army(squires())
    total = check(document).total
    assert total == 6 + 3 * (5 + 6)
    assert "fw.size" not in broken(document, total)
    assert "fw.size" in broken(document, total - 1)


def test_three_quarters_of_the_army_are_of_its_faction() -> None:
    """Raiders at 5 each beside Squires at 11: a quarter exactly, then more."""
    allies = squad(line("Raider", "squadleader"), line("Raider", "grunt", 3))  # 9 + 15 = 24
    own = squad(line("Squire", "squadleader"), line("Squire", "grunt", 6, "Rifle"))  # 6 + 66 = 72
    exactly = army(own, allies)
    assert check(exactly).total == 96
    assert "fw.faction" not in broken(exactly)
    allies["models"][0] |= {"weapon": "Club"}
    assert "fw.faction" in broken(army(own, allies))
    assert "fw.faction" in asked(exactly, 200), "72 points are not three quarters of 200"
    assert "fw.faction" not in asked(exactly, 96)
    assert "fw.faction" not in asked(army(own), 200), "with no allies there is nothing to ask"
    driven = army(own, allies) | {"vehicles": ["APC"]}
    assert "fw.faction" not in broken(driven)
    assert "fw.faction" in asked(driven, 100), "a vehicle of 30 points is of no list: 72 of figures are not 75"


@pytest.mark.parametrize(("size", "allowed"), [(100, 25), (200, 50), (399, 99), (400, 100)])
def test_points_on_heroes_scale_with_the_size(size: int, allowed: int) -> None:
    view = SYSTEM.builder(army(), Terms(EDITION, size), {})
    assert view.hero_points_allowed == allowed


def test_points_on_heroes_are_the_hero_and_the_level() -> None:
    fifty = army(squires(), squad(line("Super Mutant", "hero", level=4)))  # 26 + 24
    assert "fw.hero-points" not in broken(fifty, 200)
    assert "fw.hero-points" not in asked(fifty, 200)
    assert "fw.hero-points" in broken(army(squires(), squad(line("Super Mutant", "hero", level=5))), 200)
    armed = army(squires(), squad(line("Super Mutant", "hero", 1, "Club", level=4)))
    assert "fw.hero-points" not in broken(armed, 200)
    assert "fw.hero-points" in asked(armed, 200)


@pytest.mark.parametrize(("squads", "heroes", "legal"), [(1, 1, True), (2, 1, True), (2, 2, False), (3, 2, True)])
def test_heroes_by_squads_rounded_up(squads: int, heroes: int, legal: bool) -> None:
    document = army(*[squires()] * squads, *[squad(line("Squire", "hero"))] * heroes)
    assert ("fw.heroes" not in broken(document)) == legal


@pytest.mark.parametrize(
    ("armed", "unarmed", "heavy", "problem", "query"),
    [
        (3, 0, 1, False, False),
        (2, 0, 1, True, False),
        (2, 1, 1, False, True),
        (5, 0, 2, True, False),
        (6, 0, 2, False, False),
    ],
)
def test_three_other_weapons_for_each_restricted_one(
    armed: int, unarmed: int, heavy: int, problem: bool, query: bool
) -> None:
    bare = [line("Squire", "grunt", unarmed)] if unarmed else []
    lines = [line("Squire", "grunt", armed, "Pistol"), *bare, line("Squire", "grunt", heavy, "RPG")]
    document = army(squad(line("Squire", "squadleader", 1, "Minigun"), *lines))
    assert ("fw.restricted" in broken(document)) == problem
    assert ("fw.restricted" in asked(document)) == query


def test_paladins_need_one_other_weapon_each_in_their_own_squad() -> None:
    def paladins(armed: int, heavy: int) -> dict[str, Any]:
        leads = line("Paladin", "squadleader", 1, "Heavy")
        return squad(leads, line("Paladin", "grunt", armed, "Rifle"), line("Paladin", "grunt", heavy, "Minigun"))

    assert "fw.restricted" not in broken(army(paladins(2, 2)))
    assert "fw.restricted" in broken(army(paladins(1, 2)))
    assert "fw.restricted" in broken(army(paladins(1, 2), paladins(3, 1))), "another squad does not make up for it"


@pytest.mark.parametrize(
    ("rule", "document"),
    [
        ("fw.squad", army(squires(2))),
        ("fw.squad", army(squires(20, ""))),
        ("fw.mixed", army(squad(line("Elder", "squadleader"), line("Knight", "grunt", 3)))),
        ("fw.beasts", army(squad(line("Beastlord"), line("Dog", count=3)), faction=LORDS)),
        ("fw.beasts", army(squad(line("Beastlord", "squadleader")), faction=LORDS)),
        ("fw.weapon", army(squires(3, "Laser"))),
        ("fw.level", army(squad(line("Squire", "hero", level=7)))),
        ("fw.vehicle", army(squad(line("Squire", "hero", skills=[skill("Piloting")])), vehicles=["Nuclear APC"])),
        ("fw.vehicle", army(squad(line("Squire", "hero", skills=[skill("Piloting")])), vehicles=["Taxi"] * 2)),
        ("fw.mines", army(squad(line("Squire", "hero", skills=[skill("Traps")])), mines=1)),
    ],
)
def test_what_the_document_leaves_open_is_asked_and_not_refused(rule: str, document: Document) -> None:
    assert rule not in broken(document)
    assert rule in asked(document)


def test_a_dune_buggy_is_cheaper_for_raiders() -> None:
    assert check(army(vehicles=["Dune Buggy"])).total == 17
    assert check(army(vehicles=["Dune Buggy"], faction=RAIDERS)).total == 14


def test_lists_of_the_organiser_can_price_robots_and_mines() -> None:
    files = SYSTEM.edition_files
    assert files is not None
    troops = [
        troop | {"ranks": {"grunt": troop["ranks"]["grunt"] | {"points": 9}}}
        if troop["name"] == "Hover Robot"
        else troop
        for troop in LISTS["troops"]
    ]
    own = files.read(_data(LISTS | {"id": "club", "troops": troops, "mine_points": 2}))
    assert "Robots" in own.factions
    assert "Robots" not in EDITION.factions
    head = {"system": "fallout_warfare", "edition": "club", "faction": "Robots", "mines": 1}
    document = SYSTEM.read_force(head | {"squads": [squad(line("Hover Robot", "grunt", 3))]}, own)
    verdict = check(document, edition=own)
    assert verdict.total == 3 * 9 + 2
    assert "fw.cost" not in {problem.rule for problem in verdict.problems}
    assert verdict.queries == ()


def _data(document: dict[str, Any]) -> bytes:

    return json.dumps(document).encode()


def test_what_an_event_adds() -> None:
    document = army(squires(), squires())
    assert check(document).legal
    found = check(document, banned=("Rifle",), most_copies=(("Squire", 7),), factions=(MUTANTS,)).problems
    assert [problem.rule for problem in found] == ["fw.event.ban", "fw.event.copies", "fw.event.factions"]
    assert found[0].places == (0, 1)
    assert check(document, most_copies=(("Squire", 8), ("Rifle", 6))).legal


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"squads": [{"models": [line("Squire", "captain")]}]}, "squads[0].models[0].rank: is not 'grunt'"),
        ({"squads": [{"models": [line("Squire", count=0)]}]}, "squads[0].models[0].count: is 0, at least 1"),
        ({"squads": [{"models": [line("Squire", count=99)] * 6}]}, "This list is too large: 594 models, at most 200"),
        ({"squads": [], "mines": 100}, "mines: is 100, at most 99"),
        ({"squads": [], "models": []}, "models: is not a field of the force file"),
        ({}, "squads: is missing"),
        ({"squads": [], "edition": "1999"}, "edition: '1999' stands there"),
        ({"squads": [], "system": "battle_mode"}, "system: is not 'fallout_warfare'"),
    ],
)
def test_a_file_without_meaning_is_refused_with_its_place(wrong: dict[str, Any], says: str) -> None:
    head = {"system": "fallout_warfare", "edition": EDITION.id, "faction": BOS}
    with pytest.raises(UnreadableForce, match=re.escape(says)):
        SYSTEM.read_force(head | wrong, EDITION)
