"""Scenarios that ship with a game, from its data/scenarios.json."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from validators.scenario import Marker, Question, Scenario


def shipped_scenarios(
    path: Path,
    table_inches: int,
    questions: Callable[[Mapping[str, Any]], tuple[Question, ...]],
    *,
    own_notes: bool = False,
) -> tuple[Scenario, ...]:
    """The scenarios of a file; ``questions`` makes those of a scenario from its entry.

    ``own_notes``: the note on a sheet is its author's, not one that follows from the questions.
    """
    return tuple(
        Scenario(
            id=raw["id"],
            name=raw["name"],
            summary=raw["summary"],
            setup=tuple(raw["setup"]),
            scoring=tuple(raw["scoring"]),
            table_inches=table_inches,
            questions=questions(raw),
            round_note=raw["note"],
            source=raw["source"],
            note=raw["note"] if own_notes else "",
            scoring_from=raw.get("scoring_from", 0),
            choices=tuple(raw.get("parts", ())),
            deployment_inches=raw["deployment_inches"],
            markers=tuple(Marker(**one) for one in raw.get("markers", ())),
            readings=tuple(raw["readings"]),
            queries=tuple(raw["queries"]),
            from_lists=raw.get("from_lists", True),
        )
        for raw in json.loads(path.read_text(encoding="utf-8"))
    )
