"""Faults in published catalogues: each is noted with its name, file and line, and the edition is read without it."""

import re
from collections.abc import Callable

import pytest

from tests.validators.catalogue_writer import (
    BATTLE,
    CAPS,
    COMMON,
    DEPUTY_COSTS,
    EDITION,
    EQUIPMENT,
    HEROIC,
    MODS,
    NARRATIVE,
    ONE_MOST,
    SHAPES,
    SYSTEM_ID,
    SYSTEM_TEXT,
    CatalogueImport,
    File,
    caps_of,
    changed,
    condition,
    entry,
    everywhere,
    files,
    first_with,
    id_of,
    items,
    limit,
    line_of,
    models,
    read,
    root_entry,
    said,
    show,
    tag,
)
from validators.contract import UnreadableEdition


def test_sound_edition_leaves_nothing_out_and_raises_two_doubts() -> None:
    for shape in SHAPES:
        report = read(files(shape)).report
        assert report.left_out == ()
        listed = sorted(note.name for note in report.doubts)
        assert listed == ["Rusty Saw", "The Hound"], "the carriers of the saw, and the choice between two hounds"
        assert [question.id for question in report.questions] == ["uncarried"]
    imported = read(files())
    saw = said(imported.report.doubts, "Rusty Saw", "Narrative Mode")
    assert (saw.file, items(imported)["Rusty Saw"]) == ("Made-up.gst", 3)
    assert said(imported.report.doubts, "The Hound", "(Hound, Hound in Armour): read as faces")
    assert {models(imported)[name]["unique"] for name in ("Hound", "Hound in Armour")} == {"The Hound"}
    document = imported.document
    assert (document["name"], document["id"]) == ("Made-up Wastes, revision 7", "made-up-wastes-r7")
    assert document["source"] == "BattleScribe catalogues of Made-up Wastes, revision 7: Marshals 3, Drifters 3"


def test_copied_entry_and_repeated_id_of_a_link_raise_no_doubt() -> None:
    (heroic,) = re.findall(f'<selectionEntry id="{HEROIC}".*?</selectionEntry>', SYSTEM_TEXT, flags=re.DOTALL)
    copied = changed("</catalogue>", f"<sharedSelectionEntries>{heroic}</sharedSelectionEntries></catalogue>")
    (link, *_) = re.findall('<entryLink id="([^"]*)"', SYSTEM_TEXT)
    for uploaded in (copied, everywhere(f'<entryLink id="{link}"'.encode(), f'<entryLink id="{HEROIC}"'.encode())):
        report = read(uploaded).report
        assert sorted(note.name for note in report.doubts) == ["Rusty Saw", "The Hound"]
        assert report.left_out == ()


# ---- notes


def without_cost(name: str) -> list[File]:
    start = re.search(f'<selectionEntry id="[^"]*" name="{name}"', SYSTEM_TEXT)
    assert start is not None
    at = SYSTEM_TEXT.index("<costs>", start.start())
    if name == "Deputy":  # its built-in parts have their own costs
        at = SYSTEM_TEXT.rindex("<costs>", 0, SYSTEM_TEXT.index('value="40.0"', start.start()))
    end = SYSTEM_TEXT.index("</costs>", at) + len("</costs>")
    return first_with(SYSTEM_TEXT[:at] + SYSTEM_TEXT[end:])


def costing(*modifiers: tuple[str, str, str], at: str = "40.0") -> list[File]:
    """The edition with modifiers of an entry's cost: each has a type, a value and conditions."""
    written = (tag("modifier", holds, type_=kind, field=CAPS, value=value) for kind, value, holds in modifiers)
    return changed(caps_of(at), tag("modifiers", *written) + caps_of(at))


def holds(*conditions: str) -> str:
    return tag("conditions", *conditions, " ")


UNKNOWN = holds(condition("force", BATTLE, "atLeast"))


def typed_as_model(name: str) -> tuple[str, str]:
    """The written type of an entry, and the same as a model."""
    (written,) = re.findall(f'name="{name}" hidden="[a-z]*" collective="false" type="upgrade"', SYSTEM_TEXT)
    return written, written.replace("upgrade", "model")


def faults() -> list[tuple[bool, str, str, list[File]]]:
    """Each fault: whether an entry is left out, its name, words of the note, and the files."""
    heroic = f'targetId="{HEROIC}" type="selectionEntry"/>'
    changing = tag("modifiers", tag("modifier", type_="set", field="x1", value="2.0"))
    limited = ONE_MOST.replace("<constraint ", '<constraint id="x1" ') + changing
    free, hidden = f'typeId="{CAPS}" value="0.0"', 'name="Deputy" hidden="false" targetId'
    knife = id_of("Hooked Knife", "2020", ' hidden="false" collective')
    link = tag("entryLinks", tag("entryLink", id_="x2", name="Hooked Knife", targetId=knife))
    heavy = tag("selectionEntryGroups", tag("selectionEntryGroup", link, id_="x3", name="Heavy"))
    second = tag("selectionEntryGroup", heavy, id_="x1", name="Equipment")
    cub = tag("selectionEntries", entry("Cub", "5.0", type_="model"))
    units = '<categoryLinks><categoryLink targetId="aa00-0000-0000-0006"/></categoryLinks>'
    groups = "<sharedSelectionEntryGroups>"
    return [
        *((True, name, "no cost in Caps", without_cost(name))
          for name in ("Deputy", "Pipe Cannon", "Quick Hands", "Sheriff", "Long Sight", "Hound")),
        *((False, name, f"not known here, to {caps + 5} Caps; {caps} Caps are used",
           costing(("increment", "5.0", UNKNOWN), at=f"{caps}.0"))
          for name, caps in (("Deputy", 40), ("Long Carbine", 12), ("Thick Skin", 15))),
        (False, "Deputy", "costs 0 Caps", changed('value="40.0"', 'value="0.0"')),
        (False, "Iron Marshal", "limit changes by a condition", changed(ONE_MOST, limited)),
        (False, "Heroic", "a cost of its own", changed(heroic, heroic.replace("/>", f">{caps_of('7.0')}</entryLink>"))),
        (False, "Deputy", "a kind that no file has", changed(DEPUTY_COSTS, DEPUTY_COSTS.replace(CAPS, "nowhere"))),
        (True, "Deputy", "no cost in Caps", everywhere(b"<costTypes>", b'<costTypes><costType id="aa99" name="pts"/>',
                                                      changed(DEPUTY_COSTS, DEPUTY_COSTS.replace(CAPS, "aa99")))),
        (True, "Heroic", "eeee-0000", changed(f'targetId="{HEROIC}"', 'targetId="eeee-0000"')),
        (False, "Tough", "leads to Heroic", changed('name="Heroic" hidden="false" targetId',
                                                    'name="Tough" hidden="false" targetId')),
        (False, "Lost", "id eeee", changed("<catalogueLinks>",
                                           '<catalogueLinks><catalogueLink name="Lost" targetId="eeee"/>', "2020")),
        (False, "Deputy", "category is in no file",
         everywhere(b'<categoryEntry id="aa00-0000-0000-0006" name="Units"/>', b"")),
        (False, "Deputy", "the name of an item too (4 Caps)", changed('name="Hooked Knife"', 'name="Deputy"')),
        *((False, name, "read by its place as a part", changed(*typed_as_model(name)))
          for name in ("Quick Hands", "Sheriff", "Long Carbine")),
        (False, "Heroic", "the id of Brave", changed(
            "<sharedSelectionEntries>", f'<sharedSelectionEntries><selectionEntry id="{HEROIC}" name="Brave"/>')),
        (True, "Deputy", "(Units ai)", changed('targetId="aa00-0000-0000-0006" primary="true"',
                                               'targetId="aa00-0000-0000-0008" primary="true"')),
        (True, "Deputy", "not shown in Battle Mode", changed(hidden, hidden.replace("false", "true"))),
        (False, "Iron Marshal", "limited to 3", everywhere(*COMMON, changed(limit("max"), limit("max", "3.0")))),
        (True, "Cub", "within Deputy", changed('value="40.0"/>', f'value="40.0"/></costs>{cub}<costs>')),
        (False, "Tin Star", "costs 8 Caps, which are added", changed(free, free.replace("0.0", "8.0"))),
        (True, "Lost Flare", "nothing shows it", changed(
            "<sharedSelectionEntries>", f"<sharedSelectionEntries>{entry('Lost Flare', '6.0')}")),
        (True, "Windmill", "is no model", root_entry('<selectionEntry id="x1" name="Windmill" type="upgrade"/>')),
        (False, "Windmill", "in no category", root_entry('<selectionEntry id="x1" name="Windmill" type="upgrade"/>')),
        (False, "Turret", "no model by its type", root_entry(entry("Turret", "45.0", units, type_="upgrade"))),
        (True, "Deputy", "(40 Caps; the first, which is used, 45)", root_entry(entry("deputy", "45.0", type_="model"))),
        (False, "Hooked Knife", "Melee, Heavy: read as Melee", changed(groups, f"{groups}{second}", "2020")),
    ]  # fmt: skip


def test_each_fault_is_noted_with_its_name() -> None:
    for left_out, name, words, uploaded in faults():
        imported = read(uploaded)
        note = said(imported.report.left_out if left_out else imported.report.doubts, name, words)
        assert note.file and (note.line or name == "Lost"), note
        if "no cost" in words:
            assert f'"{name}"' not in str(imported.document).replace("'", '"')
        if left_out and name == "Deputy" and "first" not in words:
            assert "Deputy" not in models(imported), words


def test_edition_uses_the_value_named_in_each_doubt() -> None:
    """The value that is used in spite of each doubt above."""
    used = {(name, words): read(uploaded) for left_out, name, words, uploaded in faults() if not left_out}
    for (name, words), key, value in (
        (("Deputy", "costs 0 Caps"), "caps", 0), (("Deputy", "a kind that no file has"), "caps", 40),
        (("Iron Marshal", "limit changes by a condition"), "unique", "Iron Marshal"),
        (("Iron Marshal", "limited to 3"), "unique", None), (("Turret", "no model by its type"), "caps", 45),
    ):  # fmt: skip
        assert models(used[name, words])[name].get(key) == value, (name, words)
    assert used["Heroic", "a cost of its own"].document["heroic_caps"] == 60
    assert models(used["Tough", "leads to Heroic"])["Iron Marshal"]["heroic"] is True
    assert "heroic" not in models(used["Heroic", "the id of Brave"])["Iron Marshal"], "Brave is the first of the two"
    marshal = models(used["Tin Star", "costs 8 Caps, which are added"])["Iron Marshal"]
    assert (marshal["built_in"], marshal["caps"]) == (["Tin Star"], 98)
    sound = read(files()).document
    for name in ("Quick Hands", "Sheriff", "Long Carbine"):
        assert used[name, "read by its place as a part"].document | {"notes": []} == sound | {"notes": []}, name
    assert set(models(used["Turret", "no model by its type"])["Turret"]) == {"name", "caps"}


# ---- costs


def test_entry_whose_cost_is_no_whole_number_is_left_out() -> None:
    for written in ("12.5", "-3", "1e9", "10000.0", "", "٣"):
        uploaded = changed('value="12.0"', f'value="{written}"')
        imported = read(uploaded)
        (note,) = [note for note in imported.report.left_out if note.name == "Long Carbine"]
        assert (note.file, note.line) == ("Made-up.gst", line_of(uploaded, "Made-up.gst", 'name="Long Carbine"'))
        assert f"costs {written}" in note.says or written in ("", "٣"), note
        assert "Long Carbine" not in items(imported)
        assert "may_carry" not in models(imported)["Deputy"]


def test_modifiers_of_a_cost_apply_where_their_conditions_hold() -> None:
    battle, narrative = (holds(condition("force", force)) for force in (BATTLE, NARRATIVE))
    for caps, *modifiers in (
        (45, ("set", "45.0", "")), (50, ("increment", "10.0", "")), (35, ("decrement", "5", "")),
        (45, ("set", "45", battle)), (40, ("set", "45", narrative)),
        (47, ("increment", "5", ""), ("increment", "2", "")),
        (45, ("increment", "9", ""), ("set", "45", "")), (48, ("set", "45", ""), ("increment", "3", battle)),
    ):  # fmt: skip
        imported = read(costing(*modifiers))
        assert models(imported)["Deputy"]["caps"] == caps, modifiers
        assert not [note for note in imported.report.doubts if note.name == "Deputy"], modifiers
    for caps, modifier in (
        (40, ("set", "45", UNKNOWN)), (40, ("append", "5", "")), (40, ("decrement", "50", "")),
        (40, ("set", "4.5", "")), (40, ("set", "x", "")),
        (40, ("increment", "5", '<repeats><repeat field="selections" value="1.0"/></repeats>')),
    ):  # fmt: skip
        imported = read(costing(modifier))
        assert models(imported)["Deputy"]["caps"] == caps, modifier
        assert said(imported.report.doubts, "Deputy", "changes in a way that is not known").question == "changes"
    group = tag("modifierGroup", tag("modifiers", tag("modifier", type_="increment", field=CAPS, value="5")))
    five = tag("modifiers", group)
    link = re.search(f'<entryLink [^>]*targetId="{id_of("Deputy")}"[^>]*>', files()[1][1].decode())
    assert link
    imported = read(changed(link[0], link[0] + five))
    assert models(imported)["Deputy"]["caps"] == 45, "a modifier of the link, in a group"
    perk = 'name="Perks" hidden="false">'
    imported = read(changed(perk, perk + five))
    assert said(imported.report.doubts, "Quick Hands", "not known here, to 15 Caps; 10 Caps").question == "changes"


def test_item_that_costs_some_models_more_is_disputed() -> None:
    five = ("increment", "5", holds(condition("parent", id_of("Deputy"))))
    imported = read(costing(five, at="12.0"))
    assert said(imported.report.doubts, "Long Carbine", "costs 17 Caps with some models").question == "costs"
    assert imported.document["disputed"] == [{"fact": "caps", "item": "Long Carbine", "here": 12, "there": 17}]
    cannon = ("increment", "5", holds(condition("parent", id_of("Drifter"))))
    assert items(read(costing(cannon, at="35.0")))["Pipe Cannon"] == 40, "the only model that may carry it"


def test_cost_is_recognised_by_its_type_id() -> None:
    for attribute in ("typeId", "costTypeId"):
        imported = read(changed(DEPUTY_COSTS, f'name="pts" {attribute}="{CAPS}" value="40.0"'))
        assert models(imported)["Deputy"]["caps"] == 40, attribute


# ---- who may carry what


def test_unknown_id_in_a_condition_raises_a_doubt() -> None:
    wanted = f'scope="parent" value="0.0" shared="true" childId="{id_of("Deputy")}"'
    imported = read(changed(wanted, wanted.replace(id_of("Deputy"), "dddd-0000")))
    assert said(imported.report.doubts, "id dddd-0000", "no file has").line
    assert "may_carry" in models(read(files()))["Deputy"]
    assert "may_carry" not in models(imported)["Deputy"]


def group_of(kind: str, *conditions: str) -> str:
    return tag("conditionGroup", tag("conditions", *conditions, " "), type_=kind)


def grouped(made: str) -> str:
    inner = tag("modifiers", tag("modifier", type_="set", field="hidden", value="false"))
    return tag("modifierGroups", tag("modifierGroup", tag("conditions", made), inner))


def test_conditions_are_met_not_met_or_unknown() -> None:
    """The Equipment of the first model is hidden but for a condition; None: it is not known whether it is met."""
    yes, no, unknown = condition("force", BATTLE), condition("force", NARRATIVE), condition("force", BATTLE, "equalTo")
    hide = tag("modifier", type_="set", field="hidden", value="true") + "</modifiers>"
    single = {
        yes: True, no: False, condition("force", NARRATIVE, "notInstanceOf"): True, condition("ancestor", BATTLE): True,
        condition("force", BATTLE, "atLeast"): None, condition("self", BATTLE): None,
        condition("parent", "model"): None, "<localConditionGroup/>": None,
    }  # fmt: skip
    for written, shown in (
        *((show(made), shown) for made, shown in single.items()),
        (show(groups=[group_of("or", no, yes)]), True),
        (show(groups=[group_of("or", no, no)]), False),
        (show(groups=[group_of("or", unknown, yes)]), True),
        (show(groups=[group_of("or", unknown, no)]), None),
        (show(groups=[group_of("or")]), False),
        (show(groups=[group_of("and", yes, yes)]), True),
        (show(groups=[group_of("and", yes, no)]), False),
        (show(groups=[group_of("and", unknown, no)]), False),
        (show(groups=[group_of("and", unknown, yes)]), None),
        (show(groups=[group_of("or", yes), group_of("or", no)]), False),
        (show(groups=[group_of("or", yes), group_of("and", yes)]), True),
        (grouped(yes), True),
        (grouped(no), False),
        (show(yes).replace("</modifiers>", hide), False),  # the last modifier decides
    ):
        imported = read(changed(show(yes), written, "2020"))
        assert ("may_carry" in models(imported)["Iron Marshal"]) is (shown is True), written
        doubts = [note for note in imported.report.doubts if "not known here" in note.says]
        assert bool(doubts) is (shown is None), written


# ---- unique, limits, faces


def test_stricter_of_two_limits_counts_and_minus_one_is_no_limit() -> None:
    def of(old: str, new: str) -> CatalogueImport:
        return read(everywhere(*COMMON, changed(old, new)))

    least, most = limit("min"), limit("max")
    for both in (least + limit("min", "0.0"), limit("min", "0.0") + least):
        assert models(read(changed(least, both)))["Iron Marshal"]["built_in"] == ["Tin Star"]
    for both in (most + limit("max", "4.0"), limit("max", "4.0") + most):
        assert models(of(ONE_MOST, tag("constraints", both)))["Iron Marshal"]["unique"] == "Iron Marshal"
    imported = of(ONE_MOST, tag("constraints", limit("max", "-1.0")))
    assert "unique" not in models(imported)["Iron Marshal"]
    assert not [note for note in imported.report.doubts if note.name == "Iron Marshal"]


def limited_each(uploaded: list[File]) -> list[File]:
    """The choice of hounds limited to two together, and each of them to one in the roster, as one is published."""
    name, data = uploaded[0]
    text = data.decode()
    start = text.index('name="The Hound"')
    before, choice = text[:start], text[start:]
    choice = choice.replace(limit("max"), limit("max", "2.0"), 1)
    for face in ("Hound", "Hound in Armour"):
        at = choice.index(f'name="{face}"')
        own = choice[at:].replace("<constraints/>", f"<constraints>{limit('max', scope='roster')}</constraints>", 1)
        choice = choice[:at] + own
    return [(name, (before + choice).encode()), *uploaded[1:]]


def test_models_of_a_choice_with_own_limits_are_separate_persons() -> None:
    imported = read(limited_each(files()))
    assert said(imported.report.doubts, "The Hound", "persons of their own")
    assert [models(imported)[name]["unique"] for name in ("Hound", "Hound in Armour")] == ["Hound", "Hound in Armour"]
    assert imported.document["disputed"] == []


def test_choice_between_models_may_be_typed_as_a_model_and_cost_caps() -> None:
    kind = 'name="The Hound" hidden="false" collective="false" type="upgrade"'
    imported = read(changed(kind, kind.replace("upgrade", "model")))
    assert list(models(imported)) == [m["name"] for f in EDITION["factions"] for m in f["models"]]
    at = SYSTEM_TEXT.rindex('value="0.0"', 0, SYSTEM_TEXT.index("</sharedSelectionEntries>"))
    imported = read(first_with(SYSTEM_TEXT[:at] + 'value="5.0"' + SYSTEM_TEXT[at + len('value="0.0"') :]))
    assert said(imported.report.doubts, "Hound", "costs 70 Caps and the choice around it 5")
    assert models(imported)["Hound"]["caps"] == 75


# ---- perks, mods, groups


def test_perk_shown_to_some_models_is_kept_and_to_none_is_left_out() -> None:
    perk = 'name="Quick Hands" hidden="false"'
    at = SYSTEM_TEXT.index(">", SYSTEM_TEXT.index(perk)) + 1
    hidden = SYSTEM_TEXT[:at].replace(perk, perk.replace("false", "true"))
    imported = read(first_with(hidden + show(condition("parent", id_of("Deputy"))) + SYSTEM_TEXT[at:]))
    assert imported.document["perks"] == {"Quick Hands": 10, "Thick Skin": 15}
    assert any("Quick Hands" in reading for reading in imported.report.readings)
    imported = read(changed(perk, perk.replace("false", "true")))
    assert said(imported.report.left_out, "Quick Hands", "no model is shown")
    assert imported.document["perks"] == {"Thick Skin": 15}


def test_group_that_holds_itself_is_read_once() -> None:
    at = f'id="{EQUIPMENT}" name="Equipment" hidden="false">'
    loop = tag("entryLinks", tag("entryLink", id_="x1", name="Equipment", targetId=EQUIPMENT))
    imported = read(changed(at, at + loop))
    assert said(imported.report.doubts, "Equipment", "holds itself")
    assert models(imported)["Deputy"]["may_carry"] == {"Rifles": ["Long Carbine"]}


def test_mods_hidden_from_some_items_are_kept_and_reported() -> None:
    at = f'id="{MODS}" name="Mods" hidden="false"><selectionEntries>'
    imported = read(changed(at, at + entry("Short Sight", "2.0", hidden="true")))
    assert imported.document["mods"] == {"Short Sight": 2, "Long Sight": 9}
    assert any("mods are not shown" in reading for reading in imported.report.readings)


# ---- refused


def without(end: str, shape: str = "2018") -> list[File]:
    return [file for file in files(shape) if not file[0].endswith(end)]


def of_forces(*names: str, game: str = "Made-up Wastes") -> list[File]:
    """The edition in a game system of this name with these forces."""
    units = '<categoryLinks><categoryLink targetId="aa00-0000-0000-0006"/></categoryLinks>'
    forces = "".join(tag("forceEntry", units, id_=BATTLE, name=name) for name in names)
    text = re.sub("(?s)<forceEntries>.*?</forceEntries>", f"<forceEntries>{forces}</forceEntries>", SYSTEM_TEXT)
    return first_with(text.replace('name="Made-up Wastes"', f'name="{game}"'))


def test_one_force_of_this_game_is_battle_mode_whatever_its_name() -> None:
    imported = read(of_forces("Skirmish", game="Fallout: Wasteland Warfare"))
    assert "Deputy" in models(imported)
    assert any("Skirmish: read as Battle Mode" in reading for reading in imported.report.readings)


OTHER_COST = 'name="pts"/><costType id="x" name="PL" defaultCostLimit'
REFUSED: list[tuple[Callable[[], list[File]], str]] = [
    (list, "holds no .gst or .cat file"),
    (lambda: without(".gst"), "no game system file (.gst)"),
    (lambda: without(".cat"), "no catalogue (.cat)"),
    (lambda: without("Library.cat", "2020"), "an id that no file has"),
    (lambda: [*files(), ("other.gst", files()[0][1])], "2 game systems"),
    (lambda: [*files(), ("copy.cat", files()[1][1])], "the same catalogue as"),
    (lambda: [*files(), files()[1]], "two files have this name"),
    (lambda: changed(f'gameSystemId="{SYSTEM_ID}"', 'gameSystemId="ffff"'), "another game system (ffff)"),
    (lambda: changed(f'gameSystemId="{SYSTEM_ID}" ', ""), "another game system (none named)"),
    (
        lambda: changed('name="Caps" defaultCostLimit', OTHER_COST),
        "Made-up Wastes is another game: its costs are pts, PL",
    ),
    (lambda: changed('name="Caps" defaultCostLimit', 'name="pts" defaultCostLimit'), "its costs are pts, and none is"),
    (lambda: changed('name="Battle Mode"', 'name="Raids"'), "(Narrative Mode, Raids, A.I Mode)"),
    (lambda: of_forces("Crew"), "Made-up Wastes is another game: none of its forces is called Battle Mode (Crew)"),
    (lambda: of_forces(), "none of its forces is called Battle Mode (it has none)"),
    (lambda: [files()[0], ("x.cat", tag("catalogue", id_="x", gameSystemId=SYSTEM_ID).encode())], "no model"),
    (lambda: [*files(), ("x.cat", b"<roster/>")], "a roster, no catalogue"),
]


def test_files_that_are_no_edition_are_refused() -> None:
    for make, words in REFUSED:
        with pytest.raises(UnreadableEdition) as refusal:
            read(make())
        assert words in str(refusal.value), words
        assert all(0 < len(fault) < 400 for fault in refusal.value.faults), words


def test_date_of_the_lists_is_required() -> None:
    for day in ("", "2018", "20 August 2018", "2018-13-01", "2018-02-30", "٢٠١٨-٠٨-٢٠"):
        with pytest.raises(UnreadableEdition, match="the date"):
            read(files(), day)
