"""The burst of the knight's minigun as document 002 narrates it, and the readings around it."""

from dataclasses import replace

import pytest
from tests.validators.skill_combatants import SYSTEM

from validators.skill_combat.burst import Burst, Target, doubled, kind_of, on_target, spray

KNIGHT = Burst(skill=60, luck=4, reach=17, bullets=20, damage=2, stat=8)
DEATHCLAW, CACTUS, ROCK = Target(3, 7), Target(4, 0), Target(5, 0)


def test_the_knight_s_burst_on_the_deathclaw_the_cactus_and_the_rock() -> None:
    share = on_target(KNIGHT, 70)
    assert (share.value, share.how) == (89, "70 (roll) + 15 (skill / 4) + 4 (LK)")
    assert kind_of(KNIGHT, 70) == "hit"
    claw, cactus, rock = spray(KNIGHT, 70, [ROCK, CACTUS, DEATHCLAW], "hit")
    assert (claw.target, claw.share, claw.hits, claw.damage, claw.left) == (DEATHCLAW, 82, 17, 34, 3)
    assert (cactus.share, cactus.hits, cactus.left) == (89, 3, 0)
    assert (rock.hits, rock.damage) == (0, 0)


@pytest.mark.parametrize(
    ("roll", "kind"),
    [(1, "fumble"), (8, "fumble"), (9, "miss"), (39, "miss"), (40, "hit"), (96, "hit"), (97, "critical"),
     (100, "critical")],
)  # fmt: skip
def test_the_roll_is_turned_round(roll: int, kind: str) -> None:
    assert kind_of(KNIGHT, roll) == kind


def test_a_missed_roll_gives_every_target_25_ac() -> None:
    (claw,) = spray(KNIGHT, 30, [DEATHCLAW], kind_of(KNIGHT, 30))
    assert (claw.share, claw.hits) == (30 + 15 + 4 - 7 - 25, 4)  # 17 % of 20 is 3.4


def test_a_critical_failure_hits_nobody() -> None:
    assert [one.hits for one in spray(KNIGHT, 5, [DEATHCLAW, CACTUS], "fumble")] == [0, 0]


def test_a_critical_adds_its_attribute_to_each_target_that_is_hit() -> None:
    claw, cactus = spray(KNIGHT, 97, [DEATHCLAW, CACTUS], "critical")
    assert claw.share == 100 - 7, "no more than all bullets are aimed well"
    assert (claw.hits, claw.damage) == (19, 38 + 8)
    assert (cactus.hits, cactus.damage) == (1, 2 + 8)
    assert spray(KNIGHT, 97, [CACTUS, ROCK], "critical")[1].damage == 0, "nothing is left for the second"


def test_nothing_beyond_the_reach_is_hit() -> None:
    near, far = spray(KNIGHT, 70, [Target(17, 50), Target(18, 0)], "hit")
    assert (near.hits, far.hits, far.left) == (8, 0, 12)


@pytest.mark.parametrize(
    ("luck_roll", "second", "became"),
    [(4, 98, ("critical", 2, 98)), (4, 50, ("critical", 1, 50)), (4, 20, ("hit", 1, 20)), (4, 3, ("fumble", 1, 3)),
     (5, None, ("hit", 1, 99)), (4, None, ("critical", 1, 99))],
)  # fmt: skip
def test_trying_for_a_double_critical(luck_roll: int, second: int | None, became: tuple[str, int, int]) -> None:
    assert doubled(KNIGHT, 99, luck_roll, second) == became
    assert doubled(KNIGHT, 70, luck_roll, second) == ("hit", 1, 70)


def test_no_more_bullets_hit_than_were_fired() -> None:
    for roll in range(1, 101):
        for bullets in (1, 3, 20):
            fired = replace(KNIGHT, bullets=bullets)
            struck = spray(fired, roll, [DEATHCLAW, CACTUS, ROCK], kind_of(fired, roll))
            assert sum(one.hits for one in struck) <= bullets
            assert [one.left for one in struck] == [bullets - sum(s.hits for s in struck[: n + 1]) for n in range(3)]


def reckoned(**given: int) -> dict[str, tuple[int | str, str]]:
    burst = SYSTEM.calculator("burst")
    return {one.key: (one.value, one.how) for one in burst.reckon(burst.defaults | given).main}


def test_the_arithmetic_of_a_burst_gives_its_figures() -> None:
    assert reckoned(roll=5)["hits"] == (0, "a critical failure hits nobody")
    assert reckoned(roll=100)["share"] == (100, "100 (roll) + 15 (skill / 4) + 4 (LK) = 119, at most 100")
    assert reckoned(roll=70)["hits"][1] == "89 − 7 (AC) = 82 % of 20, rounded up"
    assert reckoned(roll=20, ac1=99)["hits"] == (
        0,
        "39 − 99 (AC) − 25 (missed roll), at least 0: 0 % of 20, rounded up",
    )
