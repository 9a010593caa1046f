"""The result of two reports of a game, and when a desk report is a correction."""

from datetime import UTC, datetime
from typing import Any

import pytest

from events.play.outcomes import PLAYED_OUT, Ended, ended, set_ended
from events.results.actions import apply_reports, corrects
from events.results.queries import differ, state_by_reports
from models.endings import Ending
from models.play import Absent, Game, GameState, Report, ReportSide
from validators import SYSTEMS
from validators.scenario import Answers

A, B, DESK = ReportSide.A, ReportSide.B, ReportSide.ORGANISER
NOT_PLAYED = Ended(Ending.NOT_PLAYED)
HOLD_THE_LINE = SYSTEMS["battle_mode"].scenario("hold-the-line")


def reported(side: ReportSide, answers: Answers, how: Ended = PLAYED_OUT) -> Report:
    at = datetime(2026, 12, 5, 9, tzinfo=UTC)
    made = Report(game_id=1, side=side, answers=dict(answers), by="somebody", at=at)
    set_ended(made, how)
    return made


def game(
    state: GameState = GameState.CONFIRMED, answers: dict[str, Any] | None = None, how: Ended = PLAYED_OUT
) -> Game:
    made = Game(round_id=1, a_id=1, b_id=2, table_number=1, code="ABCDEFGH", notes=[], state=state, answers=answers)
    set_ended(made, how)
    return made


def counted(*reports: Report) -> tuple[GameState, Report | None]:
    return state_by_reports(HOLD_THE_LINE, {one.side: one for one in reports})


@pytest.mark.proves("G3")
def test_equal_reports_confirm_and_different_ones_are_a_dispute() -> None:
    one, same = reported(A, {"a.objectives": 3}), reported(B, {"a.objectives": 3, "b.objectives": 0})
    assert counted() == (GameState.OPEN, None)
    assert counted(one) == (GameState.REPORTED, one)
    assert counted(same) == (GameState.REPORTED, same)
    assert counted(one, same) == (GameState.CONFIRMED, one), "a missing figure counts as 0"
    decision = reported(DESK, {"a.objectives": 2})
    assert counted(decision) == (GameState.CONFIRMED, decision)
    for other in (
        reported(B, {"a.objectives": 3, "b.objectives": 1}),
        reported(B, {}),
        reported(B, {"a.objectives": 3}, NOT_PLAYED),
    ):
        assert counted(one, other) == (GameState.DISPUTED, None), other.answers
        assert counted(one, other, decision) == (GameState.CONFIRMED, decision)


def test_reports_differ_in_a_figure_or_in_the_ending() -> None:
    one = reported(A, {"a.objectives": 3})
    for answers, how, differs in (
        ({"a.objectives": 3, "b.objectives": 0}, PLAYED_OUT, False), ({"a.objectives": 3}, NOT_PLAYED, True),
        ({"a.objectives": 3, "b.objectives": 1}, PLAYED_OUT, True), ({"a.objectives": 2}, PLAYED_OUT, True),
    ):  # fmt: skip
        other = reported(B, answers, how)
        assert differ(one, other) is differ(other, one) is differs, (answers, how)


def test_choice_that_scores_nothing_causes_no_dispute() -> None:
    scenarios = [one for system in SYSTEMS.values() for one in system.scenarios]
    choices = [(one, question) for one in scenarios for question in one.questions if question.kind == "choice"]
    assert choices
    for scenario, question in choices:
        state, _ = state_by_reports(scenario, {A: reported(A, {question.key: 1}), B: reported(B, {question.key: 2})})
        assert state == (GameState.DISPUTED if question.decides else GameState.CONFIRMED), question.key


def test_figures_and_ending_come_from_the_reports() -> None:
    held = game(GameState.OPEN)
    cases: list[tuple[dict[str, Report], tuple[object, ...]]] = [
        ({A: reported(A, {"a.objectives": 3})}, (GameState.REPORTED, {"a.objectives": 3}, PLAYED_OUT)),
        ({A: reported(A, {}, NOT_PLAYED)}, (GameState.REPORTED, None, NOT_PLAYED)),
        ({}, (GameState.OPEN, None, PLAYED_OUT)),
    ]
    for reports, expected in cases:
        apply_reports(held, HOLD_THE_LINE, reports)
        assert (held.state, held.answers, ended(held)) == expected


def test_only_a_different_result_of_a_confirmed_game_is_a_correction() -> None:
    held = game(answers={"a.objectives": 3, "b.objectives": 0})
    assert corrects(held, {"a.objectives": 2})
    assert corrects(held, {"a.objectives": 3, "b.objectives": 1})
    assert corrects(held, {"a.objectives": 3}, NOT_PLAYED)
    assert not corrects(held, {"a.objectives": 3}), "a missing figure counts as 0"
    assert not corrects(game(answers={"a.objectives": 3}), {"a.objectives": 3, "b.objectives": 0})
    assert corrects(game(answers=None, how=NOT_PLAYED), {"a.objectives": 1})
    for state in (GameState.OPEN, GameState.REPORTED, GameState.DISPUTED):
        assert not corrects(game(state, {"a.objectives": 3}), {"a.objectives": 2}), state
    held = game(answers=None)
    held.absent = Absent.A
    assert not corrects(held, {"a.objectives": 2}), "a no-show who came is no correction"
