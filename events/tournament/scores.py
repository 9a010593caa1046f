"""The score of one game by its report: the figures, the ending, the judge's decision, cards."""

from dataclasses import dataclass, replace
from typing import Literal

from events.tournament.endings import Awarded, Ending
from validators import report_detail
from validators.answers import figure
from validators.game_system import GameSystem
from validators.scenario import SIDES, Answers, Doubt, Scenario, Score


@dataclass(frozen=True)
class Ended:
    """How a game ended, by one report or by the game's result. By default it was played to the end."""

    how: Ending | None = None
    awarded: Awarded | None = None
    """The side to which the judge awarded the game."""
    reason: str = ""
    """The judge's reason."""


PLAYED_OUT = Ended()


def doubts_about(system: GameSystem, scenario: Scenario, answers: Answers) -> tuple[Doubt, ...]:
    """Every answer that is impossible or unusual by the scenario alone."""
    if scenario.detail == "full":
        return system.scoring.check(scenario, answers)
    return report_detail.check(system, scenario, answers)


def figures_of(system: GameSystem, scenario: Scenario, answers: Answers) -> Score:
    """The score by the answers alone; the ending is ignored."""
    scored = report_detail.score(system, scenario, answers)
    also = []
    for one in system.scoring.tie_figures:
        sides = SIDES[::-1] if one.of_enemy else SIDES
        a, b = (figure(answers, f"{side}.{one.key}") for side in sides)
        also.append((a, b))
    return replace(scored, also=tuple(also))


def completed(scenario: Scenario, answers: Answers, how: Ended) -> dict[str, int | str]:
    """The answers of a report, completed by its ending.

    An ending that names a winner answers who won. In a game that ended early, a missing total counts as 0.
    """
    won = won_by_ending(how)
    if scenario.detail == "totals" and how.how not in (None, Ending.NOT_PLAYED):
        return {**dict.fromkeys(report_detail.TOTALS, 0), **answers}
    if scenario.detail != "outcome" or won is None:
        return dict(answers)
    return {**answers, report_detail.WON: report_detail.answer_of(won.value)}


def won_by_ending(how: Ended) -> Awarded | None:
    """The winner that an ending names; None if the figures decide."""
    return {Ending.CONCEDED_A: Awarded.B, Ending.CONCEDED_B: Awarded.A}.get(how.how, how.awarded) if how.how else None


def score(
    system: GameSystem,
    scenario: Scenario,
    answers: Answers,
    how: Ended = PLAYED_OUT,
    card: Literal["a", "b"] | None = None,
) -> Score | None:
    """The victory points and the winner by a report; None for a game that was not played.

    ``card`` is the winner if the opponent lost the game by a card. A concession or a judge's decision overrides the
    figures. An unfinished game counts with the points scored so far.
    """
    if how.how == Ending.NOT_PLAYED:
        return None
    counted = figures_of(system, scenario, answers)
    won = Awarded(card) if card else won_by_ending(how)
    if won is not None:
        return replace(counted, decided=won.value)
    return replace(counted, why=system.scoring.decided_by(counted))
