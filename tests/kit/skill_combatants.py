"""The example character of skill combat's document, and the game's functions for tests."""

from typing import Any

from validators import SYSTEMS
from validators.contract import Document, Terms, Verdict

SYSTEM = SYSTEMS["skill_combat"]
EDITION = SYSTEM.editions[0]
TERMS = Terms(EDITION, 40)
JIM: dict[str, Any] = {
    "name": "Jim the Raider",
    "special": {"STR": 4, "PE": 6, "EN": 7, "CH": 3, "IN": 4, "AG": 9, "LK": 7},
    "weapons": [{"name": "10mm Pistol"}],
    "armour": {"name": "Leather Jacket"},
}


def side(*characters: dict[str, Any], **fields: Any) -> Document:
    parsed = {"system": "skill_combat", "edition": EDITION.id, "faction": "Raiders", "models": list(characters)}
    return SYSTEM.forces.read(parsed | fields, EDITION)


def jim(**changed: Any) -> Document:
    return side(JIM | changed)


def attributes(**changed: int) -> dict[str, int]:
    return {**JIM["special"], **changed}


def check(document: Document, terms: Terms = TERMS) -> Verdict:
    return SYSTEM.checks.check(document, terms)


def rules(document: Document, terms: Terms = TERMS) -> list[str]:
    return [problem.rule for problem in check(document, terms).problems]
