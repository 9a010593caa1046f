"""Random campaigns of Fallout: Warfare keep their ledgers, and agree with a second, deliberately simple ledger."""

from collections import Counter
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
from validators.fallout_warfare.campaign.state import Group, skills_of

pytestmark = pytest.mark.slow

BLOCKS = [range(10), *(range(first, first + 49) for first in range(10, 500, 49))]
"""The seeds of 500 campaigns, all but the first block in ./run test --long. Each block shows every kind of step."""


def summary(group: Group) -> dict[str, Any]:
    """What the rules say, as the second ledger says it."""
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


@pytest.mark.parametrize("seed", at_length(range(100), range(8)))
def test_nothing_comes_from_nothing(seed: int) -> None:
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
        assert {key: one for key, one in before.groups.items() if key != step.group} == {
            key: one for key, one in applied.world.groups.items() if key != step.group
        }, "nobody else’s group changes"
        for unit in state.units:
            assert min(unit.ready, unit.away, unit.lost, unit.hits, unit.skill_points, unit.damage) >= 0
            assert unit.fielded <= unit.ready + unit.away and unit.hits <= unit.most_hits
            assert bool(unit.gone) != bool(unit.alive) or unit.lost == 0
    history = replay(played.start, played.steps)
    assert history.world == played.world
    for group in played.names:
        assert history.sums(group) == dict(+sums[group])


def _generous(world: World, group: int) -> Applied:
    """A win for everybody who fought."""
    played = {**world.played, group: replace(world.played[group], result="win")} if group in world.played else {}
    applied = RULES.leave(replace(world, played=played), group)
    return replace(applied, world=replace(applied.world, played=world.played))


def _tireless(world: World, group: int, played: Game) -> Applied:
    """Who is away stays away."""
    applied = RULES.play(world, group, played)
    state: Group = world.groups[group]
    away = {unit.key: unit for unit in state.units if unit.away}
    units = tuple(away.get(unit.key, unit) for unit in applied.world.groups[group].units)
    return replace(applied, world=world.with_group(group, replace(applied.world.groups[group], units=units)))


def _healing(world: World, group: int, kind: str, data: Answered, dice: Dice) -> Applied:
    """A break heals all."""
    applied = RULES.apply(world, group, kind, data, dice)
    if kind != "break":
        return applied
    units = tuple(replace(unit, hits=unit.most_hits) for unit in applied.world.groups[group].units)
    return replace(applied, world=applied.world.with_group(group, replace(applied.world.groups[group], units=units)))


@pytest.mark.parametrize(
    ("broken", "seed"),
    [(replace(RULES, leave=_generous), 0), (replace(RULES, play=_tireless), 1), (replace(RULES, apply=_healing), 33)],
)
def test_the_second_ledger_sees_rules_that_are_broken(broken: CampaignRules, seed: int) -> None:
    """The seed is the first that shows it: a hero with more than one wound to heal is rare."""
    assert differs(broken, seed)
