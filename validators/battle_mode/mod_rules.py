"""The rules for mods: on which items and models they are, and how many."""

from collections.abc import Iterator

from validators.battle_mode.edition import Item, ModelEntry, Priced
from validators.battle_mode.edition_file import EDITIONS
from validators.battle_mode.force import PricedForce
from validators.battle_mode.force_rules import another, finding, query
from validators.contract import Finding
from validators.names import NearNames

_LATER = next(edition for edition in EDITIONS.values() if edition.file.mod_kinds)
"""The newest edition that says what each mod fits."""


def mod(force: PricedForce) -> Iterator[Finding]:
    """bm.mod: a mod is on an item that takes mods and that it fits, one on each item, and in the model's packs.

    A mod for a kind of models may be on the model itself.
    """
    near = NearNames()
    for model in force.models:
        for item in model.items:
            if item.loose_mod and fits_model(item.loose_mod, model.entry):
                if model.entry and not model.entry.may_have("mod", item.loose_mod.name):
                    message = f"{item.loose_mod.name}: {model.label} may not have this mod"
                    fix = another(near, item.loose_mod.name, model.entry.mods, "mod")
                    yield finding("bm.mod", message, fix=fix, on=[model])
            elif item.loose_mod:
                message = f"{item.name} (on {model.label}): the list does not say on which item this mod is"
                yield finding("bm.mod", message, fix="Put it on an item that takes a mod, or take it off.", on=[model])
            allowed = 1 if item.entry and item.entry.takes_mod else 0
            if item.entry and len(item.mods) > allowed:
                mods, used = ", ".join(mod.name for mod in item.mods), len(item.mods)
                message = f"{item.name} of {model.label} takes no mod, it has {mods}"
                if allowed:
                    message = f"{item.name} of {model.label} has {used} mods ({mods}), 1 allowed"
                fix = f"Leave one mod on {item.entry.name}." if allowed else "Take the mod off."
                yield finding("bm.mod", message, fix=fix, on=[model], figures={"used": used, "allowed": allowed})
            for mod in item.mods:
                if not (model.entry and item.entry and mod.entry):
                    continue
                if mod.entry.kinds and not fits(mod.entry, item.entry, model.entry):
                    kinds = " and ".join(sorted(mod.entry.kinds))
                    message = f"{mod.entry.name} on {item.entry.name} of {model.label}: this mod is for {kinds}"
                    fix = f"Take the mod off, or choose one for {item.entry.kind}."
                    yield finding("bm.mod", message, fix=fix, on=[model])
                elif not mod.free and not model.entry.may_have("mod", mod.entry.name):
                    message = f"{mod.entry.name} on {item.entry.name}: {model.label} may not have this mod"
                    fix = another(near, mod.entry.name, model.entry.mods, "mod")
                    yield finding("bm.mod", message, fix=fix, on=[model])


def mod_elsewhere(force: PricedForce) -> Iterator[Finding]:
    """bm.mod: a mod on what it does not fit by the newest edition that says so, where this edition does not."""
    for model, entry, item, listed in force.known_items:
        for mod in (mod.entry for mod in item.mods if mod.entry and not mod.entry.kinds):
            if not fits(mod, listed, entry):
                message = f"{mod.name} on {listed.name} of {model.label}: this edition does not say what a mod fits; "
                message += f"by {_LATER.file.name} it does not fit {listed.name}"
                yield query("bm.mod", message, on=[model])


def mods_on_model(force: PricedForce) -> Iterator[Finding]:
    """bm.mod: several mods on one model itself; the rulebook limits only those of a weapon."""
    for model in force.models:
        mods = [i for i in model.items if i.loose_mod and fits_model(i.loose_mod, model.entry)]
        if (count := sum(item.count for item in mods)) > 1:
            message = f"{model.label} itself has {count} mods ({', '.join(item.name for item in mods)}): "
            message += "the rulebook says how many a weapon may have, not a model"
            yield query("bm.mod", message, on=[model], figures={"count": count})


def built_in_mod_bought(force: PricedForce) -> Iterator[Finding]:
    """bm.mod: a mod bought for an item into which it is built; the rulebook does not say what this means."""
    for model, entry, item, listed in force.known_items:
        for mod in (mod.entry for mod in item.mods if mod.entry and not mod.free):
            if entry.has_built_in_mod(mod.name, listed.name):
                message = f"{model.label} has {mod.name} on {listed.name} built in, and bought it as well"
                yield query("bm.mod", message, on=[model])


def fits(mod: Priced, item: Item, model: ModelEntry | None) -> bool:
    """Whether a mod fits an item, or the model that carries it.

    Where the edition does not say, the newest one that does decides by the names; True if it knows one of them not.
    """
    if not mod.kinds:
        model = _LATER.model(model.name, model.faction) if model else None
        known_mod, known_item = _LATER.mod(mod.name, model), _LATER.items.find(item.name)
        return known_mod is None or known_item is None or fits(known_mod, known_item, model)
    return item.kind in mod.kinds or fits_model(mod, model)


def fits_model(mod: Priced, model: ModelEntry | None) -> bool:
    """Whether a mod is for this kind of models, so that it may be on the model itself."""
    return model is not None and not mod.kinds.isdisjoint(model.tags)
