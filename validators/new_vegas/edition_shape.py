"""The shape of the SNAFU game's edition file: classes of squads, armoury, profiles and factions, with their bounds."""

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field

from validators.edition_file import EditionPart, Fault, HeadOfEdition, Name, twice
from validators.names import fold

Figure = Annotated[int, Field(ge=0, le=99)]


class DetectionPart(EditionPart):
    """Inches of detection: of everybody, and for each point of Perception."""

    base: Figure
    each: Figure


class ClassPart(EditionPart):
    """A class of squads; ``marker_detects`` in inches."""

    name: Name
    markers: Annotated[int, Field(ge=1, le=20)]
    marker_detects: Figure


class WeaponPart(EditionPart):
    """A weapon of the armoury, within the bounds of a player's own; ``range`` in inches, 0 in the hand."""

    name: Name
    kind: Literal["ranged", "melee"]
    attacks: Annotated[int, Field(ge=1, le=20)]
    armour_penetration: Annotated[int, Field(ge=0, le=20)]
    fire_power: Annotated[int, Field(ge=0, le=20)]
    range: Figure = 0
    strength: Figure = 0
    energy: bool = False
    assault: bool = False


class ProfilePart(EditionPart):
    """A model to start from: the seven scores in the order of their letters, and weapons of the armoury."""

    name: Name
    special: list[Figure] = Field(min_length=7, max_length=7)
    weapons: list[Name] = Field(default=[], max_length=12)


class EditionFile(HeadOfEdition):
    """An edition as its file holds it."""

    system: Literal["new_vegas"]
    factions: list[Name] = Field(min_length=1, max_length=60)
    highest_score: Annotated[int, Field(ge=1, le=99)]
    detection: DetectionPart
    classes: list[ClassPart] = Field(min_length=1, max_length=40)
    weapons: list[WeaponPart] = Field(max_length=300)
    profiles: list[ProfilePart] = Field(max_length=200)


def faults_of(file: EditionFile) -> Iterator[Fault]:
    """What the shape alone does not tell: names that stand twice, and profiles that no force could field."""
    yield from twice("factions", file.factions)
    yield from twice("classes", [one.name for one in file.classes])
    yield from twice("weapons", [one.name for one in file.weapons])
    yield from twice("profiles", [one.name for one in file.profiles])
    armoury = {fold(one.name): one for one in file.weapons}
    for place, profile in enumerate(file.profiles):
        for at, score in enumerate(profile.special):
            if score > file.highest_score:
                yield ("profiles", place, "special", at), f"is more than the highest score, {file.highest_score}"
        for at, name in enumerate(profile.weapons):
            weapon = armoury.get(fold(name))
            if weapon is None:
                yield ("profiles", place, "weapons", at), f"{name} is not in the armoury"
            elif weapon.strength > profile.special[0]:
                yield ("profiles", place, "weapons", at), f"{name} asks for Strength {weapon.strength}"
    for place, weapon in enumerate(file.weapons):
        if weapon.strength > file.highest_score:
            yield ("weapons", place, "strength"), f"is more than the highest score, {file.highest_score}"
