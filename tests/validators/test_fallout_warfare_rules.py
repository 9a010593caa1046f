"""Fallout: Warfare: the document's examples, builder, sheets and lists (rules: test_recorded_forces.py)."""

import json
import re
from collections import Counter
from typing import Any

import pytest

from tests.kit.armies import (
    BOS,
    CLUB,
    EDITION,
    FILES,
    LORDS,
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
from tests.kit.builder_pages import after
from validators.contract import Document, Terms, UnreadableEdition, UnreadableForce
from validators.fallout_warfare.force import priced
from validators.fallout_warfare.sheets import figures_of
from validators.restrictions import Restrictions
from validators.sheet import Table


def test_level_costs_twice_its_experience() -> None:
    xp = [0, 2, 6, 12, 20, 30, 42, 56, 72, 90, 110, 132, 156, 182, 210, 240]
    assert [EDITION.lists.level_points(n) for n in range(1, 17)] == [2 * points for points in xp]
    assert check(army(squires(), squad(line("Squire", "hero", level=3)))).total == 6 + 3 * 11 + 8 + 12
    assert check(army(vehicles=["Dune Buggy"])).total == 17
    assert check(army(vehicles=["Dune Buggy"], faction=RAIDERS)).total == 14, "cheaper for Raiders"


def test_row_of_the_lists_gives_troop_and_rank() -> None:
    for rank, name, read_as in (
        ("grunt", "Knight", "hero"), ("hero", "Knight", "hero"), ("squadleader", "Knight, Hero", "squadleader"),
    ):  # fmt: skip
        (model,) = army(squad(line("Knight, Hero", rank)))["squads"][0]["models"]
        assert (model["name"], model["rank"]) == (name, read_as)


def test_skill_points_as_the_document_counts_them() -> None:
    sneak, traps = skill("Sneak"), skill("Traps")
    for name, level, skills, legal in (
        ("Squire", 1, [sneak], True),  # S2: the raiders' hero of level 1
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


def test_findings_carry_figures_and_fixes() -> None:
    alphas = squad(line("Beastlord"), line("Alpha Wolf", count=2), line("Wolf"))
    loaded = squad(line("Squire", "squadleader", items=["Stimpak"] * 2), line("Squire", "grunt", 3))
    trapper, strong = (line("Squire", "hero", skills=[skill("Traps")]), line("Super Mutant", "hero", level=5))
    allies = squad(line("Raider", "squadleader"), line("Raider", "grunt", 3))  # 24 points, a quarter exactly
    armed = squad(line("Raider", "squadleader", 1, "Club"), line("Raider", "grunt", 3))
    guns = [line("Squire", "grunt", many, weapon) for many, weapon in ((3, "Pistol"), (1, ""), (2, "RPG"))]
    gunners = army(squad(line("Squire", "squadleader"), *guns))
    taxis = {"used": 3, "allowed": 2, "size": 400}
    for document, size, rule, figures, fix in (
        (army(alphas, faction=LORDS), 400, "alpha", {"used": 2, "allowed": 1}, "Leave one."),
        (army(loaded), 400, "items", {"used": 2, "allowed": 1}, "Take 1 item off it."),
        (army(squires(), squad(trapper), mines=4), 400, "mines", {"used": 4, "allowed": 3}, "Take out 1 mine, or"),
        (army(squires(), vehicles=["Taxi"] * 3), 400, "vehicle-limit", taxis, "Take out 1 vehicle."),
        (army(squires(1)), 400, "squad", {"led": 1, "least": 3, "most": 20}, "Add at least 2."),
        (army(squires(21, "")), 400, "squad", {"led": 21, "least": 3, "most": 20}, "Take out 1."),
        (army(squires(6), armed), 400, "faction", {"foreign": 25, "total": 97}, "Take out figures"),
        (army(squires(), squad(strong)), 200, "hero-points", {"used": 66, "allowed": 50, "size": 200}, "Save 16 "),
        (gunners, 400, "restricted", {"used": 2, "allowed": 1, "others": 4}, "Take off 1, or"),
    ):
        (found,) = [problem for problem in check(document, size).problems if problem.rule == f"fw.{rule}"]
        assert found.figures == figures and found.fix.startswith(fix), found
    assert check(army(squires(6), allies), 96).legal
    unlisted = check(army(squires(6), armed, faction="Minutemen"))
    assert [problem.rule for problem in unlisted.problems] == ["fw.faction"], "a quarter is of another list"
    assert [query.message for query in unlisted.queries] == ["These lists define no faction Minutemen"]


def test_clubs_lists_may_price_robots_and_mines() -> None:
    assert "Robots" in CLUB.factions and "Robots" not in EDITION.factions
    head = {"system": "fallout_warfare", "edition": "club", "faction": "Robots"}
    for robots, mines, rules in ((3, 0, set()), (20, 0, set()), (2, 0, {"fw.squad"}), (3, 1, {"fw.mines"})):
        squads = [squad(line("Hover Robot", "grunt", robots))]
        document = SYSTEM.forces.read(head | {"squads": squads, "mines": mines}, CLUB)
        verdict = check(document, edition=CLUB)
        assert (verdict.total, verdict.queries) == (robots * 9 + mines * 2, ())
        assert {problem.rule for problem in verdict.problems} == rules, "Robots need no leader"
    assert check(SYSTEM.forces.sample(Terms(CLUB, 200), "Robots", 1), 200, CLUB).legal


def test_restrictions_of_an_event_bind_an_army() -> None:
    document = army(squires(), squires())
    found = check(document, banned=("Rifle",), most_copies=(("Squire", 7),)).problems
    assert [(finding.rule, finding.places) for finding in found] == [
        ("fw.event.ban", (0, 1)),
        ("fw.event.copies", (0, 1)),
    ]
    assert check(document, most_copies=(("Squire", 8), ("Rifle", 6))).legal
    for size, rules in ((39, []), (38, ["fw.event.sideboard"])):  # each squad costs 39
        assert [problem.rule for problem in check(document, size, roster_size=78).problems] == rules, size


def test_unreadable_files_are_refused_with_the_place() -> None:
    for wrong, place in (
        ([line("Squire", "captain")], "squad 1, model 1 "),
        ([line("Squire", count=0)], "squad 1, model 1 "),
        ([line("Squire", count=99)] * 6, "This list is too large: 594 models, at most 200"),
    ):
        with pytest.raises(UnreadableForce, match=re.escape(place)):
            army(squad(*wrong))
    parts: tuple[dict[str, Any], ...] = ({"mines": 100}, {"models": []}, {"squads": 3})
    for more in parts:
        with pytest.raises(UnreadableForce, match=f"{next(iter(more))}: "):
            army(**more)


pytestmark = pytest.mark.usefixtures("builder_app")

TERMS = Terms(EDITION, 200)
KNIGHT = line("Knight", "hero", 1, "Rifle", level=3, items=["Stimpak"] * 2, skills=[skill("Piloting", 6)])
FULL = army(
    squad(KNIGHT, line("Knight", "grunt", 4, "SMG", grenades=2)) | {"name": "First"}, squires(3, "Slingshot"),
    squad(line("Beastlord"), line("Dog", count=2)), name="Lost Hills", vehicles=["Dune Buggy", "Zeppelin"], mines=2,
)  # fmt: skip


def first_squad(document: Document) -> list[dict[str, Any]]:
    models: list[dict[str, Any]] = document["squads"][0]["models"]
    return models


def test_buttons_add_copy_move_and_remove_squads() -> None:
    for choice, expected in (
        ("squad:Knight", [("squadleader", 1), ("grunt", 3)]), ("hero:Knight", [("hero", 1)]),
        ("squad:Beastlord", [("squadleader", 1)]),
    ):  # fmt: skip
        made = after(army(), do="add-model", add_model=choice)
        assert [(m["rank"], m["count"]) for m in first_squad(made)] == expected, choice
    for option in SYSTEM.forces.builder(army(), TERMS, {}).add_squads[0].options:
        assert check(after(army(), do="add-model", add_model=option.key)).total == option.cost, option.name
    entry, two, three = FULL["squads"]
    assert after(FULL, do="duplicate-model:0")["squads"][1]["models"] == entry["models"]
    assert after(FULL, do="move-down:0")["squads"] == [two, entry, three]
    assert after(FULL, do="remove-model:1")["squads"] == [entry, three]


def test_buttons_add_and_remove_figures_items_skills_and_vehicles() -> None:
    added = first_squad(after(FULL, do="add-line:0", s0__add_line="grunt:Paladin"))[2]
    assert (added["name"], added["rank"], added["count"]) == ("Paladin", "grunt", 1)
    assert len(first_squad(after(FULL, do="remove-line:0:1"))) == 1
    armed = after(army(squad(line("Knight", "squadleader"))), do="add-item:0:0", s0__m0__add_item="Stimpak")
    assert first_squad(armed)[0]["items"] == ["Stimpak"]
    assert first_squad(after(FULL, do="remove-item:0:0:1"))[0]["items"] == ["Stimpak"]
    skilled = first_squad(after(FULL, do="add-skill:0:0", s0__m0__add_skill="Traps"))
    assert skilled[0]["skills"][1] == skill("Traps")
    assert first_squad(after(FULL, do="remove-skill:0:0:0"))[0]["skills"] == []
    assert after(FULL, do="add-vehicle", add_vehicle="Taxi")["vehicles"] == ["Dune Buggy", "Zeppelin", "Taxi"]
    assert after(FULL, do="remove-vehicle:0")["vehicles"] == ["Zeppelin"]


def test_invalid_buttons_and_fields_are_refused() -> None:
    for key, typed, words in (
        ("mines", "-1", "Mines: -1 .* 0 to 99"), ("s0__m0__count", "0", "Knight: 0 .* 1 to 99"),
        ("s0__m0__grenades", "lots", "Knight: lots .* 0 to 99"), ("s0__m0__level", "0", "Knight: 0 .* 1 to 99"),
        ("s0__m0__rank", "captain", "rank: .*'grunt'"),
    ):  # fmt: skip
        with pytest.raises(UnreadableForce, match=words):
            pytest.fail(f"{key}: {after(FULL, **{key: typed})}")


def test_page_offers_only_permitted_parts_that_are_not_banned() -> None:
    view = SYSTEM.forces.builder(FULL, Terms(EDITION, 400, Restrictions(banned=("RPG", "Squire"))), {})
    hero, grunts = view.army.squads[0].models
    groups = (*view.add_items(hero), *view.add_squads)
    offered = {*view.weapons(hero), *(option for group in groups for option in group.options)}
    assert not {"RPG", "Squire", "Robot Repair Kit"} & {option.name for option in offered}
    assert view.add_items(grunts) == view.add_skills(grunts) == ()
    dogs = view.army.squads[2].models[1]
    assert view.weapons(dogs) == () and not dogs.may_be_armed
    assert any("Slingshot" in problem.message for problem in view.page.verdict.about(1).problems)
    for size, allowed in ((100, 25), (200, 50), (399, 99), (400, 100)):
        assert SYSTEM.forces.builder(army(), Terms(EDITION, size), {}).army.hero_points_allowed == allowed, size


def test_text_summary_figures_and_parts_of_an_army_agree() -> None:
    text = SYSTEM.forces.files.export(FULL, EDITION, "txt").decode()
    assert "Squad 1, First" in text and "4 × Knight with SMG, 2 grenades [68]" in text
    summary = SYSTEM.forces.summarise(FULL, EDITION)
    assert sum(points for _, points in summary.lines) == summary.total
    assert not summary.leader, "each squad has its own; an army has none"
    figures = {figure.label: figure for figure in figures_of(priced(FULL, TERMS))}
    assert [figures[label].value for label in ("Points on heroes", "Vehicles")] == ["25 of 50", "2 of 1"]
    assert figures["Total"].how.endswith(f"= {summary.total}")
    part = SYSTEM.forces.part_of(FULL, [0, 3, 5])
    assert (part["squads"], part["vehicles"], part["mines"]) == (FULL["squads"][:1], ["Dune Buggy"], 2)
    with pytest.raises(UnreadableForce, match="not in the roster"):
        SYSTEM.forces.part_of(FULL, [6])


def test_suggested_fixes_are_legal_and_keep_the_most() -> None:
    terms = Terms(EDITION, 400)
    ways = SYSTEM.forces.fixes(army(squires(4, "Rifle"), squires(3, "Rifle", line("Squire", "hero"))), terms)
    assert [way.total for way in ways] == sorted((way.total for way in ways), reverse=True)
    assert ways[0].changes == ("Take out Squire in squad 2",)
    assert SYSTEM.forces.fixes(army(squires()), terms) == SYSTEM.forces.fixes(army(), terms) == ()


def test_army_sheet_has_a_box_for_every_figure() -> None:
    document = army(squires(12, "Club"), squad(line("Squire", "hero", level=3)))
    (rows,) = (
        table.rows for title, table in tables(document).items() if title.startswith("Troops, with a box for each hit")
    )
    assert [row[0] for row in rows] == ["1\nmoves\u00a06″", "", "2\nmoves\u00a06″"]
    assert [(row[1], row[-1]) for row in rows][1:] == [
        ("12 × Squire\nClub", "12×1"), ("Squire, hero of level 3\n", "1×3")
    ]  # fmt: skip
    assert rows[2][2:11] == ("6", "6", "7", "6", "5", "6", "5", "3", "0")
    points = [int(row[-2]) * int(row[-1].partition("×")[0]) for row in rows]
    assert sum(points) == SYSTEM.checks.check(document, TERMS).total


def tables(document: Document) -> dict[str, Table]:
    (sheet,) = SYSTEM.papers.sheets(document, TERMS)
    return {block.title.partition(" (")[0]: block for block in sheet.blocks if isinstance(block, Table)}


def test_army_sheet_prints_own_attacks_and_the_area_effects_of_its_weapons() -> None:
    beasts = [squad(line(name)) for name in ("Dog", "Giant Wasp", "Pacification Robot")]
    shown = tables(army(*beasts, squires(3, "Rifle", line("Squire", grenades=1)), vehicles=["Tank"]))
    assert [(row[0], *row[3:]) for row in shown["Weapons"].rows if row[2] == "Own"] == [
        ("Dog", "Melee", "−1", "1"), ("Giant Wasp", "Melee: poison only", "", ""),
        ("Pacification Robot", "16″ / 32″", "+1", "2"),
        ("Pacification Robot", "Melee 2″", "−2", "3, up to three targets within 2″"),
    ]  # fmt: skip
    cannons = [row for row in shown["Weapons"].rows if row[0] == "Tank Cannon"]
    assert cannons == [("Tank Cannon", "IN−2", "Single", "30″", "−1", "1d10")], "its radius is below, as it is played"
    (areas,) = (table for title, table in shown.items() if title.startswith("Area effects"))
    assert [row[0] for row in areas.rows] == ["Grenade", "Tank Cannon"], "no RPG is in the army"
    assert areas.rows[0] == ("Grenade", "1d10-5″, min 1", "2″")
    assert not any(title.startswith("Area effects") for title in tables(army(squires())))


def test_army_sheet_has_the_throw_of_smoke_and_emp_grenades() -> None:
    for item in ("Smoke Grenade", "EMP Grenade"):
        shown = tables(army(squires(3, "Rifle", line("Squire", rank="hero", items=[item]))))
        (throw,) = [row for row in shown["Weapons"].rows if row[0] == "Grenade"]
        assert throw == ("Grenade", "AG", "Throw", "ST × 2", "+1", "1d10−8, min 1"), item
        (areas,) = (table for title, table in shown.items() if title.startswith("Area effects"))
        assert [row[0] for row in areas.rows] == ["Grenade"], item


def test_lists_are_compared_and_priced() -> None:
    changed = json.loads(FILES.write(EDITION))
    changed["weapons"][1]["points"] = 3
    del changed["vehicles"][0]
    changed["races"][0]["most"][0] = 11
    del changed["scatter"][1]
    rows = FILES.compare(EDITION, FILES.read(json.dumps(changed).encode())).rows
    assert [(row.kind, row.name, row.what) for row in rows] == [
        ("Weapons", "Knife", "figures"), ("Vehicles", "Taxi", "removed"), ("Area effects", "RPG", "removed"),
        ("Races", "Human", "figures"),
    ]  # fmt: skip
    prices = {row.name: row.cost for price_list in FILES.price_lists(EDITION) for row in price_list.rows if row.cost}
    assert (prices["Paladin, hero"], prices["Minigun"], prices["Tank"], prices["Level 6"]) == ("24", "10", "48", "+60")
    assert prices["Behemoth Robot"] == "not printed"


def test_faults_of_the_lists_are_reported_with_their_line() -> None:
    human = {"name": "Human", "least": [1] * 7, "average": [11] * 7, "most": [10] * 7}
    changes: tuple[tuple[str, object, str], ...] = (
        ("troops", [], "troops"),
        ("skills", ["Sneak", "sneak"], r"skills\[1\]"),
        ("races", [human], r"races\[0\]"),
    )
    for field, value, place in changes:
        with pytest.raises(UnreadableEdition, match=f"line [0-9]+, {place}"):
            FILES.read(json.dumps(json.loads(FILES.write(EDITION)) | {field: value}).encode())


def test_lists_hold_every_row_of_the_appendices() -> None:
    """Counted in the document: entries of A by faction, rows of B and of section 6.4, items of C, vehicles of D."""
    lists = EDITION.lists
    by_faction = Counter(troop.faction for troop in lists.troops)
    assert by_faction == {BOS: 7, "Mutants": 4, "Raiders & Reavers": 2, "Beastlords": 13, "Robots": 8}
    assert (len(lists.weapons), len(lists.items), len(lists.vehicles), len(lists.skills)) == (11 + 2, 9, 7, 8)
    assert [one.name for one in lists.scatter] == ["Grenade", "RPG", "Tank Cannon"]
    assert [(race.name, sum(race.least), sum(race.average), sum(race.most)) for race in lists.races] == [
        ("Human", 7, 35, 70), ("Super Mutant", 14, 35, 71), ("Deathclaw", 20, 35, 72),
        ("Ghoul", 15, 37, 69), ("Robot, Humanoid", 29, 37, 66), ("Dog", 10, 30, 60),
    ]  # fmt: skip
