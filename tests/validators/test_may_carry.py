"""What a model may carry: the rule over all rows of the community editions, and how it is shown."""

import pytest

from tests.kit.forces import SYSTEM, force, model, only
from tests.validators.recorded_data import recorded
from validators.battle_mode.edition import Edition, ModelEntry, Thing
from validators.battle_mode.edition_file import EDITIONS
from validators.contract import Terms, Verdict

COMMUNITY = [edition for name, edition in EDITIONS.items() if name.endswith("-community")]
INFO = SYSTEM.edition("2022-community")


def rows(edition: Edition) -> list[ModelEntry]:
    return [entry for faction in edition.factions.values() for entry in faction.models.values()]


def judge(faction: str, *models: dict[str, object]) -> Verdict:
    return SYSTEM.checks.check(
        force({**models[0], "leader": True}, *models[1:], edition=INFO, faction=faction), Terms(INFO, 900)
    )


@pytest.mark.parametrize(
    ("faction", "who", "item", "why"),
    [
        ("Super Mutants", "Brute", "NCR Salvaged Power Armor", "not for models with the tag Super Mutant"),
        ("Brotherhood of Steel", "Field Scribe", "T-60 Power Armor", "needs the pack Power Armor"),
        ("Survivors", "Settler", "NCR Salvaged Power Armor", "needs the pack Power Armor"),
        ("Robots", "Eyebot", "Securitron Gatling Laser", "weapons built in"),
        ("Robots", "Eyebot", "Robobrain Laser", "weapons built in"),
        ("Robots", "Robobrain", "Assaultron Head Laser", "only what is for the kind Robot"),
        ("Robots", "Eyebot", "Robot Repair Patch", "only what is for the kind Robot"),
        ("Institute", "Battered Gen 1 Synth", "Army Helmet", "synths wear neither armour nor clothing"),
        ("Survivors", "Nick Valentine", "Army Helmet", "synths wear neither armour nor clothing"),
        ("Creatures", "Deathclaw", "Psycho", "none of its packs (Creature Items) holds it"),
    ],
)
def test_model_without_leave_of_the_source_is_refused_with_the_reason(
    faction: str, who: str, item: str, why: str
) -> None:
    problem = only(judge(faction, model(who, item)))
    assert problem.rule == "bm.carry" and why in problem.message


@pytest.mark.parametrize(
    ("faction", "who", "item"),
    [
        ("Brotherhood of Steel", "Knight", "T-60 Power Armor"),
        ("Brotherhood of Steel", "Aspirant Goddard", "T-60 Power Armor"),
        ("Robots", "Robobrain", "Robobrain Laser"),
        ("Robots", "Securitron Mk II", "Securitron SMG"),
        ("Robots", "Eyebot", "Robot Repair Kit"),
        ("Robots", "Eyebot", "Bowler Hat"),
        ("Creatures", "Deathclaw", "Spiked Harness"),
        ("Survivors", "Dogmeat", "Dog Bandana"),
        ("Institute", "Gen 1 Synth", "Institute Laser Pistol"),
    ],
)
def test_what_its_packs_hold_for_its_kind_is_legal(faction: str, who: str, item: str) -> None:
    verdict = judge(faction, model(who, item))
    assert (verdict.problems, verdict.queries) == ((), ())


@pytest.mark.parametrize("edition", COMMUNITY, ids=lambda edition: edition.file.id)
def test_all_models_may_have_of_all_that_can_be_bought_what_is_recorded(edition: Edition) -> None:
    record = recorded(f"may_carry_{edition.file.id}")
    places = {(faction, name): sets for faction, name, *sets in record["models"]}
    for entry in rows(edition):
        answers = []
        for table in ("items", "mods", "perks", "leader_cards"):
            things: dict[str, Thing] = getattr(edition, table)
            may = {one.name: entry.may(one).may for one in things.values() if not getattr(one, "printed", 0)}
            answers += [sorted(name for name in may if may[name] is answer) for answer in (True, None)]
        assert answers == [record["names"][place] for place in places[entry.faction, entry.name]], entry.name


@pytest.mark.parametrize("edition", COMMUNITY, ids=lambda edition: edition.file.id)
def test_no_model_buys_what_its_kind_may_not_have(edition: Edition) -> None:
    for entry in rows(edition):
        for item in edition.items.values():
            if not entry.may(item).may or item.name in (*entry.usual, *entry.built_in):
                continue
            if item.kind == "Power Armor":
                assert "Power Armor" in entry.packs and not entry.tags & {"Super Mutant", "Synth"}, entry.name
            if item.category == "Armor":
                assert "Synth" not in entry.tags, entry.name
            if item.category == "Weapons" and entry.tags & {"Robot", "Creature", "Dog"}:
                assert not any(name in edition.items for name in map(str.casefold, entry.built_in)), entry.name
                assert item.for_whom.needs & entry.tags, (entry.name, item.name)


@pytest.mark.parametrize(
    ("faction", "bought", "rule"),
    [
        ("Creatures", model("Alien", "Psycho"), "bm.carry"),
        ("Creatures", model("Alien", "Conditioning: Active"), "bm.mod"),
        ("Robots", model("Mr Gutsy", "Mr Handy Flamer"), "bm.carry"),
        ("Robots", model("Securitron Mk II", "Securitron Gatling Laser"), "bm.carry"),
    ],
)
def test_where_the_facts_are_silent_the_organiser_is_asked(faction: str, bought: dict[str, object], rule: str) -> None:
    verdict = judge(faction, bought)
    assert (verdict.problems, [query.rule for query in verdict.queries]) == ((), [rule])


def test_alien_has_the_perks_that_are_for_creatures_and_no_leader_card() -> None:
    assert judge("Creatures", model("Alien", perks=["Command: Attack"])).problems == ()
    assert only(judge("Creatures", model("Alien", perks=["Sneak"]))).rule == "bm.perk"
    assert only(judge("Creatures", model("Alien", leader_card="Commander"))).rule == "bm.leader-card"


def test_loose_leader_cards_of_one_name_are_one_problem() -> None:
    cards = [{"kind": "Leader", "name": "Commander"}] * 3
    document = force(
        model("Knight", leader=True, leader_card="Commander"), edition=INFO, faction="Brotherhood of Steel"
    )
    verdict = SYSTEM.checks.check(document | {"cards": cards}, Terms(INFO, 900))
    assert [problem.message for problem in verdict.problems] == ["The Leader card 3 × Commander is on no model"]


def test_unknown_name_on_equal_models_is_one_problem() -> None:
    verdict = judge("Survivors", *[model("Settler", "Foo") for _ in range(3)], model("Piper", "foo"))
    assert [(problem.message, problem.places) for problem in verdict.problems] == [
        ("Foo (on 3 × Settler): no item of this name has a cost", (0, 1, 2)),
        ("foo (on Piper): no item of this name has a cost", (3,)),
    ]
