"""Random campaigns of Fallout: Warfare agree with a second ledger and gain nothing without a cause."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from tests.kit.profiles import at_length
from tests.validators.simple_warfare_campaign import Raw, SimpleGroup
from tests.validators.warfare_campaigns import played
from validators.campaign import Account
from validators.fallout_warfare.campaign.rules import RULES, STEPS
from validators.fallout_warfare.campaign.state import Group

pytestmark = pytest.mark.slow

BLOCKS = [(5, 13), *(range(first, first + 50) for first in range(0, 500, 50))]
"""The seeds of 500 campaigns, in ./run test --long; the two of the first block reach all of the rules."""


def summary(group: Group) -> dict[str, Any]:
    """The state of a group by the rules, in the form of the second ledger."""
    alive = [unit for unit in group.units if unit.alive]
    counts: Counter[str] = Counter()
    for unit in alive:
        rank = unit.raw["rank"] if unit.of_squad else unit.kind
        counts[f"{unit.raw['name'] if unit.kind != 'mines' else 'Mine'}/{rank}"] += unit.alive
    return {
        "points": RULES.balances(group).get(Account("points"), 0),
        "counts": dict(counts),
        "away": sum(unit.away for unit in alive),
        "heroes": {
            unit.key: (unit.level, unit.xp, unit.hits, unit.most_hits, unit.skill_points, unit.skills)
            for unit in alive if unit.kind == "hero"
        },
        "damage": {unit.key: unit.damage for unit in alive if unit.kind == "vehicle"},
        "places": {unit.key: unit.place for unit in alive},
    }  # fmt: skip


def differs(seed: int, kinds: set[str], second: type[SimpleGroup] = SimpleGroup) -> str:
    """The first step after which the two ledgers do not agree on its group, "" for none; adds all kinds of steps."""
    simple: dict[int, SimpleGroup] = {}
    for game, _ in played(seed):
        step = game.history.entries[-1].step
        kinds.add(step.kind)
        if step.kind == "found":
            simple[step.group] = second(dict(step.data)["document"])
        else:
            simple[step.group].take(step.kind, dict(step.data), game.world.settings["doctor"])
        mine, other = summary(game.world.groups[step.group]), simple[step.group].summary()
        if mine != other:
            return f"step {step.number}, {step.kind} {step.data}: {mine} {other}"
    return ""


@pytest.mark.parametrize("block", at_length(BLOCKS, BLOCKS[:1]))
def test_two_ledgers_agree_on_campaigns_of_six_rounds(block: Sequence[int]) -> None:
    kinds: set[str] = set()
    for seed in block:
        assert differs(seed, kinds) == "", f"seed {seed}"
    assert kinds == {"found", "play", "next", *STEPS.acts}


@pytest.mark.parametrize("seed", at_length(range(100), [1]))
def test_only_founding_adds_to_the_ledger_but_for_hit_points(seed: int) -> None:
    for game, before in played(seed):
        game.check_newest(before)
        entry = game.history.entries[-1]
        for line in entry.lines:
            assert line.amount < 0 or entry.step.kind == "found" or line.account.kind == "hits"
        state: Group = game.world.groups[entry.step.group]
        for unit in state.units:
            assert min(unit.ready, unit.away, unit.lost, unit.hits, unit.skill_points, unit.damage) >= 0
            assert unit.fielded <= unit.ready + unit.away and unit.hits <= unit.most_hits
            assert bool(unit.gone) != bool(unit.alive) or unit.lost == 0
    assert game.replayed() == game.world


class HealedByBreaks(SimpleGroup):
    def rest(self, data: Raw, way: str) -> None:
        super().rest(data, way)
        self.units[data["unit"]]["hp"] += 1


class Wise(SimpleGroup):
    def learn(self, u: Raw, xp: int) -> None:
        super().learn(u, xp + 1)


@pytest.mark.parametrize("wrong", [HealedByBreaks, Wise])
def test_ledgers_of_different_rules_differ(wrong: type[SimpleGroup]) -> None:
    assert differs(13, set(), wrong)
