"""The six levels of a draw: counted over the pairs of a round, and as one integer cost for each possible pair."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import combinations

import rustworkx

from events.tournament.pairing.seats import LEVELS, PLAIN, LevelName, Levels, Pair, Rules, Seat, lots, watches_clubs


def count_levels(
    round_number: int, seats: Sequence[Seat], pairs: Iterable[Pair], bye: str | None, rules: Rules = PLAIN
) -> Levels:
    """The cost of this pairing on each level, disabled ones included. Players without a pair are not counted.

    Raises ValueError for an unknown or repeated id.
    """
    by_id = {seat.id: seat for seat in seats}
    games = list(pairs)
    placed: set[str] = set()
    for id_ in [id_ for pair in games for id_ in (pair.a, pair.b)] + ([] if bye is None else [bye]):
        if id_ not in by_id:
            raise ValueError(f"{id_!r} is paired but has no seat in this round")
        if id_ in placed:
            raise ValueError(f"{id_!r} is placed more than once in this round")
        placed.add(id_)
    group = {points: number for number, points in enumerate(sorted({seat.points for seat in seats}))}
    apart = {frozenset(two) for two in rules.keep_apart}
    clubs = watches_clubs(rules, round_number)
    rematches = distance = repeat_floats = kept_apart = 0
    for a, b in ((by_id[pair.a], by_id[pair.b]) for pair in games):
        rematches += have_met(a, b)
        distance += (group[a.points] - group[b.points]) ** 2
        if a.points != b.points:
            repeat_floats += max(a, b, key=lambda seat: seat.points).floats > 0
        kept_apart += frozenset((a.id, b.id)) in apart or (clubs and club_mates(a, b))
    return Levels(
        rematches=rematches,
        second_byes=int(bye is not None and by_id[bye].byes > 0),
        bye_height=0 if bye is None else group[by_id[bye].points],
        distance=distance,
        repeat_floats=repeat_floats,
        kept_apart=kept_apart,
    )


def have_met(a: Seat, b: Seat) -> bool:
    return b.id in a.opponents or a.id in b.opponents


def club_mates(a: Seat, b: Seat) -> bool:
    return club_key(a.club) != "" and club_key(a.club) == club_key(b.club)


def club_key(club: str) -> str:
    """A club's name for comparison, ignoring letter case and outer blanks; "" is no club."""
    return club.strip().casefold()


Edge = tuple[int, int]

LOT_BITS = 32
"""Enough that two pairings of equal levels practically never have equal lots.

So there is one optimum, and every exact solver finds it.
"""
FEWEST_LOT_BITS = 10
SOLVER_BITS = 120
"""The solver calculates in 128 bits. It was right in tests up to 125; beyond that it fails silently."""


@dataclass(frozen=True)
class Scale:
    """The weight of one count on each level (0 if disabled), and of the order and lots below the levels."""

    unit: Levels
    order: int
    """The weight of one count of the order inside groups; 0 if only lots decide."""
    floor: int
    """The weight of the lowest level that counts; anything smaller is order and lots."""
    lot_bits: int

    def cost(self, levels: Levels) -> int:
        """The cost of these levels as one integer, without order and lots."""
        unit = asdict(self.unit)
        return sum(count * unit[name] for name, count in asdict(levels).items())

    def levels_only(self, cost: int) -> int:
        return cost - cost % self.floor


@dataclass(frozen=True)
class Field:
    """The seats for the solver to pair, by id, with everything that their costs depend on.

    Seats are numbered by their places in ``seats``; an edge is two of these numbers, the smaller first.
    """

    seats: tuple[Seat, ...]
    group: tuple[int, ...]
    """Each seat's group; the lowest of the round is 0."""
    position: tuple[int, ...]
    """Each seat's place in its group, the best standing first; all 0 if only lots decide."""
    met: frozenset[Edge]
    apart: frozenset[Edge]
    """Pairs kept apart individually."""
    club: tuple[str, ...]
    """The clubs for comparison; "" for no club, and everywhere if clubs are ignored."""

    @cached_property
    def members(self) -> dict[int, tuple[int, ...]]:
        rows = defaultdict[int, list[int]](list)
        for i, group in enumerate(self.group):
            rows[group].append(i)
        return {group: tuple(rows[group]) for group in sorted(rows, reverse=True)}

    def clash(self, i: int, j: int) -> bool:
        """Whether the two are kept apart, individually or as club mates."""
        return (self.club[i] != "" and self.club[i] == self.club[j]) or edge(i, j) in self.apart


def field_of(round_number: int, seats: Sequence[Seat], rules: Rules) -> Field:
    """The seats of a checked round without locked ones."""
    locked = {id_ for pair in rules.locked for id_ in pair}
    free = tuple(seat for seat in seats if seat.id not in locked)
    place = {seat.id: i for i, seat in enumerate(free)}
    number = {points: k for k, points in enumerate(sorted({seat.points for seat in seats}))}
    group = tuple(number[seat.points] for seat in free)
    position = [0] * len(free)
    if rules.method != "random":
        better = Counter[int]()
        for i in sorted(range(len(free)), key=lambda i: (free[i].rank, free[i].id)):
            position[i] = better[group[i]]
            better[group[i]] += 1
    watched = watches_clubs(rules, round_number)
    return Field(
        seats=free,
        group=group,
        position=tuple(position),
        met=frozenset(edge(place[s.id], place[o]) for s in free for o in s.opponents if o in place),
        apart=frozenset(edge(place[a], place[b]) for a, b in rules.keep_apart if a in place and b in place),
        club=tuple(club_key(seat.club) if watched else "" for seat in free),
    )


def edge(i: int, j: int) -> Edge:
    return (i, j) if i < j else (j, i)


def order_of(rules: Rules) -> list[LevelName]:
    """The levels that count, the most expensive first: banned ones before all others."""
    kept = [level for level in LEVELS if level not in rules.off]
    return sorted(kept, key=lambda level: level not in rules.banned)


def scale_for(seats: Sequence[Seat], rules: Rules) -> Scale:
    """The scale on which no level of this round can outweigh the one above it.

    A round has n/2 games. A level that one edge can raise by at most m adds up to n/2 * m, so the level above is worth
    n/2 * m + 1 of its units; only one edge has the bye. Raises ValueError if the solver's limit leaves too few bits for
    the lots.
    """
    games = max((len(seats) + 1) // 2, 1)
    steps = max(len({seat.points for seat in seats}) - 1, 0)
    most = asdict(Levels(games, 1, steps, games * steps**2, games, games))
    order_most = 0 if rules.method == "random" else games * len(seats) ** 2
    dearest_first = order_of(rules)
    needed = (games * (order_most + 1) * math.prod(most[level] + 1 for level in dearest_first)).bit_length()
    lot_bits = min(LOT_BITS, SOLVER_BITS - needed)
    if lot_bits < FEWEST_LOT_BITS:
        raise ValueError(f"{len(seats)} players on {steps + 1} scores are too many to be drawn exactly")
    order = games * (2**lot_bits - 1) + 1
    worth = floor = order * (order_most + 1)
    unit = dict.fromkeys(most, 0)
    for level in reversed(dearest_first):
        unit[level] = worth
        worth *= most[level] + 1
    return Scale(Levels(**unit), order if order_most else 0, floor, lot_bits)


def pair_cost(field: Field, scale: Scale, rules: Rules, i: int, j: int) -> int:
    unit = scale.unit
    high, low = (i, j) if field.group[i] >= field.group[j] else (j, i)
    step = field.group[high] - field.group[low]
    cost = step_cost(unit, step, floated=field.seats[high].floats > 0)
    if edge(i, j) in field.met:
        cost += unit.rematches
    if field.clash(i, j):
        cost += unit.kept_apart
    return cost + order_cost(field, rules, high, low) * scale.order


def step_cost(unit: Levels, step: int, *, floated: bool) -> int:
    """The cost of a pair this many groups apart; ``floated``: the higher player was paired down before."""
    return step * step * unit.distance + (step > 0 and floated) * unit.repeat_floats


def order_cost(field: Field, rules: Rules, high: int, low: int) -> int:
    """The squared number of places by which a pair misses the order of its method; 0 if only lots decide.

    By standing, neighbours meet; by fold, the first of the upper half meets the first of the lower. Across two groups,
    the last of the higher meets the first of the lower.
    """
    if rules.method == "random":
        return 0
    if field.group[high] != field.group[low]:
        return (len(field.members[field.group[high]]) - 1 - field.position[high] + field.position[low]) ** 2
    wanted = 1 if rules.method == "standing" else max(len(field.members[field.group[high]]) // 2, 1)
    return (abs(field.position[high] - field.position[low]) - wanted) ** 2


def bye_cost(field: Field, scale: Scale, i: int) -> int:
    return (field.seats[i].byes > 0) * scale.unit.second_byes + field.group[i] * scale.unit.bye_height


def complete_costs(field: Field, scale: Scale, rules: Rules, drawn_from: tuple[int, str, int]) -> dict[Edge, int]:
    """The cost of every pair, with its lot; node n is the bye of an odd field. ``drawn_from`` names the lots."""
    unit = scale.unit
    # most pairs differ only in the players' groups and in whether the higher one has floated, so a small table helps
    kinds = [(group, seat.floats > 0) for group, seat in zip(field.group, field.seats, strict=True)]
    base = {
        (kind, other): step_cost(unit, abs(kind[0] - other[0]), floated=max(kind, other)[1])
        for kind in set(kinds)
        for other in set(kinds)
    }
    count = len(field.seats)
    costs = {(i, j): base[kinds[i], kinds[j]] for i, j in combinations(range(count), 2)}
    if scale.order:
        for i, j in costs:
            high, low = (i, j) if field.group[i] >= field.group[j] else (j, i)
            costs[i, j] += order_cost(field, rules, high, low) * scale.order
    if count % 2:
        costs |= {(i, count): bye_cost(field, scale, i) for i in range(count)}
    for met in field.met:
        costs[met] += unit.rematches
    for apart in field.apart | club_edges(field):
        costs[apart] += unit.kept_apart
    return with_lots(costs, scale, drawn_from)


def with_lots(costs: Mapping[Edge, int], scale: Scale, drawn_from: tuple[int, str, int]) -> dict[Edge, int]:
    """The costs with a lot in each one's lowest bits, drawn in the given order."""
    drawn = lots(len(costs), *drawn_from)
    return {two: cost + (drawn[k] >> (32 - scale.lot_bits)) for k, (two, cost) in enumerate(costs.items())}


def club_edges(field: Field) -> set[Edge]:
    clubs = defaultdict[str, list[int]](list)
    for i, club in enumerate(field.club):
        clubs[club].append(i)
    clubs.pop("", None)
    return {two for mates in clubs.values() for two in combinations(mates, 2)}


def cheapest_matching(nodes: int, costs: Mapping[Edge, int]) -> list[Edge]:
    """The edges (i, j), i < j, of the cheapest perfect matching, in a fixed order.

    Raises OverflowError for a cost beyond the solver's limit.
    """
    ceiling = max(costs.values(), default=0)
    if ceiling >= 2**SOLVER_BITS:
        raise OverflowError(f"a cost of {ceiling.bit_length()} bits is more than the solver can use")
    graph: rustworkx.PyGraph[None, int] = rustworkx.PyGraph()
    graph.add_nodes_from([None] * nodes)
    graph.add_edges_from([(i, j, ceiling - cost) for (i, j), cost in costs.items()])
    rows = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return sorted(edge(i, j) for i, j in rows)
