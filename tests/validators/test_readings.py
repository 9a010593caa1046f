"""Explanations of two reports that differ; reports of totals or of the outcome only."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from validators import SYSTEMS
from validators.game_system import GameSystem
from validators.readings import Compared, compare
from validators.report_detail import A_WINS, B_WINS, DRAW, WON, answer_of, check, detailed, score
from validators.scenario import Answers, Scenario, Score

SYSTEM = SYSTEMS["battle_mode"]
SCENARIOS = {scenario.id: scenario for scenario in SYSTEM.scenarios}
OPEN, TIGHT = SCENARIOS["scrapyard"], SCENARIOS["hold-the-line"]


def shown(a: Answers, b: Answers, scenario: Scenario = OPEN) -> Compared:
    return compare(scenario, a, b, {"a": "Ada", "b": "Bo"}, SYSTEM.scoring.check, SYSTEM.scoring.score)


def rounds(side: str, *figures: int) -> dict[str, int | str]:
    keys = [q.key for q in OPEN.questions if q.side == side and q.kind == "vp" and q.most]
    return {key: figure for key, figure in zip(keys, figures, strict=False) if figure}


def test_single_different_answer_is_named() -> None:
    same = shown({"a.r2": 2, "b.r3": 0}, {"a.r2": 2})
    assert same.differences == ()
    assert [reading.report for reading in same.readings] == ["a", "b"]
    for a, b, slip in (
        (12, 21, "the same digits the other way round"), (3, 30, "one zero more or less"), (0, 30, ""),
    ):  # fmt: skip
        compared = shown({"a.r2": a, "b.r3": 1}, {"a.r2": b, "b.r3": 1})
        ((difference),) = compared.differences
        assert (difference.question.key, difference.a, difference.b, difference.slip) == ("a.r2", a, b, slip)
        assert compared.same_worth == ""
        assert [(reading.score.a, reading.score.b) for reading in compared.readings] == [(a, 1), (b, 1)]


def test_likely_slip_is_a_guess_at_the_report_that_may_have_it() -> None:
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
        (rounds("a", 2) | four, rounds("a", 0) | four, "left out: Ada, game round 2."),
        (own, {"a.r2": 2}, "left out: Ada, objective markers completed."),
    ):  # fmt: skip
        assert shown(a, b).slips["b"] == ((f"Perhaps Bo {why}",) if why else ()), (a, b)
        assert [reading.why for reading in shown(a, b).readings if reading.report] == [(), ()]
    assert shown(own, {"a.r2": 2}).slips["a"] == ()
    compared = shown(rounds("a", 1, 2, 3), rounds("a", 0, 1, 2, 3))
    assert compared.same_worth == "Both come to 6 : 0: whichever you take, the standings are the same."
    turned = shown(rounds("a", 2, 1) | rounds("b", 0, 5), rounds("b", 2, 1) | rounds("a", 0, 5)).slips
    assert turned == {"a": ("Perhaps Ada exchanged the two sides.",), "b": ("Perhaps Bo exchanged the two sides.",)}


def test_results_that_neither_player_reported_are_offered_with_a_reason() -> None:
    right = rounds("a", 1, 2, 0, 2)
    for a, b, made in (
        (rounds("a", 2, 1, 3) | rounds("b", 0, 5, 1), rounds("b", 2, 1, 3) | rounds("a", 0, 5, 2), {
            "Bo’s report with the two sides exchanged.": (6, 7), "Ada’s report with the two sides exchanged.": (6, 6),
        }),
        (right | rounds("b", 4), rounds("a", 1, 3, 3, 5) | rounds("b", 3),
         {"Bo’s report, where the figures of Ada are running totals.": (5, 3)}),
        (right | rounds("b", 1), rounds("a", 1, 2, 0, 5) | rounds("b", 3),
         {"Bo’s report, where 5 of Ada is the total and not the round’s.": (5, 3)}),
        (rounds("a", 3) | rounds("b", 1), rounds("a", 2) | rounds("b", 2), {
            "The figures of each player as that player reported them.": (3, 2),
            "The figures of each player as the opponent reported them.": (2, 1),
        }),
    ):  # fmt: skip
        readings = [reading for reading in shown(a, b).readings if reading.report is None]
        found = {why: (reading.score.a, reading.score.b) for reading in readings for why in reading.why}
        assert made.items() <= found.items(), found


def test_impossible_report_is_not_offered_and_odd_report_has_a_note() -> None:
    compared = shown({"a.r3": 2, "b.r3": 2}, {"a.r3": 2}, TIGHT)
    assert list(compared.impossible) == ["a"]
    assert "At most 2 are possible" in compared.impossible["a"]
    assert [reading.report for reading in compared.readings] == ["b"]
    compared = shown({}, {"a.r3": 2}, TIGHT)
    assert any(words.startswith("Odd in it: ") for words in compared.readings[0].why)


FIGURES = st.integers(0, 6)
REPORTS = st.fixed_dictionaries({}, optional={q.key: FIGURES for q in TIGHT.questions if q.kind != "choice"})


@given(REPORTS, REPORTS)
def test_readings_are_possible_and_distinct(a: Answers, b: Answers) -> None:
    compared = shown(a, b, TIGHT)
    for reading in compared.readings:
        assert not any(doubt.refused for doubt in SYSTEM.scoring.check(TIGHT, reading.answers))
        assert reading.score == SYSTEM.scoring.score(TIGHT, reading.answers)
    made = [a_reading.key for a_reading in compared.readings if a_reading.report is None]
    assert len(made) == len(set(made))
    assert not set(made) & {a_reading.key for a_reading in compared.readings if a_reading.report}
    assert {a_reading.report for a_reading in compared.readings if a_reading.report} | set(compared.impossible) == {
        "a",
        "b",
    }


def test_scenarios_of_every_game_can_be_compared() -> None:
    for game in SYSTEMS.values():
        for scenario in game.scenarios:
            key = next(q.key for q in scenario.questions if q.kind != "choice" and q.most > 0 and q.side == "a")
            compared = compare(scenario, {key: 1}, {}, {"a": "Ada", "b": "Bo"}, game.scoring.check, game.scoring.score)
            assert [difference.question.key for difference in compared.differences] == [key], scenario.id


EVERY = [(system, scenario) for system in SYSTEMS.values() for scenario in system.scenarios]


def test_report_of_totals_asks_for_both_totals_and_the_deciding_answers() -> None:
    for system, scenario in EVERY:
        assert detailed(system, scenario, "full") is scenario, scenario.id
        assert score(system, scenario, {}) == system.scoring.score(scenario, {}), scenario.id
        assert check(system, scenario, {}) == system.scoring.check(scenario, {}), scenario.id
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


def test_report_of_the_outcome_has_no_victory_points() -> None:
    for system, scenario in EVERY:
        asked = detailed(system, scenario, "outcome")
        for answer, outcome, shown in ((A_WINS, "a", "W : L"), (DRAW, "draw", "D : D"), (B_WINS, "b", "L : W")):
            found = score(system, asked, {WON: answer})
            assert (found.outcome, found.known, found.figures) == (outcome, False, shown), scenario.id
            assert check(system, asked, {WON: answer}) == () and answer_of(found.outcome) == answer, scenario.id
        for answers in ({}, {WON: "Ada"}, {WON: 1}, {"a.total": 3}):
            assert any(doubt.refused for doubt in check(system, asked, answers)), (scenario.id, answers)


def of_totals(game: str, scenario: Scenario) -> tuple[GameSystem, Scenario]:
    return SYSTEMS[game], detailed(SYSTEMS[game], scenario, "totals")


def test_totals_are_decided_by_the_games_rule() -> None:
    far: dict[str, int | str] = {"a.total": 1, "b.total": 9}
    standing: dict[str, int | str] = {"a.end": "Standing", "b.end": "Standing"}
    routed: dict[str, int | str] = {"a.total": 9, "b.total": 2, "a.rout": "Routed"}
    cases: tuple[tuple[str, str, Answers, str], ...] = (
        ("battle_mode", "hold-the-line", {"a.total": 6, "b.total": 5}, "a"),
        ("fallout_warfare", "skirmish", {"a.total": 110, "b.total": 100}, "draw"),
        ("fallout_warfare", "skirmish", {"a.total": 111, "b.total": 100}, "a"),
        ("fallout_warfare", "convoy", {"a.total": 0, "b.total": 1}, "b"),
        ("new_vegas", "attrition", routed, "b"), ("new_vegas", "attrition", routed | {"b.rout": "Routed"}, "a"),
        ("skill_combat", "bout", far | standing | {"b.end": "Down"}, "a"),
        ("skill_combat", "bout", far | standing, "draw"), ("skill_combat", "first-blood", far | standing, "draw"),
    )  # fmt: skip
    for game, id_, answers, outcome in cases:
        assert score(*of_totals(game, SYSTEMS[game].scenario(id_)), answers).outcome == outcome, (id_, answers)
    doubts = check(*of_totals("new_vegas", SYSTEMS["new_vegas"].scenario("attrition")), {"a.total": 9, "b.total": 2})
    assert [(doubt.keys, doubt.refused) for doubt in doubts] == [(("a.rout", "b.rout"), False)]
    bout = SYSTEMS["skill_combat"].scenario("bout")
    for worth, left in ((1, "total"), (0, "hp")):  # the figure that shows the hit points
        questions = tuple(replace(q, worth=(worth,)) if q.kind == "figure" else q for q in bout.questions)
        by_points = of_totals("skill_combat", replace(bout, questions=questions, scored_by="hit points"))
        assert score(*by_points, standing | {f"a.{left}": 3, f"b.{left}": 2}).outcome == "a"
        assert [q.key for q in by_points[1].questions if q.key.endswith(".hp")] == ([] if worth else ["a.hp", "b.hp"])


@given(st.sampled_from(EVERY), st.data())
def test_totals_of_a_full_report_are_possible_and_keep_its_winner(
    row: tuple[GameSystem, Scenario], data: st.DataObject
) -> None:
    system, scenario = row
    answers: dict[str, int | str] = {}
    for question in scenario.questions:
        if question.kind == "choice":
            answers[question.key] = data.draw(st.sampled_from(question.choices))
        else:
            answers[question.key] = data.draw(st.integers(0, min(question.most, 12)))
    if any(doubt.refused for doubt in system.scoring.check(scenario, answers)):
        return
    full, asked = system.scoring.score(scenario, answers), detailed(system, scenario, "totals")
    kept = {question.key: answers[question.key] for question in asked.questions if question.key in answers}
    short = {"a.total": full.a, "b.total": full.b, **kept}
    assert not any(doubt.refused for doubt in check(system, asked, short)), (answers, short)
    assert score(system, asked, short).outcome == full.outcome
    assert score(system, asked, short) == Score(full.a, full.b, score(system, asked, short).decided)
