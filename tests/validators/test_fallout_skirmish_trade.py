"""The Fallout Skirmish campaign: rewards, recruits, traders, the doctor, custom weapons, equipment."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from tests.kit.skirmish_groups import EDITION, SYSTEM, TERMS, character, group
from tests.validators.skirmish_campaigns import RULES, THREE, Table, after_game, fought, founded, founded_by, sample
from validators.contract import Terms
from validators.fallout_skirmish.campaign.tables import barter_price


def trading(*models: dict[str, Any], stash: dict[str, int] | None = None, caps: int = 400, **more: Any) -> Table:
    """A group in the phase of traders, with this stash and these Caps."""
    table = after_game(*models, phase="upkeep", **more)
    table.set(caps=caps + 100, stash=stash or {})
    table.step(1, "upkeep")
    table.set(caps=caps)
    table.until(1, "trade")
    return table


def claimed(objective: int, rolls: list[int] | None = None, **more: Any) -> Table:
    table = after_game(phase="experience", **more)
    table.step(1, "reward", {"objective": str(objective)}, rolls or [])
    return table


def test_reward_with_a_choice_is_taken_before_the_next_phase() -> None:
    assert claimed(5).refused(1, "next") == "Still to do: Economics of Violence: a weapon of the own list (Take)."
    free = claimed(12)
    free.step(1, "claim", {"what": "c1"}, [6, 6])
    free.until(1, "income")
    assert len(free.offers(1, "scavenge")) == 4, "the free roll is no errand"


@pytest.mark.parametrize(
    ("result", "points", "claims"),
    [("win", (0, 0), True), ("loss", (9, 9), False), ("draw", (5, 5), True), ("draw", (4, 4), False)],
)
def test_reward_goes_to_the_winner_or_to_both_with_five_points(
    result: str, points: tuple[int, int], claims: bool
) -> None:
    table = founded()
    table.play(1, 2, result=result, points=points[0], opponent_points=points[1])
    table.until(1, "experience")
    assert bool(table.offers(1, "reward")) == claims


def test_forfeited_game_brings_neither_experience_nor_a_reward() -> None:
    table = founded()
    table.play(1, 2, fought=False)
    assert table.world.phase(1) == RULES.phases[3], "income"
    assert table.member("c1").xp == 50
    table.balanced()


def test_group_of_the_lowest_rating_chooses_recruits_first() -> None:
    def hints() -> list[str]:
        return [RULES.hint(table.world, number) for number in (1, 2)]

    table = founded(character("Veteran"))
    table.play(1, 2)
    table.play(2, 1, result="loss")
    for number in (2, 1):
        table.set(number, caps=400)
        table.feed(number, "recruits")
    free = "Going on hires nobody more."
    table.step(2, "pool", {}, [1, 12])
    kept = "Kept for Knives, who choose first by a lower rating, until past this phase: Veteran, Green."
    assert hints() == [free, kept]
    assert not table.offers(2, "recruit")
    assert [offer.title for offer in table.offers(1, "recruit")] == ["Veteran", "Green"]
    table.step(1, "recruit", {"rank": 2, "name": "Ada"})
    assert (table.member("c2").name, table.member("c2").xp, table.member("c2").items) == ("Ada", 50, {"Knife": 1})
    assert not table.offers(2, "recruit")
    table.step(1, "next")
    assert [offer.fixed for offer in table.offers(2, "recruit")] == [{"rank": 0}]
    assert hints()[1] == free
    assert RULES.tables(table.world)[0].rows == (("Veteran", "Knives"), ("Green", ""))


def test_no_veteran_is_kept_for_vault_residents() -> None:
    vault = group("Vault Residents", character("Overseer"), turfs=THREE)
    table = founded_by(vault, sample("Talon Company"), sample("Regulators"))
    for number in (1, 2):
        table.play(number, 3 - number)
        table.set(number, caps=400)
        table.feed(number, "recruits")
    table.step(2, "pool", {}, [1, 12, 12])
    assert RULES.tables(table.world)[0].rows == (("Veteran", ""), ("2 × Green", "")), "equal recruits share a row"
    assert [offer.fixed for offer in table.offers(2, "recruit")] == [{"rank": 2}]
    table.step(1, "recruit", {"rank": 0})
    table.step(1, "recruit", {"rank": 0})


@pytest.mark.parametrize(("faction", "turf"), [("Raiders", "Bar"), ("Super Mutants", "Super-Duper Mart")])
def test_suggested_upkeep_is_never_refused(faction: str, turf: str) -> None:
    random, table = (
        Random(1),
        founded_by(*(sample(text, 3, (turf, "Bar", "Bar")) for text in (faction, "Talon Company"))),
    )
    table.play(1, 2)
    table.until(1, "upkeep")
    start = table.world
    for _ in range(100):
        table.world = start
        after, irradiated = start.groups[1].aftermath, random.choice([0, random.randint(1, 12)])
        done = random.choice([(), (), ("half",)])
        table.set(caps=random.randint(0, 90), food=random.randint(0, 12), irradiated=irradiated,
             aftermath=replace(after, done=done, meals=random.randint(0, 2)))  # fmt: skip
        table.step(1, "upkeep", table.suggested("upkeep"))


def test_caps_left_over_by_maintenance_buy_food() -> None:
    table = after_game(phase="upkeep")
    table.set(caps=13)
    table.step(1, "upkeep", table.suggested("upkeep"))
    assert [(member.neglect, member.hunger) for member in table.world.groups[1].all_members] == [(0, 0), (0, 1), (1, 1)]


def test_food_is_sold_before_a_group_without_caps_is_fed_and_afterwards() -> None:
    table = after_game(phase="upkeep")
    table.set(caps=0, food=8)
    table.step(1, "sell_food", {"food": 5})
    assert (table.amount("caps"), table.amount("food")) == (15, 3)
    assert not table.offers(1, "sell_food"), "the Caps are enough now"
    table.step(1, "upkeep")
    assert table.amount("caps") == table.amount("food") == 0
    table.set(food=2, irradiated=2)
    table.step(1, "sell_food", {"irradiated": 1, "food": 2})
    table.step(1, "sell_food", {"food": 1})
    assert (table.amount("food"), table.world.groups[1].irradiated, table.amount("caps")) == (1, 0, 3 * 3)


def test_example_of_bartering() -> None:
    """A Combat Shotgun of 30 Caps, 7 for rarity; 4 + 5 against 3 + 4; 33 Caps in the end."""
    assert barter_price(30 + 7, 2, 4 + 5, 3 + 4) == 33
    table = trading(character("Veteran", called="Ash"), merchant="4")
    table.set_members(injuries=("scar", "scar"))  # the perk Leader, which the example leaves out, adds 1
    table.step(1, "visit", {"merchant": "fixed"})
    entry = table.step(1, "barter", {"ware": "Combat Shotgun"}, [7, 4, 3])
    assert entry.said == ("Combat Shotgun: 37 Caps before bartering, 4 + 5 against 3 + 4, 33 Caps.",)
    table.step(1, "buy", {"ware": "Combat Shotgun"})
    assert (table.amount("caps"), table.world.groups[1].stash) == (400 - 33, {"Combat Shotgun": 1})
    assert not table.offers(1, "buy") + table.offers(1, "barter"), "one thing, without company"


def test_sleeping_perk_master_trader_does_not_help_to_barter() -> None:
    for injuries, price in (((), 19), (("scar",), 21)):
        table = trading(character("Veteran"))
        table.set_members(perks=("Master Trader",), injuries=injuries)
        table.step(1, "visit", {"merchant": "fixed"})
        table.step(1, "barter", {"ware": "Leather Armor"}, [4, 2])
        assert table.world.groups[1].aftermath.quotes == {"Leather Armor": price}


def test_caravan_must_be_found_before_bartering() -> None:
    table = trading(character("Veteran"))
    assert table.step(1, "visit", {"merchant": "harith"}, [5]).said[0].endswith("5 + 6 = 11, 12 needed.")
    assert not table.offers(1, "barter") + table.offers(1, "visit")
    found = trading(character("Veteran"))
    found.step(1, "visit", {"merchant": "harith"}, [6])
    entry = found.step(1, "barter", {"ware": "Gatling Laser"}, [12, 12, 12, 1, 6])
    assert entry.said == ("Gatling Laser: 156 Caps before bartering, 1 + 7 against 6 + 8, 180 Caps.",)
    found.step(1, "barter", {"ware": "Pulse Grenade"}, [1, 6, 1])
    assert len(found.offers(1, "buy")) == 2, "a price need not be paid"


def test_each_companion_without_an_errand_buys_one_thing_more() -> None:
    table = after_game(phase="income")
    table.set(caps=300)
    table.step(1, "scavenge", {"who": "c3"}, [10, 6])
    table.feed(1, "trade")
    (offer,) = table.offers(1, "visit")
    assert offer.asks[1].most == 1
    table.step(1, "visit", {"merchant": "fixed", "along": 1})
    assert table.world.groups[1].aftermath.purchases == 2


def test_group_sells_equipment_before_it_is_fed_only_without_caps() -> None:
    table = after_game(phase="upkeep")
    table.set(caps=24, stash={"Knife": 1})
    assert not table.offers(1, "sell")
    table.set(caps=23)
    table.step(1, "sell", {"item": "Knife"}, [1, 6])
    assert (table.amount("caps"), table.amount("item", "Knife")) == (24, 1), "1 Cap at least; another is carried"
    mutants = after_game(character("Master"), faction="Super Mutants", phase="upkeep")
    mutants.set(caps=0, food=1, stash={"Knife": 1})
    assert mutants.offers(1, "sell_food")
    assert not mutants.offers(1, "sell"), "they visit no traders (11.5.2)"


def test_merchant_asks_the_price_of_his_own_table() -> None:
    table = trading(character("Veteran"))
    table.step(1, "visit", {"merchant": "crow"}, [12])
    (offer,) = table.offers(1, "barter")
    assert dict(offer.asks[0].choices)["Combat Armor"] == "Combat Armor: 40 Caps + 2D12", "chapter 12 says 30"


def test_super_mutants_search_buildings_instead_of_trading() -> None:
    table = trading(character("Master"), character("Super Mutant", count=2), faction="Super Mutants")
    assert not table.offers(1, "visit")
    assert table.refused(1, "building", {"who": "c1", "with": "c1"}) == "Choose two Super Mutants."
    table.step(1, "building", {"who": "c1", "with": "c2"}, [1, 1])
    assert [c.rank for c in table.world.groups[1].present_members][-1] == "Centaur"
    assert not table.offers(1, "building"), "one is left"
    table.set(stash={"Leather Armor": 1})
    assert table.refused(1, "hand", {"what": ":Leather Armor", "to": "c1"}) == "Super Mutants never wear armour."


def patients(table: Table) -> list[str]:
    """The characters whom the doctor may heal, each with the ailment."""
    return [what for what, _ in table.offers(1, "doctor")[0].asks[0].choices]


def test_doctor_heals_one_character_without_another_errand() -> None:
    table = trading(character("Veteran"), character("Green", called="Bo"))
    table.set_members(injuries=("eye", "eye"), rads=7)
    table.step(1, "doctor", {"what": "c2:eye"})
    assert (table.amount("caps"), table.member("c2").injuries) == (325, ("eye",)), "no longer blind"
    assert not table.offers(1, "doctor")
    assert table.offers(1, "visit")[0].asks[0].key == "merchant"
    assert len(table.offers(1, "visit")[0].asks) == 1, "nobody is left to come along"


def test_visitor_of_a_turf_may_see_the_doctor_and_scavenger_may_not() -> None:
    table = after_game(phase="income")
    table.set_member("c2", rads=3)
    table.set(caps=400)
    table.step(1, "turf", {"turf": 0, "who": "c2"}, [1])
    table.feed(1, "trade")
    (visit,) = table.offers(1, "visit")
    assert [ask.default for ask in visit.asks if ask.key == "along"] == [1], "no patient is to stay at home"
    assert "doctor" not in visit.about
    table = after_game(phase="income")
    table.set_members(rads=3)
    table.set(caps=400)
    table.step(1, "turf", {"turf": 0, "who": "c2"}, [1])
    table.step(1, "scavenge", {"who": "c3"}, [10, 1])
    table.feed(1, "trade")
    assert patients(table) == ["c1:rads", "c2:rads"]
    table.step(1, "visit", {"merchant": "fixed"})
    table.step(1, "doctor", {"what": "c2:rads"})


def test_builder_of_a_weapon_does_not_see_the_doctor() -> None:
    for roll in (1, 12):
        table = trading(stash={"Dart Gun schematics": 1, "Dart Gun requirements": 1})
        table.set_members(rads=3)
        table.step(1, "build", {"weapon": "Dart Gun", "who": "c2"}, [roll])
        assert patients(table) == ["c1:rads", "c3:rads"]


def test_blind_character_may_see_the_doctor_when_all_others_went_along() -> None:
    table = trading()
    table.set_member("c2", rads=3)
    table.set_member("c3", injuries=("eye", "eye"))
    table.step(1, "visit", {"merchant": "fixed", "along": 1})
    assert patients(table) == ["c3:eye"]


def test_example_of_johnny_q() -> None:
    """With Intelligence 6 and Luck 5 he builds a Dart Gun on a D12 of 6 or less."""
    parts = {"Dart Gun requirements": 1, "Dart Gun schematics": 1}
    for roll, left in ((6, "Dart Gun"), (7, "Dart Gun requirements"), (9, "Dart Gun requirements"), (10, "")):
        table = trading(character("Experienced", called="Johnny Q"), stash=parts)
        table.set_members(raised={"I": 1})
        assert "6 or less" in table.offers(1, "build")[0].asks[0].choices[0][1]
        table.step(1, "build", {"weapon": "Dart Gun", "who": "c1"}, [roll])
        assert table.world.groups[1].stash == {"Dart Gun schematics": 1} | ({left: 1} if left else {}), roll
        assert not table.offers(1, "build"), "once after each game"


def test_doctors_bag_heals_all_but_eyes_and_radaway_removes_ten_rads() -> None:
    table = trading(character("Veteran"), stash={"Doctor’s Bag": 1, "RadAway": 1})
    table.set_members(injuries=("eye", "arm"), rads=13)
    assert [value for value, _ in table.offers(1, "bag")[0].asks[0].choices] == ["c1:arm"]
    table.step(1, "bag", {"what": "c1:arm"})
    table.step(1, "radaway", {"who": "c1"})
    assert (table.member("c1").rads, table.world.groups[1].stash) == (3, {})


def test_item_that_a_character_may_not_carry_is_not_handed_over() -> None:
    table = trading(
        character("Commander", "Combat Armor"), character("Merc", "Combat Armor", count=3), faction="Talon Company",
        stash={"Minigun": 1, "Metal Armor": 1, "Knife": 1},
    )  # fmt: skip
    assert table.refused(1, "hand", {"what": ":Minigun", "to": "c1"}).startswith("Commander 1 carries a Minigun")
    assert "1 can be worn" in table.refused(1, "hand", {"what": ":Metal Armor", "to": "c1"})
    table.step(1, "hand", {"what": ":Knife", "to": "c2"})
    assert table.member("c2").items == {"Combat Armor": 1, "Knife": 1}


def test_excess_big_guns_after_losses_must_go_into_the_stash() -> None:
    table = trading(character("Veteran", "Flamer", called="Ash"), character("Green", count=4))
    table.set(all_members=table.world.groups[1].all_members[:4])
    table.until(1, "gear")
    assert table.refused(1, "next").startswith("1 Big Gun, 0 allowed")
    table.step(1, "hand", {"what": "c1:Flamer", "to": ""})
    table.step(1, "next")


def test_grown_group_is_legal_only_as_a_campaign_group() -> None:
    table = trading(character("Veteran"), stash={"Lucky Baseball Cap": 1, "Dart Gun": 1, "Combat Armor": 1})
    table.set_members(perks=("Ninja",), injuries=("scar",))
    for item in ("Lucky Baseball Cap", "Dart Gun", "Combat Armor"):
        table.step(1, "hand", {"what": f":{item}", "to": "c1"})
    document = RULES.document(table.world.groups[1])

    assert not SYSTEM.checks.check(document, TERMS).legal
    assert SYSTEM.checks.check(document, Terms(EDITION, 500, grown=True)).legal
    assert table.world.groups[1].profile(table.member("c1"))["L"] == 7


def against_regulators(*models: dict[str, Any]) -> Table:
    """Raiders after a game that they lost against Regulators."""
    table = founded(*models, other="Regulators")
    table.play(1, 2, result="loss")
    table.play(2, 1)
    return table


def test_captive_of_the_regulators_misses_a_game() -> None:
    table = against_regulators(character("Veteran", called="Ash"))
    table.step(1, "fought", fought(locked=1))
    table.step(2, "captured", {"captured": 1})
    assert table.member("c1").captive
    table.until(1, "income")
    assert not table.offers(1, "scavenge")
    table.feed(1, "")
    table.play(1, 2, round_=2)
    assert table.refused(1, "fought", fought()) == "Ash could not take part: locked up."


def test_captive_who_dies_still_counts_as_captured() -> None:
    table = against_regulators(character("Veteran", called="Ash"), character("Green", called="Bo"))
    for key in ("c1", "c2"):
        table.step(1, "fought", fought(key, down=1, locked=1))
    table.until(1, "injuries")
    table.step(1, "injury", {"who": "c1"}, [12, 12])
    table.step(1, "injury", {"who": "c2"}, [1, 1])
    table.step(1, "next")
    before = table.world.groups[2].caps
    table.step(2, "captured", {"captured": 2})
    assert table.world.groups[2].caps == before + 50
