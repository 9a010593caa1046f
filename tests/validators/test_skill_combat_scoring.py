"""Bouts: who won, what it is worth, and which reports cannot be or are asked about."""

from typing import Any

import pytest
from tests.validators.skill_combatants import SYSTEM

from validators.scenario import Doubt

BOUT = SYSTEM.scenario("bout")


def told(a: str, b: str, a_hp: int | None = None, b_hp: int | None = None) -> dict[str, int | str]:
    """A report; what is None or "" is left out."""
    answers = {"a.end": a, "b.end": b, "a.hp": a_hp, "b.hp": b_hp}
    return {key: value for key, value in answers.items() if value is not None and value != ""}


def doubts(answers: dict[str, Any]) -> tuple[Doubt, ...]:
    """What the check says."""
    return SYSTEM.check_answers(BOUT, answers)


@pytest.mark.parametrize("lost", ["Down", "Surrendered", "Fled"])
def test_the_last_one_standing_wins_with_the_hp_left(lost: str) -> None:
    one = SYSTEM.score(BOUT, told("Standing", lost, 5))
    assert (one.a, one.b, one.outcome) == (5, 0, "a")
    other = SYSTEM.score(BOUT, told(lost, "Standing", None, 7))
    assert (other.a, other.b, other.outcome) == (0, 7, "b")
    assert doubts(told("Standing", lost, 5)) == ()


def test_more_hp_do_not_decide_between_two_that_stand() -> None:
    score = SYSTEM.score(BOUT, told("Standing", "Standing", 30, 2))
    assert (score.a, score.b, score.outcome) == (30, 2, "draw")
    (doubt,) = doubts(told("Standing", "Standing", 30, 2))
    assert not doubt.refused and "Was time up?" in doubt.message


def test_nobody_standing_is_a_draw_that_is_asked_about() -> None:
    assert SYSTEM.score(BOUT, told("Down", "Fled")).outcome == "draw"
    (doubt,) = doubts(told("Down", "Fled"))
    assert (doubt.refused, doubt.keys) == (False, ("a.end", "b.end"))


@pytest.mark.parametrize(
    ("answers", "keys", "words"),
    [
        (told("Standing", "Down", 0), ("a.hp",), "at least 1"),
        (told("Down", "Standing", 4, 9), ("a.hp",), "with 4 HP of standing characters"),
        (told("Standing", "Fled", 3, 2), ("b.hp",), "player B is fled with 2 HP"),
        (told("Won", "Fled", 3), ("a.end",), "one of Standing or Down"),
        (told("Standing", "Fled", 1000), ("a.hp",), "from 0 to 999"),
        (told("Standing", "Fled", -1), ("a.hp",), "from 0 to 999"),
        (told("Standing", "Fled", 10**4000), ("a.hp",), "far too large"),
        (told("Standing", "Fled", 1) | {"a.hp": "many"}, ("a.hp",), "a whole number"),
        (told("Standing", "Fled", 1) | {"a.hp": True}, ("a.hp",), "a whole number"),
        ({"a.vp": 3}, (), "no question of Bout"),
    ],
)
def test_what_cannot_be_is_refused_at_its_place(answers: dict[str, Any], keys: tuple[str, ...], words: str) -> None:
    (doubt, *_) = [one for one in doubts(answers) if one.refused]
    assert doubt.keys == keys
    assert words in doubt.message


def test_what_is_left_out_is_asked_about() -> None:
    asked = doubts(told("Standing", ""))
    assert not any(doubt.refused for doubt in asked)
    assert [doubt.keys for doubt in asked] == [("a.hp",), ("b.end",)]
    assert SYSTEM.score(BOUT, {}).outcome == "draw"


def test_the_scenarios_say_what_the_document_leaves_open() -> None:
    for scenario in SYSTEM.scenarios:
        assert scenario.readings and scenario.queries and "Document 002" in scenario.source
        assert {question.key for question in scenario.questions} == {"a.end", "a.hp", "b.end", "b.hp"}
