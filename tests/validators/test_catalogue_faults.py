"""Faults in published catalogues: each is noted with its name, file and line, and the edition is read without it."""

import re
from collections.abc import Callable

import pytest

from languages.stated import worded
from tests.validators import catalogue_writer as w
from validators.contract import UnreadableEdition


def test_sound_edition_leaves_nothing_out_and_raises_two_doubts() -> None:
    for shape in w.SHAPES:
        report = w.read(w.files(shape)).report
        assert report.left_out == ()
        listed = sorted(note.name for note in report.doubts)
        assert listed == ["Rusty Saw", "The Hound"], "the carriers of the saw, and the choice between two hounds"
        assert [question.id for question in report.questions] == ["uncarried"]
    imported = w.read(w.files())
    saw = w.said(imported.report.doubts, "Rusty Saw", "Narrative Mode")
    assert (saw.file, w.items(imported)["Rusty Saw"]) == ("Made-up.gst", 3)
    assert w.said(imported.report.doubts, "The Hound", "(Hound, Hound in Armour): read as faces")
    assert {w.models(imported)[name]["unique"] for name in ("Hound", "Hound in Armour")} == {"The Hound"}
    document = imported.document
    assert (document["name"], document["id"]) == ("Made-up Wastes, revision 7", "made-up-wastes-r7")
    assert document["source"] == "BattleScribe catalogues of Made-up Wastes, revision 7: Marshals 3, Drifters 3"


def test_copied_entry_and_repeated_id_of_a_link_raise_no_doubt() -> None:
    (heroic,) = re.findall(f'<selectionEntry id="{w.HEROIC}".*?</selectionEntry>', w.SYSTEM_TEXT, flags=re.DOTALL)
    copied = w.changed("</catalogue>", f"<sharedSelectionEntries>{heroic}</sharedSelectionEntries></catalogue>")
    (link, *_) = re.findall('<entryLink id="([^"]*)"', w.SYSTEM_TEXT)
    for uploaded in (copied, w.everywhere(f'<entryLink id="{link}"'.encode(), f'<entryLink id="{w.HEROIC}"'.encode())):
        report = w.read(uploaded).report
        assert sorted(note.name for note in report.doubts) == ["Rusty Saw", "The Hound"]
        assert report.left_out == ()


def costing(*modifiers: tuple[str, str, str], at: str = "40.0") -> list[w.File]:
    """The edition with modifiers of an entry's cost: each has a type, a value and conditions."""
    written = (w.tag("modifier", holds, type_=kind, field=w.CAPS, value=value) for kind, value, holds in modifiers)
    return w.changed(w.caps_of(at), w.tag("modifiers", *written) + w.caps_of(at))


def holds(*conditions: str) -> str:
    return w.tag("conditions", *conditions, " ")


UNKNOWN = holds(w.condition("force", w.BATTLE, "atLeast"))


def typed_as_model(name: str) -> tuple[str, str]:
    (written,) = re.findall(f'name="{name}" hidden="[a-z]*" collective="false" type="upgrade"', w.SYSTEM_TEXT)
    return written, written.replace("upgrade", "model")


def faults() -> list[tuple[bool, str, str, list[w.File]]]:
    """Each fault: whether an entry is left out, its name, words of the note, and the files."""
    heroic = f'targetId="{w.HEROIC}" type="selectionEntry"/>'
    most = w.limit("max")
    changing = w.tag("modifiers", w.tag("modifier", type_="set", field="x1", value="2.0"))
    limited = w.ONE_MOST.replace("<constraint ", '<constraint id="x1" ') + changing
    free, hidden = f'typeId="{w.CAPS}" value="0.0"', 'name="Deputy" hidden="false" targetId'
    knife = w.id_of("Hooked Knife", "2020", ' hidden="false" collective')
    link = w.tag("entryLinks", w.tag("entryLink", id_="x2", name="Hooked Knife", targetId=knife))
    heavy = w.tag("selectionEntryGroups", w.tag("selectionEntryGroup", link, id_="x3", name="Heavy"))
    second = w.tag("selectionEntryGroup", heavy, id_="x1", name="Equipment")
    cub, second_deputy = w.entry("Cub", "5.0", type_="model"), w.entry("deputy", "45.0", type_="model")
    cub = w.tag("selectionEntries", cub)
    units = '<categoryLinks><categoryLink targetId="aa00-0000-0000-0006"/></categoryLinks>'
    groups, costs = "<sharedSelectionEntryGroups>", w.DEPUTY_COSTS
    return [
        *((True, name, "no cost in Caps", w.changed(w.caps_of(f"{caps}.0"), "", times=times)) for name, caps, times in (
            ("Deputy", 40, 1), ("Pipe Cannon", 35, 1), ("Sheriff", 35, 2), ("Quick Hands", 10, 1), ("Long Sight", 9, 1),
            ("Hound", 70, 1),
        )),
        *((False, name, f"not known here, to {caps + 5} Caps; {caps} Caps are used",
           costing(("increment", "5.0", UNKNOWN), at=f"{caps}.0"))
          for name, caps in (("Deputy", 40), ("Long Carbine", 12), ("Thick Skin", 15))),
        (False, "Deputy", "costs 0 Caps", w.changed('value="40.0"', 'value="0.0"')),
        (False, "Iron Marshal", "limit changes by a condition", w.changed(w.ONE_MOST, limited)),
        (False, "Heroic", "a cost of its own", w.changed(heroic, f"{heroic[:-2]}>{w.caps_of('7.0')}</entryLink>")),
        (False, "Deputy", "a kind that no file has", w.changed(costs, costs.replace(w.CAPS, "nowhere"))),
        (True, "Deputy", "no cost in Caps", w.everywhere(b"<costTypes>", b'<costTypes><costType id="aa99" name="pts"/>',
                                                      w.changed(costs, costs.replace(w.CAPS, "aa99")))),
        (True, "Heroic", "eeee-0000", w.changed(f'targetId="{w.HEROIC}"', 'targetId="eeee-0000"')),
        (False, "Tough", "leads to Heroic", w.changed('name="Heroic" hidden="false" targetId',
                                                    'name="Tough" hidden="false" targetId')),
        (False, "Lost", "id eeee", w.changed("<catalogueLinks>",
                                           '<catalogueLinks><catalogueLink name="Lost" targetId="eeee"/>', "2020")),
        (False, "Deputy", "category is in no file",
         w.everywhere(b'<categoryEntry id="aa00-0000-0000-0006" name="Units"/>', b"")),
        (False, "Deputy", "the name of an item too (4 Caps)", w.changed('name="Hooked Knife"', 'name="Deputy"')),
        *((False, name, "read by its place as a part", w.changed(*typed_as_model(name)))
          for name in ("Quick Hands", "Sheriff", "Long Carbine")),
        (False, "Heroic", "the id of Brave", w.changed(
            "<sharedSelectionEntries>", f'<sharedSelectionEntries><selectionEntry id="{w.HEROIC}" name="Brave"/>')),
        (True, "Deputy", "(Units ai)", w.changed('targetId="aa00-0000-0000-0006" primary="true"',
                                               'targetId="aa00-0000-0000-0008" primary="true"')),
        (True, "Deputy", "not shown in Battle Mode", w.changed(hidden, hidden.replace("false", "true"))),
        (False, "Iron Marshal", "limited to 3", w.everywhere(*w.COMMON, w.changed(most, most.replace("1.0", "3.0")))),
        (True, "Cub", "within Deputy", w.changed('value="40.0"/>', f'value="40.0"/></costs>{cub}<costs>')),
        (False, "Tin Star", "costs 8 Caps, which are added", w.changed(free, free.replace("0.0", "8.0"))),
        (True, "Lost Flare", "nothing shows it", w.changed(
            "<sharedSelectionEntries>", f"<sharedSelectionEntries>{w.entry('Lost Flare', '6.0')}")),
        (True, "Windmill", "is no model", w.root_entry('<selectionEntry id="x1" name="Windmill" type="upgrade"/>')),
        (False, "Windmill", "in no category", w.root_entry('<selectionEntry id="x1" name="Windmill" type="upgrade"/>')),
        (False, "Turret", "no model by its type", w.root_entry(w.entry("Turret", "45.0", units, type_="upgrade"))),
        (True, "Deputy", "(40 Caps; the first, which is used, 45)", w.root_entry(second_deputy)),
        (False, "Hooked Knife", "Melee, Heavy: read as Melee", w.changed(groups, f"{groups}{second}", "2020")),
    ]  # fmt: skip


def test_each_fault_is_noted_with_its_name() -> None:
    for left_out, name, words, uploaded in faults():
        imported = w.read(uploaded)
        note = w.said(imported.report.left_out if left_out else imported.report.doubts, name, words)
        assert note.file and (note.line or name == "Lost"), note
        if "no cost" in words:
            assert f'"{name}"' not in str(imported.document).replace("'", '"')
        if left_out and name == "Deputy" and "first" not in words:
            assert "Deputy" not in w.models(imported), words


def test_edition_uses_the_value_named_in_each_doubt() -> None:
    used = {(name, words): w.read(uploaded) for left_out, name, words, uploaded in faults() if not left_out}
    for (name, words), key, value in (
        (("Deputy", "costs 0 Caps"), "caps", 0), (("Deputy", "a kind that no file has"), "caps", 40),
        (("Iron Marshal", "limit changes by a condition"), "unique", "Iron Marshal"),
        (("Iron Marshal", "limited to 3"), "unique", None), (("Turret", "no model by its type"), "caps", 45),
    ):  # fmt: skip
        assert w.models(used[name, words])[name].get(key) == value, (name, words)
    assert used["Heroic", "a cost of its own"].document["heroic_caps"] == 60
    assert w.models(used["Tough", "leads to Heroic"])["Iron Marshal"]["heroic"] is True
    assert "heroic" not in w.models(used["Heroic", "the id of Brave"])["Iron Marshal"], "Brave is the first of the two"
    marshal = w.models(used["Tin Star", "costs 8 Caps, which are added"])["Iron Marshal"]
    assert (marshal["built_in"], marshal["caps"]) == (["Tin Star"], 98)
    sound = w.read(w.files()).document
    for name in ("Quick Hands", "Sheriff", "Long Carbine"):
        assert used[name, "read by its place as a part"].document | {"notes": []} == sound | {"notes": []}, name
    assert set(w.models(used["Turret", "no model by its type"])["Turret"]) == {"name", "caps"}


def test_entry_whose_cost_is_no_whole_number_is_left_out() -> None:
    imported = w.read(w.changed(w.DEPUTY_COSTS, f'name="pts" typeId="{w.CAPS}" value="40.0"'))
    assert w.models(imported)["Deputy"]["caps"] == 40, "the cost is found by its id, not by its name"
    for written in ("12.5", "-3", "10000.0", "", "٣"):
        uploaded = w.changed('value="12.0"', f'value="{written}"')
        imported = w.read(uploaded)
        (note,) = [note for note in imported.report.left_out if note.name == "Long Carbine"]
        assert (note.file, note.line) == ("Made-up.gst", w.line_of(uploaded, "Made-up.gst", 'name="Long Carbine"'))
        assert f"costs “{written}" in note.words or written in ("", "٣"), note
        assert "Long Carbine" not in w.items(imported)
        assert "may_carry" not in w.models(imported)["Deputy"]


def test_modifiers_of_a_cost_apply_where_their_conditions_hold() -> None:
    battle, narrative = (holds(w.condition("force", force)) for force in (w.BATTLE, w.NARRATIVE))
    for caps, *modifiers in (
        (50, ("increment", "10.0", "")), (35, ("decrement", "5", "")),
        (45, ("set", "45", battle)), (40, ("set", "45", narrative)),
        (47, ("increment", "5", ""), ("increment", "2", "")),
        (45, ("increment", "9", ""), ("set", "45", "")), (48, ("set", "45", ""), ("increment", "3", battle)),
    ):  # fmt: skip
        imported = w.read(costing(*modifiers))
        assert w.models(imported)["Deputy"]["caps"] == caps, modifiers
        assert not [note for note in imported.report.doubts if note.name == "Deputy"], modifiers
    for caps, modifier in (
        (40, ("set", "45", UNKNOWN)), (40, ("append", "5", "")), (40, ("decrement", "50", "")),
        (40, ("set", "4.5", "")), (40, ("set", "x", "")),
        (40, ("increment", "5", '<repeats><repeat field="selections" value="1.0"/></repeats>')),
    ):  # fmt: skip
        imported = w.read(costing(modifier))
        assert w.models(imported)["Deputy"]["caps"] == caps, modifier
        assert w.said(imported.report.doubts, "Deputy", "changes in a way that is not known").question == "changes"
    group = w.tag("modifierGroup", w.tag("modifiers", w.tag("modifier", type_="increment", field=w.CAPS, value="5")))
    five = w.tag("modifiers", group)
    (link,) = re.findall(f'<entryLink [^>]*targetId="{w.id_of("Deputy")}"[^>]*>', w.files()[1][1].decode())
    imported = w.read(w.changed(link, link + five))
    assert w.models(imported)["Deputy"]["caps"] == 45, "a modifier of the link, in a group"
    perk = 'name="Perks" hidden="false">'
    imported = w.read(w.changed(perk, perk + five))
    assert w.said(imported.report.doubts, "Quick Hands", "not known here, to 15 Caps; 10 Caps").question == "changes"


def test_item_that_costs_some_models_more_is_disputed() -> None:
    five = ("increment", "5", holds(w.condition("parent", w.id_of("Deputy"))))
    imported = w.read(costing(five, at="12.0"))
    assert w.said(imported.report.doubts, "Long Carbine", "costs 17 Caps with some models").question == "costs"
    assert imported.document["disputed"] == [{"fact": "caps", "item": "Long Carbine", "here": 12, "there": 17}]
    cannon = ("increment", "5", holds(w.condition("parent", w.id_of("Drifter"))))
    assert w.items(w.read(costing(cannon, at="35.0")))["Pipe Cannon"] == 40, "the only model that may carry it"


def test_unknown_id_in_a_condition_raises_a_doubt() -> None:
    wanted = f'scope="parent" value="0.0" shared="true" childId="{w.id_of("Deputy")}"'
    imported = w.read(w.changed(wanted, wanted.replace(w.id_of("Deputy"), "dddd-0000")))
    assert w.said(imported.report.doubts, "id dddd-0000", "no file has").line
    assert "may_carry" in w.models(w.read(w.files()))["Deputy"]
    assert "may_carry" not in w.models(imported)["Deputy"]


def group_of(kind: str, *conditions: str) -> str:
    return w.tag("conditionGroup", w.tag("conditions", *conditions, " "), type_=kind)


def grouped(made: str) -> str:
    inner = w.tag("modifiers", w.tag("modifier", type_="set", field="hidden", value="false"))
    return w.tag("modifierGroups", w.tag("modifierGroup", w.tag("conditions", made), inner))


def test_conditions_are_met_not_met_or_unknown() -> None:
    """The Equipment of the first model is hidden but for a condition; None: it is not known whether it is met."""
    yes, no = w.condition("force", w.BATTLE), w.condition("force", w.NARRATIVE)
    unknown = w.condition("force", w.BATTLE, "equalTo")
    hide = w.tag("modifier", type_="set", field="hidden", value="true") + "</modifiers>"
    single = {
        yes: True, no: False, w.condition("force", w.NARRATIVE, "notInstanceOf"): True, unknown: None,
        w.condition("ancestor", w.BATTLE): True, w.condition("self", w.BATTLE): None,
        w.condition("parent", "model"): None, "<localConditionGroup/>": None,
    }  # fmt: skip
    for written, shown in (
        *((w.show(made), shown) for made, shown in single.items()),
        *((w.show(groups=[group_of(kind, *made)]), shown) for kind, made, shown in (
            ("or", (no, yes), True), ("or", (unknown, yes), True), ("or", (unknown, no), None), ("or", (), False),
            ("and", (yes, yes), True), ("and", (yes, no), False), ("and", (unknown, no), False),
            ("and", (unknown, yes), None),
        )),
        (w.show(groups=[group_of("or", yes), group_of("or", no)]), False),
        (w.show(groups=[group_of("or", yes), group_of("and", yes)]), True), (grouped(yes), True), (grouped(no), False),
        (w.show(yes).replace("</modifiers>", hide), False),  # the last modifier decides
    ):  # fmt: skip
        imported = w.read(w.changed(w.show(yes), written, "2020"))
        assert ("may_carry" in w.models(imported)["Iron Marshal"]) is (shown is True), written
        doubts = [note for note in imported.report.doubts if "not known here" in note.words]
        assert bool(doubts) is (shown is None), written


def test_stricter_of_two_limits_counts_and_minus_one_is_no_limit() -> None:
    least, most = w.limit("min"), w.limit("max")
    for both in (least + w.limit("min", "0.0"), w.limit("min", "0.0") + least):
        assert w.models(w.read(w.changed(least, both)))["Iron Marshal"]["built_in"] == ["Tin Star"]
    for both in (most + w.limit("max", "4.0"), w.limit("max", "4.0") + most):
        imported = w.read(w.everywhere(*w.COMMON, w.changed(w.ONE_MOST, w.tag("constraints", both))))
        assert w.models(imported)["Iron Marshal"]["unique"] == "Iron Marshal"
    imported = w.read(w.everywhere(*w.COMMON, w.changed(w.ONE_MOST, w.tag("constraints", w.limit("max", "-1.0")))))
    assert "unique" not in w.models(imported)["Iron Marshal"]
    assert not [note for note in imported.report.doubts if note.name == "Iron Marshal"]


def limited_each() -> list[w.File]:
    """The choice of hounds limited to two together, and each of them to one in the roster, as one is published."""
    before, name, choice = w.SYSTEM_TEXT.partition('name="The Hound"')
    choice = choice.replace(w.limit("max"), w.limit("max", "2.0"), 1)
    for face in ("Hound", "Hound in Armour"):
        head, found, own = choice.partition(f'name="{face}"')
        own = own.replace("<constraints/>", f"<constraints>{w.limit('max', scope='roster')}</constraints>", 1)
        choice = head + found + own
    return w.first_with(before + name + choice)


def test_models_of_a_choice_with_own_limits_are_separate_persons() -> None:
    imported = w.read(limited_each())
    assert w.said(imported.report.doubts, "The Hound", "persons of their own")
    assert [w.models(imported)[name]["unique"] for name in ("Hound", "Hound in Armour")] == ["Hound", "Hound in Armour"]
    assert imported.document["disputed"] == []


def test_choice_between_models_may_be_typed_as_a_model_and_cost_caps() -> None:
    kind = 'name="The Hound" hidden="false" collective="false" type="upgrade"'
    imported = w.read(w.changed(kind, kind.replace("upgrade", "model")))
    assert list(w.models(imported)) == [m["name"] for f in w.EDITION["factions"] for m in f["models"]]
    at = w.SYSTEM_TEXT.rindex('value="0.0"', 0, w.SYSTEM_TEXT.index("</sharedSelectionEntries>"))
    imported = w.read(w.first_with(w.SYSTEM_TEXT[:at] + 'value="5.0"' + w.SYSTEM_TEXT[at + len('value="0.0"') :]))
    assert w.said(imported.report.doubts, "Hound", "costs 70 Caps and the choice around it 5")
    assert w.models(imported)["Hound"]["caps"] == 75


def test_perks_and_mods_that_are_not_shown_to_all_are_kept_or_left_out() -> None:
    perk = 'name="Quick Hands" hidden="false"'
    at = w.SYSTEM_TEXT.index(">", w.SYSTEM_TEXT.index(perk)) + 1
    hidden = w.SYSTEM_TEXT[:at].replace(perk, perk.replace("false", "true"))
    imported = w.read(w.first_with(hidden + w.show(w.condition("parent", w.id_of("Deputy"))) + w.SYSTEM_TEXT[at:]))
    assert imported.document["perks"] == {"Quick Hands": 10, "Thick Skin": 15}
    assert any("Quick Hands" in worded(reading) for reading in imported.report.readings)
    imported = w.read(w.changed(perk, perk.replace("false", "true")))
    assert w.said(imported.report.left_out, "Quick Hands", "no model is shown")
    assert imported.document["perks"] == {"Thick Skin": 15}
    mods = f'id="{w.MODS}" name="Mods" hidden="false"><selectionEntries>'
    imported = w.read(w.changed(mods, mods + w.entry("Short Sight", "2.0", hidden="true")))
    assert imported.document["mods"] == {"Short Sight": 2, "Long Sight": 9}
    assert any("mods are not shown" in worded(reading) for reading in imported.report.readings)


def test_group_that_holds_itself_is_read_once() -> None:
    at = f'id="{w.EQUIPMENT}" name="Equipment" hidden="false">'
    loop = w.tag("entryLinks", w.tag("entryLink", id_="x1", name="Equipment", targetId=w.EQUIPMENT))
    imported = w.read(w.changed(at, at + loop))
    assert w.said(imported.report.doubts, "Equipment", "holds itself")
    assert w.models(imported)["Deputy"]["may_carry"] == {"Rifles": ["Long Carbine"]}


def without(end: str, shape: str = "2018") -> list[w.File]:
    return [file for file in w.files(shape) if not file[0].endswith(end)]


def of_forces(*names: str, game: str = "Made-up Wastes") -> list[w.File]:
    units = '<categoryLinks><categoryLink targetId="aa00-0000-0000-0006"/></categoryLinks>'
    forces = "".join(w.tag("forceEntry", units, id_=w.BATTLE, name=name) for name in names)
    text = re.sub("(?s)<forceEntries>.*?</forceEntries>", f"<forceEntries>{forces}</forceEntries>", w.SYSTEM_TEXT)
    return w.first_with(text.replace('name="Made-up Wastes"', f'name="{game}"'))


def test_one_force_of_this_game_is_battle_mode_whatever_its_name() -> None:
    imported = w.read(of_forces("Skirmish", game="Fallout: Wasteland Warfare"))
    assert "Deputy" in w.models(imported)
    assert any("Skirmish: read as Battle Mode" in worded(reading) for reading in imported.report.readings)


OTHER_COST = 'name="pts"/><costType id="x" name="PL" defaultCostLimit'
REFUSED: list[tuple[Callable[[], list[w.File]], str]] = [
    (list, "there is no .gst or .cat file"),
    (lambda: without(".gst"), "no game system file (.gst)"),
    (lambda: without(".cat"), "no catalogue (.cat)"),
    (lambda: without("Library.cat", "2020"), "an id that no file has"),
    (lambda: [*w.files(), ("other.gst", w.files()[0][1])], "several game systems: "),
    (lambda: [*w.files(), ("copy.cat", w.files()[1][1])], "the same catalogue as"),
    (lambda: [*w.files(), w.files()[1]], "two files have this name"),
    (lambda: w.changed(f'gameSystemId="{w.SYSTEM_ID}"', 'gameSystemId="ffff"'), "made for another game system than"),
    (lambda: w.changed(f'gameSystemId="{w.SYSTEM_ID}" ', ""), "made for another game system than"),
    (
        lambda: w.changed('name="Caps" defaultCostLimit', OTHER_COST),
        "Wastes is another game: none of its costs is called Caps (pts, PL)",
    ),
    (lambda: w.changed('name="Battle Mode"', 'name="Raids"'), "(Narrative Mode, Raids, A.I Mode)"),
    (lambda: of_forces("Crew"), "Made-up Wastes is another game: none of its forces is called Battle Mode (Crew)"),
    (lambda: of_forces(), "none of its forces is called Battle Mode (–)"),
    (lambda: [w.files()[0], ("x.cat", w.tag("catalogue", id_="x", gameSystemId=w.SYSTEM_ID).encode())], "no model"),
    (lambda: [*w.files(), ("x.cat", b"<roster/>")], "this is a roster, not a catalogue"),
]


def test_files_that_are_no_edition_and_lists_without_a_date_are_refused() -> None:
    for make, words in REFUSED:
        with pytest.raises(UnreadableEdition) as refusal:
            w.read(make())
        assert words in str(refusal.value), words
        assert all(0 < len(str(fault)) < 400 for fault in refusal.value.faults), words
    for day in ("", "2018", "2018-02-30", "٢٠١٨-٠٨-٢٠"):
        with pytest.raises(UnreadableEdition, match=r"^date: "):
            w.read(w.files(), day)
