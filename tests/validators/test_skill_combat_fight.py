"""The fights narrated in document 002: shots, bursts, action points, hiding; a character's figures and sheets."""

from dataclasses import replace
from itertools import product
from typing import Any

from tests.kit.skill_combatants import JIM, SYSTEM, TERMS, attributes, jim, side
from tests.validators.test_skill_combat_oracle import simple_body
from validators.calculator import Calculated
from validators.contract import Document
from validators.sheet import Derived, Lines, Table, Track
from validators.skill_combat.attack import Shot, aim, chance, doubled, outcome, reach
from validators.skill_combat.burst import Burst, Target, kind_of, on_target, spray
from validators.skill_combat.burst import doubled as burst_doubled
from validators.skill_combat.edition import PARTS
from validators.skill_combat.force import side_of
from validators.skill_combat.sheets import figures_of
from validators.skill_combat.turns import hiding, turn

SPECIAL = JIM["special"]
SHOT = Shot(chance=44, luck=7, base=3, extra=1, stat=9)


def calculated(calculator: str, **given: int | str) -> Calculated:
    a_calculator = SYSTEM.calculator(calculator)
    return a_calculator.calculate(a_calculator.defaults | given)


def shown(calculator: str, **given: int | str) -> dict[str, tuple[int | str, str]]:
    return {figure.key: (figure.value, figure.how) for figure in calculated(calculator, **given).main}


def test_roll_decides_kind_and_damage_of_a_shot() -> None:
    far, near = replace(SHOT, chance=-40), replace(SHOT, base=20, resistance=50)
    for shot, roll, kind, aptitude, damage in (
        (SHOT, 24, "hit", 20, 3),  # Jim's four shots; the first three do 16
        (SHOT, 46, "scratch", -2, 0),
        (SHOT, 6, "critical", 38, 13),
        (SHOT, 97, "fumble", -53, 0),
        (SHOT, 59, "scratch", -15, 0),
        (SHOT, 60, "miss", -16, 0),
        (replace(SHOT, scratches=False), 46, "miss", -2, 0),
        (replace(SHOT, base=9), 46, "scratch", -2, 6),
        (near, 20, "hit", 24, 10),  # an unaimed shot meets the armour unless it is a critical
        (near, 5, "critical", 39, 20 + 1 + 9),
        (far, 7, "critical", -47, 3 + 9),  # a critical that would miss counts as 16
    ):
        done = outcome(shot, roll)
        assert (done.kind, done.aptitude, done.damage) == (kind, aptitude, damage), (shot, roll)


def test_chances_of_jim_and_of_the_deathclaw_are_those_of_the_document() -> None:
    far = reach(7, 6)
    assert (far.value, far.how) == (10, "7 + 3 (PE / 2)")
    listed = chance(30, far.value, 3, 3, 7)
    assert (listed.value, listed.how) == (44, "30 (skill) + 21 ((10 − 3) × 3) − 7 (AC)")
    penalty, bonus = aim(PARTS["Shoulder"])
    assert (penalty, bonus) == (30, 0)
    listed = chance(70, 0, 0, 0, 14, penalty)
    assert listed.value == 26
    claw = Shot(chance=listed.value, luck=5, base=28, extra=4, stat=0, resistance=20, covered=False, is_aimed=True)
    done = outcome(claw, 26)
    assert (done.kind, done.aptitude, done.damage) == ("hit", 0, 24)
    assert outcome(replace(claw, covered=True), 26).damage == 19, "a covered arm takes 20 % less, rounded down"


def test_luck_check_and_second_roll_decide_a_double_critical_of_a_shot() -> None:
    for luck_roll, second, kind, damage in (
        (7, 3, "critical", 3 + 1 + 18),  # doubled
        (7, 44, "critical", 13),  # a hit leaves the critical
        (7, 45, "hit", 4),  # a miss leaves an ordinary hit of aptitude 38
        (7, 96, "miss", 0),
        (8, None, "hit", 4),  # the Luck check failed
        (7, None, "critical", 13),
    ):
        done = doubled(SHOT, 6, luck_roll, second)
        assert (done.kind, done.damage) == (kind, damage), (luck_roll, second)
    assert doubled(SHOT, 24, 1, 1) == outcome(SHOT, 24), "only a critical can be doubled"


def test_aiming_adds_region_and_part() -> None:
    listed = {name: aim(part) for name, part in PARTS.items()}
    assert listed == {
        "Head": (25, 2), "Forehead": (55, 2), "Eyes": (45, 2), "Neck": (45, 2), "Torso": (0, -2), "Chest": (25, -2),
        "Gut": (20, -2), "Groin": (35, 0), "Leg": (10, 0), "Hip": (25, 0), "Knee": (27, 0), "Calf": (30, 0),
        "Arm": (15, 0), "Shoulder": (30, 0), "Elbow": (32, 0), "Hand": (40, 0),
    }  # fmt: skip


def test_calculators_of_shots_and_bursts_explain_their_outcome() -> None:
    assert SYSTEM.calculator("burst").defaults["skill"] == KNIGHT.skill
    assert shown("burst", roll=5)["hits"] == (0, "a critical failure hits nobody")
    assert shown("burst", roll=100)["share"] == (100, "100 (roll) + 15 (skill / 4) + 4 (LK) = 119, at most 100")
    none = (0, "39 − 99 (AC) − 25 (missed roll), at least 0: 0 % of 20, rounded up")
    assert shown("burst", roll=20, ac1=99)["hits"] == none
    low = shown("attack", roll=7, skill=0, ac=50)
    assert low["aptitude"] == (-36, "-29 − 7; a critical counts as 16")
    assert low["outcome"] == ("Critical hit", "7 (LK) or less hits whatever the aptitude")
    doubled_ = shown("attack", roll=7, skill=0, ac=50, luck_roll=1, second=90)
    assert doubled_["aptitude"][1].endswith("the critical became a hit")
    assert shown("attack", skill=0, ac=50)["chance"] == (7, "0 (skill) + 21 ((10 − 3) × 3) − 50 (AC), at least 7 (LK)")
    assert shown("attack")["chance"][0] == 44
    aims = {row[0]: row[1] for row in calculated("attack").tables[1].rows}
    assert (aims["  Chest"], aims["  Eyes"]) == ("19 %", "7 %"), "44 − 45 is less than Luck"
    assert shown("attack", roll=99)["outcome"] == ("Critical failure", "a roll of 96 or more is a critical failure")


KNIGHT = Burst(skill=60, luck=4, reach=17, bullets=20, damage=2, stat=8)
DEATHCLAW, CACTUS, ROCK = Target(3, 7), Target(4, 0), Target(5, 0)


def test_bullets_of_a_burst_hit_the_nearest_target_first() -> None:
    share = on_target(KNIGHT, 70)
    assert (share.value, share.how) == (89, "70 (roll) + 15 (skill / 4) + 4 (LK)")
    assert kind_of(KNIGHT, 70) == "hit"
    claw, cactus, rock = spray(KNIGHT, 70, [ROCK, CACTUS, DEATHCLAW], "hit")
    assert (claw.target, claw.share, claw.hits, claw.damage, claw.left) == (DEATHCLAW, 82, 17, 34, 3)
    assert (cactus.share, cactus.hits, cactus.left) == (89, 3, 0)
    assert (rock.hits, rock.damage) == (0, 0)


def test_high_roll_of_a_burst_hits() -> None:
    kinds = {1: "fumble", 8: "fumble", 9: "miss", 39: "miss", 40: "hit", 96: "hit", 97: "critical", 100: "critical"}
    assert {roll: kind_of(KNIGHT, roll) for roll in kinds} == kinds
    (claw,) = spray(KNIGHT, 30, [DEATHCLAW], kind_of(KNIGHT, 30))
    assert (claw.share, claw.hits) == (30 + 15 + 4 - 7 - 25, 4), "a missed roll gives 25 AC; 17 % of 20 is 3.4"
    assert [struck.hits for struck in spray(KNIGHT, 5, [DEATHCLAW, CACTUS], "fumble")] == [0, 0]


def test_critical_burst_adds_its_attribute_to_each_target_that_is_hit() -> None:
    claw, cactus = spray(KNIGHT, 97, [DEATHCLAW, CACTUS], "critical")
    assert claw.share == 100 - 7, "at most all bullets are aimed well"
    assert (claw.hits, claw.damage) == (19, 38 + 8)
    assert (cactus.hits, cactus.damage) == (1, 2 + 8)
    assert spray(KNIGHT, 97, [CACTUS, ROCK], "critical")[1].damage == 0, "nothing is left for the second"
    near, far = spray(KNIGHT, 70, [Target(17, 50), Target(18, 0)], "hit")
    assert (near.hits, far.hits, far.left) == (8, 0, 12), "nothing beyond the reach is hit"


def test_luck_check_and_second_roll_decide_a_double_critical_of_a_burst() -> None:
    for luck_roll, second, became in (
        (4, 98, ("critical", 2, 98)), (4, 50, ("critical", 1, 50)), (4, 20, ("hit", 1, 20)), (4, 3, ("fumble", 1, 3)),
        (5, None, ("hit", 1, 99)), (4, None, ("critical", 1, 99)),
    ):  # fmt: skip
        assert burst_doubled(KNIGHT, 99, luck_roll, second) == became
        assert burst_doubled(KNIGHT, 70, luck_roll, second) == ("hit", 1, 70)


def test_no_more_bullets_hit_than_were_fired() -> None:
    for roll, bullets in product(range(1, 101, 3), (1, 3, 20)):
        fired = replace(KNIGHT, bullets=bullets)
        struck = spray(fired, roll, [DEATHCLAW, CACTUS, ROCK], kind_of(fired, roll))
        assert sum(a_struck.hits for a_struck in struck) <= bullets
        assert [a_struck.left for a_struck in struck] == [
            bullets - sum(s.hits for s in struck[: n + 1]) for n in range(3)
        ]


def test_action_points_of_jims_three_turns_and_of_each_way_to_move() -> None:
    shots = turn(SPECIAL, 12, 4 * 3, 3)
    assert (shots.way, shots.left.value, shots.back.value, shots.then.value) == ("jogging", 0, 4, 4)
    flight = turn(SPECIAL, shots.then.value, 0, 7)
    assert (flight.way, flight.sprint, flight.left.value, flight.then.value) == ("sprinting", 4, 0, 0)
    assert turn(SPECIAL, flight.then.value, 0, 0).then.value == 12, "back to all of it"
    assert turn(SPECIAL, 12, 3, 0).then.value == 12, "never more than the most"
    for hexes, way, back, sprint in (
        (0, "standing", 12, 0), (1, "walking", 7, 0), (2, "walking", 7, 0), (3, "jogging", 4, 0),
        (4, "jogging", 4, 0), (5, "running", 0, 0), (6, "sprinting", 0, 2), (9, "sprinting", 0, 8),
    ):  # fmt: skip
        moved = turn(SPECIAL, 12, 0, hexes)
        assert (moved.way, moved.back.value, moved.sprint) == (way, back, sprint), hexes


def test_too_few_action_points_are_reported() -> None:
    assert turn(SPECIAL, 3, 4, 6).left.value == -3
    listed = calculated("turn", points=3, actions=4, hexes=6)
    assert {figure.key: figure.value for figure in listed.figures}["enough"] == "no, 3 too few"
    then = listed.main[0]
    assert (then.key, then.value) == ("then", "this turn cannot be paid")
    assert then.how == "3 − 4 − 2 (sprint) is 3 AP too few: spend or move less"


def test_chance_and_result_of_hiding_behind_a_rock() -> None:
    for detection, per_cent in (([13], 26), ([16], 23), ([13, 16], 10), ([], 39)):
        assert hiding(24, detection, 15).value == per_cent, detection
    for roll, dc, result in (
        (13, 13, "Hidden"), (22, 16, "Hidden"), (24, 16, "Seen"), (7, 99, "Hidden for good"), (96, 0, "Seen at once"),
    ):  # fmt: skip
        assert calculated("hide", roll=roll, dc1=dc).main[1].value == result, (roll, dc)


def test_running_away_needs_15_hexes_and_luck() -> None:
    for asked, far, check in (
        ({}, 10, "not yet"),  # Jim runs 5 hexes and sprints 2 with his 4 AP
        ({"points": 12}, 14, "not yet"),
        ({"points": 13, "distance": 4}, 15, "7 or less"),
        ({"points": 12, "distance": 11, "legs": "leg"}, 15, "7 or less"),
        ({"points": 12, "distance": 12, "legs": "groin"}, 14, "not yet"),
        ({"points": 12, "distance": 14, "legs": "both", "luck": 2}, 15, "2 or less"),
    ):
        found = shown("flee", **asked)
        assert (found["far"][0], found["check"][0]) == (far, check), asked
    assert shown("flee")["check"][1] == "5 short of 15 hexes from every enemy"
    for roll, distance, wanted in ((7, 8, "got away"), (8, 8, "pursued"), (1, 7, "not yet")):
        assert shown("flee", roll=roll, distance=distance)["outcome"][0] == wanted, (roll, distance)


def test_order_of_turns_mixes_both_sides_by_sequence() -> None:
    ash, bolt = JIM | {"name": "Ash", "special": attributes(PE=8)}, JIM | {"name": "Bolt", "special": attributes(PE=3)}
    assert SYSTEM.papers.turn_order is not None
    order = SYSTEM.papers.turn_order(side(bolt, JIM), side(ash, JIM | {"name": "Vic"}), SYSTEM.editions[0])
    assert order == ("Ash (B) 16", "Jim the Raider (A) and Vic (B) 12, the higher 1d10 first", "Bolt (A) 6")
    found = calculated("order", a2=4, b2=9)
    assert found.tables[0].rows[1:] == (("2", "A 1", "12", ""), ("3", "A 2 and B 1", "8", "roll 1d10"))
    assert found.main[0].value == "B 2"


PRINTED = {
    "Health Points": ("33", "15 + 4 (STR) + 14 (EN × 2)"), "Armor Class": ("14", "9 (AG) + 5 (Leather Jacket)"),
    "Detection Class": ("8", "6 (PE) + 2 (Leather Jacket)"), "Judgment Class": ("5", "3 (CH) + 2 (Leather Jacket)"),
    "Action Points": ("12", "5 + 4 (AG / 2) + 3 (EN / 2)"), "AP back, standing": ("+12", "3 + 9 (AG)"),
    "AP back, walking": ("+7", "3 + 4 (AG / 2)"), "AP back, jogging": ("+4", "4 (AG / 2)"),
    "Carry weight": ("125 lbs", "25 + 100 (STR × 25)"), "Melee damage": ("0", "4 (STR) − 5, at least 0"),
    "Poison resistance": ("35 %", "7 (EN) × 5"), "Radiation resistance": ("14 %", "7 (EN) × 2"),
    "Gas resistance": ("0 / 0", "inhaled / blistering, as printed"), "Electric resistance": ("0 %", "as printed"),
    "Sequence": ("12", "6 (PE) × 2"), "Healing rate": ("2", "7 (EN) / 3, rounded down"),
    "Critical success": ("roll 7 or less", "0 + 7 (LK)"), "Critical failure": ("roll 96 or more", "89 + 7 (LK)"),
    "Small Guns": ("30 %", "12 (PE × 2) + 18 (AG × 2)"), "Big Guns": ("24 %", "4 (STR) + 14 (EN × 2) + 6 (PE)"),
}  # fmt: skip
"""As document 002 prints them for Jim the Raider."""


def figures(document: Document) -> tuple[Derived, ...]:
    fighters = side_of(document, TERMS)
    return figures_of(fighters.characters[0], fighters)


def test_figures_of_the_documents_character_and_of_a_trained_one() -> None:
    assert {figure.label: (figure.value, figure.how) for figure in figures(jim())} == PRINTED
    document = jim(skills=[{"name": "small guns", "points": 15}, {"name": "Sneak", "points": 24}])
    shown = {figure.label: (figure.value, figure.how) for figure in figures(document)}
    assert shown["Small Guns"] == ("45 %", "12 (PE × 2) + 18 (AG × 2) + 15 (trained)")
    assert shown["Sneak"] == ("24 %", "24 (as given)")
    assert "Sneak (24 %) less" in str(blocks_of(document))
    assert "(no formula is printed: agree on its per cent) less" in str(blocks_of(jim()))
    own = {"skill": "small  guns", "mode": "quick", "stat": "AG", "range": 7, "volatility": 3, "damage": 3}
    (zip_gun,) = weapons_of(jim(weapons=[{"name": "Zip Gun", "own": own}])).rows
    assert (zip_gun[0], *zip_gun[4:]) == ("Zip Gun (small  guns 30 %)", "≤ 57", "≤ 45", "≤ 30", "≤ 15")
    labels = [character.label for character in side_of(side(JIM, JIM), TERMS).characters]
    assert labels == ["Jim the Raider (character\u00a01)", "Jim the Raider (character\u00a02)"]


def blocks_of(document: Document) -> tuple[Any, ...]:
    return SYSTEM.papers.sheets(document, TERMS)[0].blocks


def weapons_of(document: Document) -> Table:
    (table,) = [block for block in blocks_of(document) if block.title.startswith("Weapons")]
    assert isinstance(table, Table)
    return table


HEALTH = {part: health for part, (health, _) in simple_body(endurance=7, health=33).items()}


def test_calculator_of_the_body_shows_the_effect_of_damage() -> None:
    for asked, part, crippled, left in (
        ({}, 8, "crippled", 9),  # the claw on Jim's shoulder
        ({"damage": 7}, 8, "holds", 26), ({"damage": 8}, 8, "crippled", 25),
        ({"part": "arm", "damage": 10}, 10, "holds", 23), ({"part": "arm", "damage": 11}, 10, "crippled", 22),
        ({"part": "head", "level": 3, "damage": 9}, 9, "crippled", 37),
    ):  # fmt: skip
        found = shown("body", **asked)
        assert (found["holds"][0], found["crippled"][0], found["left"][0]) == (part, crippled, left), asked
    (table,) = calculated("body").tables
    assert {row[0].strip(): int(row[1]) for row in table.rows} == HEALTH
    assert calculated("attack").tables[1].columns[-1].head == "AP"
    aims = calculated("attack", target_endurance=7, target_hp=33).tables[1]
    assert (aims.columns[-1].head, [row[-1] for row in aims.rows if row[0] == "Arm"]) == ("Falls at", ["11"])


def test_sheets_have_figures_boxes_turns_and_body() -> None:
    sheet, play = SYSTEM.papers.sheets(jim(), TERMS)
    _, head_and_torso, limbs, regions = play.blocks
    order, flee, track = (
        next(block for block in sheet.blocks if block.title.startswith(words)) for words in ("Order", "To flee", "HP")
    )
    assert isinstance(track, Track) and track.rows[0][1][-1] == "33"
    assert isinstance(order, Table) and order.rows[0] == ("", "Jim the Raider", "12", "12", "33")
    assert isinstance(head_and_torso, Table) and isinstance(limbs, Table) and isinstance(regions, Lines)
    assert {row[0].strip("· "): int(row[3]) for row in (*head_and_torso.rows, *limbs.rows)} == (
        HEALTH | {"Leg": HEALTH["Leg"] + 1, "Arm": HEALTH["Arm"] + 1}
    ), "a leg or an arm falls by more than its HP"
    assert {row[0]: row[2] for row in head_and_torso.rows}["· Groin"] == "0", "its own +2 and the torso's −2"
    assert isinstance(flee, Lines)
    assert all(words in flee.lines[0] for words in ("roll 1d10: on 7 (LK) or less", "or 11 with all 12 AP."))
    assert "Head 1, Torso 2, Leg 2, Arm 2." in regions.lines[0]
    # 30 % and 3 % for each hex below 10, before the target's AC.
    assert weapons_of(jim()).rows == (("10mm Pistol (Small Guns 30 %)", "2 / 3 / 4", "+9 (AG)", "3, aimed 6",
                             "≤ 57", "≤ 45", "≤ 30", "≤ 15"),)  # fmt: skip


def test_sheet_prints_rolls_for_bursts_and_chances_from_which_margins_count() -> None:
    knight, skill = jim(special=attributes(AG=1), weapons=[{"name": "Minigun"}, {"name": "10mm Pistol"}]), 24
    assert [kind_of(Burst(skill, 7, 17, 20, 2, 7), roll) for roll in (75, 76)] == ["miss", "hit"]
    minigun, pistol = weapons_of(knight).rows
    assert minigun[0] == f"Minigun (Big Guns {skill} %)" and minigun[4:] == ("≥ 76",) * 4
    assert pistol[4:] == ("≤ 41", "≤ 29", "≤ 14", "LK"), "14 − 5 × 3 is below 1: only a critical hits"
    lucky = outcome(Shot(chance=5, luck=7, base=3, extra=1, stat=9), 6)
    assert (lucky.kind, lucky.aptitude) == ("critical", -1), "the margin counts from the chance, not from Luck"
    said = (
        "less the target’s AC, or lower",
        "lower always hits, as a critical with a margin of at least 16",
        "on the roll after ≥ or higher",
        "No AP are printed for the Minigun",
    )
    assert all(words in str(blocks_of(knight)) for words in said)
    _, *parts = SYSTEM.papers.card(knight, SYSTEM.editions[0])[0].parts
    (on_card,) = [part for part in parts if isinstance(part.block, Table) and part.block.columns[0].head == "Weapon"]
    assert isinstance(on_card.block, Table) and on_card.block.rows == (
        ("Minigun", "20 × 2", "______", "–", *("≥ 76",) * 4),
        ("10mm Pistol", "2 / 3 / 4", "3", "6", "≤ 41", "≤ 29", "≤ 14", "LK"),
    )
    everywhere = {part.text for part in parts if part.on == ("player", "opponent", "judge")}
    assert "10mm Pistol: Small Guns 14 %, critical +1 (AG)" in everywhere
    (explained,) = [part for part in parts if "20 × 2: a burst of 20 bullets" in part.text]
    assert explained.on == ("player", "opponent")
    assert "What the check found" in [block.title for block in blocks_of(jim(special=attributes(LK=11)))], (
        "problems are printed"
    )


def test_ways_to_flee_are_whole_on_the_own_sheet_and_the_reference_sheet() -> None:
    own = str(next(block for block in blocks_of(jim()) if block.title == "To flee"))
    reference = str(next(part for part in SYSTEM.papers.reference if part.title == "Leaving a fight"))
    for said in ("15 hexes or more", "less the DC of every enemy within its PE in hexes", "plus cover", "Speech"):
        assert said in own and said in reference, said
