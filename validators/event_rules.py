"""An event's additions to any game's rules, checked and described from the same data.

A game provides a force's contents as ``Held`` things, and the prefix of its rule ids ("bm"). The additions have ids
such as ``<prefix>.event.ban``, ``.copies``, ``.factions`` and ``.faction-lock``.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from languages.words import N_, capital, gettext, listed, ngettext
from validators.contract import Finding, Rule, Terms
from validators.names import Words, fold
from validators.restrictions import Restrictions

_SOURCE = N_("Set by the organiser of this event")
_TEXTS = json.loads((Path(__file__).parent / "data" / "event_rules.json").read_text(encoding="utf-8"))
"""The possible additions in the words of any game, in the order of ``rules_added``."""


@dataclass(frozen=True)
class Held:
    """One copy of something in a force; ``place`` is the position, from 0, of the model that it is or that holds it."""

    name: str
    holder: str = ""
    """The label of the model that holds it; "" for a model, and for something that no model holds."""
    place: int | None = None
    model: bool = False
    same: str = ""
    """A key that equal models share, for games in which players name their models; "" otherwise.

    Bans and limits by name ignore models with a key, because their names are the players' own.
    """


def event_findings(
    prefix: str, faction: str, held: Sequence[Held], adds: Restrictions, bound: str, words: Words
) -> Iterator[Finding]:
    """The problems in a force from an event's bans, copy limits and factions, in the game's ``words``.

    ``bound`` is the player's locked faction, "" for none.
    """
    by_name: dict[str, list[Held]] = {}
    equal: dict[str, list[Held]] = {}
    for holding in held:
        if holding.same:
            equal.setdefault(holding.same, []).append(holding)
        else:
            by_name.setdefault(fold(holding.name), []).append(holding)
    yield from _banned(f"{prefix}.event.ban", by_name, adds)
    yield from _copies(f"{prefix}.event.copies", by_name, adds, words)
    yield from _equal(f"{prefix}.event.copies", equal, adds)
    yield from _factions(f"{prefix}.event.factions", faction, adds)
    yield from _faction_lock(f"{prefix}.event.faction-lock", faction, bound, words)


def _factions(rule: str, faction: str, adds: Restrictions) -> Iterator[Finding]:
    """*.event.factions: the force is of a faction that the event allows."""
    if adds.factions and fold(faction) not in map(fold, adds.factions):
        message = gettext("%(faction)s may not be played at this event", faction=faction)
        yield Finding(
            rule=rule,
            message=message,
            fix=gettext("Choose %(factions)s.", factions=gettext(" or ").join(adds.factions)),
        )


def _faction_lock(rule: str, faction: str, bound: str, words: Words) -> Iterator[Finding]:
    """*.event.faction-lock: the force is of the faction with which the player registered."""
    if bound and fold(faction) != fold(bound):
        fix = gettext(
            "Make %(a_force)s of %(bound)s, or ask the organiser to change the %(faction)s of the entry.",
            a_force=words.a_force,
            bound=bound,
            faction=words.faction,
        )
        yield Finding(
            rule=rule,
            message=gettext(
                "This %(force)s is of %(faction)s; its player is bound to %(bound)s",
                force=words.force,
                faction=faction,
                bound=bound,
            ),
            fix=fix,
        )


def _banned(rule: str, by_name: Mapping[str, list[Held]], adds: Restrictions) -> Iterator[Finding]:
    """*.event.ban: the force has nothing that the event bans."""
    banned = set(map(fold, adds.banned))
    for key, helds in by_name.items():
        if key in banned:
            holders = dict.fromkeys(holding.holder for holding in helds if holding.holder)
            name, on = helds[0].name, ", ".join(holders)
            message = gettext("%(name)s is banned at this event", name=name)
            if holders:
                message = gettext("%(name)s is banned at this event (on %(models)s)", name=name, models=on)
            yield _about(rule, helds, message, {}, gettext("Take %(name)s out.", name=name))


def _copies(rule: str, by_name: Mapping[str, list[Held]], adds: Restrictions, words: Words) -> Iterator[Finding]:
    """*.event.copies: the force has nothing more often than the event allows."""
    for row in by_name.values():
        most = adds.most_of(row[0].name, row[0].model)
        if most is not None and len(row) > most:
            used, name = len(row), row[0].name
            message = ngettext(
                "%(name)s is in the %(force)s %(num)s time, %(most)s allowed at this event",
                "%(name)s is in the %(force)s %(num)s times, %(most)s allowed at this event",
                used,
                name=name,
                force=words.force,
                most=most,
            )
            yield _about(
                rule,
                row,
                message,
                {"used": used, "allowed": most},
                gettext("Take out %(count)s of them.", count=used - most),
            )


def _equal(rule: str, equal: Mapping[str, list[Held]], adds: Restrictions) -> Iterator[Finding]:
    """*.event.copies, if players name models themselves: equal models are recognised by what they are."""
    for row in equal.values():
        used, most = len(row), adds.same_model
        if most is not None and used > most:
            names = listed(list(dict.fromkeys(holding.name for holding in row)))
            message = ngettext(
                "%(num)s model is the same but for their names (%(names)s), %(most)s allowed at this event",
                "%(num)s models are the same but for their names (%(names)s), %(most)s allowed at this event",
                used,
                names=names,
                most=most,
            )
            fix = gettext("Take out %(count)s of them, or make them differ.", count=used - most)
            yield _about(rule, row, message, {"used": used, "allowed": most}, fix)


def _about(rule: str, helds: Sequence[Held], message: str, figures: Mapping[str, int | str], fix: str) -> Finding:
    models = {holding.place: holding.holder or holding.name for holding in helds if holding.place is not None}
    return Finding(rule, message, figures, tuple(models.values()), tuple(models), fix)


def possible_event_rules(prefix: str, words: Words) -> dict[str, Rule]:
    """The possible additions of events to a game's rules, by id, in its ``words``; the event sets the figures."""
    rules = (Rule(**row | {"id": f"{prefix}.{row['id']}"}).said for row in _TEXTS)
    return {
        rule.id: replace(rule, title=capital(rule.title.format(words=words)), text=rule.text.format(words=words))
        for rule in rules
    }


def rules_added(prefix: str, terms: Terms, unit: str, words: Words) -> tuple[Rule, ...]:
    """The restrictions as rules with ids; empty if the event adds nothing."""
    adds, general = terms.restrictions, possible_event_rules(prefix, words)
    texts = {
        "event.ban": gettext("Not to be taken: %(names)s.", names=", ".join(adds.banned)) if adds.banned else "",
        "event.copies": _copies_said(words, limits) if (limits := _limits(adds)) else "",
        "event.factions": gettext("Only %(factions)s may be played.", factions=listed(adds.factions))
        if adds.factions
        else "",
        "event.faction-lock": general[f"{prefix}.event.faction-lock"].text if adds.faction_locked else "",
        "event.sideboard": _sideboard(terms, unit, words),
        "event.painted": general[f"{prefix}.event.painted"].text if adds.painted else "",
        "event.on-time": ngettext(
            "%(num)s tournament point more for a list that is submitted when lists lock.",
            "%(num)s tournament points more for a list that is submitted when lists lock.",
            adds.on_time_points,
        )
        if adds.on_time_points
        else "",
        "event.error-free": ngettext(
            "%(num)s tournament point more for a list that was submitted and legal when lists locked, "
            "and was not changed after that.",
            "%(num)s tournament points more for a list that was submitted and legal when lists locked, "
            "and was not changed after that.",
            adds.error_free_points,
        )
        if adds.error_free_points
        else "",
        "event.late": ngettext(
            "%(num)s tournament point less for a list that is not submitted when lists lock.",
            "%(num)s tournament points less for a list that is not submitted when lists lock.",
            adds.late_points,
        )
        if adds.late_points
        else "",
    }
    return tuple(
        replace(rule, text=text, source=gettext(_SOURCE))
        for rule, text in zip(general.values(), texts.values(), strict=True)
        if text
    )


def _sideboard(terms: Terms, unit: str, words: Words) -> str:
    adds = terms.restrictions
    if adds.roster_size is None:
        return ""
    return gettext(
        "The list is a roster of up to %(roster)s %(unit)s that keeps every rule at that size. For each game a "
        "player fields some of its models, as they stand in the roster, with its Leader if the game has one: a legal "
        "%(force)s of up to %(size)s %(unit)s. Both choose in secret within %(minutes)s, in front of "
        "the table and with the opponent's roster in sight; the choices are shown when both have chosen.",
        roster=adds.roster_size,
        unit=unit,
        force=words.force,
        size=terms.size,
        minutes=ngettext("%(num)s minute", "%(num)s minutes", adds.choose_minutes),
    )


def _copies_said(words: Words, limits: str) -> str:
    return gettext("%(a_force)s holds at most %(limits)s.", a_force=capital(words.a_force), limits=limits)


def _limits(adds: Restrictions) -> str:
    limits = [f"{most} × {name}" for name, most in adds.most_copies]
    if adds.same_model is not None:
        most = adds.same_model
        text, other = N_("%(most)s of any one model"), N_("%(most)s of any one other model")
        limits.append(gettext(other if limits else text, most=most))
    return ", ".join(limits)
