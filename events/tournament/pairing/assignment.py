"""A different column for each row at the least cost: exact, in whole numbers of any size."""

from collections.abc import Sequence

Costs = Sequence[Sequence[int]]
"""The cost of each row in each column, in whole numbers from 0."""

EXACT = 2**53
"""The bound that says how many bits of lots count. Draws of earlier versions were found in floating point."""


def cheapest_assignment(levels: Sequence[Costs], lots: Costs) -> list[int]:
    """A different column for each row, with the least sum on the first level, then on the second, and so on.

    All levels, and the lots, have the same shape, with at least one row and no more rows than columns. Between equal
    assignments the least sum of lots decides, using as many of each lot's 32 highest bits as keep the largest figure
    of the calculation below 2^53, or all if none do.
    """
    count = len(lots)
    total = [list(row) for row in levels[0]]
    for level in levels[1:]:
        unit = sum(map(max, level)) + 1
        total = [
            [upper * unit + cost for upper, cost in zip(*both, strict=True)] for both in zip(total, level, strict=True)
        ]
    best = sum(row[column] for row, column in zip(total, _solved(total), strict=True))
    most = 2 * count + 2
    bits = max((b for b in range(1, 33) if most * ((best + 1) * count * 2**b + 2**b) < EXACT), default=32)
    unit, cut = count * 2**bits, 32 - bits
    return _solved(
        [
            [min(cost, best + 1) * unit + (lot >> cut) for cost, lot in zip(*both, strict=True)]
            for both in zip(total, lots, strict=True)
        ]
    )


def _solved(costs: Costs) -> list[int]:
    """The column of each row: first rows bid for columns, then shortest paths move them (Jonker and Volgenant).

    A placed row always has a column that costs it least, prices included, and free columns have the price 0.
    """
    price, holder, column_of = [0] * len(costs[0]), [-1] * len(costs[0]), [-1] * len(costs)
    waiting, left = list(range(len(costs))), []
    for _ in range(4 * len(costs)):
        if not waiting:
            break
        row = waiting.pop()
        net = list(map(int.__sub__, costs[row], price))
        least = min(net)
        column = net.index(least)
        net[column] = max(net) + 1
        more, out = min(net) - least, holder[column]
        if out >= 0 and not more:
            left.append(row)
            continue
        price[column] -= more
        holder[column], column_of[row] = row, column
        if out >= 0:
            waiting.append(out)
    for row in left + waiting:
        _place(row, costs, price, holder, column_of)
    return column_of


def _place(row: int, costs: Costs, price: list[int], holder: list[int], column_of: list[int]) -> None:
    """Give one more row a column, along the cheapest path of moves to a free one (Dijkstra)."""
    far = list(map(int.__sub__, costs[row], price))
    before, unseen, seen = [row] * len(far), list(range(len(far))), []
    while holder[column := min(unseen, key=far.__getitem__)] >= 0:
        unseen.remove(column)
        seen.append(column)
        mover = holder[column]
        line = costs[mover]
        base = far[column] - line[column] + price[column]
        for other in unseen:
            way = base + line[other] - price[other]
            if way < far[other]:
                far[other], before[other] = way, mover
    for other in seen:
        price[other] += far[other] - far[column]
    mover = -1
    while mover != row:
        mover = before[column]
        holder[column] = mover
        column_of[mover], column = column, column_of[mover]
