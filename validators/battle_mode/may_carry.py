"""What a model may carry: the one rule, which everything asks by ``ModelEntry.may``."""

from languages.words import N_
from validators.battle_mode.edition import Answer, Item, ModelEntry, Thing

KINDS = frozenset({"Robot", "Creature", "Dog"})
"""Tags of the models that get from their packs only what is marked for them."""


def may_carry(model: ModelEntry, thing: Thing, on: Item | None = None) -> Answer:
    """Whether a model may have an item, mod, perk or Leader card, and why not; a mod is ``on`` an item or on itself.

    The first step that knows decides:

    1. Its own it has: usual equipment, a free mod, what its entry lists by name, a built-in item without a cost.
    2. Where the edition does not say what the model may carry (``options_unknown``), the organiser is asked.
    3. Printed items are of the models that have them built in. Whose an item is that has no stated cost and is in no
       pack is a question.
    4. A mod is for the kind of the item, or of the model (``mod_kinds``).
    5. A model without packs may have every mod, perk and Leader card.
    6. It has all tags that the thing needs, and none that bars it (``needs_tag``, ``bars_tag``).
    7. Synths wear neither armour nor clothing.
    8. Items of a kind with a pack of its own, Power Armor, need that pack, whatever other pack holds them.
    9. Robots, creatures and dogs with built-in weapons carry no others.
    10. What one of its packs holds it may have; a robot, creature or dog only what is marked for its kind. A pack that
        marks nothing for its kind (Usable Items of the Alien) is a question.
    11. Questions are also: what a pack may hold (``perhaps``), a mod for its kind that none of its packs holds, and an
        item without a cost.

    Steps 7 to 10 are facts of the list builder from which the edition of 2022 comes: see ``data/SOURCES.md``.
    """
    whom, kind = thing.for_whom, model.tags & KINDS
    item, fits = (thing, frozenset[str]()) if isinstance(thing, Item) else (None, thing.kinds)
    if _is_own(model, thing, on):
        return Answer(True)
    if model.options_unknown:
        return Answer(None, N_("the edition does not say what this model may carry"))
    if item and item.printed:
        return _no(N_("only models on which it is printed have it"))
    if item and not whom.packs and not model.lists.states_cost(item):
        return Answer(None, N_("the edition does not say which models have it"))
    if on and fits and on.kind not in fits and fits.isdisjoint(model.tags):
        return _no(N_("this mod is for %(kinds)s"), kinds=" and ".join(sorted(fits)))
    if not model.packs and item is None:
        return Answer(True)
    if not whom.needs <= model.tags:
        return _no(N_("it is only for models with the tag %(tags)s"), tags=", ".join(sorted(whom.needs)))
    if barred := whom.bars & model.tags:
        return _no(N_("it is not for models with the tag %(tags)s"), tags=", ".join(sorted(barred)))
    if item and item.category == "Armor" and "Synth" in model.tags:
        return _no(N_("synths wear neither armour nor clothing"))
    if whom.own_pack and whom.own_pack not in model.packs:
        return _no(N_("it needs the pack %(pack)s"), pack=whom.own_pack)
    if item and item.category == "Weapons" and kind and model.is_armed:
        return _no(N_("it has weapons built in and carries no others"))
    held = [whom.packs[pack] for pack in model.packs if pack in whom.packs]
    is_marked = not kind or thing.sort == "mod" or not kind.isdisjoint(whom.needs)
    if held and is_marked:
        return Answer(True)
    if not whom.perhaps.isdisjoint(model.packs):
        return Answer(None, N_("the edition does not say whether one of its packs holds it"))
    if held and all(kind & marks for marks in held):
        return _no(N_("of its packs it has only what is for the kind %(kind)s"), kind=" ".join(sorted(kind)))
    if held:
        why = N_("the edition does not say whether its packs are for the kind %(kind)s")
        return Answer(None, why, {"kind": " ".join(sorted(kind))})
    if not fits.isdisjoint(model.tags):
        return Answer(None, N_("the mod is for models of its kind, and none of its packs holds it"))
    if item and model.lists.is_free(item):
        why = N_("it costs nothing, being printed on its models, and the edition does not say which those are")
        return Answer(None, why)
    if not model.packs:
        return _no(N_("its entry does not list it"))
    return _no(N_("none of its packs (%(packs)s) holds it"), packs=", ".join(model.packs))


def _is_own(model: ModelEntry, thing: Thing, on: Item | None) -> bool:
    if isinstance(thing, Item):
        is_printed = (thing.printed or model.lists.is_free(thing)) and thing.name in model.built_in
        return thing.name in model.named or thing.name in model.usual or is_printed
    return model.free_mods.get(thing.name) in ((on.name, on.kind) if on else model.free_mods.values())


def _no(why: str, **names: str) -> Answer:
    return Answer(False, why, names)
