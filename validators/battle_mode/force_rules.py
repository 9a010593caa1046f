"""The rules for a force and for each of its models: each function yields the problems, or the queries, under one id.

A disputed fact (the sources of the edition contradict each other) is a query only if the other reading would have
changed the verdict on this force.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Literal

from languages.words import gettext, ngettext, noted
from validators.battle_mode.edition import Item, ModelEntry, Upgrade
from validators.battle_mode.force import PricedForce, PricedModel
from validators.contract import Finding
from validators.kit import checks
from validators.names import MOST_SEARCHED, NearNames, fold, nearest

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
            message = gettext(
                "%(model)s has the Leader card %(leader_card)s and is not the Leader",
                model=model.label,
                leader_card=model.leader_card.name,
            )
            fix = gettext("Take the card off %(model)s, or make it the Leader.", model=model.label)
            yield finding("bm.leader-card", message, on=[model], fix=fix)
        held = model.leader_card.entry if model.leader_card else None
        if held and model.entry and not model.entry.may_have("Leader card", held.name):
            message = gettext(
                "%(model)s may not have the Leader card %(held)s: it is in none of its packs",
                model=model.label,
                held=held.name,
            )
            yield finding(
                "bm.leader-card", message, on=[model], fix=gettext("Take the card off %(model)s.", model=model.label)
            )
    loose = [card for card in force.cards if card.is_leader_card and card.entry]
    for card in loose:
        message = gettext("The Leader card %(card)s is on no model", card=card.name)
        yield finding("bm.leader-card", message, fix=gettext("Take it out, or give it to the Leader."))
    cards = len(holders) + len(loose)
    if cards > 1:
        message = ngettext("%(num)s Leader card, 1 allowed", "%(num)s Leader cards, 1 allowed", cards)
        fix = ngettext("Take out %(num)s Leader card.", "Take out %(num)s Leader cards.", cards - 1)
        yield finding("bm.leader-card", message, figures={"cards": cards}, on=holders, fix=fix)


def unique(force: PricedForce) -> Iterator[Finding]:
    """bm.unique: no person more than once, in any of the person's models."""
    for person, models, faces in together(force, lambda entry: entry.unique):
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
            message = gettext(
                "%(model)s belongs to %(faction)s, this force to %(own)s",
                model=model.label,
                faction=model.entry.faction,
                own=force.faction.name,
            )
            yield finding("bm.faction", message, on=[model], fix=gettext("Take %(model)s out.", model=model.label))


Sort = Literal["model", "item"] | Upgrade
SORTS: dict[Sort, str] = {
    "model": noted("model"), "item": noted("item"), "perk": noted("perk"), "mod": noted("mod"),
    "Leader card": noted("Leader card"),
}  # fmt: skip

MOST_NAMED = 20
"""The most items that a fix lists by name; from longer lists it offers those with similar names."""


def cost(force: PricedForce) -> Iterator[Finding]:
    """bm.cost: every name is in the edition. Unknown names are checked by this rule alone."""
    for number, (sort, name, model) in enumerate(_unknown_names(force)):
        yield _unknown(force, sort, name, model, offer=number < MOST_SEARCHED)
    for card in force.cards:
        if not card.is_leader_card and fold(card.kind) not in BANNED_KINDS:
            named = f" {card.name}" if card.name else ""
            message = gettext("%(kind)s card%(named)s: no card of this kind has a cost", kind=card.kind, named=named)
            yield finding("bm.cost", message, fix=gettext("Take the card out."))


def carry(force: PricedForce) -> Iterator[Finding]:
    """bm.carry: a model carries only what its own entry lists. Free items are not purchases (see queries)."""
    near = NearNames()
    for model, entry, item, listed in force.known_items:
        if listed.printed and listed.name not in entry.built_in and not entry.options_unknown:
            message = gettext(
                "%(model)s may not carry %(listed)s: only models on which it is printed have it",
                model=model.label,
                listed=listed.name,
            )
            yield finding("bm.carry", message, fix=gettext("Take it off."), on=[model], figures={"copies": item.count})
        elif listed.caps and item.bought and not (entry.carries(listed.name) or listed.name in entry.perhaps_carries):
            copies = ngettext(" (%(num)s copy)", " (%(num)s copies)", item.count) if item.count > 1 else ""
            message = gettext(
                "%(model)s may not carry %(listed)s%(copies)s", model=model.label, listed=listed.name, copies=copies
            )
            fix = _instead(near, entry, listed)
            yield finding("bm.carry", message, fix=fix, on=[model], figures={"copies": item.count})


def perk(force: PricedForce) -> Iterator[Finding]:
    """bm.perk: only perks in the model's packs, if the edition has packs."""
    near = NearNames()
    for model in force.models:
        for perk in model.perks:
            if model.entry and perk.entry and not model.entry.may_have("perk", perk.entry.name):
                fix = another(near, perk.entry.name, model.entry.perks, "perk")
                yield finding(
                    "bm.perk",
                    gettext("%(model)s may not have %(entry)s", model=model.label, entry=perk.entry.name),
                    fix=fix,
                    on=[model],
                )


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


def _unknown_names(force: PricedForce) -> Iterator[tuple[Sort, str, PricedModel | None]]:
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


def _unknown(force: PricedForce, sort: Sort, name: str, model: PricedModel | None, *, offer: bool) -> Finding:
    near = near_names(force, sort, name) if offer else ()
    if model and model.entry and fold(name) in map(fold, model.entry.built_in):
        fix = gettext("%(name)s is built in and costs nothing: take it off the list.", name=name)
    elif sort == "item" and (perk := force.edition.perks.find(name)):
        fix = gettext("%(perk)s is a perk: enter it as one.", perk=perk.name)
    else:
        fix = checks.offer(near, gettext("Take it out: the edition has nothing near to it."))
    whose = gettext(" (on %(model)s)", model=model.label) if model and sort != "model" else ""
    said = gettext(SORTS[sort])
    message = gettext("%(name)s%(whose)s: no %(sort)s of this name has a cost", name=name, whose=whose, sort=said)
    return finding("bm.cost", message, fix=fix, on=[model] if model else [])


def near_names(force: PricedForce, sort: Sort, name: str) -> tuple[str, ...]:
    """Known names similar to this one; of models, those of the force's own faction first."""
    edition = force.edition
    if sort == "model":
        own = tuple(entry.name for entry in force.faction.models.values()) if force.faction else ()
        everyone = (e.name for f in edition.factions.values() for e in f.models.values())
        return nearest(name, own) or nearest(name, tuple(everyone))
    if sort == "item":  # an import stores here any part of a model
        tables = (edition.items, edition.perks, edition.leader_cards, edition.mods)
        return nearest(name, tuple(dict.fromkeys(entry.name for table in tables for entry in table.values())))
    return nearest(name, tuple(entry.name for entry in edition.upgrades(sort).values()))


def another(names: NearNames, name: str, allowed: frozenset[str] | None, sort: Sort) -> str:
    """The fix for a perk or mod that the model's packs do not hold, with similar ones that they do."""
    if not allowed:
        return gettext("Take it off: the model's packs hold no %(sort)s.", sort=gettext(SORTS[sort]))
    near = names.nearest(name, tuple(sorted(allowed)))
    return _off(near)


def _off(near: Sequence[str]) -> str:
    if near:
        return gettext("Take it off, or choose %(names)s.", names=gettext(" or ").join(near))
    return gettext("Take it off.")


def _instead(names: NearNames, entry: ModelEntry, item: Item) -> str:
    if item.name in entry.built_in:
        return gettext("%(item)s is built in and costs nothing: take this one off.", item=item.name)
    same_kind = entry.may_carry.get(item.kind, ())
    if len(same_kind) > MOST_NAMED:
        return _off(names.nearest(item.name, same_kind))
    if same_kind:
        return gettext("Take it off, or choose from %(names)s.", names=", ".join(same_kind))
    if entry.packs:
        packs = ", ".join(entry.packs)
        return gettext("Take it off: its packs (%(packs)s) hold no %(kind)s.", packs=packs, kind=item.kind)
    return gettext("Take it off: the entry lists no %(kind)s.", kind=item.kind)


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


def printed_profile(force: PricedForce) -> Iterator[Finding]:
    """bm.carry: a free item (a creature's bite) on a model that is not known to have it."""
    for model, entry, _, item in force.known_items:
        named = item.printed or entry.carries(item.name) or item.name in entry.built_in or entry.options_unknown
        if not item.caps and not named and force.edition.states_cost(item):
            message = gettext(
                "%(item)s on %(model)s: it costs nothing, being printed on the models that have it, "
                "and the edition does not say which those are",
                item=item.name,
                model=model.label,
            )
            yield query("bm.carry", message, on=[model])
