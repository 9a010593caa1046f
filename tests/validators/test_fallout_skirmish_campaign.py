"""The Fallout Skirmish campaign: founding, games, injuries, experience, income and upkeep (rulebook, 9 and 10)."""

from dataclasses import replace
from typing import Any

import pytest

from languages.message import worded
from tests.kit.skirmish_groups import EDITION, RAIDERS, character, group
from tests.validators.skirmish_campaigns import GREENS, RULES, THREE, Table, after_game, downed, fought, founded
from validators.campaign import Dice, Step, StepRefused
from validators.campaign_history import apply_step
from validators.fallout_skirmish.campaign.tables import TURFS


def test_example_of_a_rating_of_815() -> None:
    table = founded(*RAIDERS)
    assert RULES.rating(table.world.groups[1]) == 815
    assert table.amount("caps") == 10
    table.balanced()


def test_turfs_are_rolled_or_taken_from_the_list() -> None:
    dice = [1, 1, 12, 12, 4, 4]
    for setting, turfs in (("roll", THREE), ("list", ())):
        rolled = Table({1: "Knives"}, first_turfs=setting)
        entry = rolled.step(1, "found", {"document": group("Raiders", *GREENS, turfs=turfs)}, dice)
        assert "Turfs rolled by the service: Scrapyard, Nuka Cola Plant, Bar." in entry.said
        assert rolled.world.groups[1].turfs == ("Scrapyard", "Nuka Cola Plant", "Bar"), "not those of the list"
        assert [worded(roll.why) for roll in entry.step.rolls] == ["Turf 1", "Turf 2", "Turf 3"]
    named = Table({1: "Knives"}).step(1, "found", {"document": group("Raiders", *GREENS, turfs=THREE)})
    assert "Turfs as the list names them: " in " ".join(named.said)


def test_group_may_spend_as_many_caps_as_the_size_of_the_event() -> None:
    dear = group("Raiders", character("Veteran", "Missile Launcher", "Flamer", count=3), turfs=THREE)
    for size in (0, 500):
        table = Table({1: "Knives"})
        table.world = replace(table.world, size=size)
        refused = table.refused(1, "found", {"document": dear})
        assert refused == "The group costs 690 Caps, and 500 are there to spend."
    table.world = replace(table.world, size=690)
    table.step(1, "found", {"document": dear})
    assert table.amount("caps") == 0


def test_group_without_a_marked_leader_is_led_by_the_most_charismatic_by_lot() -> None:
    veterans = [character("Veteran", leader=False)] * 2
    table = Table({1: "Knives"})
    table.step(1, "found", {"document": group("Raiders", *veterans, character("Green"), turfs=THREE)}, [2])
    assert table.world.groups[1].leader == "c2"


def test_example_of_switch() -> None:
    """19 XP from 14: two levels, and rolls of 7 and 12 raise Endurance and Agility."""
    table = after_game(character("Veteran"), character("Green", called="Switch"))
    table.set_member("c2", xp=14, level=4)
    table.step(1, "fought", fought("c2", wounded=3, killed=1))
    table.until(1, "experience")

    assert table.member("c2").xp == 19
    assert table.refused(1, "next") == "Still to do: Switch (Advance)."
    table.step(1, "advance", {"who": "c2"}, [3, 4])
    table.step(1, "advance", {"who": "c2"}, [6, 6])
    assert table.member("c2").raised == {"E": 1, "A": 1}
    assert not table.offers(1, "advance")


def test_only_characters_who_took_part_search_in_the_game() -> None:
    table = founded(*GREENS)
    table.play(1, 2)
    table.step(1, "fought", {**fought("c1"), "took": 0})
    (offer,) = table.offers(1, "search")
    names = [value for ask in offer.asks if ask.key == "who" for value, _ in ask.choices]
    assert names == [key for key in names if key != "c1"] != []
    table.refused(1, "search", {"place": "outpost", "who": "c1"})
    table.step(1, "search", {"place": "outpost", "who": "c2"}, [1])
    assert table.refused(1, "fought", {**fought("c2"), "took": 0}) == "Bo searched in the game, so took part."


def test_contradicting_records_of_a_game_are_reported() -> None:
    def doubt(number: int) -> str:
        message, forbidden = RULES.doubt(table.world, number, {})
        assert forbidden == "", "creatures count too, so only the players know"
        return worded(message)

    table = founded(*GREENS)
    talons = table.world.groups[2]
    there, wounds = len(talons.characters), sum(talons.profile(a_character)["W"] for a_character in talons.characters)
    table.play(1, 2)
    table.step(1, "fought", fought("c1", killed=there, wounded=wounds))
    assert doubt(1) == ""
    table.step(1, "fought", fought("c2", killed=1, wounded=1))
    assert doubt(1) == (
        f"{there + 1} taken out, and Talons had {there} members. "
        f"{wounds + 1} wounds inflicted, and Talons had {wounds} in all."
    )
    table.until(1, "injuries")
    assert doubt(1) == "", "the records of the game are closed"
    table.play(2, 1, result="loss")
    table.step(2, "fought", fought("c1", down=1, killed=1))
    message = f"1 down, and Knives recorded {there + 1} taken out."
    assert doubt(2) == f"1 taken out, and Knives recorded 0 down. {message}"
    entry = table.step(2, "next", {"doubt": message})
    assert entry.said[-1] == f"To check: {message}"
    table.balanced()
    fallen = founded(*GREENS)
    fallen.play(2, 1, result="loss")
    fallen.step(2, "fought", fought("c1", down=1))
    fallen.until(2, "injuries")
    fallen.step(2, "injury", {"who": "c1"}, [1, 1])
    fallen.until(2, "experience")
    assert len(fallen.world.groups[2].characters) == there - 1
    fallen.play(1, 2)
    fallen.step(1, "fought", fought("c1", killed=1, wounded=wounds))
    assert RULES.doubt(fallen.world, 1, {}) == ("", ""), "the member who died since took part"


def test_dead_leader_loses_the_equipment_and_another_leads() -> None:
    table = downed()
    assert table.refused(1, "next") == "Still to do: Ash (Find out)."
    table.step(1, "injury", {"who": "c1"}, [1, 1])
    table.step(1, "next")

    assert table.amount("item", "Nail Board") == table.amount("character", "Ash") == 0
    assert table.refused(1, "next") == "Still to do: A new leader (Choose)."
    table.step(1, "lead", {}, [2])
    assert table.world.groups[1].leader == "c3"
    assert table.member("c2").xp == 1, "no leader is left to gain 1 XP more"
    table.balanced()


VAULT = (character("Overseer", called="Ada"), character("Vault Dweller", called="Bo"))


def test_overseer_is_replaced_only_if_killed_in_a_game() -> None:
    poisoned = after_game(*VAULT, faction="Vault Residents")
    poisoned.step(1, "fought", fought(rads=26))
    poisoned.until(1, "income")
    assert poisoned.member("c3").xp == 50, "the successor was not in the game"
    wounded = downed(*VAULT, faction="Vault Residents", rolls=(1, 1))
    wounded.step(1, "next")
    scavenged = after_game(*VAULT, faction="Vault Residents", phase="income")
    scavenged.step(1, "scavenge", {"who": "c1"}, [1])
    scavenged.step(1, "encounter", {"who": "c1", "end": "down"}, [1, 1])
    for table, ranks in ((poisoned, 2), (wounded, 2), (scavenged, 1)):
        assert table.member("c1").gone
        assert len(table.world.groups[1].characters) == ranks
        table.balanced()


def test_empty_group_starts_again_with_a_recruit_who_leads() -> None:
    table = downed(character("Veteran", called="Ash"), rolls=(1, 1))
    table.until(1, "recruits")
    table.step(1, "pool", {}, [12, 12])
    table.step(1, "recruit", {"rank": 0, "name": "Bo"})
    assert table.refused(1, "next") == "Still to do: A new leader (Choose)."
    table.step(1, "lead")
    table.until(1, "")
    assert table.world.groups[1].leader == "c2"
    table.balanced()


def test_character_with_two_eye_wounds_has_no_errand_and_may_be_sent_away() -> None:
    table = after_game()
    table.set_member("c2", injuries=("eye", "eye"))
    table.until(1, "income")
    assert "c2" not in [offer.fixed["who"] for offer in table.offers(1, "scavenge")]
    table.step(1, "part", {"who": "c2", "end": "sent"})

    assert table.amount("character", "Bo") == 0
    assert table.amount("item", "Knife") == 1


@pytest.mark.parametrize(("rolls", "any_perk"), [((1, 1), 1), ((1, 2), 1), ((4, 4), 0), ((9, 9), 0), ((12, 12), 1)])
def test_advance_gives_a_perk_that_the_character_meets_or_any_perk(rolls: tuple[int, int], any_perk: int) -> None:
    table = after_game()
    table.step(1, "fought", fought("c2", other=2))
    table.until(1, "experience")
    table.step(1, "advance", {"who": "c2"}, rolls)
    (offer,) = table.offers(1, "perk")
    names = dict(offer.asks[0].choices)

    assert ("Toughness" in names) == bool(any_perk), "Endurance 5, and a Green has 4"
    assert "Cannibal" in names
    assert "Leader" not in names
    assert table.refused(1, "next") == "Still to do: A perk for Bo (Choose)."
    table.step(1, "perk", {**offer.fixed, "perk": "Cannibal"})
    table.step(1, "next")
    assert table.member("c2").perks == ("Cannibal",)


@pytest.mark.parametrize(
    ("objectives", "numbers", "why"),
    [
        (None, list(range(1, 13)), "Geomapping with Reilly, claimed"),
        (["1 Geomapping with Reilly (Luck)"], [1], "Geomapping with Reilly"),
        (["1 Geomapping with Reilly (Luck)", "8 Just for the Taste of It"], [1, 8], "Geomapping with Reilly, claimed"),
        (["Find the cat"], list(range(1, 13)), "Geomapping with Reilly, claimed"),
        ([], [], ""),
    ],
)
def test_only_a_reported_objective_is_rewarded(objectives: list[str] | None, numbers: list[int], why: str) -> None:
    table = after_game(phase="experience", objectives=objectives)
    offered = [int(key) for offer in table.offers(1, "reward") for key, _ in offer.asks[0].choices]
    assert offered == numbers
    for phase in ("game", "injuries"):
        hint = RULES.hint(after_game(phase=phase, objectives=objectives).world, 1)
        assert ("names no objective" in hint) is (objectives == []), "in the phases before the reward"
    if why:
        applied = table.step(1, "reward", {"objective": "1"})
        assert [(line.amount, worded(line.why)) for line in applied.lines] == [(100, why)]
        table.balanced()


def test_all_characters_scavenge_in_one_step() -> None:
    table = after_game(phase="income")
    assert "Gives up the visit to Bar, Casino and Hotel" in table.offers(1, "scavenge")[0].about
    assert RULES.hint(table.world, 1) == "3 characters at home without an errand: going on leaves them so."
    table.step(1, "scavenge", {"who": "all"}, [1, 6, 2, 10, 3])
    assert RULES.hint(table.world, 1) == ""
    assert not table.offers(1, "scavenge") + table.offers(1, "turf")
    assert (table.amount("food"), [offer.title for offer in table.offers(1, "encounter")]) == (
        3,
        ["Ash meets something"],
    )
    assert table.refused(1, "next") == "Still to do: Ash meets something (Record)."


def test_perk_is_asleep_while_an_injury_lowers_its_characteristic() -> None:
    table = after_game(phase="income")
    for injuries, asleep in (((), False), (("body",), True)):
        table.set_member("c1", perks=("Toughness",), injuries=injuries, raised={"E": -1})
        assert any("asleep" in note for note in RULES.members(table.world.groups[1])[0].notes) == asleep
    table.set_member("c2", perks=("Ninja",))
    notes = RULES.members(table.world.groups[1])[1].notes
    assert not any("asleep" in note for note in notes), "a perk gained below its characteristic does not sleep"


def test_explorer_may_change_the_result_by_one() -> None:
    table = after_game(phase="income")
    table.set_member("c1", perks=("Explorer",))
    table.step(1, "scavenge", {"who": "c1"}, [5])
    assert table.refused(1, "next") == "Still to do: Ash explores (Take)."
    (offer,) = table.offers(1, "explore")
    assert [value for value, _ in offer.asks[0].choices] == ["4", "5", "6"]
    entry = table.step(1, "explore", {"who": "c1", "result": "6"}, [2])
    assert entry.lines[0].amount == 10


def test_every_turf_has_an_income_and_shows_its_calculation() -> None:
    assert set(TURFS) == {row.name for row in EDITION.lists.file.turfs}
    table = after_game(phase="income", turfs=("Scrapyard", "Bar", "Marketplace", "Dairy Farm"))
    for turf, rolls, says in (
        (0, [], ["Ash at the Scrapyard: 10 Caps."]),
        (2, [4], ["Ash at the Marketplace: (4 + 3) × 8 = 56 Caps."]),
        (3, [1, 2, 6], ["Ash at the Dairy Farm: 1 × 5 = 5 Caps.", "Ash at the Dairy Farm: 8 food."]),
    ):
        before = table.world
        assert list(table.step(1, "turf", {"turf": turf, "who": "c1"}, rolls).said) == says
        table.world = before


def test_gunsmith_sells_at_half_price_but_no_big_gun() -> None:
    table = after_game(phase="income", turfs=("Gunsmith", "Bar", "Bar"))
    names = dict(table.offers(1, "turf")[0].asks[1].choices)
    assert names["Hunting Rifle"] == "Hunting Rifle for 18 Caps"
    assert "Flamer" not in names
    table.step(1, "turf", {"turf": 0, "who": "c1", "take": "Hunting Rifle"})
    assert table.amount("caps") == 500 - 50 - 20 - 10 - 10 - 10 - 18


def test_tinkerer_invents_weapons_of_the_list_but_no_dear_ones() -> None:
    table = after_game(character("Officer"), faction="Enclave", phase="income", turfs=("Tinkerer", "Bar", "Bar"))
    names = [name for name, _ in table.offers(1, "turf")[0].asks[1].choices]
    assert table.offers(1, "turf")[0].about == "(D6 + 2) × 8 Caps, or an invention on 1 to 3 of a D12"
    assert "Plasma Pistol" in names
    assert not {"Plasma Rifle", "Laser Rifle", "Ripper"} & set(names)


def test_upkeep_buys_food_and_maintains_all() -> None:
    table = after_game(phase="upkeep")
    before = table.amount("caps")
    (offer,) = table.offers(1, "upkeep")
    (asked,) = offer.asks
    assert (asked.key, asked.default, asked.label) == ("bought", 3, "Food to buy, 3 Caps each")
    assert table.refused(1, "upkeep", {"bought": 0}) == "3 food is missing: buy it for 9 Caps."
    assert table.refused(1, "next") == "Still to do: Feed and maintain (Feed)."
    table.step(1, "upkeep")

    assert before - table.amount("caps") == 3 * 3 + 3 * 5
    table.balanced()


def test_character_starves_after_three_games_without_a_meal() -> None:
    table = after_game(phase="upkeep")
    for game in range(1, 4):
        table.set(caps=21)
        (offer,) = table.offers(1, "upkeep")
        assert table.refused(1, "upkeep", {"bought": 0, "meal.c3": "clean"}).endswith(", or say who goes hungry.")
        assert {ask.key: ask.default for ask in offer.asks}["meal.c3"] == "none"
        taken = table.step(1, "upkeep", {"bought": 2, "meal.c1": "clean", "meal.c2": "clean", "meal.c3": "none"})
        assert table.member("c3").hunger == game
        assert (f"{table.member('c3').name} starves." in taken.said) is (game == 3)
        table.until(1, "")
        if game < 3:
            table.play(1, 2, round_=game + 1)
            table.until(1, "upkeep")
    assert worded(table.member("c3").gone) == "Starved"


def test_food_and_caps_that_are_there_must_be_used() -> None:
    table = after_game(phase="upkeep")
    table.set(irradiated=1, caps=24)  # just enough
    hungry = {"bought": 2, "meal.c3": "none"}
    assert table.refused(1, "upkeep", hungry) == "There is enough to feed Cy."
    assert table.refused(1, "upkeep", {"bought": 3, "kept.c2": 0}) == "There are Caps to maintain one more."
    table.step(1, "upkeep", {"bought": 2, "meal.c3": "irradiated"})
    assert table.member("c3").rads == 1


def test_suggested_visit_leaves_a_patient_at_home_and_dear_things_are_marked() -> None:
    table = after_game(phase="upkeep")
    table.set_member("c2", injuries=("arm",))
    table.step(1, "upkeep")
    table.set(caps=18)
    table.until(1, "trade")
    (visit,) = table.offers(1, "visit")
    assert visit.about.endswith("Who is to see the doctor stays at home.")
    assert [ask.default for ask in visit.asks if ask.key == "along"] == [1], "of two"
    (order,) = table.offers(1, "order")
    labels = list(dict(order.asks[0].choices).values())
    assert labels[-1].endswith(", too dear now")
    assert not labels[0].endswith("too dear now")
    dear = order.asks[0].choices[-1][0]
    assert table.refused(1, "order", {"item": dear}).startswith("18 Caps left, ")
    table.set(caps=1)
    assert table.refused(1, "doctor", {"what": "c2:arm"}).startswith("1 Cap left, ")


def test_item_of_the_stash_is_suggested_for_a_character() -> None:
    table = after_game(phase="upkeep")
    table.step(1, "upkeep")
    table.until(1, "gear")
    assert table.offers(1, "hand")[0].asks[1].default == "", "nothing is in the stash"
    table.set(stash={"Knife": 1})
    assert table.offers(1, "hand")[0].asks[1].default == "c1"


@pytest.mark.parametrize("paired", [True, False])
def test_recruits_are_kept_for_a_lower_rating_that_has_not_begun(paired: bool) -> None:
    table = founded()
    lower, higher = sorted((1, 2), key=lambda number: RULES.rating(table.world.groups[number]))
    table.play(higher, lower, waited_for=[lower] if paired else [])
    table.feed(higher)
    table.set(higher, caps=200)
    table.until(higher, "recruits")
    table.step(higher, "pool", {}, [12, 1])
    assert bool(table.offers(higher, "recruit")) is not paired
    assert (f"Kept for {table.world.names[lower]}" in RULES.hint(table.world, higher)) is paired


def test_nobodys_recruits_are_kept_for_a_group_that_has_left() -> None:
    table = founded()
    lower, higher = sorted((1, 2), key=lambda number: RULES.rating(table.world.groups[number]))
    table.play(higher, lower, waited_for=[lower])
    table.feed(higher)
    table.set(higher, caps=200)
    table.until(higher, "recruits")
    table.step(higher, "pool", {}, [12, 1])
    assert RULES.awaits(table.world, higher) == table.world.names[lower]
    still_here = table.world
    table.world = replace(still_here, left=frozenset({lower}))
    assert (RULES.awaits(table.world, higher), "Kept for" in RULES.hint(table.world, higher)) == ("", False)
    offer = table.offers(higher, "recruit")[0]
    table.step(higher, "recruit", {**offer.fixed, "name": "Cy"})
    assert table.world.left == {lower}, "the step changes nothing of it"
    back = RULES.apply(still_here, higher, "recruit", {**offer.fixed, "name": "Cy"}, Dice(given=()))
    assert (back.world.shared, back.world.left) == (table.world.shared, frozenset()), (
        "a group that is back undoes no hire"
    )


def test_flesh_eaters_claim_at_most_the_recorded_opponents() -> None:
    table = founded(character("Master"), faction="Super Mutants")
    before = table.world
    for killed in (0, 2):
        table.world = before
        table.play(1, 2)
        table.step(1, "fought", fought(killed=killed))
        table.until(1, "income")
        assert [ask.most for offer in table.offers(1, "flesh") for ask in offer.asks] == [2] * (killed > 0)


@pytest.mark.parametrize("value", [-1, 99, "c9", "", [], None, {}, 1.5, True, "c1:Knife"])
def test_answers_outside_the_form_are_refused_with_a_sentence(value: Any) -> None:
    table = founded(*GREENS)
    for phase in ("game", "income", "upkeep", "gear"):
        table.play(1, 2) if not table.world.phases else None
        if phase == "gear":
            table.step(1, "upkeep")
        table.until(1, phase)
        for offer in table.offers(1):
            for asked in offer.asks:
                step = Step(0, 1, offer.kind, {**offer.fixed, asked.key: value})
                try:
                    done = apply_step(table.world, step, Dice(1))
                except StepRefused as why:
                    assert why.message.endswith(".")
                else:
                    assert min(RULES.balances(done.world.groups[1]).values()) >= 0
    assert "cannot be taken" in table.refused(1, "conjure", {"caps": value})


def test_member_without_its_armour_is_at_home_and_earns_nothing() -> None:
    table = after_game(character("Officer"), character("Trooper", "Power Armor", called="Ash"),
                       character("Trooper", "Power Armor", called="Bo"), faction="Enclave")  # fmt: skip
    table.set_member("c3", items={})
    about = table.world.phase(1)
    assert about and about.about.endswith("Who can fight and is not recorded just took part.")
    assert RULES.hint(table.world, 1) == "At home, without experience: Bo (no Power Armor)."
    before = {key: table.member(key).xp for key in ("c2", "c3")}
    entry = table.step(1, "next")
    assert entry.said == (
        "2 characters took part, and nothing else was recorded.", "At home, without experience: Bo (no Power Armor).",
    )  # fmt: skip
    table.until(1, "experience")
    assert [table.member(key).xp - xp for key, xp in before.items()] == [1, 0]
