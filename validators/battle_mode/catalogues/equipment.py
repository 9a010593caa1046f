"""The items, mods, perks and Leader cards of a catalogue."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from languages.stated import Stated, stated, strung
from languages.words import noted
from validators.battle_mode.catalogues.costs import FREE, NAMELESS, costs
from validators.battle_mode.catalogues.files import NoCost, Node
from validators.battle_mode.catalogues.index import (
    EQUIPMENT,
    LEADER,
    MODS,
    PERKS,
    Judge,
    Offer,
    Place,
    name_of,
    offers,
)
from validators.battle_mode.catalogues.models import Model, is_special
from validators.battle_mode.edition import Item
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
"""For catalogues that list a kind of items directly in the equipment, without a group."""


@dataclass(frozen=True)
class ItemFound(Item):
    """An item as in the edition's file; ``there`` are other costs in the catalogues."""

    node: Node
    there: tuple[int, ...]
    obtainable: bool
    """Whether a model may carry it, or links its group."""


def items_of(models: Iterable[Model], judge: Judge) -> dict[str, ItemFound]:
    """Every item by its folded name: those of the shared equipment first, then models' own items."""
    models = list(models)
    every = [offer for offer in _shared((EQUIPMENT,), judge) if not is_special(offer)]
    every += [offer for model in models for offer in model.items]
    open_groups = {offer.groups[-1] for offer in every if offer.carried and offer.groups}
    linked = [replace(model, groups=model.groups - open_groups) for model in models]
    found = {name: _item(seen, linked, judge) for name, seen in _by_name(every).items()}
    items = {name: item for name, item in found.items() if item is not None}
    heavy = [item for item in items.values() if item.heavy]
    if heavy and not any(item.obtainable for item in heavy):
        judge.notes.reading(stated("No model may buy a heavy weapon: the catalogue shows none to any model."))
    return items


def mods_of(items: Iterable[ItemFound], judge: Judge) -> dict[str, int]:
    """Every mod and its cost. Which mods an item offers is lost: an edition's item takes all mods or none."""
    by_item = {
        item.name: [
            offer
            for group in _mod_groups(item.node, judge)
            for offer in offers(group, _place_in(item.node, judge), judge, (group,))
            if not offer.required
        ]
        for item in items
        if item.takes_mod
    }
    mods = _priced([*_shared(MODS, judge), *chain.from_iterable(by_item.values())], judge)
    known = {fold(name) for name in mods}
    some = [name for name, shown in by_item.items() if not known <= {offer.key for offer in shown}]
    if some:
        text = noted("%(names)s: some mods are not shown on these items; an edition’s file allows them all.")
        judge.notes.reading(stated(text, names=_named(some)))
    return mods


def upgrades_of(
    models: list[Model], word: str, of: Callable[[Model], tuple[Offer, ...]], judge: Judge
) -> dict[str, int]:
    """Every "perk" or "Leader card" (``word``) and its cost; ``of`` gives those of a model."""
    names, hidden, partial = _PERKS if word == "perk" else _CARDS
    every = [offer for offer in _shared(names, judge) if offer.key != "leader"]
    every += [offer for model in models for offer in of(model)]
    shown = Counter(key for model in models for key in {offer.key for offer in of(model)})
    whole = sum(1 for model in models if of(model))
    priced = _priced(every, judge)
    for offer in every:
        if offer.name in priced and not shown[offer.key]:
            judge.notes.left_out(offer.entry, stated(hidden))
            del priced[offer.name]
    some = [name for name in priced if shown[fold(name)] < whole]
    if some:
        judge.notes.reading(stated(partial, names=_named(some)))
    return priced


_PERKS = (
    PERKS,
    noted("a perk that no model is shown in Battle Mode"),
    noted("%(names)s: a perk that only some models are shown; an edition’s file allows it to all."),
)
_CARDS = (
    LEADER,
    noted("a Leader card that no model is shown in Battle Mode"),
    noted("%(names)s: a Leader card that only some models are shown; an edition’s file allows it to all."),
)


def _named(names: list[str]) -> Stated:
    first = strung(names[:12])
    return stated("%(names)s and %(n)s more", names=first, n=len(names) - 12) if len(names) > 12 else first


def _shared(names: tuple[str, ...], judge: Judge) -> Iterator[Offer]:
    """The contents of shared groups with these names, shown or not."""
    for tree in judge.index.files.all:
        for group in tree.each("selectionEntryGroup"):
            if fold(name_of(group)) in names:
                yield from offers(group, None, judge, (group,))


def _by_name(every: list[Offer]) -> dict[str, list[Offer]]:
    """The offers of each folded name, in order of the first one; within a name, those that models carry first."""
    found: dict[str, list[Offer]] = {}
    for offer in every:
        found.setdefault(offer.key, []).append(offer)
    return {name: sorted(seen, key=lambda offer: not offer.carried) for name, seen in found.items()}


def _chosen(seen: list[Offer], judge: Judge, question: str) -> tuple[Offer, int, tuple[int, ...]] | None:
    """The entry to use among those of one name, its cost, and the costs of others that models may choose.

    ``question`` is the id of the question about several costs.
    """
    notes = judge.notes
    first: tuple[Offer, int] | None = None
    others: list[int] = []
    carried = {offer.entry for offer in seen if offer.carried}
    found: dict[tuple[Node, tuple[int, ...] | NoCost], Offer] = {}
    for offer in seen:
        if offer.carried or offer.entry not in carried:
            found.setdefault((offer.entry, costs(offer, judge, question)), offer)
    for (entry, priced), offer in found.items():
        if not offer.name or isinstance(priced, NoCost):
            notes.left_out(entry, priced.said if offer.name and isinstance(priced, NoCost) else stated(NAMELESS))
            continue
        caps, *perhaps = priced
        counts = not carried or entry in carried
        if first is None:
            first = (offer, caps)
            if caps == 0:
                notes.doubt(entry, stated(FREE), offer.name, "free")
        elif caps != first[1]:
            others += [caps] * counts
            used = first[0].entry
            some = noted("costs %(caps)s Caps with some models and %(used)s with others, which is used")
            says = stated(some, caps=caps, used=first[1])
            if used is not entry:
                another = noted(
                    "costs %(caps)s Caps; another entry of this name (%(file)s, line %(line)s) costs %(used)s, "
                    "which is used"
                )
                says = stated(another, caps=caps, file=used.file, line=used.line, used=first[1])
            notes.doubt(entry, says, offer.name, question * counts)
        others += perhaps * counts
    if first is not None:
        others = [caps for caps in others if caps != first[1]]
    return None if first is None else (*first, tuple(dict.fromkeys(others)))


def _priced(every: list[Offer], judge: Judge) -> dict[str, int]:
    chosen = (_chosen(seen, judge, "") for seen in _by_name(every).values())
    return {found[0].name: found[1] for found in chosen if found is not None}


def _item(seen: list[Offer], models: Sequence[Model], judge: Judge) -> ItemFound | None:
    chosen = _chosen(seen, judge, "costs")
    if chosen is None:
        return None
    offer, caps, there = chosen
    places = list(dict.fromkeys(_category_and_kind(one) for one in seen if one.name))
    category, kind = places[0]
    kinds = {fold(k): k for _, k in places}
    if len(kinds) > 1:
        judge.notes.doubt(
            offer.entry, stated("stands under %(kinds)s: read as %(kind)s", kinds=strung(kinds.values()), kind=kind)
        )
    carried = any(one.carried for one in seen)
    linking = () if carried else _linking(seen, models)
    if linking:
        text = noted("hidden from every model; models whose entries link its group %(kind)s: %(names)s")
        says = stated(text, kind=kind, names=strung(linking))
        judge.notes.doubt(offer.entry, says, offer.name, "linked", linking)
    elif not carried:
        judge.notes.doubt(offer.entry, _uncarried(offer.entry, judge), offer.name, "uncarried")
    return ItemFound(
        name=offer.name,
        caps=caps,
        category=category,
        kind=kind,
        heavy=any(fold(k) in _HEAVY for k in (*kinds, *offer.path)),
        takes_mod=bool(_mod_groups(offer.entry, judge)),
        node=offer.entry,
        there=there,
        obtainable=carried or bool(linking),
    )


def _linking(seen: Iterable[Offer], models: Iterable[Model]) -> tuple[str, ...]:
    """The names of the models whose entries link a group in which an item is.

    ``models`` have only the groups of which no item is shown to anybody: in others the files say who may carry what.
    """
    groups = {offer.groups[-1] for offer in seen if offer.groups}
    return tuple(dict.fromkeys(model.name for model in models if groups & model.groups))


def _category_and_kind(offer: Offer) -> tuple[str, str]:
    path = [name for name in offer.path if name and fold(name) != EQUIPMENT]
    if not path:
        return _KIND_OF_NO_GROUP, _KIND_OF_NO_GROUP
    if len(path) == 1:
        return _CATEGORIES.get(fold(path[0]), path[0]), path[0]
    return path[0], path[-1]


def _uncarried(entry: Node, judge: Judge) -> Stated:
    """That no model may carry an entry, and another force in which it is shown."""
    for force in judge.index.forces[:_MOST_FORCES]:
        if force is not judge.index.battle and judge.shown(entry, Place(force.get("id"))):
            text = noted("no model may carry it in Battle Mode; it is shown in %(force)s")
            return stated(text, force=force.name[:40])
    return stated("no model may carry it in Battle Mode")


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


def _place_in(entry: Node, judge: Judge) -> Place:
    ids = frozenset({entry.get("id")})
    return Place(judge.index.battle_id, "", ids, ids)
