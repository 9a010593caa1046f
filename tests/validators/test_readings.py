"""Two reports that differ, and what may have happened: each slip alone, and what is never offered."""

from collections.abc import Mapping

from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from validators import SYSTEMS
from validators.readings import (
    Compared,
    compare,
    digits_exchanged,
    nought_more,
    running_totals,
    shifted,
    taken_apart,
    total_in_one_round,
)
from validators.scenario import Answers, Scenario

SYSTEM = SYSTEMS["battle_mode"]
SCENARIOS = {scenario.id: scenario for scenario in SYSTEM.scenarios}
OPEN, TIGHT = SCENARIOS["scrapyard"], SCENARIOS["hold-the-line"]
NAMES: Mapping[str, str] = {"a": "Ada", "b": "Bo"}


def shown(a: Answers, b: Answers, scenario: Scenario = OPEN) -> Compared:
    return compare(scenario, a, b, {"a": "Ada", "b": "Bo"}, SYSTEM.scoring.check, SYSTEM.scoring.score)


def rounds(side: str, *figures: int) -> dict[str, int | str]:
    """What one side scored, from the first game round that can score."""
    keys = [q.key for q in OPEN.questions if q.side == side and q.kind == "vp" and q.most]
    return {key: figure for key, figure in zip(keys, figures, strict=False) if figure}


def scores(compared: Compared) -> list[tuple[int, int]]:
    return [(one.score.a, one.score.b) for one in compared.readings]


def test_equal_reports_have_no_difference() -> None:
    same = shown({"a.r2": 2, "b.r3": 0}, {"a.r2": 2})
    assert same.differences == ()
    assert [one.report for one in same.readings] == ["a", "b"]


def test_one_answer_that_differs_is_named() -> None:
    compared = shown({"a.r2": 12, "b.r3": 1}, {"a.r2": 21, "b.r3": 1})
    ((one),) = compared.differences
    assert (one.question.key, one.a, one.b, one.slip) == ("a.r2", 12, 21, "the same digits the other way round")
    assert compared.said == ("One answer alone differs, Ada, game round 2: the same digits the other way round.",)
    assert scores(compared) == [(12, 1), (21, 1)]


def test_exchanged_sides_are_recognised() -> None:
    compared = shown(rounds("a", 2, 1) | rounds("b", 0, 5), rounds("b", 2, 1) | rounds("a", 0, 5))
    a, b = compared.readings
    assert (a.report, b.report) == ("a", "b")
    assert "Bo’s report is this one with the two sides exchanged." in a.why
    assert "Ada’s report is this one with the two sides exchanged." in b.why


def test_exchanged_sides_with_a_slip_are_own_readings() -> None:
    right = rounds("a", 2, 1, 3) | rounds("b", 0, 5, 1)
    turned = rounds("b", 2, 1, 3) | rounds("a", 0, 5, 2)
    compared = shown(right, turned)
    made = {one.why[0]: (one.score.a, one.score.b) for one in compared.readings if one.report is None}
    assert made["Bo’s report with the two sides exchanged."] == (6, 7)
    assert made["Ada’s report with the two sides exchanged."] == (6, 6)


def test_running_totals_are_recognised() -> None:
    right, sums = rounds("a", 1, 2, 0, 2), rounds("a", 1, 3, 3, 5)
    compared = shown(right | rounds("b", 4), sums | rounds("b", 4))
    assert compared.readings[0].why == ("Bo wrote running totals for Ada instead of each game round’s figure.",)
    # The same with one more difference: the sums alone lead to a result that neither wrote.
    compared = shown(right | rounds("b", 4), sums | rounds("b", 3))
    (made,) = [one for one in compared.readings if "Bo’s report, where the figures of Ada are" in " ".join(one.why)]
    assert (made.score.a, made.score.b, made.report) == (5, 3, None)


def test_total_in_one_round_is_recognised() -> None:
    right, wrong = rounds("a", 1, 2, 0, 2), rounds("a", 1, 2, 0, 5)
    compared = shown(right, wrong)
    assert compared.readings[0].why == ("Bo wrote the total of Ada (5) into one game round.",)
    compared = shown(right | rounds("b", 1), wrong | rounds("b", 3))
    (made,) = [one for one in compared.readings if "is the total and not the round’s" in " ".join(one.why)]
    assert (made.score.a, made.score.b) == (5, 3)


def test_figures_one_round_off_come_to_the_same() -> None:
    compared = shown(rounds("a", 1, 2, 3), rounds("a", 0, 1, 2, 3))
    assert compared.said == ("Both come to 6 : 0: whichever you take, the standings are the same.",)
    assert compared.readings[0].why == ("Bo has the figures of Ada one game round off.",)


def test_answer_missing_in_one_report_supports_the_other() -> None:
    compared = shown({"a.r2": 2, "a.objectives": 3}, {"a.r2": 2})
    assert compared.readings[0].why == ("Bo may have left out Ada, objective markers completed.",)
    assert compared.readings[1].why == ()


def test_impossible_report_is_not_offered() -> None:
    compared = shown({"a.r3": 2, "b.r3": 2}, {"a.r3": 2}, TIGHT)
    assert list(compared.impossible) == ["a"]
    assert "at most 2" in compared.impossible["a"]
    assert [one.report for one in compared.readings] == ["b"]


def test_odd_answers_are_noted_at_their_report() -> None:
    compared = shown({}, {"a.r3": 2}, TIGHT)
    assert any(words.startswith("Odd in it: ") for words in compared.readings[0].why)


def test_each_players_own_figures_are_a_reading_where_both_sides_differ() -> None:
    compared = shown(rounds("a", 3) | rounds("b", 1), rounds("a", 2) | rounds("b", 2))
    made = {one.why[0]: (one.score.a, one.score.b) for one in compared.readings if one.report is None}
    assert made == {
        "The figures of each player as that player reported them.": (3, 2),
        "The figures of each player as the opponent reported them.": (2, 1),
    }


FIGURES = st.integers(0, 6)
REPORTS = st.fixed_dictionaries({}, optional={q.key: FIGURES for q in TIGHT.questions if q.kind != "choice"})


@examples(max_examples=60)
@given(REPORTS, REPORTS)
def test_readings_are_possible_and_distinct(a: Answers, b: Answers) -> None:
    compared = shown(a, b, TIGHT)
    for one in compared.readings:
        assert not any(doubt.refused for doubt in SYSTEM.scoring.check(TIGHT, one.answers))
        assert one.score == SYSTEM.scoring.score(TIGHT, one.answers)
    made = [one.key for one in compared.readings if one.report is None]
    assert len(made) == len(set(made))
    assert not set(made) & {one.key for one in compared.readings if one.report}
    assert {one.report for one in compared.readings if one.report} | set(compared.impossible) == {"a", "b"}


def test_scenarios_of_every_game_can_be_compared() -> None:
    for game in SYSTEMS.values():
        for scenario in game.scenarios:
            key = next(q.key for q in scenario.questions if q.kind != "choice" and q.most > 0 and q.side == "a")
            compared = compare(scenario, {key: 1}, {}, {"a": "Ada", "b": "Bo"}, game.scoring.check, game.scoring.score)
            assert [one.question.key for one in compared.differences] == [key], scenario.id


def test_each_slip_alone() -> None:
    assert digits_exchanged(12, 21)
    assert not any(digits_exchanged(*pair) for pair in ((11, 11), (1, 10), (12, 22)))
    assert nought_more(3, 30)
    assert not nought_more(0, 0)
    assert taken_apart((1, 3, 3, 5)) == (1, 2, 0, 2)
    assert taken_apart((3, 1)) is None
    assert taken_apart((0, 0)) is None
    assert running_totals((1, 2, 0, 2, 0), (1, 3, 3, 5, 0))
    assert not running_totals((1, 2, 0, 2, 1), (1, 3, 3, 5, 0))
    assert shifted((1, 2, 0), (0, 1, 2))
    assert not shifted((0, 0), (0, 0))
    assert total_in_one_round((1, 2, 2), (1, 2, 5))
    assert total_in_one_round((1, 2, 2), (0, 0, 5))
    assert not total_in_one_round((1, 2, 2), (5, 2, 5))
