"""What counts as the same name, and what is only offered."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.forces import check_force
from tests.validators.imports.rosters import BUILDER_TEXT, read, ros, selection
from validators.names import loose


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
