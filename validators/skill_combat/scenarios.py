"""The bout: two sides fight until one is left. Its scenarios, data/scenarios, and their scoring.

Document 002, Combat's Purpose and Ending Combat.
"""

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field

from languages.words import N_, gettext, in_sentence, listed
from validators.answers import Bound, asked_bounds, earned, figure, invalid_answers, not_noted
from validators.contract import Document, EditionInfo, Terms
from validators.game_system import Scoring, TieFigure, Totals
from validators.kit.shapes import Part
from validators.scenario import PLAYER, SIDES, Answers, Doubt, Note, Outcome, Question, Scenario, Score, Side
from validators.scenario_file import (
    HeadOfScenario,
    Markers,
    Steps,
    head_of,
    shaped_scenario,
    shipped,
    unmentioned_points,
)
from validators.skill_combat.edition import DATA
from validators.skill_combat.force import side_of

STANDING, DOWN, SURRENDERED, FLED = N_("Standing"), N_("Down"), N_("Surrendered"), N_("Fled")
ENDS = (STANDING, DOWN, SURRENDERED, FLED)
"""How a side can end: combat ends when the aggressors have surrendered, fled, or are killed or incapacitated."""
MOST_HP = 999
HIT_POINTS = "hit points"
NOT_NOTED = (
    N_("not noted how %(player)s’s side ended: it counts as not standing. Is that right?"),
    N_("not noted how %(player)s’s and %(other)s’s sides ended: both count as not standing. Is that right?"),
)


class PointsPart(Part):
    """The VP of a surviving side: for surviving, and for each HP left."""

    standing: Annotated[int, Field(ge=0, le=99)]
    hp: Annotated[int, Field(ge=0, le=9)]


class ScenarioFile(HeadOfScenario, title="Skill combat scenario"):
    """A scenario as its file holds it. If both sides stand at the end, it is a draw, or more HP left win."""

    system: Literal["skill_combat"]
    scored_by: Literal["last standing", "hit points"]
    points: PointsPart
    markers: Markers = Field(default=[])
    turns: Steps = Field(default=[])


def read_scenario(parsed: object) -> Scenario:
    """From parsed JSON to the scenario; its points are in the questions' ``worth``."""
    file = shaped_scenario(parsed, ScenarioFile, lambda file: unmentioned_points(file, file.points))
    undecided = (Note(N_("where both stand, more HP left win")),) if file.scored_by == HIT_POINTS else ()
    return Scenario(
        **head_of(file),
        turns=tuple(file.turns),
        scoring_from=1,
        questions=tuple(question for side in SIDES for question in _questions(side, file.points)),
        round_notes=(
            Note(N_("add up the HP of those who stand; if none, say how the last one ended")),
            *undecided,
        ),
        scored_by=file.scored_by,
    )


def _questions(side: Side, points: PointsPart) -> tuple[Question, ...]:
    return (
        Question(f"{side}.end", side, "choice", N_("How the side ended"), choices=ENDS, decides=True,
                 worth=(points.standing, 0, 0, 0),
                 help=N_("Standing: at least one character still stands. Down: all are killed or incapacitated. "
                            "Surrendered: the last has given up. Fled: the last has got away.")),
        Question(f"{side}.hp", side, "figure", N_("HP left"),
                 most=MOST_HP, worth=(points.hp,),
                 help=N_("Added up for the characters still standing. 0 for a side that no longer stands.")),
    )  # fmt: skip


SCENARIOS = shipped(DATA, read_scenario)


def check_answers(scenario: Scenario, answers: Answers) -> tuple[Doubt, ...]:
    wrong = tuple(invalid_answers(scenario, answers))
    of_sides = (doubt for side in SIDES for doubt in _one(side, answers))
    return wrong or (*of_sides, *not_noted(answers, "end", NOT_NOTED), *_both(scenario, answers))


def score(scenario: Scenario, answers: Answers) -> Score:
    a, b = (earned(scenario, answers, side) if answers.get(f"{side}.end") == STANDING else 0 for side in SIDES)
    return Score(a, b, _last_standing(scenario, answers, *_hit_points(answers)))


def _hit_points(answers: Answers) -> tuple[int, int]:
    return figure(answers, "a.hp"), figure(answers, "b.hp")


def _last_standing(scenario: Scenario, answers: Answers, a: int, b: int) -> Outcome:
    """The only surviving side; if both survive and the scenario says so, the one with the higher figure."""
    stands_a, stands_b = (answers.get(f"{side}.end") == STANDING for side in SIDES)
    if stands_a and stands_b and scenario.scored_by == HIT_POINTS:
        return Score(a, b).outcome
    return "draw" if stands_a == stands_b else "a" if stands_a else "b"


def kept_with_totals(scenario: Scenario, question: Question) -> bool:
    """How the sides ended; and their hit points, if these decide and no total shows them."""
    unseen = scenario.scored_by == HIT_POINTS and question.worth == (0,)
    return question.kind == "choice" or unseen


def winner_by_totals(scenario: Scenario, a: int, b: int, answers: Answers) -> Outcome | None:
    """The winner as in a full report: more hit points left are more victory points, unless they score none."""
    asked = f"{SIDES[0]}.hp" in {question.key for question in scenario.questions}
    return _last_standing(scenario, answers, *(_hit_points(answers) if asked else (a, b)))


def _one(side: Side, answers: Answers) -> Iterator[Doubt]:
    place, end, key = PLAYER[side], answers.get(f"{side}.end", ""), f"{side}.hp"
    left = figure(answers, key)
    if end == STANDING and key not in answers:
        yield Doubt((key,), gettext("%(player)s stands and no HP left are noted. Is that right?", player=place), False)
    elif end == STANDING and not left:
        yield Doubt((key,), gettext("%(player)s stands with 0 HP left; enter at least 1", player=place), True)
    elif end and end != STANDING and left:
        yield Doubt((key,), gettext(_ENDED_WITH_HP[str(end)], player=place, left=left), True)


_ENDED_WITH_HP = {
    DOWN: N_("%(player)s is down with %(left)s HP of standing characters left"),
    SURRENDERED: N_("%(player)s is surrendered with %(left)s HP of standing characters left"),
    FLED: N_("%(player)s is fled with %(left)s HP of standing characters left"),
}


def _both(scenario: Scenario, answers: Answers) -> Iterator[Doubt]:
    a, b = (answers.get(f"{side}.end", "") for side in SIDES)
    if a == b == STANDING:
        asked = gettext("Both sides stand: the bout is a draw. Was time up?")
        if scenario.scored_by == HIT_POINTS:
            asked = gettext("Both sides stand: more HP left win. Was time up?")
        yield Doubt(("a.end", "b.end"), asked, False, at_the_end=True)
    elif a and b and STANDING not in (a, b):
        ends = listed([in_sentence(gettext(str(end))) for end in (a, b)])
        asked = gettext("Nobody stands (%(ends)s): the bout is a draw. Is that right?", ends=ends)
        yield Doubt(("a.end", "b.end"), asked, False)


def bounds(scenario: Scenario, side: Side, document: Document, edition: EditionInfo) -> tuple[Bound, ...]:
    """The HP left cannot exceed those of all characters unhurt."""
    hit_points = sum(character.hit_points.value for character in side_of(document, Terms(edition)).characters)
    return asked_bounds(scenario, Bound((f"{side}.hp",), hit_points, N_("HP left")))


SCORING = Scoring(
    check_answers, score, bounds=bounds, totals=Totals(winner_by_totals, kept_with_totals),
    tie_figures=(TieFigure("hp", N_("HP left"), N_("HP left at the end of all games; a bye adds none")),),
)  # fmt: skip
