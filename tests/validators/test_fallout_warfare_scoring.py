"""Results of Fallout: Warfare: the score of each scenario, refused reports, and reports with queries."""

from typing import Any

from events.tournament.scores import score
from validators import SYSTEMS
from validators.contract import Terms
from validators.report_detail import detailed
from validators.scenario import Doubt, Scenario

SYSTEM = SYSTEMS["fallout_warfare"]
SCENARIOS = {scenario.id: scenario for scenario in SYSTEM.scenarios}
SKIRMISH, CONVOY, TREASURE = (SCENARIOS[id_] for id_ in ("skirmish", "convoy", "treasure-hunt"))
WILD = SCENARIOS["wild-america"]
HUNT: dict[str, Any] = {"a_role": "Scavengers"}


def doubts(scenario_id: str, answers: dict[str, Any]) -> tuple[Doubt, ...]:
    return SYSTEM.scoring.check(SYSTEM.scenario(scenario_id), dotted(answers))


def dotted(answers: dict[str, Any]) -> dict[str, Any]:
    """Answers by question: the argument ``a_dead`` is the key "a.dead"."""
    return {key.replace("_", ".", 1): value for key, value in answers.items()}


def test_scores_of_each_scenario() -> None:
    both = {"a_fielded": 200, "b_fielded": 200}
    cases: list[tuple[str, dict[str, Any], int, int, str]] = [
        ("skirmish", both | {"b_fielded": 198, "a_dead": 50, "b_dead": 90}, 150 + 90, 108 + 50, "a"),
        ("skirmish", both | {"a_retreated": 41, "b_strayed": 30}, 159 + 20 + 30, 170, "a"),  # 4.8: half, and all
        *(("skirmish", both | {"a_fielded": 200 + n}, 200 + n, 200, "a" if n > 10 else "draw") for n in (0, 10, 11)),
        ("wild-america", {"b_dead": 70, "a_dead": 60}, 70, 60, "draw"),
        ("wild-america", {"b_dead": 71, "a_dead": 60}, 71, 60, "a"),
        ("convoy", {"a_role": "Convoy", "a_apc": 1}, 1, 0, "a"),
        ("convoy", {"a_role": "Convoy", "a_apc": 0}, 0, 1, "b"),
        ("convoy", {"a_role": "Raiders", "b_apc": 0}, 1, 0, "a"),
        ("convoy", {"b_role": "Raiders", "a_apc": 1}, 1, 0, "a"),
        ("treasure-hunt", HUNT, 0, 6, "b"),
        ("treasure-hunt", HUNT | {"a_chests": 6}, 6, 0, "a"),
        ("treasure-hunt", HUNT | {"a_chests": 4, "b_chests": 1}, 4, 2, "a"),
        ("treasure-hunt", HUNT | {"a_chests": 4, "b_chests": 1, "b_left": 1}, 5, 1, "a"),
        ("treasure-hunt", HUNT | {"a_chests": 4, "b_chests": 1, "a_left": 1}, 4, 2, "a"),
        ("treasure-hunt", HUNT | {"a_chests": 3, "b_dead": 20, "a_dead": 19}, 4, 3, "a"),
        ("treasure-hunt", HUNT | {"a_chests": 3, "b_dead": 20, "a_dead": 20}, 3, 3, "draw"),
        ("treasure-hunt", HUNT | {"a_chests": 3, "a_dead": 5}, 3, 4, "b"),
    ]
    for scenario_id, answers, a, b, outcome in cases:
        assert not any(doubt.refused for doubt in doubts(scenario_id, answers)), answers
        found = SYSTEM.scoring.score(SYSTEM.scenario(scenario_id), dotted(answers))
        assert (found.a, found.b, found.outcome) == (a, b, outcome), answers


def test_half_points_count_before_the_tie_of_ten() -> None:
    both: dict[str, Any] = {"a_fielded": 200, "b_fielded": 200}
    totals = detailed(SYSTEM, SKIRMISH, "totals")
    for answers, shown, outcome in (
        ({"a_retreated": 31, "b_dead": 13}, (197, 187), "a"),  # 4.8, 4.9: 197.5 against 187
        ({"a_dead": 13, "b_retreated": 31}, (187, 197), "b"),
        ({"a_retreated": 30, "b_dead": 12}, (197, 188), "draw"),
        ({"a_retreated": 31, "b_dead": 12}, (196, 188), "draw"),  # 196.5 against 188
        ({"b_retreated": 21}, (200, 189), "a"),  # 200 against 189.5
        ({"b_retreated": 19}, (200, 190), "draw"),  # 200 against 190.5
        ({"a_retreated": 31, "b_dead": 13, "b_retreated": 1}, (197, 186), "a"),  # 197.5 against 186.5
    ):
        figures = dotted(both | answers)
        in_full = score(SYSTEM, SKIRMISH, figures)
        kept = {key: value for key, value in figures.items() if key.endswith("retreated")}
        as_totals = score(SYSTEM, totals, {"a.total": shown[0], "b.total": shown[1], **kept})
        for found in (in_full, as_totals):
            assert found is not None
            assert (found.a, found.b, found.outcome) == (*shown, outcome), answers
            by_halves = outcome != "draw" and abs(found.a - found.b) == 10
            assert (found.why is not None and "10.5 points" in found.why.named) == by_halves, "what is shown is rounded"


def test_own_scenarios_count_goals_and_the_points_of_a_shipped_scenario() -> None:
    files = SYSTEM.scenario_files
    assert files is not None
    assert files.read(TREASURE.document) == TREASURE, "how far the chests lie from the centre, too"
    goals = [{"label": "Wells", "most": 3, "vp": 5}, {"label": "Flags", "most": 1, "vp": 20}]
    sides = [{"name": "Train", "size": 120}, {"name": "Robbers", "size": 240}]
    cases: list[tuple[Scenario, dict[str, Any], dict[str, int | str], int, int, str]] = [
        (WILD, {"scored_by": "goals"}, {"a.goal1": 3, "b.goal2": 1}, 15, 20, "b"),
        (WILD, {}, {"b.dead": 40, "a.dead": 50, "a.goal2": 1}, 40 + 20, 50, "draw"),
        (WILD, {}, {"b.dead": 40, "a.dead": 45, "a.goal2": 1}, 40 + 20, 45, "a"),
        (CONVOY, {"roles": sides}, {"b.role": "Train", "b.apc": 1, "a.goal1": 2}, 10, 1, "a"),
        (CONVOY, {"roles": sides}, {"a.role": "Robbers", "b.apc": 0}, 1, 0, "a"),
        (TREASURE, {"roles": sides}, {"a.role": "Train", "a.chests": 5, "b.goal1": 1}, 5, 1 + 5, "b"),
    ]
    for shipped, changed, answers, a, b, outcome in cases:
        scenario = files.read(shipped.document | {"goals": goals} | changed)
        assert not any(doubt.refused for doubt in SYSTEM.scoring.check(scenario, answers)), answers
        found = SYSTEM.scoring.score(scenario, answers)
        assert (found.a, found.b, found.outcome) == (a, b, outcome), (shipped.id, answers)
        assert [doubt.refused for doubt in SYSTEM.scoring.check(scenario, {"a.goal1": 4})] == [True], "three wells"


def test_impossible_reports_are_refused() -> None:
    cases: list[tuple[str, dict[str, Any], str]] = [
        ("skirmish", {"a_fielded": 100, "a_dead": 60, "a_retreated": 41}, "101 points lost of 100"),
        *(("skirmish", {"a_fielded": wrong}, "0 to 2000") for wrong in (-1, 2001)),
        *(("skirmish", {"a_fielded": wrong}, "") for wrong in (10**12, "many")),
        ("skirmish", {"a_luck": 1}, "a.luck"), ("convoy", {}, ""),
        ("convoy", {"a_role": "Convoy", "b_role": "Convoy"}, "convoy"),
        ("convoy", {"a_role": "Driver"}, "Convoy or Raiders"),
        ("convoy", {"a_role": "Convoy", "b_apc": 1}, "Player B"),
        ("treasure-hunt", {"a_role": "Raiders", "a_chests": 4, "b_chests": 3}, "7 chests"),
        ("treasure-hunt", {"a_role": "Raiders", "a_left": 1, "b_left": 1}, "first"),
        ("treasure-hunt", {"a_role": "Raiders", "b_dead": 165}, "Player B: 165 points lost"),
        ("treasure-hunt", {"b_role": "Raiders", "b_dead": 201}, "Raiders field 200 at most"),
    ]  # fmt: skip
    for scenario_id, answers, words in cases:
        found = [doubt.message for doubt in doubts(scenario_id, answers) if doubt.refused]
        assert any(words in message for message in found), (answers, found)
    assert [scenario.id for scenario in SYSTEM.scenarios if not scenario.usual] == ["convoy"]
    for scenario in (SKIRMISH, WILD):
        assert {doubt.refused for doubt in doubts(scenario.id, {})} == {False}, "an empty report is asked about"


def test_points_are_the_sum_of_their_parts() -> None:
    assert SYSTEM.scoring.parts is not None
    hunt: dict[str, int | str] = {"a.role": "Scavengers", "a.chests": 3, "b.dead": 20, "a.dead": 19}
    assert SYSTEM.scoring.parts(TREASURE, hunt) == ((3, 1), (3, 0))
    said = "Scavengers: 3 of 6 chests opened."
    counts = "Chests count: Scavengers {}, Raiders {}."
    for more, words in (
        ({}, f"{said} {counts.format(3, 3)} Player A killed more."),
        ({"b.left": 1, "a.dead": 20},
         f"{said} The side of player B left while chests were locked. {counts.format(6, 0)}"),
        ({"a.role": "Raiders"}, f"Scavengers: 0 of 6 chests opened. {counts.format(0, 6)} "
         "Raiders: opened chests count only if this side leaves first. Player A killed more."),
    ):  # fmt: skip
        assert SYSTEM.scoring.explained(TREASURE, hunt | more) == words, more
    assert SYSTEM.scoring.explained(SKIRMISH, {"a.fielded": 200}) == ""
    fought: dict[str, int | str] = {
        "a.fielded": 200,
        "a.dead": 50,
        "a.retreated": 21,
        "b.strayed": 30,
        "b.dead": "many",
    }
    assert SYSTEM.scoring.parts(SKIRMISH, fought) == ((200 - 50 - 21 + 10, 30), (-30, 50)), "text is no figure"
    assert all(len(SYSTEM.scoring.parts(scenario, {})[0]) == len(scenario.sums) for scenario in (SKIRMISH, TREASURE))


def test_set_up_counts_beasts_by_size() -> None:
    for size, number in ((100, 2), (125, 2), (200, 4), (175, 3)):
        (line,) = [step for step in SYSTEM.papers.setup(WILD, size) if "Baby Deathclaw" in step]
        assert f"Baby Deathclaw. Here {number} of each, for up to {size} points a side" in line, line
    assert SYSTEM.papers.setup(SKIRMISH, 100) == SKIRMISH.setup


def test_tallied_losses_of_all_figures_equal_the_fielded_points() -> None:
    assert SYSTEM.scoring.tallies is not None
    edition = SYSTEM.editions[0]
    document = SYSTEM.forces.sample(Terms(edition, 200), "Raiders & Reavers", 2) | {"vehicles": ["Dune Buggy"]}
    tallies = {tally.question: tally for tally in SYSTEM.scoring.tallies(SKIRMISH, "a", document, edition)}
    assert list(tallies) == ["a.fielded", "a.dead", "a.retreated", "a.strayed"]
    counts = tallies["a.dead"].counts
    assert sum(count.most * count.worth for count in counts) == tallies["a.fielded"].known
    assert (counts[-1].label, counts[-1].worth) == ("Dune Buggy", 14)
    assert [tally.question for tally in SYSTEM.scoring.tallies(WILD, "b", document, edition)] == ["b.dead"]
    assert SYSTEM.scoring.tallies(CONVOY, "a", document, edition) == ()
