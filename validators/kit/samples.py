"""Legal forces for demonstrations, drawn from a seed."""

from collections.abc import Callable
from random import Random

from validators.contract import Document, Terms, Verdict


def first_legal(
    terms: Terms,
    draw: Callable[[int, Random], Document | None],
    check: Callable[[Document, Terms], Verdict],
    seed: str,
    tries: int,
    what: str,
) -> Document:
    """The first drawn force that is legal and has no query; ``draw`` gets the number of the try and its dice.

    Raises ValueError if there is none; ``what`` names the wanted force in the message.
    """
    for attempt in range(tries):
        force = draw(attempt, Random(f"{seed}{attempt}"))  # noqa: S311 - dice, not secrets
        verdict = check(force, terms) if force else None
        if force and verdict and verdict.legal and not verdict.queries:
            return force
    raise ValueError(f"no legal {what} was found at this event's terms")
