"""Single changes that could fix a force: removing, lowering or renaming a part, or moving the Leader mark.

They change the priced force. A model keeps its place and label when others are removed, so that findings before and
after a change name it alike.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from heapq import nsmallest
from itertools import islice
from typing import Any, TypeVar

from languages.words import gettext
from validators.battle_mode.edition import ModelEntry, Upgrade
from validators.battle_mode.force import Named, PricedForce, PricedItem, PricedModel
from validators.battle_mode.force_rules import near_names
from validators.names import fold

OfForce = Callable[[PricedForce], PricedForce]
OfModel = Callable[[PricedModel], PricedModel | None]
_Result = TypeVar("_Result", PricedForce, PricedModel)


@dataclass(frozen=True, eq=False)
class Change:
    """One change in words: the Caps it saves, and its effect on a force that still has the changed part.

    ``place`` is the model's; ``part`` is the changed part of it (None: all of it).
    """

    words: str
    saves: int
    apply: OfForce
    place: int | None = None
    part: object = None

    def meets(self, other: "Change") -> bool:
        """Whether both change the same part, so that only one of them is possible."""
        if self.place is None or self.place != other.place:
            return self is other
        return self.part is None or other.part is None or self.part is other.part


def on_model(force: PricedForce, model: PricedModel) -> Iterator[Change]:
    """The changes to one model, except the Leader mark and the counts of its items."""
    if model.heroic:
        yield _of(
            model,
            "heroic",
            gettext("Take Heroic off %(model)s", model=model.label),
            model.heroic_caps,
            _set(heroic=False),
        )
    for perk in model.perks:
        yield from _upgrade(force, model, "perk", perk, perk, partial(_swapped, "perks", perk))
    if model.leader_card:
        card = model.leader_card
        yield from _upgrade(force, model, "Leader card", card, "Leader card", lambda known: _set(leader_card=known))
    for item in model.items:
        yield from _item(force, model, item)
    if model.entry is None:
        for name in near_names(force, "model", model.name)[:1]:
            entry = force.edition.model(name, force.faction_name)
            renamed = replace(_as(model, entry), name=name)
            yield _of(
                model,
                None,
                gettext("Replace %(old)s by %(new)s", old=model.label, new=name),
                model.caps - renamed.caps,
                _always(renamed),
            )
    yield taking_out(model)


def taking_out(model: PricedModel) -> Change:
    return _of(model, None, gettext("Take out %(name)s", name=model.label), model.caps, lambda _: None)


def lowering(model: PricedModel, caps: int, copies: int) -> Iterator[Change]:
    """Lower the counts of the model's items just enough to save these Caps or copies (0: none), to one or more."""
    for item in model.items:
        if item.count > 1:
            each = item.caps // item.count
            wanted = [-(-caps // each)] if caps and each else []
            for fewer in sorted({*wanted, copies, item.count - 1}):
                if 0 < fewer < item.count:
                    count = item.count - fewer
                    words = gettext(
                        "Lower %(item)s on %(model)s from %(had)s to %(count)s",
                        item=item.name,
                        model=model.label,
                        had=item.count,
                        count=count,
                    )
                    yield _of(model, item, words, fewer * each, _swapped("items", item, replace(item, count=count)))


def leading(force: PricedForce, leader: PricedModel) -> Change:
    """Mark only this model as the Leader. The old Leader's card moves along if there is room."""
    holders = [m for m in force.models if m.leader and m is not leader and m.leader_card]
    card = holders[0].leader_card if len(holders) == 1 and leader.leader_card is None else None
    giver = holders[0].place if card else None

    def mark(model: PricedModel) -> PricedModel:
        if model.place == leader.place:
            return replace(model, leader=True, leader_card=card or model.leader_card)
        if model.leader:
            return replace(model, leader=False, leader_card=None if model.place == giver else model.leader_card)
        return model

    words = (
        gettext("Make %(model)s the Leader, with the card %(card)s", model=leader.label, card=card.name)
        if card
        else gettext("Make %(model)s the Leader", model=leader.label)
    )
    return Change(words, 0, lambda force: replace(force, models=tuple(map(mark, force.models))))


def heirs(force: PricedForce) -> list[PricedModel]:
    """Candidates for the Leader mark: the most expensive models, which the other rules treat alike."""
    return sorted((model for model in force.models if not model.leader), key=lambda model: -model.caps)[:3]


def on_cards(force: PricedForce) -> Iterator[Change]:
    leaders = [model for model in force.models if model.leader] or heirs(force)
    for card in force.cards:
        kind = gettext(card.kind)
        named = (
            gettext("the %(kind)s card %(name)s", kind=kind, name=card.name)
            if card.name
            else gettext("the %(kind)s card", kind=kind)
        )
        for leader in leaders:
            if card.entry and leader.leader_card is None:
                given = _set(leader_card=Named(card.entry.name, card.entry))
                give = _of(
                    leader,
                    "Leader card",
                    gettext("Give %(thing)s to %(model)s", thing=named, model=leader.label),
                    0,
                    given,
                )
                yield replace(give, apply=_then(give.apply, _swapped("cards", card, None)))
        if card.is_leader_card and card.entry is None:
            for name in near_names(force, "Leader card", card.name)[:1]:
                entry = force.edition.leader_cards.find(name)
                new_card = replace(card, name=name, entry=entry)
                saves = -entry.caps if entry else 0
                yield Change(
                    gettext("Replace %(old)s by %(new)s", old=named, new=name), saves, _swapped("cards", card, new_card)
                )
        words = gettext("Take out %(name)s", name=named)
        yield Change(words, card.entry.caps if card.entry else 0, _swapped("cards", card, None))


def on_faction(force: PricedForce, most_odd: int) -> Iterator[Change]:
    """Change to another faction, if its list lacks at most ``most_odd`` of the known models and has at least one."""
    keys = [fold(model.entry.name) for model in force.models if model.entry]
    for faction in force.edition.factions.values():
        odd = sum(key not in faction.models for key in keys)
        if faction.fielded and faction is not force.faction and odd <= most_odd and odd < len(keys):
            entries = (force.edition.model(model.name, faction.name) for model in force.models)
            models = tuple(_as(m, entry) for m, entry in zip(force.models, entries, strict=True))
            moved = replace(force, faction_name=faction.name, faction=faction, models=models)
            words = gettext("Make it a force of %(faction)s", faction=faction.name)
            yield Change(words, force.total - moved.total, _always(moved))


def _upgrade(
    force: PricedForce,
    model: PricedModel,
    sort: Upgrade,
    held: Named,
    part: object,
    put: Callable[[Named | None], OfModel],
    item: PricedItem | None = None,
) -> Iterator[Change]:
    """Replace an unknown name by the closest known one, or remove it; a mod is on an item."""
    copies = item.count if item else 1
    place = gettext("%(item)s on %(model)s", item=item.name, model=model.label) if item else model.label
    kind = gettext(sort)
    for name in near_names(force, sort, held.name)[:1] if held.entry is None else ():
        upgrade = replace(held, name=name, entry=force.edition.upgrades(sort).find(name))
        names = {"kind": kind, "old": held.name, "place": place, "new": name}
        words = (
            gettext("Replace the %(kind)s %(old)s of %(place)s by %(new)s", **names)
            if item
            else gettext("Replace the %(kind)s %(old)s on %(place)s by %(new)s", **names)
        )
        yield _of(model, part, words, -copies * upgrade.caps, put(upgrade))
    words = gettext("Take the %(kind)s %(name)s off %(place)s", kind=kind, name=held.name, place=place)
    yield _of(model, part, words, copies * held.caps, put(None))


def _item(force: PricedForce, model: PricedModel, item: PricedItem) -> Iterator[Change]:
    for at, mod in enumerate(item.mods):

        def put(known: Named | None, at: int = at) -> OfModel:
            mods = (*item.mods[:at], *((known,) if known else ()), *item.mods[at + 1 :])
            return _swapped("items", item, replace(item, mods=mods))

        yield from _upgrade(force, model, "mod", mod, item, put, item)
    if item.entry is None and item.loose_mod is None:
        near = near_names(force, "item", item.name)[:1]  # the name may also be a perk's or a mod's
        for name in (name for name in near if force.edition.items.find(name)):
            changed = replace(item, name=name, entry=force.edition.items.find(name))
            words = gettext("Replace %(item)s on %(model)s by %(new)s", item=item.name, model=model.label, new=name)
            yield _of(model, item, words, item.caps - changed.caps, _swapped("items", item, changed))
    names = {"item": item.name, "model": model.label}
    words = (
        gettext("Take %(item)s off %(model)s", **names)
        if item.count == 1
        else gettext("Take all %(count)s %(item)s off %(model)s", count=item.count, **names)
    )
    yield _of(model, item, words, item.caps, _swapped("items", item, None))


def _of(model: PricedModel, part: object, words: str, saves: int, change: OfModel) -> Change:
    def apply(force: PricedForce) -> PricedForce:
        models = (change(m) if m.place == model.place else m for m in force.models)
        return replace(force, models=tuple(m for m in models if m))

    return Change(words, saves, apply, model.place, part)


def _as(model: PricedModel, entry: ModelEntry | None) -> PricedModel:
    """A model under another entry; some perks cost a share of the model's cost."""
    own_caps = entry.caps if entry else 0
    return replace(model, entry=entry, perks=tuple(replace(perk, model_caps=own_caps) for perk in model.perks))


def _always(changed: _Result) -> Callable[[object], _Result]:
    return lambda _: changed


def _then(first: OfForce, second: OfForce) -> OfForce:
    return lambda force: second(first(force))


def _set(**fields: object) -> OfModel:
    return lambda model: replace(model, **fields)  # type: ignore[arg-type]


def _swapped(field: str, old: object, new: object) -> Callable[[Any], Any]:
    """Replace one of several parts, or remove it (None). Two with the same name are two purchases."""

    def swap(holder: Any) -> Any:
        parts = (new if part is old else part for part in getattr(holder, field))
        return replace(holder, **{field: tuple(part for part in parts if part)})

    return swap


Way = tuple[Change, ...]

MOST_WAYS = 8
MOST_LAST = 4
"""The most different last changes tried after the same first changes."""
DEAREST = 12
"""The first of three changes is one of this many that save the most; of more changes, each first one saves the most."""


def least_savings(force: PricedForce, pool: Sequence[Change], number: int, needed: int) -> list[Way]:
    """A few ways to save ``needed`` Caps by exactly ``number`` changes of the pool, smallest savings first.

    Counts of items are also lowered as needed. Up to two changes the search is complete; from three on, the last two
    complete what the largest savings leave.
    """
    if number <= 0:
        return [()] if number == 0 and needed <= 0 else []
    stacks = [model for model in force.models if any(item.count > 1 for item in model.items)]
    ordered = sorted(pool, key=lambda change: change.saves)
    ways = _ways(stacks, ordered, number, needed, ())
    return nsmallest(MOST_WAYS, ways, key=lambda way: sum(change.saves for change in way))


def _ways(stacks: Sequence[PricedModel], pool: Sequence[Change], number: int, needed: int, taken: Way) -> Iterator[Way]:
    if number == 1:
        start = bisect_left(pool, needed, key=lambda change: change.saves)
        enough = (pool[at] for at in range(start, len(pool)))
        lowered = (change for model in stacks for change in lowering(model, needed, 0) if change.saves >= needed)
        for changes in (enough, lowered):
            apart = (change for change in changes if not any(change.meets(other) for other in taken))
            yield from ((*taken, change) for change in islice(apart, MOST_LAST))
        return
    for first in {2: pool, 3: pool[-DEAREST:]}.get(number, pool[-1:]):
        if first.saves + (number - 1) * pool[-1].saves >= needed:
            rest = [change for change in pool if not change.meets(first)] if number > 2 else pool
            yield from _ways(stacks, rest, number - 1, needed - first.saves, (*taken, first))
