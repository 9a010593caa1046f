"""Results of Fallout: Warfare: what a game of each scenario is worth, and which reports are refused or asked about."""

from typing import Any

from validators import SYSTEMS
from validators.contract import Terms
from validators.scenario import Doubt

SYSTEM = SYSTEMS["fallout_warfare"]
SKIRMISH, CONVOY, TREASURE, WILD = SYSTEM.scenarios
HUNT: dict[str, Any] = {"a_role": "Scavengers"}


def doubts(scenario_id: str, answers: dict[str, Any]) -> tuple[Doubt, ...]:
    """The doubts about answers like ``a_dead=20``."""
    written = {key.replace("_", ".", 1): value for key, value in answers.items()}
    return SYSTEM.scoring.check(SYSTEM.scenario(scenario_id), written)


def test_scores_of_each_scenario() -> None:
    both = {"a_fielded": 200, "b_fielded": 200}
    cases: list[tuple[str, dict[str, Any], int, int, str]] = [
        # 4.9: own living points and the enemy's dead
        ("skirmish", both | {"b_fielded": 198, "a_dead": 50, "b_dead": 90}, 150 + 90, 108 + 50, "a"),
        # 4.8: half of what retreated; all that left over a wrong edge
        ("skirmish", both | {"a_retreated": 41, "b_strayed": 30}, 159 + 20 + 30, 170, "a"),
        *(("skirmish", both | {"a_fielded": 200 + n}, 200 + n, 200, "a" if n > 10 else "draw") for n in (0, 10, 11)),
        *(
            ("wild-america", {"b_dead": 60 + n, "a_dead": 60}, 60 + n, 60, "a" if n > 10 else "draw")
            for n in (0, 10, 11)
        ),
        ("wild-america", {"a_dead": 35, "b_dead": 80}, 80, 35, "a"),
        ("convoy", {"a_role": "Convoy", "a_apc": 1}, 1, 0, "a"),
        ("convoy", {"a_role": "Convoy", "a_apc": 0}, 0, 1, "b"),
        ("convoy", {"a_role": "Raiders", "b_apc": 1}, 0, 1, "b"),
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
        written = {key.replace("_", ".", 1): value for key, value in answers.items()}
        found = SYSTEM.scoring.score(SYSTEM.scenario(scenario_id), written)
        assert (found.a, found.b, found.outcome) == (a, b, outcome), answers


def test_impossible_reports_are_refused() -> None:
    cases: list[tuple[str, dict[str, Any], str]] = [
        ("skirmish", {"a_fielded": 100, "a_dead": 60, "a_retreated": 41}, "101 points lost of 100"),
        ("skirmish", {"a_fielded": -1}, "0 to 2000"),
        ("skirmish", {"a_fielded": 2001}, "0 to 2000"),
        ("skirmish", {"a_fielded": 10**12}, ""),
        ("skirmish", {"a_fielded": "many"}, ""),
        ("skirmish", {"a_luck": 1}, "a.luck"),
        ("convoy", {}, ""),
        ("convoy", {"a_role": "Convoy", "b_role": "Convoy"}, "convoy"),
        ("convoy", {"a_role": "Driver"}, "Convoy or Raiders"),
        ("convoy", {"a_role": "Convoy", "b_apc": 1}, "player B"),
        ("treasure-hunt", {"a_role": "Raiders", "a_chests": 4, "b_chests": 3}, "7 chests"),
        ("treasure-hunt", {"a_role": "Raiders", "a_left": 1, "b_left": 1}, "first"),
    ]
    for scenario_id, answers, words in cases:
        found = [doubt.message for doubt in doubts(scenario_id, answers) if doubt.refused]
        assert any(words in message for message in found), (answers, found)
    for scenario in (SKIRMISH, WILD):
        assert {doubt.refused for doubt in doubts(scenario.id, {})} == {False}, "an empty report is asked about"
    assert [scenario.id for scenario in SYSTEM.scenarios if not scenario.from_lists] == ["convoy"]


def test_army_that_lost_every_figure_lost_what_it_fielded() -> None:
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
