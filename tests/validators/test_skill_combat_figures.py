"""Every figure that the document prints for its own character, with its arithmetic; the body; the sheets."""

import pytest
from tests.validators.skill_combatants import SYSTEM, TERMS

from tests.kit.skill_combatants import JIM, attributes, jim, side
from validators.sheet import Facts, Table, Track
from validators.skill_combat.edition import BODY
from validators.skill_combat.figures import hit_points, part_points

# As document 002 prints them for Jim the Raider.
PRINTED = {
    "Health Points": ("33", "15 + 4 (STR) + 14 (EN × 2)"),
    "Armor Class": ("14", "9 (AG) + 5 (Leather Jacket)"),
    "Detection Class": ("8", "6 (PE) + 2 (Leather Jacket)"),
    "Judgment Class": ("5", "3 (CH) + 2 (Leather Jacket)"),
    "Action Points": ("12", "5 + 4 (AG / 2) + 3 (EN / 2)"),
    "AP back, standing": ("+12", "3 + 9 (AG)"),
    "AP back, walking": ("+7", "3 + 4 (AG / 2)"),
    "AP back, jogging": ("+4", "4 (AG / 2)"),
    "Carry weight": ("125 lbs", "25 + 100 (STR × 25)"),
    "Melee damage": ("0", "4 (STR) − 5, at least 0"),
    "Poison resistance": ("35 %", "7 (EN) × 5"),
    "Radiation resistance": ("14 %", "7 (EN) × 2"),
    "Gas resistance": ("0 / 0", "inhaled / blistering, as printed"),
    "Electric resistance": ("0 %", "as printed"),
    "Sequence": ("12", "6 (PE) × 2"),
    "Healing rate": ("2", "7 (EN) / 3, rounded down"),
    "Critical success": ("7 % or less", "0 + 7 (LK)"),
    "Critical failure": ("96 % or more", "89 + 7 (LK)"),
    "Small Guns": ("30 %", "12 (PE × 2) + 18 (AG × 2)"),
    "Big Guns": ("24 %", "4 (STR) + 14 (EN × 2) + 6 (PE)"),
}


def test_the_document_s_own_character() -> None:
    assert {one.label: (one.value, one.how) for one in SYSTEM.derived(jim(), TERMS)} == PRINTED


def test_strength_above_five_adds_melee_damage() -> None:
    (melee,) = [one for one in SYSTEM.derived(jim(special=attributes(STR=8)), TERMS) if one.label == "Melee damage"]
    assert melee.value == "3"


@pytest.mark.parametrize(("level", "points"), [(1, 33), (2, 33 + 6), (3, 33 + 6 + 7), (4, 33 + 6 + 7 + 6)])
def test_levels_add_half_the_endurance_up_on_odd_levels_and_down_on_even(level: int, points: int) -> None:
    assert hit_points(JIM["special"], level).value == points


def test_a_trained_skill_stands_above_its_start_and_an_unprinted_one_alone() -> None:
    document = jim(skills=[{"name": "small guns", "points": 15}, {"name": "Sneak", "points": 24}])
    shown = {one.label: (one.value, one.how) for one in SYSTEM.derived(document, TERMS)}
    assert shown["Small Guns"] == ("45 %", "12 (PE × 2) + 18 (AG × 2) + 15 (trained)")
    assert shown["Sneak"] == ("24 %", "24 (as given)")


def test_several_characters_are_told_apart() -> None:
    labels = [one.label for one in SYSTEM.derived(side(JIM, JIM), TERMS)]
    assert "Jim the Raider (character 2): Health Points" in labels
    assert len(labels) == len(set(labels)) == 2 * len(PRINTED)


# Reckoned by hand from the document for EN 7 and HP 33.
PARTS = {
    "Head": 8, "Forehead": 7, "Eyes": 5, "Neck": 5, "Torso": 17, "Chest": 11, "Gut": 10, "Groin": 8, "Leg": 11,
    "Hip": 8, "Knee": 8, "Calf": 5, "Arm": 10, "Shoulder": 8, "Elbow": 5, "Hand": 4,
}  # fmt: skip


def test_the_health_of_every_part_of_the_body() -> None:
    assert {part.name: part_points(part.health, 7, 33) for part in BODY} == PARTS


def test_the_sheets_hold_the_figures_the_boxes_the_turns_and_the_body() -> None:
    figures, turns = SYSTEM.sheets(jim(), TERMS)
    blocks = {block.title: block for block in (*figures.blocks, *turns.blocks)}
    facts, track, order, body = (blocks[title] for title in ("Figures", "HP", "The order", list(blocks)[-1]))
    assert isinstance(facts, Facts) and {one.label for one in facts.figures} == set(PRINTED)
    assert isinstance(track, Track) and track.rows[0][1][-1] == "33"
    assert isinstance(order, Table) and order.rows[0] == ("Jim the Raider", "12", "12", "33")
    assert isinstance(body, Table)
    assert {row[0].strip("· ").removesuffix(" (each)"): int(row[3]) for row in body.rows} == PARTS
    (weapons,) = [block for block in figures.blocks if block.title.startswith("Weapons")]
    assert isinstance(weapons, Table)
    # 30 % and 3 % for each hex below 10, before the target's AC.
    assert weapons.rows == (("10mm Pistol (Small Guns 30 %)", "3 ± 1 each 15 %", "+9 (AG)", "3, aimed 6",
                             "57 %", "45 %", "30 %", "15 %"),)  # fmt: skip


def test_a_side_with_problems_prints_them() -> None:
    figures, _ = SYSTEM.sheets(jim(special=attributes(LK=11)), TERMS)
    assert figures.blocks[-1].title == "The check"
