"""A few changes that make an illegal group legal: each way is tried, with the real check."""

import re
from collections.abc import Iterator

from validators.canonical import fingerprint
from validators.contract import Document, Fix, Terms
from validators.fallout_skirmish.check import CHECKS
from validators.fallout_skirmish.force import PricedGroup, priced
from validators.kit.tried import replaced, without

MOST_CHANGES = 3
MOST_OFFERED = 3
MOST_LINES = 80
"""The most characters and item lines together, more than any real group has; larger ones get no fixes."""
MOST_JUDGED = 250
"""The most groups checked in one search. Fixes found until then are offered."""

_NUMBER = re.compile(r" \(character \d+\)")

Change = tuple[str, Document]


def fixes(document: Document, terms: Terms) -> tuple[Fix, ...]:
    """Up to three ways to fix an illegal group: the fewest changes, and of those the most Caps kept.

    None for a legal group, for one without characters or with far too many, or if three changes do not help.
    """
    start = priced(document, terms)
    lines = len(start.characters) + sum(1 for _ in start.carried())
    if not start.characters or lines > MOST_LINES or not CHECKS.verdict(start).may_be_fixed:
        return ()
    level: list[tuple[tuple[str, ...], Document]] = [((), document)]
    seen, judged = {fingerprint(document)}, 0
    for _ in range(MOST_CHANGES):
        found: list[Fix] = []
        following: list[tuple[int, tuple[str, ...], Document]] = []
        for words, one in level:
            for word, changed in _changes(one, priced(one, terms)):
                if judged >= MOST_JUDGED:
                    break
                mark = fingerprint(changed)
                if mark in seen:
                    continue
                seen.add(mark)
                judged += 1
                verdict = CHECKS.verdict(priced(changed, terms))
                if verdict.legal:
                    found.append(Fix(mark, (*words, word), verdict.total, changed))
                following.append((len(verdict.problems), (*words, word), changed))
        if found:
            found.sort(key=lambda way: -way.total)
            # The same change to another character of the rank is not a different offer.
            apart = {tuple(sorted(_NUMBER.sub("", change) for change in way.changes)): way for way in reversed(found)}
            return tuple(sorted(apart.values(), key=found.index))[:MOST_OFFERED]
        following.sort(key=lambda node: node[0])
        level = [(words, changed) for _, words, changed in following[:6]]
    return ()


def _changes(document: Document, group: PricedGroup) -> Iterator[Change]:
    """Every single change of a document that could fix something."""
    models = document["models"]
    for one in group.characters:
        if not one.leader and one.rank:
            led = [model | {"leader": place == one.place} for place, model in enumerate(models)]
            yield f"Make {one.label} the leader", document | {"models": led}
        items = models[one.place]["items"]
        for name in group.force.may_wear(one.rank_name) if group.force else ():
            if not any(item.name == name for item in one.items):
                dressed = [*items, {"name": name, "count": 1}]
                yield f"Give {one.label} {name}", replaced(document, dressed, "models", one.place, "items")
        for k, item in enumerate(one.items):
            fewer = [items[k] | {"count": item.count - 1}] if item.count > 1 else []
            left = [*items[:k], *fewer, *items[k + 1 :]]
            yield f"Take a {item.name} off {one.label}", replaced(document, left, "models", one.place, "items")
        if one.perks:
            yield f"Take the perks of {one.label} out", replaced(document, [], "models", one.place, "perks")
        yield f"Take {one.label} out", without(document, "models", one.place)
    if group.turfs:
        yield "Leave the turfs out", document | {"turfs": []}
