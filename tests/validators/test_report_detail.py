"""Reports of totals and of the outcome alone, in every game."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from validators import SYSTEMS
from validators.contract import GameSystem
from validators.report_detail import A_WINS, B_WINS, DRAW, WON, answer_of, check, detailed, score
from validators.scenario import Answers, Scenario, Score

EVERY = [(system, scenario) for system in SYSTEMS.values() for scenario in system.scenarios]


def scenario_of(game: str, scenario: str, detail: str) -> tuple[GameSystem, Scenario]:
    system = SYSTEMS[game]
    return system, detailed(system, system.scenario(scenario), "totals" if detail == "totals" else "outcome")


def test_full_reports_are_the_games_own() -> None:
    for system, scenario in EVERY:
        assert detailed(system, scenario, "full") is scenario, scenario.id
        assert score(system, scenario, {}) == system.scoring.score(scenario, {}), scenario.id
        assert check(system, scenario, {}) == system.scoring.check(scenario, {}), scenario.id


def test_totals_ask_both_totals_and_what_decides() -> None:
    for system, scenario in EVERY:
        asked = detailed(system, scenario, "totals")
        a, b = asked.questions[:2]
        assert (a.key, a.side, b.key, b.side) == ("a.total", "a", "b.total", "b") and a.most == b.most >= 1
        assert set(asked.questions[2:]) < set(scenario.questions), scenario.id
        assert not any(question.kind == "vp" for question in asked.questions), scenario.id
        found = score(system, asked, {"a.total": 1, "b.total": 0})
        assert (found.a, found.b, found.known) == (1, 0, True), scenario.id
        for answers, refused, at_the_end in (
            ({"a.total": 0, "b.total": 0}, [], True),
            ({"a.total": 0}, [("b.total",)], False),
            ({"a.total": a.most + 1, "b.total": 1}, [("a.total",)], False),
        ):
            doubts = check(system, asked, answers)
            assert [doubt.keys for doubt in doubts if doubt.refused] == refused, (scenario.id, answers)
            assert any(doubt.at_the_end for doubt in doubts) is at_the_end, (scenario.id, answers)


def test_an_outcome_has_no_victory_points() -> None:
    for system, scenario in EVERY:
        asked = detailed(system, scenario, "outcome")
        for answer, outcome, shown in ((A_WINS, "a", "W : L"), (DRAW, "draw", "D : D"), (B_WINS, "b", "L : W")):
            found = score(system, asked, {WON: answer})
            assert (found.outcome, found.known, found.figures) == (outcome, False, shown), scenario.id
            assert check(system, asked, {WON: answer}) == () and answer_of(found.outcome) == answer, scenario.id
        for answers in ({}, {WON: ""}, {WON: "Ada"}, {WON: 1}, {"a.total": 3}):
            assert any(doubt.refused for doubt in check(system, asked, answers)), (scenario.id, answers)


@pytest.mark.parametrize(
    ("game", "scenario", "answers", "outcome"),
    [
        ("battle_mode", "hold-the-line", {"a.total": 6, "b.total": 5}, "a"),
        ("fallout_skirmish", "objectives", {"a.total": 2, "b.total": 2}, "draw"),
        ("fallout_warfare", "skirmish", {"a.total": 110, "b.total": 100}, "draw"),
        ("fallout_warfare", "skirmish", {"a.total": 111, "b.total": 100}, "a"),
        ("fallout_warfare", "convoy", {"a.total": 0, "b.total": 1}, "b"),
        ("new_vegas", "attrition", {"a.total": 9, "b.total": 2, "a.rout": "Routed"}, "b"),
        ("new_vegas", "attrition", {"a.total": 9, "b.total": 2, "a.rout": "Routed", "b.rout": "Routed"}, "a"),
        ("skill_combat", "bout", {"a.total": 1, "b.total": 9, "a.end": "Standing", "b.end": "Down"}, "a"),
        ("skill_combat", "bout", {"a.total": 1, "b.total": 9, "a.end": "Standing", "b.end": "Standing"}, "draw"),
        ("skill_combat", "first-blood", {"a.total": 1, "b.total": 9, "a.end": "Standing", "b.end": "Standing"}, "draw"),
    ],
)  # fmt: skip
def test_totals_are_decided_by_the_games_rule(game: str, scenario: str, answers: Answers, outcome: str) -> None:
    assert score(*scenario_of(game, scenario, "totals"), answers).outcome == outcome


@pytest.mark.parametrize(("worth", "left"), [(1, "total"), (0, "hp")])
def test_hit_points_decide_by_the_figure_that_shows_them(worth: int, left: str) -> None:
    system = SYSTEMS["skill_combat"]
    bout = system.scenario("bout")
    questions = tuple(replace(q, worth=(worth,)) if q.kind == "figure" else q for q in bout.questions)
    asked = detailed(system, replace(bout, questions=questions, scored_by="hit points"), "totals")
    both = {"a.end": "Standing", "b.end": "Standing"}
    assert score(system, asked, {**both, f"a.{left}": 3, f"b.{left}": 2}).outcome == "a"
    assert [q.key for q in asked.questions if q.key.endswith(".hp")] == ([] if worth else ["a.hp", "b.hp"])


def test_what_decides_is_asked_again_where_it_was_left_open() -> None:
    doubts = check(*scenario_of("new_vegas", "attrition", "totals"), {"a.total": 9, "b.total": 2})
    assert [doubt.keys for doubt in doubts] == [("a.rout",), ("b.rout",)] and not any(d.refused for d in doubts)


@given(st.sampled_from(EVERY), st.data())
def test_totals_of_a_full_report_are_possible_and_keep_its_winner(
    one: tuple[GameSystem, Scenario], data: st.DataObject
) -> None:
    system, scenario = one
    answers: dict[str, int | str] = {}
    for question in scenario.questions:
        if question.kind == "choice":
            answers[question.key] = data.draw(st.sampled_from(question.choices))
        else:
            answers[question.key] = data.draw(st.integers(question.least, min(question.most, 12)))
    if any(doubt.refused for doubt in system.scoring.check(scenario, answers)):
        return
    full, asked = system.scoring.score(scenario, answers), detailed(system, scenario, "totals")
    kept = {question.key: answers[question.key] for question in asked.questions if question.key in answers}
    short = {"a.total": full.a, "b.total": full.b, **kept}
    assert not any(doubt.refused for doubt in check(system, asked, short)), (answers, short)
    assert score(system, asked, short).outcome == full.outcome
    assert score(system, asked, short) == Score(full.a, full.b, score(system, asked, short).decided)
