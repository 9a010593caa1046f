"""The scenario file: its shape, the field of each fault, and the doubts about answers that follow from its data."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.forces import SCENARIO_FILES
from tests.validators.scenario_documents import EXAMPLE, JSON, documents
from validators import SYSTEMS
from validators.battle_mode.scenario_file import read_scenario
from validators.battle_mode.scenarios import check_answers, score
from validators.faults import Fault
from validators.kit.suggestions import replaced
from validators.scenario import Scenario, Score, UnreadableScenario
from validators.scenario_file import MOST_BYTES, MOST_FAULTS, shipped

DOCS = Path(__file__).parents[2] / "docs"
SYSTEM = SYSTEMS["battle_mode"]


def faults(parsed: object) -> dict[str, str]:
    with pytest.raises(UnreadableScenario) as caught:
        SCENARIO_FILES.read(parsed)
    return {str(Fault(fault.place, "")).removesuffix(": "): fault.message for fault in caught.value.faults}


def changed(place: str, value: object) -> dict[str, Any]:
    """The example with another value at a place ("markers.0.x")."""
    path = [int(text) if text.isdecimal() else text for text in place.split(".")]
    whole: dict[str, Any] = replaced(EXAMPLE, value, *path)
    return whole


def test_example_in_docs_and_shipped_scenarios_fit_the_schema() -> None:
    guide = (DOCS / "file_formats.md").read_text(encoding="utf-8")
    shown = re.search(r"\n## Scenarios\n.*?```json\n(.*?)```", guide, re.DOTALL)
    assert shown is not None
    scenario = SCENARIO_FILES.import_(shown.group(1).encode())
    assert (scenario.name, scenario.most, scenario.limits.held_by_one) == ("Hold the Bridge", 3, "the bridge")
    check = jsonschema.Draft202012Validator(json.loads((DOCS / "scenario.schema.json").read_text()))
    check.validate(json.loads(shown.group(1)))
    for game in SYSTEMS.values():
        for scenario in game.scenarios:
            check.validate(scenario.document)
            assert game.scenario_files and game.scenario_files.read(scenario.document) == scenario


def test_shipped_files_need_neither_order_nor_what_all_scenarios_share(tmp_path: Path) -> None:
    (tmp_path / "scenarios").mkdir()
    shared = {key: EXAMPLE[key] for key in EXAMPLE if key not in ("id", "scoring")}
    texts = {"@draw": "Equal VP are a draw."}
    files = {
        "scenario": shared | {"texts": texts},
        "scenarios/one": {"id": "last", "scoring": ["@draw"]},
        "scenarios/two": {"id": "second", "scoring": ["Hold it."], "order": 2},
        "scenarios/three": {"id": "first", "name": "First", "scoring": ["Hold it.", "@draw"], "order": 1},
    }
    for name, content in files.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(content))
    first, _, last = found = shipped(tmp_path, read_scenario)
    assert [scenario.id for scenario in found] == ["first", "second", "last"]
    assert (first.name, first.scoring) == ("First", ("Hold it.", texts["@draw"]))
    assert (last.name, last.setup, last.scoring) == (EXAMPLE["name"], tuple(EXAMPLE["setup"]), (texts["@draw"],))


def test_faults_are_reported_at_their_field() -> None:
    cases: tuple[tuple[str, object, str], ...] = (
        ("game_rounds", True, "game_rounds"), ("scoring_from", 6, "scoring_from"), ("most", 10**400, "most"),
        ("name", "\ud800", "name"),
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
        ("objectives.each", 4, "is 4, but 3 kinds, each 1 time at most, give 3"),
        ("limits", {"together_refused": {"above": 2}}, "one player alone may score 3"),
    ):
        assert words in " ".join(faults(changed(place, value)).values())


def test_missing_fields_are_named_and_many_faults_are_cut() -> None:
    assert set(faults({}).values()) == {"is missing"}
    assert list(faults(5).values()) == ['a scenario is a JSON object, {"system": ...}']
    shown = faults(EXAMPLE | {f"extra{n}": n for n in range(50)})
    assert len(shown) == MOST_FAULTS + 1
    assert list(shown.values())[-1] == "and 38 more"


def test_fault_has_its_line_and_broken_files_are_refused() -> None:
    text = json.dumps(changed("markers.1.x", 40), indent=1)
    line = text[: text.index('"x": 40')].count("\n") + 1
    with pytest.raises(UnreadableScenario) as caught:
        SCENARIO_FILES.import_(text.encode())
    assert str(caught.value) == f"line {line}, markers[1].x: is 40, off the table of 36 inches"
    for data, words in ((b'{"most": 1, "most": 2}', "most"), (b" " * (MOST_BYTES + 1), "200000")):
        with pytest.raises(UnreadableScenario, match=words):
            SCENARIO_FILES.import_(data)


@pytest.mark.slow
@given(documents())
def test_scenario_survives_its_file(document: dict[str, Any]) -> None:
    scenario = SCENARIO_FILES.read(document)
    assert SCENARIO_FILES.read(scenario.document) == scenario
    written = json.dumps(scenario.document, indent=1).encode()
    assert SCENARIO_FILES.import_(written) == scenario
    whole = EXAMPLE | {"markers": [{"x": 18.0, "y": 17.5, "label": "Well"}]}
    assert '{"x": 18, "y": 17.5,' in json.dumps(SCENARIO_FILES.read(whole).document), "whole inches have no decimals"


@given(JSON, st.sampled_from([None, 0, 1, 3]))
def test_any_other_json_is_refused(parsed: object, indent: int | None) -> None:
    with pytest.raises(UnreadableScenario):
        SCENARIO_FILES.import_(json.dumps(parsed, indent=indent).encode())


@st.composite
def played(draw: st.DrawFn) -> tuple[Scenario, dict[str, int | str]]:
    scenario, answers = read_scenario(draw(documents())), dict[str, int | str]()
    for question in scenario.questions:
        if draw(st.booleans()):
            figures: st.SearchStrategy[int | str] = st.integers(0, question.most)
            answers[question.key] = draw(st.sampled_from(question.choices) if question.choices else figures)
    return scenario, answers


@pytest.mark.slow
@given(played())
def test_doubts_equal_a_second_calculation_from_the_limits(game: tuple[Scenario, dict[str, int | str]]) -> None:
    scenario, answers = game
    limits = scenario.limits
    a, b = (sum(v for key, v in answers.items() if key[0] == side and isinstance(v, int)) for side in "ab")
    unasked = dict.fromkeys(("a.r0", "b.r13", "a.objective", "c.r1"), 9)
    assert score(scenario, answers | unasked) == Score(a, b)
    refused: set[tuple[str, ...]] = set()
    asked: set[tuple[str, ...]] = set()
    for n in range(scenario.scoring_from, scenario.game_rounds + 1):
        pair = (f"a.r{n}", f"b.r{n}")
        a, b = (int(answers.get(key, 0)) for key in pair)
        if limits.together_refused and a + b > limits.together_refused.above:
            refused.add(pair)
        elif limits.together_asked and a + b > limits.together_asked.above:
            asked.add(pair)
        if limits.held_by_one and a % 2 == b % 2 == 1:
            refused.add(pair)
        if limits.one_asked:
            asked |= {(key,) for key, v in zip(pair, (a, b), strict=True) if v > limits.one_asked.above}
    doubts = check_answers(scenario, answers)
    assert {d.keys for d in doubts if d.refused} == refused
    nothing = not any(isinstance(value, int) and value for value in answers.values())
    assert {d.keys for d in doubts if not d.refused} == asked | ({()} if nothing else set())


def test_doubts_and_the_note_on_the_sheet_give_the_reason_or_the_figure_of_each_limit() -> None:
    def shown(limits: Mapping[str, object], a: int, b: int) -> list[str]:
        scenario = read_scenario(EXAMPLE | {"limits": limits})
        return [doubt.message for doubt in check_answers(scenario, {"a.r2": a, "b.r2": b})]

    why = {"above": 3, "why": "one bridge"}
    for limits, a, b, words in (
        ({"together_refused": why}, 2, 2, "2 and 2 VP add up to 4. At most 3 are possible (one bridge)."),
        ({"together_refused": {"above": 3}}, 2, 2, "2 and 2 VP add up to 4. At most 3 are possible."),
        ({"together_asked": {"above": 3}}, 2, 2, "2 and 2 VP add up to 4. More than 3 is rare. Is that right?"),
        ({"one_asked": {**why, "above": 2}}, 3, 2, "player A scored 3 VP in one round (one bridge). Is that right?"),
        ({"held_by_one": "the bridge"}, 1, 3,
         "1 and 3 VP both count the bridge (1 VP), which one player at most can hold."),
    ):  # fmt: skip
        assert shown(limits, a, b) == [f"Game round 2: {words}"]
    note = read_scenario(EXAMPLE).round_note
    assert note.startswith("at most 3 a player and round; the bridge to one player at most; more than 4 VP in a ")
    assert read_scenario(EXAMPLE | {"limits": {}, "most": 99}).round_note == "no limit"
    assert read_scenario(EXAMPLE | {"note": "as the club plays it"}).round_note == "as the club plays it"
    assert read_scenario(EXAMPLE).objective_note == "no kind more than once; 1 VP for each completed"
    assert read_scenario(EXAMPLE | {"objectives": {}}).objective_note == ""
