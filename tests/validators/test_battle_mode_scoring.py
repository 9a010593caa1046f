"""Scenarios and results: the boundaries of every row of the scoring table, and what is asked or refused."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from validators import SYSTEMS
from validators.battle_mode import scoring
from validators.battle_mode.scenarios import SCENARIOS
from validators.scenario import Answers, Doubt, Score

IDS = [scenario.id for scenario in SCENARIOS]
TABLE = {
    # scenario: first scoring round, most for one player in a round, in a game without objectives
    "hold-the-line": (2, 2, 10),
    "defend-your-stash": (2, 3, 15),
    "extract-the-information": (2, 3, 15),
    "raiders": (1, 2, 12),
    "scrapyard": (2, 99, 495),
}


def check_answers(scenario: str, answers: Answers) -> tuple[Doubt, ...]:
    return scoring.check_answers(SYSTEMS["battle_mode"].scenario(scenario), answers)


def score(scenario: str, answers: Answers) -> Score:
    return scoring.score(SYSTEMS["battle_mode"].scenario(scenario), answers)


def refused(scenario: str, answers: dict[str, int | str]) -> list[Doubt]:
    return [doubt for doubt in check_answers(scenario, answers) if doubt.refused]


def asked(scenario: str, answers: dict[str, int | str]) -> list[Doubt]:
    return [doubt for doubt in check_answers(scenario, answers) if not doubt.refused]


def test_the_five() -> None:
    assert set(IDS) == set(TABLE)
    assert SYSTEMS["battle_mode"].scenarios is SCENARIOS


@pytest.mark.parametrize("ident", IDS)
def test_each_round_has_the_tables_limit(ident: str) -> None:
    first, most, game = TABLE[ident]
    scenario = SYSTEMS["battle_mode"].scenario(ident)
    assert (scenario.game_rounds, scenario.scoring_from) == (6, first)
    for side in ("a", "b"):
        limits = {q.game_round: q.most for q in scenario.questions if q.side == side and q.kind == "vp"}
        assert limits == {n: most if n >= first else 0 for n in range(1, 7)}
        assert sum(limits.values()) == game
        assert [q.most for q in scenario.questions if q.side == side and q.kind == "objectives"] == [5]
        for game_round, limit in limits.items():
            key = f"{side}.r{game_round}"
            assert refused(ident, {key: limit, f"{side}.objectives": 1}) == []
            over = refused(ident, {key: limit + 1})
            assert [doubt.keys for doubt in over] == [(key,)]
            assert str(limit + 1) in over[0].message
            assert [doubt.keys for doubt in refused(ident, {key: -1})] == [(key,)]
        assert refused(ident, {f"{side}.objectives": 5}) == []
        assert refused(ident, {f"{side}.objectives": 6})[0].keys == (f"{side}.objectives",)


@pytest.mark.parametrize("ident", IDS)
def test_a_whole_game_at_the_limit_scores_the_tables_most(ident: str) -> None:
    first, most, game = TABLE[ident]
    answers: dict[str, int | str] = {"a.objectives": 5}
    answers.update({f"a.r{n}": most for n in range(first, 7)})
    assert refused(ident, answers) == []
    assert score(ident, answers) == Score(game + 5, 0)


def test_hold_the_line_gives_two_points_a_round_together() -> None:
    assert check_answers("hold-the-line", {"a.r2": 1, "b.r2": 1, "a.r3": 2, "b.r6": 2}) == ()
    (doubt,) = check_answers("hold-the-line", {"a.r2": 2, "b.r2": 1})
    assert (doubt.refused, doubt.keys) == (True, ("a.r2", "b.r2"))
    assert "game round 2" in doubt.message
    assert "2 and 1 VP are 3 together" in doubt.message


@pytest.mark.parametrize(
    ("a", "b", "possible"),
    [(3, 2, True), (2, 3, True), (2, 2, True), (1, 2, True), (1, 1, False), (1, 3, False), (3, 3, False)],
)
def test_the_middle_of_the_stash_is_held_by_one(a: int, b: int, possible: bool) -> None:
    doubts = check_answers("defend-your-stash", {"a.r4": a, "b.r4": b})
    assert [d.keys for d in doubts if d.refused] == ([] if possible else [("a.r4", "b.r4")])
    assert all("middle marker" in d.message for d in doubts)


def test_extracting_more_than_three_together_is_asked() -> None:
    assert check_answers("extract-the-information", {"a.r5": 2, "b.r5": 1, "a.choice": "Hackers"}) == ()
    (doubt,) = check_answers("extract-the-information", {"a.r5": 3, "b.r5": 1})
    assert (doubt.refused, doubt.keys) == (False, ("a.r5", "b.r5"))


def test_the_choice_may_be_left_out_but_not_made_up() -> None:
    for choice in ("Hackers", "Smashers", ""):
        assert check_answers("extract-the-information", {"a.r5": 1, "b.choice": choice}) == ()
    for wrong in ("hackers", "Both", 1):
        assert [d.keys for d in refused("extract-the-information", {"b.choice": wrong})] == [("b.choice",)]
    assert refused("raiders", {"a.choice": "Hackers"})


def test_raiders_may_both_score_all() -> None:
    assert check_answers("raiders", {f"{side}.r{n}": 2 for side in "ab" for n in range(1, 7)}) == ()


def test_many_searches_in_the_scrapyard_are_asked() -> None:
    assert check_answers("scrapyard", {"a.r2": 6, "b.r2": 6}) == ()
    (doubt,) = check_answers("scrapyard", {"a.r2": 6, "b.r2": 7})
    assert (doubt.refused, doubt.keys) == (False, ("b.r2",))
    assert [d.keys for d in refused("scrapyard", {"a.r2": 100})] == [("a.r2",)]


@pytest.mark.parametrize("ident", IDS)
def test_a_game_without_points_is_asked(ident: str) -> None:
    (doubt,) = check_answers(ident, {})
    assert (doubt.refused, doubt.keys) == (False, ())
    assert check_answers(ident, {"b.objectives": 1}) == ()


@pytest.mark.parametrize("value", [True, 1.5, "2", "", None, [1], pytest.param(10**5000, id="5000 digits")])
def test_a_figure_that_is_none_is_refused_without_a_fault(value: object) -> None:
    answers: dict[str, int | str] = {"a.r2": value}  # type: ignore[dict-item]
    doubts = refused("hold-the-line", answers)
    assert [doubt.keys for doubt in doubts] == [("a.r2",)]
    assert len(doubts[0].message) < 200


@pytest.mark.parametrize("key", ["a.r7", "a.r0", "c.r2", "", "a.objective", "x" * 500])
def test_an_unknown_question_is_refused(key: str) -> None:
    (doubt,) = check_answers("hold-the-line", {key: 1, "a.r2": 1})
    assert (doubt.refused, doubt.keys) == (True, ())
    assert len(doubt.message) < 200


def test_an_unknown_scenario() -> None:
    with pytest.raises(KeyError):
        check_answers("chess", {})


ANSWERS = st.fixed_dictionaries(
    {},
    optional={
        f"{side}.{what}": st.integers(-1, 4)
        for side in "ab"
        for what in (*(f"r{n}" for n in range(1, 7)), "objectives")
    },
)


@settings(max_examples=200)
@given(st.sampled_from(IDS), ANSWERS)
def test_swapping_the_players_swaps_score_and_doubts(ident: str, answers: dict[str, int]) -> None:
    def swap(key: str) -> str:
        return ("b" if key[0] == "a" else "a") + key[1:]

    swapped = {swap(key): value for key, value in answers.items()}
    there, back = score(ident, answers), score(ident, swapped)
    assert (there.a, there.b) == (back.b, back.a)

    def concerned(doubts: tuple[Doubt, ...], turned: bool) -> set[tuple[frozenset[str], bool]]:
        return {(frozenset(map(swap, d.keys) if turned else d.keys), d.refused) for d in doubts}

    assert concerned(check_answers(ident, answers), True) == concerned(check_answers(ident, swapped), False)


def test_markers_stand_where_the_rulebook_puts_them() -> None:
    def places(ident: str) -> set[tuple[float, float, str | None]]:
        return {(m.x, m.y, m.owner) for m in SYSTEMS["battle_mode"].scenario(ident).markers}

    line = {(12, 18, None), (18, 18, None), (24, 18, None)}
    assert places("hold-the-line") == {(6, 18, None), (30, 18, None)}
    assert places("defend-your-stash") == {(12, 12, "a"), (18, 18, None), (24, 24, "b")}
    assert places("extract-the-information") == places("scrapyard") == line
    assert places("raiders") == {(x, y, owner) for x in (12, 18, 24) for y, owner in ((6, "a"), (30, "b"))}


@pytest.mark.parametrize("ident", IDS)
def test_every_scenario_says_what_is_printed(ident: str) -> None:
    scenario = SYSTEMS["battle_mode"].scenario(ident)
    assert (scenario.table_inches, scenario.deployment_inches) == (36, 6)
    assert scenario.summary
    assert scenario.readings
    assert len(scenario.setup) >= 5
    assert len(scenario.scoring) >= 2
    assert len({question.key for question in scenario.questions}) == len(scenario.questions)
