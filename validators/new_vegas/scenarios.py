"""The scenarios of the SNAFU game: data/scenarios, one file each, with the table of victory points."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from validators.new_vegas.edition import DATA
from validators.scenario import OPEN_END, Limits, Question, Scenario, Side

STOOD, ROUTED = "Stood", "Routed"
_IN_ORDER = ("open-battle", "attrition", "cut-off-the-head")
_SIDES: tuple[Side, ...] = ("a", "b")


def load_scenario(file: Path) -> Scenario:
    """A shipped scenario file; its table of points stands in the questions' ``worth``."""
    raw: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    points = raw["points"]
    return Scenario(
        id=raw["id"],
        name=raw["name"],
        summary=raw["summary"],
        setup=tuple(raw["setup"]),
        scoring=tuple(raw["scoring"]),
        game_rounds=raw["turns"],
        scoring_from=1,
        most=0,
        limits=Limits(),
        choices=(),
        table_inches=raw["table_inches"],
        deployment_inches=raw["deployment_inches"],
        markers=(),
        questions=tuple(question for side in _SIDES for question in questions(side, points)),
        hint="",
        note="",
        round_note=_note(points),
        objectives=0,
        objective_kinds=(),
        objective_most=0,
        objective_note="",
        readings=tuple(raw["readings"]),
        queries=tuple(raw["queries"]),
        source=raw["source"],
    )


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


SCENARIOS: tuple[Scenario, ...] = tuple(load_scenario(DATA / "scenarios" / f"{id_}.json") for id_ in _IN_ORDER)
