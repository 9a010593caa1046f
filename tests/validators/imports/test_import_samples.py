"""The made-up files of the real shapes, read as they are: what comes out, what is said, what it costs."""

import json

import pytest

from tests.kit.forces import check_force, summarise
from tests.validators.imports.rosters import (
    BATTLESCRIBE_TEXT,
    BUILDER_TEXT,
    JSON_SAMPLE,
    NEW_RECRUIT_TEXT,
    SAMPLE,
    read,
    rosz,
)
from validators.contract import Imported, UnreadableForce


def bought(imported: Imported) -> dict[str, str]:
    return {line.partition(",")[0].partition(";")[0]: line for line, _ in summarise(imported.document).lines}


def test_the_survivors_of_450_caps_in_three_formats() -> None:
    for data in (SAMPLE, rosz(SAMPLE), BATTLESCRIBE_TEXT.encode()):
        imported = read(data)
        assert (imported.stated, imported.total) == (450, 450), data[:9]
        lines = bought(imported)
        assert lines["Settler"] == "Settler; Combat Rifle with Long Barrel", data[:9]
        assert lines["Minuteman"] == "Minuteman; Laser Musket", data[:9]
        assert lines["Dogmeat Scout"] == "Dogmeat Scout", "the bite is built in and not bought"
        assert set(lines["Piper"].partition("; ")[2].split(", ")) == {
            "Pipe Pistol", "Pipe Wrench", "3 × Baseball Grenade",
        }, data[:9]  # fmt: skip
        assert lines["Piper"].startswith("Piper, Heroic, Leader (Commander); "), data[:9]
        assert check_force(imported.document, 500).problems == (), data[:9]
        assert imported.document["faction"] == "Survivors", data[:9]
        assert imported.notes == (
            "Dog Bite: built into Dogmeat Scout, not bought; left out.",
            "Piper was taken as the Leader, for the Leader card Commander.",
        )


def test_a_list_of_the_games_own_builder() -> None:
    imported = read(BUILDER_TEXT)
    assert (imported.format, imported.stated, imported.total) == ("text of a list builder", 382, 382)
    assert list(bought(imported).values()) == [
        "Piper, Heroic; Pipe Pistol, Pipe Wrench, 3 × Baseball Grenade",
        "Settler; Combat Rifle with Long Barrel",
        "Paladin Danse; Plasma Rifle",
    ]
    assert imported.notes == (
        "The file names no faction; by its models it is Survivors.",
        "Long Barrel: put on Combat Rifle of Settler.",
        "The file marks no Leader; choose one.",
    )
    broken = {p.rule for p in check_force(imported.document, 500).problems}
    assert broken == {"bm.faction", "bm.leader"}, "what is illegal stays in and is judged"


def test_the_title_of_a_pasted_list_is_its_name() -> None:
    units = BUILDER_TEXT.partition("\n\n")[2]
    assert read(f"The Late Shift\n\n{units}").document["name"] == "The Late Shift"
    assert read(units).document["name"] == read(BUILDER_TEXT).document["name"] == ""
    for unread in (f"The Late Shift\nof Diamond City\n{units}", f"{units}The Late Shift\n"):
        with pytest.raises(UnreadableForce, match="is neither a unit with its Caps"):
            read(unread)


def test_new_recruit_json_with_two_models_in_one_selection() -> None:
    imported = read(json.dumps(JSON_SAMPLE))
    assert (imported.format, imported.stated, imported.total) == ("New Recruit JSON", 239, 235)
    assert [line for line, _ in summarise(imported.document).lines] == [
        "Dogmeat Scout",
        "Settler; Combat Rifle with Long Barrel, Pipe Wrench",
        "Settler; Combat Rifle with Long Barrel",
    ]
    assert imported.notes == (
        "Dog Bite: built into Dogmeat Scout, not bought; left out.",
        "Pipe Wrench: 1 among 2 of Settler, given to the first.",
        "Sneak: left out because its number is 0.",
        "The file marks no Leader; choose one.",
        "The file’s total is 239 Caps; what stands in it costs 235 together.",
    )


def test_new_recruits_simple_text() -> None:
    imported = read(NEW_RECRUIT_TEXT)
    assert (imported.format, imported.document["name"]) == ("New Recruit text", "Home and hearth")
    assert (imported.stated, imported.total) == (325, 325), "one of each for both: only so the cost is as stated"
    assert [line for line, _ in summarise(imported.document).lines][1:] == [
        "Settler; Pipe Wrench, Pipe Pistol",
        "Settler; Pipe Wrench, Pipe Pistol",
    ]
