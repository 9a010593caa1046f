"""The rules for mods: on which items and models they are, and how many."""

from collections.abc import Iterator

from languages.words import gettext, ngettext
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
                    message = gettext(
                        "%(loose_mod)s: %(model)s may not have this mod",
                        loose_mod=item.loose_mod.name,
                        model=model.label,
                    )
                    fix = another(near, item.loose_mod.name, model.entry.mods, "mod")
                    yield finding("bm.mod", message, fix=fix, on=[model])
            elif item.loose_mod:
                message = gettext(
                    "%(item)s (on %(model)s): the list does not say on which item this mod is",
                    item=item.name,
                    model=model.label,
                )
                yield finding(
                    "bm.mod", message, fix=gettext("Put it on an item that takes a mod, or take it off."), on=[model]
                )
            allowed = 1 if item.entry and item.entry.takes_mod else 0
            if item.entry and len(item.mods) > allowed:
                mods, used = ", ".join(mod.name for mod in item.mods), len(item.mods)
                message = gettext(
                    "%(item)s of %(model)s takes no mod, it has %(mods)s", item=item.name, model=model.label, mods=mods
                )
                if allowed:
                    message = ngettext(
                        "%(item)s of %(model)s has %(num)s mod (%(mods)s), 1 allowed",
                        "%(item)s of %(model)s has %(num)s mods (%(mods)s), 1 allowed",
                        used,
                        item=item.name,
                        model=model.label,
                        mods=mods,
                    )
                fix = (
                    gettext("Leave one mod on %(entry)s.", entry=item.entry.name)
                    if allowed
                    else gettext("Take the mod off.")
                )
                yield finding("bm.mod", message, fix=fix, on=[model], figures={"used": used, "allowed": allowed})
            for mod in item.mods:
                if not (model.entry and item.entry and mod.entry):
                    continue
                if mod.entry.kinds and not fits(mod.entry, item.entry, model.entry):
                    kinds = " and ".join(sorted(mod.entry.kinds))
                    message = gettext(
                        "%(entry)s on %(entry2)s of %(model)s: this mod is for %(kinds)s",
                        entry=mod.entry.name,
                        entry2=item.entry.name,
                        model=model.label,
                        kinds=kinds,
                    )
                    fix = gettext("Take the mod off, or choose one for %(kind)s.", kind=item.entry.kind)
                    yield finding("bm.mod", message, fix=fix, on=[model])
                elif not mod.free and not model.entry.may_have("mod", mod.entry.name):
                    message = gettext(
                        "%(entry)s on %(entry2)s: %(model)s may not have this mod",
                        entry=mod.entry.name,
                        entry2=item.entry.name,
                        model=model.label,
                    )
                    fix = another(near, mod.entry.name, model.entry.mods, "mod")
                    yield finding("bm.mod", message, fix=fix, on=[model])


def mod_elsewhere(force: PricedForce) -> Iterator[Finding]:
    """bm.mod: a mod on what it does not fit by the newest edition that says so, where this edition does not."""
    for model, entry, item, listed in force.known_items:
        for mod in (mod.entry for mod in item.mods if mod.entry and not mod.entry.kinds):
            if not fits(mod, listed, entry):
                message = gettext(
                    "%(mod)s on %(listed)s of %(model)s: this edition does not say what a mod fits; "
                    "by %(later)s it does not fit %(listed)s",
                    later=_LATER.file.name,
                    mod=mod.name,
                    listed=listed.name,
                    model=model.label,
                )
                yield query("bm.mod", message, on=[model])


def mods_on_model(force: PricedForce) -> Iterator[Finding]:
    """bm.mod: several mods on one model itself; the rulebook limits only those of a weapon."""
    for model in force.models:
        mods = [i for i in model.items if i.loose_mod and fits_model(i.loose_mod, model.entry)]
        if (count := sum(item.count for item in mods)) > 1:
            message = ngettext(
                "%(model)s itself has %(num)s mod (%(mods)s): the rulebook says how many a weapon may "
                "have, not a model",
                "%(model)s itself has %(num)s mods (%(mods)s): the rulebook says how many a weapon may "
                "have, not a model",
                count,
                model=model.label,
                mods=", ".join(item.name for item in mods),
            )
            yield query("bm.mod", message, on=[model], figures={"count": count})


def built_in_mod_bought(force: PricedForce) -> Iterator[Finding]:
    """bm.mod: a mod bought for an item into which it is built; the rulebook does not say what this means."""
    for model, entry, item, listed in force.known_items:
        for mod in (mod.entry for mod in item.mods if mod.entry and not mod.free):
            if entry.has_built_in_mod(mod.name, listed.name):
                message = gettext(
                    "%(model)s has %(mod)s on %(listed)s built in, and bought it as well",
                    model=model.label,
                    mod=mod.name,
                    listed=listed.name,
                )
                yield query("bm.mod", message, on=[model])


def fits(mod: Priced, item: Item, model: ModelEntry | None) -> bool:
    """Whether a mod fits an item, or the model that carries it.

    Where the edition does not say, the newest one that does decides by the names; True if it knows one of them not.
    """
    if not mod.kinds:
        model = _LATER.model(model.name, model.faction) if model else None
        known_mod, known_item = _LATER.mod(mod.name, model), _LATER.items.find(item.name)
        return not (known_mod and known_mod.kinds and known_item) or fits(known_mod, known_item, model)
    return item.kind in mod.kinds or fits_model(mod, model)


def fits_model(mod: Priced, model: ModelEntry | None) -> bool:
    """Whether a mod is for this kind of models, so that it may be on the model itself."""
    return model is not None and not mod.kinds.isdisjoint(model.tags)
