"""Campaigns of every game: dice, and the world that follows from the steps."""

from dataclasses import replace
from typing import Any

import pytest

from tests.kit.skirmish_groups import EDITION
from tests.seasons.earning import CAPS, EARNING
from validators.campaign import Dice, Played, Roll, RollNeeded, Step, StepRefused
from validators.campaign_history import History, HistoryEntry, new_world, replay

GAME: dict[str, Any] = {"game": 1, "round": 1, "result": "win", "opponent": 2, "scenario": "s"}


FOUND = "Caps found at place 1"
WORLD = new_world(EARNING, EDITION, {"start": "10"}, {}, {1: "Raiders", 2: "Talon Company"})
STEPS = (
    Step(1, 1, "found", {"document": {}}),
    Step(2, 1, "play", GAME),
    Step(3, 1, "earn", {"places": 1}, (Roll(FOUND, 6, (4,)),)),
    Step(4, 1, "next"),
    Step(5, 1, "next"),
)


def rolled(why: str, *results: int) -> Step:
    """The step "earn" with other dice."""
    return replace(STEPS[2], rolls=(Roll(why, 6, results),))


def test_group_is_the_sum_of_its_steps() -> None:
    history = replay(WORLD, STEPS)
    assert history.world.groups == {1: {"caps": 10 + 5 + 4, "knives": 0, "document": {}}}
    assert history.sums(1) == {CAPS: 19} == EARNING.balances(history.world.groups[1])
    assert history.world.played[1] == Played(**GAME)


def test_sequence_passes_over_skipped_phases_and_is_closed_after_the_last() -> None:
    skipping = replace(WORLD, rules=replace(EARNING, skips=lambda world, group, phase: phase.id == "rest"))
    income, rest = EARNING.phases
    assert [replay(WORLD, STEPS[:taken]).world.phase(1) for taken in (3, 4, 5)] == [income, rest, None]
    assert [replay(skipping, STEPS[:taken]).world.phase(1) for taken in (3, 4)] == [income, None]


@pytest.mark.parametrize(
    ("steps", "why"),
    [
        ([Step(1, 1, "earn")], "has not been founded"),
        ([*STEPS[:1], Step(2, 1, "earn")], "are closed"),
        ([*STEPS[:2], Step(3, 1, "play", GAME)], "Close the steps"),
        ([*STEPS[:1], Step(2, 1, "found", {"document": {}})], "founded already"),
        ([*STEPS[:2], replace(rolled(FOUND, 4), rolls=(Roll(FOUND, 8, (4,)),))], "keeps other dice"),
        ([*STEPS[:2], rolled(FOUND, 7)], "shows 1 to 6"),
        ([*STEPS[:2], rolled(FOUND, 4, 4)], "keeps other dice"),
    ],
)
def test_step_that_cannot_follow_is_refused(steps: list[Step], why: str) -> None:
    with pytest.raises(StepRefused, match=why):
        replay(WORLD, steps)


@pytest.mark.parametrize(
    ("before", "after", "again"),
    [
        (("turf", {"turf": 2, "who": "c1", "take": ""}), ("turf", {"turf": 2, "who": "c2", "take": ""}), True),
        (("turf", {"turf": 2, "who": "c1", "take": ""}), ("turf", {"turf": 3, "who": "c1", "take": ""}), True),
        (("turf", {"turf": 2, "who": "c1", "take": ""}), ("turf", {"turf": 3, "who": "c2", "take": ""}), False),
        (("build", {"weapon": "Dart Gun", "who": "c1"}), ("build", {"weapon": "Dart Gun", "who": "c2"}), True),
        (("scavenge", {"who": "all"}), ("scavenge", {"who": "c1"}), True),
        (("scavenge", {"who": "c1"}), ("scavenge", {"who": "c2"}), False),
        (("pool", {}), ("pool", {}), True),
        (("injury", {"who": "c1"}), ("advance", {"who": "c1"}), False),
    ],
)
def test_dice_are_marked_after_a_roll_for_the_same_step_was_taken_back(
    before: tuple[str, dict[str, int | str]], after: tuple[str, dict[str, int | str]], again: bool
) -> None:
    for typed in (False, True):
        taken = Step(5, 1, *after, rolls=(Roll("Why", 6, (6,)),), typed=typed)
        left = Step(3, 1, *before, rolls=(Roll("Why", 6, (4,)),), typed=not typed).undo_marker(4)
        assert left and Step(4, 1, "next").undo_marker(6) is None, "only dice are kept"
        history = History((WORLD,), tuple(HistoryEntry(step, (), ()) for step in (STEPS[1], left, taken)))
        assert history.taken_again(1) == ({5} if again else set())


def test_dice_follow_from_their_seed_and_show_every_side() -> None:
    dice = Dice(7)
    results = [dice.roll("Injury", 12).total for _ in range(400)]

    assert results == list(Dice(7).roll("Injury", 12, 400).results)
    assert set(results) == set(range(1, 13))
    assert results != list(Dice(8).roll("Injury", 12, 400).results)


def test_missing_typed_die_is_asked_for_with_the_dice_rolled_so_far() -> None:
    dice = Dice(given=[3])
    assert dice.roll("Scavenging", 12).total == 3

    with pytest.raises(RollNeeded) as needed:
        dice.roll("Food found", 6)
    assert (needed.value.sides, needed.value.count) == (6, 1)
    assert needed.value.rolled == (Roll("Scavenging", 12, (3,)),)
