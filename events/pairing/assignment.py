"""The cheapest assignment of rows to columns by levels, exactly, with lots among what is level in all of them."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Level = NDArray[np.integer[Any]]
"""What each row costs in each column on one level, in whole numbers from 0."""

EXACT = 2**53
"""Whole numbers below this are exact in the solver's float64."""


def cheapest_assignment(levels: Sequence[Level], lots: NDArray[np.uint32]) -> list[int]:
    """A column for each row, none twice: the least sum on the first level, among those on the second, and so on.

    All levels, and the lots, have the same shape; there are no more rows than columns, and at least one row. Of
    several assignments that are level the one with the least sum of lots is taken, each lot with as many of its 32
    bits, from the top, as leave the reckoning exact. Raises ValueError where no exact reckoning is possible.
    """
    count = len(lots)
    rows = np.arange(count)
    total = levels[0].astype(np.float64)
    for level in levels[1:]:
        unit = int(level.max(axis=1).sum()) + 1
        if not _exact(count, int(total.max()) * unit + int(level.max())):
            # Only what is best so far is of interest, and what the best costs on the next level at most is known.
            columns = _solved(total)
            unit = int(level[rows, columns].sum()) + 1
            np.minimum(total, total[rows, columns].sum() + 1, out=total)
            level = np.minimum(level, unit)
        total *= unit
        total += level
        if not _exact(count, int(total.max())):
            raise ValueError(f"{count} pairs on {lots.shape[1]} tables are too many to be placed exactly")
    columns = _solved(total)
    best = int(total[rows, columns].sum())
    np.minimum(total, best + 1, out=total)
    bits = max((b for b in range(1, 33) if _exact(count, (best + 1) * count * 2**b + 2**b)), default=0)
    if not bits:
        return [int(column) for column in columns]
    total *= count * 2**bits
    total += lots >> np.uint32(32 - bits)
    return [int(column) for column in _solved(total)]


def _exact(rows: int, most: int) -> bool:
    """Whether the solver reckons exactly with costs of at most this much.

    On the way it adds two costs to the prices of a row and of a column; neither price passes rows * most.
    """
    return (2 * rows + 2) * most < EXACT


def _solved(costs: NDArray[np.float64]) -> NDArray[np.intp]:
    """The column of each row. Rows that are cheapest where they stand go first: the others then find their way
    around them twenty times as fast as in the order given.
    """
    # It is a third of all that is loaded at a start, and no player's page asks for it.
    from scipy.optimize import linear_sum_assignment  # noqa: PLC0415

    rows = np.arange(len(costs))
    order = np.argsort(costs[rows, rows], kind="stable")
    columns = np.empty(len(costs), dtype=np.intp)
    columns[order] = linear_sum_assignment(costs[order])[1]
    return columns
