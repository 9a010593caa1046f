"""Scenarios and results of Battle Mode: bounds of the scoring table, doubts, markers, and sample forces."""

from typing import Any

import pytest

from tests.kit.forces import EDITION, SYSTEM, sample_force
from tests.kit.profiles import every_nth
from validators.battle_mode import scenarios as scoring
from validators.battle_mode.edition import Edition
from validators.battle_mode.scenarios import SCENARIOS
from validators.contract import Terms
from validators.scenario import Answers, Doubt, Score

TABLE = {
    # scenario: first scoring round, most for one player in a round, in a game without objectives
    "hold-the-line": (2, 2, 10),
    "defend-your-stash": (2, 3, 15),
    "extract-the-information": (2, 3, 15),
    "raiders": (1, 2, 12),
    "scrapyard": (2, 99, 495),
}


def check_answers(scenario: str, answers: Answers) -> tuple[Doubt, ...]:
    return scoring.check_answers(SYSTEM.scenario(scenario), answers)


def score(scenario: str, answers: Answers) -> Score:
    return scoring.score(SYSTEM.scenario(scenario), answers)


def doubts(scenario: str, answers: Answers) -> list[tuple[bool, tuple[str, ...]]]:
    return [(doubt.refused, doubt.keys) for doubt in check_answers(scenario, answers)]


def refused(scenario: str, answers: Answers) -> list[tuple[str, ...]]:
    return [keys for is_refused, keys in doubts(scenario, answers) if is_refused]


def test_each_round_has_the_limit_of_the_scoring_table() -> None:
    assert {scenario.id for scenario in SCENARIOS} == set(TABLE)
    assert SYSTEM.scenarios is SCENARIOS
    for ident, (first, most, game) in TABLE.items():
        scenario = SYSTEM.scenario(ident)
        assert (scenario.game_rounds, scenario.scoring_from) == (6, first)
        for side in ("a", "b"):
            limits = {q.game_round: q.most for q in scenario.questions if q.side == side and q.kind == "vp"}
            assert limits == {n: most if n >= first else 0 for n in range(1, 7)}, ident
            assert [q.most for q in scenario.questions if q.side == side and q.kind == "objectives"] == [5]
            for game_round, limit in limits.items():
                key = f"{side}.r{game_round}"
                assert refused(ident, {key: limit, f"{side}.objectives": 1}) == [], (ident, key)
                assert refused(ident, {key: limit + 1}) == refused(ident, {key: -1}) == [(key,)], (ident, key)
            assert refused(ident, {f"{side}.objectives": 5}) == []
            assert refused(ident, {f"{side}.objectives": 6})[0] == (f"{side}.objectives",)
        answers: Answers = {"a.objectives": 5} | {f"a.r{n}": most for n in range(first, 7)}
        assert (refused(ident, answers), score(ident, answers)) == ([], Score(game + 5, 0)), ident


def test_answers_over_a_limit_of_the_scenario_are_refused_or_queried() -> None:
    extract, stash, line = "extract-the-information", "defend-your-stash", "hold-the-line"
    cases: tuple[tuple[str, Any, Any], ...] = (
        (line, {"a.r2": 1, "b.r2": 1, "a.r3": 2, "b.r6": 2}, []),
        (line, {"a.r2": 2, "b.r2": 1}, [(True, ("a.r2", "b.r2"))]),
        *((stash, {"a.r4": a, "b.r4": b}, []) for a, b in ((3, 2), (2, 2), (1, 2))),
        *((stash, {"a.r4": a, "b.r4": b}, [(True, ("a.r4", "b.r4"))]) for a, b in ((1, 1), (3, 3))),
        (extract, {"a.r5": 2, "b.r5": 1, "a.choice": "Hackers"}, []),
        (extract, {"a.r5": 3, "b.r5": 1}, [(False, ("a.r5", "b.r5"))]),
        *((extract, {"a.r5": 1, "b.choice": choice}, []) for choice in ("Hackers", "Smashers", "")),
        *((extract, {"a.r5": 1, "b.choice": wrong}, [(True, ("b.choice",))]) for wrong in ("hackers", "Both", 1)),
        ("raiders", {"a.r1": 1, "a.choice": "Hackers"}, [(True, ())]),
        ("raiders", {f"{side}.r{n}": 2 for side in "ab" for n in range(1, 7)}, []),
        ("scrapyard", {"a.r2": 6, "b.r2": 6}, []),
        ("scrapyard", {"a.r2": 6, "b.r2": 7}, [(False, ("b.r2",))]),
        ("scrapyard", {"a.r2": 100}, [(True, ("a.r2",))]),
        *((ident, {}, [(False, ())]) for ident in TABLE),
        *((ident, {"b.objectives": 1}, []) for ident in TABLE),
    )
    for ident, answers, expected in cases:
        assert doubts(ident, answers) == expected, (ident, answers)


def test_answers_of_a_wrong_kind_are_refused() -> None:
    wrong: tuple[object, ...] = (True, 1.5, "2", "", None, [1], 10**5000)
    for value in wrong:
        (doubt, *_) = check_answers("hold-the-line", {"a.r2": value})  # type: ignore[dict-item]
        assert (doubt.refused, doubt.keys, len(doubt.message) < 200) == (True, ("a.r2",), True), type(value)
    for key in ("a.r7", "a.r0", "c.r2", "", "a.objective", "x" * 500):
        (doubt,) = check_answers("hold-the-line", {key: 1, "a.r2": 1})
        assert (doubt.refused, doubt.keys, len(doubt.message) < 200) == (True, (), True), key
    with pytest.raises(KeyError):
        check_answers("chess", {})


def test_markers_are_where_their_source_puts_them() -> None:
    line = {(12, 18, None), (18, 18, None), (24, 18, None)}
    assert {s.id: {(m.x, m.y, m.owner) for m in s.markers} for s in SCENARIOS} == {
        "hold-the-line": {(6, 18, None), (30, 18, None)},
        "defend-your-stash": {(12, 12, "a"), (18, 18, None), (24, 24, "b")}, "extract-the-information": line,
        "scrapyard": line, "raiders": {(x, y, owner) for x in (12, 18, 24) for y, owner in ((6, "a"), (30, "b"))},
    }  # fmt: skip
    for scenario in SCENARIOS:
        assert (scenario.table_inches, scenario.deployment_inches) == (36, 6)


@pytest.mark.slow
@every_nth(27, 1)
def test_samples_are_legal_varied_and_use_most_of_the_size(step: int) -> None:
    for edition in SYSTEM.editions[::step]:
        everything: list[dict[str, Any]] = []
        lists: Edition = edition.lists
        stated = [
            a_faction.name
            for a_faction in lists.factions.values()
            if a_faction.fielded
            and any(entry.caps and not entry.options_unknown for entry in a_faction.models.values())
        ]
        assert len(stated) >= 0.6 * len(edition.factions)
        for faction in stated:
            for size in (60, 250):
                documents = [SYSTEM.forces.sample(Terms(edition, size), faction, seed) for seed in range(3)]
                verdicts = [SYSTEM.checks.check(document, Terms(edition, size)) for document in documents]
                assert all(verdict.legal and not verdict.queries for verdict in verdicts), (edition.id, faction, size)
                used = sum(verdict.total for verdict in verdicts) / len(verdicts)
                assert used >= (0.95 if size >= 250 else 0.75) * size, (edition.id, faction, size)
            forces = [SYSTEM.forces.sample(Terms(edition, 750), faction, seed) for seed in range(12)]
            models = [one for document in forces for one in document["models"]]
            assert len({str(document) for document in forces}) == 12
            models_of = edition.lists.factions.find(faction).models.values()
            listed = sum(entry.caps > 0 and not entry.options_unknown for entry in models_of)
            assert len({model["name"] for model in models}) >= min(8, listed), (edition.id, faction)
            everything += models
        assert all(any(entry[part] for entry in everything) for part in ("heroic", "leader_card", "perks"))
        items = [item for entry in everything for item in entry["items"]]
        assert any(item["mods"] for item in items) and any(item["count"] > 1 for item in items)


def test_sample_depends_only_on_the_seed_and_impossible_ones_are_refused() -> None:
    assert sample_force("survivors", 750, 7) == sample_force("Survivors", 750, 7)
    loner = SYSTEM.checks.check(sample_force("Survivors", 750, 101), Terms(EDITION, 750))
    assert loner.queries == (), "a built-in perk is not bought again"
    for faction, size in (("Robots", 750), ("Nobody", 750), ("Survivors", 29)):
        with pytest.raises(ValueError, match=r"no part|buy no model"):
            sample_force(faction, size, 1)
