"""The scenario file: its shape, its schema, what cannot be in it, and where a fault is told."""

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
from validators.battle_mode.scenario_file import scenario_schema
from validators.json_lines import lines_of
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


def test_the_schema_in_docs_is_current() -> None:
    assert json.loads((DOCS / "scenario.schema.json").read_text(encoding="utf-8")) == scenario_schema()


def test_the_example_in_docs_is_read_and_fits_the_schema() -> None:
    told = re.search(
        r"\n## Scenarios\n.*?```json\n(.*?)```", (DOCS / "file_formats.md").read_text(encoding="utf-8"), re.DOTALL
    )
    assert told is not None
    scenario = SCENARIO_FILES.import_(told.group(1).encode())
    assert (scenario.name, scenario.most, scenario.limits.held_by_one) == ("Hold the Bridge", 3, "the bridge")
    check = jsonschema.Draft202012Validator(json.loads((DOCS / "scenario.schema.json").read_text()))
    check.validate(json.loads(told.group(1)))
    for wrong in (changed("most", 0), changed("id", "Bridge"), changed("markers.0.owner", "c"), EXAMPLE | {"x": 1}):
        assert not check.is_valid(wrong)
        assert faults(wrong)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_each_of_the_five_is_its_file_and_nothing_else(path: Path) -> None:
    scenario = SYSTEM.scenario(path.stem)
    document = json.loads(path.read_text(encoding="utf-8"))
    assert SCENARIO_FILES.import_(path.read_bytes()) == scenario
    assert SCENARIO_FILES.document(scenario) == {k: v for k, v in document.items() if v not in ([], {})}


def test_no_code_knows_a_scenario_by_its_name() -> None:
    names = [word for s in SYSTEM.scenarios for word in (s.id, s.name, s.id.replace("-", "_").upper())]
    for path in (DATA.parent / "scoring.py", DATA.parent / "scenario_questions.py"):
        assert [name for name in names if name in path.read_text(encoding="utf-8")] == []


@pytest.mark.parametrize(
    ("place", "value", "at", "words"),
    [
        ("game_rounds", 0, "game_rounds", "is 0, at least 1 is needed"),
        ("game_rounds", 13, "game_rounds", "is 13, at most 12 can be"),
        ("game_rounds", True, "game_rounds", "is not a whole number"),
        ("scoring_from", 6, "scoring_from", "is game round 6, but the game ends after 5"),
        ("most", 100, "most", "is 100, at most 99 can be"),
        ("most", 10**400, "most", "is far too large, at most 99 can be"),
        ("most", "3", "most", "is not a whole number"),
        ("name", " ", "name", "is empty"),
        ("name", "x" * 61, "name", "is longer than 60 characters"),
        ("name", "a\u202eb", "name", "holds a character that cannot be printed"),
        ("name", "\ud800", "name", "is not valid text (half of a surrogate pair)"),
        ("id", "Own Bridge", "id", "is not small letters, digits and single hyphens"),
        ("id", "a" * 41, "id", "is longer than 40 characters"),
        ("setup", [], "setup", "is empty"),
        ("setup", ["One.", ""], "setup[1]", "is empty"),
        ("scoring", "One.", "scoring", "is not a list"),
        ("system", "chess", "system", "is not 'battle_mode'"),
        ("more", 1, "more", "is not a field of the scenario file"),
        ("markers.0.x", 36.5, "markers[0].x", "is 36.5, off the table of 36 inches"),
        ("markers.0.y", -1, "markers[0].y", "is -1, at least 0 is needed"),
        ("markers.0.y", float("nan"), "markers[0].y", "is not a number"),
        ("markers.0.label", "", "markers[0].label", "is empty"),
        ("markers.0.owner", "c", "markers[0].owner", "is not 'a' or 'b'"),
        ("markers.1", {"x": 18, "y": 18, "label": "Two"}, "markers[1].x", "there stands marker 1, Bridge"),
        ("deployment_inches", 19, "deployment_inches", "is 19, but half the table is 18 inches deep"),
        ("objectives.each", 4, "objectives.each", "is 4, but 3 kinds, each 1 times at most, give 3"),
        ("objectives.kinds.1", "SAFE", "objectives.kinds[1]", "is SAFE, which stands there already"),
        ("choices", ["Hackers"], "choices", "nothing to choose"),
        ("choices", ["One", "one"], "choices[1]", "is one, which stands there already"),
        ("limits.together_asked.above", 6, "limits.together_asked.above", "both together score 6 at most anyway"),
        ("limits.one_asked", {"above": 3}, "limits.one_asked.above", "one player scores 3 at most anyway"),
        ("limits", {"together_refused": {"above": 2}}, "limits.together_refused.above", "one player alone may score 3"),
        ("limits.together_refused", {"above": 4}, "limits.together_asked.above", "above 4 is refused anyway"),
        ("limits.together_refused", 4, "limits.together_refused", "is not an object"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_told_at_its_field(place: str, value: object, at: str, words: str) -> None:
    told = faults(changed(place, value))
    assert list(told) == [at], told
    assert words in told[at]


REQUIRED = (
    "system", "id", "name", "setup", "scoring", "game_rounds", "most", "table_inches", "deployment_inches",
)  # fmt: skip


def test_what_is_missing_is_named() -> None:
    assert faults({}) == dict.fromkeys(REQUIRED, "is missing")
    for parsed in ((), None, "x", 5):
        assert list(faults(parsed).values()) == ['a scenario is a JSON object, {"system": ...}']


def test_a_file_with_many_faults_tells_some() -> None:
    told = faults(EXAMPLE | {f"extra{n}": n for n in range(50)})
    assert len(told) == MOST_FAULTS + 1
    assert list(told.values())[-1] == "and 38 more"


def test_a_fault_says_its_line() -> None:
    text = json.dumps(changed("markers.1.x", 40), indent=1)
    line = text[: text.index('"x": 40')].count("\n") + 1
    with pytest.raises(UnreadableScenario) as caught:
        SCENARIO_FILES.import_(text.encode())
    assert str(caught.value) == f"line {line}, markers[1].x: is 40, off the table of 36 inches"


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"\xff\xfe", "not UTF-8"),
        (b'{"a": 1,}', "not JSON at line 1"),
        (b'{"most": NaN}', "NaN is no JSON number"),
        (b'{"most": 1, "most": 2}', "stands twice"),
        (b"[" * 100_000, "nested too deeply"),
        (b" " * (MOST_BYTES + 1), "at most 200000 are read"),
        (b"\xef\xbb\xbf[]", "a scenario is a JSON object"),
        (b"[" * 500 + b"]" * 500, "a scenario is a JSON object"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_a_broken_file_is_refused_with_words(data: bytes, words: str) -> None:
    with pytest.raises(UnreadableScenario, match=words):
        SCENARIO_FILES.import_(data)


@pytest.mark.slow
@settings(max_examples=200)
@given(documents())
def test_a_scenario_survives_its_file(document: dict[str, Any]) -> None:
    scenario = SCENARIO_FILES.read(document)
    assert SCENARIO_FILES.read(SCENARIO_FILES.document(scenario)) == scenario
    written = json.dumps(SCENARIO_FILES.document(scenario), indent=1).encode()
    assert SCENARIO_FILES.import_(written) == scenario


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@settings(max_examples=200)
@given(JSON, st.sampled_from([None, 0, 1, 3]))
def test_anything_else_is_refused_and_never_a_fault_of_ours(parsed: object, indent: int | None) -> None:
    with pytest.raises(UnreadableScenario):
        SCENARIO_FILES.import_(json.dumps(parsed, indent=indent).encode())


@settings(max_examples=200)
@given(JSON)
def test_every_value_has_its_line(parsed: Any) -> None:
    """In JSON with one value a line, the order of the lines is the order of the values."""

    def walk(value: Any, place: tuple[str | int, ...]) -> list[tuple[str | int, ...]]:
        if isinstance(value, dict):
            return [place, *(one for key, inner in value.items() for one in walk(inner, (*place, key)))]
        if isinstance(value, list):
            return [place, *(one for at, inner in enumerate(value) for one in walk(inner, (*place, at)))]
        return [place]

    text = json.dumps(parsed, indent=1, ensure_ascii=False)
    lines = lines_of(text, walk(parsed, ()))
    numbers = list(lines.values())
    assert numbers == sorted(set(numbers))
    rows = text.split("\n")
    for place, line in lines.items():
        if place and isinstance(place[-1], str):
            assert rows[line - 1].lstrip().startswith(json.dumps(place[-1], ensure_ascii=False))
