"""The notes above the sum boxes of a sheet say what the scoring does, over the whole range of the figures."""

from collections.abc import Callable, Iterator
from itertools import product

import pytest

from validators import SYSTEMS
from validators.scenario import Answers, Scenario

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


SUMS: dict[str, Said] = {
    "scavengers: chests opened, and those locked if the raiders left first; raiders: the rest of 6; "
    "+1 if the enemy’s dead cost more": by_chests,
    "1 for the convoy’s player if the APC left by the south edge, otherwise 1 for the other": by_apc,
    "lost = dead + over a wrong edge; kept = fielded − lost − (½ retreated, rounded up)": by_survivors,
    "each player scores the points that the other lost": by_losses,
}
"""A new or changed note needs its sum here."""


def reports(scenario: Scenario) -> Iterator[Answers]:
    """Every combination of the least, a middle and the largest figures, all numbers of chests, and both roles."""
    figures = {"chests": range(7), "left": range(2), "apc": range(2), "dead": (0, 5, 6), "fielded": (60,)}
    asked = [(one.key, figures.get(one.key[2:], (0, 7))) for one in scenario.questions if one.kind != "choice"]
    roles = [one.name for one in scenario.roles]
    for first in (roles, roles[::-1]) if roles else ([],):
        sides: Answers = dict(zip(("a.role", "b.role"), first, strict=False))
        for found in product(*(values for _, values in asked)):
            yield {**sides, **dict(zip((key for key, _ in asked), found, strict=True))}


@pytest.mark.parametrize("scenario", WARFARE.scenarios, ids=lambda one: one.id)
def test_notes_of_warfare_give_the_points_of_every_report(scenario: Scenario) -> None:
    said, checked = SUMS[scenario.note], 0
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
