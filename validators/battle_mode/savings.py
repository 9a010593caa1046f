"""Which few changes save enough Caps, and least more than that: arithmetic, without judging a force."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from heapq import nsmallest

from validators.battle_mode.changes import Change, lowering
from validators.battle_mode.priced import PricedForce, PricedModel

Way = tuple[Change, ...]

MOST_WAYS = 8
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
    ways = _ways(stacks, ordered, number, needed, MOST_WAYS)
    return nsmallest(MOST_WAYS, ways, key=lambda way: sum(change.saves for change in way))


def _ways(
    stacks: Sequence[PricedModel], pool: Sequence[Change], number: int, needed: int, most: int
) -> Iterator[Way]:
    if number == 1:
        start = bisect_left(pool, needed, key=lambda change: change.saves)
        yield from ((change,) for change in pool[start : start + most])
        for model in stacks:
            yield from ((change,) for change in lowering(model, needed, 0) if change.saves >= needed)
        return
    if not pool or number * pool[-1].saves < needed:
        return
    firsts = {2: pool, 3: pool[-DEAREST:]}.get(number, pool[-1:])
    for first in firsts:
        if first.saves + (number - 1) * pool[-1].saves < needed:
            continue
        apart = [change for change in pool if not change.meets(first)] if number > 2 else pool
        for rest in _ways(stacks, apart, number - 1, needed - first.saves, 3):
            if not any(first.meets(other) for other in rest):
                yield (first, *rest)
