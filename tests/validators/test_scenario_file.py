"""The scenario file: its shape, its schema, and the field of each fault."""

import json
import re
from copy import deepcopy
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kit.forces import SCENARIO_FILES
from tests.validators.scenario_documents import EXAMPLE, documents
from validators import SYSTEMS
from validators.battle_mode.edition import DATA
from validators.scenario import Fault, UnreadableScenario
from validators.scenario_file import MOST_BYTES, MOST_FAULTS

DOCS = Path(__file__).parents[2] / "docs"
SYSTEM = SYSTEMS["battle_mode"]
FILES = sorted((DATA / "scenarios").glob("*.json"))


def faults(parsed: object) -> dict[str, str]:
    """What is wrong, by its place."""
    with pytest.raises(UnreadableScenario) as caught:
        SCENARIO_FILES.read(parsed)
    return {str(Fault(fault.place, "")).removesuffix(": "): fault.message for fault in caught.value.faults}


def changed(place: str, value: object) -> dict[str, Any]:
    """The example with another value at a place ("markers.0.x")."""
    document: Any = deepcopy(EXAMPLE)
    *way, last = [int(step) if step.isdecimal() else step for step in place.split(".")]
    part = document
    for step in way:
        part = part[step]
    part[last] = value
    whole: dict[str, Any] = document
    return whole


def test_example_in_docs_fits_the_schema() -> None:
    guide = (DOCS / "file_formats.md").read_text(encoding="utf-8")
    shown = re.search(r"\n## Scenarios\n.*?```json\n(.*?)```", guide, re.DOTALL)
    assert shown is not None
    scenario = SCENARIO_FILES.import_(shown.group(1).encode())
    assert (scenario.name, scenario.most, scenario.limits.held_by_one) == ("Hold the Bridge", 3, "the bridge")
    check = jsonschema.Draft202012Validator(json.loads((DOCS / "scenario.schema.json").read_text()))
    check.validate(json.loads(shown.group(1)))
    for wrong in (changed("most", 0), changed("id", "Bridge"), changed("markers.0.owner", "c"), EXAMPLE | {"x": 1}):
        assert not check.is_valid(wrong)
        assert faults(wrong)


def test_shipped_scenarios_are_their_files() -> None:
    for path in FILES:
        scenario = SYSTEM.scenario(path.stem)
        document = json.loads(path.read_text(encoding="utf-8"))
        assert SCENARIO_FILES.import_(path.read_bytes()) == scenario
        assert SCENARIO_FILES.document(scenario) == {k: v for k, v in document.items() if v not in ([], {})}, path


def test_faults_are_reported_at_their_field() -> None:
    cases: tuple[tuple[str, object, str], ...] = (
        ("game_rounds", 0, "game_rounds"), ("game_rounds", 13, "game_rounds"), ("game_rounds", True, "game_rounds"),
        ("scoring_from", 6, "scoring_from"), ("most", 100, "most"), ("most", 10**400, "most"), ("most", "3", "most"),
        ("name", " ", "name"), ("name", "x" * 61, "name"), ("name", "a\u202eb", "name"), ("name", "\ud800", "name"),
        ("id", "Own Bridge", "id"), ("id", "a" * 41, "id"), ("setup", [], "setup"),
        ("setup", ["One.", ""], "setup[1]"), ("scoring", "One.", "scoring"), ("system", "chess", "system"),
        ("more", 1, "more"), ("markers.0.x", 36.5, "markers[0].x"), ("markers.0.y", -1, "markers[0].y"),
        ("markers.0.y", float("nan"), "markers[0].y"), ("markers.0.label", "", "markers[0].label"),
        ("markers.0.owner", "c", "markers[0].owner"),
        ("markers.1", {"x": 18, "y": 18, "label": "Two"}, "markers[1].x"),
        ("deployment_inches", 19, "deployment_inches"), ("objectives.each", 4, "objectives.each"),
        ("objectives.kinds.1", "SAFE", "objectives.kinds[1]"), ("choices", ["Hackers"], "choices"),
        ("choices", ["One", "one"], "choices[1]"), ("limits.together_asked.above", 6, "limits.together_asked.above"),
        ("limits.one_asked", {"above": 3}, "limits.one_asked.above"),
        ("limits", {"together_refused": {"above": 2}}, "limits.together_refused.above"),
        ("limits.together_refused", {"above": 4}, "limits.together_asked.above"),
        ("limits.together_refused", 4, "limits.together_refused"),
    )  # fmt: skip
    for place, value, at in cases:
        assert list(faults(changed(place, value))) == [at], (place, at)
    for place, value, words in (
        ("game_rounds", 13, "is 13, at most 12"),
        ("markers.0.x", 36.5, "is 36.5, off the table of 36 inches"),
        ("objectives.each", 4, "is 4, but 3 kinds, each 1 times at most, give 3"),
        ("limits", {"together_refused": {"above": 2}}, "one player alone may score 3"),
    ):
        assert words in " ".join(faults(changed(place, value)).values())


REQUIRED = (
    "system", "id", "name", "setup", "scoring", "game_rounds", "most", "table_inches", "deployment_inches",
)  # fmt: skip


def test_missing_fields_are_named() -> None:
    assert faults({}) == dict.fromkeys(REQUIRED, "is missing")
    for parsed in ((), None, "x", 5):
        assert list(faults(parsed).values()) == ['a scenario is a JSON object, {"system": ...}']


def test_only_some_of_many_faults_are_reported() -> None:
    shown = faults(EXAMPLE | {f"extra{n}": n for n in range(50)})
    assert len(shown) == MOST_FAULTS + 1
    assert list(shown.values())[-1] == "and 38 more"


def test_fault_has_its_line() -> None:
    text = json.dumps(changed("markers.1.x", 40), indent=1)
    line = text[: text.index('"x": 40')].count("\n") + 1
    with pytest.raises(UnreadableScenario) as caught:
        SCENARIO_FILES.import_(text.encode())
    assert str(caught.value) == f"line {line}, markers[1].x: is 40, off the table of 36 inches"


def test_broken_files_are_refused() -> None:
    for data, words in (
        (b'{"a": 1,}', "line 1"), (b'{"most": 1, "most": 2}', "most"), (b" " * (MOST_BYTES + 1), "200000"),
        (b"[" * 500 + b"]" * 500, "JSON object"),
    ):  # fmt: skip
        with pytest.raises(UnreadableScenario, match=words):
            SCENARIO_FILES.import_(data)


@pytest.mark.slow
@settings(max_examples=70)
@given(documents())
def test_scenario_survives_its_file(document: dict[str, Any]) -> None:
    scenario = SCENARIO_FILES.read(document)
    assert SCENARIO_FILES.read(SCENARIO_FILES.document(scenario)) == scenario
    written = json.dumps(SCENARIO_FILES.document(scenario), indent=1).encode()
    assert SCENARIO_FILES.import_(written) == scenario


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@settings(max_examples=70)
@given(JSON, st.sampled_from([None, 0, 1, 3]))
def test_any_other_json_is_refused(parsed: object, indent: int | None) -> None:
    with pytest.raises(UnreadableScenario):
        SCENARIO_FILES.import_(json.dumps(parsed, indent=indent).encode())
