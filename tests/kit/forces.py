"""Battle Mode's functions for tests: with the edition of 2018, without an event's added rules."""

from collections.abc import Mapping
from typing import Any

from validators import SYSTEMS
from validators.battle_mode.builder import BuilderView
from validators.contract import Document, EditionInfo, Finding, ForceSummary, Imported, Terms, Verdict
from validators.restrictions import NONE, Restrictions

SYSTEM = SYSTEMS["battle_mode"]
EDITION = SYSTEM.edition("2018-08")
assert SYSTEM.scenario_files is not None
SCENARIO_FILES = SYSTEM.scenario_files


def read_force(parsed: object) -> Document:
    return SYSTEM.forces.read(parsed, EDITION)


def blank_force(faction: str) -> Document:
    return SYSTEM.forces.blank(EDITION, faction)


def sample_force(faction: str, size: int, seed: int) -> Document:
    return SYSTEM.forces.sample(Terms(EDITION, size), faction, seed)


def check_force(document: Document, size: int) -> Verdict:
    return SYSTEM.checks.check(document, Terms(EDITION, size))


def summarise(document: Document) -> ForceSummary:
    return SYSTEM.forces.summarise(document, EDITION)


def builder(document: Document, size: int, fields: Mapping[str, list[str]] | None = None) -> BuilderView:
    view: BuilderView = SYSTEM.forces.builder(document, Terms(EDITION, size), fields or {})
    return view


def import_force(name: str, data: bytes) -> Imported:
    return SYSTEM.forces.files.import_(name, data, EDITION)


def export_force(document: Document, format_id: str) -> bytes:
    return SYSTEM.forces.files.export(document, EDITION, format_id)


def model(name: str, *items: object, **fields: object) -> dict[str, Any]:
    """A model of a force file; an item is a name or an object."""
    return {"name": name, "items": [{"name": item} if isinstance(item, str) else item for item in items]} | fields


def force(*models: dict[str, Any], edition: EditionInfo = EDITION, **fields: Any) -> Document:
    parts = {"system": SYSTEM.id, "edition": edition.id, "faction": "Survivors", "models": list(models)}
    return SYSTEM.forces.read(parts | fields, edition)


def judge(
    *models: dict[str, Any], size: int = 750, edition: EditionInfo = EDITION, bound: str = "",
    adds: Restrictions = NONE, **fields: Any,
) -> Verdict:  # fmt: skip
    """The verdict on these models; the first leads unless a model states whether it leads."""
    if models and not any("leader" in entry for entry in models):
        models = (models[0] | {"leader": True}, *models[1:])
    return SYSTEM.checks.check(force(*models, edition=edition, **fields), Terms(edition, size, adds, bound))


def rules(verdict: Verdict) -> list[str]:
    return [problem.rule for problem in verdict.problems]


def asked(verdict: Verdict) -> list[str]:
    return [query.rule for query in verdict.queries]


def only(verdict: Verdict) -> Finding:
    (problem,) = verdict.problems
    return problem
