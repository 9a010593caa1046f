"""The scenarios of the SNAFU game (data/scenarios): the schema of their file with its table of points, and scoring."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Annotated, Literal

from pydantic import Field

from languages.words import N_, gettext, ngettext
from validators.answers import Bound, asked_bounds, earned, figure, invalid_answers, not_noted
from validators.contract import Document, EditionInfo, Terms
from validators.faults import Fault
from validators.game_system import Scoring, TieFigure, Totals, by_scoring
from validators.kit.shapes import Part
from validators.new_vegas.edition import DATA
from validators.new_vegas.force import mustered
from validators.scenario import (
    OPEN_END,
    PLAYER,
    SIDES,
    Answers,
    Doubt,
    Note,
    Outcome,
    Question,
    Scenario,
    Score,
    Side,
    WhyWon,
)
from validators.scenario_file import HeadOfScenario, head_of, shaped_scenario, shipped, unmentioned_points
from validators.scenery import read_scenery

STOOD, ROUTED = N_("Stood"), N_("Routed")
NOT_NOTED = (
    N_("not noted how %(player)s’s force ended: it counts as standing. Is that right?"),
    N_("not noted how %(player)s’s and %(other)s’s forces ended: both count as standing. Is that right?"),
)
MOST_TURNS = 6
"""The most turns on the turn sheet."""

Points = Annotated[int, Field(ge=0, le=OPEN_END)]


class PointsPart(Part):
    """VP of the enemy for a model lost, more for one with Charisma, and for a rout."""

    model: Points
    leader: Points
    rout: Points


class ScenarioFile(HeadOfScenario, title="New Vegas scenario"):
    system: Literal["new_vegas"]
    turns: Annotated[int, Field(ge=1, le=MOST_TURNS)]
    points: PointsPart


def read_scenario(parsed: object) -> Scenario:
    """From parsed JSON to the scenario; its table of points is in the questions' ``worth``."""
    file = shaped_scenario(parsed, ScenarioFile, _contradictions)
    points = file.points.model_dump()
    return Scenario(
        **head_of(file),
        game_rounds=file.turns,
        scoring_from=1,
        questions=tuple(question for side in SIDES for question in questions(side, points)),
        round_notes=tuple(_notes(points)),
    )


def _contradictions(file: ScenarioFile) -> Iterator[Fault]:
    if not any(file.points.model_dump().values()):
        yield Fault(("points",), gettext("give nothing for anything: nobody could win without a rout"))
    yield from unmentioned_points(file, file.points)


def questions(side: Side, points: Mapping[str, int]) -> tuple[Question, ...]:
    """The questions for a side: its own losses that count, and whether its force routed. The points go to the enemy.

    Forms and papers turn them round: they ask the player who scores, for the enemy's losses.
    """
    model, leader, rout = points["model"], points["leader"], points["rout"]
    lost = Question(
        f"{side}.lost", side, "figure", N_("Models lost"), most=OPEN_END, worth=(model,), usual=14, for_enemy=True,
        help=N_("Each scores %(n)s VP."),
    )  # fmt: skip
    leaders = Question(
        f"{side}.leaders", side, "figure", N_("Models lost with Charisma"),
        most=OPEN_END, worth=(leader,), usual=2, for_enemy=True,
        help=N_("Each scores %(n)s VP more.") if model else N_("Each scores %(n)s VP."),
    )  # fmt: skip
    return (
        *([lost] if model else []),
        *([leaders] if leader else []),
        Question(
            f"{side}.rout", side, "choice", N_("Force at the end"), choices=(STOOD, ROUTED), decides=True,
            worth=(0, rout), for_enemy=True,
            help=N_("Routed: no Charisma is left in it. If only one force routed, it has lost."),
        ),
    )  # fmt: skip


def _notes(points: Mapping[str, int]) -> Iterator[Note]:
    if points["model"]:
        yield Note(N_("each enemy model lost is %(n)s\u00a0VP"), points["model"])
    if points["leader"] and points["model"]:
        yield Note(N_("each with Charisma %(n)s\u00a0VP more"), points["leader"])
    elif points["leader"]:
        yield Note(N_("each enemy model lost with Charisma %(n)s\u00a0VP"), points["leader"])
    if points["rout"]:
        yield Note(N_("an enemy rout %(n)s\u00a0VP"), points["rout"])
    yield Note(N_("if only one force routed, it lost"))


TERRAIN = read_scenery(DATA)
"""What we propose for a table: three of the four types of the document, with three levels of cover."""
SCENARIOS = shipped(DATA, read_scenario)


def check_answers(scenario: Scenario, answers: Answers) -> tuple[Doubt, ...]:
    wrong = tuple(invalid_answers(scenario, answers))
    of_sides = (doubt for side in SIDES for doubt in _of_side(scenario, answers, side))
    return wrong or (*of_sides, *not_noted(answers, "rout", NOT_NOTED), *_of_both(answers))


def score(scenario: Scenario, answers: Answers) -> Score:
    b, a = (earned(scenario, answers, side) for side in SIDES)
    return Score(a, b, decided=winner_by_totals(scenario, a, b, answers))


def winner_by_totals(scenario: Scenario, a: int, b: int, answers: Answers) -> Outcome | None:
    """The winner if only one force routed, its enemy; None: the higher total wins."""
    routed = [side for side in SIDES if answers.get(f"{side}.rout") == ROUTED]
    if len(routed) != 1:
        return None
    return "b" if routed == ["a"] else "a"


def _of_side(scenario: Scenario, answers: Answers, side: Side) -> Iterator[Doubt]:
    keys = (f"{side}.lost", f"{side}.leaders")
    lost, leaders = (figure(answers, key) for key in keys)
    name, asked = PLAYER[side], {question.key for question in scenario.questions}
    if leaders > lost and asked.issuperset(keys):
        said = ngettext(
            "%(player)s: %(leaders)s with Charisma among %(num)s model lost in all cannot be",
            "%(player)s: %(leaders)s with Charisma among %(num)s models lost in all cannot be",
            lost,
            player=name,
            leaders=leaders,
        )
        yield Doubt(keys, said, True)
    if answers.get(f"{side}.rout") != ROUTED:
        return
    if lost == 0 and keys[0] in asked:
        none = gettext("%(player)s's force routed and lost no model. Is that right?", player=name)
        yield Doubt((f"{side}.rout",), none, False)
    elif leaders == 0 and keys[1] in asked:
        none = gettext("%(player)s's force routed and lost no model with Charisma. Is that right?", player=name)
        yield Doubt((f"{side}.rout",), none, False)


def _of_both(answers: Answers) -> Iterator[Doubt]:
    if all(answers.get(f"{side}.rout") == ROUTED for side in SIDES):
        yield Doubt(("a.rout", "b.rout"), gettext("Both forces routed. Is that right?"), False)
    elif not any(answer and (isinstance(answer, int) or answer == ROUTED) for answer in answers.values()):
        nothing = gettext("Nobody lost a model that counts and no force routed. Is that right?")
        yield Doubt((), nothing, False, at_the_end=True)


def bounds(scenario: Scenario, side: Side, document: Document, edition: EditionInfo) -> tuple[Bound, ...]:
    """Losses cannot exceed the force's models, nor its models with Charisma; without those a force has routed."""
    force = mustered(document, Terms(edition))
    leaders = sum(line.count for _, line in force.lines if line.special.charisma)
    lost = Bound((f"{side}.lost",), force.models, N_("models lost"))
    without = Bound((f"{side}.leaders",), leaders, N_("models with Charisma lost"), choice=(f"{side}.rout", ROUTED))
    return asked_bounds(scenario, lost, without)


TOTALS = Totals(winner_by_totals, keeps=lambda _, question: question.decides)
OF_ROUT = WhyWon(N_("your force routed"), N_("their force routed"), N_("%(name)s’s force routed"))
SCORING = Scoring(
    check_answers, score, bounds=bounds, totals=TOTALS, decided_by=partial(by_scoring, why=OF_ROUT), tie_figures=(
        TieFigure(
            "lost", N_("Enemy models lost"), N_("Enemy models lost in all games; a bye adds none"), of_enemy=True
        ),
    ),
)  # fmt: skip
