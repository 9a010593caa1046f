"""Editions of the Battle Mode force lists: the shape of their file, and names looked up in them.

A name is found in any of its written forms (``names.ByName``), and by the aliases that the edition names.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, ConfigDict, Field, WithJsonSchema

from validators import edition_file
from validators.contract import EditionInfo
from validators.edition_file import HeadOfEdition, Name
from validators.kit.shapes import Part
from validators.names import ByName, loose


def _figure(value: object) -> object:
    if isinstance(value, bool) or (isinstance(value, int) and 0 <= value <= 9999):
        return value
    raise ValueError("is neither true, false nor a whole number of Caps")


Caps = Annotated[int, Field(ge=0, le=9999)]
Names = Annotated[list[Name], Field(max_length=2000)]
Costs = Annotated[dict[Name, Caps], Field(max_length=2000)]
Figure = Annotated[
    Any,
    AfterValidator(_figure),
    WithJsonSchema({"anyOf": [{"type": "boolean"}, {"type": "integer", "minimum": 0, "maximum": 9999}]}),
]


class ModelRow(Part):
    """A model on a faction's list. What it may carry is named item by item, by packs, or both."""

    name: Name
    caps: Caps
    unique: Name | None = Field(default=None, description="The person that the model shows; null: any number of it.")
    perhaps_unique: Name | None = Field(
        default=None, description="The person that the model may show, where the edition does not say who is unique."
    )
    heroic: bool = Field(default=False, description="May be made Heroic; a pack may allow it, too.")
    built_in: Annotated[list[Name], Field(max_length=40)] = Field(default=[])
    may_carry: dict[Name, Names] = Field(default={}, max_length=100, description="Names of items by their kind.")
    packs: Annotated[list[Name], Field(max_length=40)] = Field(default=[])


class FactionRow(Part):
    """A faction; ``fielded`` is whether it may be chosen for a force."""

    name: Name
    fielded: bool = True
    models: Annotated[list[ModelRow], Field(max_length=500)]


class PackRow(Part):
    """What every model may have that is allowed this pack."""

    name: Name
    heroic: bool = False
    items: Names = Field(default=[])
    mods: Names = Field(default=[])
    perks: Names = Field(default=[])
    leader_cards: Names = Field(default=[])
    perhaps: Names = Field(default=[], description="Items of which nobody knows whether the pack holds them.")


class ItemGroup(Part):
    """Items of one kind by their cost, and what the rules ask of all of them."""

    category: Name
    kind: Name
    heavy: bool = False
    takes_mod: bool = False
    caps: Costs


class DisputedRow(Part):
    """A fact on which the sources differ: ``here`` is what this file says."""

    fact: Literal["caps", "carry", "unique", "heroic"]
    item: Name | None = None
    faction: Name | None = None
    model: Name | None = None
    here: Figure
    there: Figure


class EditionFile(HeadOfEdition):
    """An edition of the force lists as its file holds it."""

    model_config = ConfigDict(title="Battle Mode edition")

    system: Literal["battle_mode"]
    heroic_caps: Caps
    factions: Annotated[list[FactionRow], Field(min_length=1, max_length=100)]
    packs: Annotated[list[PackRow], Field(max_length=200)] = Field(default=[])
    items: Annotated[list[ItemGroup], Field(max_length=200)] = Field(default=[])
    leader_cards: Costs = Field(default={})
    perks: Costs = Field(default={})
    shares: dict[Name, Annotated[int, Field(ge=-99, le=900)]] = Field(
        default={}, max_length=100, description="Perks that cost this percentage of what the model itself costs."
    )
    mods: Costs = Field(default={})
    aliases: dict[Name, Name] = Field(default={}, max_length=2000)
    disputed: Annotated[list[DisputedRow], Field(max_length=500)] = Field(default=[])
    game: Name | None = Field(default=None, description="The game system whose rosters are read too, by its name.")


DATA = Path(__file__).parent / "data"


@dataclass(frozen=True)
class Priced:
    """A mod, a perk or a Leader card, and its cost: Caps, or ``percent`` of what the model itself costs."""

    name: str
    caps: int
    percent: int = 0

    def cost_on(self, model_caps: int) -> int:
        """Its cost in Caps on a model of this printed cost; what a model costs with a share is rounded half up."""
        return self.caps + (model_caps * self.percent + 50) // 100


@dataclass(frozen=True)
class Item:
    """A weapon or another item: cost in Caps, its kind ("Rifles"), and what the rules ask of it."""

    name: str
    caps: int
    category: str
    kind: str
    heavy: bool
    takes_mod: bool


@dataclass(frozen=True)
class ModelEntry:
    """A model as one faction lists it.

    ``unique`` is the person that the model shows; two entries with the same person are two faces of one. None
    where the model may be taken any number of times. ``perhaps_unique`` is the person where the edition does not
    say whether it is one. ``may_carry`` lists item names by kind, those of its packs among them; ``perhaps_carries``
    are further items that its packs may hold. ``mods``, ``perks`` and ``leader_cards`` are those that its packs hold,
    None where the edition sets no such bounds.
    """

    name: str
    caps: int
    faction: str
    unique: str | None
    heroic: bool
    built_in: tuple[str, ...]
    may_carry: Mapping[str, tuple[str, ...]]
    perhaps_unique: str | None = None
    packs: tuple[str, ...] = ()
    perhaps_carries: tuple[str, ...] = ()
    mods: frozenset[str] | None = None
    perks: frozenset[str] | None = None
    leader_cards: frozenset[str] | None = None

    @property
    def person(self) -> str | None:
        """The person that the model shows, or may show."""
        return self.unique or self.perhaps_unique

    def has_built_in_mod(self, mod: str, item: str) -> bool:
        """Whether the model has this mod built into this item (both in the edition's own spelling)."""
        return mod in self.built_in or f"{mod} (on {item})" in self.built_in

    def carries(self, item: str) -> bool:
        """Whether the entry lists this item (the edition's own spelling) among what may be bought for the
        model.
        """
        return item in self._items

    @cached_property
    def _items(self) -> frozenset[str]:
        return frozenset(name for names in self.may_carry.values() for name in names)

    def may_carry_item(self, item: str) -> bool:
        """Whether the entry lists this item, or the edition does not say whether it does."""
        return item in self.perhaps_carries or self.carries(item)

    def may_have_mod(self, mod: str) -> bool:
        """Whether a mod (the edition's own spelling) may be bought for an item of the model."""
        return self.mods is None or mod in self.mods

    def may_have_perk(self, perk: str) -> bool:
        """Whether a perk (the edition's own spelling) may be bought for the model."""
        return self.perks is None or perk in self.perks

    def may_have_leader_card(self, card: str) -> bool:
        """Whether a Leader card (the edition's own spelling) may be bought for the model, were it the Leader."""
        return self.leader_cards is None or card in self.leader_cards


@dataclass(frozen=True)
class Faction:
    """A faction's models by folded name, and whether it may be fielded in Battle Mode."""

    name: str
    fielded: bool
    models: ByName[ModelEntry]


@dataclass(frozen=True)
class Disputed:
    """A figure or permission on which two transcriptions of the printed lists differ: ``here`` is the one
    used.
    """

    fact: Literal["caps", "carry", "unique", "heroic"]
    here: int | bool
    there: int | bool
    item: str = ""
    faction: str = ""
    model: str = ""


@dataclass(frozen=True)
class Edition:
    """One edition. All tables are keyed by folded name; use the look-up functions."""

    id: str
    name: str
    date: str
    heroic_caps: int
    factions: ByName[Faction]
    items: ByName[Item]
    mods: ByName[Priced]
    perks: ByName[Priced]
    leader_cards: ByName[Priced]
    aliases: Mapping[str, str] = field(default_factory=dict)
    disputed: tuple[Disputed, ...] = ()
    packs: Mapping[str, PackRow] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    partial: bool = False
    """Whether the edition holds less than the printed lists; such a one is no event's default."""
    source: str = ""
    """Where the figures are from, in words."""
    game: str = ""
    """The game system whose catalogues it was made of: rosters that name it are read too."""

    def __hash__(self) -> int:
        """An edition keys what is derived from it; its tables cannot be hashed, its name is enough."""
        return hash((self.id, self.name, self.date))

    def mod(self, name: str, model: ModelEntry | None = None) -> Priced | None:
        """The mod of this name. Where the model's packs do not hold that one, but one that differs by what follows in
        brackets ("Recon Sensors (Robots)"), it is theirs.
        """
        known = self.mods.find(name)
        if model and model.mods and (known is None or known.name not in model.mods):
            fitting = [mod for mod in model.mods if loose(mod.partition(" (")[0]) == loose(name)]
            return self.mods.find(fitting[0]) if len(fitting) == 1 else known
        return known

    def model(self, name: str, faction: str) -> ModelEntry | None:
        """The model of this name: as ``faction`` lists it, else as the first other faction in the file's
        order does.
        """
        home = self.factions.find(faction)
        others = (f for f in self.factions.values() if f is not home)
        found = (place.models.find(name) for place in (home, *others) if place)
        return next((entry for entry in found if entry), None)


def info_of(edition: Edition) -> EditionInfo:
    """An edition as the rest of the service knows it."""
    fielded = [faction for faction in edition.factions.values() if faction.fielded]
    names = (
        ("Models", _names(entry for faction in fielded for entry in faction.models.values())),
        ("Items", _names(edition.items.values())),
        ("Mods", _names(edition.mods.values())),
        ("Perks", _names(edition.perks.values())),
        ("Leader cards", _names(edition.leader_cards.values())),
    )
    return edition_file.info_of(edition, edition, (faction.name for faction in fielded), names)


def _names(entries: Iterable[Item | Priced | ModelEntry]) -> tuple[str, ...]:
    return tuple(sorted({entry.name for entry in entries}))
