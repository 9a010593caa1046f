"""The Swiss draw: the best pairing of the whole field by the levels, found exactly.

Each possible pair (and each possible bye) gets one integer cost, in which a level's figure is a digit: the
digit's place is worth more than all places below it can add up to over a whole round. So the cheapest perfect
matching of the complete graph is the lexicographic optimum of the levels. Below the last level stand seeded
lots, which make round 1 and the pairs inside a group random.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass
from itertools import combinations

import rustworkx

from events.pairing.explain import explain
from events.pairing.levels import club_key, count_levels
from events.pairing.lots import lot, lots
from events.pairing.rules import PLAIN, Rules, watches_clubs
from events.pairing.seats import Certificate, Draw, Levels, Pair, Seat

ALGORITHM = "overseer-swiss/1"
PROOF = "minimum-weight perfect matching on the complete graph"

LOT_BITS = 32
"""So many that two pairings of equal levels practically never draw equal lots: there is one optimum, and any
exact solver finds the same."""
FEWEST_LOT_BITS = 10
SOLVER_BITS = 120
"""The solver reckons in 128 bits and was seen to be right to 125; beyond that it is silently wrong."""


@dataclass(frozen=True)
class Scale:
    """What one count on each level is worth in a cost, and how many bits a lot has at the bottom of it."""

    unit: Levels
    lot_bits: int

    def cost(self, levels: Levels) -> int:
        """The levels as one integer, without lots."""
        return sum(map(int.__mul__, astuple(levels), astuple(self.unit)))

    def without_lots(self, cost: int) -> int:
        """The cost with its lots struck off."""
        return cost - cost % self.unit.kept_apart


def draw(round_number: int, seats: Sequence[Seat], *, seed: int, rules: Rules = PLAIN) -> Draw:
    """Pair the seats for a round, with a bye when they are odd; the order in which they come does not matter.

    Opponents, and names in ``rules.keep_apart``, that hold no seat are passed over: they dropped. The pairs come by
    the higher player's points, then the lower player's, both downwards, then by lot; in a pair of equals a
    lot says who is named first. Raises ValueError for a field that cannot be meant, and for one too large to
    be drawn exactly.
    """
    field = checked_field(round_number, seats, rules)
    scale = scale_for(field)
    costs = edge_costs(round_number, field, scale, seed, rules)
    chosen = cheapest_matching(len(field) + len(field) % 2, costs)
    bye = next((field[i].id for i, j in chosen if j == len(field)), None)
    couples = [(field[i], field[j]) for i, j in chosen if j < len(field)]
    pairs = in_order(couples, round_number, seed)
    levels = count_levels(round_number, field, pairs, bye, rules)
    if scale.without_lots(sum(costs[edge] for edge in chosen)) != scale.cost(levels):
        raise RuntimeError(f"the draw weighed this pairing otherwise than its levels say: {levels}")
    noted, notes = explain(round_number, field, pairs, bye, rules, proven=True)
    return Draw(noted, bye, levels, Certificate(True, PROOF), seed, ALGORITHM, notes)


def checked_field(round_number: int, seats: Sequence[Seat], rules: Rules) -> list[Seat]:
    """The seats by id. Raises ValueError, in words, for a field that cannot be meant."""
    if round_number < 1:
        raise ValueError(f"round {round_number}: rounds are counted from 1")
    field = sorted(seats, key=lambda seat: seat.id)
    ids = {seat.id for seat in field}
    for seat in field:
        if seat.id not in ids:
            raise ValueError(f"two seats have the id {seat.id!r}")
        ids.remove(seat.id)
        if not math.isfinite(seat.points):
            raise ValueError(f"seat {seat.id!r}: {seat.points} is no number of points")
        if seat.byes < 0 or seat.floats < 0:
            raise ValueError(f"seat {seat.id!r}: byes and pair-downs are counted from 0")
        if seat.id in seat.opponents:
            raise ValueError(f"seat {seat.id!r} stands among its own opponents")
    for a, b in rules.keep_apart:
        if a == b:
            raise ValueError(f"{a!r} cannot be kept apart from itself")
    return field


def scale_for(field: Sequence[Seat]) -> Scale:
    """The scale on which no level of this field's round can outweigh the one above it.

    With n/2 games in the round, a level that one edge can raise by at most m adds up to n/2 * m, so the level
    above is worth n/2 * m + 1 of its units; only one edge holds the bye. Raises ValueError when that leaves
    too few bits for the lots within what the solver can reckon with.
    """
    games = (len(field) + 1) // 2
    steps = max(len({seat.points for seat in field}) - 1, 0)
    most = Levels(games, 1, steps, games * steps**2, games, games)
    needed = (games * math.prod(m + 1 for m in astuple(most))).bit_length()
    lot_bits = min(LOT_BITS, SOLVER_BITS - needed)
    if lot_bits < FEWEST_LOT_BITS:
        raise ValueError(f"{len(field)} players on {steps + 1} scores are too many to be drawn exactly")
    worth = [games * (2**lot_bits - 1) + 1]
    for m in reversed(astuple(most)[1:]):
        worth.append(worth[-1] * (m + 1))
    return Scale(Levels(*reversed(worth)), lot_bits)


def edge_costs(
    round_number: int,
    field: Sequence[Seat],
    scale: Scale,
    seed: int,
    rules: Rules,
) -> dict[tuple[int, int], int]:
    """The cost of every pair (i, j), i < j, of places in the field; the bye of an odd field is place n."""
    unit = scale.unit
    place = {seat.id: i for i, seat in enumerate(field)}
    group = {score: number for number, score in enumerate(sorted({seat.points for seat in field}))}
    met = {_edge(place[seat.id], place[o]) for seat in field for o in seat.opponents if o in place}
    apart = {_edge(place[a], place[b]) for a, b in rules.keep_apart if a in place and b in place}
    if watches_clubs(rules, round_number):
        clubs = defaultdict[str, list[int]](list)
        for seat in field:
            clubs[club_key(seat.club)].append(place[seat.id])
        clubs.pop("", None)
        apart.update(two for mates in clubs.values() for two in combinations(mates, 2))

    # most pairs differ only by the players' groups and whether the higher one has floated: one small table
    kinds = [(group[seat.points], seat.floats > 0) for seat in field]
    base = {
        (one, other): (one[0] - other[0]) ** 2 * unit.distance
        + (one[0] != other[0] and max(one, other)[1]) * unit.repeat_floats
        for one in set(kinds)
        for other in set(kinds)
    }
    edges = list(combinations(range(len(field)), 2))
    costs = {(i, j): base[kinds[i], kinds[j]] for i, j in edges}
    if len(field) % 2:
        costs |= {
            (i, len(field)): (seat.byes > 0) * unit.second_byes + group[seat.points] * unit.bye_height
            for i, seat in enumerate(field)
        }
    for edge in met:
        costs[edge] += unit.rematches
    for edge in apart:
        costs[edge] += unit.kept_apart
    drawn = lots(len(costs), seed, ALGORITHM, round_number)
    return {edge: costs[edge] + (drawn[k] >> (32 - scale.lot_bits)) for k, edge in enumerate(costs)}


def _edge(i: int, j: int) -> tuple[int, int]:
    return (i, j) if i < j else (j, i)


def cheapest_matching(nodes: int, costs: dict[tuple[int, int], int]) -> list[tuple[int, int]]:
    """The edges (i, j), i < j, of the perfect matching with the least sum of costs, in a fixed order."""
    ceiling = max(costs.values(), default=0)
    if ceiling >= 2**SOLVER_BITS:
        raise OverflowError(f"a cost of {ceiling.bit_length()} bits is more than the solver can reckon with")
    graph: rustworkx.PyGraph[None, int] = rustworkx.PyGraph()
    graph.add_nodes_from([None] * nodes)
    graph.add_edges_from([(i, j, ceiling - cost) for (i, j), cost in costs.items()])
    found = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return sorted(_edge(i, j) for i, j in found)


def in_order(couples: Iterable[tuple[Seat, Seat]], round_number: int, seed: int) -> tuple[Pair, ...]:
    """The couples as pairs, each with the higher player first, in the order in which ``draw`` gives them."""

    def pair(a: Seat, b: Seat) -> tuple[float, float, int, Pair]:
        a, b = sorted((a, b), key=lambda seat: seat.id)
        chance = lot(seed, ALGORITHM, round_number, a.id, b.id)
        if (b.points, chance % 2) > (a.points, 0):
            a, b = b, a
        return -a.points, -b.points, chance, Pair(a.id, b.id)

    return tuple(entry[3] for entry in sorted((pair(a, b) for a, b in couples), key=lambda entry: entry[:3]))
