"""Action points turn by turn and hiding, as document 002 narrates them; and its two totals that do not follow."""

import pytest
from tests.validators.skill_combatants import SYSTEM

from tests.kit.skill_combatants import JIM
from validators.skill_combat.attack import Shot, outcome
from validators.skill_combat.burst import Burst, Target, spray
from validators.skill_combat.edition import PARTS
from validators.skill_combat.figures import hit_points, part_points
from validators.skill_combat.turns import hiding, turn

SPECIAL = JIM["special"]


def test_jim_s_three_turns() -> None:
    shots = turn(SPECIAL, 12, 4 * 3, 3)
    assert (shots.way, shots.left.value, shots.back.value, shots.then.value) == ("jogging", 0, 4, 4)
    flight = turn(SPECIAL, shots.then.value, 0, 7)
    assert (flight.way, flight.sprint, flight.left.value, flight.then.value) == ("sprinting", 4, 0, 0)
    assert turn(SPECIAL, flight.then.value, 0, 0).then.value == 12, "back to all of it"


def test_four_shots_from_where_one_stands_leave_a_full_turn() -> None:
    assert turn(SPECIAL, 12, 12, 0).then.value == 12
    assert turn(SPECIAL, 12, 3, 0).then.value == 12, "never more than the most"


@pytest.mark.parametrize(
    ("hexes", "way", "back", "sprint"),
    [(0, "standing", 12, 0), (1, "walking", 7, 0), (2, "walking", 7, 0), (3, "jogging", 4, 0), (4, "jogging", 4, 0),
     (5, "running", 0, 0), (6, "sprinting", 0, 2), (9, "sprinting", 0, 8)],
)  # fmt: skip
def test_how_one_moves_decides_what_comes_back(hexes: int, way: str, back: int, sprint: int) -> None:
    moved = turn(SPECIAL, 12, 0, hexes)
    assert (moved.way, moved.back.value, moved.sprint) == (way, back, sprint)


def test_too_few_action_points_are_told() -> None:
    assert turn(SPECIAL, 3, 4, 6).left.value == -3
    told = SYSTEM.calculator("turn").reckon(
        SYSTEM.calculator("turn").defaults | {"points": 3, "actions": 4, "hexes": 6}
    )
    assert {figure.key: figure.value for figure in told.figures}["enough"] == "no, 3 too few"
    then = told.main[0]
    assert (then.key, then.value) == ("then", "this turn cannot be paid")
    assert then.how == "3 − 4 − 2 (sprint) is 3 AP too few: spend or move less"


@pytest.mark.parametrize(("detection", "chance"), [([13], 26), ([16], 23), ([13, 16], 10), ([], 39)])
def test_hiding_behind_a_rock(detection: list[int], chance: int) -> None:
    assert hiding(24, detection, 15).value == chance


@pytest.mark.parametrize(
    ("roll", "dc", "outcome_"),
    [(13, 13, "Hidden"), (22, 16, "Hidden"), (24, 16, "Seen"), (7, 99, "Hidden for good"), (96, 0, "Seen at once")],
)
def test_the_rolls_for_hiding(roll: int, dc: int, outcome_: str) -> None:
    hide = SYSTEM.calculator("hide")
    told = hide.reckon(hide.defaults | {"roll": roll, "dc1": dc})
    assert told.main[1].value == outcome_


# ---- what the document says of the fight, and what follows from its own figures


def test_jim_has_5_hp_left_and_not_6() -> None:
    shrapnel, claw = 4, outcome(Shot(26, 5, 28, 4, 0, is_aimed=True), 26).damage
    assert hit_points(SPECIAL).value - shrapnel - claw == 5


def test_the_deathclaw_has_taken_50_damage_and_not_47() -> None:
    shots = sum(outcome(Shot(44, 7, 3, 1, 9), roll).damage for roll in (24, 46, 6, 97))
    (burst,) = spray(Burst(60, 4, 17, 20, 2, 0), 70, [Target(3, 7)], "hit")
    assert (shots, burst.damage, shots + burst.damage) == (16, 34, 50)


def test_the_claw_cripples_shoulder_and_arm() -> None:
    for part in ("Shoulder", "Arm"):
        assert part_points(PARTS[part].health, SPECIAL["EN"], 33) < 24
