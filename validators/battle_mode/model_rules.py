"""The rules judged on each model by itself: each function yields the problems under one id."""

from collections.abc import Iterator
from typing import Literal

from validators.battle_mode.edition import Item, ModelEntry
from validators.battle_mode.findings import finding
from validators.battle_mode.force_rules import BANNED_KINDS
from validators.battle_mode.priced import PricedForce, PricedItem, PricedModel
from validators.contract import Finding
from validators.names import MOST_SEARCHED, NearNames, fold, nearest

Sort = Literal["model", "item", "mod", "perk", "Leader card"]

MOST_NAMED = 20
"""Items that a mend lists by name; of longer lists it offers those with a near name."""


def cost(force: PricedForce) -> Iterator[Finding]:
    """bm.cost: every name is known to the edition. What is not known is judged by this rule alone."""
    for number, (sort, name, model) in enumerate(_unknown_names(force)):
        yield _unknown(force, sort, name, model, offer=number < MOST_SEARCHED)
    for card in force.cards:
        if not card.is_leader_card and fold(card.kind) not in BANNED_KINDS:
            named = f" {card.name}" if card.name else ""
            message = f"{card.kind} card{named}: no card of this kind has a cost"
            yield finding("bm.cost", message, mend="Take the card out.")


def carry(force: PricedForce) -> Iterator[Finding]:
    """bm.carry: a model carries only what its own entry lists. What costs nothing is no purchase (see queries)."""
    near = NearNames()
    for model in force.models:
        for item in model.items:
            if model.entry and item.entry and item.entry.caps and not model.entry.may_carry_item(item.entry.name):
                copies = f" ({item.count} copies)" if item.count > 1 else ""
                yield finding(
                    "bm.carry",
                    f"{model.label} may not carry {item.entry.name}{copies}",
                    mend=_instead(near, model.entry, item.entry),
                    models=[model],
                    figures={"copies": item.count},
                )


def mod(force: PricedForce) -> Iterator[Finding]:
    """bm.mod: one mod at most on an item, none on an item that takes none, and only such as the model's packs hold."""
    near = NearNames()
    for model in force.models:
        for item in model.items:
            allowed = 1 if item.entry and item.entry.takes_mod else 0
            if item.entry and len(item.mods) > allowed:
                yield finding(
                    "bm.mod",
                    _too_many_mods(model, item, allowed),
                    mend=f"Leave one mod on {item.entry.name}." if allowed else "Take the mod off.",
                    models=[model],
                    figures={"used": len(item.mods), "allowed": allowed},
                )
            for mod in item.mods:
                if model.entry and item.entry and mod.entry and not model.entry.may_have_mod(mod.entry.name):
                    yield finding(
                        "bm.mod",
                        f"{mod.entry.name} on {item.entry.name}: {model.label} may not have this mod",
                        mend=_another(near, mod.entry.name, model.entry.mods, "mod"),
                        models=[model],
                    )


def perk(force: PricedForce) -> Iterator[Finding]:
    """bm.perk: only such perks as the model's packs hold, where the edition has packs."""
    near = NearNames()
    for model in force.models:
        for perk in model.perks:
            if model.entry and perk.entry and not model.entry.may_have_perk(perk.entry.name):
                yield finding(
                    "bm.perk",
                    f"{model.label} may not have {perk.entry.name}",
                    mend=_another(near, perk.entry.name, model.entry.perks, "perk"),
                    models=[model],
                )


def heroic(force: PricedForce) -> Iterator[Finding]:
    """bm.heroic: Heroic only where the entry allows it."""
    for model in force.models:
        if model.heroic and model.entry and not model.entry.heroic:
            yield finding(
                "bm.heroic",
                f"{model.label} may not be Heroic",
                mend=f"Take Heroic off {model.label}; that frees {force.edition.heroic_caps} Caps.",
                models=[model],
                figures={"caps": force.edition.heroic_caps},
            )


def _unknown_names(force: PricedForce) -> Iterator[tuple[Sort, str, PricedModel | None]]:
    for model in force.models:
        if model.entry is None:
            yield "model", model.name, model
        if model.leader_card and model.leader_card.entry is None:
            yield "Leader card", model.leader_card.name, model
        yield from (("perk", perk.name, model) for perk in model.perks if perk.entry is None)
        for item in model.items:
            if item.entry is None:
                yield "item", item.name, model
            yield from (("mod", mod.name, model) for mod in item.mods if mod.entry is None)
    for card in force.cards:
        if card.is_leader_card and card.entry is None:
            yield "Leader card", card.name or "A Leader card without a name", None


def _unknown(force: PricedForce, sort: Sort, name: str, model: PricedModel | None, *, offer: bool) -> Finding:
    near = near_names(force, sort, name) if offer else ()
    if model and model.entry and fold(name) in map(fold, model.entry.built_in):
        mend = f"{name} is built in and costs nothing: take it off the list."
    elif near:
        mend = f"Did you mean {' or '.join(near)}?"
    else:
        mend = "Take it out: the edition has nothing near to it."
    whose = f" (on {model.label})" if model and sort != "model" else ""
    message = f"{name}{whose}: no {sort} of this name has a cost"
    return finding("bm.cost", message, mend=mend, models=[model] if model else [])


def near_names(force: PricedForce, sort: Sort, name: str) -> tuple[str, ...]:
    """Known names near to this one; of models, those of the force's own faction first."""
    edition = force.edition
    match sort:
        case "model":
            own = tuple(entry.name for entry in force.faction.models.values()) if force.faction else ()
            everyone = (e.name for f in edition.factions.values() for e in f.models.values())
            return nearest(name, own) or nearest(name, tuple(everyone))
        case "item":
            return nearest(name, tuple(entry.name for entry in edition.items.values()))
        case "mod":
            known = edition.mods
        case "perk":
            known = edition.perks
        case "Leader card":
            known = edition.leader_cards
    return nearest(name, tuple(entry.name for entry in known.values()))


def _another(names: NearNames, name: str, allowed: frozenset[str] | None, sort: Sort) -> str:
    if not allowed:
        return f"Take it off: the model's packs hold no {sort}."
    near = names.nearest(name, tuple(sorted(allowed)))
    return f"Take it off, or choose {' or '.join(near)}." if near else "Take it off."


def _instead(names: NearNames, entry: ModelEntry, item: Item) -> str:
    if item.name in entry.built_in:
        return f"{item.name} is built in and costs nothing: take this one off."
    same_kind = entry.may_carry.get(item.kind, ())
    if len(same_kind) > MOST_NAMED:
        near = names.nearest(item.name, same_kind)
        return f"Take it off, or choose {' or '.join(near)}." if near else "Take it off."
    if same_kind:
        return f"Take it off, or choose from {', '.join(same_kind)}."
    if entry.packs:
        return f"Take it off: its packs ({', '.join(entry.packs)}) hold no {item.kind}."
    return f"Take it off: the entry lists no {item.kind}."


def _too_many_mods(model: PricedModel, item: PricedItem, allowed: int) -> str:
    mods = ", ".join(mod.name for mod in item.mods)
    if allowed:
        return f"{item.name} of {model.label} has {len(item.mods)} mods ({mods}), 1 allowed"
    return f"{item.name} of {model.label} takes no mod, it has {mods}"
