"""The force file of skill combat (a side and its characters), and a side with its names looked up.

A weapon or a suit of armour that is not in the edition can have figures of its own (``own``).
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, Generic, Literal, TypeVar

from pydantic import Field

from languages.words import N_, gettext
from validators.contract import Document, EditionInfo, Terms
from validators.force_file import Copies, HeadOfForce, Name, Text, blank, parts_of, respell, shaped, stored
from validators.kit.checks import ResolvedForce
from validators.kit.shapes import Part
from validators.names import ByName, fold, told_apart
from validators.sheet import Derived
from validators.skill_combat.edition import Armour, ArmourFigures, Edition, Skill, Weapon, WeaponFigures
from validators.skill_combat.figures import Sum, all_figures, hit_points, skill_value

SYSTEM_ID = "skill_combat"
MOST_CHARACTERS = 20

Attribute = Annotated[int, Field(ge=0, le=99)]
Percent = Annotated[int, Field(ge=0, le=300)]


class OwnWeapon(WeaponFigures):
    """The figures of a weapon that is not in the edition; ``ap`` 0 means unknown."""

    skill: Name


class CarriedWeapon(Part):
    """A weapon's name, and its figures if it is not in the edition."""

    name: Name
    own: OwnWeapon | None = None


class WornArmour(Part):
    """A suit's name, and its figures if it is not in the edition."""

    name: Name
    own: ArmourFigures | None = None


class SkillPoints(Part):
    """A skill and its points above the printed start; without a printed start, its whole value."""

    name: Name
    points: Percent


class SpecialPart(Part):
    STR: Attribute
    PE: Attribute
    EN: Attribute
    CH: Attribute
    IN: Attribute
    AG: Attribute
    LK: Attribute


class CharacterFile(Part):
    name: Text = ""
    special: SpecialPart
    level: Annotated[int, Field(ge=1, le=99, title=N_("Level"))] = 1
    skills: list[SkillPoints] = Field(default=[], max_length=40)
    weapons: list[CarriedWeapon] = Field(default=[], max_length=20)
    armour: WornArmour | None = None
    items: list[Copies] = Field(default=[], max_length=60)


class SideFile(HeadOfForce):
    system: Literal["skill_combat"]
    models: list[CharacterFile] = Field(max_length=MOST_CHARACTERS)


def read_force(parsed: object, info: EditionInfo) -> Document:
    edition: Edition = info.lists
    document = shaped(parsed, SideFile, info).model_dump()
    document["faction"] = edition.origins.spelling(document["faction"])
    for model in document["models"]:
        respell(model["skills"], edition.skills)
        respell(model["weapons"], edition.weapons)
        respell([model["armour"]] if model["armour"] else [], edition.armour)
        respell(model["items"], edition.items)
    return stored(document)


blank_force = blank(read_force, SYSTEM_ID, "models")
part_of = parts_of("models", "character")


@dataclass(frozen=True)
class KnownSkill:
    """A skill line: its entry if the edition has one, and the points above its start."""

    name: str
    entry: Skill | None
    points: int


Figures = TypeVar("Figures", Weapon, Armour)


@dataclass(frozen=True)
class Carried(Generic[Figures]):
    """A carried weapon or worn armour; ``figures`` are the edition's or its own, None if unknown."""

    name: str
    listed: bool
    figures: Figures | None


@dataclass(frozen=True)
class CarriedItem:
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
    weapons: tuple[Carried[Weapon], ...]
    worn: Carried[Armour] | None
    items: tuple[CarriedItem, ...]

    @property
    def armour(self) -> Armour | None:
        return self.worn.figures if self.worn else None

    @property
    def points(self) -> int:
        return sum(self.special.values())

    @property
    def figures(self) -> tuple[Derived, ...]:
        return all_figures(self.special, self.level, self.armour)

    @property
    def hit_points(self) -> Sum:
        return hit_points(self.special, self.level)

    @property
    def gear(self) -> "tuple[Carried[Weapon] | Carried[Armour], ...]":
        return (*self.weapons, *([self.worn] if self.worn else []))

    def value_of(self, line: KnownSkill) -> int:
        """The per cent of a skill line; as given if the edition has no such skill."""
        return self.skill(line.entry).value if line.entry else line.points

    def trained(self, skill: str) -> int:
        return sum(line.points for line in self.skills if fold(line.name) == fold(skill))

    def per_cent(self, skill: str, edition: Edition) -> int:
        """The value of a skill by its name in any spelling; only its points if the edition has no such skill."""
        entry = edition.skills.find(skill)
        return self.skill(entry).value if entry else self.trained(skill)

    def skill(self, skill: Skill) -> Sum:
        return skill_value(skill, self.special, self.trained(skill.name))


@dataclass(frozen=True, kw_only=True)
class Side(ResolvedForce):
    edition: Edition
    characters: tuple[Character, ...]

    @cached_property
    def total(self) -> int:
        return sum(character.points for character in self.characters)

    @property
    def most_characters(self) -> int:
        return most_characters(self.size, self.edition)


def most_characters(size: int, edition: Edition) -> int:
    """The most characters of a side: one for each full share of the size, at least one."""
    return max(1, size // edition.file.points_a_character)


def side_of(document: Document, terms: Terms) -> Side:
    edition: Edition = terms.edition.lists
    names = Counter(model["name"] for model in document["models"])
    return Side(
        edition=edition,
        faction_name=document["faction"],
        characters=tuple(_looked_up(n, model, names, edition) for n, model in enumerate(document["models"])),
        terms=terms,
    )


def _looked_up(place: int, raw: Mapping[str, Any], names: Mapping[str, int], edition: Edition) -> Character:
    name = raw["name"] or gettext("Character")
    alone = bool(raw["name"]) and names[raw["name"]] == 1
    return Character(
        place=place,
        name=name,
        label=told_apart(N_("%(name)s (character\u00a0%(number)s)"), name, place, shared=not alone),
        special=raw["special"],
        level=raw["level"],
        skills=tuple(
            KnownSkill(line["name"], edition.skills.find(line["name"]), line["points"]) for line in raw["skills"]
        ),
        weapons=tuple(_carried(line, edition.weapons, Weapon) for line in raw["weapons"]),
        worn=_carried(raw["armour"], edition.armour, Armour) if raw["armour"] else None,
        items=tuple(
            CarriedItem(line["name"], edition.items.find(line["name"]) is not None, line["count"])
            for line in raw["items"]
        ),
    )


def _carried(line: Mapping[str, Any], listed: ByName[Figures], kind: type[Figures]) -> Carried[Figures]:
    if line["own"] is not None:  # the value on the sheet applies, and is a query
        return Carried(line["name"], False, kind.model_construct(name=line["name"], **line["own"]))
    entry = listed.find(line["name"])
    return Carried(line["name"], entry is not None, entry)
