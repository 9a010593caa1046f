"""Builders and checks of forces of the SNAFU game."""

from typing import Any

from validators import SYSTEMS
from validators.contract import Document, Terms, Verdict
from validators.restrictions import NONE, Restrictions

SYSTEM = SYSTEMS["new_vegas"]
EDITION = SYSTEM.editions[0]
TERMS = Terms(EDITION, 150)
SCORES = ("strength", "perception", "endurance", "charisma", "intelligence", "agility", "luck")


def model(name: str = "Trooper", special: tuple[int, ...] = (1, 1, 1, 0, 0, 2, 0), **fields: Any) -> dict[str, Any]:
    """A model; by default its SPECIAL scores cost five points."""
    return {"name": name, "special": dict(zip(SCORES, special, strict=True))} | fields


LEADER = model("Officer", (2, 2, 3, 3, 2, 3, 2))


def squad(*models: dict[str, Any], name: str = "Able", squad_class: str = "Regular") -> dict[str, Any]:
    return {"name": name, "class": squad_class, "models": list(models)}


def force(*squads: dict[str, Any], **fields: Any) -> dict[str, Any]:
    parts = {"system": SYSTEM.id, "edition": EDITION.id, "faction": "Great Khans", "squads": list(squads)}
    return parts | fields


def read(parsed: dict[str, Any]) -> Document:
    return SYSTEM.forces.read(parsed, EDITION)


def check(parsed: dict[str, Any], size: int = 150, adds: Restrictions = NONE) -> Verdict:
    return SYSTEM.checks.check(read(parsed), Terms(EDITION, size, adds))


def broken(parsed: dict[str, Any], size: int = 150, adds: Restrictions = NONE) -> list[str]:
    return [problem.rule for problem in check(parsed, size, adds).problems]
