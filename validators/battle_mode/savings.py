"""Which few changes save enough Caps, and least more than that: arithmetic, without judging a force."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from heapq import nsmallest
from itertools import islice

from validators.battle_mode.changes import Change, lowering
from validators.battle_mode.priced import PricedForce, PricedModel

Way = tuple[Change, ...]

MOST_WAYS = 8
MOST_LAST = 4
"""Last changes tried for the same ones before."""
DEAREST = 12
"""Of three changes, the first is one of so many that save the most; of more, those before are the very dearest."""


def least_savings(force: PricedForce, pool: Sequence[Change], number: int, needed: int) -> list[Way]:
    """A few ways to save ``needed`` Caps by exactly so many changes of the pool, those that save least first.

    The counts of items are lowered beside what the pool holds, as far as is needed. Up to two changes nothing is
    missed; from three on the last two fill up what the dearest leave.
    """
    if number <= 0:
        return [()] if number == 0 and needed <= 0 else []
    stacks = [model for model in force.models if any(item.count > 1 for item in model.items)]
    ordered = sorted(pool, key=lambda change: change.saves)
    ways = _ways(stacks, ordered, number, needed, ())
    return nsmallest(MOST_WAYS, ways, key=lambda way: sum(change.saves for change in way))


def _ways(stacks: Sequence[PricedModel], pool: Sequence[Change], number: int, needed: int, taken: Way) -> Iterator[Way]:
    if number == 1:
        start = bisect_left(pool, needed, key=lambda change: change.saves)
        enough = (pool[at] for at in range(start, len(pool)))
        lowered = (change for model in stacks for change in lowering(model, needed, 0) if change.saves >= needed)
        for changes in (enough, lowered):
            apart = (change for change in changes if not any(change.meets(other) for other in taken))
            yield from ((*taken, change) for change in islice(apart, MOST_LAST))
        return
    for first in {2: pool, 3: pool[-DEAREST:]}.get(number, pool[-1:]):
        if first.saves + (number - 1) * pool[-1].saves >= needed:
            rest = [change for change in pool if not change.meets(first)] if number > 2 else pool
            yield from _ways(stacks, rest, number - 1, needed - first.saves, (*taken, first))
