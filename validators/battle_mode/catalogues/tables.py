"""The items, mods, perks and Leader cards of an edition, gathered from what its models may choose."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from validators.battle_mode.catalogues.conditions import Judge, Place
from validators.battle_mode.catalogues.index import cost
from validators.battle_mode.catalogues.models import Model
from validators.battle_mode.catalogues.offers import EQUIPMENT, LEADER, MODS, PERKS, Offer, name_of, offers
from validators.battle_mode.catalogues.tree import Node
from validators.names import fold

_HEAVY = ("heavy", "heavy weapon", "heavy weapons")
_KIND_OF_NO_GROUP = "Other"
_MOST_FORCES = 6
_CATEGORIES = {
    kind: category
    for category, kinds in {
        "Weapons": (*_HEAVY, "rifles", "pistols", "melee", "thrown", "mines"),
        "Armor": ("armor", "armour", "power armor", "power armour", "clothing", "clothes"),
        "Items": ("items", "chems", "food", "alcohol", "gear"),
    }.items()
    for kind in kinds
}
"""For catalogues that put a kind of things straight into the equipment, without a group around it."""


@dataclass(frozen=True)
class ItemFound:
    """An item as the edition's file holds it; ``there`` are other costs that the catalogues give it."""

    name: str
    caps: int
    category: str
    kind: str
    heavy: bool
    takes_mod: bool
    node: Node
    there: tuple[int, ...]


@dataclass(frozen=True)
class _Sighting:
    offer: Offer
    carried: bool
    """Whether a model may choose it in Battle Mode."""


def items_of(models: Iterable[Model], judge: Judge) -> dict[str, ItemFound]:
    """Every item by its folded name: those of the shared equipment first, then what models have of their own."""
    sightings = [_Sighting(offer, False) for offer in _shared((EQUIPMENT,), judge) if not _is_special(offer)]
    sightings += [_Sighting(offer, True) for model in models for offer in model.items]
    found: dict[str, ItemFound] = {}
    for name, seen in _by_name(sightings).items():
        item = _item(seen, judge)
        if item is not None:
            found[name] = item
    return found


def mods_of(items: Iterable[ItemFound], judge: Judge) -> dict[str, int]:
    """Every mod and its cost. What an item shows of them cannot be kept: an edition's item takes a mod or none."""
    by_item = {
        item.name: [offer for offer in _mods_on(item.node, judge) if not offer.required]
        for item in items
        if item.takes_mod
    }
    every = [_Sighting(offer, False) for offer in _shared(MODS, judge)]
    every += [_Sighting(offer, True) for offers_ in by_item.values() for offer in offers_]
    mods = _priced(every, judge)
    known = {fold(name) for name in mods}
    some = [name for name, shown in by_item.items() if not known <= {offer.key for offer in shown}]
    if some:
        judge.notes.reading(
            f"{_named(some)}: some mods are not shown on these items; an edition's file allows them all."
        )
    return mods


def perks_of(models: list[Model], judge: Judge) -> dict[str, int]:
    """Every perk and its cost."""
    return _shown_to(models, PERKS, "perk", lambda model: model.perks, judge)


def cards_of(models: list[Model], judge: Judge) -> dict[str, int]:
    """Every Leader card and its cost."""
    return _shown_to(models, LEADER, "Leader card", lambda model: model.cards, judge)


def _shown_to(
    models: list[Model], names: tuple[str, ...], word: str, of: Callable[[Model], tuple[Offer, ...]], judge: Judge
) -> dict[str, int]:
    every = [_Sighting(o, False) for o in _shared(names, judge) if o.key != "leader"]
    every += [_Sighting(offer, True) for model in models for offer in of(model)]
    shown = Counter(key for model in models for key in {offer.key for offer in of(model)})
    whole = sum(1 for model in models if of(model))
    priced = _priced(every, judge)
    for sighting in every:
        if sighting.offer.name in priced and not shown[sighting.offer.key]:
            judge.notes.left_out(sighting.offer.entry, f"a {word} that no model is shown in Battle Mode")
            del priced[sighting.offer.name]
    some = [name for name in priced if shown[fold(name)] < whole]
    if some:
        judge.notes.reading(
            f"{_named(some)}: a {word} that only some models are shown; an edition's file allows it to all."
        )
    return priced


def _named(names: list[str]) -> str:
    more = f" and {len(names) - 12} more" if len(names) > 12 else ""
    return ", ".join(names[:12]) + more


def _shared(names: tuple[str, ...], judge: Judge) -> Iterator[Offer]:
    """What stands in the shared groups of these names, shown or not."""
    for tree in judge.index.files.all:
        for group in tree.each("selectionEntryGroup"):
            if fold(name_of(group)) in names:
                yield from offers(group, None, judge, (group,), (name_of(group),))


def _is_special(offer: Offer) -> bool:
    return offer.within((*LEADER, *PERKS, *MODS)) or offer.key in ("heroic", "leader")


def _by_name(sightings: list[_Sighting]) -> dict[str, list[_Sighting]]:
    """The sightings of each folded name, in the order of the first of each; within a name those that are carried
    first.
    """
    found: dict[str, list[_Sighting]] = {}
    for sighting in sightings:
        found.setdefault(sighting.offer.key, []).append(sighting)
    return {name: sorted(seen, key=lambda s: not s.carried) for name, seen in found.items()}


def _chosen(seen: list[_Sighting], judge: Judge) -> tuple[Offer, int, tuple[int, ...]] | None:
    """Of entries of one name, the one to use, its cost, and the costs of the others."""
    notes = judge.notes
    first: tuple[Offer, int] | None = None
    others: list[int] = []
    by_entry: dict[Node, Offer] = {}
    for sighting in seen:
        by_entry.setdefault(sighting.offer.entry, sighting.offer)
    for entry, offer in by_entry.items():
        caps = cost(entry, judge.index)
        if not offer.name:
            notes.left_out(entry, "has no name that can be shown")
        elif isinstance(caps, str):
            notes.left_out(entry, caps)
        elif first is None:
            first = (offer, caps)
            if caps == 0:
                notes.doubt(entry, "costs 0 Caps")
            if any(modifier.get("field") in judge.index.caps for modifier in entry.each("modifier")):
                notes.doubt(entry, "its cost changes by a condition; the written cost is used")
        elif caps != first[1]:
            others.append(caps)
            used = first[0].entry
            notes.doubt(entry, f"costs {caps} Caps; another entry of this name ({used.file}, line {used.line}) costs "
                               f"{first[1]}, which is used")  # fmt: skip
    return None if first is None else (*first, tuple(dict.fromkeys(others)))


def _priced(sightings: list[_Sighting], judge: Judge) -> dict[str, int]:
    chosen = (_chosen(seen, judge) for seen in _by_name(sightings).values())
    return {found[0].name: found[1] for found in chosen if found is not None}


def _item(seen: list[_Sighting], judge: Judge) -> ItemFound | None:
    chosen = _chosen(seen, judge)
    if chosen is None:
        return None
    offer, caps, there = chosen
    places = list(dict.fromkeys(_category_and_kind(sighting.offer) for sighting in seen if sighting.offer.name))
    category, kind = places[0]
    kinds = {fold(k): k for _, k in places}
    if len(kinds) > 1:
        judge.notes.doubt(offer.entry, f"stands under {', '.join(kinds.values())}: read as {kind}")
    if not any(sighting.carried for sighting in seen):
        judge.notes.doubt(offer.entry, f"no model may carry it in Battle Mode{_elsewhere(offer.entry, judge)}")
    return ItemFound(
        name=offer.name,
        caps=caps,
        category=category,
        kind=kind,
        heavy=any(fold(k) in _HEAVY for k in (*kinds, *offer.path)),
        takes_mod=bool(_mod_groups(offer.entry, judge)),
        node=offer.entry,
        there=there,
    )


def _category_and_kind(offer: Offer) -> tuple[str, str]:
    path = [name for name in offer.path if name and fold(name) != EQUIPMENT]
    if not path:
        return _KIND_OF_NO_GROUP, _KIND_OF_NO_GROUP
    if len(path) == 1:
        return _CATEGORIES.get(fold(path[0]), path[0]), path[0]
    return path[0], path[-1]


def _elsewhere(entry: Node, judge: Judge) -> str:
    """In which other force an entry is shown, as the end of a sentence."""
    for force in judge.index.forces[:_MOST_FORCES]:
        if force is not judge.index.battle and judge.shown(entry, Place(force.get("id"))):
            return f"; it is shown in {force.name[:40]}"
    return ""


def _mod_groups(entry: Node, judge: Judge) -> list[Node]:
    place = _place_in(entry, judge)
    groups = []
    for link in entry.each("selectionEntryGroup", "entryLink"):
        target = judge.index.target(link)
        if target is None or fold(name_of(target)) not in MODS:
            continue
        if judge.shown(link, place) and judge.shown(target, place):
            groups.append(target)
    return groups


def _mods_on(entry: Node, judge: Judge) -> Iterator[Offer]:
    for group in _mod_groups(entry, judge):
        yield from offers(group, _place_in(entry, judge), judge, (group,), (name_of(group),))


def _place_in(entry: Node, judge: Judge) -> Place:
    ids = frozenset({entry.get("id")})
    return Place(judge.index.battle.get("id") if judge.index.battle else "", "", ids, ids)
