"""Editions of the Battle Mode force lists: the schema of their file, and lookup by name.

Names are found in any spelling (``names.ByName``), and by the edition's aliases.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, ConfigDict, Field, WithJsonSchema

from languages.words import N_, gettext
from validators import edition_file
from validators.contract import EditionInfo
from validators.edition_file import HeadOfEdition, Name
from validators.kit.shapes import Part
from validators.names import ByName, fold, loose


def _figure(value: object) -> object:
    if isinstance(value, bool) or (isinstance(value, int) and 0 <= value <= 9999):
        return value
    raise ValueError(gettext("is neither true, false nor a whole number of Caps"))


Caps = Annotated[int, Field(ge=0, le=9999)]
Names = Annotated[list[Name], Field(max_length=2000)]
Costs = Annotated[dict[Name, Caps], Field(max_length=2000)]
Figure = Annotated[
    Any,
    AfterValidator(_figure),
    WithJsonSchema({"anyOf": [{"type": "boolean"}, {"type": "integer", "minimum": 0, "maximum": 9999}]}),
]


class ModelRow(Part):
    """A model on a faction's list. The items that it may carry are named one by one, by packs, or both."""

    name: Name
    caps: Caps
    unique: Name | None = Field(default=None, description="The person that the model shows; null: any number of it.")
    perhaps_unique: Name | None = Field(
        default=None, description="The person that the model may show, where the edition does not say who is unique."
    )
    heroic: bool = Field(default=False, description="May be made Heroic; a pack may allow it, too.")
    tags: Annotated[list[Name], Field(max_length=10)] = Field(default=[], description="What it is: Robot, Creature.")
    built_in: Annotated[list[Name], Field(max_length=40)] = Field(default=[])
    may_carry: dict[Name, Names] = Field(default={}, max_length=100, description="Names of items by their kind.")
    packs: Annotated[list[Name], Field(max_length=40)] = Field(default=[])
    usual: dict[Name, Annotated[int, Field(ge=1, le=99)]] = Field(
        default={}, max_length=20, description="Items that it is usually bought with, and how many; it may carry them."
    )
    free_mods: dict[Name, Name] = Field(
        default={}, max_length=10, description="Mods that are free on one item of this name or kind."
    )
    options_unknown: bool = Field(
        default=False, description="The edition does not say what else it may have: anything else bought is a query."
    )
    stage: bool = Field(default=False, description="One of a person's stages; how they are fielded is not known.")


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
    perhaps: Names = Field(
        default=[], description="Items, mods, perks and Leader cards that the pack may hold: nobody knows."
    )


class ItemGroup(Part):
    """Items of one kind with their costs, and the properties that the rules use."""

    category: Name
    kind: Name
    heavy: bool = False
    takes_mod: bool = False
    printed: bool = Field(default=False, description="Printed on the models that have them built in; no other has one.")
    caps: Costs


class DisputedRow(Part):
    """A fact on which two sources differ: ``here`` is this file's value, ``there`` the other's."""

    fact: Literal["caps", "carry", "unique", "heroic"]
    item: Name | None = None
    faction: Name | None = None
    model: Name | None = None
    here: Figure
    there: Figure


class EditionFile(HeadOfEdition):
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
    mod_kinds: dict[Name, Names] = Field(
        default={}, max_length=2000, description="What each mod fits: kinds of items, or tags of models."
    )
    needs_tag: dict[Name, Names] = Field(
        default={}, max_length=2000, description="Items, perks and Leader cards of models with all these tags alone."
    )
    bars_tag: dict[Name, Names] = Field(
        default={}, max_length=2000, description="Items, perks and Leader cards of models with none of these tags."
    )
    names_built_in: bool = Field(
        default=False, description="A list may name a built-in item: its first copy is free and may have a mod."
    )
    no_cost: Names = Field(
        default=[], description="Names whose cost the edition does not state: where it says 0, using one is a query."
    )
    aliases: dict[Name, Name] = Field(default={}, max_length=2000)
    disputed: Annotated[list[DisputedRow], Field(max_length=500)] = Field(default=[])
    game: Name | None = Field(default=None, description="The game system whose rosters are read too, by its name.")


DATA = Path(__file__).parent / "data"
Upgrade = Literal["mod", "perk", "Leader card"]
UPGRADES: tuple[Upgrade, ...] = ("mod", "perk", "Leader card")
Sort = Literal["item"] | Upgrade


@dataclass(frozen=True)
class ForWhom:
    """The models that a thing is for, as the edition says.

    ``packs`` hold it, each with the tags for which it marks some of its contents; ``perhaps`` may hold it. Its models
    have all tags of ``needs``, none of ``bars``, and the pack ``own_pack``, if its kind has one of its own.
    """

    packs: Mapping[str, frozenset[str]] = field(default_factory=dict)
    perhaps: frozenset[str] = frozenset()
    needs: frozenset[str] = frozenset()
    bars: frozenset[str] = frozenset()
    own_pack: str = ""


@dataclass(frozen=True)
class Priced:
    """A mod, perk or Leader card, and its cost: Caps, or ``percent`` of the model's own cost.

    ``kinds`` is what a mod fits: kinds of items, or tags of models; empty if the edition does not say.
    """

    name: str
    caps: int
    percent: int = 0
    kinds: frozenset[str] = frozenset()
    sort: Upgrade = "perk"
    for_whom: ForWhom = field(default=ForWhom(), repr=False)

    def cost_on(self, model_caps: int) -> int:
        """Its cost in Caps on a model with this printed cost; shares are rounded half up."""
        return self.caps + (model_caps * self.percent + 50) // 100


@dataclass(frozen=True)
class Item:
    """A weapon or other item: its cost in Caps, its kind ("Rifles"), and its role in the rules.

    ``printed`` is one of the models that have it built in, and of no other.
    """

    name: str
    caps: int
    category: str
    kind: str
    heavy: bool
    takes_mod: bool
    printed: bool = field(default=False, kw_only=True)
    for_whom: ForWhom = field(default=ForWhom(), repr=False, kw_only=True)
    sort: ClassVar[Sort] = "item"


Thing = Item | Priced


@dataclass(frozen=True)
class Answer:
    """Whether a model may have a thing (None: the organiser is asked), and why not, or what is asked."""

    may: bool | None
    why: str = ""
    names: Mapping[str, str] = field(default_factory=dict)

    @property
    def words(self) -> str:
        """The reason in the reader's language, to follow a colon."""
        return gettext(self.why, **self.names)


@dataclass(frozen=True)
class ModelEntry:
    """A model as one faction lists it.

    ``unique`` is the person that the model shows; two entries with one person are two versions of that person. None if
    the model may repeat. ``perhaps_unique`` is the person if the edition does not say whether the model is unique;
    ``stage`` is one of several of the person. ``named`` are the items that the entry itself lists. ``tags`` say what it
    is ("Robot"). ``usual`` are the items that the builder adds with it. ``free_mods`` are free on one item of this name
    or kind. With ``options_unknown`` the edition does not say what else it may have.
    """

    name: str
    caps: int
    faction: str
    unique: str | None
    heroic: bool
    built_in: tuple[str, ...]
    named: frozenset[str]
    perhaps_unique: str | None = None
    stage: bool = False
    packs: tuple[str, ...] = ()
    tags: frozenset[str] = frozenset()
    usual: Mapping[str, int] = field(default_factory=dict)
    free_mods: Mapping[str, str] = field(default_factory=dict)
    options_unknown: bool = False
    lists: "Edition" = field(repr=False, compare=False, kw_only=True)
    """The tables of its edition, without factions."""

    @property
    def person(self) -> str | None:
        return self.unique or self.perhaps_unique

    def has_built_in_mod(self, mod: str, item: str) -> bool:
        """Whether the model has this mod built into this item (both in the edition's own spelling)."""
        return mod in self.built_in or f"{mod} (on {item})" in self.built_in

    def has_free_mod(self, mod: str, item: Item) -> bool:
        """Whether this mod (in the edition's spelling) is free on one such item of the model."""
        return self.free_mods.get(mod) in (item.name, item.kind)

    @cached_property
    def is_armed(self) -> bool:
        return any(item.category == "Weapons" for name in self.built_in if (item := self.lists.items.get(fold(name))))

    def may(self, thing: Thing, on: Item | None = None) -> Answer:
        """Whether the model may have a thing, or a mod ``on`` this item: see ``may_carry``."""
        return self.lists.rule(self, thing, on)

    @cached_property
    def offers(self) -> Mapping[Sort, Mapping[str, bool | None]]:
        """What may be bought for it, by sort, in the edition's order: True, or None if the organiser is asked."""
        facts = (
            *(self.packs, self.built_in, self.tags, self.named, self.options_unknown),
            *(frozenset(self.usual), frozenset(self.free_mods.items())),
        )
        if facts not in self.lists.offered:  # many models have the same options
            things: dict[Sort, Iterable[Thing]] = {"item": self.lists.items.values()}
            things |= {sort: self.lists.upgrades(sort).values() for sort in UPGRADES}
            self.lists.offered[facts] = {
                sort: {priced.name: may for priced in every if (may := self._offer(priced)) is not False}
                for sort, every in things.items()
            }
        return self.lists.offered[facts]

    def _offer(self, thing: Thing) -> bool | None:
        may = self.may(thing).may
        is_free = isinstance(thing, Item) and self.lists.is_free(thing) and thing.name not in self.named
        return False if is_free and (may is None or thing.name in self.built_in) else may

    def carries(self, item: str) -> bool:
        """Whether the model may carry this item (in the edition's spelling)."""
        return self.offers["item"].get(item) is True

    def may_have(self, sort: Upgrade, name: str) -> bool:
        """Whether this (in the edition's spelling) may be bought for the model, as the Leader, or for its items."""
        return name in self.offers[sort]


@dataclass(frozen=True)
class Faction:
    """A faction's models by folded name, and whether it may be fielded in Battle Mode."""

    name: str
    fielded: bool
    models: ByName[ModelEntry]


@dataclass(frozen=True)
class Edition:
    """An edition file with lookup by name. All tables are keyed by folded name; use ``find`` and the methods."""

    file: EditionFile = field(repr=False, compare=False)
    factions: ByName[Faction]
    items: ByName[Item]
    mods: ByName[Priced]
    perks: ByName[Priced]
    leader_cards: ByName[Priced]
    packs: ByName[PackRow]
    rule: Callable[[ModelEntry, Thing, Item | None], Answer] = field(repr=False, compare=False)
    """What a model may carry: see ``may_carry``."""
    offered: dict[object, Mapping[Sort, Mapping[str, bool | None]]] = field(
        default_factory=dict, repr=False, compare=False
    )
    """The offers of its models, by the facts that decide them."""

    @cached_property
    def _no_cost(self) -> frozenset[str]:
        return frozenset(map(fold, self.file.no_cost))

    def states_cost(self, entry: Item | Priced | ModelEntry) -> bool:
        """Whether the edition says what this costs; if not, its 0 means that nobody knows."""
        return bool(entry.caps) or fold(entry.name) not in self._no_cost

    def is_free(self, item: Item) -> bool:
        """Whether an item costs nothing: it is printed on the models that have it."""
        return not item.caps and self.states_cost(item)

    def upgrades(self, sort: Upgrade) -> ByName[Priced]:
        return {"mod": self.mods, "perk": self.perks, "Leader card": self.leader_cards}[sort]

    def mod(self, name: str, model: ModelEntry | None = None) -> Priced | None:
        """The mod with this name.

        If the model's packs contain only one that differs in the part in brackets ("Recon Sensors (Robots)"), that one.
        """
        priced = self.mods.find(name)
        if model and model.packs and (priced is None or not model.may_have("mod", priced.name)):
            fitting = [mod for mod in model.offers["mod"] if loose(mod.partition(" (")[0]) == loose(name)]
            return self.mods.find(fitting[0]) if len(fitting) == 1 else priced
        return priced

    def model(self, name: str, faction: str) -> ModelEntry | None:
        """The model with this name in the list of ``faction``, else in the first other faction, in the file's order."""
        home = self.factions.find(faction)
        others = (f for f in self.factions.values() if f is not home)
        model_entries = (place.models.find(name) for place in (home, *others) if place)
        return next((entry for entry in model_entries if entry), None)


def info_of(edition: Edition) -> EditionInfo:
    fielded = [faction for faction in edition.factions.values() if faction.fielded]
    names = (
        (N_("Models"), _names(entry for faction in fielded for entry in faction.models.values())),
        (N_("Items"), _names(edition.items.values())),
        (N_("Mods"), _names(edition.mods.values())),
        (N_("Perks"), _names(edition.perks.values())),
        (N_("Leader cards"), _names(edition.leader_cards.values())),
    )
    return edition_file.info_of(edition.file, edition, (faction.name for faction in fielded), names)


def _names(entries: Iterable[Item | Priced | ModelEntry]) -> tuple[str, ...]:
    return tuple(sorted({entry.name for entry in entries}))
