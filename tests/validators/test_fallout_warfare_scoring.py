"""What a game of each scenario is worth, what cannot be, and that neither player's chair matters."""

from collections.abc import Iterator, Mapping
from random import Random

import pytest

from validators import SYSTEMS
from validators.contract import Terms
from validators.scenario import Answers, Score

SYSTEM = SYSTEMS["fallout_warfare"]
SKIRMISH, CONVOY, TREASURE, WILD = SYSTEM.scenarios


def score(scenario_id: str, **answers: int | str) -> Score:
    """The score of answers like ``a_dead=20``; they must not be refused."""
    scenario = SYSTEM.scenario(scenario_id)
    told = {key.replace("_", ".", 1): value for key, value in answers.items()}
    assert [doubt for doubt in SYSTEM.check_answers(scenario, told) if doubt.refused] == []
    return SYSTEM.score(scenario, told)


def refused(scenario_id: str, **answers: int | str) -> list[str]:
    """Why answers cannot be."""
    told = {key.replace("_", ".", 1): value for key, value in answers.items()}
    return [doubt.message for doubt in SYSTEM.check_answers(SYSTEM.scenario(scenario_id), told) if doubt.refused]


def test_a_skirmish_counts_the_living_and_the_dead() -> None:
    """4.9: own living points and the enemy's dead."""
    found = score("skirmish", a_fielded=200, b_fielded=198, a_dead=50, b_dead=90)
    assert (found.a, found.b, found.outcome) == (150 + 90, 108 + 50, "a")


def test_what_retreats_counts_half_and_over_a_wrong_edge_as_killed() -> None:
    """4.8."""
    found = score("skirmish", a_fielded=200, b_fielded=200, a_retreated=41, b_strayed=30)
    assert (found.a, found.b) == (159 + 20 + 30, 170)


@pytest.mark.parametrize(("apart", "outcome"), [(0, "draw"), (10, "draw"), (11, "a")])
def test_within_ten_points_it_is_a_tie(apart: int, outcome: str) -> None:
    assert score("skirmish", a_fielded=150 + apart, b_fielded=150).outcome == outcome
    assert score("wild-america", b_dead=60 + apart, a_dead=60).outcome == outcome


def test_wild_america_counts_kills_alone() -> None:
    found = score("wild-america", a_dead=35, b_dead=80)
    assert (found.a, found.b, found.outcome) == (80, 35, "a")


@pytest.mark.parametrize(("through", "expected"), [(1, (1, 0)), (0, (0, 1))])
def test_the_convoy_wins_if_its_apc_leaves(through: int, expected: tuple[int, int]) -> None:
    found = score("convoy", a_role="Convoy", a_apc=through)
    assert (found.a, found.b) == expected
    found = score("convoy", a_role="Raiders", b_apc=through)
    assert (found.b, found.a) == expected


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ({}, (0, 6)),
        ({"a_chests": 6}, (6, 0)),
        ({"a_chests": 4, "b_chests": 1}, (4, 2)),
        ({"a_chests": 4, "b_chests": 1, "b_left": 1}, (5, 1)),
        ({"a_chests": 4, "b_chests": 1, "a_left": 1}, (4, 2)),
        ({"a_chests": 3, "b_dead": 20, "a_dead": 19}, (4, 3)),
        ({"a_chests": 3, "b_dead": 20, "a_dead": 20}, (3, 3)),
        ({"a_chests": 3, "a_dead": 5}, (3, 4)),
    ],
)
def test_chests_and_the_point_for_kills(answers: Mapping[str, int], expected: tuple[int, int]) -> None:
    found = score("treasure-hunt", a_role="Scavengers", **answers)
    assert (found.a, found.b) == expected


@pytest.mark.parametrize(
    ("scenario_id", "answers", "says"),
    [
        ("skirmish", {"a_fielded": 100, "a_dead": 60, "a_retreated": 41}, "101 points lost of 100 fielded"),
        ("skirmish", {"a_fielded": -1}, "-1, 0 to 2000 can be"),
        ("skirmish", {"a_fielded": 2001}, "2001, 0 to 2000 can be"),
        ("skirmish", {"a_fielded": 10**12}, "a number far too large"),
        ("skirmish", {"a_fielded": "many"}, "a whole number is asked"),
        ("skirmish", {"a_luck": 1}, "'a.luck' is no question of Skirmish"),
        ("convoy", {}, "Say which player had which part"),
        ("convoy", {"a_role": "Convoy", "b_role": "Convoy"}, "Both players cannot be the convoy"),
        ("convoy", {"a_role": "Driver"}, "one of Convoy or Raiders"),
        ("convoy", {"a_role": "Convoy", "b_apc": 1}, "player B had no APC"),
        ("treasure-hunt", {"a_role": "Raiders", "a_chests": 4, "b_chests": 3}, "7 chests opened, there are 6"),
        ("treasure-hunt", {"a_role": "Raiders", "a_left": 1, "b_left": 1}, "Both players cannot be the first"),
    ],
)
def test_what_cannot_be_is_refused_in_words(scenario_id: str, answers: Mapping[str, int | str], says: str) -> None:
    assert any(says in message for message in refused(scenario_id, **answers))


def test_only_the_convoy_cannot_be_met_from_the_lists_of_an_event() -> None:
    assert [scenario.id for scenario in SYSTEM.scenarios if not scenario.from_lists] == ["convoy"]


def test_an_empty_report_is_asked_about() -> None:
    for scenario in (SKIRMISH, WILD):
        doubts = SYSTEM.check_answers(scenario, {})
        assert doubts
        assert not any(doubt.refused for doubt in doubts)


class _Noted(Mapping[str, int | str]):
    """Answers that note which questions were read."""

    def __init__(self, answers: Answers) -> None:
        self.answers = answers
        self.read: set[str] = set()

    def __getitem__(self, key: str) -> int | str:
        self.read.add(key)
        return self.answers[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.answers)

    def __len__(self) -> int:
        return len(self.answers)


def reports(seed: int) -> Iterator[tuple[str, dict[str, int | str]]]:
    """Random reports that are not refused, with the scenario of each."""
    dice = Random(seed)
    for scenario in SYSTEM.scenarios:
        while True:
            answers: dict[str, int | str] = {}
            for question in scenario.questions:
                few = min(question.most, 300)
                answers[question.key] = dice.choice(question.choices) if question.choices else dice.randint(0, few)
            if not any(doubt.refused for doubt in SYSTEM.check_answers(scenario, answers)):
                break
        yield scenario.id, answers


@pytest.mark.parametrize("seed", range(40))
def test_the_players_chairs_do_not_matter_and_the_score_reads_only_what_is_asked(seed: int) -> None:
    other = {"a": "b", "b": "a", "draw": "draw"}
    for scenario_id, answers in reports(seed):
        scenario, noted = SYSTEM.scenario(scenario_id), _Noted(answers)
        one = SYSTEM.score(scenario, noted)
        two = SYSTEM.score(scenario, {other[key[0]] + key[1:]: value for key, value in answers.items()})
        assert (one.a, one.b, one.outcome) == (two.b, two.a, other[two.outcome]), answers
        assert noted.read
        assert noted.read <= {question.key for question in scenario.questions}


def test_an_army_lost_to_the_last_figure_is_what_it_fielded() -> None:
    assert SYSTEM.tallies is not None
    edition = SYSTEM.editions[0]
    document = SYSTEM.sample_force(Terms(edition, 200), "Raiders & Reavers", 2) | {"vehicles": ["Dune Buggy"]}
    told = {tally.question: tally for tally in SYSTEM.tallies(SKIRMISH, "a", document, edition)}
    assert list(told) == ["a.fielded", "a.dead", "a.retreated", "a.strayed"]
    counts = told["a.dead"].counts
    assert sum(count.most * count.worth for count in counts) == told["a.fielded"].known
    assert (counts[-1].label, counts[-1].worth) == ("Dune Buggy", 14)
    assert [tally.question for tally in SYSTEM.tallies(WILD, "b", document, edition)] == ["b.dead"]
    assert SYSTEM.tallies(CONVOY, "a", document, edition) == ()
