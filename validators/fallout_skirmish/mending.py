"""A few changes that make an illegal group legal: each way is tried, and judged by the real check."""

import re
from collections.abc import Iterator
from copy import deepcopy

from validators.canonical import fingerprint
from validators.contract import Document, Mending, Terms
from validators.fallout_skirmish.check import verdict_on
from validators.fallout_skirmish.priced import PricedGroup, priced

MOST_CHANGES = 3
MOST_OFFERED = 3
MOST_JUDGED = 250
"""Groups judged in one search. What is found by then is offered."""

_NUMBER = re.compile(r" \(character \d+\)")

Change = tuple[str, Document]


def mendings(document: Document, terms: Terms) -> tuple[Mending, ...]:
    """Up to three ways to mend an illegal group: the fewest changes, and of those the most Caps kept.

    None for a legal group, for one without characters, and where no three changes mend it.
    """
    start = priced(document, terms)
    if not start.characters or verdict_on(start).legal:
        return ()
    level: list[tuple[tuple[str, ...], Document]] = [((), document)]
    seen, judged = {fingerprint(document)}, 0
    for _ in range(MOST_CHANGES):
        found: list[Mending] = []
        following: list[tuple[int, tuple[str, ...], Document]] = []
        for words, one in level:
            for word, changed in _changes(one, priced(one, terms)):
                mark = fingerprint(changed)
                if mark in seen or judged >= MOST_JUDGED:
                    continue
                seen.add(mark)
                judged += 1
                verdict = verdict_on(priced(changed, terms))
                if verdict.legal:
                    found.append(Mending(mark, (*words, word), verdict.total, changed))
                following.append((len(verdict.problems), (*words, word), changed))
        if found:
            found.sort(key=lambda way: -way.total)
            # The same change of another character of a rank is no other offer.
            apart = {tuple(sorted(_NUMBER.sub("", change) for change in way.changes)): way for way in reversed(found)}
            return tuple(sorted(apart.values(), key=found.index))[:MOST_OFFERED]
        following.sort(key=lambda node: node[0])
        level = [(words, changed) for _, words, changed in following[:6]]
    return ()


def _changes(document: Document, group: PricedGroup) -> Iterator[Change]:
    """Every single change of a document that may mend something."""
    for one in group.characters:
        if not one.leader and one.rank:
            yield f"Make {one.label} the leader", _with_leader(document, one.place)
        yield from _dressed(group, document, one.place)
        for k, item in enumerate(one.items):
            fewer = deepcopy(document)
            if item.count > 1:
                fewer["models"][one.place]["items"][k]["count"] -= 1
            else:
                del fewer["models"][one.place]["items"][k]
            yield f"Take a {item.name} off {one.label}", fewer
        if one.perks:
            bare = deepcopy(document)
            bare["models"][one.place]["perks"] = []
            yield f"Take the perks of {one.label} out", bare
        gone = deepcopy(document)
        del gone["models"][one.place]
        yield f"Take {one.label} out", gone
    if group.turfs:
        yield "Leave the turfs out", document | {"turfs": []}


def _dressed(group: PricedGroup, document: Document, place: int) -> Iterator[Change]:
    one = group.characters[place]
    for name in group.force.may_wear(one.rank_name) if group.force else ():
        if not any(item.name == name for item in one.items):
            dressed = deepcopy(document)
            dressed["models"][place]["items"].append({"name": name, "count": 1})
            yield f"Give {one.label} {name}", dressed


def _with_leader(document: Document, place: int) -> Document:
    led = deepcopy(document)
    for k, model in enumerate(led["models"]):
        model["leader"] = k == place
    return led
