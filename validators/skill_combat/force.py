"""The file of a side: its characters with SPECIAL, level, skills and gear, and a side with every name looked up.

A weapon or a suit of armour that is not in the edition has its own figures (``own``). The file can hold an illegal
side, so that it can be checked.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, Literal

from pydantic import Field

from validators.contract import Document, EditionInfo, Terms
from validators.force_file import Count, HeadOfForce, Name, Text, blank, parts_of, shaped, stored
from validators.kit.checks import Judged
from validators.kit.shapes import Part
from validators.names import fold
from validators.skill_combat.edition import SPECIAL, Armour, Edition, Skill, Weapon
from validators.skill_combat.figures import Sum, hit_points, skill_value

SYSTEM_ID = "skill_combat"
MOST_CHARACTERS = 20

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


class ItemPart(Part):
    """An item and how many of it."""

    name: Name
    count: Count = 1


class SpecialPart(Part):
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
    special: SpecialPart
    level: Annotated[int, Field(ge=1, le=99)] = 1
    skills: list[SkillPoints] = Field(default=[], max_length=40)
    weapons: list[CarriedWeapon] = Field(default=[], max_length=20)
    armour: WornArmour | None = None
    items: list[ItemPart] = Field(default=[], max_length=60)


class SideFile(HeadOfForce):
    """A side of a bout as its file holds it."""

    system: Literal["skill_combat"]
    models: list[CharacterFile] = Field(max_length=MOST_CHARACTERS)


def read_force(parsed: object, info: EditionInfo) -> Document:
    """From parsed JSON to the canonical document. Raises UnreadableForce with every fault and its place."""
    side = shaped(parsed, SideFile, info)
    edition: Edition = info.lists
    document = {
        "system": side.system,
        "edition": side.edition,
        "name": side.name,
        "faction": edition.spelling.find(side.faction) or side.faction,
        "models": [_character(one, edition) for one in side.models],
    }
    return stored(document)


blank_force = blank(read_force, SYSTEM_ID, "models")
part_of = parts_of("models", "character")


def _character(one: CharacterFile, edition: Edition) -> dict[str, Any]:
    character = one.model_dump()
    for line in character["skills"]:
        line["name"] = known.name if (known := edition.skill_by_name.find(line["name"])) else line["name"]
    for line in character["weapons"]:
        line["name"] = gun.name if (gun := edition.weapon_by_name.find(line["name"])) else line["name"]
    if one.armour and (suit := edition.armour_by_name.find(one.armour.name)):
        character["armour"]["name"] = suit.name
    for item in character["items"]:
        item["name"] = edition.spelling.find(item["name"]) or item["name"]
    return character


@dataclass(frozen=True)
class KnownSkill:
    """A skill line: its entry if the edition has one, and the points above its start."""

    name: str
    entry: Skill | None
    points: int


@dataclass(frozen=True)
class Carried:
    """A carried weapon; ``figures`` are the edition's or its own, None if unknown."""

    name: str
    listed: bool
    figures: Weapon | None


@dataclass(frozen=True)
class Worn:
    """A suit of armour that is worn."""

    name: str
    listed: bool
    figures: Armour | None


@dataclass(frozen=True)
class Item:
    """An item line."""

    name: str
    listed: bool
    count: int


@dataclass(frozen=True)
class Character:
    """One character; ``place`` counts from 0, ``label`` is unique in the force."""

    place: int
    name: str
    label: str
    special: Mapping[str, int]
    level: int
    skills: tuple[KnownSkill, ...]
    weapons: tuple[Carried, ...]
    worn: Worn | None
    items: tuple[Item, ...]

    @property
    def armour(self) -> Armour | None:
        """The figures of the worn armour."""
        return self.worn.figures if self.worn else None

    @property
    def points(self) -> int:
        """The sum of its SPECIAL."""
        return sum(self.special[name] for name in SPECIAL)

    @property
    def hit_points(self) -> Sum:
        """Its HP."""
        return hit_points(self.special, self.level)

    def skill(self, skill: Skill) -> Sum:
        """The value of a skill, trained or not."""
        trained = sum(line.points for line in self.skills if fold(line.name) == fold(skill.name))
        return skill_value(skill, self.special, trained)


@dataclass(frozen=True, kw_only=True)
class Side(Judged):
    """One player's characters, under their terms."""

    edition: Edition
    name: str
    characters: tuple[Character, ...]

    @cached_property
    def total(self) -> int:
        """The SPECIAL points of all characters."""
        return sum(one.points for one in self.characters)

    @property
    def most_characters(self) -> int:
        """The most characters: one for each full share of the size, at least one."""
        return max(1, self.size // self.edition.file.points_a_character)


def side_of(document: Document, terms: Terms) -> Side:
    """A canonical document with its names looked up, under these terms."""
    edition: Edition = terms.edition.lists
    names = Counter(one["name"] for one in document["models"])
    return Side(
        edition=edition,
        name=document["name"],
        faction_name=document["faction"],
        characters=tuple(_looked_up(n, one, names, edition) for n, one in enumerate(document["models"])),
        terms=terms,
    )


def _looked_up(place: int, one: Mapping[str, Any], names: Mapping[str, int], edition: Edition) -> Character:
    name = one["name"] or "Character"
    alone = bool(one["name"]) and names[one["name"]] == 1
    return Character(
        place=place,
        name=name,
        label=name if alone else f"{name} (character {place + 1})",
        special=one["special"],
        level=one["level"],
        skills=tuple(
            KnownSkill(line["name"], edition.skill_by_name.find(line["name"]), line["points"]) for line in one["skills"]
        ),
        weapons=tuple(_weapon(line, edition) for line in one["weapons"]),
        worn=_armour(one["armour"], edition) if one["armour"] else None,
        items=tuple(Item(line["name"], line["name"] in edition.file.items, line["count"]) for line in one["items"]),
    )


def _weapon(line: Mapping[str, Any], edition: Edition) -> Carried:
    listed = edition.weapon_by_name.find(line["name"])
    if line["own"] is not None:  # the value on the sheet applies, and is a query
        return Carried(line["name"], False, Weapon.model_construct(name=line["name"], **line["own"]))
    return Carried(line["name"], listed is not None, listed)


def _armour(line: Mapping[str, Any], edition: Edition) -> Worn:
    listed = edition.armour_by_name.find(line["name"])
    if line["own"] is not None:
        return Worn(line["name"], False, Armour.model_construct(name=line["name"], **line["own"]))
    return Worn(line["name"], listed is not None, listed)
