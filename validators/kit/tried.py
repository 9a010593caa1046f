"""Forces tried out: drawn from a seed for demonstrations, or with one change that may fix them."""

from collections.abc import Callable, Sequence
from copy import copy
from random import Random
from typing import Any

from validators.canonical import sha256_of
from validators.contract import Document, Fix, Terms, Verdict


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


def left_to_fix(verdict: Verdict, terms: Terms) -> tuple[int, int]:
    """The number of problems, and the cost over the size."""
    return len(verdict.problems), max(0, verdict.total - terms.list_size)


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
