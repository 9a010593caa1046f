"""Queries for the organiser, each under the id of the rule concerned.

A disputed fact (the sources of the edition contradict each other) is a query only if the other reading would have
changed the verdict on this force.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from validators.battle_mode.edition import DisputedRow, ModelEntry
from validators.battle_mode.force import PricedForce, PricedModel
from validators.battle_mode.force_rules import finding, together
from validators.contract import Finding
from validators.names import counted

_DIFFER = "the sources of this edition do not agree"


def file_total(force: PricedForce) -> Iterator[Finding]:
    """bm.cost: the force's file states another total, so something in it was read differently."""
    if force.file_total not in (None, force.total):
        message = f"The file that this list was read from costs {force.file_total} Caps, the list {force.total}"
        yield finding("bm.cost", message, figures={"file": force.file_total or 0, "total": force.total})


def perk_twice(force: PricedForce) -> Iterator[Finding]:
    """bm.perk: a perk more than once on one model, built in or bought; the rulebook is silent on its effect."""
    for model in force.models:
        times = Counter(perk.entry.name for perk in model.perks if perk.entry)
        for perk, bought in times.items():
            built_in = model.entry is not None and perk in model.entry.built_in
            if (count := bought + built_in) > 1:
                yield finding(
                    "bm.perk",
                    f"{model.label} has the perk {perk} {count} times{', one of them built in' if built_in else ''}",
                    on=[model],
                    figures={"count": count},
                )


def built_in_mod_bought(force: PricedForce) -> Iterator[Finding]:
    """bm.mod: a mod bought for an item into which it is built; the rulebook does not say what this means."""
    for model, entry, item, listed in force.known_items:
        for mod in (mod.entry for mod in item.mods if mod.entry):
            if entry.has_built_in_mod(mod.name, listed.name):
                message = f"{model.label} has {mod.name} on {listed.name} built in, and bought it as well"
                yield finding("bm.mod", message, on=[model])


def printed_profile(force: PricedForce) -> Iterator[Finding]:
    """bm.carry: a free item (a creature's bite) on a model that is not known to have it."""
    for model, entry, _, item in force.known_items:
        if not item.caps and not entry.carries(item.name) and item.name not in entry.built_in:
            message = (
                f"{item.name} on {model.label}: it costs nothing, being printed on the models that have it, and the "
                "edition does not say which those are"
            )
            yield finding("bm.carry", message, on=[model])


def perhaps_carried(force: PricedForce) -> Iterator[Finding]:
    """bm.carry: an item that the model's packs may contain, but the edition does not say so."""
    for model, entry, _, item in force.known_items:
        if item.name in entry.perhaps_carries:
            message = f"{item.name} on {model.label}: the edition does not say whether one of its packs holds it"
            yield finding("bm.carry", message, on=[model])


def perhaps_unique(force: PricedForce) -> Iterator[Finding]:
    """bm.unique: a person more than once, in models that the edition does not clearly call unique."""
    for person, models, faces in together(force, lambda entry: entry.person):
        if any(model.entry and model.entry.perhaps_unique for model in models):
            yield finding(
                "bm.unique",
                f"{person} may be in the force {len(models)} times ({faces}): the edition does not say who is unique",
                on=models,
                figures={"used": len(models)},
            )


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
        yield finding(
            "bm.cost",
            f"{' and '.join(perks)}: rounded half up and taken of the model's own cost the total is {force.total} "
            f"of {force.size}; read otherwise it is {min(totals)} to {max(totals)}",
            on=models,
            figures={"total": force.total, "least": min(totals), "most": max(totals), "size": force.size},
        )


def _paid(model: PricedModel) -> int:
    return sum(perk.caps for perk in model.perks if perk.percent)


def _shares(model: PricedModel, of_everything: bool, rounded_up: int) -> int:
    """The cost of the model's shares: of its own or its whole cost, rounded up from this many hundredths."""
    own = model.entry.caps if model.entry else 0
    base = model.caps - _paid(model) if of_everything else own
    return sum((base * perk.percent + rounded_up) // 100 for perk in model.perks if perk.percent)


def disputed(force: PricedForce) -> Iterator[Finding]:
    """Every disputed fact in the edition on which this force depends."""
    for dispute in force.edition.disputed:
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
            yield finding(f"bm.{dispute.fact}", message, on=[model])


def _unique(force: PricedForce, dispute: DisputedRow) -> Iterator[Finding]:
    models = [model for model in force.models if _is(model.entry, dispute)]
    here, other = ("unique", "not unique") if dispute.here else ("not unique", "unique")
    if len(models) > 1:
        message = f"{dispute.model} {len(models)} times: {_DIFFER}; the model is {here} here, {other} in the other"
        yield finding("bm.unique", message, on=models, figures={"used": len(models)})


def _caps(force: PricedForce, dispute: DisputedRow) -> Iterator[Finding]:
    bought = [(m, i.count) for m in force.models for i in m.items if i.entry and i.entry.name == dispute.item]
    models = list({model.place: model for model, _ in bought}.values())
    copies, size = sum(count for _, count in bought), force.size
    total = force.total + copies * (dispute.there - dispute.here)
    if (force.total <= size) != (total <= size):
        message = (
            f"{counted(copies, dispute.item or '')} at {dispute.here} Caps: {_DIFFER}; "
            f"at {dispute.there} Caps the total is {total} of {size}"
        )
        figures = {"copies": copies, "here": dispute.here, "there": dispute.there, "total": total, "size": size}
        yield finding("bm.size", message, on=models, figures=figures)


def _is(entry: ModelEntry | None, dispute: DisputedRow) -> bool:
    return entry is not None and (entry.name, entry.faction) == (dispute.model, dispute.faction)
