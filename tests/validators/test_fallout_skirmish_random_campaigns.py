"""Random campaigns of Fallout Skirmish agree with a second ledger, and their steps can be undone."""

import traceback
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any

import pytest

from tests.kit.profiles import at_length
from tests.kit.skirmish_groups import EDITION, SYSTEM
from tests.validators.played_campaigns import Campaign, answers
from tests.validators.skirmish_campaigns import RULES
from tests.validators.skirmish_second_group import Group as SecondGroup
from tests.validators.skirmish_second_ledger import Ledger
from validators.campaign import Offer, StepRefused, World
from validators.contract import Terms
from validators.fallout_skirmish.campaign.state import Group

pytestmark = pytest.mark.slow

BLOCKS = [(0, 6), *(range(first, first + 50) for first in range(0, 500, 50))]
"""The seeds of 500 campaigns, in ./run test --long; the two of the first block reach nearly all of the rules."""
OFTEN = {"fought": 0.4, "scavenge": 0.1, "turf": 0.1, "order": 0.0, "visit": 0.1, "buy": 0.3}
FORCES = list(EDITION.factions)
STEPS = {"next", *(name.removeprefix("on_") for name in dir(Ledger) if name.startswith("on_"))}
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


def played(seed: int, rounds: int = 6) -> Iterator[tuple[Campaign, World]]:
    """Random steps of eight groups: the campaign after each, and the world before. Seldom kinds are preferred."""
    random = Random(seed)
    settings = {one.key: random.choice(one.choices)[0] for one in RULES.settings}
    game, taken = Campaign(RULES, EDITION, dict(enumerate(FORCES, 1)), settings), Counter[str]()

    def step(group: int, kind: str, data: dict[str, Any]) -> tuple[Campaign, World]:
        before = game.world
        game.step(group, kind, data, seed=random.getrandbits(32))
        taken[kind] += 1
        return game, before

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
        while game.world.phases:
            group = random.choice(list(game.world.phases))
            offers = game.offers(group)
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
                assert why.message.endswith((".", "⟧")), why.message
                continue
            rolls = game.history.entries[-1].step.rolls
            assert not offer or offer.dice or not rolls, "a page rolls only what the offer names"
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


def differs(seed: int, kinds: set[str], second: type[Ledger] = Ledger) -> str:
    """The first step after which the two ledgers do not agree on its group, "" for none; adds all kinds of steps."""
    simple: Ledger | None = None
    for game, before in played(seed):
        entry = game.history.entries[-1]
        step, simple = entry.step, simple or second(before.settings)
        kinds.add(step.kind)
        now = game.world.phases.get(step.group, len(PHASES))
        ended = PHASES[before.phases[step.group] : now] if step.kind == "next" else []
        try:
            simple.take(step.group, step.kind, step.data, step.rolls, ended)
        except (AssertionError, LookupError, ValueError) as why:
            return f"{step}: {type(why).__name__} {why}, line {traceback.extract_tb(why.__traceback__)[-1].lineno}"
        mine, other = summary(game.world.groups[step.group]), simple.groups[step.group].summary()
        if mine != other:
            unlike = {key: (mine.get(key), other.get(key)) for key in mine | other if mine.get(key) != other.get(key)}
            return f"{step} {entry.said}: {unlike}"
    return ""


@pytest.mark.parametrize("block", at_length(BLOCKS, BLOCKS[:1]))
def test_two_ledgers_agree_on_campaigns_of_six_rounds(block: Sequence[int]) -> None:
    kinds: set[str] = set()
    for seed in block:
        assert differs(seed, kinds) == "", f"seed {seed}"
    assert len(STEPS - kinds) < 8, "nearly all kinds, all of them in 12 campaigns"


@pytest.mark.parametrize("seed", at_length(range(1000, 1040), [1000]))
def test_each_step_adds_up_and_changes_one_group_and_undoing_it_restores_the_world_before(seed: int) -> None:
    random = Random(seed)
    for game, before in played(seed, 2):
        game.check_newest(before)
        group = game.history.entries[-1].step.group
        document = RULES.document(game.world.groups[group])
        if document["models"] and group not in game.world.phases:
            assert SYSTEM.forces.read(document, EDITION) == document
            assert SYSTEM.checks.check(document, Terms(EDITION, 500, grown=True)).problems == ()
        if random.random() < 0.01:
            assert (game.replayed(), game.replayed(-1)) == (game.world, before)
    assert game.replayed() == game.world


class CheapDoctor(Ledger):
    def on_doctor(self, own: SecondGroup, data: Mapping[str, Any]) -> None:
        super().on_doctor(own, data)
        own.caps += 1


class WiseSurvivors(Ledger):
    def ended(self, own: SecondGroup, phase: str) -> None:
        super().ended(own, phase)
        for one in own.characters.values() if phase == "injuries" else ():
            one.xp += 1


@pytest.mark.parametrize("wrong", [CheapDoctor, WiseSurvivors])
def test_ledgers_of_different_rules_differ(wrong: type[Ledger]) -> None:
    assert differs(0, set(), wrong)
