"""What two reports of a game come to, and when the desk's word is another one than that which stands."""

from datetime import UTC, datetime
from typing import Any

import pytest

from events.play.outcomes import PLAYED_OUT, Ended, ended, set_ended
from events.results import actions as results_actions
from models.endings import Ending
from models.play import Absent, Game, GameState, Report, ReportSide
from validators import SYSTEMS
from validators.scenario import Answers, Scenario

A, B, DESK = ReportSide.A, ReportSide.B, ReportSide.ORGANISER
NOT_PLAYED = Ended(Ending.NOT_PLAYED)
NOW = datetime(2026, 12, 5, 9, tzinfo=UTC)


def hold_the_line() -> Scenario:
    return SYSTEMS["battle_mode"].scenario("hold-the-line")


def told(side: ReportSide, answers: Answers, how: Ended = PLAYED_OUT) -> Report:
    made = Report(game_id=1, side=side, answers=dict(answers), by="somebody", at=NOW)
    set_ended(made, how)
    return made


def game(
    state: GameState = GameState.CONFIRMED, answers: dict[str, Any] | None = None, how: Ended = PLAYED_OUT
) -> Game:
    made = Game(round_id=1, a_id=1, b_id=2, table_number=1, code="ABCDEFGH", notes=[], state=state, answers=answers)
    set_ended(made, how)
    return made


def counted(*reports: Report) -> tuple[GameState, Report | None]:
    return results_actions.standing_of(hold_the_line(), {one.side: one for one in reports})


@pytest.mark.proves("G3")
def test_two_equal_reports_confirm_and_one_waits() -> None:
    one, same = told(A, {"a.objectives": 3}), told(B, {"a.objectives": 3, "b.objectives": 0})
    assert counted() == (GameState.OPEN, None)
    assert counted(one) == (GameState.REPORTED, one)
    assert counted(same) == (GameState.REPORTED, same)
    assert counted(one, same) == (GameState.CONFIRMED, one), "a figure left out is a 0"


@pytest.mark.proves("G3")
@pytest.mark.parametrize(
    "other",
    [told(B, {"a.objectives": 3, "b.objectives": 1}), told(B, {}), told(B, {"a.objectives": 3}, NOT_PLAYED)],
    ids=["another figure", "a figure less", "another ending"],
)  # fmt: skip
def test_two_different_ones_are_a_dispute_until_the_desk_decides(other: Report) -> None:
    one, word = told(A, {"a.objectives": 3}), told(DESK, {"a.objectives": 2})
    assert counted(one, other) == (GameState.DISPUTED, None)
    assert counted(one, other, word) == (GameState.CONFIRMED, word)
    assert counted(word) == (GameState.CONFIRMED, word)


def test_what_only_describes_a_game_is_nothing_to_quarrel_about() -> None:
    scenarios = [one for system in SYSTEMS.values() for one in system.scenarios]
    said = [(one, question) for one in scenarios for question in one.questions if question.kind == "choice"]
    assert said
    for scenario, question in said:
        here, there = told(A, {question.key: 1}), told(B, {question.key: 2})
        state, _ = results_actions.standing_of(scenario, {A: here, B: there})
        assert state == (GameState.DISPUTED if question.decides else GameState.CONFIRMED), question.key


def test_a_game_stands_as_its_reports_say_and_one_that_was_not_played_has_no_figures() -> None:
    held = game(GameState.OPEN)
    results_actions.stand(held, hold_the_line(), {A: told(A, {"a.objectives": 3})})
    assert (held.state, held.answers, ended(held)) == (GameState.REPORTED, {"a.objectives": 3}, PLAYED_OUT)
    results_actions.stand(held, hold_the_line(), {A: told(A, {}, NOT_PLAYED)})
    assert (held.state, held.answers, ended(held)) == (GameState.REPORTED, None, NOT_PLAYED)
    results_actions.stand(held, hold_the_line(), {})
    assert (held.state, held.answers, ended(held)) == (GameState.OPEN, None, PLAYED_OUT)


def test_another_word_on_a_confirmed_game_is_a_correction() -> None:
    held = game(answers={"a.objectives": 3, "b.objectives": 0})
    assert results_actions.corrects(held, {"a.objectives": 2})
    assert results_actions.corrects(held, {"a.objectives": 3, "b.objectives": 1})
    assert results_actions.corrects(held, {"a.objectives": 3}, NOT_PLAYED)
    assert not results_actions.corrects(held, {"a.objectives": 3}), "a figure left out is a 0"
    assert not results_actions.corrects(game(answers={"a.objectives": 3}), {"a.objectives": 3, "b.objectives": 0})
    assert results_actions.corrects(game(answers=None, how=NOT_PLAYED), {"a.objectives": 1})


@pytest.mark.parametrize("state", [GameState.OPEN, GameState.REPORTED, GameState.DISPUTED])
def test_of_a_game_that_is_not_decided_nothing_is_corrected(state: GameState) -> None:
    assert not results_actions.corrects(game(state, {"a.objectives": 3}), {"a.objectives": 2})


def test_whoever_came_after_all_corrects_nothing() -> None:
    held = game(answers=None)
    held.absent = Absent.A
    assert not results_actions.corrects(held, {"a.objectives": 2})
