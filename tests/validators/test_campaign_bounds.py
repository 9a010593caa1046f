"""Bounds of campaign steps: the place of a battle, the last battle, and the figures that a step says it counts."""

from dataclasses import asdict
from typing import Any

import pytest

from languages.message import worded
from tests.kit.skirmish_groups import character
from tests.validators.skirmish_campaigns import after_game, fought, founded
from tests.validators.test_fallout_warfare_campaign import Army, on_map
from validators.campaign import Dice, Played, RollNeeded, Step, StepRefused
from validators.campaign_history import apply_step
from validators.fallout_warfare.campaign.rules import RULES


def battle(*, home: bool = False, result: str = "win", **more: Any) -> Army:
    """A battle on a map whose steps begin under the rule that the winner names the place."""
    both = on_map(most="100")
    for group in (1, 2):
        both.do("next", group=group).do("muster", {"in-s0": 1}, group).do("next", group=group)
    other = {"win": "loss", "loss": "win", "draw": "draw"}[result]
    for group, opponent, how, first in ((1, 2, result, home), (2, 1, other, not home)):
        game = Played(1, 1, how, opponent, "skirmish", home=first, winner_names=True, **more)  # type: ignore[arg-type]
        both.do("play", asdict(game), group)
    return both


def test_winner_names_the_place_before_its_phase_ends_and_the_loser_cannot_skip_it() -> None:
    both = battle()
    assert "hold" in [offer.kind for offer in both.offers(1)], "though the loser is named first"
    assert "hold" not in [offer.kind for offer in both.offers(2)]
    with pytest.raises(StepRefused, match="Still to do: Place of the battle"):
        both.do("next")
    both.to_phase(2, "moves")
    with pytest.raises(StepRefused, match="Lost Hills names the place of the battle first"):
        both.do("next", group=2)
    assert RULES.hint(both.world, 2) == "Lost Hills names the place of the battle."
    both.do("hold", {"place": "A"}).do("next").do("next", group=2)


def test_group_named_first_names_the_place_after_a_draw() -> None:
    both = battle(result="draw", home=True)
    assert ["hold" in [offer.kind for offer in both.offers(group)] for group in (1, 2)] == [True, False]


def test_desk_names_the_place_by_a_ruling() -> None:
    both = battle().do("ruling", {"reason": "The winner is away", "place": "B"}, 2)
    assert both.world.shared.holders["B"] == 1, "the winner holds it"
    assert "place" not in [ask.key for ask in RULES.rulings(both.world, 1)]
    both.do("next")


def test_no_muster_is_asked_when_no_game_is_left() -> None:
    both = battle(last=True).do("hold", {"place": "A"})
    while both.world.phase(1):
        assert "forfeit" not in [offer.kind for offer in both.offers(1)]
        both.do("next")
    assert both.world.groups[1].decision == ""


def test_several_who_went_down_are_recorded_and_rolled_at_once() -> None:
    table = after_game()
    assert "Tick who went down" in table.refused(1, "downed", {})
    table.step(1, "downed", {"down-c1": 1, "down-c3": 1})
    assert " ".join(table.history.entries[-1].said) == "Down to zero wounds: Ash, Cy."
    assert [offer.fixed["who"] for offer in table.offers(1, "fought")] == ["c2"]
    table.until(1, "injuries")
    (offer, *_) = table.offers(1, "injury")
    assert (offer.title, offer.dice) == ("All who went down", "4D12")
    with pytest.raises(RollNeeded, match="Injury of Ash, Cy, two dice each in this order: roll 4D12"):
        apply_step(table.world, Step(0, 1, "injury", {"who": "all"}), Dice(given=()))
    table.step(1, "injury", {"who": "all"}, (5, 6, 12, 12))
    assert table.history.entries[-1].said == ("Ash: 11, Scarred.", "Cy: 24, Full Recovery.")
    table.until(1, "experience")
    assert [table.member(who).injuries for who in ("c1", "c3")] == [("scar",), ()]


def test_dice_that_are_rolled_again_say_why() -> None:
    table = founded(character("Veteran", called="Ash"), character("Green", called="Cy"))
    table.set_member("c2", raised={"I": 10})
    table.play(1, 2)
    table.step(1, "fought", fought("c2", other=2))
    table.until(1, "injuries")
    table.step(1, "next")
    with pytest.raises(RollNeeded) as needed:
        apply_step(table.world, Step(0, 1, "advance", {"who": "c2"}), Dice(given=(2, 3)))
    assert tuple(map(worded, needed.value.said)) == ("Cy: 5 cannot be gained, so the dice are rolled again.",)


def test_carried_things_are_sold_without_handing_them_over_first() -> None:
    table = after_game(phase="income")
    table.set(caps=0, food=0)
    table.until(1, "upkeep")
    (offer,) = table.offers(1, "sell")
    assert ("c1:Nail Board", "Nail Board of Ash: 10 Caps before bartering") in offer.asks[0].choices
    table.step(1, "sell", {"item": "c1:Nail Board"}, (3, 3))
    assert table.member("c1").items == {}
    assert table.amount("item", "Nail Board") == 0
