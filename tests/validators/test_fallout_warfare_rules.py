"""Fallout: Warfare: the document's own examples, a club's lists, unreadable files (rules: …_oracle.py)."""

import json
import re
from typing import Any

import pytest

from tests.kit.armies import (
    BOS,
    EDITION,
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
from validators.contract import Terms, UnreadableForce


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
