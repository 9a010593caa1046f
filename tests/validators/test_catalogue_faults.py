"""What is wrong in published catalogues is told with its name, file and line, and never believed in silence."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.validators.catalogue_writer import (
    BATTLE,
    CAPS,
    EQUIPMENT,
    HEROIC,
    LEADER,
    MODS,
    NARRATIVE,
    SYSTEM_ID,
    Edition,
    File,
    condition,
    in_the_shape_of_2018,
    in_the_shape_of_2020,
    limit,
    show,
    tag,
)
from validators.battle_mode.catalogues.read import CatalogueImport, import_catalogues
from validators.battle_mode.catalogues.report import Note
from validators.contract import UnreadableEdition

EDITION: Edition = {
    "heroic_caps": 60,
    "factions": [
        {"name": "Marshals", "models": [
            {"name": "Iron Marshal", "caps": 90, "unique": "Iron Marshal", "heroic": True,
             "built_in": ["Tin Star"], "may_carry": {"Rifles": ["Long Carbine"], "Melee": ["Hooked Knife"]}},
            {"name": "Deputy", "caps": 40, "heroic": True, "may_carry": {"Rifles": ["Long Carbine"]}},
            {"name": "Hound", "caps": 70, "unique": "The Hound"},
            {"name": "Hound in Armour", "caps": 75, "unique": "The Hound"},
        ]},
        {"name": "Drifters", "models": [{"name": "Drifter", "caps": 30, "may_carry": {"Heavy": ["Pipe Cannon"]}}]},
    ],
    "items": [
        {"category": "Weapons", "kind": "Heavy", "heavy": True, "takes_mod": True, "caps": {"Pipe Cannon": 35}},
        {"category": "Weapons", "kind": "Rifles", "heavy": False, "takes_mod": True, "caps": {"Long Carbine": 12}},
        {"category": "Weapons", "kind": "Melee", "heavy": False, "takes_mod": False,
         "caps": {"Hooked Knife": 4, "Rusty Saw": 3}},
    ],
    "mods": {"Long Sight": 9}, "perks": {"Quick Hands": 10, "Thick Skin": 15}, "leader_cards": {"Sheriff": 35},
}  # fmt: skip
SHAPES = {"2018": in_the_shape_of_2018, "2020": in_the_shape_of_2020}


def files(shape: str = "2018") -> list[File]:
    """The edition above as catalogues."""
    return SHAPES[shape](EDITION)


def changed(old: str, new: str, shape: str = "2018", times: int = 1) -> list[File]:
    """The same with a text replaced, which must stand there."""
    written = [(name, data.decode()) for name, data in files(shape)]
    assert sum(text.count(old) for _, text in written) >= 1, "the text to change is not in the files"
    made: list[File] = []
    for name, text in written:
        here = min(times, text.count(old))
        times -= here
        made.append((name, text.replace(old, new, here).encode()))
    return made


def read(uploaded: list[File]) -> CatalogueImport:
    """The import of these files."""
    return import_catalogues(uploaded, "2024-06-01")


def models(imported: CatalogueImport) -> dict[str, dict[str, Any]]:
    """Every model by its name."""
    return {model["name"]: model for faction in imported.document["factions"] for model in faction["models"]}


def items(imported: CatalogueImport) -> dict[str, int]:
    """Every item and its cost."""
    return {name: caps for group in imported.document["items"] for name, caps in group["caps"].items()}


def said(notes: tuple[Note, ...], name: str, words: str) -> Note:
    """The one note on this name that has these words."""
    (found,) = [note for note in notes if note.name == name and words in note.says]
    return found


def line_of(uploaded: list[File], file: str, text: str) -> int:
    """The line on which a text first stands."""
    before, found, _ = dict(uploaded)[file].decode().partition(text)
    assert found
    return before.count("\n") + 1


@pytest.mark.parametrize("shape", SHAPES)
def test_a_sound_edition_has_nothing_left_out_and_one_doubt(shape: str) -> None:
    report = read(files(shape)).report
    assert report.left_out == ()
    told = sorted(note.name for note in report.doubts)
    assert told == ["Rusty Saw", "The Hound"], "who may carry the saw, and what the choice of hounds means"
    assert report.factions == {"Marshals": 4, "Drifters": 1}


# ---- costs


@pytest.mark.parametrize(("written", "words"), [
    ("12.5", "costs 12.5 Caps, which is no whole number"),
    ("-3", "costs -3 Caps, which is no whole number"),
    ("1e9", "costs 1e9 Caps, which is no whole number"),
    ("10000.0", "costs 10000.0 Caps, which is no whole number of 0 to 9999"),
    ("", "costs nothing that is written Caps"),
    ("٣", "which is no whole number"),
])  # fmt: skip
def test_a_cost_that_is_no_whole_number(written: str, words: str) -> None:
    uploaded = changed('value="12.0"', f'value="{written}"')
    imported = read(uploaded)
    note = said(imported.report.left_out, "Long Carbine", words)
    assert (note.file, note.line) == ("Made-up.gst", line_of(uploaded, "Made-up.gst", 'name="Long Carbine"'))
    assert "Long Carbine" not in items(imported)
    assert "may_carry" not in models(imported)["Deputy"]


@pytest.mark.parametrize("name", ["Deputy", "Pipe Cannon", "Quick Hands", "Sheriff", "Long Sight", "Hound"])
def test_a_missing_cost(name: str) -> None:
    written = dict(files())["Made-up.gst"].decode()
    start = re.search(f'<selectionEntry id="[^"]*" name="{name}"', written)
    if start is None:  # attributes stand behind the inner tags' own entry
        start = re.search(f'name="{name}" hidden="[a-z]*" collective', written)
    assert start is not None
    at = written.index("<costs>", start.start())
    end = written.index("</costs>", at)
    # The first costs behind the tag are its own where it holds no other entry.
    if name == "Deputy":
        at = written.index('value="40.0"', start.start())
        at, end = written.rindex("<costs>", 0, at), written.index("</costs>", at)
    text = written[:at] + written[end + len("</costs>") :]
    imported = read([("Made-up.gst", text.encode()), *files()[1:]])
    assert said(imported.report.left_out, name, "has no cost in Caps").line
    assert f'"{name}"' not in str(imported.document).replace("'", '"')


def test_a_cost_of_nothing_is_kept_and_doubted() -> None:
    imported = read(changed('value="40.0"', 'value="0.0"'))
    assert models(imported)["Deputy"]["caps"] == 0
    assert said(imported.report.doubts, "Deputy", "costs 0 Caps")


def test_two_entries_of_one_name_and_different_costs() -> None:
    double = '<selectionEntry id="x1" name="long  carbine" type="upgrade"><costs><cost name="Caps" ' \
             f'typeId="{CAPS}" value="14.0"/></costs></selectionEntry>'  # fmt: skip
    group = tag("selectionEntryGroup", tag("selectionEntries", double), id_="x2", name="Equipment")
    uploaded = changed("<sharedSelectionEntryGroups>", f"<sharedSelectionEntryGroups>{group}")
    imported = read(uploaded)
    assert items(imported)["Long Carbine"] == 12, "the one that models may carry"
    note = said(imported.report.doubts, "long carbine", "costs 14 Caps; another entry of this name")
    assert note.line == line_of(uploaded, "Made-up.gst", 'id="x1"')
    assert imported.document["disputed"] == [{"fact": "caps", "item": "Long Carbine", "here": 12, "there": 14}]


@pytest.mark.parametrize(("name", "caps"), [("Deputy", 40), ("Long Carbine", 12), ("Thick Skin", 15)])
def test_a_cost_that_changes_by_a_condition(name: str, caps: int) -> None:
    costs = tag("costs", tag("cost", name="Caps", typeId=CAPS, value=f"{caps}.0"))
    modifier = tag("modifiers", tag("modifier", type_="increment", field=CAPS, value="5.0"))
    imported = read(changed(costs, modifier + costs))
    assert said(imported.report.doubts, name, "its cost changes by a condition; the written cost is used")


def test_a_limit_that_changes_by_a_condition() -> None:
    changing = tag("modifiers", tag("modifier", type_="set", field="x1", value="2.0"))
    limited = f"<constraints>{limit('max')}</constraints>"
    imported = read(changed(limited, limited.replace("<constraint ", '<constraint id="x1" ') + changing))
    assert said(imported.report.doubts, "Iron Marshal", "its limit changes by a condition; the written limit is used")
    assert models(imported)["Iron Marshal"]["unique"] == "Iron Marshal"


def test_a_link_with_a_cost_of_its_own() -> None:
    link = f'targetId="{HEROIC}" type="selectionEntry"/>'
    own = tag("costs", tag("cost", name="Caps", typeId=CAPS, value="7.0"))
    imported = read(changed(link, link.replace("/>", f">{own}</entryLink>")))
    assert said(imported.report.doubts, "Heroic", "the link has a cost of its own, which is not counted")
    assert imported.document["heroic_caps"] == 60


def test_a_cost_of_an_unknown_kind_counts_if_it_is_called_caps() -> None:
    uploaded = changed(f'typeId="{CAPS}" value="40.0"', 'typeId="nowhere" value="40.0"')
    imported = read(uploaded)
    assert models(imported)["Deputy"]["caps"] == 40
    assert said(imported.report.doubts, "Deputy", "its cost is of a kind that no file has")


@pytest.mark.parametrize("attribute", ["typeId", "costTypeId"])
def test_a_cost_is_known_by_its_kind_whatever_it_is_called(attribute: str) -> None:
    imported = read(
        changed(f'name="Caps" typeId="{CAPS}" value="40.0"', f'name="pts" {attribute}="{CAPS}" value="40.0"')
    )
    assert models(imported)["Deputy"]["caps"] == 40


def test_a_cost_of_another_kind_is_none() -> None:
    text = changed(f'typeId="{CAPS}" value="40.0"', 'typeId="aa99" value="40.0"')
    uploaded = [(n, d.replace(b"<costTypes>", b'<costTypes><costType id="aa99" name="pts"/>')) for n, d in text]
    assert said(read(uploaded).report.left_out, "Deputy", "has no cost in Caps")


# ---- who may carry what


def test_a_model_that_shows_every_item() -> None:
    uploaded = [(n, re.sub(rb'hidden="true" collective', b'hidden="false" collective', d)) for n, d in files()]
    imported = read(uploaded)
    note = said(imported.report.doubts, "Deputy", "may carry 4 of all 4 items")
    assert note.line == line_of(uploaded, "Made-up.gst", 'name="Deputy"')
    assert sum(map(len, models(imported)["Hound"].get("may_carry", {}).values())) == 4


def test_an_item_that_only_another_mode_shows() -> None:
    imported = read(files())
    note = said(
        imported.report.doubts, "Rusty Saw", "no model may carry it in Battle Mode; it is shown in Narrative Mode"
    )
    assert note.file == "Made-up.gst"
    assert items(imported)["Rusty Saw"] == 3


def test_an_id_in_a_condition_that_no_file_has() -> None:
    edition = read(files()).document
    deputy = re.search(rb'id="([^"]*)" name="Deputy"', files()[0][1])
    assert deputy
    wanted = f'scope="parent" value="0.0" shared="true" childId="{deputy[1].decode()}"'
    uploaded = changed(wanted, wanted.replace(deputy[1].decode(), "dddd-0000"))
    imported = read(uploaded)
    assert said(imported.report.doubts, "id dddd-0000", "a condition names this id, which no file has").line
    assert "may_carry" in models(CatalogueImport(edition, imported.report))["Deputy"]
    assert "may_carry" not in models(imported)["Deputy"]


@pytest.mark.parametrize(("made", "understood"), [
    (condition("force", BATTLE), True),
    (condition("force", NARRATIVE), False),
    (condition("force", NARRATIVE, "notInstanceOf"), True),
    (condition("ancestor", BATTLE), True),
    (condition("force", BATTLE, "atLeast"), None),
    (condition("self", BATTLE), None),
    (condition("parent", "model"), None),
    ("<localConditionGroup/>", None),
])  # fmt: skip
def test_conditions_that_are_met_not_met_and_not_known(made: str, understood: bool | None) -> None:
    """The Equipment of the first model is hidden but for this condition."""
    uploaded = changed(condition("force", BATTLE), made, "2020")
    imported = read(uploaded)
    assert ("may_carry" in models(imported)["Iron Marshal"]) is (understood is True)
    doubts = [note for note in imported.report.doubts if "a condition that is not known here" in note.says]
    assert bool(doubts) is (understood is None)


def group_of(kind: str, *conditions: str) -> str:
    """A condition group."""
    return tag("conditionGroup", tag("conditions", *conditions, " "), type_=kind)


YES, NO, UNKNOWN = condition("force", BATTLE), condition("force", NARRATIVE), condition("force", BATTLE, "equalTo")


@pytest.mark.parametrize(("groups", "shown"), [
    ([group_of("or", NO, YES)], True),
    ([group_of("or", NO, NO)], False),
    ([group_of("or", UNKNOWN, YES)], True),
    ([group_of("or", UNKNOWN, NO)], False),
    ([group_of("or")], False),
    ([group_of("and", YES, YES)], True),
    ([group_of("and", YES, NO)], False),
    ([group_of("and", UNKNOWN, NO)], False),
    ([group_of("and", UNKNOWN, YES)], False),
    ([group_of("or", YES), group_of("or", NO)], False),
    ([group_of("or", YES), group_of("and", YES)], True),
])  # fmt: skip
def test_groups_of_conditions(groups: list[str], shown: bool) -> None:
    uploaded = changed(show(condition("force", BATTLE)), show(groups=groups), "2020")
    imported = read(uploaded)
    assert ("may_carry" in models(imported)["Iron Marshal"]) is shown
    matters = groups in ([group_of("or", UNKNOWN, NO)], [group_of("and", UNKNOWN, YES)])
    assert any("not known here" in note.says for note in imported.report.doubts) is matters


def test_a_group_of_modifiers_with_one_condition() -> None:
    for made, shown in ((YES, True), (NO, False)):
        inner = tag("modifiers", tag("modifier", type_="set", field="hidden", value="false"))
        grouped = tag("modifierGroups", tag("modifierGroup", tag("conditions", made), inner))
        uploaded = changed(show(condition("force", BATTLE)), grouped, "2020")
        assert ("may_carry" in models(read(uploaded))["Iron Marshal"]) is shown


def test_a_later_modifier_has_the_last_word() -> None:
    hide = tag("modifier", type_="set", field="hidden", value="true") + "</modifiers>"
    uploaded = changed(show(YES), show(YES).replace("</modifiers>", hide), "2020")
    assert "may_carry" not in models(read(uploaded))["Iron Marshal"]


# ---- links and categories


def test_a_link_to_an_id_that_no_file_has() -> None:
    uploaded = changed(f'targetId="{HEROIC}"', 'targetId="eeee-0000"')
    note = said(read(uploaded).report.left_out, "Heroic", "the link leads to an id that no file has (eeee-0000)")
    assert note.line == line_of(uploaded, "Made-up.gst", "eeee-0000")


def test_a_link_that_is_called_otherwise_than_its_target() -> None:
    uploaded = changed('name="Heroic" hidden="false" targetId', 'name="Tough" hidden="false" targetId')
    imported = read(uploaded)
    assert said(imported.report.doubts, "Tough", "the link leads to Heroic, which is called otherwise")
    assert models(imported)["Iron Marshal"]["heroic"] is True


def test_a_missing_library_is_named() -> None:
    uploaded = [file for file in files("2020") if file[0] != "Library.cat"]
    with pytest.raises(UnreadableEdition, match="no model of Battle Mode") as refusal:
        read(uploaded)
    assert any("the link leads to an id that no file has" in fault for fault in refusal.value.faults)


def test_a_catalogue_link_that_leads_nowhere() -> None:
    uploaded = changed("<catalogueLinks>", '<catalogueLinks><catalogueLink name="Lost" targetId="eeee"/>', "2020")
    assert said(read(uploaded).report.doubts, "Lost", "the upload does not hold this catalogue (id eeee)")


def test_a_category_that_no_file_has() -> None:
    uploaded = [(n, d.replace(b'<categoryEntry id="aa00-0000-0000-0006" name="Units"/>', b"")) for n, d in files()]
    assert said(read(uploaded).report.doubts, "Deputy", "its category is in no file")


def test_one_id_twice() -> None:
    uploaded = changed(
        "<sharedSelectionEntries>", f'<sharedSelectionEntries><selectionEntry id="{HEROIC}" name="Brave"/>'
    )
    imported = read(uploaded)
    assert said(imported.report.doubts, "Heroic", "has the id of Brave")


def test_what_stands_under_a_category_of_another_mode() -> None:
    uploaded = changed('targetId="aa00-0000-0000-0006" primary="true"', 'targetId="aa00-0000-0000-0008" primary="true"')
    imported = read(uploaded)
    assert said(imported.report.left_out, "Deputy", "its category is not one of Battle Mode's (Units ai)")
    assert "Deputy" not in models(imported)


def test_a_model_that_is_hidden_in_battle_mode() -> None:
    uploaded = changed('name="Deputy" hidden="false" targetId', 'name="Deputy" hidden="true" targetId')
    assert said(read(uploaded).report.left_out, "Deputy", "not shown in Battle Mode")


# ---- unique, limits, faces


def test_unique_by_its_limit_only_and_by_its_category_only() -> None:
    by_limit = read(
        changed('targetId="aa00-0000-0000-0007" primary="true"', 'targetId="aa00-0000-0000-0006" primary="true"')
    )
    assert said(by_limit.report.doubts, "Iron Marshal", "limited to one, but not under Unique Units: read as unique")
    by_category = read(changed(f"<constraints>{limit('max')}</constraints>", "<constraints/>"))
    assert said(by_category.report.doubts, "Iron Marshal", "under Unique Units, but not limited to one: read as unique")
    for imported in (by_limit, by_category):
        assert models(imported)["Iron Marshal"]["unique"] == "Iron Marshal"
        dispute = {"fact": "unique", "faction": "Marshals", "model": "Iron Marshal", "here": True, "there": False}
        assert imported.document["disputed"] == [dispute]


def test_a_limit_that_is_not_one() -> None:
    uploaded = changed(limit("max"), limit("max", "3.0"))
    uploaded = [(n, d.replace(b'0007" primary', b'0006" primary')) for n, d in uploaded]
    imported = read(uploaded)
    assert said(imported.report.doubts, "Iron Marshal", "limited to 3; an edition knows unique or not")
    assert "unique" not in models(imported)["Iron Marshal"]


def test_minus_one_is_no_limit() -> None:
    uploaded = changed(
        f"<constraints>{limit('max')}</constraints>", f"<constraints>{limit('max', '-1.0')}</constraints>"
    )
    uploaded = [(n, d.replace(b'0007" primary', b'0006" primary')) for n, d in uploaded]
    imported = read(uploaded)
    assert "unique" not in models(imported)["Iron Marshal"]
    assert not [note for note in imported.report.doubts if note.name == "Iron Marshal"]


def test_faces_of_one_person_are_told() -> None:
    imported = read(files())
    assert said(imported.report.doubts, "The Hound", "a choice of models (Hound, Hound in Armour): read as faces")
    assert {models(imported)[name]["unique"] for name in ("Hound", "Hound in Armour")} == {"The Hound"}


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


def test_a_choice_of_models_that_are_limited_each_by_itself() -> None:
    imported = read(limited_each(files()))
    assert said(imported.report.doubts, "The Hound", "read as persons of their own, each limited to one")
    assert [models(imported)[name]["unique"] for name in ("Hound", "Hound in Armour")] == ["Hound", "Hound in Armour"]
    assert imported.document["disputed"] == []


def test_a_choice_of_models_that_is_itself_of_type_model() -> None:
    kind = 'name="The Hound" hidden="false" collective="false" type="upgrade"'
    imported = read(changed(kind, kind.replace("upgrade", "model")))
    assert list(models(imported)) == [m["name"] for f in EDITION["factions"] for m in f["models"]]


def test_a_choice_of_models_with_a_cost_of_its_own() -> None:
    written = files()[0][1].decode()
    at = written.rindex('value="0.0"', 0, written.index("</sharedSelectionEntries>"))
    uploaded = [
        ("Made-up.gst", (written[:at] + 'value="5.0"' + written[at + len('value="0.0"') :]).encode()),
        *files()[1:],
    ]
    imported = read(uploaded)
    assert said(imported.report.doubts, "Hound", "costs 70 Caps and the choice around it 5: added up")
    assert models(imported)["Hound"]["caps"] == 75


def test_a_model_within_a_model() -> None:
    priced = tag("costs", tag("cost", name="Caps", typeId=CAPS, value="5.0"))
    inner = tag("selectionEntries", tag("selectionEntry", priced, id_="x1", name="Cub", type_="model"))
    imported = read(changed('value="40.0"/>', f'value="40.0"/></costs>{inner}<costs>'))
    assert said(imported.report.left_out, "Cub", "a model within Deputy; an edition's models stand alone")
    assert "Cub" not in models(imported)


# ---- what an edition's file cannot hold


def test_who_shows_no_leader_and_who_no_perks() -> None:
    written = files()[0][1].decode()
    at = written.index('name="Deputy"')
    deputy = written.rindex(f'targetId="{LEADER}"', 0, written.index('value="40.0"'))
    assert deputy > at
    link = written.rindex("<entryLink", 0, deputy)
    text = written[:link] + written[written.index("/>", deputy) + 2 :]
    imported = read([("Made-up.gst", text.encode()), *files()[1:]])
    assert said(imported.report.doubts, "Deputy", "shows no Leader cards; an edition's file cannot refuse them")


def test_a_part_that_is_built_in_and_has_a_cost() -> None:
    free = f'typeId="{CAPS}" value="0.0"'
    imported = read(changed(free, free.replace("0.0", "8.0")))
    assert said(imported.report.doubts, "Tin Star", "built into Iron Marshal and costs 8 Caps, which are not counted")
    assert models(imported)["Iron Marshal"]["built_in"] == ["Tin Star"]


def test_of_two_least_numbers_the_stricter_counts() -> None:
    least = limit("min")
    for both in (least + limit("min", "0.0"), limit("min", "0.0") + least):
        assert models(read(changed(least, both)))["Iron Marshal"]["built_in"] == ["Tin Star"]


def test_of_two_most_numbers_the_stricter_counts() -> None:
    most = f"<constraints>{limit('max')}</constraints>"
    for both in (limit("max") + limit("max", "4.0"), limit("max", "4.0") + limit("max")):
        uploaded = [
            (n, d.replace(b'0007" primary', b'0006" primary')) for n, d in changed(most, tag("constraints", both))
        ]
        assert models(read(uploaded))["Iron Marshal"]["unique"] == "Iron Marshal"


def test_a_part_that_is_spelt_nearly_as_an_item() -> None:
    imported = read(changed('name="Tin Star"', 'name="Hokked Knife"'))
    assert said(
        imported.report.doubts, "Iron Marshal", "Hokked Knife is built in; is it meant to be the item Hooked Knife?"
    )


def test_what_nothing_shows() -> None:
    cost = tag("costs", tag("cost", name="Caps", typeId=CAPS, value="6.0"))
    loose = tag("selectionEntry", cost, id_="x1", name="Lost Flare")
    imported = read(changed("<sharedSelectionEntries>", f"<sharedSelectionEntries>{loose}"))
    assert said(imported.report.left_out, "Lost Flare", "nothing shows it to a model in Battle Mode")


def root_entry(inner: str) -> list[File]:
    """The edition with an entry at the root of its first catalogue."""
    name, data = files()[1]
    assert name.endswith(".cat")
    text = data.decode().replace("<entryLinks>", f"<selectionEntries>{inner}</selectionEntries><entryLinks>", 1)
    return [files()[0], (name, text.encode()), *files()[2:]]


def test_what_stands_by_itself_and_is_no_model() -> None:
    imported = read(root_entry('<selectionEntry id="x1" name="Windmill" type="upgrade"/>'))
    assert said(imported.report.left_out, "Windmill", "stands by itself and is no model").file == "00_faction.cat"
    assert said(imported.report.doubts, "Windmill", "stands in no category")


def test_a_model_that_is_no_model_by_its_type() -> None:
    units = '<categoryLinks><categoryLink targetId="aa00-0000-0000-0006"/></categoryLinks>'
    priced = f'<costs><cost name="Caps" typeId="{CAPS}" value="45.0"/></costs>'
    imported = read(
        root_entry(f'<selectionEntry id="x1" name="Turret" type="upgrade">{units}{priced}</selectionEntry>')
    )
    assert said(imported.report.doubts, "Turret", "stands by itself but is no model by its type")
    assert models(imported)["Turret"] == {"name": "Turret", "caps": 45}


def test_a_second_model_of_one_name() -> None:
    priced = f'<costs><cost name="Caps" typeId="{CAPS}" value="45.0"/></costs>'
    imported = read(root_entry(f'<selectionEntry id="x1" name="deputy" type="model">{priced}</selectionEntry>'))
    assert said(
        imported.report.left_out, "Deputy", "a second model of this name (40 Caps; the first, which is used, 45)"
    )


def test_an_item_under_two_kinds() -> None:
    knife = re.search(rb'id="([^"]*)" name="Hooked Knife" hidden="false" collective', files("2020")[0][1])
    assert knife
    link = tag("entryLinks", tag("entryLink", id_="x2", name="Hooked Knife", targetId=knife[1].decode()))
    heavy = tag("selectionEntryGroups", tag("selectionEntryGroup", link, id_="x3", name="Heavy"))
    group = tag("selectionEntryGroup", heavy, id_="x1", name="Equipment")
    imported = read(changed("<sharedSelectionEntryGroups>", f"<sharedSelectionEntryGroups>{group}", "2020"))
    assert said(imported.report.doubts, "Hooked Knife", "stands under Melee, Heavy: read as Melee")


def test_a_perk_for_some_models_only() -> None:
    perk = 'name="Quick Hands" hidden="false"'
    deputy = re.search(rb'id="([^"]*)" name="Deputy"', files()[0][1])
    assert deputy
    written = files()[0][1].decode()
    at = written.index(">", written.index(perk)) + 1
    gated = (
        written[:at].replace(perk, perk.replace("false", "true"))
        + show(condition("parent", deputy[1].decode()))
        + written[at:]
    )
    imported = read([("Made-up.gst", gated.encode()), *files()[1:]])
    assert imported.document["perks"] == {"Quick Hands": 10, "Thick Skin": 15}
    assert any("Quick Hands: a perk that only some models are shown" in r for r in imported.report.readings)


def test_a_perk_that_no_model_is_shown() -> None:
    perk = 'name="Quick Hands" hidden="false"'
    imported = read(changed(perk, perk.replace("false", "true")))
    assert said(imported.report.left_out, "Quick Hands", "a perk that no model is shown in Battle Mode")
    assert imported.document["perks"] == {"Thick Skin": 15}
    assert imported.report.perks == 1


def test_a_group_that_holds_itself_is_read_once() -> None:
    loop = tag("entryLinks", tag("entryLink", id_="x1", name="Equipment", targetId=EQUIPMENT))
    at = f'id="{EQUIPMENT}" name="Equipment" hidden="false">'
    uploaded = changed(at, at + loop)
    imported = read(uploaded)
    assert said(imported.report.doubts, "Equipment", "the group holds itself")
    assert models(imported)["Deputy"]["may_carry"] == {"Rifles": ["Long Carbine"]}


def test_mods_that_not_every_item_shows() -> None:
    cost = tag("costs", tag("cost", name="Caps", typeId=CAPS, value="2.0"))
    mod = tag("selectionEntry", cost, id_="x1", name="Short Sight", hidden="true")
    at = f'id="{MODS}" name="Mods" hidden="false"><selectionEntries>'
    imported = read(changed(at, at + mod))
    assert imported.document["mods"] == {"Short Sight": 2, "Long Sight": 9}
    assert any("some mods are not shown on these items" in r for r in imported.report.readings)


# ---- refused


def without(uploaded: list[File], end: str) -> list[File]:
    """The files but those with this end."""
    return [file for file in uploaded if not file[0].endswith(end)]


REFUSED: dict[str, tuple[Callable[[], list[File]], str]] = {
    "nothing": (list, "holds no .gst or .cat file"),
    "no game system": (lambda: without(files(), ".gst"), "no game system file (.gst) is among the files"),
    "no catalogue": (lambda: without(files(), ".cat"), "no catalogue (.cat) is among the files"),
    "two game systems": (lambda: [*files(), ("other.gst", files()[0][1])], "2 game systems"),
    "one catalogue twice": (lambda: [*files(), ("copy.cat", files()[1][1])], "the same catalogue as"),
    "one name twice": (lambda: [*files(), files()[1]], "two files have this name"),
    "another game system": (lambda: changed(f'gameSystemId="{SYSTEM_ID}"', 'gameSystemId="ffff"'),
                            "00_faction.cat: Marshals is made for another game system (ffff) than Made-up Wastes"),
    "no game system named": (lambda: changed(f'gameSystemId="{SYSTEM_ID}" ', ""), "another game system (none named)"),
    "no cost called Caps": (lambda: changed('name="Caps" defaultCostLimit', 'name="pts"/><costType id="x" name="PL'
                                            '" defaultCostLimit'), "no cost is called Caps (pts, PL)"),
    "no force called Battle Mode": (lambda: changed('name="Battle Mode"', 'name="Raids"'),
                                    "none of the forces is called Battle Mode (Narrative Mode, Raids, A.I Mode)"),
    "no model": (lambda: [files()[0], ("x.cat", tag("catalogue", id_="x", gameSystemId=SYSTEM_ID).encode())],
                 "no model of Battle Mode was understood"),
    "a roster": (lambda: [*files(), ("x.cat", b"<roster/>")], "a roster, no catalogue"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_edition_is_refused(name: str) -> None:
    make, words = REFUSED[name]
    with pytest.raises(UnreadableEdition) as refusal:
        read(make())
    assert words in str(refusal.value)
    assert all(0 < len(fault) < 400 for fault in refusal.value.faults)


@pytest.mark.parametrize("day", ["", "2018", "20 August 2018", "2018-13-01", "2018-02-30", "٢٠١٨-٠٨-٢٠"])
def test_the_day_of_the_lists_is_asked_for(day: str) -> None:
    with pytest.raises(UnreadableEdition, match="the date"):
        import_catalogues(files(), day)


def test_name_and_id_are_made_of_the_game_system() -> None:
    document = read(files()).document
    assert document["name"] == "Made-up Wastes, revision 7"
    assert document["id"] == "made-up-wastes-r7"
    assert document["source"] == "BattleScribe catalogues of Made-up Wastes, revision 7: Marshals 3, Drifters 3"
