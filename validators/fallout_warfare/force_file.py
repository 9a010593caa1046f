"""The Fallout: Warfare force file (an army), and a part of it."""

from collections.abc import Sequence
from typing import Literal

from pydantic import Field

from languages.words import gettext
from validators.contract import Document, EditionInfo, UnreadableForce
from validators.fallout_warfare.edition import Rank
from validators.faults import at_place
from validators.force_file import Count, HeadOfForce, Name, Text, blank, respell, shaped, stored
from validators.kit.shapes import Part

SYSTEM_ID = "fallout_warfare"


class SkillPart(Part):
    """A skill that a hero has chosen, at the level that it has."""

    name: Name
    level: int = Field(default=5, ge=1, le=30)


class FiguresPart(Part):
    """``count`` equal figures, each with this weapon, these grenades, items, level and skills."""

    name: Name
    rank: Rank = "grunt"
    count: Count = 1
    weapon: Text = ""
    grenades: int = Field(default=0, ge=0, le=99)
    items: list[Name] = Field(default=[], max_length=20)
    level: int = Field(default=1, ge=1, le=99)
    skills: list[SkillPart] = Field(default=[], max_length=20)


class SquadPart(Part):
    """Figures that act together: a squad with its leader, or a single hero."""

    name: Text = ""
    models: list[FiguresPart] = Field(default=[], max_length=60)


class ForceFile(HeadOfForce):
    system: Literal["fallout_warfare"]
    squads: list[SquadPart] = Field(max_length=100)
    vehicles: list[Name] = Field(default=[], max_length=50)
    mines: int = Field(default=0, ge=0, le=99)


def read_force(parsed: object, info: EditionInfo) -> Document:
    force = shaped(parsed, ForceFile, info)
    names = info.lists.by_name
    document = force.model_dump()
    document["faction"] = names.factions.spelling(force.faction)
    document["vehicles"] = [names.vehicles.spelling(name) for name in force.vehicles]
    for model in (model for squad in document["squads"] for model in squad["models"]):
        model["name"], model["rank"] = names.row(model["name"], model["rank"])
        respell(model["skills"], names.skills)
        model["weapon"] = names.weapons.spelling(model["weapon"])
        model["items"] = [names.items.spelling(name) for name in model["items"]]
    return stored(document)


blank_force = blank(read_force, SYSTEM_ID, "squads")


def part_of(document: Document, places: Sequence[int]) -> Document:
    """A canonical document with only the units at these places, without what only a campaign knows of them.

    Raises UnreadableForce for an invalid place.
    """
    squads, vehicles, chosen = len(document["squads"]), len(document["vehicles"]), set(places)
    if any(not 0 <= place < squads + vehicles + bool(document["mines"]) for place in places):
        raise UnreadableForce(at_place("squads", gettext("a chosen unit is not in the roster")))
    return document | {
        "squads": [_as_paid(squad) for place, squad in enumerate(document["squads"]) if place in chosen],
        "vehicles": [name for place, name in enumerate(document["vehicles"], squads) if place in chosen],
        "mines": document["mines"] if squads + vehicles in chosen else 0,
    }


def _as_paid(squad: Document) -> Document:
    """A squad as a force file has it: without its number, its heroes at the levels that were paid for."""
    models = [dict(model) for model in squad["models"]]
    for model in models:
        model["level"] = model.pop("paid", model["level"])
    return {"name": squad["name"], "models": models}
