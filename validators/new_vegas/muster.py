"""A force with every name looked up and every score added: what the rules are judged on."""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from validators.contract import Document, Terms
from validators.names import fold
from validators.new_vegas.edition import Edition, SquadClass, Weapon
from validators.new_vegas.reckoning import detection, rally_dice
from validators.restrictions import NONE, Restrictions


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
        """All seven together: what a model counts in a force (a reading)."""
        return (
            self.strength + self.perception + self.endurance + self.charisma
            + self.intelligence + self.agility + self.luck
        )  # fmt: skip


@dataclass(frozen=True)
class Carried:
    """A weapon as the force names it, and its figures where they are known."""

    name: str
    entry: Weapon | None


@dataclass(frozen=True)
class Line:
    """``count`` models of a squad with the same scores and weapons; ``place`` is in the squad, from 0."""

    place: int
    name: str
    count: int
    special: Special
    weapons: tuple[Carried, ...]

    @property
    def points(self) -> int:
        """All of them."""
        return self.count * self.special.points


@dataclass(frozen=True)
class Squad:
    """A squad of the force; ``place`` counts from 0, ``label`` tells it from others of its name."""

    place: int
    label: str
    name: str
    class_name: str
    entry: SquadClass | None
    lines: tuple[Line, ...]

    @property
    def points(self) -> int:
        """SPECIAL points of all its models."""
        return sum(line.points for line in self.lines)

    @property
    def models(self) -> int:
        """Models, copies included."""
        return sum(line.count for line in self.lines)

    @property
    def markers(self) -> int:
        """Force markers that it is deployed by (Force Markers); none without models or of an unknown class."""
        return self.entry.markers if self.entry and self.lines else 0

    @property
    def charisma(self) -> int:
        """Of all its models."""
        return sum(line.count * line.special.charisma for line in self.lines)

    @property
    def luck(self) -> int:
        """The dice of its pool: the Luck of all its models (Stats: Luck)."""
        return sum(line.count * line.special.luck for line in self.lines)

    @property
    def wounds(self) -> int:
        """Damage that it takes in all: the Endurance of all its models (Stats: Endurance)."""
        return sum(line.count * line.special.endurance for line in self.lines)

    @property
    def rally_dice(self) -> int:
        """Dice of its rally, with all its models."""
        return rally_dice(self.charisma)

    def detects(self, edition: Edition) -> int:
        """Inches within which the best eyes of the squad detect (a reading: each model by its own)."""
        return max((detection(line.special.perception, edition) for line in self.lines), default=0)


@dataclass(frozen=True)
class Force:
    """The whole force, at the event's size in SPECIAL points and with what the event adds."""

    edition: Edition
    faction: str
    squads: tuple[Squad, ...]
    own_weapons: tuple[Weapon, ...]
    fielded_size: int
    restrictions: Restrictions
    bound_faction: str

    @property
    def size(self) -> int:
        """What the list may count: with a sideboard the roster's size, else the event's."""
        return self.restrictions.list_size(self.fielded_size)

    @cached_property
    def total(self) -> int:
        """SPECIAL points of all models."""
        return sum(squad.points for squad in self.squads)

    @property
    def models(self) -> int:
        """All models."""
        return sum(squad.models for squad in self.squads)

    @property
    def leadership_dice(self) -> int:
        """One for each point of Charisma in the force (Turn Structure)."""
        return sum(squad.charisma for squad in self.squads)

    @property
    def markers(self) -> int:
        """Force markers of all squads."""
        return sum(squad.markers for squad in self.squads)

    def open_to(self, faction: str) -> bool:
        """Whether the event lets this player play this faction."""
        allowed = (self.bound_faction,) if self.bound_faction else self.restrictions.factions
        return not allowed or fold(faction) in map(fold, allowed)

    def banned(self, name: str) -> bool:
        """Whether the event bans what has this name."""
        return fold(name) in map(fold, self.restrictions.banned)


def mustered(document: Document, terms: Terms) -> Force:
    """A canonical document with its names looked up, to be judged by these terms."""
    return muster(document, terms.edition.lists, terms.size, terms.restrictions, terms.faction)


def muster(
    document: Document, edition: Edition, size: int = 0, restrictions: Restrictions = NONE, bound_faction: str = ""
) -> Force:
    """A canonical document with its names looked up in the edition."""
    own = tuple(Weapon(**weapon, own=True) for weapon in document["weapons"])
    # A player's own weapon does not take an armoury name's place: its figures are those of the armoury then.
    weapons = {fold(weapon.name): weapon for weapon in own} | dict(edition.weapons)
    names = Counter(fold(squad["name"]) for squad in document["squads"])
    return Force(
        edition=edition,
        faction=document["faction"],
        squads=tuple(
            _squad(place, squad, names[fold(squad["name"])] > 1, edition, weapons)
            for place, squad in enumerate(document["squads"])
        ),
        own_weapons=own,
        fielded_size=size,
        restrictions=restrictions,
        bound_faction=bound_faction,
    )


def _squad(place: int, squad: dict[str, Any], ambiguous: bool, edition: Edition, weapons: dict[str, Weapon]) -> Squad:
    return Squad(
        place=place,
        label=f"{squad['name']} (squad {place + 1})" if ambiguous else squad["name"],
        name=squad["name"],
        class_name=squad["class"],
        entry=edition.squad_class(squad["class"]),
        lines=tuple(
            Line(
                at,
                line["name"],
                line["count"],
                Special(**line["special"]),
                tuple(Carried(name, weapons.get(fold(name))) for name in line["weapons"]),
            )
            for at, line in enumerate(squad["models"])
        ),
    )
