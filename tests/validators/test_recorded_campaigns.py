"""Random campaigns of six rounds lead to the groups to which a second ledger of each game agreed after each step."""

import json
from collections import Counter
from typing import Any

import pytest

from tests.kit import armies, skirmish_groups
from tests.validators.played_campaigns import Campaign
from tests.validators.recorded_data import names_of, recorded
from validators.campaign import Account
from validators.fallout_skirmish.campaign.state import Group
from validators.fallout_warfare.campaign.state import Group as Army
from validators.game_system import GameSystem

pytestmark = pytest.mark.slow


def of_group(system: GameSystem, group: Group) -> dict[str, Any]:
    assert system.campaign
    return {
        "caps": group.caps, "clean": group.food, "irradiated": group.irradiated, "stash": dict(group.stash),
        "turfs": group.turfs, "leader": group.leader, "rating": system.campaign.rating(group),
        "gone": sorted(member.key for member in group.all_members if member.gone),
        **{one.key: (one.rank, one.xp, one.level, {what: by for what, by in one.raised.items() if by},
                     sorted(one.perks), sorted(one.injuries), dict(one.items), one.rads, sorted(one.addictions),
                     one.hunger, one.neglect, one.captive) for one in group.all_members if not one.gone},
    }  # fmt: skip


def of_army(system: GameSystem, army: Army) -> dict[str, Any]:
    assert system.campaign
    alive = [unit for unit in army.units if unit.alive]
    counts: Counter[str] = Counter()
    for unit in alive:
        rank = unit.raw["rank"] if unit.of_squad else unit.kind
        counts[f"{unit.raw['name'] if unit.kind != 'mines' else 'Mine'}/{rank}"] += unit.alive
    return {
        "points": system.campaign.balances(army).get(Account("points"), 0),
        "counts": dict(counts),
        "away": sum(unit.away for unit in alive),
        "heroes": {
            unit.key: (unit.level, unit.xp, unit.hits, unit.most_hits, unit.skill_points, unit.skills)
            for unit in alive if unit.kind == "hero"
        },
        "damage": {unit.key: unit.damage for unit in alive if unit.kind == "vehicle"},
        "places": {unit.key: unit.place for unit in alive},
    }  # fmt: skip


@pytest.mark.parametrize("name", names_of("campaign_"))
def test_each_step_leads_to_the_group_that_is_recorded(name: str) -> None:
    kit, figures = (armies, of_army) if "warfare" in name else (skirmish_groups, of_group)
    record = recorded(name)
    names = {int(number): group for number, group in record["names"].items()}
    assert kit.SYSTEM.campaign
    game = Campaign(kit.SYSTEM.campaign, kit.EDITION, names, record["settings"], record["plan"])
    expected: dict[int, dict[str, Any]] = {number: {} for number in names}
    for group, kind, data, rolls, changed in record["steps"]:
        entry = game.step(group, kind, data, [result for _, results in rolls for result in results])
        assert [[roll.sides, list(roll.results)] for roll in entry.step.rolls] == rolls, entry
        expected[group] = {key: value for key, value in (expected[group] | changed).items() if value is not None}
        found = json.loads(json.dumps(figures(kit.SYSTEM, game.world.groups[group])))
        assert found == expected[group], entry
