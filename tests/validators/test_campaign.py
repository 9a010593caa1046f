"""Campaigns of every game: dice, and the world that follows from steps."""

from dataclasses import replace

import pytest

from validators import SYSTEMS
from validators.campaign import (
    Account,
    Applied,
    CampaignRules,
    Dice,
    Entry,
    History,
    Line,
    Phase,
    Played,
    Roll,
    RollNeeded,
    Step,
    StepRefused,
    World,
    new_world,
    replay,
)  # fmt: skip

CAPS = Account("caps")


def _earn(world: World, group: int, kind: str, data: object, dice: Dice) -> Applied:
    if kind != "earn":
        raise StepRefused("Only earning is known.")
    got = dice.roll("Caps found", 6).total
    return Applied(world.with_group(group, world.groups[group] + got), (Line(CAPS, got, "Found"),))


EARNING = CampaignRules(
    settings=(),
    phases=(Phase("income", "Income", "", ""), Phase("rest", "Rest", "", "")),
    first_phase=2,
    shared=lambda world: None,
    found=lambda world, group, document, dice: Applied(world.with_group(group, 10), (Line(CAPS, 10, "Start"),)),
    play=lambda world, group, played: Applied(world),
    offers=lambda world, group: (),
    apply=_earn,
    leave=lambda world, group: Applied(world),
    balances=lambda group: {CAPS: group},
    rating=lambda group: group,
    members=lambda group: (),
    document=lambda group: {},
)
"""A campaign in which groups roll for Caps and do nothing else."""
GAME = {"game": 1, "round": 1, "result": "win", "opponent": 2, "scenario": "s"}


def _world() -> World:
    return new_world(EARNING, SYSTEMS["fallout_skirmish"].editions[0], {}, {}, {1: "Raiders", 2: "Talon Company"})


def _steps() -> list[Step]:
    return [
        Step(1, 1, "found", {"document": {}}),
        Step(2, 1, "play", GAME),
        Step(3, 1, "earn", {}, (Roll("Caps found", 6, (4,)),)),
        Step(4, 1, "next"),
        Step(5, 1, "next"),
    ]


def test_a_group_is_the_sum_of_its_steps() -> None:
    history = replay(_world(), _steps())

    assert history.world.groups == {1: 14}
    assert history.sums(1) == {CAPS: 14} == EARNING.balances(history.world.groups[1])
    assert history.world.played[1] == Played(**GAME)  # type: ignore[arg-type]


def test_a_sequence_is_closed_after_its_last_phase() -> None:
    assert replay(_world(), _steps()[:3]).world.phase(1) == EARNING.phases[0]
    assert replay(_world(), _steps()[:4]).world.phase(1) == EARNING.phases[1]
    assert replay(_world(), _steps()).world.phase(1) is None


@pytest.mark.parametrize(
    ("steps", "why"),
    [
        ([Step(1, 1, "earn")], "has not been founded"),
        ([*_steps()[:1], Step(2, 1, "earn")], "are closed"),
        ([*_steps()[:2], Step(3, 1, "play", GAME)], "Close the steps"),
        ([*_steps()[:1], Step(2, 1, "found", {"document": {}})], "founded already"),
        ([*_steps()[:2], replace(_steps()[2], rolls=(Roll("Gift", 6, (4,)),))], "keeps other dice"),
        ([*_steps()[:2], replace(_steps()[2], rolls=(Roll("Caps found", 6, (7,)),))], "shows 1 to 6"),
        ([*_steps()[:2], replace(_steps()[2], rolls=(Roll("Caps found", 6, (4, 4)),))], "keeps other dice"),
    ],
)
def test_a_step_that_cannot_follow_is_refused(steps: list[Step], why: str) -> None:
    with pytest.raises(StepRefused, match=why):
        replay(_world(), steps)


@pytest.mark.parametrize(
    ("before", "after", "again"),
    [
        (("turf", {"turf": 2, "who": "c1", "take": ""}), ("turf", {"turf": 2, "who": "c2", "take": ""}), True),
        (("turf", {"turf": 2, "who": "c1", "take": ""}), ("turf", {"turf": 3, "who": "c1", "take": ""}), True),
        (("turf", {"turf": 2, "who": "c1", "take": ""}), ("turf", {"turf": 3, "who": "c2", "take": ""}), False),
        (("search", {"place": "outpost", "who": "c1"}), ("search", {"place": "outpost", "who": "c2"}), True),
        (("build", {"weapon": "Dart Gun", "who": "c1"}), ("build", {"weapon": "Dart Gun", "who": "c2"}), True),
        (("scavenge", {"who": "all"}), ("scavenge", {"who": "c1"}), True),
        (("scavenge", {"who": "c1"}), ("scavenge", {"who": "c2"}), False),
        (("pool", {}), ("pool", {}), True),
        (("injury", {"who": "c1"}), ("advance", {"who": "c1"}), False),
    ],
)
def test_dice_typed_after_a_roll_for_the_same_was_taken_back(
    before: tuple[str, dict[str, int | str]], after: tuple[str, dict[str, int | str]], again: bool
) -> None:
    rolled = Step(3, 1, *before, rolls=(Roll("Why", 6, (4,)),))
    typed = Step(5, 1, *after, rolls=(Roll("Why", 6, (6,)),), typed=True)
    left = rolled.undo_marker(4)
    assert left and typed.undo_marker(6) is None, "only rolls of the service are kept"
    steps = [Step(2, 1, "play", GAME), left, typed]
    assert History((_world(),), tuple(Entry(step, (), ()) for step in steps)).retyped_steps(1) == (
        {5} if again else set()
    )


def test_dice_follow_from_their_seed_and_show_every_side() -> None:
    dice = Dice(7)
    results = [dice.roll("Injury", 12).total for _ in range(400)]

    assert results == list(Dice(7).roll("Injury", 12, 400).results)
    assert set(results) == set(range(1, 13))
    assert results != list(Dice(8).roll("Injury", 12, 400).results)


def test_dice_of_the_table_are_asked_for_when_they_are_needed() -> None:
    dice = Dice(given=[3])
    assert dice.roll("Scavenging", 12).total == 3

    with pytest.raises(RollNeeded) as needed:
        dice.roll("Food found", 6)
    assert (needed.value.sides, needed.value.count) == (6, 1)
    assert needed.value.rolled == (Roll("Scavenging", 12, (3,)),)


def test_a_phase_without_anything_to_do_is_passed_over() -> None:
    skipping = replace(EARNING, skips=lambda world, group, phase: phase.id == "rest")
    world = replace(_world(), rules=skipping)

    assert replay(world, _steps()[:3]).world.phase(1) == EARNING.phases[0]
    assert replay(world, _steps()[:4]).world.phase(1) is None
