"""Builders and checks of Fallout Skirmish groups."""

from typing import Any

from validators import SYSTEMS
from validators.contract import Document, Terms, Verdict
from validators.restrictions import Restrictions

SYSTEM = SYSTEMS["fallout_skirmish"]
EDITION = SYSTEM.editions[0]
TERMS = Terms(EDITION, 500)
Model = dict[str, Any]


def character(rank: str, *items: str, **fields: Any) -> Model:
    return {"rank": rank, "items": [{"name": item} for item in items], **fields}


def group(faction: str, *models: Model, turfs: tuple[str, ...] = ()) -> Document:
    led = [models[0] | {"leader": models[0].get("leader", True)}, *models[1:]] if models else []
    head = {"system": SYSTEM.id, "edition": EDITION.id, "faction": faction, "turfs": list(turfs), "models": led}
    return SYSTEM.forces.read(head, EDITION)


def check(document: Document, size: int = 5000, **adds: Any) -> Verdict:
    """The verdict at a size that is large enough for any group."""
    return SYSTEM.checks.check(document, Terms(EDITION, size, Restrictions(**adds)))


def broken(document: Document, size: int = 5000, **adds: Any) -> list[str]:
    return [problem.rule.removeprefix("fs.") for problem in check(document, size, **adds).problems]


RAIDERS = (
    character("Veteran", "Nail Board"), character("Veteran", "Nail Board"), character("Experienced", "Hunting Rifle"),
    character("Experienced", "Combat Shotgun", count=2), character("Green", "Hunting Rifle", count=4),
)  # fmt: skip
"""Chapter 9.1.3: four Greens, three Experienced and two Veterans for 490 Caps with their weapons."""
