"""Dice of the service are the same in every way to ask, and a step keeps its dice and answers once they were seen."""

from dataclasses import replace
from itertools import permutations
from random import Random
from typing import Any

import pytest
from flask import Flask

from events.seasons.campaign_actions import newest_step
from models.campaign import CampaignStep
from models.play import Absent, Player
from tests.kit.people import Links, browser
from tests.kit.person import Person
from tests.kit.skirmish_groups import character
from tests.kit.stage import Stage
from tests.seasons.earning import EARNING, Table, campaign_of, earning, history, playing
from tests.seasons.test_pages import AT, begun, field_of, start
from tests.validators import skirmish_campaigns as skirmish
from tests.validators.played_campaigns import answers
from validators.campaign import Applied, Dice, Roll, Step, StepRefused, World
from validators.campaign_history import apply_step, seed_of
from validators.fallout_skirmish.campaign.tables import TURFS

__all__ = ["earning", "start"]
GROUPS = 200
ROLL = "Roll: roll 1D6 for each place for me"
Taken = tuple[str, tuple[Roll, ...]]
RICH = (
    character("Veteran", "Nail Board", called="Ash"), character("Green", "Knife", called="Bo"),
    character("Green", "Hunting Rifle", called="Cy"), character("Green", "Pipe Pistol", called="Di"),
)  # fmt: skip
STASHES: tuple[dict[str, int], ...] = (
    {},
    {"Stimpak": 3},
    {"Mentats": 1, "Stimpak": 3},
    {"Nuka Grenade schematics": 1, "RadAway": 2},
)


def rolled(table: skirmish.Table, secret: int, kind: str, asked: tuple[str, ...], **answers: Any) -> None:
    """Take the steps of these characters in this order, with the dice of the service."""
    for who in asked:
        seed = seed_of(b"%d" % secret, 1, table.history.chance(1, kind, who))
        table.step(1, kind, {"who": who, **answers}, seed=seed)


def result(table: skirmish.Table, steps: int) -> set[Taken]:
    return {(str(entry.step.data["who"]), entry.step.rolls) for entry in table.history.entries[steps:]}


@pytest.mark.proves("attack 76")
def test_every_order_of_asking_gives_one_result_for_each_group() -> None:
    different = set[frozenset[Taken]]()
    injured = skirmish.after_game()
    injured.step(1, "downed", {"down-c1": 1, "down-c2": 1, "down-c3": 1})
    injured.until(1, "injuries")
    home = skirmish.after_game(phase="income")
    for table, kind in ((injured, "injury"), (home, "scavenge")):
        start, steps = table.history, len(table.history.entries)
        (together,) = [offer for offer in table.offers(1, kind) if offer.each]
        for group in range(GROUPS):
            found = set[frozenset[Taken]]()
            for asked in (together.each, *permutations(together.each)):
                table.history = start
                rolled(table, group, kind, asked)
                found.add(frozenset(result(table, steps)))
            assert len(found) == 1, "the order of asking chooses no dice"
            different |= found
    assert len(different) > GROUPS


@pytest.mark.proves("attack 76")
def test_errand_of_one_does_not_change_the_dice_of_others() -> None:
    table = skirmish.after_game(phase="income")
    start, steps = table.history, len(table.history.entries)
    found = set[frozenset[Taken]]()
    for order in permutations((("turf", ("c1",)), ("scavenge", ("c2",)), ("scavenge", ("c3",)))):
        table.history = start
        for kind, asked in order:
            rolled(table, 7, kind, asked, **({"turf": 0} if kind == "turf" else {}))
        found.add(frozenset(result(table, steps)))
    assert len(found) == 1


def test_dice_for_all_groups_are_the_same_whoever_asks_and_each_game_has_its_own() -> None:
    table = skirmish.after_game()
    table.play(2, 1, result="loss")
    about = [table.history.chance(group, "pool", "") for group in (1, 2)]
    assert about[0] == about[1] == ["pool", 1]
    assert table.history.chance(1, "lead", "") != table.history.chance(2, "lead", "")
    before = table.history.chance(1, "lead", "")
    table.until(1, "upkeep")
    table.step(1, "upkeep")
    table.until(1, "")
    table.play(1, 2, round_=2)
    assert table.history.chance(1, "lead", "") != before
    assert seed_of(b"one", 1, before) != seed_of(b"two", 1, before), "nobody knows it without the secret"


@pytest.mark.proves("attack 76")
def test_player_rolls_for_all_and_cannot_ask_again_one_by_one(stage: Stage, app: Flask, link_of: Links) -> None:
    event = stage.event(game="fallout_skirmish", size=500)
    game, *_ = campaign_of(stage, event, "Ada", "Bo")
    stage.no_show(event, game, Absent.B)
    player = browser(app, link_of, stage.one(Player, id=game.a_id))
    player.open(f"{AT}/me/campaign")
    page = player.press("Begin the steps")
    assert page.part("h1") == "Scavenging and turfs"
    alone, before = [str(tag["value"]) for tag in page.soup.select("#offers button[name='offer']")][1:], player.page
    page = player.press("Scavenge: roll D12 each for me")
    kept = stage.all(CampaignStep, kind="scavenge")
    assert len(kept) > 1, "a step for each character"
    dice = {row.data["who"]: row.rolls for row in kept}
    page = player.press("Undo the last step")
    assert page.flashes == "Set aside. Its dice were seen: redo it as it was."
    assert not page.soup.select("#offers button[name='offer'], #aside button[formaction]"), "nothing else can be done"
    for mark in alone:
        player.page = before
        seen = str(newest_step(history(stage, event), stage.one(Player, id=game.a_id)))
        player.forge("Scavenge: roll D12 each for me", offer=mark, seen=seen, key=f"another-key-of-24-{mark}")
    assert len(stage.all(CampaignStep, kind="scavenge")) == len(kept)
    player.open(f"{AT}/me/campaign")
    player.press("Redo them in order")
    assert {row.data["who"]: row.rolls for row in stage.all(CampaignStep, kind="scavenge")} == dice


@pytest.mark.proves("attack 76")
def test_dice_for_all_groups_are_typed_at_the_desk_alone(stage: Stage, start: Any, olga: Person) -> None:
    with playing(replace(EARNING, for_all=("earn",))):
        event, (ada, _) = start()
        begun(stage, event, ada)
        assert "Type what we rolled" not in ada.page.text and ROLL in ada.page.text
        sent = {field_of(ada, "places"): "1", "rolled": "6"}
        mark = ada.page.soup.find("button", string=ROLL)["value"]
        with stage.unchanged():
            page = ada.forge(ROLL, offer=None, typed=mark, **sent)
            assert page.flashes == "These dice are for all groups: the service rolls them, or the desk types them."
            asked = ada.open(f"{AT}/me/campaign?typed={mark}&{field_of(ada, 'places')}=1")
            assert asked.flashes == page.flashes
        player = stage.one(Player, name="Ada")
        olga.open(f"{AT}/desk/campaign/{player.id}")
        olga.press("Type what we rolled", **{field_of(olga, "places"): "1"})
        olga.press("Save the dice", **{"die-0": "4"})
        (row,) = stage.all(CampaignStep, kind="earn")
        assert row.typed and "typed" in ada.open(f"{AT}/me/campaign").part("#done")
        assert "Dice typed" in stage.journal(event, "campaign-step")[-1]


@pytest.mark.proves("attack 76")
@pytest.mark.usefixtures("earning")
def test_step_whose_dice_were_seen_keeps_them_with_its_answers(stage: Stage, start: Any, olga: Person) -> None:
    event, (ada, _) = start()
    begun(stage, event, ada)
    before, places, caps = ada.page, field_of(ada, "places"), field_of(ada, "caps")
    ada.press(ROLL, **{places: "1"})
    (row,) = stage.all(CampaignStep, kind="earn")
    ada.press("Undo the last step")
    aside = str(row.number)
    ways: tuple[tuple[str, dict[str, str]], ...] = (
        (ROLL, {places: "2"}),
        ("Type what we rolled", {places: "1"}),
        ("Give", {caps: "3"}),
        ("Next phase", {}),
        ("Leave out the first", {"aside": aside}),
        ("Leave out all", {"aside": aside, "reason": "I am the desk"}),
    )
    player = stage.one(Player, name="Ada")
    with stage.unchanged():
        ada.post(f"{AT}/me/campaign/undo", seen=str(newest_step(history(stage, event), player)))
    for button, fields in ways:
        with stage.unchanged():
            if button.startswith("Leave"):
                verb = "leave-rest" if button.endswith("all") else "leave-out"
                ada.post(f"{AT}/me/campaign/{verb}", **fields)
            else:
                ada.page = before
                ada.forge(button, seen=str(newest_step(history(stage, event), player)), **fields)
    assert "Only the desk can leave it out" in ada.open(f"{AT}/me/campaign").part(".bar.stays")
    page = ada.press("Redo them in order")
    (again,) = stage.all(CampaignStep, kind="earn")
    assert (again.data, again.rolls, again.seed) == (row.data, row.rolls, row.seed)
    assert "taken again after a seen roll" in page.part("#done")
    desk = olga.open(f"{AT}/desk/campaign")
    assert "1 step" in desk.part("#retaken")
    assert "taken again after a seen roll" in olga.open(f"{AT}/campaign/groups/{player.id}").part("#ledger")


@pytest.mark.usefixtures("earning")
def test_desk_leaves_out_a_seen_roll_with_a_reason_and_the_dice_stay(stage: Stage, start: Any, olga: Person) -> None:
    event, (ada, _) = start()
    begun(stage, event, ada)
    ada.press(ROLL, **{field_of(ada, "places"): "1"})
    (row,) = stage.all(CampaignStep, kind="earn")
    rolls = row.rolls
    ada.press("Undo the last step")
    olga.open(f"{AT}/desk/campaign/{row.player_id}")
    olga.press("Leave out the first", reason="Meant both places")
    ada.open(f"{AT}/me/campaign")
    page = ada.press(ROLL, **{field_of(ada, "places"): "2"})
    (again,) = stage.all(CampaignStep, kind="earn")
    assert again.rolls[:1] == rolls, "the same dice, with the new answers"
    assert "The desk’s reason: Meant both places." in page.part("#done")
    assert "taken again after a seen roll" in page.part("#done")


@pytest.mark.usefixtures("earning")
def test_steps_are_not_closed_while_a_seen_roll_is_set_aside(stage: Stage) -> None:
    table = Table(stage)
    name, _ = table.decide_first_game()
    table.begin(name)
    table.take(name, "earn", {"places": 1}, Dice(3))
    table.undo(name)
    with playing(replace(EARNING, apply=_without_finds)):
        table.leave(name)
        stage.refuse_to("Redo first", table.leave, name)


def _without_finds(world: World, group: int, kind: str, data: Any, dice: Dice) -> Applied:
    raise StepRefused("Nothing can be found any more.")


def test_step_refused_after_its_dice_were_rolled_shows_none_of_them() -> None:
    """A refusal is no way to see dice: every answer is checked before the service rolls."""
    refused, rolled_for = list[str](), set[str]()
    for seed in range(40):
        chance = Random(seed)
        table = skirmish.after_game(*RICH, turfs=tuple(chance.sample(sorted(TURFS), 4)))
        for phase in ("game", "experience", "income", "trade"):
            table.feed(1, phase) if phase == "trade" else table.until(1, phase)
            table.set(caps=chance.choice((0, 5, 30, 200)), stash=chance.choice(STASHES))
            for offer in 5 * [an_offer for an_offer in table.offers(1) if an_offer.dice]:
                dice, step = Dice(chance.getrandbits(40)), Step(0, 1, offer.kind, answers(offer, chance))
                try:
                    apply_step(table.world, step, dice)
                except StepRefused as why:
                    refused += [f"{offer.kind} {step.data}: {why.message}"] if dice.rolled else []
                rolled_for |= {offer.kind} if dice.rolled else set()
    assert refused == []
    assert rolled_for >= {"scavenge", "turf", "search", "reward", "visit"}
