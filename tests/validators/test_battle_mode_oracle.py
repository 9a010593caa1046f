"""The check of forces agrees with a second, simple one on 20,000 random forces, legal and illegal."""

import json
from collections import Counter
from random import Random
from typing import Any

import pytest

from tests.kit.forces import SYSTEM
from tests.kit.profiles import at_length
from tests.validators import simple_battle_mode as simple
from validators.contract import Terms

pytestmark = pytest.mark.slow

EDITIONS = ("2018-08", "2021-01", "2022-community", "2024-community")
LISTS = {edition: simple.lists_of(f"edition_{edition.replace('-', '_')}.json") for edition in EDITIONS}
SEED = 20180820
FORCES = 1000
QUERIES = {
    "2018-08": {"bm.perk", "bm.size", "bm.carry", "bm.heroic", "bm.unique", "bm.mod"},
    "2021-01": {"bm.perk", "bm.cost", "bm.carry", "bm.unique", "bm.mod"},
    "2022-community": {"bm.perk", "bm.cost", "bm.unique", "bm.mod", "bm.carry"},
    "2024-community": {"bm.perk", "bm.cost", "bm.unique", "bm.mod", "bm.carry"},
}


def random_force(dice: Random, lists: simple.Lists) -> dict[str, Any]:
    """A force of mostly listed entries: about half are legal, others have a few faults."""
    raw = lists.raw
    wild = dice.choice([0.0, 0.0, 0.02, 0.15])
    every_perk = [*raw["perks"], *raw.get("shares", {})]

    def odd() -> bool:
        return dice.random() < wild

    faction = dice.choice([f for f in raw["factions"] if f.get("fielded", True)])
    everyone = [m for f in raw["factions"] for m in f["models"]]
    models: list[dict[str, Any]] = []
    for number in range(dice.randint(0 if odd() else 1, 7)):
        entry = dice.choice(everyone if odd() else faction["models"])
        carried, mods = simple.allowed(lists, entry, "items"), simple.allowed(lists, entry, "mods")
        perks, cards = simple.allowed(lists, entry, "perks"), simple.allowed(lists, entry, "leader_cards")
        perhaps = simple.sure_and_doubtful(lists, entry, "items")[1]
        light = [name for name in carried if name not in simple.HEAVY[raw["id"]]]
        items: list[dict[str, Any]] = []
        for _ in range(dice.choice([0, 1, 1, 2])):
            choice = list(lists.cost) if odd() else light if dice.random() < 0.4 else carried
            if perhaps and dice.random() < 0.03:
                choice = perhaps
            if not choice:
                continue
            name = dice.choice(choice)
            item: dict[str, Any] = {"name": "No Such Thing" if odd() else name}
            if (mods and not lists.no_mod(name) and dice.random() < 0.3) or odd():
                choice = list(raw["mods"]) if odd() or not mods else mods
                if dice.random() < 0.9:
                    choice = [mod for mod in choice if not simple.misfits(lists, entry, mod, name)] or choice
                many = dice.randint(1, 2) if odd() else 1
                item["mods"] = ["No Such Mod" if odd() else dice.choice(choice) for _ in range(many)]
            if dice.random() < 0.2:
                item["count"] = dice.randint(1, 3)
            items.append(item)
        for built_in in entry.get("built_in", []):  # bought again, on the item that it is built into
            mod, _, where = built_in.removesuffix(")").partition(" (on ")
            if where and mod in raw["mods"] and dice.random() < 0.3:
                items.append({"name": where, "mods": [mod]})
            if raw.get("names_built_in") and built_in in lists.cost and dice.random() < 0.2:
                items.append({"name": built_in, "count": dice.randint(1, 2)})
        for mod in entry.get("free_mods", {}):
            items += [one | {"mods": [mod]} for one in items[:1] if dice.random() < 0.5]
        own = [mod for mod in mods if simple.for_model(lists, entry, mod)]
        items += [{"name": dice.choice(own)} for _ in range(dice.choice([0, 0, 0, 1, 2])) if own]
        if odd():  # a mod on no item, or the name that a robot's mod shares with a human's
            items.append({"name": dice.choice(list(raw["mods"]))})
        if mods and odd():
            items.append({"name": "Board", "mods": [dice.choice(list(raw["mods"])).partition(" (")[0]]})
        model: dict[str, Any] = {"name": "Nobody" if odd() else entry["name"], "items": items}
        if (simple.may_be_heroic(lists, entry) and dice.random() < 0.3) or odd():
            model["heroic"] = True
        if (number == 0) != odd():
            model["leader"] = True
            if (cards and dice.random() < 0.5) or odd():
                choice = list(raw["leader_cards"]) if odd() or not cards else cards
                model["leader_card"] = "No Such Card" if odd() else dice.choice(choice)
        elif odd():
            model["leader_card"] = dice.choice(list(raw["leader_cards"]))
        if (perks and dice.random() < 0.45) or odd():
            choice = every_perk if odd() or not perks or dice.random() < 0.05 else perks
            model["perks"] = ["No Such Perk" if odd() else dice.choice(choice) for _ in range(dice.randint(1, 2))]
        again = [perk for perk in entry.get("built_in", []) if perk in raw["perks"]]
        if again and dice.random() < 0.2:
            model["perks"] = [*model.get("perks", []), dice.choice(again)]
        shares = [perk for perk in raw.get("shares", {}) if perk in perks]
        if shares and dice.random() < 0.15:
            model["perks"] = [*model.get("perks", []), dice.choice(shares)]
        if "unique" not in entry and number and dice.random() < 0.2:
            model["count"] = dice.randint(1, 3)
        models.append(model)
    kinds = ["Boost", "Quest", "creature", "Solo", "Leader", "Perk"]
    names = [*list(raw["leader_cards"])[:3], "Any"]
    return {
        "system": "battle_mode", "edition": raw["id"],
        "faction": dice.choice(["Robots", "Nobody's"]) if odd() else faction["name"], "models": models,
        "cards": [{"kind": dice.choice(kinds), "name": dice.choice(names)}] if odd() else [],
    }  # fmt: skip


def agreed(edition: str, seed: int) -> Counter[str]:
    dice, lists, info = Random(f"{edition}/{seed}"), LISTS[edition], SYSTEM.edition(edition)
    met: Counter[str] = Counter()
    for number in range(FORCES):
        force = random_force(dice, lists)
        size = dice.choice([250, 499, 500, 500, 750, 750, 1000, 1000, 1250, 1500])
        if dice.random() < 0.2:  # close to the total, where a reading decides
            size = max(1, simple.simple_check(force, size, lists)[0] + dice.randint(-4, 8))
        verdict = SYSTEM.checks.check(SYSTEM.forces.read(force, info), Terms(info, size))
        problems = {problem.rule for problem in verdict.problems}
        queries = {query.rule for query in verdict.queries}
        expected = simple.simple_check(force, size, lists)
        assert (verdict.total, problems, queries) == expected, f"{number} of {seed} at {size}: {json.dumps(force)}"
        met["legal" if verdict.legal else "illegal"] += 1
        met.update(problems)
        met.update(f"query {rule}" for rule in queries)
    return met


@pytest.mark.parametrize("numbers", at_length([range(1), range(1, 10)], [range(1)]), ids=["usual", "rest"])
def test_both_checks_agree_on_random_forces_that_meet_every_rule_and_query(numbers: range) -> None:
    for edition, queries in QUERIES.items():
        met = sum((agreed(edition, SEED + number) for number in numbers), Counter[str]())
        forces = FORCES * len(numbers)
        assert forces // 8 < met["legal"] < forces * 3 // 4, met
        without_packs = {"bm.perk"} if edition == "2018-08" else set()
        problems = {rule.id for rule in SYSTEM.checks.rules} - without_packs
        assert {what for what in met if what.startswith("bm.")} == problems
        assert min(met[rule] for rule in problems) >= forces // 100, met
        assert {what.removeprefix("query ") for what in met if what.startswith("query ")} == queries
