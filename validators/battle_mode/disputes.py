"""Queries of a force where the sources of its edition, or the readings of the rules, differ or are silent."""

from collections.abc import Iterator, Sequence
from functools import partial

from languages.words import gettext, listed, ngettext
from validators.battle_mode import force_rules
from validators.battle_mode.edition import DisputedRow, ModelEntry
from validators.battle_mode.force import PricedForce, PricedModel
from validators.contract import Finding
from validators.kit import checks
from validators.kit.checks import caps

finding, query = partial(checks.finding, by="name"), partial(checks.query, by="name")
"""Findings name models as the force does."""


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
        message = gettext(
            "%(perks)s: rounded half up and taken of the model's own cost the total is "
            "%(total)s of %(size)s; read otherwise it is %(least)s to %(most)s",
            perks=gettext(" and ").join(perks),
            total=force.total,
            size=force.size,
            least=min(totals),
            most=max(totals),
        )
        figures = {"total": force.total, "least": min(totals), "most": max(totals), "size": force.size}
        yield query("bm.cost", message, on=models, figures=figures)


def _paid(model: PricedModel) -> int:
    return sum(perk.caps for perk in model.perks if perk.percent)


def _shares(model: PricedModel, of_everything: bool, rounded_up: int) -> int:
    """The cost of the model's shares: of its own or its whole cost, rounded up from this many hundredths."""
    own_caps = model.entry.caps if model.entry else 0
    base = model.caps - _paid(model) if of_everything else own_caps
    return sum((base * perk.percent + rounded_up) // 100 for perk in model.perks if perk.percent)


def disputed(force: PricedForce) -> Iterator[Finding]:
    for dispute in force.edition.file.disputed:
        match dispute.fact:
            case "carry":
                holders = [m for m in force.models if any(i.entry and i.entry.name == dispute.item for i in m.items)]
                yield from _allowed(holders, gettext("with %(item)s", item=dispute.item), dispute)
            case "heroic":
                yield from _allowed([model for model in force.models if model.heroic], gettext("as Heroic"), dispute)
            case "unique":
                yield from _unique(force, dispute)
            case "caps":
                yield from _caps(force, dispute)


def _allowed(models: Sequence[PricedModel], what: str, dispute: DisputedRow) -> Iterator[Finding]:
    here = gettext("allowed") if dispute.here else gettext("refused")
    other = gettext("allows") if dispute.there else gettext("refuses")
    for model in models:
        if _is(model.entry, dispute):
            message = gettext(
                "%(model)s %(what)s: the sources of this edition do not agree; "
                "it is %(here)s here, the other %(other)s it",
                model=model.label,
                what=what,
                here=here,
                other=other,
            )
            yield query(f"bm.{dispute.fact}", message, on=[model])


def _unique(force: PricedForce, dispute: DisputedRow) -> Iterator[Finding]:
    models = [model for model in force.models if _is(model.entry, dispute)]
    here, other = gettext("unique"), gettext("not unique")
    if not dispute.here:
        here, other = other, here
    if len(models) > 1:
        message = ngettext(
            "%(model)s %(num)s time: the sources of this edition do not agree; "
            "the model is %(here)s here, %(other)s in the other",
            "%(model)s %(num)s times: the sources of this edition do not agree; "
            "the model is %(here)s here, %(other)s in the other",
            len(models),
            model=dispute.model,
            here=here,
            other=other,
        )
        yield query("bm.unique", message, on=models, figures={"used": len(models)})


def _caps(force: PricedForce, dispute: DisputedRow) -> Iterator[Finding]:
    bought = [(m, i.count) for m in force.models for i in m.items if i.entry and i.entry.name == dispute.item]
    models = list({model.place: model for model, _ in bought}.values())
    copies, size = sum(count for _, count in bought), force.size
    total = force.total + copies * (dispute.there - dispute.here)
    if (force.total <= size) != (total <= size):
        message = gettext(
            "%(copies)s at %(here)s: the sources of this edition do not agree; "
            "at %(there)s the total is %(total)s of %(size)s",
            copies=f"{copies} × {dispute.item}",
            here=caps(dispute.here),
            there=caps(dispute.there),
            total=total,
            size=size,
        )
        figures = {"copies": copies, "here": dispute.here, "there": dispute.there, "total": total, "size": size}
        yield query("bm.size", message, on=models, figures=figures)


def _is(entry: ModelEntry | None, dispute: DisputedRow) -> bool:
    return entry is not None and (entry.name, entry.faction) == (dispute.model, dispute.faction)


def options_unknown(force: PricedForce) -> Iterator[Finding]:
    """bm.carry: what is bought for a model of which the edition does not say what it may have."""
    bought: dict[int, list[str]] = {
        model.place: [gettext("Heroic")] * model.heroic
        for model in force.models
        if model.entry and model.entry.options_unknown
    }
    for model, part in force.known_parts:
        if model and model.entry and model.place in bought:
            given = {*model.entry.usual, *model.entry.built_in, *bought[model.place]}
            bought[model.place] += [part.name] * (part is not model.entry and part.name not in given)
    for place, names in bought.items():
        if names:
            model = force.models[place]
            message = gettext(
                "%(model)s: this edition does not say what it may have. Ask the organiser about %(names)s.",
                model=model.label,
                names=listed(names),
            )
            yield query("bm.carry", message, on=[model])


def cost_unknown(force: PricedForce) -> Iterator[Finding]:
    """bm.cost: what is used and has no cost in the edition. A built-in part costs nothing."""
    users: dict[str, list[PricedModel]] = {}
    for model, part in force.known_parts:
        built_in = model is not None and model.entry is not None and part.name in model.entry.built_in
        if not force.edition.states_cost(part) and not built_in:
            users.setdefault(part.name, []).extend([model] if model else [])
    for name, models in users.items():
        message = gettext("%(name)s: this edition states no cost, so 0 is counted. Ask the organiser.", name=name)
        yield query("bm.cost", message, on=list({model.place: model for model in models}.values()))


def perhaps_unique(force: PricedForce) -> Iterator[Finding]:
    """bm.unique: a person more than once, in models that the edition does not clearly call unique."""
    for person, models, faces in force_rules.together(force, lambda entry: entry.person):
        if any(model.entry and model.entry.perhaps_unique for model in models):
            message = ngettext(
                "%(person)s may be in the force %(num)s time (%(faces)s): the edition does not say who is unique",
                "%(person)s may be in the force %(num)s times (%(faces)s): the edition does not say who is unique",
                len(models),
                person=person,
                faces=faces,
            )
            yield query("bm.unique", message, on=models, figures={"used": len(models)})
