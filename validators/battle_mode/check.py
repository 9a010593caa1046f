"""The check of a Battle Mode force: every rule's function in the order of the rules, then the queries."""

from collections.abc import Callable, Iterable, Mapping

from validators.battle_mode import event_rules, force_rules, model_rules, queries
from validators.battle_mode.priced import PricedForce, PricedModel, price, priced
from validators.contract import Document, EditionInfo, Finding, ForceSummary, Terms, Verdict

Judge = Callable[[PricedForce], Iterable[Finding]]

JUDGES: Mapping[str, Judge] = {
    "bm.size": force_rules.size,
    "bm.faction": force_rules.faction,
    "bm.cost": model_rules.cost,
    "bm.heavy": force_rules.heavy,
    "bm.carry": model_rules.carry,
    "bm.mod": model_rules.mod,
    "bm.perk": model_rules.perk,
    "bm.heroic": model_rules.heroic,
    "bm.leader": force_rules.leader,
    "bm.leader-card": force_rules.leader_card,
    "bm.unique": force_rules.unique,
    "bm.banned": force_rules.banned,
    "bm.event.sideboard": event_rules.sideboard,
}
"""Who finds the problems under each id, in the order of the messages; what every game's events can add, ``judged`` of
``validators.event_rules`` finds.
"""

QUERIES: tuple[Judge, ...] = (
    queries.perk_twice,
    queries.printed_profile,
    queries.perhaps_carried,
    queries.perhaps_unique,
    queries.share,
    queries.disputed,
)


def check_force(document: Document, terms: Terms) -> Verdict:
    """The verdict on a canonical document."""
    return verdict_on(priced(document, terms))


def verdict_on(force: PricedForce) -> Verdict:
    """The verdict on a force whose names and costs are looked up."""
    return Verdict(
        total=force.total,
        problems=tuple(problem for judge in (*JUDGES.values(), event_rules.added) for problem in judge(force)),
        queries=tuple(query for judge in QUERIES for query in judge(force)),
    )


def summarise(document: Document, edition: EditionInfo) -> ForceSummary:
    """A canonical document in a few words: a line per model with what is bought for it, and their cost."""
    force = price(document, edition.lists)
    return ForceSummary(
        faction=force.faction_name,
        total=force.total,
        leader=" and ".join(model.name for model in force.models if model.leader),
        lines=tuple((_line(model), model.caps) for model in force.models),
    )


def _line(model: PricedModel) -> str:
    marks = ["Heroic"] if model.heroic else []
    if model.leader:
        marks.append(f"Leader ({model.leader_card.name})" if model.leader_card else "Leader")
    elif model.leader_card:
        marks.append(f"Leader card {model.leader_card.name}")
    items = [
        (f"{item.count} × " if item.count > 1 else "")
        + item.name
        + (f" with {' and '.join(mod.name for mod in item.mods)}" if item.mods else "")
        for item in model.items
    ]
    parts = [", ".join([model.name, *marks]), ", ".join(items)]
    if model.perks:
        parts.append(("perk " if len(model.perks) == 1 else "perks ") + ", ".join(p.name for p in model.perks))
    return "; ".join(part for part in parts if part)
