"""A force with every name looked up and every cost added: what the rules are judged on.

Where a name is not known its entry is None and it costs nothing; the name itself is kept for the message.
"""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

from validators.battle_mode.edition import Edition, Faction, Item, ModelEntry, Priced
from validators.contract import Document, Terms
from validators.names import fold
from validators.restrictions import NONE, Restrictions


@dataclass(frozen=True)
class Named:
    """A mod, perk or Leader card as the force names it, its entry, and the printed cost of the model that has it."""

    name: str
    entry: Priced | None
    model_caps: int = 0

    @property
    def caps(self) -> int:
        """Its cost; 0 where it is not known."""
        return self.entry.cost_on(self.model_caps) if self.entry else 0

    @property
    def percent(self) -> int:
        """The share of the model's cost that it is priced at; 0 where it has a cost of its own."""
        return self.entry.percent if self.entry else 0


@dataclass(frozen=True)
class PricedItem:
    """An item line of a model: ``count`` copies, each with these mods."""

    name: str
    entry: Item | None
    mods: tuple[Named, ...]
    count: int

    @property
    def caps(self) -> int:
        """All copies, each with its mods."""
        each = (self.entry.caps if self.entry else 0) + sum(mod.caps for mod in self.mods)
        return self.count * each

    @property
    def heavy(self) -> bool:
        """A heavy weapon that the edition knows."""
        return self.entry is not None and self.entry.heavy


@dataclass(frozen=True)
class PricedModel:
    """A model of the force; ``place`` counts from 0, ``label`` tells it from others of the same name."""

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
        """The model with Heroic, items and their mods, perks and Leader card."""
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
        """Of the kind Leader, known or not."""
        return fold(self.kind) == "leader"


@dataclass(frozen=True)
class PricedForce:
    """The whole force, at the event's size in Caps and with what the event adds.

    With a sideboard, the force is the roster of which ``fielded_size`` is fielded.
    """

    edition: Edition
    faction_name: str
    faction: Faction | None
    models: tuple[PricedModel, ...]
    cards: tuple[PricedCard, ...]
    fielded_size: int
    restrictions: Restrictions
    bound_faction: str
    """The faction that the event binds the player to; "" for none."""

    @property
    def size(self) -> int:
        """What the list may cost: with a sideboard the roster's size, else the event's."""
        return self.restrictions.list_size(self.fielded_size)

    def banned(self, name: str) -> bool:
        """Whether the event bans what has this name."""
        return fold(name) in map(fold, self.restrictions.banned)

    def open_to(self, faction: str) -> bool:
        """Whether the event lets this player play this faction."""
        allowed = (self.bound_faction,) if self.bound_faction else self.restrictions.factions
        return not allowed or fold(faction) in map(fold, allowed)

    @cached_property
    def total(self) -> int:
        """Every model and card, in Caps."""
        return sum(model.caps for model in self.models) + sum(card.entry.caps for card in self.cards if card.entry)

    @cached_property
    def heavy_weapons(self) -> int:
        """Heavy weapons bought, copies included."""
        return sum(item.count for model in self.models for item in model.items if item.heavy)


def priced(document: Document, terms: Terms) -> PricedForce:
    """A canonical document with its names looked up, to be judged by these terms."""
    return price(document, terms.edition.lists, terms.size, terms.restrictions, terms.faction)


def price(
    document: Document, edition: Edition, size: int = 0, restrictions: Restrictions = NONE, bound_faction: str = ""
) -> PricedForce:
    """A canonical document with its names looked up in the edition."""
    names = Counter(model["name"] for model in document["models"])
    return PricedForce(
        edition=edition,
        faction_name=document["faction"],
        faction=edition.faction(document["faction"]),
        models=tuple(
            _model(place, model, names[model["name"]] > 1, document["faction"], edition)
            for place, model in enumerate(document["models"])
        ),
        cards=tuple(_card(card, edition) for card in document["cards"]),
        fielded_size=size,
        restrictions=restrictions,
        bound_faction=bound_faction,
    )


def _model(place: int, raw: Document, shared_name: bool, faction: str, edition: Edition) -> PricedModel:
    card = raw["leader_card"]
    entry = edition.model(raw["name"], faction)
    own_caps = entry.caps if entry else 0
    return PricedModel(
        place=place,
        label=f"{raw['name']} (model {place + 1})" if shared_name else raw["name"],
        name=raw["name"],
        entry=entry,
        heroic=raw["heroic"],
        heroic_caps=edition.heroic_caps,
        leader=raw["leader"],
        leader_card=Named(card, edition.leader_card(card)) if card is not None else None,
        perks=tuple(Named(perk, edition.perk(perk), own_caps) for perk in raw["perks"]),
        items=tuple(
            PricedItem(
                name=item["name"],
                entry=edition.item(item["name"]),
                mods=tuple(Named(mod, edition.mod(mod)) for mod in item["mods"]),
                count=item["count"],
            )
            for item in raw["items"]
        ),
    )


def _card(raw: Document, edition: Edition) -> PricedCard:
    leads = fold(raw["kind"]) == "leader"
    return PricedCard(raw["kind"], raw["name"], edition.leader_card(raw["name"]) if leads else None)
