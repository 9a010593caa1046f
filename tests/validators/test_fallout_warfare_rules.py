"""Fallout: Warfare's rules just kept and just broken; the document's own examples; queries."""

import json
import re
from typing import Any

import pytest

from tests.kit.armies import (
    BOS,
    EDITION,
    LORDS,
    MUTANTS,
    RAIDERS,
    SYSTEM,
    army,
    asked,
    broken,
    check,
    line,
    skill,
    squad,
    squires,
)
from tests.validators.simple_fallout_warfare import CLUB
from validators.contract import Document, Terms, UnreadableForce


def test_level_costs_twice_its_experience() -> None:
    """8.2."""
    xp = [0, 2, 6, 12, 20, 30, 42, 56, 72, 90, 110, 132, 156, 182, 210, 240]
    assert [EDITION.lists.level_points(n) for n in range(1, 17)] == [2 * points for points in xp]
    assert check(army(squires(), squad(line("Squire", "hero", level=3)))).total == 6 + 3 * 11 + 8 + 12
    assert check(army(vehicles=["Dune Buggy"])).total == 17
    assert check(army(vehicles=["Dune Buggy"], faction=RAIDERS)).total == 14, "cheaper for Raiders"


def test_skill_points_as_the_document_counts_them() -> None:
    sneak, traps = skill("Sneak"), skill("Traps")
    for name, level, skills, legal in (
        ("Squire", 1, [sneak], True),  # S2: the raiders' hero of level 1
        ("Squire", 1, [skill("Lockpick")], True),  # S3: both sides' hero of level 1
        ("Squire", 3, [skill("Piloting", 7)], True),  # S2: the convoy's hero of level 3; 8.2: one skill at 7
        ("Squire", 3, [sneak, traps], True),  # 8.2: or two skills at 5
        ("Squire", 2, [sneak, traps], False),
        ("Squire", 6, [skill("Sneak", 10)], True),  # 5.1: five skill points at most
        ("Squire", 6, [skill("Sneak", 11)], False),
        ("Raider", 1, [sneak, skill("Piloting", 4)], True),  # Raiders have Piloting (4)
        ("Raider", 1, [skill("Piloting")], None),  # 5 only if Piloting may be the new skill, and not 4 and a point
        ("Raider", 3, [skill("Piloting", 7)], None),  # 8.2: one skill at 7; raised from 4 it takes 3 points
        ("Raider", 3, [sneak, skill("Piloting", 7)], False),  # the new skill is Sneak
        ("Reaver", 3, [skill("Piloting", 7)], True),  # Reavers have Piloting (5)
        ("Scribe", 1, [skill("Repair", 9)], True),  # Scribes roll Repair against their IN of 9
        ("Scribe", 1, [skill("Repair", 10)], False),
    ):
        document = army(squires(), squad(line(name, "hero", level=level, skills=skills)))
        found = "fw.skills" in broken(document), "fw.skills" in asked(document)
        assert found == (legal is False, legal is None), (name, level, skills)


def test_rules_just_kept_and_just_broken() -> None:
    hero, lord, leader = line("Squire", "hero"), line("Beastlord"), line("Beastlord", "squadleader")

    def lords(*models: dict[str, Any]) -> Document:
        return army(squad(*models), faction=LORDS)

    def led(*items: str) -> Document:
        return army(squad(line("Squire", "squadleader", items=list(items)), line("Squire", "grunt", 3)))

    for rule, kept, breaks in (
        ("fw.cost", army(squires()), army(squires(weapon="Riffle"))),
        ("fw.rank", army(squires()), army(squires(), squad(line("Citizen", "hero")))),
        ("fw.leader", army(squires()), army(squad(line("Squire", "grunt", 3)))),
        ("fw.leader", army(squires(), squad(hero)), army(squad(line("Squire", "squadleader")))),
        ("fw.squad", army(squires(3)), army(squires(1))),
        ("fw.squad", army(squires(20, "")), army(squires(21, ""))),
        ("fw.mixed", army(squires(3)), army(squires(3, "", line("Knight")))),
        ("fw.heroes", army(squires(), squad(hero)), army(squad(hero))),
        ("fw.weapon", army(squad(line("Scribe", "hero"))), army(squad(line("Scribe", "hero", 1, "Pistol")))),
        ("fw.weapon", army(squires(3, "")), army(squires(3, "Grenade"))),
        ("fw.items", led("Stimpak"), led("Stimpak", "Stimpak")),
        ("fw.needs", army(squad(line("Ghoul", "squadleader", items=["Stealth Boy"])), faction=MUTANTS),
         army(squad(line("Super Mutant", "squadleader", items=["Stealth Boy"])), faction=MUTANTS)),
        ("fw.needs", army(squires()), army(squad(line("Squire", "hero", items=["Robot Repair Kit"])))),
        ("fw.level", army(squad(line("Squire", "hero", level=16))), army(squad(line("Squire", "hero", level=17)))),
        ("fw.skills", army(squires()), army(squires(3, "", line("Squire", skills=[skill("Sneak")])))),
        ("fw.vehicle", army(squad(hero | {"skills": [skill("Piloting")]}), vehicles=["Taxi"]),
         army(squad(hero), vehicles=["Taxi"])),
        ("fw.vehicle-limit", army(vehicles=["Taxi"] * 2), army(vehicles=["Taxi"] * 3)),
        ("fw.mines", army(squad(hero | {"skills": [skill("Traps")]}), mines=3),
         army(squad(hero | {"skills": [skill("Traps")]}), mines=4)),
        ("fw.beasts", lords(leader, line("Dog", count=6)), lords(leader, line("Dog", count=7))),
        ("fw.beasts", lords(lord, line("Dog"), line("Giant Rat", count=2)),
         army(squad(line("Raider", "squadleader"), line("Dog", count=3)), faction=RAIDERS)),
        ("fw.alpha", lords(lord, line("Alpha Wolf"), line("Wolf")), lords(lord, line("Alpha Wolf"), line("Dog"))),
        ("fw.alpha", lords(lord, line("Alpha Wolf"), line("Wolf")),
         lords(lord, line("Alpha Wolf", count=2), line("Wolf"))),
        ("fw.faction", army(squires(), faction=BOS), army(faction="Robots")),
    ):  # fmt: skip
        assert rule not in broken(kept), kept
        found = [problem for problem in check(breaks).problems if problem.rule == rule]
        assert found and all(problem.message and problem.fix for problem in found), (rule, breaks)


def test_size() -> None:
    document = army(squires())
    assert check(document).total == 39 == 6 + 3 * (5 + 6)
    assert ("fw.size" in broken(document, 39), "fw.size" in broken(document, 38)) == (False, True)


def test_three_quarters_of_the_army_are_of_its_faction() -> None:
    """Raiders at 5 each with Squires at 11: a quarter exactly, then more."""
    allies = squad(line("Raider", "squadleader"), line("Raider", "grunt", 3))  # 9 + 15 = 24
    own = squad(line("Squire", "squadleader"), line("Squire", "grunt", 6, "Rifle"))  # 6 + 66 = 72
    armed = squad(line("Raider", "squadleader", 1, "Club"), line("Raider", "grunt", 3))
    driven = army(own, armed) | {"vehicles": ["APC"]}
    assert check(army(own, allies)).total == 96
    for what, document, size, problem, query in (
        ("a quarter exactly", army(own, allies), 96, False, False),
        ("more than a quarter", army(own, armed), 400, True, None),
        ("72 points are not three quarters of 200", army(own, allies), 200, False, True),
        ("no allies", army(own), 200, False, False),
        ("a vehicle of 30 points is of no list", driven, 400, False, None),
        ("72 of figures are not 75", driven, 100, None, True),
    ):
        assert problem in (None, "fw.faction" in broken(document, size)), what
        assert query in (None, "fw.faction" in asked(document, size)), what


def test_points_on_heroes_are_the_hero_and_the_level() -> None:
    for hero, problem, query in (
        (line("Super Mutant", "hero", level=4), False, False),  # 26 + 24 of 50
        (line("Super Mutant", "hero", level=5), True, False),
        (line("Super Mutant", "hero", 1, "Club", level=4), False, True),
    ):
        document = army(squires(), squad(hero))
        found = "fw.hero-points" in broken(document, 200), "fw.hero-points" in asked(document, 200)
        assert found == (problem, query), hero
    for squads, heroes, legal in ((1, 1, True), (2, 1, True), (2, 2, False), (3, 2, True)):
        document = army(*[squires()] * squads, *[squad(line("Squire", "hero"))] * heroes)
        assert ("fw.heroes" not in broken(document)) == legal, "half of the squads, rounded up"


def test_other_weapons_for_each_restricted_one() -> None:
    for armed, unarmed, heavy, problem, query in (
        (3, 0, 1, False, False), (2, 0, 1, True, False), (2, 1, 1, False, True), (5, 0, 2, True, False),
        (6, 0, 2, False, False),
    ):  # fmt: skip
        bare = [line("Squire", "grunt", unarmed)] if unarmed else []
        lines = [line("Squire", "grunt", armed, "Pistol"), *bare, line("Squire", "grunt", heavy, "RPG")]
        document = army(squad(line("Squire", "squadleader", 1, "Minigun"), *lines))
        found = "fw.restricted" in broken(document), "fw.restricted" in asked(document)
        assert found == (problem, query), (armed, unarmed, heavy)

    for others, problem in ((0, True), (11, True), (12, False)):  # 25 % of the grunts of every race
        lords = [squad(line("Beastlord", "grunt", 1, "Minigun"), line("Dog", "grunt", 2))] * 4
        document = army(*lords, *[squires(others, "Knife")] * (others > 0), faction=LORDS)
        assert ("fw.restricted" in broken(document)) == problem, f"four Miniguns, {others} others"

    def paladins(armed: int, heavy: int) -> dict[str, Any]:
        leads = line("Paladin", "squadleader", 1, "Heavy")
        return squad(leads, line("Paladin", "grunt", armed, "Rifle"), line("Paladin", "grunt", heavy, "Minigun"))

    for squads, problem in (
        ((paladins(2, 2),), False),
        ((paladins(1, 2),), True),
        ((paladins(1, 2), paladins(3, 1)), True),  # another squad does not make up for it
    ):
        assert ("fw.restricted" in broken(army(*squads))) == problem, squads


def test_open_readings_are_asked_about_and_not_refused() -> None:
    piloting, traps = [skill("Piloting")], [skill("Traps")]
    for rule, document in (
        ("fw.squad", army(squires(2))), ("fw.squad", army(squires(20, ""))),
        ("fw.mixed", army(squad(line("Elder", "squadleader"), line("Knight", "grunt", 3)))),
        ("fw.beasts", army(squad(line("Beastlord"), line("Dog", count=3)), faction=LORDS)),
        ("fw.beasts", army(squad(line("Beastlord", "squadleader")), faction=LORDS)),
        ("fw.weapon", army(squires(3, "Laser"))), ("fw.level", army(squad(line("Squire", "hero", level=7)))),
        ("fw.vehicle", army(squad(line("Squire", "hero", skills=piloting)), vehicles=["Nuclear APC"])),
        ("fw.vehicle", army(squad(line("Squire", "hero", skills=piloting)), vehicles=["Taxi"] * 2)),
        ("fw.mines", army(squad(line("Squire", "hero", skills=traps)), mines=1)),
    ):  # fmt: skip
        assert (rule in broken(document), rule in asked(document)) == (False, True), (rule, document)


def test_club_s_lists_can_price_robots_and_mines() -> None:
    files = SYSTEM.edition_files
    assert files is not None
    own = files.read(json.dumps(CLUB).encode())
    assert "Robots" in own.factions
    assert "Robots" not in EDITION.factions
    head = {"system": "fallout_warfare", "edition": "club", "faction": "Robots"}
    for robots, mines, rules in ((3, 0, set()), (20, 0, set()), (2, 0, {"fw.squad"}), (3, 1, {"fw.mines"})):
        document = SYSTEM.forces.read(
            head | {"squads": [squad(line("Hover Robot", "grunt", robots))], "mines": mines}, own
        )
        verdict = check(document, edition=own)
        assert verdict.total == robots * 9 + mines * 2
        assert {problem.rule for problem in verdict.problems} == rules, "no Robot can lead"
        assert verdict.queries == ()
    mixed = squad(line("Hover Robot", "grunt", 2), line("Raider"))
    document = SYSTEM.forces.read(head | {"squads": [mixed]}, own)
    assert "fw.leader" in {problem.rule for problem in check(document, edition=own).problems}, "a Raider can"
    assert check(SYSTEM.forces.sample(Terms(own, 200), "Robots", 1), 200, own).legal


def test_restrictions_of_an_event_bind_an_army() -> None:
    document = army(squires(), squires())
    assert check(document).legal
    found = check(document, banned=("Rifle",), most_copies=(("Squire", 7),), factions=(MUTANTS,)).problems
    assert [problem.rule for problem in found] == ["fw.event.ban", "fw.event.copies", "fw.event.factions"]
    assert found[0].places == (0, 1)
    assert check(document, most_copies=(("Squire", 8), ("Rifle", 6))).legal


def test_unreadable_files_are_refused_with_the_place() -> None:
    head = {"system": SYSTEM.id, "edition": EDITION.id, "faction": BOS}

    def models(*lines: dict[str, Any]) -> dict[str, Any]:
        return {"squads": [{"models": list(lines)}]}

    for wrong, place in (
        (models(line("Squire", "captain")), "squads[0].models[0].rank: "),
        (models(line("Squire", count=0)), "squads[0].models[0].count: "),
        (models(*[line("Squire", count=99)] * 6), "This list is too large: 594 models, at most 200"),
        ({"squads": [], "mines": 100}, "mines: "), ({"squads": [], "models": []}, "models: "), ({}, "squads: "),
        ({"squads": [], "edition": "1999"}, "edition: "), ({"squads": [], "system": "battle_mode"}, "system: "),
    ):  # fmt: skip
        with pytest.raises(UnreadableForce, match=re.escape(place)):
            SYSTEM.forces.read(head | wrong, EDITION)
