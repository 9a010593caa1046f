"""The notes above the sum boxes of a sheet say what the scoring does, over the whole range of the figures."""

from collections.abc import Callable, Iterator, Sequence
from itertools import product

import pytest

from validators import SYSTEMS
from validators.game_system import GameSystem
from validators.scenario import Answers, Question, Scenario

WARFARE, BATTLE = SYSTEMS["fallout_warfare"], SYSTEMS["battle_mode"]
Said = Callable[[Answers], tuple[int, int]]
"""The points of A and B as a player works them out by the note."""


def of(answers: Answers, key: str) -> int:
    return int(answers.get(key, 0))


def by_chests(answers: Answers) -> tuple[int, int]:
    scavengers, raiders = ("a", "b") if answers["a.role"] == "Scavengers" else ("b", "a")
    opened = of(answers, f"{scavengers}.chests")
    locked = 6 - opened - of(answers, f"{raiders}.chests")
    points = {scavengers: opened + locked * of(answers, f"{raiders}.left")}
    points[raiders] = 6 - points[scavengers]
    return (
        points["a"] + (of(answers, "b.dead") > of(answers, "a.dead")),
        points["b"] + (of(answers, "a.dead") > of(answers, "b.dead")),
    )


def by_apc(answers: Answers) -> tuple[int, int]:
    convoy, other = ("a", "b") if answers["a.role"] == "Convoy" else ("b", "a")
    points = {convoy: of(answers, f"{convoy}.apc"), other: 1 - of(answers, f"{convoy}.apc")}
    return points["a"], points["b"]


def by_survivors(answers: Answers) -> tuple[int, int]:
    lost = {side: of(answers, f"{side}.dead") + of(answers, f"{side}.strayed") for side in "ab"}
    kept = {
        side: of(answers, f"{side}.fielded") - lost[side] - (of(answers, f"{side}.retreated") + 1) // 2 for side in "ab"
    }
    return kept["a"] + lost["b"], kept["b"] + lost["a"]


def by_losses(answers: Answers) -> tuple[int, int]:
    return of(answers, "b.dead"), of(answers, "a.dead")


SUMS: dict[str, Said] = {"chests": by_chests, "convoy": by_apc, "survivors": by_survivors, "kills": by_losses}
"""By the way of scoring."""


def reports(scenario: Scenario) -> Iterator[Answers]:
    """Every combination of the least, a middle and the largest figures, all numbers of chests, and both roles."""
    figures = {"chests": range(7), "left": range(2), "apc": range(2), "dead": (0, 5, 6), "fielded": (60,)}
    asked = [
        (question.key, figures.get(question.key[2:], (0, 7)))
        for question in scenario.questions
        if question.kind != "choice"
    ]
    roles = [role.name for role in scenario.roles]
    for first in (roles, roles[::-1]) if roles else ([],):
        sides: Answers = dict(zip(("a.role", "b.role"), first, strict=False))
        for found in product(*(values for _, values in asked)):
            yield {**sides, **dict(zip((key for key, _ in asked), found, strict=True))}


@pytest.mark.parametrize("scenario", WARFARE.scenarios, ids=lambda one: one.id)
def test_notes_of_warfare_give_the_points_of_every_report(scenario: Scenario) -> None:
    said, checked = SUMS[scenario.scored_by], 0
    for answers in reports(scenario):
        if not any(doubt.refused for doubt in WARFARE.scoring.check(scenario, answers)):
            found = WARFARE.scoring.score(scenario, answers)
            assert (found.a, found.b) == said(answers), answers
            checked += 1
    assert checked > 3


LIMITS: dict[str, Callable[[int, int], tuple[bool, bool]]] = {
    "scrapyard": lambda a, b: (False, a > 6 or b > 6),
    "raiders": lambda a, b: (a > 2 or b > 2, False),
    "hold-the-line": lambda a, b: (a > 2 or b > 2 or a + b > 2, False),
    "extract-the-information": lambda a, b: (a > 3 or b > 3, a + b > 3),
    "defend-your-stash": lambda a, b: (a > 3 or b > 3 or (a in (1, 3) and b in (1, 3)), False),
}
"""Of the two figures of a round: whether the note forbids them, and whether it calls a judge."""


@pytest.mark.parametrize("scenario", BATTLE.scenarios, ids=lambda one: one.id)
def test_notes_of_battle_mode_say_which_figures_are_refused_or_queried(scenario: Scenario) -> None:
    for a, b in product(range(9), repeat=2):
        doubts = BATTLE.scoring.check(scenario, {"a.r3": a, "b.r3": b, "a.objectives": 1})
        refused, asked = LIMITS[scenario.id](a, b)
        assert any(doubt.refused for doubt in doubts) == refused, (a, b)
        assert refused or bool(doubts) == asked, (a, b)


def by_ticks(scenario: Scenario) -> Said:
    worth = [marker["vp"] for marker in scenario.document["markers"]]

    def said(answers: Answers) -> tuple[int, int]:
        a, b = (sum(vp * of(answers, f"{side}.line{n}") for n, vp in enumerate(worth, 1)) for side in "ab")
        return a, b

    return said


def by_hit_points(scenario: Scenario) -> Said:
    assert scenario.document["points"] == {"standing": 0, "hp": 1}
    return lambda answers: (of(answers, "a.hp"), of(answers, "b.hp"))


def by_models(scenario: Scenario) -> Said:
    points = scenario.document["points"]

    def said(answers: Answers) -> tuple[int, int]:
        a, b = (
            points["model"] * of(answers, f"{enemy}.lost")
            + points["leader"] * of(answers, f"{enemy}.leaders")
            + points["rout"] * (answers[f"{enemy}.rout"] == "Routed")
            for enemy in "ba"
        )
        return a, b

    return said


OTHERS = {"fallout_skirmish": by_ticks, "new_vegas": by_models, "skill_combat": by_hit_points}
"""The sums of the other games, by the figures in a scenario's file."""
RANGES = {"lost": (0, 1, 7, 99), "leaders": (0, 1, 5), "hp": (0, 1, 40, 999)}


def values_of(question: Question) -> Sequence[object]:
    if question.kind == "choice":
        return question.choices if len(question.choices) < 5 else question.choices[:1]
    return RANGES.get(question.key[2:], range(question.most + 1))


@pytest.mark.parametrize(
    ("system", "scenario"),
    [(game, a_scenario) for game in SYSTEMS.values() if game not in (WARFARE, BATTLE) for a_scenario in game.scenarios],
    ids=lambda one: one.id,
)
def test_notes_of_other_games_give_the_points_of_every_report(system: GameSystem, scenario: Scenario) -> None:
    said, checked = OTHERS[system.id](scenario), 0
    for found in product(*map(values_of, scenario.questions)):
        answers: Answers = dict(zip((question.key for question in scenario.questions), found, strict=True))  # type: ignore[arg-type]
        if any(doubt.refused for doubt in system.scoring.check(scenario, answers)):
            continue
        checked += 1
        score = system.scoring.score(scenario, answers)
        assert (score.a, score.b) == said(answers), answers
        routed = [side for side in "ab" if answers.get(f"{side}.rout") == "Routed"]
        if system.id == "new_vegas" and len(routed) == 1:
            assert score.outcome == {"a": "b", "b": "a"}[routed[0]], answers
        elif scenario.id == "objectives-own-edge":
            assert not any(of(answers, f"a.line{n}") and of(answers, f"b.line{6 - n}") for n in range(1, 6)), answers
    assert checked > 9
