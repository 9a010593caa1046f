"""Results of the SNAFU game: a rout decides, losses are worth what the scenario's table says."""

from typing import Any

import pytest

from validators import SYSTEMS
from validators.scenario import Score

SYSTEM = SYSTEMS["new_vegas"]
BATTLE, ATTRITION, HEAD = (SYSTEM.scenario(name) for name in ("open-battle", "attrition", "cut-off-the-head"))


def answers(**given: Any) -> dict[str, int | str]:
    """A result in which nobody routed, with these answers besides (dots as __)."""
    return {"a.rout": "Stood", "b.rout": "Stood"} | {key.replace("__", "."): value for key, value in given.items()}


def doubts(given: dict[str, int | str]) -> list[tuple[bool, str]]:
    return [(doubt.refused, doubt.message) for doubt in SYSTEM.check_answers(BATTLE, given)]


def test_losses_are_worth_points_to_the_enemy() -> None:
    given = answers(a__lost=7, a__leaders=1, b__lost=4)
    assert SYSTEM.score(BATTLE, given) == Score(a=4, b=7 + 2)
    assert SYSTEM.score(ATTRITION, given) == Score(a=4, b=7)
    assert SYSTEM.score(HEAD, given) == Score(a=0, b=5)
    assert SYSTEM.score(BATTLE, given).outcome == "b"


def test_who_alone_routed_has_lost_whatever_the_points() -> None:
    given = answers(a__lost=2, a__leaders=1, a__rout="Routed", b__lost=30)
    assert SYSTEM.score(BATTLE, given) == Score(a=30, b=2 + 2 + 10, decided="b")
    assert SYSTEM.score(ATTRITION, given) == Score(a=30, b=2, decided="b")
    assert SYSTEM.score(ATTRITION, given).outcome == "b"


def test_where_both_routed_the_points_decide() -> None:
    given = answers(a__lost=5, a__leaders=1, a__rout="Routed", b__lost=4, b__leaders=1, b__rout="Routed")
    assert SYSTEM.score(BATTLE, given) == Score(a=16, b=17)
    assert SYSTEM.score(BATTLE, given | {"b.lost": 5}).outcome == "draw"


@pytest.mark.parametrize("scenario", SYSTEM.scenarios, ids=lambda scenario: scenario.id)
def test_the_sentences_tell_the_figures_of_the_table(scenario: Any) -> None:
    model, leader, rout = (question.worth for question in scenario.questions if question.side == "a")
    told = " ".join(scenario.scoring)
    assert rout[0] == 0, "standing is worth nothing"
    for figure in (*model, *leader, rout[1]):
        assert figure == 0 or f"{figure} VP" in told
        assert figure == 0 or f"{figure} VP" in scenario.round_note


def test_more_leaders_than_models_cannot_be_lost() -> None:
    assert doubts(answers(a__lost=1, a__leaders=1)) == []
    (found,) = doubts(answers(a__lost=1, a__leaders=2))
    assert found == (True, "Player A: 2 with Charisma among 1 models lost in all cannot be")


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (answers(b__rout="Routed", b__lost=3), "Player B's force routed and lost no model with Charisma"),
        (answers(), "Nobody lost a model and no force routed"),
        (answers(a__lost=1) | {"b.rout": ""}, "Player B's force is not noted: it counts as standing"),
        (
            answers(a__lost=1, a__leaders=1, a__rout="Routed", b__lost=1, b__leaders=1, b__rout="Routed"),
            "Both forces routed",
        ),
    ],
)
def test_what_is_odd_is_asked(given: dict[str, int | str], told: str) -> None:
    (found,) = doubts(given)
    assert not found[0]
    assert found[1].startswith(told)


@pytest.mark.parametrize("wrong", [-1, 100, True, "3", 10**30])
def test_a_figure_is_a_number_within_bounds(wrong: int | str) -> None:
    found = doubts(answers(a__lost=wrong))
    assert found and all(refused for refused, _ in found)
    assert all(len(message) < 90 for _, message in found)


def test_no_other_end_is_known() -> None:
    assert doubts(answers(a__rout="Fled"))[0][0]
    assert doubts(answers(c__lost=1))[0][0]
