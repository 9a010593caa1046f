"""What an event adds, for Battle Mode: what a force holds, and whether its roster leaves a force to field."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from validators.battle_mode.findings import finding
from validators.battle_mode.priced import PricedForce, PricedModel
from validators.contract import Finding, Rule, Terms
from validators.event_rules import Held, judged, may_add
from validators.event_rules import rules_added as told
from validators.names import fold

MAY_ADD = may_add("bm")


def added(force: PricedForce) -> Iterator[Finding]:
    """bm.event.*: bans, most copies, factions."""
    if force.restrictions or force.bound_faction:
        yield from judged("bm", force.faction_name, tuple(held(force)), force.restrictions, force.bound_faction)


def sideboard(force: PricedForce) -> Iterator[Finding]:
    """*.event.sideboard: the roster's Leader can be fielded, so that some force of it can be."""
    size = force.fielded_size
    if force.restrictions.roster_size is None:
        return
    for model in force.models:
        if model.leader and model.caps > size:
            yield finding(
                "bm.event.sideboard",
                f"The Leader {model.label} costs {model.caps} Caps alone, and {size} are fielded",
                models=[model],
                figures={"caps": model.caps, "size": size},
                mend="Take something off the Leader, or mark another model.",
            )


def rules_added(terms: Terms) -> tuple[Rule, ...]:
    """What the restrictions say, as rules with their ids."""
    return told("bm", terms, "Caps")


def used_up(force: PricedForce, name: str, *, model: bool = False) -> bool:
    """Whether the event's most copies leave no room for one more of this name, a model or not."""
    most = force.restrictions.most_of(name, model)
    return most is not None and sum(fold(one.name) == fold(name) for one in held(force)) >= most


def room_for_another(force: PricedForce, model: PricedModel) -> bool:
    """Whether the event's most copies leave room for the model a second time, with its perks and items."""
    used = Counter(fold(one.name) for one in held(force))
    alone = replace(model, leader_card=None)
    copied = [(one, fold(one.name)) for one in held(replace(force, models=(alone,), cards=()))]
    more = Counter(name for _, name in copied)
    limits = ((name, force.restrictions.most_of(name, one.model)) for one, name in copied)
    return all(most is None or used[name] + more[name] <= most for name, most in limits)


def held(force: PricedForce) -> Iterator[Held]:
    """Everything that the force holds, once for each copy."""
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
