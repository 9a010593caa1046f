"""Which pair plays on which table: no table twice for a player where that can be, top pairs on top tables."""

from collections.abc import Sequence

import rustworkx

from events.pairing.seats import Pair, Seat


def assign_tables(pairs: Sequence[Pair], seats: Sequence[Seat], tables: Sequence[int]) -> list[int]:
    """A table for each pair, in the order of the pairs.

    ``pairs`` come top pair first and ``tables`` best table first. What is made least, exactly, is how often
    players sit at a table again (each earlier time counts), then the sum of squared steps by which pairs are
    moved from "first pair, first table". Raises ValueError for too few tables, and for one listed twice.
    """
    if len(set(tables)) < len(tables):
        raise ValueError("a table is listed twice")
    if len(tables) < len(pairs):
        raise ValueError(f"{len(pairs)} pairs need as many tables, and only {len(tables)} are given")
    used = {seat.id: seat.tables for seat in seats}
    repeats = [[(*used[p.a], *used[p.b]).count(table) for table in tables] for p in pairs]
    if not any(repeats[i][i] for i in range(len(pairs))):
        return list(tables[: len(pairs)])
    again = len(pairs) * (len(tables) - 1) ** 2 + 1
    costs = [[again * n + (i - k) ** 2 for k, n in enumerate(row)] for i, row in enumerate(repeats)]
    ceiling = max(map(max, costs))
    graph: rustworkx.PyGraph[None, int] = rustworkx.PyGraph()
    graph.add_nodes_from([None] * (len(pairs) + len(tables)))
    graph.add_edges_from(
        [(i, len(pairs) + k, ceiling - cost) for i, row in enumerate(costs) for k, cost in enumerate(row)]
    )
    found = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return [tables[k - len(pairs)] for _, k in sorted((min(edge), max(edge)) for edge in found)]
