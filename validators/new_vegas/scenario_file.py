"""The scenario file of the SNAFU game: set-up, and the table of victory points for the enemy's losses."""

import re
from collections.abc import Iterator, Mapping
from typing import Annotated, Literal

from pydantic import Field

from validators.contract import Document
from validators.scenario import OPEN_END, Fault, Limits, Question, Scenario, Side
from validators.scenario_file import (
    LARGEST_TABLE,
    LONGEST_ID,
    SMALLEST_TABLE,
    Said,
    ScenarioPart,
    Steps,
    Text,
    imported_scenario,
    shaped_scenario,
)

STOOD, ROUTED = "Stood", "Routed"
MOST_TURNS = 6
"""The turn sheet has room for so many."""
_SIDES: tuple[Side, ...] = ("a", "b")

Points = Annotated[int, Field(ge=0, le=OPEN_END)]


class PointsPart(ScenarioPart):
    """What the enemy gets for a model lost, beside that for one with Charisma, and for a rout."""

    model: Points
    leader: Points
    rout: Points


class ScenarioFile(ScenarioPart):
    """A scenario as its file holds it."""

    system: Literal["new_vegas"]
    id: Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=LONGEST_ID)]
    name: Annotated[Text, Field(min_length=1, max_length=60)]
    summary: Annotated[Text, Field(max_length=300)] = ""
    setup: Said
    scoring: Said
    turns: Annotated[int, Field(ge=1, le=MOST_TURNS)]
    table_inches: Annotated[int, Field(ge=SMALLEST_TABLE, le=LARGEST_TABLE)]
    deployment_inches: Annotated[int, Field(ge=0, le=LARGEST_TABLE)]
    points: PointsPart
    readings: Steps = Field(default=[])
    queries: Steps = Field(default=[])
    source: Annotated[Text, Field(max_length=200)] = ""


def import_scenario(data: bytes) -> Scenario:
    """The bytes of a scenario file. Raises UnreadableScenario with every fault, its field and its line."""
    return imported_scenario(data, read_scenario)


def read_scenario(parsed: object) -> Scenario:
    """Parsed JSON to the scenario; its table of points stands in the questions' ``worth``.

    Raises UnreadableScenario with every fault and its place.
    """
    file = shaped_scenario(parsed, ScenarioFile, _contradictions)
    points = file.points.model_dump()
    return Scenario(
        id=file.id,
        name=file.name,
        summary=file.summary,
        setup=tuple(file.setup),
        scoring=tuple(file.scoring),
        game_rounds=file.turns,
        scoring_from=1,
        most=0,
        limits=Limits(),
        choices=(),
        table_inches=file.table_inches,
        deployment_inches=file.deployment_inches,
        markers=(),
        questions=tuple(question for side in _SIDES for question in questions(side, points)),
        hint="",
        note="",
        round_note=_note(points),
        objectives=0,
        objective_kinds=(),
        objective_most=0,
        objective_note="",
        readings=tuple(file.readings),
        queries=tuple(file.queries),
        source=file.source,
    )


def scenario_document(scenario: Scenario) -> Document:
    """A scenario as its file holds it."""
    (model,), (leader,), (_, rout) = (q.worth for q in scenario.questions if q.side == "a")
    return {
        "system": "new_vegas",
        "id": scenario.id,
        "name": scenario.name,
        "summary": scenario.summary,
        "setup": list(scenario.setup),
        "scoring": list(scenario.scoring),
        "turns": scenario.game_rounds,
        "table_inches": scenario.table_inches,
        "deployment_inches": scenario.deployment_inches,
        "points": {"model": model, "leader": leader, "rout": rout},
        "readings": list(scenario.readings),
        "queries": list(scenario.queries),
        "source": scenario.source,
    }


def _contradictions(file: ScenarioFile) -> Iterator[Fault]:
    """What no single field shows."""
    if 2 * file.deployment_inches > file.table_inches:
        half = f"{file.table_inches / 2:g}"
        yield Fault(("deployment_inches",), f"is {file.deployment_inches}, but half the table is {half} inches deep")
    points, said = file.points.model_dump(), " ".join(file.scoring)
    if not any(points.values()):
        yield Fault(("points",), "give nothing for anything: nobody could win without a rout")
    for name, figure in points.items():
        if figure and not re.search(rf"\b{figure} VP\b", said):
            yield Fault(("points", name), f"is {figure}, but no line of the scoring says “{figure} VP”")


def questions(side: Side, points: Mapping[str, int]) -> tuple[Question, ...]:
    """What is asked of a side: its own losses, and whether its force routed; the points are the enemy's."""
    model, leader, rout = points["model"], points["leader"], points["rout"]
    return (
        Question(
            f"{side}.lost", side, "figure", "Models lost", most=OPEN_END, worth=(model,), usual=14,
            help=f"{model} VP each to the enemy.",
        ),
        Question(
            f"{side}.leaders", side, "figure", "Of them with Charisma", most=OPEN_END, worth=(leader,), usual=2,
            help=f"{leader} VP each to the enemy, beside the others." if model else f"{leader} VP each to the enemy.",
        ),
        Question(
            f"{side}.rout", side, "choice", "The force at the end", choices=(STOOD, ROUTED), decides=True,
            worth=(0, rout), help="Routed: no Charisma was left in it. Then the enemy has won, unless both routed.",
        ),
    )  # fmt: skip


def _note(points: Mapping[str, int]) -> str:
    told = [f"each model lost is {points['model']} VP to the enemy"] if points["model"] else []
    also = " more" if told else " to the enemy"
    told += [f"each with Charisma {points['leader']} VP{also}"] if points["leader"] else []
    told += [f"a rout {points['rout']} VP"] if points["rout"] else []
    return "; ".join([*told, "who alone routed has lost"])
