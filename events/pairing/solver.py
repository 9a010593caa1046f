"""The one door to the matching solver, with what it can reckon with held against it."""

from collections.abc import Mapping

import rustworkx

from events.pairing.costs import SOLVER_BITS, Edge, edge


def cheapest_matching(nodes: int, costs: Mapping[Edge, int]) -> list[Edge]:
    """The edges (i, j), i < j, of the perfect matching with the least sum of costs, in a fixed order.

    Raises OverflowError for a cost beyond what the solver reckons with exactly.
    """
    ceiling = max(costs.values(), default=0)
    if ceiling >= 2**SOLVER_BITS:
        raise OverflowError(f"a cost of {ceiling.bit_length()} bits is more than the solver can reckon with")
    graph: rustworkx.PyGraph[None, int] = rustworkx.PyGraph()
    graph.add_nodes_from([None] * nodes)
    graph.add_edges_from([(i, j, ceiling - cost) for (i, j), cost in costs.items()])
    found = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return sorted(edge(i, j) for i, j in found)
