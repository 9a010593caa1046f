"""What an edition does not state is a query, and never free, legal in silence or a problem."""

from typing import Any

from tests.kit.forces import SYSTEM, asked, force, rules
from tests.kit.own_editions import FILES, data_of
from validators.contract import EditionInfo, Terms, UnreadableEdition, Verdict
from validators.editions import Corrections, CostEntry, EditionTitle, NewModel

PACK = {"name": "Basics", "items": ["Saw"], "perks": ["Sneak"], "perhaps": ["Net", "Charm", "Edge", "Boss"]}
GROUPS = [
    {"category": "Weapons", "kind": "Melee", "takes_mod": True, "caps": {"Saw": 6, "Net": 4, "Claw": 0}},
    {"category": "Weapons", "kind": "Bites", "printed": True, "caps": {"Bite": 0}},
]
DOCUMENT: dict[str, Any] = {
    "system": "battle_mode", "id": "gaps", "name": "Gaps", "date": "2027-01-01", "source": "Us", "heroic_caps": 60,
    "factions": [{"name": "Survivors", "models": [
        {"name": "Ash", "caps": 40, "packs": ["Basics"]}, {"name": "Newcomer", "caps": 30, "options_unknown": True},
        {"name": "Ghost", "caps": 0, "options_unknown": True, "built_in": ["Claw"]},
    ]}],
    "packs": [PACK], "items": GROUPS, "perks": {"Sneak": 5, "Charm": 7}, "mods": {"Edge": 2},
    "leader_cards": {"Boss": 9}, "names_built_in": True, "no_cost": ["Ghost", "Claw"],
}  # fmt: skip


def edition(**changed: object) -> EditionInfo:
    return FILES.read(data_of(DOCUMENT | changed))


def judge(*models: dict[str, Any]) -> Verdict:
    document = force({**models[0], "leader": True}, *models[1:], edition=edition())
    return SYSTEM.checks.check(document, Terms(edition(), 750))


def test_purchases_of_a_model_with_unknown_options_are_one_query() -> None:
    assert (rules(bare := judge({"name": "Newcomer"})), asked(bare), bare.total) == ([], [], 30)
    items = [{"name": "Saw", "mods": ["Edge"]}, {"name": "Bite"}]
    bought = judge({"name": "Newcomer", "items": items, "perks": ["Charm"], "leader_card": "Boss", "heroic": True})
    assert (rules(bought), asked(bought), bought.total) == ([], ["bm.carry"], 30 + 6 + 2 + 7 + 9 + 60)
    for name in ("Heroic", "Saw", "Edge", "Bite", "Charm", "Boss"):
        assert name in bought.queries[0].message
    assert "Ask the organiser" in bought.queries[0].message


def test_cost_that_is_not_stated_is_a_query_for_each_name_and_none_where_it_is_built_in() -> None:
    two = judge({"name": "Ghost"}, {"name": "Ghost"})
    assert (rules(two), asked(two), two.total) == ([], ["bm.cost"], 0)
    assert "Ghost: this edition states no cost" in two.queries[0].message
    assert asked(judge({"name": "Ghost", "items": [{"name": "Claw"}]})) == ["bm.cost"], "its own claw is printed on it"
    assert asked(judge({"name": "Newcomer", "items": [{"name": "Claw"}]})) == ["bm.carry", "bm.cost"]
    assert asked(judge({"name": "Ash", "items": [{"name": "Claw"}]})) == ["bm.cost", "bm.carry"]


def test_everything_that_a_pack_perhaps_holds_is_a_query() -> None:
    perhaps = judge({
        "name": "Ash", "items": [{"name": "Net"}, {"name": "Saw", "mods": ["Edge"]}], "perks": ["Charm", "Sneak"],
        "leader_card": "Boss",
    })  # fmt: skip
    assert (rules(perhaps), asked(perhaps)) == ([], ["bm.carry", "bm.mod", "bm.perk", "bm.leader-card"])


def test_samples_use_only_what_the_edition_states() -> None:
    info = edition()
    for seed in range(20):
        verdict = SYSTEM.checks.check(SYSTEM.forces.sample(Terms(info, 500), "Survivors", seed), Terms(info, 500))
        assert (rules(verdict), asked(verdict)) == ([], [])


def test_price_list_and_comparison_name_what_is_not_stated() -> None:
    gaps = edition()
    prices = {row.name: row for prices in FILES.price_lists(gaps) for row in prices.rows}
    assert (prices["Ghost"].cost, prices["Claw"].cost, prices["Bite"].cost) == ("not stated", "not stated", "0")
    assert "what it may have is not stated" in prices["Newcomer"].notes
    (row,) = FILES.compare(gaps, edition(no_cost=["Claw"])).rows
    assert (row.name, row.what, row.before, row.after) == ("Ghost", "Caps", "not stated", "0")


def test_names_without_a_cost_must_be_in_the_file() -> None:
    for changed, place in (({"no_cost": ["Ghots"]}, "no_cost"), ({"packs": [PACK | {"perhaps": ["Nett"]}]}, "perhaps")):
        try:
            edition(**changed)
        except UnreadableEdition as refused:
            (fault,) = refused.faults
            assert place in str(fault) and "near to it" in str(fault)
        else:
            raise AssertionError(changed)


def test_corrected_cost_ends_its_query_and_a_new_model_is_as_unknown_as_the_one_it_is_like() -> None:
    assert FILES.corrector is not None
    like = NewModel("Newest", "Survivors", 20, carries_as=("Survivors", "Newcomer"))
    title = EditionTitle("mended", "Mended", "2027-01-02")
    corrections = Corrections(title, (CostEntry("Models", "Ghost", 55, "Survivors"),), like)
    mended = FILES.read(data_of(FILES.corrector.correct(edition(), corrections)))
    document = force({"name": "Ghost", "leader": True}, {"name": "Newest", "items": [{"name": "Saw"}]}, edition=mended)
    verdict = SYSTEM.checks.check(document, Terms(mended, 750))
    assert (rules(verdict), asked(verdict), verdict.total) == ([], ["bm.carry"], 55 + 20 + 6)


def test_builder_says_where_no_cost_is_stated() -> None:
    document = force({"name": "Newcomer", "leader": True}, edition=edition())
    view = SYSTEM.forces.builder(document, Terms(edition(), 750), {})
    notes = {option.name: option.note for group in view.add_models for option in group.options}
    assert (notes["Ghost"], notes["Newcomer"]) == ("no cost stated", "")
