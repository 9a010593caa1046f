"""A few ways to make an illegal force legal: single changes, or a few in a row, tried with the real check."""

from collections.abc import Iterator
from itertools import islice

from validators.contract import Document, Fix, Terms
from validators.kit.tried import fix_of, left_to_fix, replaced, without
from validators.names import fold
from validators.new_vegas.check import CHECKS
from validators.new_vegas.edition import LIMITED, Edition
from validators.new_vegas.force import Force, Squad, mustered

MOST_CHANGES = 6
MOST_OFFERED = 3
MOST_JUDGED = 400
"""The most forces checked in one search."""

_Change = tuple[str, Document]


def fixes(document: Document, terms: Terms) -> tuple[Fix, ...]:
    """Up to three single changes that make the force legal, those that keep most first; else one way of a few changes.

    None for a legal force, or if no such way is found.
    """
    verdict = CHECKS.check(document, terms)
    if not verdict.may_be_fixed or not document["squads"]:
        return ()
    words: list[str] = []
    judged = 0
    for _ in range(MOST_CHANGES):
        changes = islice(_changes(document, terms), MOST_JUDGED - judged)
        tried = [(change, CHECKS.check(change[1], terms)) for change in changes]
        judged += len(tried)
        legal = [(change, found) for change, found in tried if found.legal]
        if legal:
            legal.sort(key=lambda one: -one[1].total)
            most = MOST_OFFERED if not words else 1
            return tuple(fix_of([*words, change], found.total, after) for (change, after), found in legal[:most])
        better = [one for one in tried if left_to_fix(one[1], terms) < left_to_fix(verdict, terms)]
        if not better or judged >= MOST_JUDGED:
            return ()
        (change, document), verdict = min(better, key=lambda one: (left_to_fix(one[1], terms), -one[1].total))
        words.append(change)
    return ()


def _changes(document: Document, terms: Terms) -> Iterator[_Change]:
    """Every single change that could fix something, with the changed document."""
    edition: Edition = terms.edition.lists
    force = mustered(document, terms)
    for name in edition.factions.values():
        if terms.open_to(name) and fold(name) != fold(force.faction_name):
            yield f"Make it a force of {name}", document | {"faction": name}
            break
    for squad in force.squads:
        if len(force.squads) > 1:
            yield f"Take out {squad.label}", without(document, "squads", squad.place)
        for known in edition.classes.values():
            if squad.entry is not known and not terms.bans(known.name):
                yield f"Make {squad.label} {known.name}", replaced(document, known.name, "squads", squad.place, "class")
        yield from _on_models(document, force, squad)
    if force.squads and force.leadership_dice == 0 and (first := next((s for s in force.squads if s.lines), None)):
        after = replaced(document, 1, "squads", first.place, "models", 0, "special", "charisma")
        yield f"Give {first.lines[0].name} in {first.label} Charisma 1", after


def _on_models(document: Document, force: Force, squad: Squad) -> Iterator[_Change]:
    most, over = force.edition.file.highest_score, force.total - force.size
    for line in squad.lines:
        at, whose = ("squads", squad.place, "models", line.place), f"{line.name} in {squad.label}"
        model = document["squads"][squad.place]["models"][line.place]
        if len(squad.lines) > 1:
            yield f"Take out {f'all {line.count} ' if line.count > 1 else ''}{whose}", without(document, *at)
        each = line.special.points
        fewer = -(-over // each) if over > 0 and each else 1
        if 0 < fewer < line.count:
            yield f"Take out {fewer} of {line.count} {whose}", replaced(document, line.count - fewer, *at, "count")
        if high := [score for score in LIMITED if getattr(line.special, score) > most]:
            after = replaced(document, model["special"] | dict.fromkeys(high, most), *at, "special")
            yield f"Lower {' and '.join(high)} of {whose} to {most}", after
        for carried in dict.fromkeys(line.weapons):
            kept = [name for name in model["weapons"] if fold(name) != fold(carried.name)]
            yield f"Take {carried.name} off {whose}", replaced(document, kept, *at, "weapons")
            needed = carried.entry.strength if carried.entry else 0
            if line.special.strength < needed:
                yield f"Raise Strength of {whose} to {needed}", replaced(document, needed, *at, "special", "strength")
