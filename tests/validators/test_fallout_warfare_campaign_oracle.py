"""Random campaigns of Fallout: Warfare agree with a second ledger and gain nothing without a cause."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tests.kit.armies import EDITION
from tests.kit.profiles import at_length
from tests.validators.simple_warfare_campaign import SimpleGroup
from tests.validators.warfare_campaigns import Played
from validators.campaign import Account, Answered, Applied, CampaignRules, Dice, World, replay
from validators.campaign import Played as Game
from validators.fallout_warfare.campaign.rules import RULES, STEPS
from validators.fallout_warfare.campaign.state import Group, Unit, skills_of

pytestmark = pytest.mark.slow

BLOCKS = [range(3), *(range(first, first + 71) for first in range(3, 500, 71))]
"""The seeds of 500 campaigns, all but the first block in ./run test --long. Each block shows every kind of step."""


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
            unit.key: (unit.level, unit.xp, unit.hits, unit.most_hits, unit.skill_points, skills_of(unit, EDITION))
            for unit in alive if unit.kind == "hero"
        },
        "damage": {unit.key: unit.damage for unit in alive if unit.kind == "vehicle"},
        "places": {unit.key: unit.place for unit in alive},
    }  # fmt: skip


def differs(rules: CampaignRules, seed: int, kinds: set[str] | None = None) -> str:
    """The first step after which the two ledgers do not agree on its group; "" for none in the whole campaign.

    The kinds of all steps are added to ``kinds``.
    """
    played = Played(rules, seed)
    simple: dict[int, SimpleGroup] = {}
    for step, _, applied in played:
        if kinds is not None:
            kinds.add(step.kind)
        if step.kind == "found":
            simple[step.group] = SimpleGroup(dict(step.data)["document"])
        else:
            simple[step.group].take(step.kind, dict(step.data), dict(played.settings))
        mine, other = summary(applied.world.groups[step.group]), simple[step.group].summary()
        if mine != other:
            return f"step {step.number}, {step.kind} {step.data}: {mine} {other}"
    return ""


@pytest.mark.parametrize("block", at_length(BLOCKS, BLOCKS[:1]))
def test_two_ledgers_agree_on_campaigns_of_six_rounds(block: range) -> None:
    kinds: set[str] = set()
    for seed in block:
        assert differs(RULES, seed, kinds) == "", f"seed {seed}"
    assert kinds == {"found", "play", "next", *STEPS.acts}


@pytest.mark.parametrize("seed", at_length(range(100), range(1)))
def test_only_founding_adds_to_the_ledger_but_for_hit_points(seed: int) -> None:
    played = Played(RULES, seed)
    sums: dict[int, Counter[Account]] = {}
    for step, before, applied in played:
        ledger = sums.setdefault(step.group, Counter())
        for line in applied.lines:
            brings = step.kind == "found" or line.account.kind == "hits"
            assert line.amount < 0 or brings, "only founding brings anything but hit points"
            assert line.amount and line.why
            ledger[line.account] += line.amount
        state: Group = applied.world.groups[step.group]
        assert +ledger == RULES.balances(state) and min(ledger.values()) >= 0
        others, still = ({**world.groups, step.group: None} for world in (before, applied.world))
        assert others == still, "no other group changes"
        for unit in state.units:
            assert min(unit.ready, unit.away, unit.lost, unit.hits, unit.skill_points, unit.damage) >= 0
            assert unit.fielded <= unit.ready + unit.away and unit.hits <= unit.most_hits
            assert bool(unit.gone) != bool(unit.alive) or unit.lost == 0
    history = replay(played.start, played.steps)
    assert history.world == played.world
    for group in played.names:
        assert history.sums(group) == dict(+sums[group])


def _generous(world: World, group: int) -> Applied:
    """Every game counts as a win."""
    played = {**world.played, group: replace(world.played[group], result="win")} if group in world.played else {}
    applied = RULES.leave(replace(world, played=played), group)
    return replace(applied, world=replace(applied.world, played=world.played))


def _with_units(applied: Applied, group: int, change: Callable[[Unit], Unit]) -> Applied:
    """The step with each unit of the group changed afterwards."""
    state: Group = applied.world.groups[group]
    changed = replace(state, units=tuple(map(change, state.units)))
    return replace(applied, world=applied.world.with_group(group, changed))


def _tireless(world: World, group: int, played: Game) -> Applied:
    """Units that are away stay away."""
    away = {unit.key: unit for unit in world.groups[group].units if unit.away}
    return _with_units(RULES.play(world, group, played), group, lambda unit: away.get(unit.key, unit))


def _healing(world: World, group: int, kind: str, data: Answered, dice: Dice) -> Applied:
    """A break heals all hit points."""
    applied = RULES.apply(world, group, kind, data, dice)
    return _with_units(applied, group, lambda unit: replace(unit, hits=unit.most_hits) if kind == "break" else unit)


@pytest.mark.parametrize(
    ("broken", "seed"),
    [(replace(RULES, leave=_generous), 0), (replace(RULES, play=_tireless), 1), (replace(RULES, apply=_healing), 33)],
)
def test_second_ledger_detects_broken_rules(broken: CampaignRules, seed: int) -> None:
    """Each seed is the first that shows the difference: a hero with more than one wound to heal is rare."""
    assert differs(broken, seed)
