"""The Fallout Skirmish force file (a group), and a group with its names looked up and its costs added."""

from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from pydantic import Field

from languages.words import N_, apart, minus
from validators.contract import Document, EditionInfo, Terms
from validators.fallout_skirmish.edition import Edition, ForceRow, Item, RankRow
from validators.force_file import (
    MOST_MODELS,
    Copies,
    Count,
    HeadOfForce,
    Name,
    Text,
    blank,
    parts_of,
    respell,
    shaped,
    stored,
)
from validators.kit.checks import ResolvedForce
from validators.kit.shapes import Part
from validators.names import fold, told_apart

SYSTEM_ID = "fallout_skirmish"


class Character(Part):
    """A character of the group; ``called`` is its own name, ``count`` n means n equal characters."""

    rank: Name
    called: Text = ""
    leader: bool = False
    perks: list[Name] = Field(default=[], max_length=60)
    items: list[Copies] = Field(default=[], max_length=60)
    count: Count = 1


class GroupFile(HeadOfForce):
    system: Literal["fallout_skirmish"]
    turfs: list[Name] = Field(default=[], max_length=60)
    models: list[Character] = Field(max_length=MOST_MODELS)


def read_force(parsed: object, info: EditionInfo) -> Document:
    group = shaped(parsed, GroupFile, info)
    edition: Edition = info.lists
    items = edition.items_of(edition.forces.find(group.faction))
    document = group.model_dump()
    document["faction"] = edition.forces.spelling(group.faction)
    document["turfs"] = [edition.turfs.spelling(turf) for turf in group.turfs]
    for model in document["models"]:
        if found := edition.rank(model["rank"], group.faction):
            model["rank"] = found[0].name
        model["perks"] = [edition.perks.spelling(perk) for perk in model["perks"]]
        respell(model["items"], items)
    document["models"] = [deepcopy(model) for model in document["models"] for _ in range(model.pop("count"))]
    return stored(document)


blank_force = blank(read_force, SYSTEM_ID, "models")
part_of = parts_of("models", "character")


@dataclass(frozen=True)
class PricedItem:
    """An item line of a character: the cost of ``each`` copy in Caps, None if unknown."""

    name: str
    entry: Item | None
    each: int | None
    count: int
    listed: bool
    """Whether it is in the lists of the group's own force."""

    @property
    def caps(self) -> int:
        return (self.each or 0) * self.count

    @property
    def big_gun(self) -> bool:
        return self.entry is not None and self.entry.group.big_gun

    @property
    def armour(self) -> bool:
        return self.entry is not None and self.entry.group.armour

    @property
    def note(self) -> str:
        """A weapon's profile in a few words: "Short -1, Medium -2, Long 0, Extreme +1, RoF 1; Scope"."""
        said = ("Big Gun" if self.big_gun else "", self.entry.figures, self.entry.row.special) if self.entry else ()
        return minus(apart(filter(None, said)))


@dataclass(frozen=True)
class PricedCharacter:
    """A character of the group; ``place`` counts from 0, ``label`` is unique in the force."""

    place: int
    label: str
    rank_name: str
    called: str
    rank: RankRow | None
    of_force: str
    """The force of its rank; "" if unknown."""
    leader: bool
    perks: tuple[str, ...]
    items: tuple[PricedItem, ...]

    @cached_property
    def caps(self) -> int:
        return (self.rank.caps if self.rank else 0) + sum(item.caps for item in self.items)

    @property
    def charisma(self) -> int:
        return self.rank.charisma if self.rank else 0


@dataclass(frozen=True, kw_only=True)
class PricedGroup(ResolvedForce):
    """The whole group, at the event's size in Caps, with the event's restrictions."""

    edition: Edition
    force: ForceRow | None
    characters: tuple[PricedCharacter, ...]
    turfs: tuple[str, ...]

    @cached_property
    def total(self) -> int:
        return sum(character.caps for character in self.characters)

    @property
    def experience(self) -> int:
        """The points of experience with which the characters start."""
        return sum(character.rank.experience for character in self.characters if character.rank)

    @property
    def rating(self) -> int:
        """fs.rating: the group's cost, its experience, and 50 for each turf."""
        return self.total + self.experience + self.edition.file.turf_rating * len(self.turfs)

    @property
    def big_guns(self) -> int:
        return sum(item.count for _, item in self.carried() if item.big_gun)

    @property
    def big_guns_allowed(self) -> int:
        """One for each full complement of characters; none for an unknown force."""
        return len(self.characters) // self.force.big_gun_per if self.force else 0

    def carried(self) -> Iterator[tuple[PricedCharacter, PricedItem]]:
        return ((character, item) for character in self.characters for item in character.items)

    def holders(self, name: str) -> list[PricedCharacter]:
        return [
            character for character in self.characters if any(fold(item.name) == fold(name) for item in character.items)
        ]


def priced(document: Document, terms: Terms) -> PricedGroup:
    edition: Edition = terms.edition.lists
    force = edition.forces.find(document["faction"])
    called = Counter(model["called"] or model["rank"] for model in document["models"])
    return PricedGroup(
        edition=edition,
        faction_name=document["faction"],
        force=force,
        characters=tuple(
            _priced_character(place, model, called, force, document["faction"], edition)
            for place, model in enumerate(document["models"])
        ),
        turfs=tuple(document["turfs"]),
        terms=terms,
    )


def _priced_character(
    place: int, raw: Document, called: Counter[str], force: ForceRow | None, force_name: str, edition: Edition
) -> PricedCharacter:
    found = edition.rank(raw["rank"], force_name)
    name = raw["called"] or raw["rank"]
    return PricedCharacter(
        place=place,
        label=told_apart(N_("%(name)s (character\u00a0%(number)s)"), name, place, shared=called[name] > 1),
        rank_name=raw["rank"],
        called=raw["called"],
        rank=found[0] if found else None,
        of_force=found[1].name if found else "",
        leader=raw["leader"],
        perks=tuple(raw["perks"]),
        items=tuple(_priced_item(item, force, edition) for item in raw["items"]),
    )


def _priced_item(raw: Document, force: ForceRow | None, edition: Edition) -> PricedItem:
    entry = edition.items_of(force).find(raw["name"])
    listed = force.price(raw["name"]) if force else None
    usual = entry.row.caps if entry else None
    return PricedItem(raw["name"], entry, usual if listed is None else listed, raw["count"], listed is not None)
