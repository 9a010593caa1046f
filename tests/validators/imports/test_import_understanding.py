"""How rosters are read: units, groups, counts, Leader, mods, built-in parts, cards, and parts left out."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from languages.words import speaking
from tests.kit.forces import check_force, export_force, import_force, rules, summarise
from tests.kit.pseudo import CODE, offer_pseudo
from tests.validators.imports.rosters import (
    BATTLESCRIBE_TEXT,
    BUILDER_TEXT,
    JSON_SAMPLE,
    NEW_RECRUIT_TEXT,
    PIPER,
    SAMPLE,
    SYSTEM,
    read,
    ros,
    rosz,
    selection,
)
from validators.battle_mode.edition import info_of
from validators.battle_mode.edition_file import read_edition
from validators.contract import Imported, UnreadableForce
from validators.names import loose

HEAD = "Survivors - L - [{} Caps]\n\n"
RIFLE, JET, MINUTEMAN = selection("Combat Rifle", 14), selection("Jet", 7), selection("Minuteman", 54, kind="model")
LONG_BARREL, PISTOL = selection("Long Barrel", 10), selection("Pipe Pistol", 5)


def read_text(text: str, name: str) -> Imported:
    return import_force("", text.replace("NAME", name).encode())


def lines(imported: Imported) -> list[str]:
    return [line for line, _ in summarise(imported.document).lines]


def model(name: str, caps: int, *below: str, number: int = 1) -> str:
    return selection(name, caps, *below, number=number, kind="model")


def settler(*below: str, caps: int = 40, number: int = 1) -> str:
    return model("Settler", caps, *below, number=number)


def test_mods_in_a_text_go_to_items_so_that_the_list_is_legal() -> None:
    for parts, expected, broken in (
        ("Combat Rifle, Silenced, Long Barrel", "Combat Rifle with Silenced and Long Barrel", ["bm.mod"]),
        ("Combat Rifle, Pipe Pistol, Silenced", "Combat Rifle, Pipe Pistol with Silenced", []),
        ("Combat Rifle, Silenced, Sneak, Machete, Heavy",
         "Combat Rifle with Silenced, Machete with Heavy; perk Sneak", []),
        ("Long Barrel, Combat Rifle", "Combat Rifle with Long Barrel", []),
    ):  # fmt: skip
        imported = read("Minuteman (54 caps)\n\t-Leader\n" + "".join(f"\t-{part}\n" for part in parts.split(", ")))
        assert lines(imported) == [f"Minuteman, Leader; {expected}"], imported.notes
        assert rules(check_force(imported.document, 500)) == broken, parts


def test_built_in_mod_under_its_item_is_free_in_every_written_form() -> None:
    """Preston Garvey costs 124, his Laser Musket 11; it has a Long Barrel (10) built in."""
    free, bayonet = selection("Long Barrel"), selection("Bayonet", 12)
    text = HEAD.replace("{}", "{0}") + "Preston Garvey [{0} Caps]: Leader\n. {1}\n"
    builder = "Preston Garvey ({} caps)\n-Leader\n"
    for written, total, mods, broken in (
        (preston(bayonet, free), 147, ["Bayonet"], []),
        (preston(selection("Long Barrel (on Laser Musket)")), 135, [], []),
        (preston(selection("Long Barrel mod for Laser Musket")), 135, [], []),
        (preston(LONG_BARREL), 145, ["Long Barrel"], ["bm.mod"]),
        (text.format(145, "Laser Musket: Long Barrel"), 145, ["Long Barrel"], ["bm.mod"]),
        (builder.format(135) + "-Laser Musket\n-Long Barrel\n", 135, [], []),
        (builder.format(140) + "-Laser Musket\n-Pipe Pistol\n-Long Barrel\n", 140, [], []),
        (builder.format(150) + "-Laser Musket\n-Pipe Pistol\n-Long Barrel\n", 150, ["Long Barrel"], []),
    ):  # fmt: skip
        imported = read(written)
        verdict = check_force(imported.document, 500)
        held = [mod for item in imported.document["models"][0]["items"] for mod in item["mods"]]
        assert (verdict.total, held, verdict.legal) == (total, mods, True), (written, imported.notes)
        assert [query.rule for query in verdict.queries if query.rule != "bm.size"] == broken, (written, imported.notes)


def preston(*mods: str) -> bytes:
    total = 147 if "Bayonet" in mods[0] else 145 if mods[0] == LONG_BARREL else 135
    return ros(model("Preston Garvey", 124, selection("Laser Musket", 11, *mods), selection("Leader")), total=total)


def test_stated_total_that_differs_is_a_query() -> None:
    """Also if the file's total is right but its selections have other costs."""
    led = settler(selection("Leader"), caps=45)
    assert read(ros(led, total=45)).stated == 45
    for total, of_file in ((45, 45), (47, 47)):
        imported = read(ros(led, total=total))
        assert (imported.stated, imported.total, imported.document["file_total"]) == (total, 40, of_file)
        verdict = check_force(imported.document, 300)
        assert verdict.legal and ("bm.cost", {"file": of_file, "total": 40}) in [
            (query.rule, query.figures) for query in verdict.queries
        ]
        assert [question.key for question in imported.questions] == ["costs"]
    assert read(export_force(imported.document, "json")).document == imported.document, "the own file keeps it"
    assert "file_total" not in SYSTEM.forces.part_of(imported.document, [0])
    assert "file_total" not in read(ros(settler(), total=40)).document


def test_position_decides_between_a_model_and_a_part_of_the_same_name() -> None:
    """Names of the made-up edition: Bliss is a chem (20) and a model (45); Armorer is a perk, typed as anything."""
    document = {
        "system": "battle_mode", "id": "own", "name": "Own", "date": "2024-06-01", "source": "Own", "heroic_caps": 60,
        "factions": [{"name": "Wardens", "models": [
            {"name": "Warden", "caps": 40, "may_carry": {"Chems": ["Bliss"]}}, {"name": "Bliss", "caps": 45},
        ]}],
        "items": [{"category": "Items", "kind": "Chems", "heavy": False, "takes_mod": False, "caps": {"Bliss": 20}}],
        "perks": {"Armorer": 10},
    }  # fmt: skip
    edition = info_of(read_edition(json.dumps(document).encode()))

    def came(*roots: str, total: int) -> list[str]:
        imported = SYSTEM.forces.files.import_("", ros(*roots, total=total, catalogue="Wardens"), edition)
        assert (imported.total, "file_total" in imported.document) == (total, False), imported.notes
        return [line for line, _ in SYSTEM.forces.summarise(imported.document, edition).lines]

    for kind in ("upgrade", "model", "unit"):
        chem, perk = selection("Bliss", 20, kind=kind), selection("Armorer", 10, kind=kind)
        assert came(model("Warden", 40, chem, perk), total=70) == ["Warden; Bliss; perk Armorer"], kind
        assert came(model("Warden", 40, selection("Chems", 0, chem)), total=60) == ["Warden; Bliss"], kind
        assert came(model("Bliss", 45, chem), total=65) == ["Bliss; Bliss"], kind
        assert came(selection("Bliss", 45, kind=kind), model("Warden", 40), total=85) == ["Bliss", "Warden"], kind
    unit = selection("Squad", 0, model("Warden", 40), model("Bliss", 45), kind="unit")
    assert came(unit, total=85) == ["Warden", "Bliss"], "a unit that only holds models"
    unit_with_chem = selection("Squad", 0, model("Warden", 40), selection("Bliss", 20), kind="unit")
    imported = SYSTEM.forces.files.import_("", ros(unit_with_chem, total=60, catalogue="Wardens"), edition)
    assert imported.open, "typed as an upgrade it may be the chem, but whose?"
    assert came(selection("All", 0, unit, kind="unit"), total=85) == ["Warden", "Bliss"], "a unit of units"


def test_costs_of_texts_decide_what_is_built_in_and_who_has_a_part() -> None:
    """Cait has Psycho built in: her stated cost shows whether another was bought."""
    price = check_force(read(ros(model("Cait", 137, selection("Psycho", 1)))).document, 500).total - 137
    assert lines(read("List Total: 137 caps\nCait (137 caps)\n\t-Psycho\n")) == ["Cait"]
    bought = read(f"List Total: {137 + price} caps\nCait ({137 + price} caps)\n\t-Psycho\n")
    assert (lines(bought), bought.total, bought.open) == (["Cait; Psycho"], 137 + price, 0)
    assert lines(read("1 Eyebot (59 caps)\n10mm Pistol (5 caps)\n")) == ["Eyebot; 10mm Pistol"]
    text = HEAD.replace("{}", "{0}") + "Settlers [{0} Caps]:\n• 3x Settler [{0} Caps]: Combat Rifle, Long Barrel\n"
    for unit, carry, asked_of in ((192, 3, 0), (144, 1, 0), (150, 3, 1)):
        imported = read(text.format(unit))
        assert sum("Combat Rifle with Long Barrel" in line for line in lines(imported)) == carry, unit
        assert min(imported.open, 1) == asked_of


def test_file_without_a_total_is_added_up() -> None:
    wrench = {"name": "Pipe Wrench", "costs": [{"name": "caps", "value": 7.0}]}
    costs = [{"name": "pts", "value": 999}, {"name": " Caps", "value": 40}]
    entry = {"name": "Settler", "type": "model", "costs": costs, "selections": [wrench]}
    imported = read(json.dumps({"roster": {"forces": [{"catalogueName": "Survivors", "selections": [entry]}]}}))
    assert (imported.stated, imported.total) == (47, 47), "a file without a total is added up"


def test_number_with_separators_is_read_or_refused() -> None:
    roster, at = ros(settler(), total=40).decode(), "</costs><costLimits"
    text = roster.replace(f'value="40.0"/>{at}', f'value="{{}}"/>{at}')
    for written, read_as in (("40", 40), ("12,345", 12345), ("1,040.0", 1040)):
        assert read(text.format(written)).stated == read_as, written
    for written in ("1.000", "1,00,0", "1,0000", "40.5"):
        with pytest.raises(UnreadableForce, match="is not a whole number"):
            read(text.format(written))
    for head in (HEAD.replace("{}", "{0}"), "++ Battle Mode (Survivors) [{0} Caps] ++\n", "List Total: {0} caps\n\n"):
        for written, read_as in (("40", 40), ("12,345", 12345), ("1.040", 1040)):
            assert read(f"{head.format(written)}Settler [40 Caps]\n").stated == read_as, (head, written)


def test_faction_is_read_from_the_catalogue_or_guessed_from_the_models() -> None:
    for catalogue, faction, words in (
        ("Survivors", "Survivors", ""), ("zF survivor", "Survivors", ""),
        ("Fallout: Wasteland Warfare - Brotherhood of Steel", "Brotherhood of Steel", ""),
        ("Library", "Survivors", "Library is not a faction"), ("", "Survivors", ""),
    ):  # fmt: skip
        imported = read(ros(PIPER, catalogue=catalogue))
        assert imported.document["faction"] == faction, catalogue
        notes = [note for note in imported.notes if "faction" in note]
        assert len(notes) == bool(words) and all(note.startswith(words) for note in notes), catalogue
    assert [question.key for question in read("Eyebot (59 caps)\n").questions] == ["faction"]
    force = {"name": "Story", "catalogueName": "Survivors", "selections": [{"name": "Settler", "type": "model"}]}
    imported = read(json.dumps({"roster": {"forces": [force, force | {"name": "Battle Mode"}]}}))
    assert lines(imported) == ["Settler"] * 2 and "2 forces" in imported.notes[0] and "Story" in imported.notes[1]


def test_file_without_a_known_model_is_refused_unless_it_is_empty() -> None:
    for data in (ros(model("Nobody", 5)), ros(catalogue=""), "Nobody (5 caps)\n"):
        with pytest.raises(UnreadableForce, match="no model in it is known"):
            read(data)
    imported = read(ros())
    assert (imported.document["models"], imported.document["faction"], imported.stated) == ([], "Survivors", 0)


def test_shared_address_with_names_of_models_is_read() -> None:
    imported = read(
        "https://example.org/wasteland/?f=srv;n=My%20list;l=0,3;{!name!:!piper!,!heroic!:true,!pistols!:[!pipe_pistol!],"
        "!thrown!:{!baseball_grenade!:3},!modelCount!:1};{!name!:!settler!,!rifles!:[!combat_rifle!],!thrown!:{!baseball_grenade!:1},!mods!:[!long_barrel!],!modelCount!:2};\n"
        "# anything behind it"
    )
    rifle = "Settler; Combat Rifle with Long Barrel"
    settlers = [f"{rifle}, Baseball Grenade", rifle]
    assert lines(imported) == ["Piper, Heroic, Leader (Blitzer); Pipe Pistol, 3 × Baseball Grenade", *settlers]
    assert (imported.document["name"], imported.document["faction"], imported.stated) == ("My list", "Survivors", None)
    assert "1 among 2: the first have more" in [line.note for line in imported.lines]


def test_sample_of_450_caps_is_read_from_three_formats() -> None:
    for data in (SAMPLE, rosz(SAMPLE), BATTLESCRIBE_TEXT.encode()):
        imported = read(data)
        assert (imported.stated, imported.total) == (450, 450), data[:9]
        scout, minuteman, piper, with_rifle = sorted(lines(imported))
        assert (scout, minuteman) == ("Dogmeat Scout", "Minuteman; Laser Musket"), "the bite is built in"
        assert with_rifle == "Settler; Combat Rifle with Long Barrel", data[:9]
        who, _, parts = piper.partition("; ")
        assert who == "Piper, Heroic, Leader (Commander)", data[:9]
        assert {*parts.split(", ")} == {"Pipe Pistol", "Pipe Wrench", "3 × Baseball Grenade"}, data[:9]
        assert check_force(imported.document, 500).problems == (), data[:9]
        assert imported.document["faction"] == "Survivors", data[:9]
        assert any("Piper" in note and "Leader" in note for note in imported.notes), data[:9]


def test_texts_of_list_builders_are_read() -> None:
    imported = read(NEW_RECRUIT_TEXT)
    assert (imported.document["name"], imported.stated, imported.total) == ("Home and hearth", 325, 325)
    assert lines(imported)[1:] == ["Settler; Pipe Wrench, Pipe Pistol"] * 2, "one of each for both, as the cost says"
    imported = read(BUILDER_TEXT)
    danse, rifle = "Paladin Danse; Plasma Rifle", "Settler; Combat Rifle with Long Barrel"
    assert lines(imported) == ["Piper, Heroic; Pipe Pistol, Pipe Wrench, 3 × Baseball Grenade", rifle, danse]
    assert (imported.stated, imported.total) == (382, 382)
    assert [line.note for line in imported.lines if line.state == "check"] == ["Paladin Danse is no model of Survivors"]


def test_roster_is_read_in_every_encoding_that_programs_write() -> None:
    plain = ros(settler(selection("Leader")), total=40, name="Café “K”")
    text = plain.decode()
    assert read(plain).document["name"] == "Café “K”"
    for data in (
        text.replace("UTF-8", "windows-1252").encode("cp1252"),
        text.replace("UTF-8", "utf-16").encode("utf-16"),
        b"\xff\xfe" + text.encode("utf-16-le"),
        text.encode("utf-16-be"),
        b"\r\n" + plain,
        b"\xef\xbb\xbf\n" + plain,
        rosz(text.replace("UTF-8", "windows-1252").encode("cp1252")),
    ):
        assert read(data).document == read(plain).document
    assert lines(read("Café\nSettler (40 caps)\n- Leader".encode("cp1252"))) == ["Settler, Leader"]


def test_number_in_a_name_and_a_cost_with_a_rest_are_read() -> None:
    expected = ["Piper, Leader", "Settler", "Settler"]
    leader = selection("Leader")
    for name in ("x2 Settler", "2 Settlers", "2x Settler", "Settler x2", "Settlers (x2)"):
        imported = read(ros(selection("Piper", 76, leader, kind="model"), selection(name, 80, kind="model"), total=156))
        assert (lines(imported), imported.total) == (expected, 156), name
    entry = {"name": "Settler", "type": "model", "costs": [{"name": "Caps", "value": 40.00000001}]}
    two = entry | {"name": "Minuteman", "costs": [{"name": "Caps", "value": "53.99999999"}]}
    imported = read(json.dumps({"roster": {"forces": [{"catalogueName": "Survivors", "selections": [entry, two]}]}}))
    assert (imported.stated, imported.total) == (94, 94)


def test_title_of_a_pasted_list_becomes_its_name() -> None:
    units = BUILDER_TEXT.partition("\n\n")[2]
    assert read(f"The Late Shift\n\n{units}").document["name"] == "The Late Shift"
    imported = read(f"The Late Shift\nof Diamond City\n{units}")
    assert [line.written for line in imported.left_out] == ["of Diamond City"]


def test_name_in_another_spelling_or_misspelt_is_noted() -> None:
    imported = read(BUILDER_TEXT.replace("Piper", "Pipper").replace("-Combat Rifle", "-Combt Rifle"))
    assert lines(imported) == lines(read(BUILDER_TEXT))
    assert [line.note for line in imported.lines if "read as" in line.note] == [
        "“Pipper” read as Piper", "“Combt Rifle” read as Combat Rifle",
    ]  # fmt: skip
    imported = read("\u200bSettler\u200e (54 caps)\n\t-\u202eCombat Rifle\u202c\n")
    assert (lines(imported), imported.total) == (["Settler; Combat Rifle"], 54), "invisible characters are removed"


def test_notes_are_in_the_readers_language(monkeypatch: pytest.MonkeyPatch) -> None:
    offer_pseudo(monkeypatch)
    unit = selection("Gunline", 0, settler(RIFLE), MINUTEMAN, JET, kind="unit")
    with speaking(CODE):
        found = [read(BUILDER_TEXT.replace("Piper", "Pipper").replace("-Combat Rifle", "-Combt Rifle"))]
        found += [read(ros(selection("zU Settlers", 40, RIFLE, kind="model"), total=60)), read(ros(unit, total=1))]
        with pytest.raises(UnreadableForce) as refused:
            read("Nobody (12 caps)\nAnybody (3 caps)\n")
    notes = [
        note for imported in found for note in (*imported.notes, *(line.note for line in imported.lines if line.note))
    ]
    assert [note for note in notes if not note.startswith("⟦")] == []
    assert len(set(notes)) > 3
    assert [fault for fault in refused.value.faults if not fault.startswith("⟦")] == []


@pytest.mark.slow
@given(st.text(max_size=60))
def test_loose_spelling_is_stable(text: str) -> None:
    assert loose(text).isalnum() or loose(text) == ""
    assert loose(f" {text}. ") == loose(text)


def test_category_that_is_a_number_is_a_category() -> None:
    for category in (2, 12.5, "2018", "", None):
        document = json.loads(json.dumps(JSON_SAMPLE))
        for entry in document["roster"]["forces"][0]["selections"]:
            entry["categories"] = [{"name": category}]
        assert lines(read(json.dumps(document))) == lines(read(json.dumps(JSON_SAMPLE))), category
