"""Forces tried out: drawn from a seed for demonstrations, or with one change that may fix them."""

from collections.abc import Callable
from copy import copy
from random import Random
from typing import Any

from validators.contract import Document, Terms, Verdict


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
