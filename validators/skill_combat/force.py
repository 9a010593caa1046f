"""The file of a side: its characters with SPECIAL, level, skills and gear, and how it becomes the canonical document.

A weapon or a suit of armour that the edition does not list brings its own figures (``own``). The file can hold an
illegal side, so that it can be judged.
"""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import Field

from validators.contract import Document, EditionInfo
from validators.force_file import Count, HeadOfForce, Name, Part, Text, chosen_parts, shaped, stored
from validators.names import fold
from validators.skill_combat.edition import Edition

SYSTEM_ID = "skill_combat"
MOST_CHARACTERS = 20
MOST_LEVEL = 99

Attribute = Annotated[int, Field(ge=0, le=99)]
Percent = Annotated[int, Field(ge=0, le=300)]


class OwnWeapon(Part):
    """The figures of a weapon that the edition does not list; ``ap`` 0 is not known."""

    skill: Name
    mode: Literal["quick", "burst"]
    stat: Literal["STR", "PE", "EN", "CH", "IN", "AG", "LK"]
    range: Annotated[int, Field(ge=0, le=200)]
    volatility: Annotated[int, Field(ge=0, le=50)] = 0
    damage: Annotated[int, Field(ge=0, le=500)]
    extra: Annotated[int, Field(ge=0, le=100)] = 0
    ap: Annotated[int, Field(ge=0, le=50)] = 0
    aim_ap: Annotated[int, Field(ge=0, le=50)] = 0
    bullets: Annotated[int, Field(ge=0, le=200)] = 0


class OwnArmour(Part):
    """The figures of a suit of armour that the edition does not list."""

    ac: Annotated[int, Field(ge=0, le=100)]
    dc: Annotated[int, Field(ge=0, le=100)] = 0
    jc: Annotated[int, Field(ge=0, le=100)] = 0
    resistance: Annotated[int, Field(ge=0, le=100)] = 0


class CarriedWeapon(Part):
    """A weapon by its name, with its figures where the edition has none."""

    name: Name
    own: OwnWeapon | None = None


class WornArmour(Part):
    """A suit of armour by its name, with its figures where the edition has none."""

    name: Name
    own: OwnArmour | None = None


class SkillPoints(Part):
    """A skill and what stands above its printed start; where none is printed, its whole value."""

    name: Name
    points: Percent


class CarriedItem(Part):
    """An item and how many of it."""

    name: Name
    count: Count = 1


class Special(Part):
    """The seven attributes."""

    STR: Attribute
    PE: Attribute
    EN: Attribute
    CH: Attribute
    IN: Attribute
    AG: Attribute
    LK: Attribute


class CharacterFile(Part):
    """One character."""

    name: Text = ""
    special: Special
    level: Annotated[int, Field(ge=1, le=MOST_LEVEL)] = 1
    skills: list[SkillPoints] = Field(default=[], max_length=40)
    weapons: list[CarriedWeapon] = Field(default=[], max_length=20)
    armour: WornArmour | None = None
    items: list[CarriedItem] = Field(default=[], max_length=60)


class SideFile(HeadOfForce):
    """A side of a bout as its file holds it."""

    system: Literal["skill_combat"]
    models: list[CharacterFile] = Field(max_length=MOST_CHARACTERS)


def read_force(parsed: object, info: EditionInfo) -> Document:
    """Parsed JSON to the canonical document. Raises UnreadableForce with every fault and its place."""
    side = shaped(parsed, SideFile, info)
    edition: Edition = info.lists
    document = {
        "system": side.system,
        "edition": side.edition,
        "name": side.name,
        "faction": edition.spelling.get(fold(side.faction), side.faction),
        "models": [_character(one, edition) for one in side.models],
    }
    return stored(document)


def blank_force(edition: EditionInfo, faction: str) -> Document:
    """A new document without characters."""
    return read_force({"system": SYSTEM_ID, "edition": edition.id, "faction": faction, "models": []}, edition)


def part_of(document: Document, places: Sequence[int]) -> Document:
    """The document with only the characters at these places, in its own order.

    Raises UnreadableForce where one of the places has no character.
    """
    return chosen_parts(document, "models", places, "character")


def _character(one: CharacterFile, edition: Edition) -> dict[str, Any]:
    character = one.model_dump()
    for kind, known in (("skills", edition.skill_by_name), ("weapons", edition.weapon_by_name)):
        for line in character[kind]:
            if fold(line["name"]) in known:
                line["name"] = known[fold(line["name"])].name
    if one.armour and fold(one.armour.name) in edition.armour_by_name:
        character["armour"]["name"] = edition.armour_by_name[fold(one.armour.name)].name
    for item in character["items"]:
        item["name"] = edition.spelling.get(fold(item["name"]), item["name"])
    return character
