"""The scenarios of Fallout Skirmish, data/scenarios: markers on lines, each worth VP to the player who controls it.

Rulebook, chapter 13.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Annotated, Literal

from pydantic import Field

from languages.words import N_, gettext
from validators.answers import earned, invalid_answers
from validators.fallout_skirmish.edition import DATA
from validators.faults import Fault
from validators.kit.shapes import Text
from validators.scenario import SIDES, Answers, Doubt, Marker, Note, Question, Scenario, Score, Side
from validators.scenario_file import HeadOfScenario, MarkerPart, head_of, shaped_scenario, shipped
from validators.scenery import read_scenery

MOST_LINES = 12
"""The most columns of a scoresheet."""
OWN_EDGES = "own edges"


class LinePart(MarkerPart):
    """A marker, and the VP of the player who controls it at the end."""

    vp: Annotated[int, Field(ge=1, le=99)]


class ScenarioFile(HeadOfScenario, title="Fallout Skirmish scenario"):
    """A scenario as its file holds it.

    The lines are numbered from player A's edge for both players, or from each player's own edge. ``objectives`` are the
    results that a player may roll; they score nothing.
    """

    system: Literal["fallout_skirmish"]
    scored_by: Literal["one edge", "own edges"]
    objectives: Annotated[list[Annotated[Text, Field(min_length=1, max_length=60)]], Field(max_length=20)] = Field(
        default=[]
    )
    markers: Annotated[list[LinePart], Field(min_length=1, max_length=MOST_LINES)]


def read_scenario(parsed: object) -> Scenario:
    """From parsed JSON to the scenario; the markers' VP are in the questions' ``worth``."""
    file = shaped_scenario(parsed, ScenarioFile, _contradictions)
    head, own = head_of(file), file.scored_by == OWN_EDGES
    notes = [Note(N_("tick each marker that the player controls at the end"))]
    if own:
        theirs = [file.markers[at].label for at in _turned(head["markers"], file.table_inches).values()]
        notes.append(Note(N_("%(n)s of A is %(other)s of B"), file.markers[0].label, theirs[0]))
        head["markers"] = tuple(
            replace(m, of_b=other if other != m.label else "") for m, other in zip(head["markers"], theirs, strict=True)
        )
    return Scenario(
        **head,
        questions=tuple(question for side in SIDES for question in _questions(side, file)),
        round_notes=tuple(notes),
        scored_by=file.scored_by,
        usual=not own,
        example=True,
    )


def _contradictions(file: ScenarioFile) -> Iterator[Fault]:
    if file.scored_by == OWN_EDGES:
        turned = _turned(file.markers, file.table_inches)
        for at, marker in enumerate(file.markers):
            if at not in turned:
                opposite = f"{file.table_inches - marker.x:g}, {file.table_inches - marker.y:g}"
                text = N_("has no marker opposite, at %(place)s, which player B counts as the same")
                wrong = gettext(text, place=opposite)
                yield Fault(("markers", at), wrong)


def _turned(markers: Sequence[Marker | MarkerPart], table: int) -> dict[int, int]:
    """Each marker's index in the list, and that of the marker in its place from player B's side of the table."""
    places = {(round(m.x, 3), round(m.y, 3)): at for at, m in enumerate(markers)}
    opposite = [places.get((round(table - m.x, 3), round(table - m.y, 3))) for m in markers]
    return {at: other for at, other in enumerate(opposite) if other is not None}


def _questions(side: Side, file: ScenarioFile) -> Iterator[Question]:
    if file.objectives:
        choices = tuple(file.objectives)
        says = N_(
            "It scores nothing by itself. In a campaign the winner claims its reward, and at a draw with 5 VP or more "
            "both do, only if it is reported."
        )
        yield Question(f"{side}.objective", side, "choice", N_("Objective rolled"), choices=choices, help=says)
    says = N_("Tick it if this player controls the marker at the end.")
    for number, line in enumerate(file.markers, 1):
        yield Question(f"{side}.line{number}", side, "figure", line.label, most=1, worth=(line.vp,), help=says)


TERRAIN = read_scenery(DATA)
"""What we propose for a table: half of it covered, the least that the rulebook recommends."""
SCENARIOS = shipped(DATA, read_scenario)


def check_answers(scenario: Scenario, answers: Answers) -> tuple[Doubt, ...]:
    wrong = invalid_answers(scenario, answers, _out_of_bounds, one_of=gettext("the objectives"))
    return tuple(wrong) or tuple(_doubts(scenario, answers))


def score(scenario: Scenario, answers: Answers) -> Score:
    return Score(earned(scenario, answers, "a"), earned(scenario, answers, "b"))


def _lines(scenario: Scenario, side: Side) -> list[Question]:
    return [question for question in scenario.questions if question.side == side and question.kind == "figure"]


def _out_of_bounds(question: Question, value: int) -> str:
    return gettext("1 for a marker that is controlled, 0 for any other")


def _doubts(scenario: Scenario, answers: Answers) -> Iterator[Doubt]:
    """Two players on one marker, which numbered from both edges is a different line for each; and no marker held."""
    theirs = _lines(scenario, "b")
    if scenario.scored_by == OWN_EDGES:
        theirs = [theirs[at] for at in _turned(scenario.markers, scenario.table_inches).values()]
    for marker, question, other in zip(scenario.markers, _lines(scenario, "a"), theirs, strict=True):
        if answers.get(question.key, 0) == answers.get(other.key, 0) == 1:
            keys = (question.key, other.key)
            both = N_("Both players control one marker (%(marker)s); one at most can")
            yield Doubt(keys, gettext(both, marker=marker.said), True)
    if score(scenario, answers) == Score(0, 0):
        yield Doubt((), gettext("Nobody controls any marker at the end. Is that right?"), False, at_the_end=True)
