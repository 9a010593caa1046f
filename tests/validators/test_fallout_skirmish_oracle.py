"""The check of Fallout Skirmish groups agrees with a second, simple one on 5,000 random groups, legal and illegal."""

from collections import Counter
from random import Random
from typing import Any

import pytest

from tests.kit.profiles import at_length
from tests.kit.skirmish_groups import EDITION, SYSTEM
from tests.validators.simple_fallout_skirmish import LISTS, PRICES, simple_check
from validators.contract import Terms
from validators.fallout_skirmish.force import priced
from validators.fallout_skirmish.sheets import figures_of

pytestmark = pytest.mark.slow

GROUPS = 500


def random_group(dice: Random) -> dict[str, Any]:
    """A group of mostly listed characters and items, with a few faults; it is legal now and then."""
    wild = dice.choice([0.0, 0.0, 0.03, 0.15])

    def odd() -> bool:
        return dice.random() < wild

    force, other = dice.choice(LISTS["forces"]), dice.choice(LISTS["forces"])
    models, bare = [], dice.random() < 0.05
    for place in range(dice.randint(0 if odd() else 1, 12)):
        rank = force["ranks"][-1] if place == 0 and not odd() else dice.choice((other if odd() else force)["ranks"])
        items = []
        fitting = [row["name"] for row in force["armour"] if rank["name"] in row["ranks"]]
        if fitting and not bare and not odd():
            items.append({"name": dice.choice(fitting)})
        for _ in range(dice.choice([0, 1, 1, 2])):
            light = [name for name, caps in force["weapons"].items() if caps < 80]
            listed = list(force["weapons"]) if dice.random() < 0.15 else light
            name = dice.choice(list(PRICES) if odd() else listed)
            items.append({"name": "No Such Thing" if odd() else name, "count": 2 if odd() else 1})
        if dice.random() < 0.05:
            items.append({"name": "Stimpak", "count": dice.randint(1, 4)})
        model: dict[str, Any] = {"rank": "Nobody" if odd() else rank["name"], "items": items}
        model["leader"] = (place == 0) != odd()
        if odd() or dice.random() < 0.02:
            model["perks"] = [dice.choice(["Leader", "Ninja", "No Such Perk"])]
        if odd():
            model["count"] = dice.randint(1, 4)
        models.append(model)
    turfs = [dice.choice(LISTS["turfs"])["name"] for _ in range(dice.choice([0, 3, 3]))]
    head = {"system": SYSTEM.id, "edition": EDITION.id, "faction": force["name"]}
    return head | {"turfs": turfs + ["Nowhere"] * odd(), "models": models}


def compared(seed: int) -> Counter[str]:
    dice, met = Random(f"skirmish/{seed}"), Counter[str]()
    for number in range(GROUPS):
        document = random_group(dice)
        size = dice.choice([250, 500, 500, 750, 1000])
        if dice.random() < 0.3:  # close to the total, where one Cap decides
            size = max(1, simple_check(document, size)[0] + dice.randint(-2, 2))
        read, terms = SYSTEM.forces.read(document, EDITION), Terms(EDITION, size)
        verdict = SYSTEM.checks.check(read, terms)
        rating = next(int(figure.value) for figure in figures_of(priced(read, terms)) if figure.label == "Rating")
        found = {p.rule for p in verdict.problems}, {q.rule for q in verdict.queries}
        assert (verdict.total, rating, *found) == simple_check(document, size), (number, size, document)
        met["legal" if verdict.legal else "illegal"] += 1
        met.update(found[0])
        met.update(f"query {rule}" for rule in found[1])
    return met


@pytest.mark.parametrize("seeds", at_length([range(1), range(1, 10)], [range(1)]), ids=["usual", "rest"])
def test_both_checks_agree_on_cost_rating_and_rules(seeds: range) -> None:
    for seed in seeds:
        met = compared(seed)
        assert met["legal"] > GROUPS // 10 and met["illegal"] > GROUPS // 10
        ids = {rule.id for rule in SYSTEM.checks.rules} - {"fs.rating", "fs.grenade"}
        assert {rule for rule in ids if met[rule] == 0} == set(), "every rule was broken somewhere in this chunk"
