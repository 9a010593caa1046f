"""The force file of the SNAFU game: its shape, and how parsed JSON becomes the canonical document.

The file can hold an illegal force, so that it can be judged; only what has no meaning at all is unreadable. In the
canonical document every optional field is filled in, and every name that the edition knows is in its spelling.
"""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import Field

from validators.contract import Document, EditionInfo, UnreadableForce
from validators.force_file import Count, HeadOfForce, Name, Part, chosen_parts, shaped, stored
from validators.names import fold
from validators.new_vegas.edition import Edition

SYSTEM_ID = "new_vegas"
MOST_SQUADS = 60

Score = Annotated[int, Field(ge=0, le=99)]


class SpecialPart(Part):
    """The seven scores of a model."""

    strength: Score
    perception: Score
    endurance: Score
    charisma: Score
    intelligence: Score
    agility: Score
    luck: Score


class ModelPart(Part):
    """``count`` models of one name with the same scores and weapons."""

    name: Name
    count: Count = 1
    special: SpecialPart
    weapons: list[Name] = Field(default=[], max_length=12)


class SquadPart(Part):
    """A squad: its name, its class, its models."""

    name: Name
    squad_class: Name = Field(alias="class")
    models: list[ModelPart] = Field(max_length=40)


class OwnWeaponPart(Part):
    """A weapon that the player brings, with its figures."""

    name: Name
    kind: Literal["ranged", "melee"] = "ranged"
    attacks: Annotated[int, Field(ge=1, le=20)] = 1
    armour_penetration: Annotated[int, Field(ge=0, le=20)] = 0
    fire_power: Annotated[int, Field(ge=0, le=20)] = 1
    range: Annotated[int, Field(ge=0, le=99)] = 0
    strength: Annotated[int, Field(ge=0, le=5)] = 0
    energy: bool = False
    assault: bool = False


class ForceFile(HeadOfForce):
    """A force as its file holds it."""

    system: Literal["new_vegas"]
    squads: list[SquadPart] = Field(max_length=MOST_SQUADS)
    weapons: list[OwnWeaponPart] = Field(default=[], max_length=40)


def read_force(parsed: object, info: EditionInfo) -> Document:
    """Parsed JSON to the canonical document. Raises UnreadableForce with every fault and its place."""
    force = shaped(parsed, ForceFile, info)
    names = [fold(weapon.name) for weapon in force.weapons]
    for place, name in enumerate(names):
        if name in names[:place]:
            raise UnreadableForce(f"weapons[{place}].name: {force.weapons[place].name!r} stands there twice")
    return stored(_document(force, info.lists))


def blank_force(edition: EditionInfo, faction: str) -> Document:
    """A new document without squads."""
    return read_force({"system": SYSTEM_ID, "edition": edition.id, "faction": faction, "squads": []}, edition)


def part_of(document: Document, places: Sequence[int]) -> Document:
    """A canonical document with only the squads at these places, in the document's order.

    Raises UnreadableForce where one of the places has no squad.
    """
    return chosen_parts(document, "squads", places, "squad")


def _document(force: ForceFile, edition: Edition) -> Document:
    own = {fold(weapon.name): weapon.name for weapon in force.weapons}
    known = {key: weapon.name for key, weapon in edition.weapons.items()}
    return {
        "system": force.system,
        "edition": force.edition,
        "name": force.name,
        "faction": edition.factions.get(fold(force.faction), force.faction),
        "squads": [_squad(squad, edition, known | own) for squad in force.squads],
        "weapons": [weapon.model_dump() for weapon in force.weapons],
    }


def _squad(squad: SquadPart, edition: Edition, weapons: dict[str, str]) -> dict[str, Any]:
    known = edition.squad_class(squad.squad_class)
    return {
        "name": squad.name,
        "class": known.name if known else squad.squad_class,
        "models": [
            {
                "name": line.name,
                "count": line.count,
                "special": line.special.model_dump(),
                "weapons": [weapons.get(fold(name), name) for name in line.weapons],
            }
            for line in squad.models
        ],
    }
