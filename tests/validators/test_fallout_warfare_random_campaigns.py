"""Random campaigns of Fallout: Warfare gain nothing without a cause."""

from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from random import Random

import pytest

from tests.kit.armies import BOS, EDITION, LORDS, MUTANTS, RAIDERS, SYSTEM
from tests.kit.profiles import full_run
from tests.validators.played_campaigns import Campaign, Data, answers
from validators.campaign import StepRefused, World
from validators.contract import Document, Terms
from validators.fallout_warfare.campaign.rules import RULES
from validators.fallout_warfare.campaign.state import Group

pytestmark = pytest.mark.slow

NAMES = {1: "Lost Hills", 2: "Junktown", 3: "The Hub", 4: "Vault 13"}


@cache
def armies() -> tuple[Document, ...]:
    """Legal armies of 300 to 500 points with heroes of levels 1 to 3, a Doctor, vehicles and mines."""
    terms, found = Terms(EDITION, 500), []
    for seed, faction in enumerate((BOS, MUTANTS, RAIDERS, LORDS, BOS, RAIDERS)):
        document = SYSTEM.forces.sample(terms, faction, seed)
        dice = Random(seed)
        for squad in document["squads"]:
            for model in squad["models"]:
                if model["rank"] == "hero":
                    model["level"] = dice.randint(1, 3)
        doctor = {"rank": "hero", "count": 1, "level": 2, "skills": [{"name": "Doctor", "level": 5}], "items": []}
        lone: Document = {"name": "", "models": [document["squads"][0]["models"][0] | doctor]}
        document = document | {"squads": [*document["squads"], lone], "mines": seed % 3}
        found.append(SYSTEM.forces.read(document, EDITION))
    return tuple(found)


def played(seed: int) -> Iterator[tuple[Campaign, World]]:
    """A random campaign of six rounds after each step, and the world before."""
    random = Random(seed)
    settings = {setting.key: random.choice(setting.choices)[0] for setting in RULES.settings}
    settings |= {"most": random.choice(["150", "200", "250"]), "extra": random.choice("0245")}  # these armies can fight
    names = dict(list(NAMES.items())[: random.choice([2, 4])])
    plan = RULES.planned(settings, seed, len(names)) if RULES.planned else {}
    game = Campaign(RULES, EDITION, names, settings, dict(plan))

    def take(group: int, kind: str, data: Data) -> tuple[Campaign, World]:
        before = game.world
        game.step(group, kind, data)
        return game, before

    def suggested_muster(group: int) -> tuple[Campaign, World]:
        for offer in game.offers(group, "muster") if random.random() > 0.1 else ():  # else at will
            with suppress(StepRefused):
                return take(group, "muster", {ask.key: ask.default for ask in offer.asks})
        return take(group, "forfeit", {})

    def sequence(group: int) -> Iterator[tuple[Campaign, World]]:
        while (phase := game.world.phase(group)) is not None:
            for _ in range(random.randint(0, 5)):
                if offers := [an_offer for an_offer in game.offers(group) if an_offer.kind != "forfeit"]:
                    offer = random.choice(offers)
                    with suppress(StepRefused):
                        yield take(group, offer.kind, answers(offer, random, most=100))
            if phase.id == "muster" and not game.world.groups[group].decision:
                yield suggested_muster(group)
            yield take(group, "next", {})

    for group in names:
        yield take(group, "found", {"document": random.choice(armies())})
    while turns := [(group, offer) for group in names for offer in game.offers(group, "pick")]:
        for group, offer in turns:
            yield take(group, "pick", {"place": random.choice(offer.asks[0].choices)[0]})
    for group in names:
        yield from sequence(group)
    for number in range(1, 7):
        groups = random.sample(list(names), len(names))
        for a, b in zip(groups[::2], groups[1::2], strict=True):
            fought = "forfeits" not in (game.world.groups[a].decision, game.world.groups[b].decision)
            won, lost = random.choice([("win", "loss"), ("draw", "draw"), ("loss", "win")])
            scenario = random.choice(["skirmish", "convoy", "wild-america"])
            for group, other, result in ((a, b, won), (b, a, lost)):
                data = {"game": number * 10 + min(a, b), "round": number, "result": result, "opponent": other,
                        "scenario": scenario, "won_against_rating": 0, "fought": fought}  # fmt: skip
                yield take(group, "play", data)
        for group in groups:
            yield from sequence(group)


@pytest.mark.parametrize("seed", full_run(range(100), [1]))
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
