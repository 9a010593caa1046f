"""The force file of the SNAFU game, and a force with its names looked up and its scores added.

The functions at the beginning convert scores to dice rolls and inches.
"""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, Literal

from pydantic import Field

from languages.words import N_
from validators.contract import Document, EditionInfo, Terms, UnreadableForce
from validators.force_file import Count, HeadOfForce, Name, blank, parts_of, shaped, stored
from validators.kit.checks import ResolvedForce
from validators.kit.shapes import Part
from validators.names import ByName, by_name, fold, name_table, told_apart
from validators.new_vegas.edition import Edition, SquadClass, Weapon

FACES = 6


def to_hit(score: int) -> str:
    """The roll of one die that hits: 6+ at a score of 0, one less for each point, always from 5 on.

    Strength is rolled in close combat, Agility in shooting (Stats: Strength, Agility). A score below 0 hits on 6 (a
    reading).
    """
    needed = FACES - max(score, 0)
    return f"{needed}+" if needed > 1 else "1+ (always)"


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


def trap_save(perception: int) -> str:
    """The roll that saves from a trap: 6+ at a Perception of 0, one less for each point (Stats: Perception)."""
    return f"{max(FACES - perception, 1)}+"


Score = Annotated[int, Field(ge=0, le=99)]


class Special(Part):
    strength: Score = Field(title=N_("Strength"))
    perception: Score = Field(title=N_("Perception"))
    endurance: Score = Field(title=N_("Endurance"))
    charisma: Score = Field(title=N_("Charisma"))
    intelligence: Score = Field(title=N_("Intelligence"))
    agility: Score = Field(title=N_("Agility"))
    luck: Score = Field(title=N_("Luck"))

    @property
    def points(self) -> int:
        """The sum of all seven, which a model counts in a force (a reading)."""
        return sum(score for _, score in self)


@dataclass(frozen=True)
class Carried:
    """A weapon as named in the force, and its figures if they are known."""

    name: str
    entry: Weapon | None


@dataclass(frozen=True)
class SquadLine:
    """``count`` models of a squad with the same scores and weapons; ``place`` is the position in the squad, from 0."""

    place: int
    name: str
    count: int
    special: Special
    weapons: tuple[Carried, ...]

    @property
    def points(self) -> int:
        return self.count * self.special.points


@dataclass(frozen=True)
class Squad:
    """A squad of the force; ``place`` counts from 0, ``label`` is unique in the force."""

    place: int
    label: str
    name: str
    class_name: str
    entry: SquadClass | None
    lines: tuple[SquadLine, ...]

    @property
    def points(self) -> int:
        return sum(line.points for line in self.lines)

    @property
    def models(self) -> int:
        return sum(line.count for line in self.lines)

    @property
    def markers(self) -> int:
        """The force markers for its deployment (Force Markers); none without models or for an unknown class."""
        return self.entry.markers if self.entry and self.lines else 0

    def sum_of(self, score: str) -> int:
        """A score of all its models: its Luck pool of dice, or as Endurance the damage it can take (Stats)."""
        return sum(line.count * int(getattr(line.special, score)) for line in self.lines)

    @property
    def charisma(self) -> int:
        return self.sum_of("charisma")

    @property
    def rally_dice(self) -> int:
        """The dice of its rally: one for each point of leadership, and one without leadership (Morale)."""
        return max(self.charisma, 1)


@dataclass(frozen=True, kw_only=True)
class Force(ResolvedForce):
    """The whole force, at the event's size in SPECIAL points, with the event's restrictions."""

    edition: Edition
    squads: tuple[Squad, ...]
    own_weapons: tuple[Weapon, ...]

    @cached_property
    def total(self) -> int:
        return sum(squad.points for squad in self.squads)

    @property
    def lines(self) -> tuple[tuple[Squad, SquadLine], ...]:
        return tuple((squad, line) for squad in self.squads for line in squad.lines)

    @property
    def models(self) -> int:
        return sum(squad.models for squad in self.squads)

    @property
    def leadership_dice(self) -> int:
        """One for each point of Charisma in the force (Turn Structure)."""
        return sum(squad.charisma for squad in self.squads)

    @property
    def markers(self) -> int:
        return sum(squad.markers for squad in self.squads)


def mustered(document: Document, terms: Terms) -> Force:
    edition: Edition = terms.edition.lists
    own = tuple(Weapon.model_construct(**weapon) for weapon in document["weapons"])
    # A player's own weapon cannot replace one of the armoury with the same name; the armoury's figures apply.
    weapons = by_name((*own, *edition.weapons.values()))
    names, squads = Counter(fold(squad["name"]) for squad in document["squads"]), []
    for place, squad in enumerate(document["squads"]):
        name, class_ = squad["name"], squad["class"]
        label = told_apart(N_("%(name)s (squad\u00a0%(number)s)"), name, place, shared=names[fold(name)] > 1)
        lines = tuple(_line(at, line, weapons) for at, line in enumerate(squad["models"]))
        squads.append(Squad(place, label, name, class_, edition.classes.find(class_), lines))
    faction = document["faction"]
    return Force(edition=edition, faction_name=faction, squads=tuple(squads), own_weapons=own, terms=terms)


def _line(place: int, line: dict[str, Any], weapons: ByName[Weapon]) -> SquadLine:
    carried = tuple(Carried(name, weapons.find(name)) for name in line["weapons"])
    return SquadLine(place, line["name"], line["count"], Special.model_construct(**line["special"]), carried)


SYSTEM_ID = "new_vegas"
MOST_SQUADS = 60


class ModelPart(Part):
    """``count`` models of one name with the same scores and weapons."""

    name: Name
    count: Count = 1
    special: Special
    weapons: list[Name] = Field(default=[], max_length=12)


class SquadPart(Part):
    name: Name
    squad_class: Name = Field(alias="class")
    models: list[ModelPart] = Field(max_length=40)


class OwnWeapon(Weapon, frozen=True):
    """A weapon that the player brings, with its figures."""

    name: Name
    kind: Literal["ranged", "melee"] = "ranged"
    attacks: int = Field(default=1, ge=1, le=20, title=N_("Attacks"))
    armour_penetration: int = Field(default=0, ge=0, le=20, title=N_("Armour Penetration of {name}"))
    fire_power: int = Field(default=1, ge=0, le=20, title=N_("Fire Power of {name}"))
    range: int = Field(default=0, ge=0, le=99, title=N_("Effective Range of {name} in inches"))
    strength: int = Field(default=0, ge=0, le=5, title=N_("Strength that {name} asks for"))


class ForceFile(HeadOfForce):
    system: Literal["new_vegas"]
    squads: list[SquadPart] = Field(max_length=MOST_SQUADS)
    weapons: list[OwnWeapon] = Field(default=[], max_length=40)


def read_force(parsed: object, info: EditionInfo) -> Document:
    force = shaped(parsed, ForceFile, info)
    names = [fold(weapon.name) for weapon in force.weapons]
    for place, name in enumerate(names):
        if name in names[:place]:
            twice = force.weapons[place].name
            raise UnreadableForce(
                f"weapon {place + 1} ({twice}): two own weapons have this name; give one another name"
            )
    edition: Edition = info.lists
    known = (*edition.weapons.values(), *force.weapons)
    weapons = name_table((weapon.name for weapon in known), edition.file.aliases)
    document = force.model_dump(by_alias=True)
    document["faction"] = edition.factions.spelling(force.faction)
    for squad in document["squads"]:
        squad["class"] = edition.classes.spelling(squad["class"])
        for line in squad["models"]:
            line["weapons"] = [weapons.spelling(name) for name in line["weapons"]]
    return stored(document)


blank_force = blank(read_force, SYSTEM_ID, "squads")
part_of = parts_of("squads", "squad")
