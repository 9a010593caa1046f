"""The result of a game of Fallout Skirmish: five markers worth the numbers of their lines, one player on each."""

import pytest

from validators import SYSTEMS
from validators.scenario import Score

SYSTEM = SYSTEMS["fallout_skirmish"]
(SCENARIO,) = SYSTEM.scenarios


def held(**lines: str) -> dict[str, int | str]:
    """Answers by player: ``a="124"`` is A on the lines 1, 2 and 4."""
    return {f"{side}.line{line}": 1 for side, listed in lines.items() for line in listed}


def test_the_example_of_the_rulebook_scores_seven() -> None:
    assert SYSTEM.score(SCENARIO, held(a="124")) == Score(7, 0)


def test_all_markers_are_fifteen_points_and_nobody_has_more() -> None:
    assert SYSTEM.score(SCENARIO, held(a="12345")) == Score(15, 0)
    assert SYSTEM.check_answers(SCENARIO, held(a="12345")) == ()
    for split in range(32):
        a = "".join(str(n + 1) for n in range(5) if split >> n & 1)
        b = "".join(str(n + 1) for n in range(5) if not split >> n & 1)
        score = SYSTEM.score(SCENARIO, held(a=a, b=b))
        assert score.a + score.b == 15
        assert SYSTEM.check_answers(SCENARIO, held(a=a, b=b)) == ()


def test_more_points_win_and_equal_ones_are_a_draw() -> None:
    assert SYSTEM.score(SCENARIO, held(a="5", b="14")).outcome == "draw"
    assert SYSTEM.score(SCENARIO, held(a="5", b="13")).outcome == "a"
    assert SYSTEM.score(SCENARIO, held(a="12", b="4")).outcome == "b"


@pytest.mark.parametrize("line", range(1, 6))
def test_one_player_at_most_controls_a_marker(line: int) -> None:
    (doubt,) = SYSTEM.check_answers(SCENARIO, held(a=str(line), b=str(line)))
    assert doubt.refused and doubt.keys == (f"a.line{line}", f"b.line{line}")
    assert f"line {line}" in doubt.message


def test_a_game_in_which_nobody_controls_anything_is_asked_about() -> None:
    (doubt,) = SYSTEM.check_answers(SCENARIO, {})
    assert not doubt.refused
    (doubt,) = SYSTEM.check_answers(SCENARIO, {"a.line1": 0, "b.line5": 0})
    assert not doubt.refused


@pytest.mark.parametrize("value", [2, -1, True, "1", None, 10**40])
def test_a_marker_is_controlled_or_not(value: object) -> None:
    answers: dict[str, object] = {"a.line1": 1, "b.line2": value}
    (doubt,) = SYSTEM.check_answers(SCENARIO, answers)  # type: ignore[arg-type] # what a crafted form may send
    assert doubt.refused and doubt.keys == ("b.line2",)


def test_an_objective_is_one_of_twelve_and_scores_nothing() -> None:
    (question,) = [q for q in SCENARIO.questions if q.key == "a.objective"]
    assert [choice.partition(" ")[0] for choice in question.choices] == [str(n) for n in range(1, 13)]
    for choice in ("", *question.choices):
        answers = held(a="3") | {"a.objective": choice}
        assert SYSTEM.check_answers(SCENARIO, answers) == ()
        assert SYSTEM.score(SCENARIO, answers) == Score(3, 0)
    (doubt,) = SYSTEM.check_answers(SCENARIO, held(a="3") | {"a.objective": "13 The Long Way Home"})
    assert doubt.refused and doubt.keys == ("a.objective",)


def test_the_markers_lie_on_their_lines_from_both_edges() -> None:
    distances = [(marker.label, marker.y, SCENARIO.table_inches - marker.y) for marker in SCENARIO.markers]
    assert distances == [
        ("Line 1", 12, 36),
        ("Line 2", 18, 30),
        ("Line 3", 24, 24),
        ("Line 4", 30, 18),
        ("Line 5", 36, 12),
    ], "30″ and 36″ from either player's own edge, and the middle"
