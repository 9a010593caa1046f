"""A request that everybody may read: the same round is drawn from it, but nobody's wish stands in it."""

from dataclasses import replace
from functools import lru_cache

from events.pairing.formats import draw_in_format
from events.pairing.request import Request
from events.pairing.seats import Draw

Couple = frozenset[str]


@lru_cache(maxsize=32)
def discreet(request: Request, drawn: Draw) -> Request:
    """The request without its wishes, but with what the same draw needs to come to its pairs again.

    Whoever holds the seed can draw the round without any wish and see which of those pairs were not made. Just these
    are named, again and again until the draw is the same; so the list is made of what everybody can find out, and
    whose wish it was, or whether any, stands nowhere in it. A pair that was made in spite of a wish is never named.

    On the complete graph it must end so: the pairs drawn are the cheapest there are with all wishes, so whatever is
    cheaper without them goes against one that was not named yet, and is named thereby. Larger fields came out the same
    wherever it was tried. A draw that does not, or is of another algorithm, is told without any wish.
    """
    wishes = request.rules.keep_apart
    if not wishes:
        return request
    bare = _keeping_apart(request, set())
    made, named = _couples(drawn), set[Couple]()
    for _ in range(len(wishes) + 1):
        trial = _keeping_apart(request, named)
        other = draw_in_format(trial.round, trial.seats, trial.seed, trial.rules, trial.format)
        if other.algorithm != drawn.algorithm:
            return bare
        if _couples(other) == made:
            return trial
        named |= _couples(other) - made
    return bare


def _keeping_apart(request: Request, couples: set[Couple]) -> Request:
    apart = tuple(sorted((min(two), max(two)) for two in couples))
    return replace(request, rules=replace(request.rules, keep_apart=apart))


def _couples(drawn: Draw) -> set[Couple]:
    return {frozenset((pair.a, pair.b)) for pair in drawn.pairs}
