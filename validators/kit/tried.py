"""Forces tried out: drawn from a seed for demonstrations, or with one change that may fix them."""

import re
from collections.abc import Callable, Iterable, Sequence
from copy import copy
from random import Random
from typing import Any

from validators.canonical import fingerprint, sha256_of
from validators.contract import Document, Fix, Terms, Verdict

Change = tuple[str, Document]
"""A change in words, and the changed document."""
MOST_OFFERED = 3
MOST_FOLLOWED = 6
"""The most forces that a search changes further."""
_NUMBER = re.compile(r" \((character|squad) \d+\)")


def fewest_changes(
    document: Document,
    terms: Terms,
    check: Callable[[Document, Terms], Verdict],
    changes: Callable[[Document, Terms], Iterable[Change]],
    most_changes: int,
    most_judged: int,
) -> tuple[Fix, ...]:
    """Up to three ways to make an illegal force legal: the fewest changes, and of those the most of its cost kept.

    ``changes`` returns every single change that could fix something. Of the forces after one more change, those with
    the least left to fix are followed. None if ``most_changes`` do not help; fixes found until ``most_judged`` forces
    are checked are offered. None for a legal force, or for one with too many problems to search.
    """
    if not check(document, terms).may_be_fixed:
        return ()
    level: list[tuple[tuple[str, ...], Document]] = [((), document)]
    seen = {fingerprint(document)}
    for _ in range(most_changes):
        found: list[Fix] = []
        following: list[tuple[tuple[int, int], tuple[str, ...], Document]] = []
        for words, one in level:
            for word, changed in changes(one, terms):
                if len(seen) > most_judged:
                    break
                mark = fingerprint(changed)
                if mark in seen:
                    continue
                seen.add(mark)
                verdict, way = check(changed, terms), (*words, word)
                if verdict.legal:
                    found.append(fix_of(way, verdict.total, changed))
                left = len(verdict.problems), max(0, verdict.total - terms.list_size)
                following.append((left, way, changed))
        if found:
            found.sort(key=lambda way: -way.total)
            # The same change to another one of the same name is not a different offer.
            apart = {tuple(sorted(_NUMBER.sub("", change) for change in way.changes)): way for way in reversed(found)}
            return tuple(sorted(apart.values(), key=found.index))[:MOST_OFFERED]
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
    """The first drawn force that is legal without queries; ``draw`` gets the number of the try and its dice.

    Raises ValueError if there is none; ``what`` names the wanted force in the message.
    """
    for attempt in range(tries):
        force = draw(attempt, Random(f"{seed}{attempt}"))  # noqa: S311 - dice, not secrets
        verdict = check(force, terms) if force else None
        if force and verdict and verdict.legal and not verdict.queries:
            return force
    raise ValueError(f"no legal {what} was found at this event's terms")


def fix_of(changes: Sequence[str], total: int, document: Document) -> Fix:
    """These changes as a fix; the same changes have the same key."""
    return Fix(sha256_of("\n".join(changes))[:12], tuple(changes), total, document)


def replaced(holder: Any, value: object, *path: str | int) -> Any:
    """The document with the value at the end of a path replaced, by keys and places."""
    first, *rest = path
    changed = copy(holder)
    changed[first] = replaced(holder[first], value, *rest) if rest else value
    return changed


def without(holder: Any, *path: str | int) -> Any:
    """The document without the value at the end of a path."""
    first, *rest = path
    changed = copy(holder)
    if rest:
        changed[first] = without(holder[first], *rest)
    else:
        del changed[first]
    return changed
