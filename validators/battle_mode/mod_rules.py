"""The rules for mods: on which items and models they are, and how many."""

from collections.abc import Iterator

from languages.words import gettext, ngettext
from validators.battle_mode.edition import Item, ModelEntry, Priced
from validators.battle_mode.edition_file import EDITIONS
from validators.battle_mode.force import PricedForce
from validators.battle_mode.force_rules import finding, query, refused
from validators.contract import Finding
from validators.sheet import copies

_LATER = next(edition for edition in EDITIONS.values() if edition.file.mod_kinds)
"""The newest edition that says what each mod fits."""

MODS_ON_MODEL = 2
"""The slots of a robot or creature for mods of its own, by the source of the edition of 2022."""


def mod(force: PricedForce) -> Iterator[Finding]:
    """bm.mod: a mod is on an item that takes mods, one on each item, or on the model itself; the model may have it."""
    for model in force.models:
        for item in model.items:
            if item.loose_mod and not fits_model(item.loose_mod, model.entry):
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
                names = {"item": item.name, "model": model.label, "mods": mods}
                message = gettext("%(item)s of %(model)s takes no mod, it has %(mods)s", **names)
                if allowed:
                    message = ngettext(
                        "%(item)s of %(model)s has %(num)s mod (%(mods)s), 1 allowed",
                        "%(item)s of %(model)s has %(num)s mods (%(mods)s), 1 allowed",
                        used,
                        **names,
                    )
                fix = (
                    gettext("Leave one mod on %(entry)s.", entry=item.entry.name)
                    if allowed
                    else gettext("Take the mod off.")
                )
                yield finding("bm.mod", message, fix=fix, on=[model], figures={"used": used, "allowed": allowed})
        on_model = [item for item in model.items if item.loose_mod and fits_model(item.loose_mod, model.entry)]
        if (used := sum(item.count for item in on_model)) > MODS_ON_MODEL:
            names = {
                "model": model.label,
                "allowed": f"{MODS_ON_MODEL}",
                "mods": ", ".join(copies(item.count, item.name) for item in on_model),
            }
            message = gettext("%(mods)s: mods on %(model)s itself, at most %(allowed)s allowed", **names)
            fix = gettext("Leave at most %(allowed)s on %(model)s itself.", **names)
            yield finding("bm.mod", message, fix=fix, on=[model], figures={"used": used, "allowed": MODS_ON_MODEL})
    yield from refused("mod", force)


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
