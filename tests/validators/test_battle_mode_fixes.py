"""Suggested fixes of Battle Mode forces: each is legal, needs the fewest changes and keeps the most Caps."""

import itertools
import time
from collections.abc import Iterator
from random import Random

import pytest

from tests.kit.forces import EDITION as INFO
from tests.kit.forces import SYSTEM, force, model
from tests.kit.profiles import full_run
from tests.kit.statements import RUN_AWAY
from validators.battle_mode.changes import Change, leading, lowering, on_cards, on_faction, on_model
from validators.battle_mode.check import CHECKS
from validators.battle_mode.fixes import MOST_CHANGES
from validators.battle_mode.force import PricedForce, document_of, priced
from validators.contract import Document, EditionInfo, Fix, Terms, Verdict
from validators.restrictions import NONE, Restrictions
from validators.strict_json import canonical_text

LEADER = model("Piper", leader=True)
SETTLER = model("Settler")


def fixes(document: Document, size: int, edition: EditionInfo = INFO, adds: Restrictions = NONE) -> tuple[Fix, ...]:
    return SYSTEM.forces.fixes(document, Terms(edition, size, adds))


def judge(document: Document, size: int, edition: EditionInfo = INFO, adds: Restrictions = NONE) -> Verdict:
    return SYSTEM.checks.check(document, Terms(edition, size, adds))


def test_first_suggestion_is_the_smallest_change() -> None:
    grenades, miniguns = {"name": "Baseball Grenade", "count": 9}, {"name": "Minigun", "count": 3}
    commander = force(LEADER, cards=[{"kind": "Leader", "name": "Commander"}])
    for document, size, first in (
        (force(LEADER, SETTLER), 100, "Take out Settler"),
        (force(model("Piper")), 500, "Make Piper the Leader"),
        (force(LEADER | {"perks": ["Snek"]}), 500, "Replace the perk Snek on Piper by Sneak"),
        (force(LEADER | {"leader_card": "Comander"}), 500, "Replace the Leader card Comander on Piper by Commander"),
        (force(model("Piper", "Minigun", leader=True)), 500, "Take Minigun off Piper"),
        (force(model("Piper", grenades, leader=True)), 100, "Lower Baseball Grenade on Piper from 9 to 4"),
        (force(LEADER, model("Dogmeat", heroic=True)), 500, "Take Heroic off Dogmeat"),
        (force(LEADER, model("Settlr")), 500, "Replace Settlr by Settler"),
        (force(LEADER, SETTLER | {"leader_card": "Commander"}), 500, "Make Settler the Leader"),
        (commander, 500, "Give the Leader card Commander to Piper"),
        (force(LEADER, cards=[{"kind": "Quest", "name": "Any"}]), 500, "Take out the Quest card Any"),
        (force(model("Brute", leader=True), model("Super Mutant")), 500, "Make it a force of Super Mutants"),
        (force(LEADER, model("Dogmeat"), model("Dogmeat Scout")), 500, "Take out Dogmeat Scout"),
        (force(model("Sole Survivor", miniguns, leader=True)), 500, "Lower Minigun on Sole Survivor from 3 to 1"),
    ):
        offers = fixes(document, size)
        assert offers[0].changes == (first,)
        verdict = judge(offers[0].document, size)
        assert (verdict.legal, verdict.total) == (True, offers[0].total), first


def test_a_suggestion_does_not_answer_what_was_not_read() -> None:
    """The player has not looked at those lines by pressing a button of ours."""
    pasted = force(LEADER, SETTLER, SETTLER, model("Dogmeat"), model("Dogmeat Scout"))
    pasted |= {"not_read": ["line 3: 2 Enclave Officer"], "file_total": 640}
    for offer in fixes(pasted, 500):
        assert [query.rule for query in judge(offer.document, 500).queries] == ["bm.cost", "bm.cost"]


def test_leader_who_is_taken_out_is_replaced() -> None:
    without = judge(force(model("Minuteman"), SETTLER), 0).total
    first, *_ = fixes(force(model("Nick Valentine", leader=True), model("Minuteman"), SETTLER), without)
    assert (first.total, first.changes) == (without, ("Take out Nick Valentine", "Make Minuteman the Leader"))
    first, *_ = fixes(force(SETTLER, cards=[{"kind": "Leader", "name": "Commander"}]), 500)
    assert first.changes == ("Give the Leader card Commander to Settler", "Make Settler the Leader")


def test_legal_force_and_force_beyond_the_most_changes_get_no_suggestion() -> None:
    (of_copies,) = fixes(force(LEADER, *[SETTLER] * 5), 250)
    assert (of_copies.total, of_copies.changes) == (236, ("Take out Settler (model\u00a02)",)), (
        "five copies are one change"
    )
    assert fixes(force(LEADER), 500) == fixes(force(), 500) == fixes(force(LEADER), 10) == ()
    unknown = [model("Qqq Zzz") for _ in range(MOST_CHANGES + 1)]
    assert fixes(force(LEADER, *unknown), 900) == ()
    assert len(fixes(force(LEADER, *unknown[1:]), 900)[0].changes) == MOST_CHANGES


def test_key_of_a_suggestion_is_unique_and_independent_of_the_forces_name() -> None:
    document = force(LEADER, SETTLER, model("Dog"))
    size = judge(document, 0).total - 1
    offers = fixes(document, size)
    assert len({offer.key for offer in offers}) == len(offers) == 2
    renamed = fixes(document | {"name": "Renamed"}, size)
    assert [offer.key for offer in renamed] == [offer.key for offer in offers]
    assert renamed[0].document["name"] == "Renamed"


def test_suggestions_keep_the_rules_that_an_event_adds() -> None:
    plain = force(LEADER, model("Settler", {"name": "Board", "count": 3}), SETTLER)
    brotherhood = Restrictions(factions=("Brotherhood of Steel",))
    commander = force(LEADER, cards=[{"kind": "Leader", "name": "Commander"}])
    for document, adds, *first in (
        (plain, Restrictions(banned=("Board",)), "Take all 3 Board off Settler (model\u00a02)"),
        (plain, Restrictions(most_copies=(("Board", 2),)), "Lower Board on Settler (model\u00a02) from 3 to 2"),
        (plain, Restrictions(same_model=1), "Take out Settler (model\u00a03)"),
        (plain, Restrictions(banned=("Piper",)), "Take out Piper", "Make Settler (model\u00a02) the Leader"),
        (force(model("Eyebot", leader=True)), brotherhood, "Make it a force of Brotherhood of Steel"),
        (commander, Restrictions(banned=("Commander",)), "Take out the Leader card Commander"),
        (force(LEADER | {"heroic": True}, SETTLER), Restrictions(roster_size=1000), "Make Settler the Leader"),
    ):
        size = 100 if adds.roster_size else 750
        assert not judge(document, size, adds=adds).legal
        offers = fixes(document, size, adds=adds)
        assert tuple(first) in [offer.changes for offer in offers]
        assert len(offers[0].changes) == len(first), first
        assert all(judge(offer.document, size, adds=adds).legal for offer in offers)


def every_change(priced_force: PricedForce) -> Iterator[Change]:
    for unit in priced_force.models:
        yield from on_model(priced_force, unit)
        for fewer in range(1, max((item.count for item in unit.items), default=0)):
            yield from lowering(unit, 0, fewer)
        yield leading(priced_force, unit)
    yield from on_cards(priced_force)
    yield from on_faction(priced_force, len(priced_force.models))


def fewest(document: Document, size: int, most: int) -> tuple[int, int] | None:
    """The fewest changes that make a force legal, and the most Caps kept with them; None beyond ``most`` changes."""
    level = [priced(document, Terms(INFO, size))]
    for number in range(1, most + 1):
        changed = (change.apply(priced_force) for priced_force in level for change in every_change(priced_force))
        level = list(
            {
                canonical_text(document_of(priced_force, "")): priced_force
                for priced_force in changed
                if priced_force.models
            }.values()
        )
        totals = [priced_force.total for priced_force in level if CHECKS.verdict(priced_force).legal]
        if totals:
            return number, max(totals)
    return None


def small_force(dice: Random) -> tuple[Document, int]:
    models = [
        model(
            dice.choice(["Piper", "Settler", "Dogmeat", "Dogmeat Scout", "Brute", "Eyebot", "Paladin"]),
            *({
                "name": dice.choice(["Pipe Pistol", "Pipe Pistoll", "Minigun", "Board", "Baseball Grenade"]),
                "mods": dice.choices(["Spiked", "Long Barel", "Long Barrel"], k=dice.choice([0, 0, 1, 2])),
                "count": dice.choice([1, 1, 2, 4]),
            } for _ in range(dice.choice([0, 1, 1, 2]))),
            heroic=dice.random() < 0.3, leader=dice.random() < 0.5,
            leader_card=dice.choice([None, None, "Commander", "Comander"]),
            perks=dice.choices(["Sneak", "Snek", "Medic"], k=dice.choice([0, 0, 1])),
        )
        for _ in range(dice.choice([1, 2, 2, 3]))
    ]  # fmt: skip
    cards = [{"kind": dice.choice(["Quest", "Leader"]), "name": "Commander"}] if dice.random() < 0.15 else []
    document = force(*models, cards=cards, faction=dice.choice([*INFO.factions, "Survivors", "Survivors"]))
    return document, judge(document, 0).total - dice.choice([-500, 0, 0, 1, 20, 60, 120])


@pytest.mark.slow
@pytest.mark.parametrize("batch", full_run(range(5), range(1)))
def test_first_suggestion_needs_the_fewest_changes_and_keeps_the_most_caps(batch: int) -> None:
    dice = Random(batch)
    judged = 0
    while judged < 14:
        document, size = small_force(dice)
        if size < 0 or judge(document, size).legal:
            continue
        best = fewest(document, size, 2)
        offers = fixes(document, size)
        if best is None:
            assert all(len(offer.changes) > 2 for offer in offers)
            continue
        assert offers, document
        assert (len(offers[0].changes), offers[0].total) == best, (document, size, offers[0].changes)
        judged += 1


def test_suggestions_for_thirty_models_take_bounded_time() -> None:
    document = SYSTEM.forces.sample(Terms(INFO, 3000), "Survivors", 2)
    models = list(itertools.islice(itertools.cycle(document["models"]), 30))
    document = force(*[m | {"leader": i == 0} for i, m in enumerate(models)])
    total = judge(document, 0).total
    document["models"][3]["items"].append({"name": "Minigun", "mods": ["Spiked"], "count": 4})
    document["models"][7]["perks"].append("Snek")
    document["models"][9]["leader"] = True
    for size in (total, total // 2):
        started = time.process_time()
        fixes(document, size)
        assert time.process_time() - started < RUN_AWAY, size
