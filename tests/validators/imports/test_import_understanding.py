"""How a roster is understood: units, groups, counts, Leader, mods, built-in parts, cards, and what is left out."""

import json

import pytest

from tests.kit.forces import check_force, import_force, rules, summarise
from tests.validators.imports.rosters import PIPER, SETTLER, read, ros, selection
from validators.contract import Imported, UnreadableForce

HEAD = "Survivors - L - [{} Caps]\n\n"
RIFLE, JET, MINUTEMAN = selection("Combat Rifle", 14), selection("Jet", 7), selection("Minuteman", 54, kind="model")
LONG_BARREL, PISTOL = selection("Long Barrel", 10), selection("Pipe Pistol", 5)


def read_text(text: str, name: str) -> Imported:
    """A pasted text, with a name put in."""
    return import_force("", text.replace("NAME", name).encode())


def lines(imported: Imported) -> list[str]:
    """Each model with what it carries."""
    return [line for line, _ in summarise(imported.document).lines]


def model(name: str, caps: int, *below: str, number: int = 1) -> str:
    """A model's selection."""
    return selection(name, caps, *below, number=number, kind="model")


def settler(*below: str, caps: int = 40, number: int = 1) -> str:
    return model("Settler", caps, *below, number=number)


def test_selections_become_models_with_their_parts() -> None:
    unit = selection("Gunline", 0, settler(RIFLE), MINUTEMAN, JET, kind="unit")
    many = {"caps": 120, "number": 3}
    psycho, bought = selection("Psycho", 0), selection("Psycho", 11)
    for what, roster, expected, total, note in (
        ("three models", settler(selection("Combat Rifle", 42, number=3), **many), ["Settler; Combat Rifle"] * 3,
         162, ""),
        ("a cost for each", settler(selection("Combat Rifle", 42), **many), ["Settler; Combat Rifle"] * 3, 162, ""),
        ("a part for two of three", settler(selection("Combat Rifle", 28, number=2), **many),
         ["Settler; Combat Rifle", "Settler; Combat Rifle", "Settler"], 148, "Combat Rifle: 2 among 3 of Settler"),
        ("Heroic for one of two", settler(selection("Heroic", 60), caps=80, number=2),
         ["Settler, Heroic", "Settler"], 140, "Heroic: 1 among 2 of Settler"),
        ("a mod on one of three copies", settler(selection("Combat Rifle", 42, LONG_BARREL, number=3)),
         ["Settler; Combat Rifle with Long Barrel, 2 × Combat Rifle"], 92, "Long Barrel: 1 among 3"),
        ("a unit that holds models", unit, ["Settler; Combat Rifle, Jet", "Minuteman"], None,
         "Jet: chosen for Gunline"),
        ("a model that brings another", model("Piper", 76, PISTOL, model("Dog", 90)),
         ["Piper; Pipe Pistol", "Dog"], 171, ""),
        ("headings among the parts", settler(selection("Weapons", 0, RIFLE)), ["Settler; Combat Rifle"], 54, ""),
        ("headings above the models", selection("Group", 0, selection("Inner", 0, SETTLER)),
         ["Settler; Combat Rifle with Long Barrel"], 64, ""),
        ("a built-in part", model("Cait", 137, psycho), ["Cait"], 137, "Psycho: built into Cait"),
        ("and one bought", model("Cait", 137, psycho, bought), ["Cait; Psycho"], None, ""),
        ("a mod for the one item that takes it", settler(LONG_BARREL, RIFLE),
         ["Settler; Combat Rifle with Long Barrel"], 64, "Long Barrel: put on Combat Rifle"),
        ("a mod for either of two items", settler(LONG_BARREL, RIFLE, PISTOL),
         ["Settler; Combat Rifle, Pipe Pistol, Long Barrel"], None, "Long Barrel: the file does not say"),
        ("a perk twice", settler(selection("Sneak", 40, number=2)), ["Settler; perks Sneak, Sneak"], 80, ""),
    ):  # fmt: skip
        imported = read(ros(roster, total=total or 0))
        assert lines(imported) == expected, what
        assert total in (None, imported.total), what
        assert not note or any(one.startswith(note) for one in imported.notes), (what, imported.notes)
        assert note or total is None or len(imported.notes) == 1, (what, "only that no Leader is marked")
    either = read(ros(settler(LONG_BARREL, RIFLE, PISTOL)))
    assert "bm.cost" in rules(check_force(either.document, 500))


def test_models_of_a_text_with_others_below_them() -> None:
    text = HEAD.format(200) + "Settler [64 Caps]: Combat Rifle, Long Barrel\nNAME [136 Caps]: Leader\n"
    text += "• 2x Scavenger [60 Caps]\n"
    imported = read_text(text, "Piper")
    assert lines(imported) == ["Settler; Combat Rifle with Long Barrel", "Piper, Leader", "Scavenger", "Scavenger"]
    assert imported.total == 200 == imported.stated
    assert not [note for note in imported.notes if "Piper" in note], "136 less 60 is what Piper costs"
    (note,) = [note for note in read_text(text, "Pipre").notes if note.startswith("Pipre: ")]
    assert "76 Caps" in note and "Piper" in note
    imported = read_text(HEAD.format(80) + "NAME [80 Caps]\n• Settler [40 Caps]\n• Settler [40 Caps]\n", "Settlers")
    assert (lines(imported), imported.total) == (["Settler", "Settler"], 80), "the heading is no model"
    imported = read(ros(selection("Piper", 0, SETTLER, MINUTEMAN, kind="unit")))
    assert [line.partition(";")[0] for line in lines(imported)] == ["Settler", "Minuteman"]
    assert any(note.startswith("Piper: left out as a model") for note in imported.notes)


def test_text_without_prices_is_read_so_that_its_costs_are_met() -> None:
    """Cait has Psycho built in: her stated cost says whether one more was bought."""
    price = check_force(read(ros(model("Cait", 137, selection("Psycho", 1)))).document, 500).total - 137
    assert price > 0
    assert lines(read("List Total: 137 caps\nCait (137 caps)\n\t-Psycho\n")) == ["Cait"]
    bought = read(f"List Total: {137 + price} caps\nCait ({137 + price} caps)\n\t-Psycho\n")
    assert (lines(bought), bought.total) == (["Cait; Psycho"], bought.stated)
    text = "Settler (91 caps)\n\t-Pipe Pistol\n\t-Combat Rifle\n\t-Long Barrel\n\t-Combat Rifle\n"
    assert lines(read(text)) == ["Settler; Pipe Pistol, Combat Rifle with Long Barrel, Combat Rifle"]


def test_how_a_file_marks_the_leader() -> None:
    commander, mark = selection("Commander", 55), selection("Leader")
    for parts in ((mark,), (selection("Leader", 0, commander),), (commander,)):
        imported = read(ros(settler(*parts), MINUTEMAN))
        assert [m["leader"] for m in imported.document["models"]] == [True, False], parts
    imported = read(ros(settler(mark), model("Minuteman", 54, commander)))
    assert [m["leader"] for m in imported.document["models"]] == [True, False], "a mark counts more than a card"
    assert rules(check_force(imported.document, 500)) == ["bm.leader-card"]
    imported = read(ros(settler(commander, selection("Thief", 10)), total=105))
    assert (imported.document["cards"], imported.total) == ([{"kind": "Leader", "name": "Thief"}], 105)
    assert "bm.leader-card" in rules(check_force(imported.document, 500))
    imported = read(ros(PIPER, selection("Lucky Day", 0, category="Boost Cards"), selection("Quest Card")))
    assert [tuple(card.values()) for card in imported.document["cards"]] == [
        *(("Boost", "Lucky Day"), ("Quest", "Quest Card"))
    ]
    assert set(rules(check_force(imported.document, 500))) == {"bm.banned"}
    imported = read(ros(PIPER, selection("Game size: 500")))
    assert len(imported.document["models"]) == 1
    assert any(note.startswith("Game size: 500: left out") for note in imported.notes)


def test_costs_that_differ_are_reported_by_model_and_in_all() -> None:
    imported = read(ros(settler(RIFLE, caps=45), MINUTEMAN, total=113))
    assert (imported.stated, imported.total) == (113, 108)
    (note,) = [note for note in imported.notes if "Caps" in note and note.startswith("Settler")]
    assert "59" in note and "54" in note
    assert not any("Minuteman" in note for note in imported.notes)
    wrench = {"name": "Pipe Wrench", "costs": [{"name": "caps", "value": 7.0}]}
    costs = [{"name": "pts", "value": 999}, {"name": " Caps", "value": 40}]
    one = {"name": "Settler", "type": "model", "costs": costs, "selections": [wrench]}
    imported = read(json.dumps({"roster": {"forces": [{"catalogueName": "Survivors", "selections": [one]}]}}))
    assert (imported.stated, imported.total) == (47, 47), "a file without a total is added up"


def test_faction_and_mode_of_the_file() -> None:
    for catalogue, faction, words in (
        ("Survivors", "Survivors", ""), ("zF survivor", "Survivors", ""),
        ("Fallout: Wasteland Warfare - Brotherhood of Steel", "Brotherhood of Steel", ""),
        ("Library", "Survivors", "Library is not a faction"), ("", "Survivors", "The file names no faction"),
    ):  # fmt: skip
        imported = read(ros(PIPER, catalogue=catalogue))
        assert imported.document["faction"] == faction, catalogue
        notes = [note for note in imported.notes if "faction" in note]
        assert len(notes) == bool(words) and all(note.startswith(words) for note in notes), catalogue
    imported = read("Eyebot (59 caps)\n")
    assert (imported.document["faction"], "would fit as well" in imported.notes[0]) == ("Survivors", True)
    force = {"name": "Story", "catalogueName": "Survivors", "selections": [{"name": "Settler", "type": "model"}]}
    imported = read(json.dumps({"roster": {"forces": [force, force | {"name": "Battle Mode"}]}}))
    assert len(imported.document["models"]) == 2
    assert "2 forces" in imported.notes[0] and "Story" in imported.notes[1]


def test_unknown_models_are_kept_or_refused_with_near_names() -> None:
    assert read(ros(model("Nobody", 5))).document["models"][0]["name"] == "Nobody"
    for data, words in (("Nobody (5 caps)\n", "no model in it is known"), (ros(catalogue=""), "neither a faction")):
        with pytest.raises(UnreadableForce, match=words):
            read(data)
    with pytest.raises(UnreadableForce) as refused:
        read_text("List Total: 90 caps\n\nNAME (76 caps)\nSetlers (40 caps)\nXyzzy (1 caps)\n", "Pipre")
    _, *offers = refused.value.faults
    assert [offer.partition(":")[0] for offer in offers] == ["Pipre", "Setlers"]
    assert "Piper" in offers[0] and "Settler" in offers[1]
    imported = read(ros())
    assert (imported.document["models"], imported.document["faction"], imported.stated) == ([], "Survivors", 0)


def test_invisible_marks_of_the_clipboard_are_no_part_of_a_name() -> None:
    imported = read("\u200bSettler\u200e (54 caps)\n\t-\u202eCombat Rifle\u202c\n")
    assert (lines(imported), imported.total) == (["Settler; Combat Rifle"], 54)


def test_shared_address_that_names_its_models() -> None:
    imported = read(
        "https://example.org/wasteland/?f=srv;n=My%20list;l=0,3;{!name!:!piper!,!heroic!:true,!pistols!:[!pipe_pistol!],"
        "!thrown!:{!baseball_grenade!:3},!modelCount!:1};{!name!:!settler!,!rifles!:[!combat_rifle!],!modelCount!:2};\n"
        "# anything behind it"
    )
    assert lines(imported) == ["Piper, Heroic; Pipe Pistol, 3 × Baseball Grenade", *["Settler; Combat Rifle"] * 2]
    assert (imported.document["name"], imported.document["faction"], imported.stated) == ("My list", "Survivors", None)
    assert any("bare numbers" in note for note in imported.notes)
