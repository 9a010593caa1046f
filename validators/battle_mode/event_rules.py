"""What an event adds to the rules, judged and told from the same data.

Each function of the first part yields the problems under one id; ``rules_added`` tells them all in words.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace

from validators.battle_mode.edition import fold
from validators.battle_mode.findings import counted, finding
from validators.battle_mode.priced import PricedForce, PricedModel
from validators.contract import Finding, Rule, Terms
from validators.restrictions import Restrictions

_SOURCE = "Set by the organiser of this event"

MAY_ADD: Mapping[str, Rule] = {
    rule.id: rule
    for rule in (
        Rule("bm.event.ban", "Banned", "Models, items, mods, perks or cards that may not be taken.", ""),
        Rule("bm.event.copies", "Most copies", "How often a force may hold a thing, or any one model.", ""),
        Rule("bm.event.factions", "Factions", "The factions that may be played.", ""),
        Rule(
            "bm.event.faction-lock",
            "One faction for the event",
            "A player chooses the faction with the entry, or with the first list handed in, and plays no other.",
            "As at the cup of St Petersburg, 2020",
        ),
        Rule(
            "bm.event.sideboard",
            "Sideboard",
            "The list is a larger roster, of which a legal force of the event's size is fielded in each game, chosen "
            "in secret against a clock and shown when both players have chosen. The roster itself keeps every rule at "
            "its own size, and its Leader is always fielded (readings).",
            "As at the cup of St Petersburg, 2020: 750 Caps of 1000, five minutes",
        ),
        Rule(
            "bm.event.painted",
            "Painted forces",
            "Only fully painted forces take part; the organiser looks at check-in.",
            "",
        ),
        Rule("bm.event.on-time", "Lists on time", "Tournament points for a list that is in when lists lock.", ""),
        Rule(
            "bm.event.error-free",
            "Lists without error",
            "Tournament points for a list that was legal when lists locked and was not changed after that.",
            "",
        ),
        Rule("bm.event.late", "Late lists", "Tournament points less for a list that is not in when lists lock.", ""),
    )
}
"""What an event can add, told in general; the figures are the event's."""


def ban(force: PricedForce) -> Iterator[Finding]:
    """bm.event.ban: nothing that the event bans is taken."""
    if not force.restrictions.banned:
        return
    banned = {fold(name): name for name in force.restrictions.banned}
    for name, holders in _held(force).items():
        if fold(name) in banned:
            yield finding(
                "bm.event.ban",
                f"{name} is banned at this event{_on(name, holders)}",
                models=_each_once(holders),
                mend=f"Take {name} out.",
            )


def copies(force: PricedForce) -> Iterator[Finding]:
    """bm.event.copies: nothing is taken more often than the event allows."""
    held = _held(force) if force.restrictions.most_copies else {}
    for name, most in force.restrictions.most_copies:
        key = next((known for known in held if fold(known) == fold(name)), None)
        if key and len(held[key]) > most:
            yield _too_often(key, held[key], most)
    most_alike = force.restrictions.same_model
    if most_alike is None:
        return
    named = {fold(name) for name, _ in force.restrictions.most_copies}
    alike = Counter(model.name for model in force.models)
    for name, used in alike.items():
        if used > most_alike and fold(name) not in named:
            yield _too_often(name, [model for model in force.models if model.name == name], most_alike)


def factions(force: PricedForce) -> Iterator[Finding]:
    """bm.event.factions: the force is of a faction that the event allows."""
    allowed = force.restrictions.factions
    if allowed and fold(force.faction_name) not in map(fold, allowed):
        yield finding(
            "bm.event.factions",
            f"{force.faction_name} may not be played at this event",
            mend=f"Choose {' or '.join(allowed)}.",
        )


def faction_lock(force: PricedForce) -> Iterator[Finding]:
    """bm.event.faction-lock: the force is of the faction that its player entered with."""
    bound = force.bound_faction
    if bound and fold(force.faction_name) != fold(bound):
        yield finding(
            "bm.event.faction-lock",
            f"This force is of {force.faction_name}; its player is bound to {bound}",
            mend=f"Make a force of {bound}, or ask the organiser to change the faction of the entry.",
        )


def sideboard(force: PricedForce) -> Iterator[Finding]:
    """bm.event.sideboard: the roster's Leader can be fielded, so that some force of it can be."""
    if force.restrictions.roster_size is None:
        return
    for model in force.models:
        if model.leader and model.caps > force.fielded_size:
            yield finding(
                "bm.event.sideboard",
                f"The Leader {model.label} costs {model.caps} Caps alone, and {force.fielded_size} are fielded",
                models=[model],
                figures={"caps": model.caps, "size": force.fielded_size},
                mend="Take something off the Leader, or mark another model.",
            )


def rules_added(terms: Terms) -> tuple[Rule, ...]:
    """What the restrictions say, as rules with their ids; empty where the event adds nothing."""
    adds = terms.restrictions
    texts = {
        "bm.event.ban": f"Not to be taken: {', '.join(adds.banned)}." if adds.banned else "",
        "bm.event.copies": f"A force holds at most {limits}." if (limits := _limits(adds)) else "",
        "bm.event.factions": f"Only {_listed(adds.factions)} may be played." if adds.factions else "",
        "bm.event.faction-lock": MAY_ADD["bm.event.faction-lock"].text if adds.faction_locked else "",
        "bm.event.sideboard": _sideboard(terms),
        "bm.event.painted": MAY_ADD["bm.event.painted"].text if adds.painted else "",
        "bm.event.on-time": _points(adds.on_time_points, "more for a list that is handed in when lists lock."),
        "bm.event.error-free": _points(
            adds.error_free_points,
            "more for a list that was handed in and legal when lists locked, and was not changed after that.",
        ),
        "bm.event.late": _points(adds.late_points, "less for a list that is not handed in when lists lock."),
    }
    return tuple(replace(rule, text=texts[id_], source=_SOURCE) for id_, rule in MAY_ADD.items() if texts[id_])


def _sideboard(terms: Terms) -> str:
    adds = terms.restrictions
    if adds.roster_size is None:
        return ""
    return (
        f"The list is a roster of up to {adds.roster_size} Caps that keeps every rule at that size. For each game a "
        "player fields some of its models, as they stand in the roster and with its Leader: a legal force of up to "
        f"{terms.size} Caps. Both choose in secret within {counted(adds.choose_minutes, 'minute')}, in front of the "
        "table and with the opponent's roster in sight; the choices are shown when both have chosen."
    )


def _held(force: PricedForce) -> dict[str, list[PricedModel | None]]:
    """Every known name in the force, once for each copy, with the model that holds it (None for a loose card)."""
    held: dict[str, list[PricedModel | None]] = {}
    for model in force.models:
        held.setdefault(model.name, []).append(model)
        for item in model.items:
            held.setdefault(item.name, []).extend([model] * item.count)
            for mod in item.mods:
                held.setdefault(mod.name, []).extend([model] * item.count)
        for perk in model.perks:
            held.setdefault(perk.name, []).append(model)
        if model.leader_card:
            held.setdefault(model.leader_card.name, []).append(model)
    for card in force.cards:
        held.setdefault(card.name or card.kind, []).append(None)
    return held


def _too_often(name: str, holders: list[PricedModel | None] | list[PricedModel], most: int) -> Finding:
    used = len(holders)
    return finding(
        "bm.event.copies",
        f"{name} is in the force {used} times, {most} allowed at this event",
        models=_each_once(holders),
        figures={"used": used, "allowed": most},
        mend=f"Take out {used - most} of them.",
    )


def _each_once(holders: "list[PricedModel | None] | list[PricedModel]") -> list[PricedModel]:
    return list({model.place: model for model in holders if model}.values())


def _on(name: str, holders: list[PricedModel | None]) -> str:
    others = [model.label for model in _each_once(holders) if model.name != name]
    return f" (on {', '.join(others)})" if others else ""


def _limits(adds: Restrictions) -> str:
    limits = [f"{most} × {name}" for name, most in adds.most_copies]
    if adds.same_model is not None:
        limits.append(f"{adds.same_model} of any one {'other ' if limits else ''}model")
    return ", ".join(limits)


def _listed(names: tuple[str, ...]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _points(points: int, what_for: str) -> str:
    return f"{counted(points, 'tournament point')} {what_for}" if points else ""
