"""The scenario file of Fallout: Warfare: its schema, and its conversion to a scenario with questions."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Annotated, Literal

from pydantic import Field

from validators.kit.shapes import Part, Text
from validators.names import fold
from validators.scenario import SIDES, Fault, Question, Role, Scenario, Side
from validators.scenario_file import MOST_MARKERS, HeadOfScenario, Inches, MarkerPart, Word, head_of, shaped_scenario

MOST_POINTS = 2000
"""The most army points of one side; higher figures are typing errors."""
MOST_GOALS = 6
SURVIVORS, KILLS, CONVOY, CHESTS, GOALS = "survivors", "kills", "convoy", "chests", "goals"
WITH_ROLES = (CONVOY, CHESTS)
"""The ways of scoring with different sides: the first role drives the convoy, or opens the chests."""
SUMS: Mapping[str, tuple[str, ...]] = {
    SURVIVORS: ("{own} kept", "{enemy} lost"),
    KILLS: ("{enemy} lost",),
    CHESTS: ("Chests", "Kills: 1 VP"),
}
ASKS: Mapping[str, tuple[str, ...]] = {
    SURVIVORS: ("fielded", "dead", "retreated", "strayed"),
    KILLS: ("dead by the enemy",),
    CONVOY: ("apc",),
    CHESTS: ("chests", "left", "dead"),
    GOALS: (),
}
"""The questions of each way of scoring, for one side."""
FIGURES: Mapping[str, tuple[str, int, str]] = {
    "fielded": ("Own fielded, points", MOST_POINTS, "Points of the whole army on the table."),
    "dead": (
        "Own dead, points",
        MOST_POINTS,
        "Points of this player’s dead figures, whoever killed them. Add up the points ticked on the army sheet.",
    ),
    "dead by the enemy": (
        "Own points lost",
        MOST_POINTS,
        "Points of the figures killed by the other side’s troops or beasts, and of those that left the table.",
    ),
    "retreated": ("Own retreated, points", MOST_POINTS, "Points of the figures that left by this player’s own edge."),
    "strayed": (
        "Own over a wrong edge, points",
        MOST_POINTS,
        "Points of the figures that left by another edge. They count as dead.",
    ),
    "apc": ("APC left by the south edge (1: yes)", 1, "Choose 1 or tick it, if it did. For the convoy’s player only."),
    "chests": ("Chests opened", 6, "How many of the six this side opened."),
    "left": ("Left first (1: yes)", 1, "Choose 1 or tick it, if this side left while chests were locked."),
}
"""The possible questions for a side: label, highest figure, and meaning in a sentence. The first word is the key."""
SELDOM: Mapping[str, str] = {"chests": "Chests, if {} left first"}
"""Questions' labels on the sheet of the second role, which seldom needs them; {} is that role's name."""


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


class ScenarioFile(HeadOfScenario, title="Fallout: Warfare scenario"):
    """A scenario as its file holds it: one of the game's ways of scoring, with goals in addition or only goals."""

    system: Literal["fallout_warfare"]
    scored_by: Literal["survivors", "kills", "convoy", "chests", "goals"]
    note: Annotated[Text, Field(min_length=1, max_length=140)]
    roles: Annotated[list[RolePart], Field(max_length=2)] = Field(default=[])
    goals: Annotated[list[GoalPart], Field(max_length=MOST_GOALS)] = Field(default=[])
    markers: Annotated[list[MarkedPart], Field(max_length=MOST_MARKERS)] = Field(default=[])


def read_scenario(parsed: object) -> Scenario:
    """From parsed JSON to the scenario; its goals' points are in the questions' ``worth``."""
    file = shaped_scenario(parsed, ScenarioFile, _contradictions)
    return Scenario(
        **head_of(file),
        questions=tuple(question for side in SIDES for question in _questions(side, file)),
        round_note=file.note,
        note=file.note,
        roles=tuple(Role(role.name, role.size, role.gets, tuple(role.banned)) for role in file.roles),
        scored_by=file.scored_by,
        usual=file.scored_by != CONVOY,
        sums=_sums(file),
    )


def _sums(file: ScenarioFile) -> tuple[str, ...]:
    """The parts that add up to a side's points, if these are not only its own figures."""
    goals = ("Goals",) if file.goals else ()
    return (*SUMS[file.scored_by], *goals) if file.scored_by in SUMS and (goals or file.scored_by != KILLS) else ()


def _contradictions(file: ScenarioFile) -> Iterator[Fault]:
    if len(file.roles) == 1 or (not file.roles and file.scored_by in WITH_ROLES):
        yield Fault(("roles",), f"are {len(file.roles)}; two are needed" + (" or none" if file.roles else ""))
    for field, words in (("roles", [role.name for role in file.roles]), ("goals", [goal.label for goal in file.goals])):
        for at, word in enumerate(words):
            if fold(word) in map(fold, words[:at]):
                yield Fault((field, at), f"is {word}, which is already listed")
    if file.scored_by == GOALS and not file.goals:
        yield Fault(("goals",), "are missing: nothing could be scored")


def _questions(side: Side, file: ScenarioFile) -> Iterator[Question]:
    """The questions for a side: its role, if the sides differ, the figures of the way of scoring, and the goals."""
    if file.roles:
        names = tuple(role.name for role in file.roles)
        which = "Who had which role; one of the two is enough."
        yield Question(f"{side}.role", side, "choice", "Role", choices=names, help=which, decides=True)
    for ask in ASKS[file.scored_by]:
        label, most, says = FIGURES[ask]
        of_enemy = file.scored_by == KILLS and not file.goals
        key = ask.partition(" ")[0]
        parts = "Unit" if key == "dead" else ""
        usual = min(role.size for role in file.roles) * 3 // 4 if parts and file.roles else 0
        seldom = SELDOM.get(ask, "").format(file.roles[1].name) if file.roles else ""
        asked = Question(f"{side}.{key}", side, "figure", label, most=most, help=says, usual=usual)
        yield replace(asked, for_enemy=of_enemy, parts=parts, seldom=seldom)
    for number, goal in enumerate(file.goals, 1):
        says = f"{goal.vp} VP each."
        yield Question(f"{side}.goal{number}", side, "figure", goal.label, most=goal.most, worth=(goal.vp,), help=says)
