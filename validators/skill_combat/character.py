"""A side with every name looked up: what the rules are judged on and what the figures are reckoned from."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from validators.contract import Document, Terms
from validators.names import fold
from validators.restrictions import NONE, Restrictions
from validators.skill_combat.edition import SPECIAL, Armour, Edition, Skill, Weapon
from validators.skill_combat.figures import Sum, hit_points, skill_value


@dataclass(frozen=True)
class KnownSkill:
    """A skill line: its entry where the edition has one, and the points above its start."""

    name: str
    entry: Skill | None
    points: int


@dataclass(frozen=True)
class Carried:
    """A weapon as carried; ``figures`` are the edition's or its own, None where nobody knows them."""

    name: str
    listed: bool
    figures: Weapon | None


@dataclass(frozen=True)
class Worn:
    """A suit of armour as worn."""

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
    """One character; ``place`` counts from 0, ``label`` tells it from others of the same name."""

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
        """The figures of what is worn."""
        return self.worn.figures if self.worn else None

    @property
    def points(self) -> int:
        """Its SPECIAL, added."""
        return sum(self.special[name] for name in SPECIAL)

    @property
    def hit_points(self) -> Sum:
        """Its HP."""
        return hit_points(self.special, self.level)

    def skill(self, skill: Skill) -> Sum:
        """The value of a skill, trained or not."""
        trained = sum(line.points for line in self.skills if fold(line.name) == fold(skill.name))
        return skill_value(skill, self.special, trained)


@dataclass(frozen=True)
class Side:
    """One player's characters, by the terms that they are judged by."""

    edition: Edition
    name: str
    origin: str
    characters: tuple[Character, ...]
    fielded_size: int
    restrictions: Restrictions
    bound_origin: str

    @property
    def size(self) -> int:
        """The SPECIAL points that the list may have: with a sideboard the roster's, else the event's."""
        return self.restrictions.list_size(self.fielded_size)

    @cached_property
    def total(self) -> int:
        """The SPECIAL points of all characters."""
        return sum(one.points for one in self.characters)

    @property
    def most_characters(self) -> int:
        """One for each full share of the size, at least one."""
        return max(1, self.size // self.edition.points_a_character)

    def open_to(self, origin: str) -> bool:
        """Whether the event lets this player play this origin."""
        allowed = (self.bound_origin,) if self.bound_origin else self.restrictions.factions
        return not allowed or fold(origin) in map(fold, allowed)


def side_of(document: Document, terms: Terms) -> Side:
    """A canonical document with its names looked up, to be judged by these terms."""
    return looked_up(document, terms.edition.lists, terms.size, terms.restrictions, terms.faction)


def looked_up(
    document: Document, edition: Edition, size: int = 0, restrictions: Restrictions = NONE, bound: str = ""
) -> Side:
    """A canonical document with its names looked up in the edition."""
    names = Counter(one["name"] for one in document["models"])
    return Side(
        edition=edition,
        name=document["name"],
        origin=document["faction"],
        characters=tuple(_character(n, one, names, edition) for n, one in enumerate(document["models"])),
        fielded_size=size,
        restrictions=restrictions,
        bound_origin=bound,
    )


def _character(place: int, one: Mapping[str, Any], names: Mapping[str, int], edition: Edition) -> Character:
    name = one["name"] or "Character"
    alone = bool(one["name"]) and names[one["name"]] == 1
    return Character(
        place=place,
        name=name,
        label=name if alone else f"{name} (character {place + 1})",
        special=one["special"],
        level=one["level"],
        skills=tuple(
            KnownSkill(line["name"], edition.skill_by_name.get(fold(line["name"])), line["points"])
            for line in one["skills"]
        ),
        weapons=tuple(_weapon(line, edition) for line in one["weapons"]),
        worn=_armour(one["armour"], edition) if one["armour"] else None,
        items=tuple(Item(line["name"], line["name"] in edition.items, line["count"]) for line in one["items"]),
    )


def _weapon(line: Mapping[str, Any], edition: Edition) -> Carried:
    listed = edition.weapon_by_name.get(fold(line["name"]))
    if line["own"] is not None:  # what is written on the sheet counts; that it stands there is the organiser's to see
        return Carried(line["name"], False, Weapon(name=line["name"], **line["own"]))
    return Carried(line["name"], listed is not None, listed)


def _armour(line: Mapping[str, Any], edition: Edition) -> Worn:
    listed = edition.armour_by_name.get(fold(line["name"]))
    if line["own"] is not None:
        return Worn(line["name"], False, Armour(name=line["name"], **line["own"]))
    return Worn(line["name"], listed is not None, listed)
