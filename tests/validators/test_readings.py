"""Two reports that differ, and what may have happened: each slip alone, and what is never offered."""

from collections.abc import Mapping

from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from validators import SYSTEMS
from validators.readings import Compared, compare
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
    for a, b, slip in (
        (12, 21, "the same digits the other way round"), (3, 30, "one zero more or less"), (12, 22, ""), (0, 30, ""),
    ):  # fmt: skip
        compared = shown({"a.r2": a, "b.r3": 1}, {"a.r2": b, "b.r3": 1})
        ((one),) = compared.differences
        assert (one.question.key, one.a, one.b, one.slip) == ("a.r2", a, b, slip)
        assert compared.said == (f"One answer alone differs, Ada, game round 2{slip and f': {slip}'}.",)
        assert scores(compared) == [(a, 1), (b, 1)]


def test_slip_is_named_at_the_report_that_it_makes_likely() -> None:
    own, four = {"a.r2": 2, "a.objectives": 3}, rounds("b", 4)
    for a, b, why in (
        (rounds("a", 1, 2, 0, 2) | four, rounds("a", 1, 3, 3, 5) | four,
         "wrote running totals for Ada instead of each game round’s figure."),
        (rounds("a", 1, 2, 0, 2, 1), rounds("a", 1, 3, 3, 5), ""),
        (rounds("a", 1, 2, 0, 2) | four, rounds("a", 1, 2, 0, 5) | four,
         "wrote the total of Ada (5) into one game round."),
        (rounds("a", 1, 2, 2), rounds("a", 0, 0, 5), "wrote the total of Ada (5) into one game round."),
        (rounds("a", 1, 2, 2), rounds("a", 5, 2, 5), ""),
        (rounds("a", 1, 2, 2), rounds("a", 3, 0, 5), ""),
        (rounds("a", 1, 2, 3), rounds("a", 0, 1, 2, 3), "has the figures of Ada one game round off."),
        (own, {"a.r2": 2}, "may have left out Ada, objective markers completed."),
    ):  # fmt: skip
        assert shown(a, b).readings[0].why == ((f"Bo {why}",) if why else ()), (a, b)
    assert shown(own, {"a.r2": 2}).readings[1].why == ()
    compared = shown(rounds("a", 1, 2, 3), rounds("a", 0, 1, 2, 3))
    assert compared.said == ("Both come to 6 : 0: whichever you take, the standings are the same.",)
    own_way, turned = shown(rounds("a", 2, 1) | rounds("b", 0, 5), rounds("b", 2, 1) | rounds("a", 0, 5)).readings
    assert (own_way.report, turned.report) == ("a", "b")
    assert "Bo’s report is this one with the two sides exchanged." in own_way.why
    assert "Ada’s report is this one with the two sides exchanged." in turned.why


def test_results_that_neither_reported_are_offered_with_their_reason() -> None:
    right = rounds("a", 1, 2, 0, 2)
    for a, b, made in (
        (
            rounds("a", 2, 1, 3) | rounds("b", 0, 5, 1),
            rounds("b", 2, 1, 3) | rounds("a", 0, 5, 2),
            {"Bo’s report with the two sides exchanged.": (6, 7), "Ada’s report with the two sides exchanged.": (6, 6)},
        ),
        (
            right | rounds("b", 4),
            rounds("a", 1, 3, 3, 5) | rounds("b", 3),
            {"Bo’s report, where the figures of Ada are running totals.": (5, 3)},
        ),
        (
            right | rounds("b", 1),
            rounds("a", 1, 2, 0, 5) | rounds("b", 3),
            {"Bo’s report, where 5 of Ada is the total and not the round’s.": (5, 3)},
        ),
        (
            rounds("a", 3) | rounds("b", 1),
            rounds("a", 2) | rounds("b", 2),
            {
                "The figures of each player as that player reported them.": (3, 2),
                "The figures of each player as the opponent reported them.": (2, 1),
            },
        ),
    ):
        readings = [one for one in shown(a, b).readings if one.report is None]
        found = {why: (one.score.a, one.score.b) for one in readings for why in one.why}
        assert made.items() <= found.items(), found


def test_impossible_report_is_not_offered() -> None:
    compared = shown({"a.r3": 2, "b.r3": 2}, {"a.r3": 2}, TIGHT)
    assert list(compared.impossible) == ["a"]
    assert "at most 2" in compared.impossible["a"]
    assert [one.report for one in compared.readings] == ["b"]


def test_odd_answers_are_noted_at_their_report() -> None:
    compared = shown({}, {"a.r3": 2}, TIGHT)
    assert any(words.startswith("Odd in it: ") for words in compared.readings[0].why)


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
