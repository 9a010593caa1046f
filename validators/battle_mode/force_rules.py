"""The rules for a force and for each of its models: each function yields the problems, or the queries, under one id.

A disputed fact (the sources of the edition contradict each other) is a query only if the other reading would have
changed the verdict on this force.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Literal

from languages.words import N_, gettext, ngettext
from validators.battle_mode.edition import Item, ModelEntry, Sort, Thing
from validators.battle_mode.force import PricedForce, PricedModel
from validators.contract import Finding
from validators.kit import checks
from validators.names import MOST_SEARCHED, NearNames, fold, nearest
from validators.sheet import copies

finding, query = partial(checks.finding, by="name"), partial(checks.query, by="name")
"""Findings name models as the force does."""
BANNED_KINDS = ("boost", "event", "explore", "danger", "stranger", "creature", "quest", "solo", "settlement")


def heavy_weapons_allowed(size: int) -> int:
    """Heavy weapons allowed at a size in Caps: one at 500, one more per 250; none below 500 (a reading)."""
    return max(0, size // 250 - 1)


def heavy(force: PricedForce) -> Iterator[Finding]:
    """bm.heavy: heavy weapons bought, copies included, are within the limit for the size."""
    used, allowed = force.heavy_weapons, heavy_weapons_allowed(force.size)
    if used > allowed:
        message = ngettext(
            "%(num)s heavy weapon, %(allowed)s allowed at %(size)s Caps",
            "%(num)s heavy weapons, %(allowed)s allowed at %(size)s Caps",
            used,
            allowed=allowed,
            size=force.size,
        )
        figures = {"used": used, "allowed": allowed, "size": force.size}
        on = [m for m in force.models if any(item.heavy for item in m.items)]
        fix = ngettext("Take out %(num)s heavy weapon.", "Take out %(num)s heavy weapons.", used - allowed)
        yield finding("bm.heavy", message, figures=figures, on=on, fix=fix)


def leader(force: PricedForce) -> Iterator[Finding]:
    """bm.leader: exactly one model is the Leader."""
    leaders = [m for m in force.models if m.leader]
    if not leaders:
        fix = (
            gettext("Mark one model as the Leader.")
            if force.models
            else gettext("Add a model and mark it as the Leader.")
        )
        yield finding("bm.leader", gettext("No Leader, 1 needed"), fix=fix, figures={"leaders": 0})
    elif len(leaders) > 1:
        message = ngettext("%(num)s Leader, 1 allowed", "%(num)s Leaders, 1 allowed", len(leaders))
        fix = gettext("Leave the mark on one of %(leaders)s.", leaders=", ".join(m.label for m in leaders))
        yield finding("bm.leader", message, fix=fix, on=leaders, figures={"leaders": len(leaders)})


def leader_card(force: PricedForce) -> Iterator[Finding]:
    """bm.leader-card: known Leader cards are on the Leader only, at most one, and in the Leader's packs."""
    holders = [m for m in force.models if m.leader_card and m.leader_card.entry]
    for model in holders:
        if not model.leader and model.leader_card:
            names = {"model": model.label, "leader_card": model.leader_card.name}
            message = gettext("%(model)s has the Leader card %(leader_card)s and is not the Leader", **names)
            fix = gettext("Take the card off %(model)s, or make it the Leader.", **names)
            yield finding("bm.leader-card", message, on=[model], fix=fix)
    yield from refused("Leader card", force)
    for name, count in Counter(card.name for card in force.cards if card.is_leader_card and card.entry).items():
        message = gettext("The Leader card %(card)s is on no model", card=copies(count, name))
        yield finding("bm.leader-card", message, fix=gettext("Take it out, or give it to the Leader."))
    if len(holders) > 1:
        cards = len(holders)
        message = ngettext("%(num)s Leader card, 1 allowed", "%(num)s Leader cards, 1 allowed", cards)
        fix = ngettext("Take out %(num)s Leader card.", "Take out %(num)s Leader cards.", cards - 1)
        yield finding("bm.leader-card", message, figures={"cards": cards}, on=holders, fix=fix)


def unique(force: PricedForce) -> Iterator[Finding]:
    """bm.unique: no person more than once, in any of the person's models; several stages are a query."""
    for person, models, faces in together(force, lambda entry: entry.unique):
        if all(model.entry and model.entry.stage for model in models) and len({m.name for m in models}) == len(models):
            continue  # asked by ``stages``
        message = ngettext(
            "%(person)s is in the force %(num)s time (%(faces)s), 1 allowed",
            "%(person)s is in the force %(num)s times (%(faces)s), 1 allowed",
            len(models),
            person=person,
            faces=faces,
        )
        fix = gettext("Keep one of them and take out %(count)s.", count=len(models) - 1)
        yield finding("bm.unique", message, figures={"used": len(models), "allowed": 1}, on=models, fix=fix)


def together(
    force: PricedForce, person_of: Callable[[ModelEntry], str | None]
) -> Iterator[tuple[str, list[PricedModel], str]]:
    """Every person shown by several models: the person, these models, and their names."""
    by_person: dict[str, list[PricedModel]] = {}
    for model in force.models:
        if model.entry and (person := person_of(model.entry)):
            by_person.setdefault(person, []).append(model)
    for person, models in by_person.items():
        if len(models) > 1:
            yield person, models, ", ".join(dict.fromkeys(model.name for model in models))


def banned(force: PricedForce) -> Iterator[Finding]:
    """bm.banned: no cards of kinds that Battle Mode does not use."""
    for card in force.cards:
        if fold(card.kind) in BANNED_KINDS:
            message = gettext(
                "%(kind)s card%(named)s: not used in Battle Mode",
                kind=card.kind,
                named=f" {card.name}" if card.name else "",
            )
            yield finding("bm.banned", message, fix=gettext("Take the card out."))


def faction(force: PricedForce) -> Iterator[Finding]:
    """bm.faction: the force's faction may be fielded, and each known model is on its list."""
    fielded = tuple(f.name for f in force.edition.factions.values() if f.fielded)
    if force.faction is None:
        near = nearest(force.faction_name, fielded)
        message = gettext("%(faction_name)s is not a faction of this edition", faction_name=force.faction_name)
        yield finding(
            "bm.faction", message, fix=gettext("Choose %(factions)s.", factions=gettext(" or ").join(near or fielded))
        )
        return
    if not force.faction.fielded:
        message = gettext("%(faction)s take no part in Battle Mode in this edition", faction=force.faction.name)
        yield finding("bm.faction", message, fix=gettext("Choose %(fielded)s.", fielded=gettext(" or ").join(fielded)))
    for model in force.models:
        if model.entry and model.entry.faction != force.faction.name:
            names = {"model": model.label, "faction": model.entry.faction, "own": force.faction.name}
            message = gettext("%(model)s belongs to %(faction)s, this force to %(own)s", **names)
            yield finding("bm.faction", message, on=[model], fix=gettext("Take %(model)s out.", **names))


Named = Literal["model"] | Sort
SORTS: dict[Named, str] = {
    "model": N_("model"), "item": N_("item"), "perk": N_("perk"), "mod": N_("mod"),
    "Leader card": N_("Leader card"),
}  # fmt: skip

MOST_NAMED = 20
"""The most items that a fix lists by name; from longer lists it offers those with similar names."""


def cost(force: PricedForce) -> Iterator[Finding]:
    """bm.cost: every name is in the edition. Unknown names are checked by this rule alone, on equal models once."""
    unknown: dict[tuple[Named, str, str], tuple[str, list[PricedModel]]] = {}
    for sort, name, model in _unknown_names(force):
        _, holders = unknown.setdefault((sort, fold(name), fold(model.name) if model else ""), (name, []))
        holders += [model] if model and model not in holders else []
    for number, ((sort, _, _), (name, holders)) in enumerate(unknown.items()):
        yield _unknown(force, sort, name, holders, offer=number < MOST_SEARCHED)
    for card in force.cards:
        if not card.is_leader_card and fold(card.kind) not in BANNED_KINDS:
            named = f" {card.name}" if card.name else ""
            message = gettext("%(kind)s card%(named)s: no card of this kind has a cost", kind=card.kind, named=named)
            yield finding("bm.cost", message, fix=gettext("Take the card out."))


RULES: dict[Sort, str] = {"item": "bm.carry", "mod": "bm.mod", "perk": "bm.perk", "Leader card": "bm.leader-card"}


def refused(sort: Sort, force: PricedForce) -> Iterator[Finding]:
    """bm.carry, bm.mod, bm.perk, bm.leader-card: a model has only what it may have (``may_carry``)."""
    near = NearNames()
    for model, entry, thing, on, count in _bought(sort, force):
        answer = entry.may(thing, on)
        if answer.may is False:
            names = {"model": model.label, "thing": copies(count, _on(thing, on)), "why": answer.words}
            message = gettext("%(model)s may not have %(thing)s: %(why)s", **names)
            figures = {"copies": count} if sort == "item" else {}
            yield finding(RULES[sort], message, fix=_instead(near, entry, thing, on), on=[model], figures=figures)


def asked(force: PricedForce) -> Iterator[Finding]:
    """bm.carry, bm.mod, bm.perk, bm.leader-card: the edition does not say whether a model may have a thing.

    All that is bought for a model of which nothing is known is asked in one query (``disputes.options_unknown``).
    """
    for sort, rule in RULES.items():
        for model, entry, thing, on, _ in _bought(sort, force):
            answer = entry.may(thing, on)
            if answer.may is None and not entry.options_unknown:
                names = {"model": model.label, "thing": _on(thing, on), "why": answer.words}
                yield query(rule, gettext("%(thing)s on %(model)s: %(why)s", **names), on=[model])


def _on(thing: Thing, on: Item | None) -> str:
    return gettext("%(mod)s on %(item)s", mod=thing.name, item=on.name) if on else thing.name


def _bought(sort: Sort, force: PricedForce) -> Iterator[tuple[PricedModel, ModelEntry, Thing, Item | None, int]]:
    """Every known thing of this sort that is bought for a known model; a mod with its item; the copies."""
    for model in force.models:
        if (entry := model.entry) is None:
            continue
        cards = [model.leader_card] if model.leader_card else []
        for named in {"perk": model.perks, "Leader card": cards}.get(sort, ()):
            if named.entry:
                yield model, entry, named.entry, None, 1
        for item in model.items:
            if sort == "item" and item.entry and (item.bought or not item.entry.caps):
                yield model, entry, item.entry, None, item.count
            if sort == "mod" and item.loose_mod and not item.loose_mod.kinds.isdisjoint(entry.tags):
                yield model, entry, item.loose_mod, None, 1
            for mod in item.mods if sort == "mod" and item.entry else ():
                if mod.entry and not mod.free:
                    yield model, entry, mod.entry, item.entry, 1


def heroic(force: PricedForce) -> Iterator[Finding]:
    """bm.heroic: Heroic only if the entry allows it."""
    for model in force.models:
        if model.heroic and model.entry and not model.entry.heroic:
            message = gettext("%(model)s may not be Heroic", model=model.label)
            fix = gettext(
                "Take Heroic off %(model)s; that frees %(heroic_caps)s.",
                model=model.label,
                heroic_caps=checks.caps(force.edition.file.heroic_caps),
            )
            yield finding("bm.heroic", message, fix=fix, on=[model], figures={"caps": force.edition.file.heroic_caps})


def _unknown_names(force: PricedForce) -> Iterator[tuple[Named, str, PricedModel | None]]:
    for model in force.models:
        if model.entry is None:
            yield "model", model.name, model
        if model.leader_card and model.leader_card.entry is None:
            yield "Leader card", model.leader_card.name, model
        yield from (("perk", perk.name, model) for perk in model.perks if perk.entry is None)
        for item in model.items:
            if item.entry is None and item.loose_mod is None:
                yield "item", item.name, model
            yield from (("mod", mod.name, model) for mod in item.mods if mod.entry is None)
    for card in force.cards:
        if card.is_leader_card and card.entry is None:
            yield "Leader card", card.name or "A Leader card without a name", None


def _unknown(force: PricedForce, sort: Named, name: str, models: Sequence[PricedModel], *, offer: bool) -> Finding:
    near = near_names(force, sort, name) if offer else ()
    entry = models[0].entry if models else None
    if entry and fold(name) in map(fold, entry.built_in):
        fix = gettext("%(name)s is built in and costs nothing: take it off the list.", name=name)
    elif sort == "item" and (perk := force.edition.perks.find(name)):
        fix = gettext("%(perk)s is a perk: enter it as one.", perk=perk.name)
    else:
        fix = checks.offer(near, gettext("Take it out: the edition has nothing near to it."))
    on = models[0].label if len(models) == 1 else copies(len(models), models[0].name) if models else ""
    whose = gettext(" (on %(model)s)", model=on) if on and sort != "model" else ""
    kind = gettext(SORTS[sort])
    message = gettext("%(name)s%(whose)s: no %(sort)s of this name has a cost", name=name, whose=whose, sort=kind)
    return finding("bm.cost", message, fix=fix, on=models)


def near_names(force: PricedForce, sort: Named, name: str) -> tuple[str, ...]:
    """Known names similar to this one; of models, those of the force's own faction first."""
    edition = force.edition
    if sort == "model":
        own_faction = tuple(entry.name for entry in force.faction.models.values()) if force.faction else ()
        everyone = (e.name for f in edition.factions.values() for e in f.models.values())
        return nearest(name, own_faction) or nearest(name, tuple(everyone))
    tables = (edition.items, edition.mods) if sort == "item" else (edition.upgrades(sort),)
    return nearest(name, tuple(dict.fromkeys(entry.name for table in tables for entry in table.values())))


def _instead(names: NearNames, entry: ModelEntry, thing: Thing, on: Item | None) -> str:
    """The fix for a thing that the model may not have: similar ones that it may."""
    if not isinstance(thing, Item):
        if on and thing.kinds and on.kind not in thing.kinds:
            return gettext("Take the mod off, or choose one for %(kind)s.", kind=on.kind)
        allowed = entry.offers[thing.sort]
        if not allowed:
            return gettext("Take it off: the model's packs hold no %(sort)s.", sort=gettext(SORTS[thing.sort]))
        return _off(names.nearest(thing.name, tuple(sorted(allowed))))
    if thing.name in entry.built_in:
        return gettext("%(item)s is built in and costs nothing: take this one off.", item=thing.name)
    items = entry.lists.items
    offers = entry.offers["item"].items()
    same_kind = tuple(name for name, may in offers if may and items[fold(name)].kind == thing.kind)
    if len(same_kind) > MOST_NAMED:
        return _off(names.nearest(thing.name, same_kind))
    if same_kind:
        return gettext("Take it off, or choose from %(names)s.", names=", ".join(same_kind))
    return gettext("Take it off.")


def _off(near: Sequence[str]) -> str:
    if near:
        return gettext("Take it off, or choose %(names)s.", names=gettext(" or ").join(near))
    return gettext("Take it off.")


def file_total(force: PricedForce) -> Iterator[Finding]:
    """bm.cost: the force's file states another total, so something in it was read differently."""
    if force.file_total not in (None, force.total):
        message = gettext(
            "The file that this list was read from costs %(file_total)s, the list %(total)s",
            file_total=checks.caps(force.file_total or 0),
            total=force.total,
        )
        yield query("bm.cost", message, figures={"file": force.file_total or 0, "total": force.total})


def not_read(force: PricedForce) -> Iterator[Finding]:
    """bm.cost: a line with a cost in the text from which the list was read that was not read."""
    for line in force.not_read:
        yield query("bm.cost", gettext("Not read, please check: %(line)s", line=line))


def perk_twice(force: PricedForce) -> Iterator[Finding]:
    """bm.perk: a perk more than once on one model, built in or bought; the rulebook is silent on its effect."""
    for model in force.models:
        times = Counter(perk.entry.name for perk in model.perks if perk.entry)
        for perk, bought in times.items():
            built_in = model.entry is not None and perk in model.entry.built_in
            if (count := bought + built_in) > 1:
                figures = {"model": model.label, "perk": perk}
                message = ngettext(
                    "%(model)s has the perk %(perk)s %(num)s time",
                    "%(model)s has the perk %(perk)s %(num)s times",
                    count,
                    **figures,
                )
                if built_in:
                    message = ngettext(
                        "%(model)s has the perk %(perk)s %(num)s time, built in",
                        "%(model)s has the perk %(perk)s %(num)s times, one of them built in",
                        count,
                        **figures,
                    )
                yield query("bm.perk", message, on=[model], figures={"count": count})


def stages(force: PricedForce) -> Iterator[Finding]:
    """bm.unique: a stage of a person; the edition does not say how stages are fielded, nor what they cost together."""
    by_person: dict[str, list[PricedModel]] = {}
    for model in force.models:
        if model.entry and model.entry.stage:
            by_person.setdefault(model.entry.person or model.entry.name, []).append(model)
    for person, models in by_person.items():
        message = gettext(
            "%(models)s: the edition does not say whether the stages of %(person)s are fielded alone or together, nor "
            "what they cost then",
            models=", ".join(model.label for model in models),
            person=person,
        )
        yield query("bm.unique", message, on=models)
