"""A group with every name looked up and every cost added: what the rules are judged on.

Where a name is not known its entry is None and it costs nothing; the name itself is kept for the message.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from validators.contract import Document, Terms
from validators.fallout_skirmish.edition import Edition, Item
from validators.fallout_skirmish.edition_shape import ForceRow, RankRow
from validators.names import fold
from validators.restrictions import NONE, Restrictions


@dataclass(frozen=True)
class PricedItem:
    """An item line of a character: ``each`` copy in Caps, None where no price is known."""

    name: str
    entry: Item | None
    each: int | None
    count: int
    listed: bool
    """On the lists of the group's own force."""

    @property
    def caps(self) -> int:
        """All copies."""
        return (self.each or 0) * self.count

    @property
    def big_gun(self) -> bool:
        """A Big Gun that the edition knows."""
        return self.entry is not None and self.entry.group.big_gun

    @property
    def armour(self) -> bool:
        """A piece of armour that the edition knows."""
        return self.entry is not None and self.entry.group.armour


@dataclass(frozen=True)
class PricedCharacter:
    """A character of the group; ``place`` counts from 0, ``label`` tells it from all others."""

    place: int
    label: str
    rank_name: str
    called: str
    rank: RankRow | None
    of_force: str
    """The force that its rank belongs to; "" where that is not known."""
    leader: bool
    perks: tuple[str, ...]
    items: tuple[PricedItem, ...]

    @cached_property
    def caps(self) -> int:
        """The character with all that it carries."""
        return (self.rank.caps if self.rank else 0) + sum(item.caps for item in self.items)

    @property
    def charisma(self) -> int:
        """As printed; 0 where the rank is not known."""
        return self.rank.charisma if self.rank else 0


@dataclass(frozen=True)
class PricedGroup:
    """The whole group, at the event's size in Caps and with what the event adds."""

    edition: Edition
    force_name: str
    force: ForceRow | None
    characters: tuple[PricedCharacter, ...]
    turfs: tuple[str, ...]
    fielded_size: int
    restrictions: Restrictions
    bound_faction: str

    @property
    def size(self) -> int:
        """What the list may cost: with a sideboard the roster's size, else the event's."""
        return self.restrictions.list_size(self.fielded_size)

    @cached_property
    def total(self) -> int:
        """Every character with all that it carries, in Caps."""
        return sum(character.caps for character in self.characters)

    @property
    def experience(self) -> int:
        """What the characters start with, in points."""
        return sum(character.rank.experience for character in self.characters if character.rank)

    @property
    def rating(self) -> int:
        """fs.rating: the group's cost, its experience, and 50 for each turf."""
        return self.total + self.experience + self.edition.file.turf_rating * len(self.turfs)

    @property
    def big_guns(self) -> int:
        """Big Guns carried, copies included."""
        return sum(item.count for _, item in self.carried() if item.big_gun)

    @property
    def big_guns_allowed(self) -> int:
        """One for each full complement of characters; none for a force that is not known."""
        return len(self.characters) // self.force.big_gun_per if self.force else 0

    def carried(self) -> Iterator[tuple[PricedCharacter, PricedItem]]:
        """Every item line with who carries it."""
        return ((character, item) for character in self.characters for item in character.items)

    def holders(self, name: str) -> list[PricedCharacter]:
        """The characters that carry what has this name."""
        return [one for one in self.characters if any(fold(item.name) == fold(name) for item in one.items)]

    def open_to(self, faction: str) -> bool:
        """Whether the event lets this player play this force."""
        allowed = (self.bound_faction,) if self.bound_faction else self.restrictions.factions
        return not allowed or fold(faction) in map(fold, allowed)


def priced(document: Document, terms: Terms) -> PricedGroup:
    """A canonical document with its names looked up, to be judged by these terms."""
    return price(document, terms.edition.lists, terms.size, terms.restrictions, terms.faction)


def price(
    document: Document, edition: Edition, size: int = 0, restrictions: Restrictions = NONE, bound_faction: str = ""
) -> PricedGroup:
    """A canonical document with its names looked up in the edition."""
    force = edition.force(document["faction"])
    called = Counter(model["called"] or model["rank"] for model in document["models"])
    return PricedGroup(
        edition=edition,
        force_name=document["faction"],
        force=force,
        characters=tuple(
            _character(place, model, called[model["called"] or model["rank"]] > 1, force, document["faction"], edition)
            for place, model in enumerate(document["models"])
        ),
        turfs=tuple(document["turfs"]),
        fielded_size=size,
        restrictions=restrictions,
        bound_faction=bound_faction,
    )


def _character(
    place: int, raw: Document, shared: bool, force: ForceRow | None, force_name: str, edition: Edition
) -> PricedCharacter:
    found = edition.rank(raw["rank"], force_name)
    name = raw["called"] or raw["rank"]
    return PricedCharacter(
        place=place,
        label=f"{name} (character {place + 1})" if shared else name,
        rank_name=raw["rank"],
        called=raw["called"],
        rank=found[0] if found else None,
        of_force=found[1].name if found else "",
        leader=raw["leader"],
        perks=tuple(raw["perks"]),
        items=tuple(_item(item, force, edition) for item in raw["items"]),
    )


def _item(raw: Document, force: ForceRow | None, edition: Edition) -> PricedItem:
    entry = edition.item(raw["name"])
    listed = edition.prices[force.name].get(fold(raw["name"])) if force else None
    usual = entry.row.caps if entry else None
    return PricedItem(raw["name"], entry, usual if listed is None else listed, raw["count"], listed is not None)
