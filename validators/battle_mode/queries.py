"""Queries for the organiser, each under the id of the rule concerned.

A disputed fact (the sources of the edition contradict each other) is a query only if the other reading would have
changed the verdict on this force.
"""

from collections import Counter
from collections.abc import Iterator

from validators.battle_mode.edition import Disputed, ModelEntry
from validators.battle_mode.force import PricedForce, PricedModel
from validators.battle_mode.force_rules import finding
from validators.contract import Finding
from validators.names import counted

_DIFFER = "the sources of this edition do not agree"


def file_total(force: PricedForce) -> Iterator[Finding]:
    """bm.cost: the force's file states another total, so something in it was read differently."""
    if force.file_total not in (None, force.total):
        message = f"The file that this list was read from costs {force.file_total} Caps, the list {force.total}"
        yield finding("bm.cost", message, figures={"file": force.file_total or 0, "total": force.total})


def perk_twice(force: PricedForce) -> Iterator[Finding]:
    """bm.perk: one perk more than once on one model, built in or bought; the rulebook does not say whether this has
    an effect.
    """
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
    for model in force.models:
        for item in model.items:
            for mod in item.mods:
                if (
                    model.entry
                    and item.entry
                    and mod.entry
                    and model.entry.has_built_in_mod(mod.entry.name, item.entry.name)
                ):
                    message = f"{model.label} has {mod.entry.name} on {item.entry.name} built in, and bought it as well"
                    yield finding("bm.mod", message, on=[model])


def printed_profile(force: PricedForce) -> Iterator[Finding]:
    """bm.carry: a free item (a creature's bite) on a model that is not known to have it."""
    for model in force.models:
        for item in model.items:
            if model.entry and item.entry and not item.entry.caps and not _has(model.entry, item.entry.name):
                yield finding(
                    "bm.carry",
                    f"{item.entry.name} on {model.label}: it costs nothing, being printed on the models that have "
                    "it, and the edition does not say which those are",
                    on=[model],
                )


def perhaps_carried(force: PricedForce) -> Iterator[Finding]:
    """bm.carry: an item that the model's packs may contain, but the edition does not say so."""
    for model in force.models:
        for item in model.items:
            if model.entry and item.entry and item.entry.name in model.entry.perhaps_carries:
                yield finding(
                    "bm.carry",
                    f"{item.entry.name} on {model.label}: the edition does not say whether one of its packs holds it",
                    on=[model],
                )


def perhaps_unique(force: PricedForce) -> Iterator[Finding]:
    """bm.unique: a person more than once, in models that the edition does not clearly call unique."""
    by_person: dict[str, list[PricedModel]] = {}
    for model in force.models:
        if model.entry and model.entry.person:
            by_person.setdefault(model.entry.person, []).append(model)
    for person, models in by_person.items():
        if len(models) > 1 and any(model.entry and model.entry.perhaps_unique for model in models):
            faces = ", ".join(dict.fromkeys(model.name for model in models))
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
    """The cost of the model's shares: of its own cost or of everything bought for it, rounded up from this many
    hundredths.
    """
    own = model.entry.caps if model.entry else 0
    base = model.caps - _paid(model) if of_everything else own
    return sum((base * perk.percent + rounded_up) // 100 for perk in model.perks if perk.percent)


def _has(entry: ModelEntry, item: str) -> bool:
    return entry.carries(item) or item in entry.built_in


def disputed(force: PricedForce) -> Iterator[Finding]:
    """Every disputed fact in the edition on which this force depends."""
    for dispute in force.edition.disputed:
        match dispute.fact:
            case "carry":
                yield from _carry(force, dispute)
            case "heroic":
                yield from _heroic(force, dispute)
            case "unique":
                yield from _unique(force, dispute)
            case "caps":
                yield from _caps(force, dispute)


def _carry(force: PricedForce, dispute: Disputed) -> Iterator[Finding]:
    for model in force.models:
        carried = any(item.entry and item.entry.name == dispute.item for item in model.items)
        if carried and _is(model.entry, dispute):
            yield finding(
                "bm.carry",
                f"{model.label} with {dispute.item}: {_DIFFER}; "
                f"it is {'allowed' if dispute.here else 'refused'} here, the other {_other(dispute)} it",
                on=[model],
            )


def _heroic(force: PricedForce, dispute: Disputed) -> Iterator[Finding]:
    for model in force.models:
        if model.heroic and _is(model.entry, dispute):
            yield finding(
                "bm.heroic",
                f"{model.label} as Heroic: {_DIFFER}; "
                f"it is {'allowed' if dispute.here else 'refused'} here, the other {_other(dispute)} it",
                on=[model],
            )


def _unique(force: PricedForce, dispute: Disputed) -> Iterator[Finding]:
    models = [model for model in force.models if _is(model.entry, dispute)]
    if len(models) > 1:
        yield finding(
            "bm.unique",
            f"{dispute.model} {len(models)} times: {_DIFFER}; "
            f"the model is {'unique' if dispute.here else 'not unique'} here, "
            f"{'not unique' if dispute.here else 'unique'} in the other",
            on=models,
            figures={"used": len(models)},
        )


def _caps(force: PricedForce, dispute: Disputed) -> Iterator[Finding]:
    models: list[PricedModel] = []
    copies = 0
    for model in force.models:
        count = sum(item.count for item in model.items if item.entry and item.entry.name == dispute.item)
        if count:
            models.append(model)
            copies += count
    other_total = force.total + copies * (dispute.there - dispute.here)
    if (force.total <= force.size) != (other_total <= force.size):
        yield finding(
            "bm.size",
            f"{counted(copies, dispute.item)} at {dispute.here} Caps: {_DIFFER}; "
            f"at {dispute.there} Caps the total is {other_total} of {force.size}",
            on=models,
            figures={
                "copies": copies,
                "here": dispute.here,
                "there": dispute.there,
                "total": other_total,
                "size": force.size,
            },
        )


def _is(entry: ModelEntry | None, dispute: Disputed) -> bool:
    return entry is not None and (entry.name, entry.faction) == (dispute.model, dispute.faction)


def _other(dispute: Disputed) -> str:
    return "allows" if dispute.there else "refuses"
