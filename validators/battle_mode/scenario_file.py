"""The Battle Mode scenario file: its shape, and how it becomes a scenario and back."""

from dataclasses import asdict, replace
from typing import Any

from pydantic import ValidationError

from validators.battle_mode.scenario_faults import contradictions, sentence
from validators.battle_mode.scenario_questions import objective_note, questions, round_note
from validators.battle_mode.scenario_shape import LimitPart, LimitsPart, ScenarioFile
from validators.contract import Document, UnreadableForce
from validators.json_lines import lines_of
from validators.scenario import Fault, Limit, Limits, Marker, Scenario, UnreadableScenario
from validators.strict_json import read_json

MOST_BYTES = 200_000
"""A scenario is a few kilobytes."""
MOST_FAULTS = 12
"""Faults of one file that are told one by one."""


def scenario_schema() -> dict[str, Any]:
    """The JSON Schema of the scenario file, as docs/scenario.schema.json holds it."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema"} | ScenarioFile.model_json_schema()


def import_scenario(data: bytes) -> Scenario:
    """The bytes of a scenario file. Raises UnreadableScenario with every fault, its field and its line."""
    if len(data) > MOST_BYTES:
        raise UnreadableScenario(Fault((), f"the file: {len(data)} bytes, at most {MOST_BYTES} are read"))
    try:
        parsed = read_json(data)
    except UnreadableForce as fault:  # the reader is the force file's; so is its exception
        raise UnreadableScenario(*(Fault((), told) for told in fault.faults)) from fault
    try:
        return read_scenario(parsed)
    except UnreadableScenario as unreadable:
        lines = lines_of(data.decode("utf-8-sig"), [fault.place for fault in unreadable.faults])
        raise UnreadableScenario(
            *(replace(fault, line=lines[fault.place]) for fault in unreadable.faults)
        ) from unreadable


def read_scenario(parsed: object) -> Scenario:
    """Parsed JSON to the scenario. Raises UnreadableScenario with every fault and its place."""
    if not isinstance(parsed, dict):
        raise UnreadableScenario(Fault((), 'a scenario is a JSON object, {"system": ...}'))
    try:
        file = ScenarioFile.model_validate(parsed)
    except ValidationError as invalid:
        raise _unreadable([sentence(error) for error in invalid.errors(include_url=False)]) from invalid
    faults = list(contradictions(file))
    if faults:
        raise _unreadable(faults)
    return _scenario(file)


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


def _unreadable(faults: list[Fault]) -> UnreadableScenario:
    more = [Fault((), f"and {len(faults) - MOST_FAULTS} more")] if len(faults) > MOST_FAULTS else []
    return UnreadableScenario(*faults[:MOST_FAULTS], *more)


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
