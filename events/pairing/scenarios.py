"""Which pair plays which scenario, where each table has its own: none again for a player, all used evenly."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from events.pairing.lots import lot_grid
from events.pairing.room import ALGORITHM, MOST_SCENARIOS
from events.pairing.seats import Pair, Seat

FORBIDDEN = 2**52
"""Dearer than any move: a way over all scenarios costs at most 2^32 each."""


def assign_scenarios(
    pairs: Sequence[Pair], seats: Sequence[Seat], pool: Sequence[str], *, seed: int, round_number: int
) -> tuple[list[str], int]:
    """A scenario of the pool for each pair, in the order of the pairs, and how often players play theirs again.

    What is made least, exactly and in this order: how often players have played their scenario before (each earlier
    time counts); the sum of the squared numbers of uses of each scenario in this round, so that all are used evenly;
    lots. Raises ValueError for a pool that is empty, too large, or lists a scenario twice.
    """
    if not pool or len(set(pool)) < len(pool) or len(pool) > MOST_SCENARIOS:
        raise ValueError(f"the scenarios must be a pool without repeats, of {MOST_SCENARIOS} at most")
    if not pairs:
        return [], 0
    names = sorted(pool)
    played = {seat.id: seat.scenarios for seat in seats}
    earlier = [(*played[pair.a], *played[pair.b]) for pair in pairs]
    again = np.array([[scenarios.count(name) for name in names] for scenarios in earlier])
    lots = lot_grid(len(pairs), len(names), seed, ALGORITHM, round_number, "scenarios").astype(np.int64)
    # No scenario has a limit, so each pair takes one that its two players have played least; the rest chooses among
    # these.
    lots[again > again.min(axis=1, keepdims=True)] = FORBIDDEN
    chosen = _even(lots)
    return [names[k] for k in chosen], int(again[np.arange(len(pairs)), chosen].sum())


def _even(lots: NDArray[np.int64]) -> NDArray[np.intp]:
    """The column of each row: columns used evenly, then the least sum of lots; never a forbidden place.

    Each row starts at its least lot, which is the best for columns used so often. Then, as long as it helps, one row
    more is moved from one column to another, over others in between where that is cheaper: always along the
    cheapest way, so that it stays the best for columns used so often. Where no such move helps any more, none does:
    the convex cost of flows. (As an assignment, with a column for each use, it takes seconds for 2,048 pairs.)
    """
    columns = lots.shape[1]
    chosen: NDArray[np.intp] = lots.argmin(axis=1)
    evener = columns * 2**33  # more than the lots on any way
    while True:
        uses = np.bincount(chosen, minlength=columns)
        ways, movers = _moves(lots, chosen)
        ways, steps = _cheapest_ways(ways)
        # What a use more there and one less here change in the sum of squares, and the lots on the way.
        gain = 2 * (uses[None, :] - uses[:, None] + 1) * evener + np.minimum(ways, FORBIDDEN)
        np.fill_diagonal(gain, 0)
        gain[ways >= FORBIDDEN // 2] = 0
        here, there = divmod(int(gain.argmin()), columns)
        if gain[here, there] >= 0:
            return chosen
        route = [here]
        while route[-1] != there:
            route.append(int(steps[route[-1], there]))
        for one, following in pairwise(route):
            chosen[movers[one, following]] = following


def _moves(lots: NDArray[np.int64], chosen: NDArray[np.intp]) -> tuple[NDArray[np.int64], NDArray[np.intp]]:
    """For each two columns what moving one row from the first to the second changes in the lots at least, and which
    row that is.
    """
    columns = lots.shape[1]
    ways = np.full((columns, columns), FORBIDDEN)
    movers = np.zeros((columns, columns), dtype=np.intp)
    for column in range(columns):
        here = np.flatnonzero(chosen == column)
        if len(here):
            change = lots[here] - lots[here, column][:, None]
            least = change.argmin(axis=0)
            ways[column], movers[column] = change[least, np.arange(columns)], here[least]
    np.fill_diagonal(ways, 0)
    return ways, movers


def _cheapest_ways(ways: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.intp]]:
    """The cheapest way from each column to each other over any in between, and the first step on it (Floyd)."""
    columns = len(ways)
    cheapest, steps = ways.copy(), np.tile(np.arange(columns), (columns, 1))
    for between in range(columns):
        over = cheapest[:, between, None] + cheapest[None, between, :]
        better = over < cheapest
        cheapest[better] = over[better]
        steps[better] = np.broadcast_to(steps[:, between, None], steps.shape)[better]
    return cheapest, steps
