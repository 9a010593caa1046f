"""Any scenario of the form: what its data say is what is refused, asked and counted."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.validators.scenario_documents import EXAMPLE, documents
from validators.battle_mode.scenario_file import read_scenario
from validators.battle_mode.scenarios import check_answers, score
from validators.scenario import Scenario, Score

pytestmark = pytest.mark.slow


def answers_to(draw: st.DrawFn, scenario: Scenario) -> dict[str, int | str]:
    """Answers to some of the questions, each possible by itself."""
    answers: dict[str, int | str] = {}
    for question in scenario.questions:
        if draw(st.booleans()):
            figures: st.SearchStrategy[int | str] = st.integers(question.least, question.most)
            answers[question.key] = draw(st.sampled_from(question.choices) if question.choices else figures)
    return answers


@st.composite
def played(draw: st.DrawFn) -> tuple[Scenario, dict[str, int | str]]:
    scenario = read_scenario(draw(documents()))
    return scenario, answers_to(draw, scenario)


@settings(max_examples=70)
@given(documents())
def test_the_questions_cover_what_counts(document: dict[str, Any]) -> None:
    """Each figure asked for counts once for its side; nothing that is not asked counts."""
    scenario = read_scenario(document)
    for question in scenario.questions:
        one = Score(1, 0) if question.side == "a" else Score(0, 1)
        assert score(scenario, {question.key: 1}) == (Score(0, 0) if question.kind == "choice" else one)
    asked = {q.key for q in scenario.questions}
    assert score(scenario, dict.fromkeys(("a.r0", "b.r13", "a.objective", "c.r1"), 9)) == Score(0, 0)
    assert {f"{side}.r{n}" for side in "ab" for n in range(1, scenario.game_rounds + 1)} <= asked


@settings(max_examples=70)
@given(played())
def test_doubts_are_what_the_data_say(game: tuple[Scenario, dict[str, int | str]]) -> None:
    """Calculated a second time, from the limits alone, in the shortest way."""
    scenario, answers = game
    limits = scenario.limits
    a, b = (sum(v for key, v in answers.items() if key[0] == side and isinstance(v, int)) for side in "ab")
    assert score(scenario, answers) == Score(a, b)
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


def test_a_limit_tells_its_reason_or_its_figure() -> None:
    def shown(limits: dict[str, object], a: int, b: int) -> list[str]:
        scenario = read_scenario(EXAMPLE | {"limits": limits})
        return [doubt.message for doubt in check_answers(scenario, {"a.r2": a, "b.r2": b})]

    assert shown({"together_refused": {"above": 3, "why": "one bridge"}}, 2, 2) == [
        "Game round 2: 2 and 2 VP add up to 4. At most 3 are possible (one bridge)."
    ]
    assert shown({"together_refused": {"above": 3}}, 2, 2) == [
        "Game round 2: 2 and 2 VP add up to 4. At most 3 are possible."
    ]
    assert shown({"together_asked": {"above": 3}}, 2, 2) == [
        "Game round 2: 2 and 2 VP add up to 4. More than 3 is rare. Is that right?"
    ]
    assert shown({"one_asked": {"above": 2, "why": "two banks"}}, 3, 2) == [
        "Game round 2: player A scored 3 VP in one round (two banks). Is that right?"
    ]
    assert shown({"held_by_one": "the bridge"}, 1, 3) == [
        "Game round 2: 1 and 3 VP both count the bridge (1 VP), which one player at most can hold."
    ]


def test_the_note_of_a_sheet_is_made_from_the_limits_unless_it_is_written() -> None:
    def note(**fields: object) -> str:
        return read_scenario(EXAMPLE | fields).round_note

    assert note() == (
        "at most 3 a player and round; the bridge to one player at most; "
        "more than 4 VP in a round, both players together: call a judge"
    )
    assert note(limits={}, most=99) == "no limit"
    assert note(note="as the club plays it") == "as the club plays it"
    assert read_scenario(EXAMPLE).objective_note == "no kind more than once; 1 VP for each completed"
    assert read_scenario(EXAMPLE | {"objectives": {}}).objective_note == ""
