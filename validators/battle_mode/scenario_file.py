"""The Battle Mode scenario file: its shape, and how it becomes a scenario and back."""

from dataclasses import asdict
from typing import Any

from validators.battle_mode.scenario_faults import contradictions
from validators.battle_mode.scenario_questions import objective_note, questions, round_note
from validators.battle_mode.scenario_shape import LimitPart, LimitsPart, ScenarioFile
from validators.contract import Document
from validators.scenario import Limit, Limits, Marker, Scenario
from validators.scenario_file import imported_scenario, shaped_scenario


def scenario_schema() -> dict[str, Any]:
    """The JSON Schema of the scenario file, as docs/scenario.schema.json holds it."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema"} | ScenarioFile.model_json_schema()


def import_scenario(data: bytes) -> Scenario:
    """The bytes of a scenario file. Raises UnreadableScenario with every fault, its field and its line."""
    return imported_scenario(data, read_scenario)


def read_scenario(parsed: object) -> Scenario:
    """Parsed JSON to the scenario. Raises UnreadableScenario with every fault and its place."""
    return _scenario(shaped_scenario(parsed, ScenarioFile, contradictions))


def scenario_document(scenario: Scenario) -> Document:
    """A scenario as its file holds it; what is empty is left out."""
    limits = {name: value for name, value in asdict(scenario.limits).items() if value}
    for limit in limits.values():
        if isinstance(limit, dict) and not limit["why"]:
            del limit["why"]
    document: Document = {
        "system": "battle_mode",
        "id": scenario.id,
        "name": scenario.name,
        "summary": scenario.summary,
        "setup": list(scenario.setup),
        "scoring": list(scenario.scoring),
        "game_rounds": scenario.game_rounds,
        "scoring_from": scenario.scoring_from,
        "most": scenario.most,
        "hint": scenario.hint,
        "note": scenario.note,
        "limits": limits,
        "choices": list(scenario.choices),
        "objectives": {
            "each": scenario.objectives,
            "most_of_a_kind": scenario.objective_most,
            "kinds": list(scenario.objective_kinds),
        },
        "table_inches": scenario.table_inches,
        "deployment_inches": scenario.deployment_inches,
        "markers": [_marker_document(marker) for marker in scenario.markers],
        "readings": list(scenario.readings),
        "queries": list(scenario.queries),
        "source": scenario.source,
    }
    return {key: value for key, value in document.items() if value not in ("", [], {})}


def _marker_document(marker: Marker) -> Document:
    shown: Document = {"x": _plain(marker.x), "y": _plain(marker.y), "label": marker.label}
    return shown | ({"owner": marker.owner} if marker.owner else {})


def _plain(inches: float) -> float:
    """18.0 as 18."""
    return int(inches) if inches == int(inches) else inches


def _limit(part: LimitPart | None) -> Limit | None:
    return Limit(part.above, part.why) if part else None


def _limits(part: LimitsPart) -> Limits:
    return Limits(
        together_refused=_limit(part.together_refused),
        together_asked=_limit(part.together_asked),
        one_asked=_limit(part.one_asked),
        held_by_one=part.held_by_one,
    )


def _scenario(file: ScenarioFile) -> Scenario:
    limits, choices, objectives = _limits(file.limits), tuple(file.choices), file.objectives
    return Scenario(
        id=file.id,
        name=file.name,
        summary=file.summary,
        setup=tuple(file.setup),
        scoring=tuple(file.scoring),
        game_rounds=file.game_rounds,
        scoring_from=file.scoring_from,
        most=file.most,
        limits=limits,
        choices=choices,
        table_inches=file.table_inches,
        deployment_inches=file.deployment_inches,
        markers=tuple(Marker(m.x, m.y, m.label, m.owner) for m in file.markers),
        questions=questions(file.game_rounds, file.scoring_from, file.most, file.hint, choices, objectives.each),
        hint=file.hint,
        note=file.note,
        round_note=file.note or round_note(file.most, limits),
        objectives=objectives.each,
        objective_kinds=tuple(objectives.kinds) if objectives.each else (),
        objective_most=objectives.most_of_a_kind,
        objective_note=objective_note(objectives.each, objectives.most_of_a_kind),
        readings=tuple(file.readings),
        queries=tuple(file.queries),
        source=file.source,
    )
