"""Which pair plays at which table: fixed tables kept, no table twice for a player, top pairs on top tables."""

from collections.abc import Sequence

import numpy as np

from events.pairing.assignment import cheapest_assignment
from events.pairing.lots import lot_grid
from events.pairing.room import ALGORITHM
from events.pairing.seats import Pair, Placement, Seat


def assign_tables(
    pairs: Sequence[Pair], seats: Sequence[Seat], order: Sequence[int], *, seed: int, round_number: int
) -> tuple[list[int], Placement]:
    """A table for each pair, in the order of the pairs, and what they weigh together.

    ``pairs`` come top pair first, and ``order`` has the tables as ``room.table_order`` gives them. What is made
    least, exactly and in this order: players away from their fixed table; how often players sit at a table again
    (each earlier time counts; one's own fixed table does not); the sum of squared steps by which pairs are moved
    from "first pair, first table"; lots. Raises ValueError for more than can be placed exactly.
    """
    if not pairs:
        return [], Placement()
    by_id = {seat.id: seat for seat in seats}
    couples = [(by_id[pair.a], by_id[pair.b]) for pair in pairs]
    kept = _within_reach(couples, order)
    column = {order[k]: at for at, k in enumerate(kept)}
    shape = len(pairs), len(kept)
    repeats, missed = np.zeros(shape, np.int16), np.zeros(shape, np.int8)
    for row, couple in enumerate(couples):
        for seat in couple:
            for table in seat.tables:
                if table in column and table != seat.fixed_table:
                    repeats[row, column[table]] += 1
            if seat.fixed_table is not None:
                missed[row] += 1
                if seat.fixed_table in column:
                    missed[row, column[seat.fixed_table]] -= 1
    if not missed.any() and not repeats.diagonal().any():
        return list(order[: len(pairs)]), Placement()
    steps = (np.arange(len(pairs), dtype=np.int32)[:, None] - np.array(kept, dtype=np.int32)[None, :]) ** 2
    lots = lot_grid(len(pairs), len(order), seed, ALGORITHM, round_number, "tables")
    if len(kept) < len(order):
        lots = lots[:, kept]
    levels = (missed, repeats, steps) if missed.any() else (repeats, steps)
    columns = cheapest_assignment(levels, lots)
    weighed = (int(level[np.arange(len(pairs)), columns].sum()) for level in (missed, repeats, steps))
    return [order[kept[k]] for k in columns], Placement(*weighed)


def _within_reach(couples: Sequence[tuple[Seat, Seat]], order: Sequence[int]) -> list[int]:
    """The places in the order that a best assignment can use, ascending; in a hall of many tables they are few.

    Were pair i away from a fixed table at place k > i + (pairs - 1) + its used tables, then one of the places from i to
    k would be free and unused by it, and nearer.
    """
    used = max(len({*a.tables, *b.tables}) for a, b in couples)
    fixed = {seat.fixed_table for couple in couples for seat in couple}
    return [k for k, table in enumerate(order) if k < 2 * len(couples) - 1 + used or table in fixed]
