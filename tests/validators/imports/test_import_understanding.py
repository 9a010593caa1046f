"""How a roster is understood: units, groups, counts, Leader, mods, built-in parts, cards, and what is left out."""

import json

import pytest

from tests.kit.forces import check_force, import_force, summarise
from tests.validators.imports.rosters import PIPER, SETTLER, read, ros, selection
from validators.contract import Imported, UnreadableForce

NO_LEADER = "The file marks no Leader; choose one."


def read_text(text: str, name: str) -> Imported:
    """A pasted text, with a name put in."""
    return import_force("", text.format(name).encode())


def lines(imported: Imported) -> list[str]:
    """Each model with what it carries."""
    return [line for line, _ in summarise(imported.document).lines]


def model(name: str, caps: int, *below: str, number: int = 1) -> str:
    """A model's selection."""
    return selection(name, caps, *below, number=number, kind="model")


def test_a_selection_of_three_models_is_three_models() -> None:
    imported = read(ros(model("Settler", 120, selection("Combat Rifle", 42, number=3), number=3), total=162))
    assert lines(imported) == ["Settler; Combat Rifle"] * 3
    assert imported.notes == (NO_LEADER,)


def test_a_part_whose_cost_says_that_each_model_has_it() -> None:
    imported = read(ros(model("Settler", 120, selection("Combat Rifle", 42), number=3), total=162))
    assert lines(imported) == ["Settler; Combat Rifle"] * 3


def test_a_part_for_some_of_the_models_is_given_to_the_first_and_told() -> None:
    imported = read(ros(model("Settler", 120, selection("Combat Rifle", 28, number=2), number=3), total=148))
    assert lines(imported) == ["Settler; Combat Rifle", "Settler; Combat Rifle", "Settler"]
    assert "Combat Rifle: 2 among 3 of Settler, given to the first." in imported.notes


def test_heroic_for_one_of_two() -> None:
    imported = read(ros(model("Settler", 80, selection("Heroic", 60), number=2), total=140))
    assert lines(imported) == ["Settler, Heroic", "Settler"]
    assert imported.total == 140


def test_a_mod_on_one_of_three_copies() -> None:
    rifles = selection("Combat Rifle", 42, selection("Long Barrel", 10), number=3)
    imported = read(ros(model("Settler", 40, rifles), total=92))
    assert lines(imported) == ["Settler; Combat Rifle with Long Barrel, 2 × Combat Rifle"]
    assert imported.total == 92


def test_a_unit_that_only_holds_models() -> None:
    unit = selection("Gunline", 0, model("Settler", 40, selection("Combat Rifle", 14)), model("Minuteman", 54),
                     selection("Jet", 7), kind="unit")  # fmt: skip
    imported = read(ros(unit))
    assert lines(imported) == ["Settler; Combat Rifle, Jet", "Minuteman"]
    assert "Jet: chosen for Gunline as a whole, put on Settler." in imported.notes


def test_a_model_that_brings_another_keeps_its_own_place() -> None:
    imported = read(ros(model("Piper", 76, selection("Pipe Pistol", 5), model("Dog", 90)), total=171))
    assert lines(imported) == ["Piper; Pipe Pistol", "Dog"]
    assert imported.total == 171


def test_a_model_of_a_text_with_others_below_it_keeps_its_place() -> None:
    text = "Survivors - My List - [200 Caps]\n\nSettler [64 Caps]: Combat Rifle, Long Barrel\n"
    imported = read_text(f"{text}{{}} [136 Caps]: Leader\n• 2x Scavenger [60 Caps]\n", "Piper")
    assert lines(imported) == [
        "Settler; Combat Rifle with Long Barrel", "Piper, Leader", "Scavenger", "Scavenger",
    ]  # fmt: skip
    assert imported.total == 200 == imported.stated
    assert not [note for note in imported.notes if "Piper" in note], "136 less 60 is what Piper costs"
    misspelt = read_text(f"{text}{{}} [136 Caps]: Leader\n• 2x Scavenger [60 Caps]\n", "Pipre")
    told = "Pipre: its own 76 Caps are left out, for it only holds other models. Near: Piper."
    assert told in misspelt.notes


def test_a_heading_of_a_text_that_its_models_are_named_by_is_no_model() -> None:
    imported = read_text(
        "Survivors - L - [80 Caps]\n\n{} [80 Caps]\n• Settler [40 Caps]\n• Settler [40 Caps]\n", "Settlers"
    )
    assert lines(imported) == ["Settler", "Settler"]
    assert imported.total == 80


def test_a_paid_model_that_costs_nothing_of_its_own_is_named_where_it_is_left_out() -> None:
    imported = read(ros(selection("Piper", 0, SETTLER, model("Minuteman", 54), kind="unit")))
    assert [line.partition(";")[0] for line in lines(imported)] == ["Settler", "Minuteman"]
    told = "Piper: left out as a model, for it costs nothing of its own and holds other models."
    assert told in imported.notes


def test_a_text_of_misspelt_models_alone_is_refused_with_near_names() -> None:
    with pytest.raises(UnreadableForce) as refused:
        read_text("List Total: 90 caps\n\n{} (76 caps)\nSetlers (40 caps)\nXyzzy (1 caps)\n", "Pipre")
    first, *offers = refused.value.faults
    assert first == "the file: no model in it is known to this game"
    assert offers[0].startswith("Pipre: did you mean Piper")
    assert offers[1].startswith("Setlers: did you mean Settler")
    assert len(offers) == 2


def test_headings_among_the_parts_are_looked_through() -> None:
    imported = read(ros(model("Settler", 40, selection("Weapons", 0, selection("Combat Rifle", 14))), total=54))
    assert lines(imported) == ["Settler; Combat Rifle"]
    assert imported.notes == (NO_LEADER,)


def test_a_heading_above_the_models_is_looked_through() -> None:
    imported = read(ros(selection("Group", 0, selection("Inner", 0, SETTLER)), total=64))
    assert lines(imported) == ["Settler; Combat Rifle with Long Barrel"]


@pytest.mark.parametrize(
    "part",
    [selection("Leader"), selection("Leader", 0, selection("Commander", 55)), selection("Commander", 55)],
    ids=["mark", "mark with card", "card alone"],
)
def test_how_a_file_says_who_leads(part: str) -> None:
    imported = read(ros(model("Settler", 40, part), model("Minuteman", 54)))
    assert [m["leader"] for m in imported.document["models"]] == [True, False]


def test_a_mark_counts_more_than_a_card() -> None:
    imported = read(ros(model("Settler", 40, selection("Leader")), model("Minuteman", 54, selection("Commander", 55))))
    assert [m["leader"] for m in imported.document["models"]] == [True, False]
    assert {p.rule for p in check_force(imported.document, 500).problems} == {"bm.leader-card"}


def test_two_cards_on_one_model_are_both_judged() -> None:
    imported = read(ros(model("Settler", 40, selection("Commander", 55), selection("Thief", 10)), total=105))
    assert imported.document["cards"] == [{"kind": "Leader", "name": "Thief"}]
    assert imported.total == 105
    assert "bm.leader-card" in {p.rule for p in check_force(imported.document, 500).problems}


def test_perks_and_their_number() -> None:
    imported = read(ros(model("Settler", 40, selection("Sneak", 40, number=2), selection("Medic", 10)), total=90))
    assert imported.document["models"][0]["perks"] == ["Sneak", "Sneak", "Medic"]
    assert imported.total == 90


def test_a_built_in_part_that_is_bought_once_more() -> None:
    free, paid = selection("Psycho", 0), selection("Psycho", 11)
    assert lines(read(ros(model("Cait", 137, free), total=137))) == ["Cait"]
    assert lines(read(ros(model("Cait", 137, free, paid)))) == ["Cait; Psycho"]


def test_a_text_without_prices_is_read_so_that_its_costs_are_met() -> None:
    """Cait has Psycho built in: the cost that stands beside her says whether one more was bought."""
    price = check_force(read(ros(model("Cait", 137, selection("Psycho", 1)))).document, 500).total - 137
    assert price > 0
    assert lines(read("List Total: 137 caps\nCait (137 caps)\n\t-Psycho\n")) == ["Cait"]
    bought = read(f"List Total: {137 + price} caps\nCait ({137 + price} caps)\n\t-Psycho\n")
    assert lines(bought) == ["Cait; Psycho"]
    assert bought.total == bought.stated


def test_a_mod_on_a_model_goes_to_the_one_item_that_can_take_it() -> None:
    alone = read(ros(model("Settler", 40, selection("Long Barrel", 10), selection("Combat Rifle", 14)), total=64))
    assert lines(alone) == ["Settler; Combat Rifle with Long Barrel"]
    assert "Long Barrel: put on Combat Rifle of Settler." in alone.notes
    either = read(ros(model("Settler", 40, selection("Long Barrel", 10), selection("Combat Rifle", 14),
                            selection("Pipe Pistol", 5)), total=69))  # fmt: skip
    assert lines(either) == ["Settler; Combat Rifle, Pipe Pistol, Long Barrel"]
    assert "Long Barrel: the file does not say on which item of Settler; kept as an item." in either.notes
    assert "bm.cost" in {p.rule for p in check_force(either.document, 500).problems}


def test_a_mod_in_a_text_goes_to_the_item_before_it() -> None:
    text = "Settler (91 caps)\n\t-Pipe Pistol\n\t-Combat Rifle\n\t-Long Barrel\n\t-Combat Rifle\n"
    assert lines(read(text)) == ["Settler; Pipe Pistol, Combat Rifle with Long Barrel, Combat Rifle"]


def test_cards_that_the_game_does_not_use_stay_and_are_judged() -> None:
    imported = read(ros(PIPER, selection("Lucky Day", 0, category="Boost Cards"), selection("Quest Card")))
    assert imported.document["cards"] == [
        {"kind": "Boost", "name": "Lucky Day"},
        {"kind": "Quest", "name": "Quest Card"},
    ]
    assert {p.rule for p in check_force(imported.document, 500).problems} == {"bm.banned"}


def test_what_belongs_to_no_model_is_left_out_and_told() -> None:
    imported = read(ros(PIPER, selection("Game size: 500")))
    assert len(imported.document["models"]) == 1
    assert "Game size: 500: left out, for it belongs to no model." in imported.notes


def test_costs_that_differ_are_told_by_model_and_in_all() -> None:
    imported = read(ros(model("Settler", 45, selection("Combat Rifle", 14)), model("Minuteman", 54), total=113))
    assert (imported.stated, imported.total) == (113, 108)
    assert "Settler: the file says 59 Caps, the edition 54." in imported.notes
    assert not any("Minuteman" in note for note in imported.notes)


def test_a_file_without_a_total_is_added_up() -> None:
    tree = {"roster": {"forces": [{"catalogueName": "Survivors", "selections": [
        {"name": "Settler", "type": "model", "costs": [{"name": "pts", "value": 999}, {"name": " Caps", "value": 40}],
         "selections": [{"name": "Pipe Wrench", "costs": [{"name": "caps", "value": 7.0}]}]}]}]}}  # fmt: skip
    imported = read(json.dumps(tree))
    assert (imported.stated, imported.total) == (47, 47)


def test_another_mode_and_two_forces_are_told() -> None:
    force = {"name": "Story", "catalogueName": "Survivors", "selections": [{"name": "Settler", "type": "model"}]}
    imported = read(json.dumps({"roster": {"forces": [force, force | {"name": "Battle Mode"}]}}))
    assert len(imported.document["models"]) == 2
    assert imported.notes[:2] == (
        "The file holds 2 forces; they were read as one.",
        "It was built as Story, not as a Battle Mode force.",
    )


@pytest.mark.parametrize(
    ("catalogue", "faction", "told"),
    [
        ("Survivors", "Survivors", ""),
        ("zF survivor", "Survivors", ""),
        ("Fallout: Wasteland Warfare - Brotherhood of Steel", "Brotherhood of Steel", ""),
        ("Library", "Survivors", "Library is no faction of the edition; by its models it is Survivors."),
        ("", "Survivors", "The file names no faction; by its models it is Survivors."),
    ],
)
def test_the_faction(catalogue: str, faction: str, told: str) -> None:
    imported = read(ros(PIPER, catalogue=catalogue))
    assert imported.document["faction"] == faction
    assert [note for note in imported.notes if "faction" in note] == ([told] if told else [])


def test_a_model_of_several_factions_leaves_a_doubt() -> None:
    imported = read("Eyebot (59 caps)\n")
    assert imported.document["faction"] == "Survivors"
    assert "would fit as well" in imported.notes[0]


def test_nothing_known_at_all() -> None:
    assert read(ros(model("Nobody", 5))).document["models"][0]["name"] == "Nobody"
    with pytest.raises(UnreadableForce, match="no model in it is known"):
        read("Nobody (5 caps)\n")
    with pytest.raises(UnreadableForce, match="neither a faction nor a model"):
        read(ros(catalogue=""))


def test_invisible_marks_of_the_clipboard_are_no_part_of_a_name() -> None:
    imported = read("\u200bSettler\u200e (54 caps)\n\t-\u202eCombat Rifle\u202c\n")
    assert lines(imported) == ["Settler; Combat Rifle"]
    assert imported.total == 54


def test_an_empty_roster_is_an_empty_force() -> None:
    imported = read(ros())
    assert (imported.document["models"], imported.document["faction"], imported.stated) == ([], "Survivors", 0)


def test_a_shared_address_that_names_its_models() -> None:
    imported = read(
        "https://example.org/wasteland/?f=srv;n=My%20list;l=0,3;{!name!:!piper!,!heroic!:true,!pistols!:[!pipe_pistol!],"
        "!thrown!:{!baseball_grenade!:3},!modelCount!:1};{!name!:!settler!,!rifles!:[!combat_rifle!],!modelCount!:2};\n"
        "# anything behind it"
    )
    assert lines(imported) == ["Piper, Heroic; Pipe Pistol, 3 × Baseball Grenade", *["Settler; Combat Rifle"] * 2]
    assert (imported.document["name"], imported.document["faction"], imported.stated) == ("My list", "Survivors", None)
    assert "The address gives Leader card and perks as bare numbers; choose them anew." in imported.notes
