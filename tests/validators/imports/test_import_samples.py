"""The made-up files of the real shapes: what comes out, what is said, what it costs, which names are the same."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.forces import check_force, summarise
from tests.validators.imports.rosters import (
    BATTLESCRIBE_TEXT,
    BUILDER_TEXT,
    JSON_SAMPLE,
    NEW_RECRUIT_TEXT,
    SAMPLE,
    read,
    ros,
    rosz,
    selection,
)
from validators.contract import Imported, UnreadableForce
from validators.names import loose


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


def test_selections_inside_unknown_tags_are_read() -> None:
    data = ros(f"<groups><group>{selection('Dog', 90, kind='model')}</group></groups>", total=90)
    assert bought(read(data)) == {"Dog": "Dog"}


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


def test_near_name_stays_in_the_force_and_has_no_cost() -> None:
    imported = read(BUILDER_TEXT.replace("Piper", "Pipper").replace("-Combat Rifle", "-Combt Rifle"))
    assert [model["name"] for model in imported.document["models"]] == ["Pipper", "Settler", "Paladin Danse"]
    assert imported.document["models"][1]["items"][0]["name"] == "Combt Rifle"
    assert "Pipper: not known to the edition, kept as it is. Near: Piper." in imported.notes
    assert any(note.startswith("Combt Rifle: not known to the edition") and "Combat Rifle" in note
               for note in imported.notes)  # fmt: skip
    problems = check_force(imported.document, 500).problems
    shown = [problem for problem in problems if problem.rule == "bm.cost"]
    assert any("Pipper" in problem.message and "Piper" in problem.fix for problem in shown)
    assert any("Combt Rifle" in problem.message for problem in shown)


def test_names_read_in_other_letters_are_noted() -> None:
    imported = read(ros(selection("zU Settlers", 40, selection("COMBAT-RIFLES", 14), kind="model"), total=54))
    assert imported.notes[:2] == ("Settlers: read as Settler.", "COMBAT-RIFLES: read as Combat Rifle.")
    plain = read(ros(selection("zU settler", 40, selection("combat  rifle", 14), kind="model"), total=54))
    assert plain.notes == ("The file marks no Leader; choose one.",), "case, spacing and prefix need no words"


@pytest.mark.slow
@given(st.text(max_size=60))
def test_loose_spelling_is_stable(text: str) -> None:
    assert loose(text).isalnum() or loose(text) == ""
    assert loose(f" {text}. ") == loose(text)
