"""What the builder page of Battle Mode shows: the document with every choice, cost and finding beside it.

The page's form holds the whole document (see ``form``), so whatever stands in the document is shown with a
field of its own, known to the edition or not: nothing is lost by saving.
"""

from dataclasses import dataclass

from validators.battle_mode.check import verdict_on
from validators.battle_mode.event_rules import room_for_another
from validators.battle_mode.force_rules import heavy_weapons_allowed
from validators.battle_mode.mending import mendings
from validators.battle_mode.options import Option, OptionGroup, items_to_add, leader_cards, models_to_add, options
from validators.battle_mode.priced import Named, PricedForce, PricedItem, PricedModel, priced
from validators.contract import Document, Finding, Mending, Terms, Verdict


@dataclass(frozen=True)
class Bought:
    """A mod, perk or Leader card in the force, at its place in its list; ``known`` to the edition or not."""

    place: int
    name: str
    caps: int
    known: bool


@dataclass(frozen=True)
class ItemLine:
    """An item line of a model: ``each`` copy without mods, and ``caps`` for all of it."""

    place: int
    name: str
    known: bool
    heavy: bool
    takes_mod: bool
    each: int
    count: int
    caps: int
    mods: tuple[Bought, ...]


@dataclass(frozen=True)
class ModelCard:
    """One model of the force with all that is chosen and all that can be added."""

    place: int
    name: str
    label: str
    known: bool
    unique: bool
    may_be_copied: bool
    """Neither unique nor at what the event allows of it, or of anything that it carries."""
    caps: int
    """The model alone."""
    total: int
    """With all that is bought for it."""
    heroic: bool
    heroic_allowed: bool
    leader: bool
    leader_too: bool
    """Marked as a Leader beside another one: not possible in a legal force."""
    stray_leader_card: Bought | None
    """A Leader card that is not the Leader's."""
    built_in: tuple[str, ...]
    items: tuple[ItemLine, ...]
    perks: tuple[Bought, ...]
    add_items: tuple[OptionGroup, ...]
    add_perks: tuple[Option, ...]
    mods: tuple[Option, ...]
    """Those that an item of the model may have."""
    problems: tuple[Finding, ...]
    queries: tuple[Finding, ...]


@dataclass(frozen=True)
class CardLine:
    """A card outside the models, to be taken out."""

    place: int
    kind: str
    name: str


@dataclass(frozen=True)
class Find:
    """What is searched for on the page: words, a kind, what fits the Caps left; ``narrows`` where it is narrowed."""

    words: str = ""
    kind: str = ""
    fits: bool = False
    open: bool = False
    narrows: bool = False


@dataclass(frozen=True)
class BuilderView:
    """The whole builder page; ``leader`` is the place of the (first) Leader."""

    name: str
    faction: str
    factions: tuple[str, ...]
    """What may be chosen; empty once models are in."""
    edition: str
    heroic_caps: int
    models: tuple[ModelCard, ...]
    cards: tuple[CardLine, ...]
    leader: int | None
    leader_label: str
    leader_card: Bought | None
    leader_cards: tuple[Option, ...]
    add_models: tuple[OptionGroup, ...]
    size: int
    total: int
    left: int
    heavy_used: int
    heavy_allowed: int
    verdict: Verdict
    mendings: tuple[Mending, ...]
    find: Find = Find()
    kinds: tuple[tuple[str, str], ...] = ()
    """What can be searched for by kind: a value and its heading."""


def builder(document: Document, terms: Terms) -> BuilderView:
    """A canonical document at an event's terms, with everything that can be added to it."""
    force = priced(document, terms)
    size = force.size
    verdict = verdict_on(force)
    leader = next((model for model in force.models if model.leader), None)
    leader_card = leader.leader_card if leader else None
    return BuilderView(
        name=document["name"],
        faction=force.faction_name,
        factions=() if force.models else _factions(force),
        edition=force.edition.name,
        heroic_caps=force.edition.heroic_caps,
        models=tuple(_model_card(model, leader, force, verdict) for model in force.models),
        cards=tuple(CardLine(place, card.kind, card.name) for place, card in enumerate(force.cards)),
        leader=leader.place if leader else None,
        leader_label=leader.label if leader else "",
        leader_card=_bought(0, leader_card) if leader_card else None,
        leader_cards=leader_cards(leader, force),
        add_models=models_to_add(force),
        size=size,
        total=force.total,
        left=size - force.total,
        heavy_used=force.heavy_weapons,
        heavy_allowed=heavy_weapons_allowed(size),
        verdict=verdict,
        mendings=() if verdict.legal else mendings(document, terms),
    )


def _model_card(model: PricedModel, leader: PricedModel | None, force: PricedForce, verdict: Verdict) -> ModelCard:
    stray = model.leader_card if model is not leader else None
    owned = {perk.name for perk in model.perks}
    entry, own_caps = model.entry, model.entry.caps if model.entry else 0
    edition = force.edition
    perks = (p for p in edition.perks.values() if p.name not in owned and (not entry or entry.may_have_perk(p.name)))
    held = {mod.name for item in model.items for mod in item.mods}  # what is chosen stays, allowed or not
    mods = (m for m in edition.mods.values() if not entry or entry.may_have_mod(m.name) or m.name in held)
    return ModelCard(
        place=model.place,
        name=model.name,
        label=model.label,
        known=model.entry is not None,
        unique=model.entry is not None and model.entry.unique is not None,
        may_be_copied=not (entry and entry.unique) and room_for_another(force, model),
        caps=own_caps,
        total=model.caps,
        heroic=model.heroic,
        heroic_allowed=model.entry is not None and model.entry.heroic,
        leader=model is leader,
        leader_too=model.leader and model is not leader,
        stray_leader_card=_bought(0, stray) if stray else None,
        built_in=model.entry.built_in if model.entry else (),
        items=tuple(_item_line(place, item) for place, item in enumerate(model.items)),
        perks=tuple(_bought(place, perk) for place, perk in enumerate(model.perks)),
        add_items=items_to_add(model, force),
        add_perks=options(perks, force, own_caps),
        mods=options(mods, force, held=held),
        problems=_about(model, verdict.problems),
        queries=_about(model, verdict.queries),
    )


def _item_line(place: int, item: PricedItem) -> ItemLine:
    return ItemLine(
        place=place,
        name=item.name,
        known=item.entry is not None,
        heavy=item.heavy,
        takes_mod=item.entry is not None and item.entry.takes_mod,
        each=item.entry.caps if item.entry else 0,
        count=item.count,
        caps=item.caps,
        mods=tuple(_bought(k, mod) for k, mod in enumerate(item.mods)),
    )


def _bought(place: int, named: Named) -> Bought:
    return Bought(place, named.name, named.caps, named.entry is not None)


def _factions(force: PricedForce) -> tuple[str, ...]:
    """Those that may be played, by the edition and by what the event adds."""
    fielded = (faction.name for faction in force.edition.factions.values() if faction.fielded)
    return tuple(name for name in fielded if force.open_to(name))


def _about(model: PricedModel, findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    return tuple(finding for finding in findings if model.place in finding.places)
