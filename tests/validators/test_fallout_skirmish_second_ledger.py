"""Random campaigns of Fallout Skirmish agree with a second ledger, gain nothing without a cause, and can be undone."""

import traceback
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from tests.kit.profiles import at_length
from tests.kit.skirmish_groups import EDITION, SYSTEM
from tests.validators.skirmish_campaigns import RULES, answers
from tests.validators.skirmish_second_ledger import Ledger
from validators.campaign import (
    Account,
    Answered,
    Applied,
    CampaignRules,
    Dice,
    Offer,
    Step,
    StepRefused,
    World,
    apply_step,
    new_world,
    replay,
)
from validators.contract import Terms
from validators.fallout_skirmish.campaign.state import Group

pytestmark = pytest.mark.slow

BLOCKS = [range(3), *(range(first, first + 71) for first in range(3, 500, 71))]
"""The seeds of 500 campaigns, all but a few in ./run test --long."""
OFTEN = {"fought": 0.4, "scavenge": 0.1, "turf": 0.1, "order": 0.0, "visit": 0.1, "buy": 0.3}
FORCES = list(EDITION.factions)
STEPS = {
    "found", "play", "fought", "used", "search", "freed", "captured", "injury", "again", "advance", "perk",
    "lead", "reward", "claim", "scavenge", "explore", "encounter", "turf", "part", "cook", "flesh", "home",
    "upkeep", "sell_food", "pool", "recruit", "visit", "barter", "buy", "sell", "order", "doctor", "build",
    "building", "bag", "radaway", "hand", "next",
}  # fmt: skip
PHASES = [one.id for one in RULES.phases]


def summary(group: Group) -> dict[str, Any]:
    """The state of a group by the rules, in the form of the second ledger."""
    return {
        "caps": group.caps, "clean": group.food, "irradiated": group.irradiated, "stash": dict(group.stash),
        "turfs": tuple(group.turfs), "leader": group.leader, "rating": RULES.rating(group),
        "gone": sorted(one.key for one in group.all_members if one.gone),
        **{one.key: (one.rank, one.xp, one.level, {what: by for what, by in one.raised.items() if by},
                     sorted(one.perks), sorted(one.injuries), dict(one.items), one.rads, sorted(one.addictions),
                     one.hunger, one.neglect, one.captive) for one in group.all_members if not one.gone},
    }  # fmt: skip


def campaign(rules: CampaignRules, seed: int, rounds: int = 6) -> Iterator[tuple[Step, World, Applied]]:
    """Random steps of eight groups, each with the world before it and its effect. Seldom kinds are preferred."""
    random = Random(seed)
    settings = {one.key: random.choice(one.choices)[0] for one in rules.settings}
    world, number, taken = new_world(rules, EDITION, settings, {}, dict(enumerate(FORCES, 1))), 0, Counter[str]()

    def step(group: int, kind: str, data: dict[str, Any]) -> tuple[Step, World, Applied]:
        nonlocal world, number
        dice, before = Dice(random.getrandbits(32)), world
        done = apply_step(world, Step(number + 1, group, kind, data), dice)
        world, number = done.world, number + 1
        taken[kind] += 1
        return Step(number, group, kind, data, tuple(dice.rolled)), before, done

    for group, force in enumerate(FORCES, 1):
        document = SYSTEM.forces.sample(Terms(EDITION, random.choice([300, 400, 500])), force, seed)
        document["turfs"] = document["turfs"] if random.random() < 0.3 else []
        for model in document["models"]:
            model["leader"] = model["leader"] and random.random() < 0.5
        yield step(group, "found", {"document": document})
    for round_ in range(1, rounds + 1):
        order = random.sample(range(1, 9), 8)
        for one, other in zip(order[::2], order[1::2], strict=True):
            points = sorted(random.choices(range(16), k=2)) if random.random() < 0.8 else [5, 5]
            result, other_result = ("draw", "draw") if points[0] == points[1] else ("loss", "win")
            shared = {"game": round_, "round": round_, "scenario": "objectives", "fought": random.random() < 0.95}
            own = {"result": result, "points": points[0], "opponent_points": points[1], "opponent": other}
            yield step(one, "play", shared | own)
            own = {"result": other_result, "points": points[1], "opponent_points": points[0], "opponent": one}
            yield step(other, "play", shared | own)
        while world.phases:
            group = random.choice(list(world.phases))
            offers = rules.offers(world, group)
            kinds = sorted({offer.kind for offer in offers} | {"next"})
            weights = [1 / (1 + taken[one]) + OFTEN.get(one, 0.02) for one in kinds]
            kind = random.choices(kinds, weights)[0]
            data: dict[str, Any] = {}
            offer = random.choice([one for one in offers if one.kind == kind] or [None])
            if offer:
                data = answers(offer, random)
                _prefer_rare_answers(kind, data, offers, random)
            try:
                done = step(group, kind, data)
            except StepRefused as why:
                assert why.message.endswith("."), why.message
                continue
            assert not offer or offer.dice or not done[0].rolls, "a page rolls only what the offer names"
            yield done


def _prefer_rare_answers(kind: str, data: dict[str, Any], offers: Iterable[Offer], random: Random) -> None:
    """Prefer answers that chance hardly gives: wounds, rads, and Wolfgang with the parts of a Dart Gun."""
    if data.get("took"):
        data["down"] = int(random.random() < 0.5)
        data["rads"] = random.choice([0, 0, 0, 3, 12])
    if kind == "visit" and random.random() < 0.7:
        data["merchant"] = "wolfgang"
    if kind == "barter":
        wares = [ware for offer in offers if offer.kind == kind for ware, _ in offer.asks[0].choices]
        data["ware"] = random.choice([ware for ware in wares if ware.startswith("Dart Gun")] or wares)


def differs(rules: CampaignRules, seed: int, kinds: Counter[str] | None = None) -> str:
    """The first step after which the two ledgers do not agree on its group; "" for none in the whole campaign.

    The kinds of all steps are counted in ``kinds``.
    """
    simple: Ledger | None = None
    for step, before, applied in campaign(rules, seed):
        simple = simple or Ledger(before.settings)
        if kinds is not None:
            kinds[step.kind] += 1
        now = applied.world.phases.get(step.group, len(PHASES))
        ended = PHASES[before.phases[step.group] : now] if step.kind == "next" else []
        try:
            simple.take(step.group, step.kind, step.data, step.rolls, ended)
        except (AssertionError, LookupError, ValueError) as why:
            return f"{step}: {type(why).__name__} {why}, line {traceback.extract_tb(why.__traceback__)[-1].lineno}"
        mine, other = summary(applied.world.groups[step.group]), simple.groups[step.group].summary()
        if mine != other:
            unlike = {key: (mine.get(key), other.get(key)) for key in mine | other if mine.get(key) != other.get(key)}
            return f"{step} {applied.messages}: {unlike}"
    return ""


@pytest.mark.parametrize("block", at_length(BLOCKS, BLOCKS[:1]))
def test_two_ledgers_agree_on_campaigns_of_six_rounds(block: range) -> None:
    kinds: Counter[str] = Counter()
    for seed in block:
        assert differs(RULES, seed, kinds) == "", f"seed {seed}"
    assert set(kinds) <= STEPS and len(STEPS) - len(kinds) < 8, "nearly all kinds, all of them in 12 campaigns"


@pytest.mark.parametrize("seed", at_length(range(1000, 1040), [1000]))
def test_each_gain_has_a_cause_and_undoing_a_step_restores_the_world_before(seed: int) -> None:
    random, start, steps = Random(seed), None, []
    sums: dict[int, Counter[Account]] = {}
    for step, before, applied in campaign(RULES, seed, 2):
        start = start or before
        steps.append(step)
        ledger = sums.setdefault(step.group, Counter())
        gained = {line.account.kind for line in applied.lines if line.amount > 0}
        follows = any(" follows " in message for message in applied.messages)  # 11.7.2: a new Overseer
        assert gained <= CAUSES.get(step.kind, set()) | (WHO if follows else set()), step
        if gained and step.kind in PAID:
            assert PAID[step.kind] <= {line.account.kind for line in applied.lines if line.amount < 0}, step
        for line in applied.lines:
            assert line.amount and line.why
            ledger[line.account] += line.amount
        assert min(ledger.values(), default=0) >= 0
        assert +ledger == RULES.balances(applied.world.groups[step.group])
        others, still = ({**world.groups, step.group: None} for world in (before, applied.world))
        assert others == still, "no other group changes"
        document = RULES.document(applied.world.groups[step.group])
        if document["models"] and step.group not in applied.world.phases:
            assert SYSTEM.forces.read(document, EDITION) == document
            assert SYSTEM.checks.check(document, Terms(EDITION, 500, grown=True)).problems == ()
        if random.random() < 0.01:
            assert replay(start, steps).world == applied.world
            assert replay(start, steps[:-1]).world == before
    assert start and replay(start, steps).world == applied.world


CAPS, FOOD, ITEM, WHO, TURF = {"caps"}, {"food"}, {"item"}, {"character"}, {"turf"}
CAUSES: dict[str, set[str]] = {
    "found": CAPS | ITEM | WHO | TURF, "search": CAPS | ITEM, "freed": WHO, "captured": CAPS,
    "reward": CAPS | ITEM | WHO, "claim": CAPS | FOOD | ITEM, "scavenge": CAPS | FOOD | ITEM,
    "explore": CAPS | FOOD | ITEM, "encounter": CAPS | ITEM | WHO, "turf": CAPS | FOOD | ITEM,
    "next": FOOD, "upkeep": FOOD, "sell_food": CAPS,
    "recruit": WHO | ITEM, "buy": ITEM, "order": ITEM, "sell": CAPS, "build": ITEM, "building": ITEM | WHO,
}  # fmt: skip
"""The kinds of gains that the rulebook allows each step: 7.4, 9.1, 9.1.1, 10.4 to 10.7, 11 and 13."""
PAID = {"recruit": CAPS, "buy": CAPS, "order": CAPS, "sell": ITEM, "sell_food": FOOD, "build": ITEM}
"""The cost of each step that has one."""


def _cheap(world: World, group: int, kind: str, data: Answered, dice: Dice) -> Applied:
    """Upkeep of 4 Caps."""
    applied = RULES.apply(world, group, kind, data, dice)
    kept = -sum(line.amount for line in applied.lines if line.why.startswith("Maintenance")) // 5
    own = applied.world.groups[group]
    return replace(applied, world=applied.world.with_group(group, replace(own, caps=own.caps + kept)))


def _wise(world: World, group: int) -> Applied:
    """2 XP for surviving."""
    applied, own = RULES.leave(world, group), world.groups[group]
    if world.phase(group) != RULES.phases[PHASES.index("injuries")]:
        return applied
    grown = {one.key: one for one in applied.world.groups[group].all_members}
    for one in own.characters:
        if grown[one.key].xp > one.xp:
            grown[one.key] = replace(grown[one.key], xp=grown[one.key].xp + 1)
    changed = replace(applied.world.groups[group], all_members=tuple(grown.values()))
    return replace(applied, world=applied.world.with_group(group, changed))


@pytest.mark.parametrize(
    "broken", [replace(RULES, apply=_cheap), replace(RULES, leave=_wise)], ids=["upkeep of 4", "2 XP for surviving"]
)
def test_second_ledger_detects_broken_rules(broken: CampaignRules) -> None:
    assert any(differs(broken, seed) for seed in range(3))
