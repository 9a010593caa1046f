"""Rulings of the desk on a group, a group founded again, and the way back of a group that is wiped out."""

from typing import Any

import pytest

from languages.message import worded
from tests.kit.skirmish_groups import character
from tests.validators.skirmish_campaigns import RULES, Table, after_game, downed, fought, founded
from tests.validators.test_fallout_warfare_campaign import ARMY, POINTS, Army
from validators.campaign import Account, Played, StepRefused
from validators.campaign_changes import opened, otherwise, redo
from validators.fallout_skirmish.campaign.ruling import compare
from validators.fallout_warfare.campaign.rules import RULES as RULES_OF_ARMIES
from validators.fallout_warfare.campaign.rules import compare as compare_armies


def ruled(table: Table, **answers: int | str) -> Any:
    """The group after this ruling, whose ledger still adds up."""
    table.step(1, "ruling", {"reason": "A mistake", **answers})
    assert table.history.sums(1) == RULES.balances(table.world.groups[1])
    return table.world.groups[1]


def test_skirmish_group_gains_and_loses_by_a_ruling_with_its_reason() -> None:
    table = founded()
    before = table.world.groups[1]
    group = ruled(table, caps=12, food=3, thing="Jet", copies=2)
    assert (group.caps, group.food, group.stash) == (before.caps + 12, 3, {"Jet": 2})
    group = ruled(table, caps=-12, thing="Nail Board", copies=-1)
    assert (group.caps, group.member("c1").items) == (before.caps, {}), "of a carrier where the stash has none"
    entry = table.history.entries[-1]
    assert {worded(line.why) for line in entry.lines} == {"Ruling: A mistake"}
    assert entry.said == ("Ruling: A mistake.", "−12 Caps.", "−1 Nail Board.")


@pytest.mark.parametrize(
    ("answers", "why"),
    [
        ({"caps": -1000}, "Caps left"),
        ({"food": -1}, "1 food is needed"),
        ({"thing": "Jet"}, "how many"),
        ({"copies": 1}, "Name the thing"),
        ({"thing": "Jet", "copies": -1}, "The group has 0 Jet|has Jet"),
        ({"thing": "Stimpak", "copies": 4}, "3 Stimpaks"),
        ({"name": "Di"}, "Choose the rank"),
        ({"returns": "c1"}, "choose one"),
        ({"caps": 100_000}, "−9999 to 9999"),
    ],
)
def test_ruling_beyond_what_there_is_is_refused(answers: dict[str, Any], why: str) -> None:
    with pytest.raises(StepRefused, match=why):
        ruled(founded(), **answers)


def test_member_leaves_returns_and_joins_by_a_ruling() -> None:
    table = founded()
    group = ruled(table, leaves="c1")
    assert (worded(group.member("c1").gone), group.stash, group.leader) == ("Left by a ruling", {"Nail Board": 1}, "")
    group = ruled(table, returns="c1")
    assert (group.member("c1").gone, group.member("c1").items, group.leader) == ("", {}, "c1")
    group = ruled(table, joins="Green", name="Di")
    assert [a_character.name for a_character in group.characters] == ["Ash", "Bo", "Cy", "Di"]


def test_advance_of_a_level_by_a_ruling_waits_for_the_next_sequence() -> None:
    table = founded()
    xp = ruled(table, **{"xp-c2": 3}).member("c2").xp
    assert xp == 3
    table.play(1, 2)
    assert [offer.fixed["who"] for offer in table.offers(1, "advance")] == ["c2"]


def test_difference_of_another_result_is_a_ruling_that_gives_what_the_group_would_have() -> None:
    table = after_game(phase="experience")
    table.step(1, "reward", {"objective": "1"})
    table.feed(1, "")
    (play,) = (entry.step for entry in table.history.entries if entry.step.kind == "play")
    lost = otherwise(table.history, play.number, {**play.data, "result": "loss"}).groups[1]
    assert compare(table.world.groups[1], lost) == {"caps": -100, "xp-c1": -1}
    none = otherwise(table.history, play.number, None).groups[1]
    group = ruled(table, settles=play.number, **compare(table.world.groups[1], lost))
    assert compare(group, lost) == {}
    won = otherwise(table.history, play.number, play.data).groups[1]
    assert compare(group, won) == {"caps": 100, "xp-c1": 1}, "it takes the place of the ruling"
    assert compare(none, founded().world.groups[1]) == {}, "without the game nothing of its steps is left"


def test_opened_injury_is_redone_with_its_dice() -> None:
    table = downed(character("Veteran", called="Ash"), character("Green", called="Bo"), rolls=(5, 6))
    table.feed(1, "")
    injury = next(entry.step.number for entry in table.history.entries if entry.step.kind == "injury")
    opening = opened(table.history, injury)
    assert opening.history.world.phase(1) == RULES.phases[1]
    assert opening.aside[0].step.rolls[0].results == (5, 6)
    history, done = redo(opening.history, {1}, {})
    assert (history, {redone.why_not for redone in done}) == (table.history, {""})


def wiped_out() -> Table:
    table = after_game()
    for who in ("c1", "c2", "c3"):
        table.step(1, "fought", fought(who, down=1))
    table.until(1, "injuries")
    for who in ("c1", "c2", "c3"):
        table.step(1, "injury", {"who": who}, (1, 1))
    return table


def test_wiped_out_group_hires_recruits_as_long_as_it_has_caps() -> None:
    table = wiped_out()
    table.until(1, "recruits")
    assert table.world.groups[1].characters == ()
    table.step(1, "pool", {}, (1, 2))
    for _ in range(2):
        (offer, *_) = table.offers(1, "recruit")
        table.step(1, "recruit", dict(offer.fixed))
    assert len(table.world.groups[1].characters) == 2
    while lead := table.offers(1, "lead"):
        table.step(1, "lead", dict(lead[0].fixed), seed=1)
    table.until(1, "")
    assert table.world.groups[1].leader in ("c4", "c5")
    table.balanced()


def test_wiped_out_group_without_caps_closes_its_steps_and_is_founded_again() -> None:
    table = wiped_out()
    table.until(1, "income")
    ruled(table, caps=-table.world.groups[1].caps)
    table.until(1, "")
    assert table.world.phase(1) is None
    document = next(entry.step.data["document"] for entry in table.history.entries if entry.step.group == 1)
    table.step(1, "refound", {"document": document, "reason": "Wiped out"}, seed=3)
    group = table.world.groups[1]
    assert [a_character.name for a_character in group.characters] == ["Ash 2", "Bo 2", "Cy 2"]
    assert [worded(member.gone) for member in group.all_members[:3]] == ["Killed"] * 3, "the fallen are remembered"
    assert len(group.turfs) == 3
    assert table.history.sums(1) == RULES.balances(group)
    table.balanced()


def army() -> Army:
    table = Army({"most": "100"})
    table.step(1, "found", {"document": ARMY})
    table.step(2, "found", {"document": ARMY})
    return table


def test_warfare_group_gains_and_loses_by_a_ruling() -> None:
    table = army()
    had = table.world.groups[1]
    table.do("ruling", {"reason": "Miscounted", "more-0-1": -2, "hits-4-0-0": 1, "damage-v0": 1, "xp-4-0-0": 2})
    group = table.world.groups[1]
    assert group.unit("0-1").ready == had.unit("0-1").ready - 2
    assert (group.unit("4-0-0").hits, group.unit("4-0-0").xp, group.unit("v0").damage) == (
        1,
        had.unit("4-0-0").xp + 2,
        1,
    )
    assert table.history.sums(1) == table.world.rules.balances(group)
    table.do("ruling", {"reason": "Miscounted", "more-0-1": 2})
    assert table.world.groups[1].unit("0-1") == had.unit("0-1")
    table.do("ruling", {"reason": "Crashed", "more-v0": -1})
    assert Account("item", "APC") not in table.history.sums(1)
    table.do("ruling", {"reason": "It did not", "more-v0": 1})
    assert table.history.sums(1)[POINTS] == table.world.rules.balances(had)[POINTS]
    with pytest.raises(StepRefused, match="would lose level 3"):
        table.do("ruling", {"reason": "No", "xp-4-0-0": -3})
    with pytest.raises(StepRefused, match="to 0"):
        table.do("ruling", {"reason": "No", "more-0-1": 5})


def test_difference_of_another_result_of_a_battle_is_its_experience() -> None:
    table = army().battle("win", "s0", "s3").to("muster").do("forfeit").do("next")
    (play,) = (entry.step for entry in table.history.entries if entry.step.kind == "play")
    assert Played(**play.data).result == "win"
    lost = otherwise(table.history, play.number, {**play.data, "result": "loss"}).groups[1]
    wanted = compare_armies(table.world.groups[1], lost)
    assert wanted == {"xp-3-0-0": -2}


def test_warfare_group_is_founded_again_with_its_fallen() -> None:
    table = army().battle("loss", "s0").to("muster").do("forfeit").do("next")
    table.do("refound", {"document": ARMY, "reason": "Wiped out"})
    group = table.world.groups[1]
    assert table.history.sums(1) == table.world.rules.balances(group)
    assert table.world.phase(1) == RULES_OF_ARMIES.phases[-1]
    assert sum(unit.alive for unit in group.units) == sum(unit.alive for unit in army().world.groups[1].units)
    fallen = {worded(unit.gone) for unit in group.units if unit.key.endswith(".")}
    assert fallen == {"Left when the group was founded again"}
