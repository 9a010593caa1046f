"""The Fallout: Warfare force file: its shape, and how parsed JSON becomes the canonical document.

An army is its squads, each with its models, then its vehicles, then its mines. A *unit* is one of these, and the place
of a unit is its position in that order: the squads from 0, the vehicles after them, the mines last if there are any.
"""

from collections.abc import Sequence
from typing import Any, Literal

from pydantic import Field

from validators.contract import Document, EditionInfo, UnreadableForce
from validators.fallout_warfare.edition import Edition, Rank
from validators.force_file import Count, HeadOfForce, Name, Part, Text, shaped, stored

SYSTEM_ID = "fallout_warfare"
MOST_MINES = 99


class Skill(Part):
    """A skill that a hero has chosen, at the level that it has."""

    name: Name
    level: int = Field(default=5, ge=1, le=30)


class Figures(Part):
    """``count`` figures that are alike: each with this weapon, these grenades, items, level and skills."""

    name: Name
    rank: Rank = "grunt"
    count: Count = 1
    weapon: Text = ""
    grenades: int = Field(default=0, ge=0, le=99)
    items: list[Name] = Field(default=[], max_length=20)
    level: int = Field(default=1, ge=1, le=99)
    skills: list[Skill] = Field(default=[], max_length=20)


class Squad(Part):
    """Figures that act together: a squad with its leader, or a hero alone."""

    name: Text = ""
    models: list[Figures] = Field(default=[], max_length=60)


class ForceFile(HeadOfForce):
    """An army as its file holds it."""

    system: Literal["fallout_warfare"]
    squads: list[Squad] = Field(max_length=100)
    vehicles: list[Name] = Field(default=[], max_length=50)
    mines: int = Field(default=0, ge=0, le=MOST_MINES)


def read_force(parsed: object, info: EditionInfo) -> Document:
    """Parsed JSON to the canonical document. Raises UnreadableForce with every fault and its place."""
    force = shaped(parsed, ForceFile, info)
    return stored(_document(force, info.lists))


def blank_force(edition: EditionInfo, faction: str) -> Document:
    """A new document without squads."""
    return read_force({"system": SYSTEM_ID, "edition": edition.id, "faction": faction, "squads": []}, edition)


def part_of(document: Document, places: Sequence[int]) -> Document:
    """A canonical document with only the units at these places. Raises UnreadableForce where there is none."""
    squads, vehicles = len(document["squads"]), len(document["vehicles"])
    chosen = set(places)
    if any(not 0 <= place < squads + vehicles + bool(document["mines"]) for place in places):
        raise UnreadableForce("squads: a chosen unit is not in the roster")
    return document | {
        "squads": [squad for place, squad in enumerate(document["squads"]) if place in chosen],
        "vehicles": [name for place, name in enumerate(document["vehicles"], squads) if place in chosen],
        "mines": document["mines"] if squads + vehicles in chosen else 0,
    }


def _document(force: ForceFile, edition: Edition) -> Document:
    return {
        "system": force.system,
        "edition": force.edition,
        "name": force.name,
        "faction": edition.faction(force.faction) or force.faction,
        "squads": [
            {"name": squad.name, "models": [_figures(model, edition) for model in squad.models]}
            for squad in force.squads
        ],
        "vehicles": [known.name if (known := edition.vehicle(name)) else name for name in force.vehicles],
        "mines": force.mines,
    }


def _figures(model: Figures, edition: Edition) -> dict[str, Any]:
    troop, weapon = edition.troop(model.name), edition.weapon(model.weapon)
    return model.model_dump() | {
        "name": troop.name if troop else model.name,
        "weapon": weapon.name if weapon else model.weapon,
        "items": [known.name if (known := edition.item(name)) else name for name in model.items],
        "skills": [{"name": edition.skill(skill.name) or skill.name, "level": skill.level} for skill in model.skills],
    }
