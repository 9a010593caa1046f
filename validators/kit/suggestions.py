"""Searches that every game's suggestions use: the fewest changes that make a force legal, and a legal random sample."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from copy import copy
from random import Random
from typing import Any

from validators.contract import Document, Fix, Terms, Verdict
from validators.strict_json import canonical_text, fingerprint, sha256_of, unordered_text

Change = tuple[str, Document]
"""A change in words, and the changed document."""
MOST_OFFERED = 3
"""The most fixes offered for one force."""
MOST_FOLLOWED = 6
"""The most forces at each depth of a search to which further changes are made."""


def fewest_changes(
    document: Document,
    terms: Terms,
    check: Callable[[Document, Terms], Verdict],
    changes: Callable[[Document, Terms], Iterable[Change]],
    most_changes: int,
    most_checked: int,
) -> tuple[Fix, ...]:
    """Up to three fixes of an illegal force with the fewest changes; of those, the ones that keep the most cost.

    ``changes`` yields every single change that could help. The search goes one change deeper each time, from the forces
    with the fewest problems left. It ends after ``most_changes``, or with the fixes found once ``most_checked`` forces
    were checked. Empty for a legal force, and for one with too many problems.
    """
    if not check(document, terms).may_be_fixed:
        return ()
    level: list[tuple[tuple[str, ...], Document]] = [((), document)]
    seen = {fingerprint(document)}
    for _ in range(most_changes):
        fixes: list[Fix] = []
        following: list[tuple[tuple[int, int], tuple[str, ...], Document]] = []
        for words, entry in level:
            for word, changed in changes(entry, terms):
                if len(seen) > most_checked:
                    break
                mark = fingerprint(changed)
                if mark in seen:
                    continue
                seen.add(mark)
                verdict, way = check(changed, terms), (*words, word)
                if verdict.legal:
                    fixes.append(fix_of(way, verdict.total, document, changed))
                left = len(verdict.problems), max(0, verdict.total - terms.list_size)
                following.append((left, way, changed))
        if fixes:
            fixes.sort(key=lambda way: -way.total)
            # The same change to another one of the same name is not a different offer.
            apart = {unordered_text(way.document): way for way in reversed(fixes)}
            return tuple(sorted(apart.values(), key=fixes.index))[:MOST_OFFERED]
        following.sort(key=lambda node: node[0])
        level = [(way, changed) for _, way, changed in following[:MOST_FOLLOWED]]
    return ()


def first_legal(
    terms: Terms,
    draw: Callable[[int, Random], Document | None],
    check: Callable[[Document, Terms], Verdict],
    seed: str,
    tries: int,
    what: str,
) -> Document:
    """The first random force that is legal without queries.

    ``draw`` makes a force from the number of the attempt and a random generator. Raises ValueError, with ``what`` in
    the message, if none of ``tries`` attempts succeeds.
    """
    for attempt in range(tries):
        force = draw(attempt, Random(f"{seed}{attempt}"))  # noqa: S311 - dice, not secrets
        verdict = check(force, terms) if force else None
        if force and verdict and verdict.legal and not verdict.queries:
            return force
    raise ValueError(f"no legal {what} was found at this event's terms")


def fix_of(changes: Sequence[str], total: int, before: Document, document: Document) -> Fix:
    """A fix of ``before`` by these changes; equal changes have equal keys, in any language and under any name."""
    old, new = _parts(before), _parts(document)
    apart = (sorted((old - new).elements()), sorted((new - old).elements()))
    return Fix(sha256_of(canonical_text(apart))[:12], tuple(changes), total, document)


def _parts(document: Document) -> Counter[str]:
    """All that stands in a document, except its name, in any order."""
    fields = ((field, value) for field, value in document.items() if field != "name")
    return Counter(
        canonical_text([field, part])
        for field, value in fields
        for part in (value if isinstance(value, list) else [value])
    )


def replaced(holder: Any, value: object, *path: str | int) -> Any:
    """A copy of a document in which the value at this path of keys and indexes is replaced."""
    first, *rest = path
    changed = copy(holder)
    changed[first] = replaced(holder[first], value, *rest) if rest else value
    return changed


def without(holder: Any, *path: str | int) -> Any:
    """A copy of a document without the value at this path."""
    first, *rest = path
    changed = copy(holder)
    if rest:
        changed[first] = without(holder[first], *rest)
    else:
        del changed[first]
    return changed
