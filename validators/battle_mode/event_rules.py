"""What an event adds, for Battle Mode: what a force holds, and whether its roster leaves a force to field."""

from collections.abc import Iterator

from validators.battle_mode.findings import finding
from validators.battle_mode.priced import PricedForce
from validators.contract import Finding, Rule, Terms
from validators.event_rules import Held, judged, may_add
from validators.event_rules import rules_added as told

MAY_ADD = may_add("bm")


def added(force: PricedForce) -> Iterator[Finding]:
    """bm.event.*: bans, most copies, factions."""
    if force.restrictions or force.bound_faction:
        yield from judged("bm", force.faction_name, tuple(_held(force)), force.restrictions, force.bound_faction)


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


def _held(force: PricedForce) -> Iterator[Held]:
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
