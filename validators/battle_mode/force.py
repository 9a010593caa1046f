"""The Battle Mode force file, and a force with its names looked up and its costs added.

The canonical document has a model with ``count`` n as n models.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

from pydantic import ConfigDict, Field

from languages.words import N_
from validators.battle_mode.edition import Edition, Faction, Item, ModelEntry, Priced
from validators.contract import Document, EditionInfo, Terms
from validators.force_file import MOST_MODELS, Carried, Count, HeadOfForce, Name, Text, blank, parts_of, shaped, stored
from validators.kit.checks import ResolvedForce
from validators.kit.shapes import Part
from validators.names import fold, told_apart

SYSTEM_ID = "battle_mode"
FILE_TOTAL = "file_total"
"""The field for the total in Caps stated by another program's file, if it differs."""
NOT_READ = "not_read"
"""The field for lines of the text from which a list was read that have a cost and were not read."""
MOST_NOT_READ = 20
OF_ITS_FILE = (FILE_TOTAL, NOT_READ)
"""Facts about the file from which a list was read, which are queries; see ``answered``."""
_MOST_CAPS = 10**12


class CarriedItem(Part):
    """An item that a model carries: ``count`` copies, each paid, each with these mods."""

    name: Name
    mods: list[Name] = Field(default=[], max_length=20)
    count: Carried = 1


class ChosenModel(Part):
    """A model with everything bought for it; ``count`` n means n equal models."""

    name: Name
    heroic: bool = False
    leader: bool = False
    leader_card: Name | None = None
    perks: list[Name] = Field(default=[], max_length=60)
    items: list[CarriedItem] = Field(default=[], max_length=60)
    count: Count = 1


class Card(Part):
    """A card that is no part of a model; Battle Mode uses none, so each is judged."""

    kind: Name
    name: Text = ""


class ForceFile(HeadOfForce):
    model_config = ConfigDict(title="Battle Mode force")

    system: Literal["battle_mode"]
    models: list[ChosenModel] = Field(max_length=MOST_MODELS)
    cards: list[Card] = Field(default=[], max_length=200)
    file_total: int | None = Field(default=None, ge=-_MOST_CAPS, le=_MOST_CAPS)
    not_read: list[Text] = Field(default=[], max_length=MOST_NOT_READ)


def read_force(parsed: object, info: EditionInfo) -> Document:
    force = shaped(parsed, ForceFile, info).model_dump(exclude_none=True)
    force["models"] = [model for model in force["models"] for _ in range(model["count"])]
    return stored(document_of(priced(force, Terms(info)), force["name"]))


def answered(before: Document, after: Document) -> Document:
    """A list as its player changed it. A change of what is in it answers what was asked about its file.

    What nobody chose by hand keeps these queries: a suggested repair, another name, another edition.
    """
    if any(after[part] != before[part] for part in ("faction", "models", "cards")):
        return {key: value for key, value in after.items() if key not in OF_ITS_FILE}
    return after | {key: before[key] for key in OF_ITS_FILE if key in before}


blank_force = blank(read_force, SYSTEM_ID, "models")


def bare_model(name: str, *, leader: bool = False) -> dict[str, Any]:
    return {"name": name, "heroic": False, "leader": leader, "leader_card": None, "perks": [], "items": []}


def bought_as_usual(name: str, entry: ModelEntry | None, *, leader: bool = False) -> dict[str, Any]:
    usual = entry.usual if entry else {}
    items = [{"name": item, "mods": [], "count": count} for item, count in usual.items()]
    return bare_model(name, leader=leader) | {"items": items}


_models_at = parts_of("models", "model")


def part_of(document: Document, places: Sequence[int]) -> Document:
    """The force of only these models, without the facts of its file. Raises UnreadableForce for an invalid position."""
    return {key: value for key, value in _models_at(document, places).items() if key not in OF_ITS_FILE}


@dataclass(frozen=True)
class Named:
    """A mod, perk or Leader card as named in the force, its entry, and its model's printed cost."""

    name: str
    entry: Priced | None
    model_caps: int = 0
    free: bool = False
    """Whether its model has it for nothing."""

    @property
    def caps(self) -> int:
        return self.entry.cost_on(self.model_caps) if self.entry and not self.free else 0

    @property
    def known_name(self) -> str:
        """Its name as the edition spells it, if it is known."""
        return self.entry.name if self.entry else self.name

    @property
    def percent(self) -> int:
        """The share of the model's cost as its price; 0 if it has a cost of its own."""
        return self.entry.percent if self.entry else 0


@dataclass(frozen=True)
class PricedItem:
    """An item line of a model: ``count`` copies, each with these mods.

    ``free`` of them are built in. ``loose_mod`` is a mod in an item's place: it belongs to the model itself, or the
    list does not say to which item.
    """

    name: str
    entry: Item | None
    mods: tuple[Named, ...]
    count: int
    loose_mod: Priced | None = None
    free: int = 0

    @property
    def own_caps(self) -> int:
        known = self.entry or self.loose_mod
        return known.caps if known else 0

    @property
    def bought(self) -> int:
        return self.count - self.free

    @property
    def caps(self) -> int:
        return self.bought * self.own_caps + self.count * sum(mod.caps for mod in self.mods)

    @property
    def heavy(self) -> bool:
        return self.entry is not None and self.entry.heavy


@dataclass(frozen=True)
class PricedModel:
    """A model of the force; ``place`` counts from 0, ``label`` is unique in the force."""

    place: int
    label: str
    name: str
    entry: ModelEntry | None
    heroic: bool
    heroic_caps: int
    leader: bool
    leader_card: Named | None
    perks: tuple[Named, ...]
    items: tuple[PricedItem, ...]

    @cached_property
    def caps(self) -> int:
        return (
            (self.entry.caps if self.entry else 0)
            + (self.heroic_caps if self.heroic else 0)
            + sum(item.caps for item in self.items)
            + sum(perk.caps for perk in self.perks)
            + (self.leader_card.caps if self.leader_card else 0)
        )


@dataclass(frozen=True)
class PricedCard:
    """A card outside the models. Only a Leader card has an entry and a cost."""

    kind: str
    name: str
    entry: Priced | None

    @property
    def is_leader_card(self) -> bool:
        return fold(self.kind) == "leader"


@dataclass(frozen=True, kw_only=True)
class PricedForce(ResolvedForce):
    """The whole force under its terms; with a sideboard it is the roster."""

    edition: Edition
    faction: Faction | None
    models: tuple[PricedModel, ...]
    cards: tuple[PricedCard, ...]
    file_total: int | None = None
    """The total stated by its file, if it differs."""
    not_read: tuple[str, ...] = ()
    """The priced lines of its text that were not read."""

    @cached_property
    def total(self) -> int:
        return sum(model.caps for model in self.models) + sum(card.entry.caps for card in self.cards if card.entry)

    @property
    def known_items(self) -> Iterator[tuple[PricedModel, ModelEntry, PricedItem, Item]]:
        for model in self.models:
            for item in model.items:
                if model.entry and item.entry:
                    yield model, model.entry, item, item.entry

    @property
    def known_parts(self) -> Iterator[tuple[PricedModel | None, ModelEntry | Item | Priced]]:
        """Every entry of the edition that the force uses, with the model that has it: the models' own entries first."""
        for model in self.models:
            parts = [item.entry or item.loose_mod for item in model.items]
            named = (model.leader_card, *model.perks, *(mod for item in model.items for mod in item.mods))
            yield from (
                (model, entry)
                for entry in (model.entry, *parts, *(upgrade and upgrade.entry for upgrade in named))
                if entry
            )
        yield from ((None, card.entry) for card in self.cards if card.entry)

    @cached_property
    def heavy_weapons(self) -> int:
        return sum(item.bought for model in self.models for item in model.items if item.heavy)


def priced(document: Document, terms: Terms) -> PricedForce:
    edition: Edition = terms.edition.lists
    names = Counter(model["name"] for model in document["models"])
    return PricedForce(
        edition=edition,
        faction_name=document["faction"],
        faction=edition.factions.find(document["faction"]),
        models=tuple(
            priced_model(model, document["faction"], edition, place=place, shared_name=names[model["name"]] > 1)
            for place, model in enumerate(document["models"])
        ),
        cards=tuple(
            PricedCard(kind, name, edition.leader_cards.find(name) if fold(kind) == "leader" else None)
            for kind, name in ((card["kind"], card["name"]) for card in document["cards"])
        ),
        terms=terms,
        file_total=document.get(FILE_TOTAL),
        not_read=tuple(document.get(NOT_READ, ())),
    )


def document_of(force: PricedForce, name: str) -> Document:
    """The document of a priced force, with known names as the edition spells them: the inverse of ``priced``."""
    return {
        "system": SYSTEM_ID,
        "edition": force.terms.edition.id,
        "name": name,
        "faction": force.faction.name if force.faction else force.faction_name,
        "models": [
            {
                "name": model.entry.name if model.entry else model.name,
                "heroic": model.heroic,
                "leader": model.leader,
                "leader_card": model.leader_card.known_name if model.leader_card else None,
                "perks": [perk.known_name for perk in model.perks],
                "items": [
                    {
                        "name": known.name if (known := item.entry or item.loose_mod) else item.name,
                        "mods": [mod.known_name for mod in item.mods],
                        "count": item.count,
                    }
                    for item in model.items
                ],
            }
            for model in force.models
        ],
        "cards": [{"kind": card.kind, "name": card.name} for card in force.cards],
        **({} if force.file_total is None else {FILE_TOTAL: force.file_total}),
        **({NOT_READ: [*force.not_read]} if force.not_read else {}),
    }


def priced_model(
    raw: Document, faction: str, edition: Edition, *, place: int = 0, shared_name: bool = False
) -> PricedModel:
    """A model of a canonical document with its names looked up; ``shared_name`` if others of the force have its
    name.
    """
    card = raw.get("leader_card")
    entry = edition.model(raw["name"], faction)
    own_caps = entry.caps if entry else 0
    return PricedModel(
        place=place,
        label=told_apart(N_("%(name)s (model\u00a0%(number)s)"), raw["name"], place, shared=shared_name),
        name=raw["name"],
        entry=entry,
        heroic=raw["heroic"],
        heroic_caps=edition.file.heroic_caps,
        leader=raw["leader"],
        leader_card=Named(card, edition.leader_cards.find(card)) if card is not None else None,
        perks=tuple(Named(perk, edition.perks.find(perk), own_caps) for perk in raw["perks"]),
        items=tuple(_priced_items(raw["items"], entry, edition)),
    )


def _priced_items(rows: Sequence[Document], entry: ModelEntry | None, edition: Edition) -> Iterator[PricedItem]:
    """A model's items. The first copy of each built-in item is free if a list may name it; a free mod is free once."""
    built_in = set(entry.built_in) if entry and edition.file.names_built_in else set()
    free_mods = set(entry.free_mods) if entry else set()
    for row in rows:
        info = edition.items.find(row["name"])
        free = info is not None and info.name in built_in
        mods = [Named(mod, edition.mod(mod, entry)) for mod in row["mods"]]
        if entry and info:
            built_in.discard(info.name)
            for place, mod in enumerate(mods):
                name = mod.known_name
                if name in free_mods and row["count"] == 1 and entry.has_free_mod(name, info):
                    free_mods.discard(name)
                    mods[place] = replace(mod, free=True)
        yield PricedItem(
            name=row["name"],
            entry=info,
            mods=tuple(mods),
            count=row["count"],
            loose_mod=None if info else edition.mod(row["name"], entry),
            free=int(free),
        )
