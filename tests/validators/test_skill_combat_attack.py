"""Shots as document 002 narrates them, the bands of damage, criticals and doubles, aim, armour, and the odds."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.validators.skill_combatants import SYSTEM

from validators.skill_combat.attack import Shot, aim, band, chance, doubled, expected, odds, outcome, reach
from validators.skill_combat.edition import PARTS

JIM = Shot(chance=44, luck=7, base=3, extra=1, stat=9)


def test_jim_has_44_per_cent_against_the_deathclaw() -> None:
    far = reach(7, 6)
    assert (far.value, far.how) == (10, "7 + 3 (PE / 2)")
    told = chance(30, far.value, 3, 3, 7)
    assert (told.value, told.how) == (44, "30 (skill) + 21 ((10 − 3) × 3) − 7 (AC)")


@pytest.mark.parametrize(
    ("roll", "kind", "aptitude", "damage"),
    [(24, "hit", 20, 3), (46, "scratch", -2, 0), (6, "critical", 38, 13), (97, "fumble", -53, 0)],
)
def test_jim_s_four_shots(roll: int, kind: str, aptitude: int, damage: int) -> None:
    done = outcome(JIM, roll)
    assert (done.kind, done.aptitude, done.damage) == (kind, aptitude, damage)


def test_the_first_three_shots_do_16_damage_together() -> None:
    assert sum(outcome(JIM, roll).damage for roll in (24, 46, 6)) == 16


@pytest.mark.parametrize(
    ("aptitude", "steps"),
    [(-16, None), (-15, -3), (-1, -3), (0, -1), (15, -1), (16, 0), (30, 0), (31, 1), (45, 1), (46, 2), (60, 2),
     (61, 3)],
)  # fmt: skip
def test_the_bands_by_fifteen(aptitude: int, steps: int | None) -> None:
    assert band(aptitude) == steps


@pytest.mark.parametrize(
    ("roll", "kind"),
    [(1, "critical"), (7, "critical"), (8, "hit"), (44, "hit"), (45, "scratch"), (59, "scratch"), (60, "miss"),
     (95, "miss"), (96, "fumble"), (100, "fumble")],
)  # fmt: skip
def test_where_the_zones_end(roll: int, kind: str) -> None:
    assert outcome(JIM, roll).kind == kind


def test_without_the_optional_scratches_a_near_miss_is_a_miss() -> None:
    assert outcome(replace(JIM, scratches=False), 46).kind == "miss"
    assert outcome(replace(JIM, base=9, scratches=True), 46).damage == 6


def test_the_deathclaw_s_claw_just_hits_the_shoulder() -> None:
    penalty, bonus = aim(PARTS["Shoulder"], PARTS["Arm"])
    assert (penalty, bonus) == (30, 0)
    told = chance(70, 0, 0, 0, 14, penalty)
    assert told.value == 26
    claw = Shot(chance=told.value, luck=5, base=28, extra=4, stat=0, resistance=20, covered=False, is_aimed=True)
    done = outcome(claw, 26)
    assert (done.kind, done.aptitude, done.damage) == ("hit", 0, 24)
    assert outcome(replace(claw, covered=True), 26).damage == 19, "a covered arm takes 20 % less, rounded down"


def test_an_unaimed_shot_meets_the_armour_unless_it_is_a_critical() -> None:
    shot = replace(JIM, base=20, resistance=50)
    assert outcome(shot, 20).damage == 10
    assert outcome(shot, 5).damage == 20 + 1 + 9


def test_a_critical_that_would_miss_counts_as_sixteen() -> None:
    done = outcome(replace(JIM, chance=-40), 7)
    assert (done.kind, done.damage) == ("critical", 3 + 9)


@pytest.mark.parametrize(
    ("luck_roll", "second", "kind", "damage"),
    [
        (7, 3, "critical", 3 + 1 + 18),  # doubled
        (7, 44, "critical", 13),  # a hit leaves the critical
        (7, 45, "hit", 4),  # a miss leaves an ordinary hit of aptitude 38
        (7, 96, "miss", 0),
        (8, None, "hit", 4),  # the Luck check failed
        (7, None, "critical", 13),
    ],
)
def test_trying_for_a_double_critical(luck_roll: int, second: int | None, kind: str, damage: int) -> None:
    done = doubled(JIM, 6, luck_roll, second)
    assert (done.kind, done.damage) == (kind, damage)


def test_a_double_is_tried_for_a_critical_alone() -> None:
    assert doubled(JIM, 24, 1, 1) == outcome(JIM, 24)


def test_aiming_adds_region_and_part() -> None:
    told = {name: aim(part, PARTS.get(part.region)) for name, part in PARTS.items()}
    assert told == {
        "Head": (25, 2), "Forehead": (55, 2), "Eyes": (45, 2), "Neck": (45, 2), "Torso": (0, -2), "Chest": (25, -2),
        "Gut": (20, -2), "Groin": (35, 0), "Leg": (10, 0), "Hip": (25, 0), "Knee": (27, 0), "Calf": (30, 0),
        "Arm": (15, 0), "Shoulder": (30, 0), "Elbow": (32, 0), "Hand": (40, 0),
    }  # fmt: skip


shots = st.builds(
    Shot,
    chance=st.integers(-100, 200),
    luck=st.integers(1, 10),
    base=st.integers(0, 40),
    extra=st.integers(0, 9),
    stat=st.integers(1, 10),
    aimed=st.sampled_from([-2, 0, 2]),
    resistance=st.integers(0, 100),
    covered=st.booleans(),
    is_aimed=st.booleans(),
    scratches=st.booleans(),
)


@settings(max_examples=100, deadline=None)
@given(shots)
def test_the_odds_count_every_roll_and_damage_is_never_below_nothing(shot: Shot) -> None:
    counted = odds(shot)
    assert sum(counted.values()) == 100
    assert (counted["critical"], counted["fumble"]) == (shot.luck, 12 - shot.luck)
    damages = [outcome(shot, roll).damage for roll in range(1, 101)]
    assert min(damages) >= 0
    assert expected(shot).value == sum(damages)
    assert [outcome(shot, roll).kind == "hit" for roll in range(1, 101)].count(True) == max(
        0, min(shot.chance, 88 + shot.luck) - shot.luck
    )


def test_the_aptitude_says_what_counts_instead_of_it() -> None:
    calculator = SYSTEM.calculator("attack")

    def shown(**given: int) -> dict[str, tuple[int | str, str]]:
        told = calculator.reckon(calculator.defaults | given)
        return {one.key: (one.value, one.how) for one in told.main}

    low = shown(roll=7, skill=0, ac=50)
    assert low["aptitude"] == (-36, "-29 − 7; a critical counts as 16")
    assert low["outcome"] == ("Critical hit", "7 (LK) or less hits whatever the aptitude")
    assert shown(roll=20)["aptitude"] == (24, "44 − 20")
    assert shown(roll=7, skill=0, ac=50, luck_roll=1, second=90)["aptitude"][1].endswith("the critical became a hit")
    assert shown(roll=99)["outcome"] == ("Critical failure", "a roll of 96 or more is a critical failure")
