"""The force file of the SNAFU game, and a force with every name looked up and every score added.

The file can hold an illegal force, so that it can be checked; only files without any meaning are unreadable. In the
canonical document every optional field is filled in, and every name in the edition has the edition's spelling. The
functions at the beginning convert scores to dice and inches.
"""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, Literal

from pydantic import Field

from validators.contract import Document, EditionInfo, Terms, UnreadableForce
from validators.force_file import Count, HeadOfForce, Name, blank, parts_of, shaped, stored
from validators.kit.checks import Judged
from validators.kit.shapes import Part
from validators.names import ByName, fold, name_table
from validators.new_vegas.edition import Edition, SquadClass, Weapon

FACES = 6


def to_hit(score: int) -> str:
    """The roll of one die that hits: 6+ at a score of 0, one less for each point, always from 5 on.

    Strength is rolled in close combat, Agility in shooting (Stats: Strength, Agility). A score below 0 hits on 6 (a
    reading).
    """
    needed = FACES - max(score, 0)
    return f"{needed}+" if needed > 1 else "1+ (always)"


def to_hit_how(score: int, label: str) -> str:
    """The arithmetic of ``to_hit``: "6 - Agility 2 = 4"."""
    return f"{FACES} − {label} {score} = {max(FACES - score, 1)}"


def agility_at(agility: int, effective_range: int, inches: float) -> int:
    """The Agility for a shot: one less for each effective range begun after the first (Shooting).

    In the document's example, 18 inches with a range of 6 takes 2 away. Not below 0 (a reading).
    """
    if effective_range <= 0 or inches <= effective_range:
        return agility
    further = -int(-inches // effective_range) - 1
    return max(0, agility - further)


def detection(perception: int, edition: Edition) -> int:
    """The inches within which a model detects: 6, plus 4 for each point of Perception (Stats: Perception)."""
    return edition.file.detection.base + edition.file.detection.each * perception


def detection_how(perception: int, edition: Edition) -> str:
    """The arithmetic of ``detection``: "6 + 4 × 2 = 14"."""
    inches = detection(perception, edition)
    return f"{edition.file.detection.base} + {edition.file.detection.each} × {perception} = {inches}"


def trap_save(perception: int) -> str:
    """The roll that saves from a trap: 6+ at a Perception of 0, one less for each point (Stats: Perception)."""
    return f"{max(FACES - perception, 1)}+"


def rally_dice(charisma: int) -> int:
    """The dice of a rally: one for each point of leadership, and one without leadership (Morale)."""
    return max(charisma, 1)


@dataclass(frozen=True)
class Special:
    """The seven scores of a model."""

    strength: int
    perception: int
    endurance: int
    charisma: int
    intelligence: int
    agility: int
    luck: int

    @property
    def points(self) -> int:
        """The sum of all seven, which a model counts in a force (a reading)."""
        return sum(vars(self).values())


@dataclass(frozen=True)
class Carried:
    """A weapon as named in the force, and its figures if they are known."""

    name: str
    entry: Weapon | None


@dataclass(frozen=True)
class Line:
    """``count`` models of a squad with the same scores and weapons; ``place`` is the position in the squad, from 0."""

    place: int
    name: str
    count: int
    special: Special
    weapons: tuple[Carried, ...]

    @property
    def points(self) -> int:
        """The points of all models in the line."""
        return self.count * self.special.points


@dataclass(frozen=True)
class Squad:
    """A squad of the force; ``place`` counts from 0, ``label`` is unique in the force."""

    place: int
    label: str
    name: str
    class_name: str
    entry: SquadClass | None
    lines: tuple[Line, ...]

    @property
    def points(self) -> int:
        """The SPECIAL points of all its models."""
        return sum(line.points for line in self.lines)

    @property
    def models(self) -> int:
        """The number of models, copies included."""
        return sum(line.count for line in self.lines)

    @property
    def markers(self) -> int:
        """The force markers for its deployment (Force Markers); none without models or for an unknown class."""
        return self.entry.markers if self.entry and self.lines else 0

    @property
    def charisma(self) -> int:
        """The Charisma of all its models."""
        return sum(line.count * line.special.charisma for line in self.lines)

    @property
    def luck(self) -> int:
        """The dice of its pool: the Luck of all its models (Stats: Luck)."""
        return sum(line.count * line.special.luck for line in self.lines)

    @property
    def wounds(self) -> int:
        """The damage it can take: the Endurance of all its models (Stats: Endurance)."""
        return sum(line.count * line.special.endurance for line in self.lines)

    @property
    def rally_dice(self) -> int:
        """The dice of its rally with all its models."""
        return rally_dice(self.charisma)

    def detects(self, edition: Edition) -> int:
        """The inches within which the squad's best model detects (a reading: each model by its own Perception)."""
        return max((detection(line.special.perception, edition) for line in self.lines), default=0)


@dataclass(frozen=True, kw_only=True)
class Force(Judged):
    """The whole force, at the event's size in SPECIAL points, with the event's restrictions."""

    edition: Edition
    squads: tuple[Squad, ...]
    own_weapons: tuple[Weapon, ...]

    @cached_property
    def total(self) -> int:
        """The SPECIAL points of all models."""
        return sum(squad.points for squad in self.squads)

    @property
    def models(self) -> int:
        """The number of all models."""
        return sum(squad.models for squad in self.squads)

    @property
    def leadership_dice(self) -> int:
        """One for each point of Charisma in the force (Turn Structure)."""
        return sum(squad.charisma for squad in self.squads)

    @property
    def markers(self) -> int:
        """The force markers of all squads."""
        return sum(squad.markers for squad in self.squads)


def mustered(document: Document, terms: Terms) -> Force:
    """A canonical document with its names looked up, under these terms."""
    edition: Edition = terms.edition.lists
    own = tuple(Weapon.model_construct(**weapon) for weapon in document["weapons"])
    # A player's own weapon cannot replace one of the armoury with the same name; the armoury's figures apply.
    weapons = ByName((weapon.name, weapon) for weapon in (*own, *edition.weapons.values()))
    names = Counter(fold(squad["name"]) for squad in document["squads"])
    return Force(
        edition=edition,
        faction_name=document["faction"],
        squads=tuple(
            _mustered_squad(place, squad, names[fold(squad["name"])] > 1, edition, weapons)
            for place, squad in enumerate(document["squads"])
        ),
        own_weapons=own,
        terms=terms,
    )


def _mustered_squad(
    place: int, squad: dict[str, Any], ambiguous: bool, edition: Edition, weapons: ByName[Weapon]
) -> Squad:
    return Squad(
        place=place,
        label=f"{squad['name']} (squad {place + 1})" if ambiguous else squad["name"],
        name=squad["name"],
        class_name=squad["class"],
        entry=edition.classes.find(squad["class"]),
        lines=tuple(
            Line(
                at,
                line["name"],
                line["count"],
                Special(**line["special"]),
                tuple(Carried(name, weapons.find(name)) for name in line["weapons"]),
            )
            for at, line in enumerate(squad["models"])
        ),
    )


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
    """From parsed JSON to the canonical document. Raises UnreadableForce with every fault and its place."""
    force = shaped(parsed, ForceFile, info)
    names = [fold(weapon.name) for weapon in force.weapons]
    for place, name in enumerate(names):
        if name in names[:place]:
            raise UnreadableForce(f"weapons[{place}].name: {force.weapons[place].name!r} stands there twice")
    return stored(_document(force, info.lists))


blank_force = blank(read_force, SYSTEM_ID, "squads")
part_of = parts_of("squads", "squad")


def _document(force: ForceFile, edition: Edition) -> Document:
    armoury = (weapon.name for weapon in edition.weapons.values())
    weapons = name_table((*armoury, *(weapon.name for weapon in force.weapons)))
    return {
        "system": force.system,
        "edition": force.edition,
        "name": force.name,
        "faction": edition.factions.find(force.faction) or force.faction,
        "squads": [_squad(squad, edition, weapons) for squad in force.squads],
        "weapons": [weapon.model_dump() for weapon in force.weapons],
    }


def _squad(squad: SquadPart, edition: Edition, weapons: ByName[str]) -> dict[str, Any]:
    known = edition.classes.find(squad.squad_class)
    return {
        "name": squad.name,
        "class": known.name if known else squad.squad_class,
        "models": [
            {
                "name": line.name,
                "count": line.count,
                "special": line.special.model_dump(),
                "weapons": [weapons.find(name) or name for name in line.weapons],
            }
            for line in squad.models
        ],
    }
