"""Random campaigns of Fallout Skirmish: each step adds up in its ledger, changes one group and can be undone."""

from collections import Counter
from collections.abc import Iterable, Iterator
from random import Random
from typing import Any

import pytest

from tests.kit.profiles import full_run
from tests.kit.skirmish_groups import EDITION, SYSTEM
from tests.validators.played_campaigns import Campaign, answers
from tests.validators.skirmish_campaigns import RULES
from validators.campaign import Offer, StepRefused, World
from validators.contract import Terms

pytestmark = pytest.mark.slow

OFTEN = {"fought": 0.4, "scavenge": 0.1, "turf": 0.1, "order": 0.0, "visit": 0.1, "buy": 0.3}
FORCES = list(EDITION.factions)


def played(seed: int, rounds: int = 6) -> Iterator[tuple[Campaign, World]]:
    """Random steps of eight groups: the campaign after each, and the world before. Seldom kinds are preferred."""
    random = Random(seed)
    settings = {setting.key: random.choice(setting.choices)[0] for setting in RULES.settings}
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
            weights = [1 / (1 + taken[a_kind]) + OFTEN.get(a_kind, 0.02) for a_kind in kinds]
            kind = random.choices(kinds, weights)[0]
            data: dict[str, Any] = {}
            offer = random.choice([offer for offer in offers if offer.kind == kind] or [None])
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


@pytest.mark.parametrize("seed", full_run(range(1000, 1040), [1000]))
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
