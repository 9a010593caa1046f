"""The shape of skill combat's edition file: skills, weapons, armour, items and origins, with their bounds."""

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field

from validators.edition_file import EditionPart, Fault, HeadOfEdition, Name, twice
from validators.names import fold

Attribute = Literal["STR", "PE", "EN", "CH", "IN", "AG", "LK"]
Bonus = Annotated[int, Field(ge=0, le=100)]


class SkillPart(EditionPart):
    """A skill; ``of`` says how often each attribute counts for its start, empty where none is printed."""

    name: Name
    of: dict[Attribute, Annotated[int, Field(ge=1, le=20)]] = Field(default={})


class WeaponPart(EditionPart):
    """A weapon, within the bounds of a player's own."""

    name: Name
    skill: Name
    mode: Literal["quick", "burst"]
    stat: Attribute
    range: Annotated[int, Field(ge=0, le=200)]
    volatility: Annotated[int, Field(ge=0, le=50)] = 0
    damage: Annotated[int, Field(ge=0, le=500)]
    extra: Bonus = 0
    ap: Annotated[int, Field(ge=0, le=50)] = 0
    aim_ap: Annotated[int, Field(ge=0, le=50)] = 0
    bullets: Annotated[int, Field(ge=0, le=200)] = 0


class ArmourPart(EditionPart):
    """A suit of armour."""

    name: Name
    ac: Bonus
    dc: Bonus = 0
    jc: Bonus = 0
    resistance: Bonus = 0


class BoundsPart(EditionPart):
    """The least and the most that an attribute has."""

    least: Annotated[int, Field(ge=0, le=99)]
    most: Annotated[int, Field(ge=1, le=99)]


class EditionFile(HeadOfEdition):
    """An edition as its file holds it."""

    system: Literal["skill_combat"]
    date: str = Field(pattern=r"^(\d{4}-[01]\d-[0-3]\d|undated)$")
    points_a_character: Annotated[int, Field(ge=7, le=693)]
    attribute: BoundsPart
    origins: list[Name] = Field(min_length=1, max_length=60)
    skills: list[SkillPart] = Field(min_length=1, max_length=60)
    weapons: list[WeaponPart] = Field(max_length=300)
    armour: list[ArmourPart] = Field(max_length=100)
    items: list[Name] = Field(max_length=300)


def faults_of(file: EditionFile) -> Iterator[Fault]:
    """What the shape alone does not tell: names that stand twice, skills that are not there, bursts of nothing."""
    yield from twice("origins", file.origins)
    yield from twice("skills", [one.name for one in file.skills])
    yield from twice("weapons", [one.name for one in file.weapons])
    yield from twice("armour", [one.name for one in file.armour])
    yield from twice("items", file.items)
    origins, skills = set(map(fold, file.origins)), {one.name for one in file.skills}
    for place, item in enumerate(file.items):
        if fold(item) in origins:
            yield ("items", place), f"{item} is an origin too"
    for place, weapon in enumerate(file.weapons):
        if weapon.skill not in skills:
            yield ("weapons", place, "skill"), f"{weapon.skill} is no skill of this edition"
        if weapon.mode == "burst" and not weapon.bullets:
            yield ("weapons", place, "bullets"), "a burst has at least one bullet"
    if file.attribute.least > file.attribute.most:
        yield ("attribute", "least"), f"is more than the most, {file.attribute.most}"
    elif not file.attribute.least * 7 <= file.points_a_character:
        yield ("points_a_character",), f"is less than seven attributes of {file.attribute.least}"
