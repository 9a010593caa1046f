"""The rules judged on each model by itself: each function yields the problems under one id."""

from collections.abc import Iterator, Mapping

from validators.battle_mode.edition import Item, ModelEntry, Priced, fold, nearest
from validators.battle_mode.findings import finding
from validators.battle_mode.force_rules import BANNED_KINDS
from validators.battle_mode.priced import PricedForce, PricedItem, PricedModel
from validators.contract import Finding


def cost(force: PricedForce) -> Iterator[Finding]:
    """bm.cost: every name is known to the edition. What is not known is judged by this rule alone."""
    edition = force.edition
    for model in force.models:
        if model.entry is None:
            yield _unknown_model(force, model)
        if model.leader_card and model.leader_card.entry is None:
            yield _unknown("Leader card", model.leader_card.name, _names(edition.leader_cards), [model])
        for perk in model.perks:
            if perk.entry is None:
                yield _unknown("perk", perk.name, _names(edition.perks), [model])
        for item in model.items:
            if item.entry is None:
                yield _unknown("item", item.name, _names(edition.items), [model])
            for mod in item.mods:
                if mod.entry is None:
                    yield _unknown("mod", mod.name, _names(edition.mods), [model])
    for card in force.cards:
        if card.is_leader_card and card.entry is None:
            yield _unknown("Leader card", card.name, _names(edition.leader_cards), [])
        elif not card.is_leader_card and fold(card.kind) not in BANNED_KINDS:
            named = f" {card.name}" if card.name else ""
            yield finding(
                "bm.cost",
                f"{card.kind} card{named}: no card of this kind has a cost",
                mend="Take the card out.",
            )


def carry(force: PricedForce) -> Iterator[Finding]:
    """bm.carry: a model carries only what its own entry lists."""
    for model in force.models:
        for item in model.items:
            if model.entry and item.entry and not model.entry.carries(item.entry.name):
                copies = f" ({item.count} copies)" if item.count > 1 else ""
                yield finding(
                    "bm.carry",
                    f"{model.label} may not carry {item.entry.name}{copies}",
                    mend=_instead(model.entry, item.entry),
                    models=[model],
                    figures={"copies": item.count},
                )


def mod(force: PricedForce) -> Iterator[Finding]:
    """bm.mod: one mod at most on an item, none on an item that takes none."""
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


def _unknown(sort: str, name: str, known: tuple[str, ...], models: list[PricedModel]) -> Finding:
    near = nearest(name, known)
    entry = models[0].entry if models else None
    if entry and fold(name) in map(fold, entry.built_in):
        mend = f"{name} is built in and costs nothing: take it off the list."
    elif near:
        mend = f"Did you mean {' or '.join(near)}?"
    else:
        mend = f"Take it out, or name a {sort} of this edition."
    whose = f" (on {models[0].label})" if models and sort != "model" else ""
    return finding("bm.cost", f"{name}{whose}: no {sort} of this name has a cost", mend=mend, models=models)


def _unknown_model(force: PricedForce, model: PricedModel) -> Finding:
    """A near name is looked for in the force's own faction first, then among all models."""
    own = _names(force.faction.models) if force.faction else ()
    everyone = tuple(e.name for f in force.edition.factions.values() for e in f.models.values())
    return _unknown("model", model.name, own if nearest(model.name, own) else everyone, [model])


def _names(known: "Mapping[str, Item] | Mapping[str, Priced] | Mapping[str, ModelEntry]") -> tuple[str, ...]:
    return tuple(entry.name for entry in known.values())


def _instead(entry: ModelEntry, item: Item) -> str:
    if item.name in entry.built_in:
        return f"{item.name} is built in and costs nothing: take this one off."
    same_kind = entry.may_carry.get(item.kind)
    if same_kind:
        return f"Take it off, or choose from {', '.join(same_kind)}."
    return f"Take it off: the entry lists no {item.kind}."


def _too_many_mods(model: PricedModel, item: PricedItem, allowed: int) -> str:
    mods = ", ".join(mod.name for mod in item.mods)
    if allowed:
        return f"{item.name} of {model.label} has {len(item.mods)} mods ({mods}), 1 allowed"
    return f"{item.name} of {model.label} takes no mod, it has {mods}"
