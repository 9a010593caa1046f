"""The rules for a force and for each of its models: each function yields the problems, or the queries, under one id.

A disputed fact (the sources of the edition contradict each other) is a query only if the other reading would have
changed the verdict on this force.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Literal

from validators.battle_mode.edition import DisputedRow, Item, ModelEntry, Upgrade
from validators.battle_mode.force import PricedForce, PricedModel
from validators.contract import Finding
from validators.kit import checks
from validators.names import MOST_SEARCHED, NearNames, counted, fold, nearest

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
        message = f"{counted(used, 'heavy weapon')}, {allowed} allowed at {force.size} Caps"
        figures = {"used": used, "allowed": allowed, "size": force.size}
        on = [m for m in force.models if any(item.heavy for item in m.items)]
        fix = f"Take out {counted(used - allowed, 'heavy weapon')}."
        yield finding("bm.heavy", message, figures=figures, on=on, fix=fix)


def leader(force: PricedForce) -> Iterator[Finding]:
    """bm.leader: exactly one model is the Leader."""
    leaders = [m for m in force.models if m.leader]
    if not leaders:
        fix = "Mark one model as the Leader." if force.models else "Add a model and mark it as the Leader."
        yield finding("bm.leader", "No Leader, 1 needed", fix=fix, figures={"leaders": 0})
    elif len(leaders) > 1:
        message = f"{len(leaders)} Leaders, 1 allowed"
        fix = f"Leave the mark on one of {', '.join(m.label for m in leaders)}."
        yield finding("bm.leader", message, fix=fix, on=leaders, figures={"leaders": len(leaders)})


def leader_card(force: PricedForce) -> Iterator[Finding]:
    """bm.leader-card: known Leader cards are on the Leader only, at most one, and in the Leader's packs."""
    holders = [m for m in force.models if m.leader_card and m.leader_card.entry]
    for model in holders:
        if not model.leader and model.leader_card:
            message = f"{model.label} has the Leader card {model.leader_card.name} and is not the Leader"
            fix = f"Take the card off {model.label}, or make it the Leader."
            yield finding("bm.leader-card", message, on=[model], fix=fix)
        held = model.leader_card.entry if model.leader_card else None
        if held and model.entry and not model.entry.may_have("Leader card", held.name):
            message = f"{model.label} may not have the Leader card {held.name}: it is in none of its packs"
            yield finding("bm.leader-card", message, on=[model], fix=f"Take the card off {model.label}.")
    loose = [card for card in force.cards if card.is_leader_card and card.entry]
    for card in loose:
        message = f"The Leader card {card.name} is on no model"
        yield finding("bm.leader-card", message, fix="Take it out, or give it to the Leader.")
    cards = len(holders) + len(loose)
    if cards > 1:
        message = f"{cards} Leader cards, 1 allowed"
        fix = f"Take out {counted(cards - 1, 'Leader card')}."
        yield finding("bm.leader-card", message, figures={"cards": cards}, on=holders, fix=fix)


def unique(force: PricedForce) -> Iterator[Finding]:
    """bm.unique: no person more than once, in any of the person's models."""
    for person, models, faces in together(force, lambda entry: entry.unique):
        message = f"{person} is in the force {len(models)} times ({faces}), 1 allowed"
        fix = f"Keep one of them and take out {len(models) - 1}."
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
            message = f"{card.kind} card{f' {card.name}' if card.name else ''}: not used in Battle Mode"
            yield finding("bm.banned", message, fix="Take the card out.")


def faction(force: PricedForce) -> Iterator[Finding]:
    """bm.faction: the force's faction may be fielded, and each known model is on its list."""
    fielded = tuple(f.name for f in force.edition.factions.values() if f.fielded)
    if force.faction is None:
        near = nearest(force.faction_name, fielded)
        message = f"{force.faction_name} is not a faction of this edition"
        yield finding("bm.faction", message, fix=f"Choose {' or '.join(near or fielded)}.")
        return
    if not force.faction.fielded:
        message = f"{force.faction.name} take no part in Battle Mode in this edition"
        yield finding("bm.faction", message, fix=f"Choose {' or '.join(fielded)}.")
    for model in force.models:
        if model.entry and model.entry.faction != force.faction.name:
            message = f"{model.label} belongs to {model.entry.faction}, this force to {force.faction.name}"
            yield finding("bm.faction", message, on=[model], fix=f"Take {model.label} out.")


Sort = Literal["model", "item"] | Upgrade

MOST_NAMED = 20
"""The most items that a fix lists by name; from longer lists it offers those with similar names."""


def cost(force: PricedForce) -> Iterator[Finding]:
    """bm.cost: every name is in the edition. Unknown names are checked by this rule alone."""
    for number, (sort, name, model) in enumerate(_unknown_names(force)):
        yield _unknown(force, sort, name, model, offer=number < MOST_SEARCHED)
    for card in force.cards:
        if not card.is_leader_card and fold(card.kind) not in BANNED_KINDS:
            named = f" {card.name}" if card.name else ""
            message = f"{card.kind} card{named}: no card of this kind has a cost"
            yield finding("bm.cost", message, fix="Take the card out.")


def carry(force: PricedForce) -> Iterator[Finding]:
    """bm.carry: a model carries only what its own entry lists. Free items are not purchases (see queries)."""
    near = NearNames()
    for model, entry, item, listed in force.known_items:
        if listed.printed and listed.name not in entry.built_in:
            message = f"{model.label} may not carry {listed.name}: only models on which it is printed have it"
            yield finding("bm.carry", message, fix="Take it off.", on=[model], figures={"copies": item.count})
        elif listed.caps and item.bought and not (entry.carries(listed.name) or listed.name in entry.perhaps_carries):
            copies = f" ({item.count} copies)" if item.count > 1 else ""
            message = f"{model.label} may not carry {listed.name}{copies}"
            fix = _instead(near, entry, listed)
            yield finding("bm.carry", message, fix=fix, on=[model], figures={"copies": item.count})


def perk(force: PricedForce) -> Iterator[Finding]:
    """bm.perk: only perks in the model's packs, if the edition has packs."""
    near = NearNames()
    for model in force.models:
        for perk in model.perks:
            if model.entry and perk.entry and not model.entry.may_have("perk", perk.entry.name):
                fix = another(near, perk.entry.name, model.entry.perks, "perk")
                yield finding("bm.perk", f"{model.label} may not have {perk.entry.name}", fix=fix, on=[model])


def heroic(force: PricedForce) -> Iterator[Finding]:
    """bm.heroic: Heroic only if the entry allows it."""
    for model in force.models:
        if model.heroic and model.entry and not model.entry.heroic:
            message = f"{model.label} may not be Heroic"
            fix = f"Take Heroic off {model.label}; that frees {force.edition.file.heroic_caps} Caps."
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
        fix = f"{name} is built in and costs nothing: take it off the list."
    elif sort == "item" and (perk := force.edition.perks.find(name)):
        fix = f"{perk.name} is a perk: enter it as one."
    else:
        fix = checks.offer(near, "Take it out: the edition has nothing near to it.")
    whose = f" (on {model.label})" if model and sort != "model" else ""
    message = f"{name}{whose}: no {sort} of this name has a cost"
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
        return f"Take it off: the model's packs hold no {sort}."
    near = names.nearest(name, tuple(sorted(allowed)))
    return f"Take it off, or choose {' or '.join(near)}." if near else "Take it off."


def _instead(names: NearNames, entry: ModelEntry, item: Item) -> str:
    if item.name in entry.built_in:
        return f"{item.name} is built in and costs nothing: take this one off."
    same_kind = entry.may_carry.get(item.kind, ())
    if len(same_kind) > MOST_NAMED:
        near = names.nearest(item.name, same_kind)
        return f"Take it off, or choose {' or '.join(near)}." if near else "Take it off."
    if same_kind:
        return f"Take it off, or choose from {', '.join(same_kind)}."
    if entry.packs:
        return f"Take it off: its packs ({', '.join(entry.packs)}) hold no {item.kind}."
    return f"Take it off: the entry lists no {item.kind}."


_DIFFER = "the sources of this edition do not agree"


def file_total(force: PricedForce) -> Iterator[Finding]:
    """bm.cost: the force's file states another total, so something in it was read differently."""
    if force.file_total not in (None, force.total):
        message = f"The file that this list was read from costs {force.file_total} Caps, the list {force.total}"
        yield query("bm.cost", message, figures={"file": force.file_total or 0, "total": force.total})


def not_read(force: PricedForce) -> Iterator[Finding]:
    """bm.cost: a line with a cost in the text from which the list was read that was not read."""
    for line in force.not_read:
        yield query("bm.cost", f"Not read, please check: {line}")


def perk_twice(force: PricedForce) -> Iterator[Finding]:
    """bm.perk: a perk more than once on one model, built in or bought; the rulebook is silent on its effect."""
    for model in force.models:
        times = Counter(perk.entry.name for perk in model.perks if perk.entry)
        for perk, bought in times.items():
            built_in = model.entry is not None and perk in model.entry.built_in
            if (count := bought + built_in) > 1:
                message = f"{model.label} has the perk {perk} {count} times"
                message += ", one of them built in" if built_in else ""
                yield query("bm.perk", message, on=[model], figures={"count": count})


def printed_profile(force: PricedForce) -> Iterator[Finding]:
    """bm.carry: a free item (a creature's bite) on a model that is not known to have it."""
    for model, entry, _, item in force.known_items:
        named = item.printed or entry.carries(item.name) or item.name in entry.built_in
        if not item.caps and not named:
            message = f"{item.name} on {model.label}: it costs nothing, being printed on the models that have it, "
            message += "and the edition does not say which those are"
            yield query("bm.carry", message, on=[model])


def perhaps_carried(force: PricedForce) -> Iterator[Finding]:
    """bm.carry: an item that the model's packs may contain, but the edition does not say so."""
    for model, entry, _, item in force.known_items:
        if item.name in entry.perhaps_carries:
            message = f"{item.name} on {model.label}: the edition does not say whether one of its packs holds it"
            yield query("bm.carry", message, on=[model])


def perhaps_unique(force: PricedForce) -> Iterator[Finding]:
    """bm.unique: a person more than once, in models that the edition does not clearly call unique."""
    for person, models, faces in together(force, lambda entry: entry.person):
        if any(model.entry and model.entry.perhaps_unique for model in models):
            message = f"{person} may be in the force {len(models)} times ({faces}): "
            message += "the edition does not say who is unique"
            yield query("bm.unique", message, on=models, figures={"used": len(models)})


def share(force: PricedForce) -> Iterator[Finding]:
    """bm.cost: a share of a model's cost, if its readings (see docs/battle_mode.md) decide whether the size is kept."""
    models = [model for model in force.models if any(perk.percent for perk in model.perks)]
    totals = {
        force.total + sum(_shares(model, more, rounded_up) - _paid(model) for model in models)
        for more in (False, True)
        for rounded_up in (0, 50, 99)
    }
    if len({total <= force.size for total in totals}) > 1:
        perks = dict.fromkeys(perk.name for model in models for perk in model.perks if perk.percent)
        message = f"{' and '.join(perks)}: rounded half up and taken of the model's own cost the total is "
        message += f"{force.total} of {force.size}; read otherwise it is {min(totals)} to {max(totals)}"
        figures = {"total": force.total, "least": min(totals), "most": max(totals), "size": force.size}
        yield query("bm.cost", message, on=models, figures=figures)


def _paid(model: PricedModel) -> int:
    return sum(perk.caps for perk in model.perks if perk.percent)


def _shares(model: PricedModel, of_everything: bool, rounded_up: int) -> int:
    """The cost of the model's shares: of its own or its whole cost, rounded up from this many hundredths."""
    own = model.entry.caps if model.entry else 0
    base = model.caps - _paid(model) if of_everything else own
    return sum((base * perk.percent + rounded_up) // 100 for perk in model.perks if perk.percent)


def disputed(force: PricedForce) -> Iterator[Finding]:
    """Every disputed fact in the edition on which this force depends."""
    for dispute in force.edition.file.disputed:
        match dispute.fact:
            case "carry":
                holders = [m for m in force.models if any(i.entry and i.entry.name == dispute.item for i in m.items)]
                yield from _allowed(holders, f"with {dispute.item}", dispute)
            case "heroic":
                yield from _allowed([model for model in force.models if model.heroic], "as Heroic", dispute)
            case "unique":
                yield from _unique(force, dispute)
            case "caps":
                yield from _caps(force, dispute)


def _allowed(models: Sequence[PricedModel], what: str, dispute: DisputedRow) -> Iterator[Finding]:
    here, other = "allowed" if dispute.here else "refused", "allows" if dispute.there else "refuses"
    for model in models:
        if _is(model.entry, dispute):
            message = f"{model.label} {what}: {_DIFFER}; it is {here} here, the other {other} it"
            yield query(f"bm.{dispute.fact}", message, on=[model])


def _unique(force: PricedForce, dispute: DisputedRow) -> Iterator[Finding]:
    models = [model for model in force.models if _is(model.entry, dispute)]
    here, other = ("unique", "not unique") if dispute.here else ("not unique", "unique")
    if len(models) > 1:
        message = f"{dispute.model} {len(models)} times: {_DIFFER}; the model is {here} here, {other} in the other"
        yield query("bm.unique", message, on=models, figures={"used": len(models)})


def _caps(force: PricedForce, dispute: DisputedRow) -> Iterator[Finding]:
    bought = [(m, i.count) for m in force.models for i in m.items if i.entry and i.entry.name == dispute.item]
    models = list({model.place: model for model, _ in bought}.values())
    copies, size = sum(count for _, count in bought), force.size
    total = force.total + copies * (dispute.there - dispute.here)
    if (force.total <= size) != (total <= size):
        message = f"{counted(copies, dispute.item or '')} at {dispute.here} Caps: {_DIFFER}; "
        message += f"at {dispute.there} Caps the total is {total} of {size}"
        figures = {"copies": copies, "here": dispute.here, "there": dispute.there, "total": total, "size": size}
        yield query("bm.size", message, on=models, figures=figures)


def _is(entry: ModelEntry | None, dispute: DisputedRow) -> bool:
    return entry is not None and (entry.name, entry.faction) == (dispute.model, dispute.faction)
