"""The scenario file of Fallout: Warfare: its schema, and its conversion to a scenario with questions."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Annotated, Any, Literal

from pydantic import Field

from languages.words import N_, gettext
from validators.fallout_warfare.edition import DATA
from validators.faults import Fault
from validators.kit.shapes import Part, Text
from validators.names import fold
from validators.scenario import SIDES, Edge, Note, Question, Role, Scenario, Side
from validators.scenario_file import MOST_MARKERS, HeadOfScenario, Inches, MarkerPart, Word, head_of, shaped_scenario

MOST_POINTS = 2000
"""The most army points of one side; higher figures are typing errors."""
MOST_GOALS = 6
SURVIVORS, KILLS, CONVOY, CHESTS, GOALS = "survivors", "kills", "convoy", "chests", "goals"
WITH_ROLES = (CONVOY, CHESTS)
"""The ways of scoring with different sides: the first role drives the convoy, or opens the chests."""
WAYS: Mapping[str, Any] = json.loads((DATA / "scoring.json").read_text(encoding="utf-8"))
"""For each way of scoring, the figures that are asked of each side (``asks``, each a Question), and its ``sums``.

A hint for the second role (``seldom``) has {} for the name of that role.
"""


class RolePart(Part):
    """A role: the points that may be fielded, the scenario's additions, and the names that may not be fielded."""

    name: Word
    size: Annotated[int, Field(ge=1, le=MOST_POINTS)]
    gets: Annotated[Text, Field(max_length=200)] = ""
    banned: Annotated[list[Word], Field(max_length=20)] = Field(default=[])


class GoalPart(Part):
    """Something of the scenario's own that each side counts, and the points of each."""

    label: Annotated[Text, Field(min_length=1, max_length=40)]
    most: Annotated[int, Field(ge=1, le=99)]
    vp: Annotated[int, Field(ge=1, le=999)]


class MarkedPart(MarkerPart):
    """A marker, and the most inches from it at which its object is placed."""

    within: Inches = 0


class EdgePart(Part):
    """An edge with a name, and the depth of the zone along it."""

    side: Literal["top", "bottom", "left", "right"]
    label: Annotated[Text, Field(min_length=1, max_length=24)]
    inches: Inches = 0


class ScenarioFile(HeadOfScenario, title="Fallout: Warfare scenario"):
    """A scenario as its file holds it: one of the game's ways of scoring, with goals in addition or only goals."""

    system: Literal["fallout_warfare"]
    scored_by: Literal["survivors", "kills", "convoy", "chests", "goals"]
    note: Annotated[Text, Field(min_length=1, max_length=140)]
    roles: Annotated[list[RolePart], Field(max_length=2)] = Field(default=[])
    goals: Annotated[list[GoalPart], Field(max_length=MOST_GOALS)] = Field(default=[])
    markers: Annotated[list[MarkedPart], Field(max_length=MOST_MARKERS)] = Field(default=[])
    edges: Annotated[list[EdgePart], Field(max_length=4)] = Field(default=[])


def read_scenario(parsed: object) -> Scenario:
    """From parsed JSON to the scenario; its goals' points are in the questions' ``worth``."""
    file = shaped_scenario(parsed, ScenarioFile, _contradictions)
    return Scenario(
        **head_of(file),
        questions=tuple(question for side in SIDES for question in _questions(side, file)),
        round_notes=(Note(file.note),) if file.note else (),
        note=file.note,
        edges=tuple(Edge(**dict(edge)) for edge in file.edges),
        roles=tuple(Role(role.name, role.size, role.gets, tuple(role.banned)) for role in file.roles),
        scored_by=file.scored_by,
        usual=file.scored_by != CONVOY,
        sums=_sums(file),
    )


def _sums(file: ScenarioFile) -> tuple[str, ...]:
    """The parts that add up to a side's points, if these are not only its own figures."""
    goals = ("Goals",) if file.goals else ()
    sums = WAYS[file.scored_by]["sums"]
    return (*sums, *goals) if sums and (goals or file.scored_by != KILLS) else ()


def _contradictions(file: ScenarioFile) -> Iterator[Fault]:
    if len(file.roles) == 1 or (not file.roles and file.scored_by in WITH_ROLES):
        text = N_("are %(n)s; two or none are needed") if file.roles else N_("are %(n)s; two are needed")
        yield Fault(("roles",), gettext(text, n=len(file.roles)))
    for field, words in (("roles", [role.name for role in file.roles]), ("goals", [goal.label for goal in file.goals])):
        for at, word in enumerate(words):
            if fold(word) in map(fold, words[:at]):
                yield Fault((field, at), gettext("is %(word)s, which is already listed", word=word))
    if file.scored_by == GOALS and not file.goals:
        yield Fault(("goals",), gettext("are missing: nothing could be scored"))


def _questions(side: Side, file: ScenarioFile) -> Iterator[Question]:
    """The questions for a side: its role, if the sides differ, the figures of the way of scoring, and the goals."""
    if file.roles:
        names = tuple(role.name for role in file.roles)
        which = N_("Who had which role; one of the two is enough.")
        yield Question(f"{side}.role", side, "choice", N_("Role"), choices=names, help=which, decides=True)
    of_enemy = file.scored_by == KILLS and not file.goals
    for key, figure in WAYS[file.scored_by]["asks"].items():
        asked = Question(f"{side}.{key}", side, "figure", for_enemy=of_enemy, **figure)
        usual = min(role.size for role in file.roles) * 3 // 4 if key == "dead" and file.roles else 0
        yield replace(asked, usual=usual)
    for number, goal in enumerate(file.goals, 1):
        says = N_("Each scores %(n)s VP.")
        yield Question(f"{side}.goal{number}", side, "figure", goal.label, most=goal.most, worth=(goal.vp,), help=says)
