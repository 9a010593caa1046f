"""The check of a Battle Mode force: its rules in order, the contents of a force, and its summary."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from languages.words import N_, apart, gettext, ngettext
from validators.battle_mode import disputes, force_rules, mod_rules
from validators.battle_mode.edition import DATA
from validators.battle_mode.force import PricedForce, PricedModel, priced
from validators.battle_mode.force_rules import finding
from validators.contract import Document, EditionInfo, Finding, ForceSummary, Terms
from validators.event_rules import Held
from validators.kit.checks import Checks, caps, over_size
from validators.names import Words, fold
from validators.sheet import copies


def sideboard(force: PricedForce) -> Iterator[Finding]:
    """*.event.sideboard: the roster's Leader can be fielded, so that at least one force of it is possible."""
    size = force.terms.size
    for model in force.models:
        if model.leader and model.caps > size:
            message = gettext(
                "The Leader %(model)s costs %(caps)s alone, and %(size)s are fielded",
                model=model.label,
                caps=caps(model.caps),
                size=size,
            )
            figures = {"caps": model.caps, "size": size}
            fix = gettext("Take something off the Leader, or mark another model.")
            yield finding("bm.event.sideboard", message, on=[model], figures=figures, fix=fix)


def used_up(force: PricedForce, name: str, *, model: bool = False) -> bool:
    """Whether the event's copy limits leave no room for one more of this name, model or not."""
    most = force.terms.restrictions.most_of(name, model)
    return most is not None and sum(fold(holding.name) == fold(name) for holding in held(force)) >= most


def room_for_another(force: PricedForce, model: PricedModel) -> bool:
    """Whether the event's copy limits leave room for the model a second time, with its perks and items."""
    used = Counter(fold(card.name) for card in held(force))
    alone = replace(model, leader_card=None)
    copied = [(holding, fold(holding.name)) for holding in held(replace(force, models=(alone,), cards=()))]
    more = Counter(name for _, name in copied)
    limits = ((name, force.terms.restrictions.most_of(name, card.model)) for card, name in copied)
    return all(most is None or used[name] + more[name] <= most for name, most in limits)


def held(force: PricedForce) -> Iterator[Held]:
    for model in force.models:
        yield Held(model.name, "", model.place, model=True)
        for item in model.items:
            yield from [Held(item.name, model.label, model.place)] * item.count
            for mod in item.mods:
                yield from [Held(mod.name, model.label, model.place)] * item.count
        yield from (Held(perk.name, model.label, model.place) for perk in model.perks)
        if model.leader_card:
            yield Held(model.leader_card.name, model.label, model.place)
    yield from (Held(card.name or card.kind) for card in force.cards)


CHECKS = Checks(
    prefix="bm",
    unit=N_("Caps"),
    words=Words(led=True, others=("BattleScribe (.ros, .rosz)", "New Recruit (.json)", N_("list builders (.txt)"))),
    texts=DATA / "rules.json",
    priced=priced,
    held=held,
    allows=lambda terms: ngettext(
        "%(num)s heavy weapon", "%(num)s heavy weapons", force_rules.heavy_weapons_allowed(terms.size)
    ),
    findings={
        "bm.size": partial(over_size, "bm.size", caps),
        "bm.faction": force_rules.faction,
        "bm.cost": force_rules.cost,
        "bm.heavy": force_rules.heavy,
        "bm.carry": partial(force_rules.refused, "item"),
        "bm.mod": mod_rules.mod,
        "bm.perk": partial(force_rules.refused, "perk"),
        "bm.heroic": force_rules.heroic,
        "bm.leader": force_rules.leader,
        "bm.leader-card": force_rules.leader_card,
        "bm.unique": force_rules.unique,
        "bm.banned": force_rules.banned,
    },
    sideboard=sideboard,
    queries=(
        force_rules.file_total,
        force_rules.not_read,
        force_rules.perk_twice,
        mod_rules.built_in_mod_bought,
        mod_rules.mod_elsewhere,
        disputes.perhaps_unique,
        disputes.options_unknown,
        disputes.cost_unknown,
        force_rules.asked,
        force_rules.stages,
        disputes.share,
        disputes.disputed,
    ),
)


def summarise(document: Document, edition: EditionInfo) -> ForceSummary:
    force = priced(document, Terms(edition))
    leader = gettext(" and ").join(model.name for model in force.models if model.leader)
    lines = tuple((_line(model), model.caps) for model in force.models)
    return ForceSummary(force.faction_name, force.total, leader, lines)


def _line(model: PricedModel) -> str:
    marks = [gettext("Heroic")] if model.heroic else []
    card = model.leader_card.name if model.leader_card else ""
    if model.leader:
        marks.append(gettext("Leader (%(card)s)", card=card) if card else gettext("Leader"))
    elif card:
        marks.append(gettext("Leader card %(card)s", card=card))
    return apart(filter(None, (", ".join([model.name, *marks]), _items(model), _perks(model))))


def carried(model: PricedModel) -> str:
    """What is bought for a model, in one line: "Heroic; Pipe Pistol with Scope; perk Sneak"."""
    card = model.leader_card.name if model.leader_card else ""
    return apart(filter(None, (gettext("Heroic") if model.heroic else "", card, _items(model), _perks(model))))


def _items(model: PricedModel) -> str:
    return ", ".join(
        gettext(
            "%(item)s with %(mods)s",
            item=copies(item.count, item.name),
            mods=gettext(" and ").join(mod.name for mod in item.mods),
        )
        if item.mods
        else copies(item.count, item.name)
        for item in model.items
    )


def _perks(model: PricedModel) -> str:
    names = ", ".join(perk.name for perk in model.perks)
    return names and ngettext("perk %(names)s", "perks %(names)s", len(model.perks), names=names)
