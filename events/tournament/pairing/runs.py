"""A lower bound of the cost of narrow groups between broad ones, without the complete graph.

A field is split into broad groups and the runs of narrow groups between them. In any pairing, each pair is charged to
the runs that it touches: a pair inside a run in full; a pair that leaves a run for a broad group, or passes over it, by
its squared steps up to the broad groups' edges, and by the higher player's earlier pair-downs if that player is in the
run. The square of a sum is at least the sum of the squares, so no pairing costs less than its charges. The number of
pairs that cross a run's upper edge is odd exactly if the number of players above it is odd. So the least charges of all
runs, found exactly with as many stand-ins for broad groups as a run has players, add up to a lower bound for the whole
field. A pairing with that cost is proven best.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise, product

from events.tournament.pairing.levels import (
    Edge,
    Field,
    Scale,
    cheapest_matching,
    edge,
    order_of,
    pair_cost,
    step_cost,
)
from events.tournament.pairing.seats import Rules, lots

STAND_INS = 6
"""The number of stand-ins tried first for each broad group."""


FEW = 4
"""A club crowds a group from this many players below half of it."""


@dataclass(frozen=True)
class Run:
    """Consecutive narrow groups: their players, and the numbers of the broad groups above and below, if any."""

    members: tuple[int, ...]
    above: int | None
    below: int | None
    odd_above: bool
    """Whether an odd number of players above this run are to be paired."""
    may_have_bye: tuple[int, ...] = ()
    """The players who may have the bye, if it is in this run."""
    crowd_above: str = ""
    crowd_below: str = ""
    """The club that crowds the broad group below; between equals, its players do not move there."""


@dataclass(frozen=True)
class Settled:
    """A run solved at its least charge: pairs inside, players up and down, and how many pairs pass over it."""

    charge: int
    """With order and lots included."""
    pairs: tuple[Edge, ...]
    up: tuple[int, ...]
    down: tuple[int, ...]
    past: int
    bye: int | None
    steps: int
    """The squared steps charged to the run."""


def settle(
    field: Field, scale: Scale, rules: Rules, run: Run, drawn_from: tuple[int, *tuple[int | str, ...]]
) -> Settled:
    """The run solved at its least charge; ``drawn_from`` names the lots that choose between equals.

    As many stand-ins as players are always enough. ``STAND_INS`` are enough if more could not be cheaper: each costs a
    step, and only a rematch costs more.
    """
    if not run.members:
        if not run.odd_above:
            return Settled(0, (), (), (), 0, None, 0)
        assert run.above is not None and run.below is not None  # noqa: S101 - nobody is left over at an end of the field
        steps = (run.above - run.below) ** 2
        return Settled(steps * scale.unit.distance, (), (), (), 1, None, steps)
    few = _settle(field, scale, rules, run, drawn_from, STAND_INS)
    rematches = any(edge(i, j) in field.met for i, j in few.pairs)
    if len(run.members) <= STAND_INS or (few.steps <= STAND_INS and not rematches and steps_stand_first(rules)):
        return few
    return _settle(field, scale, rules, run, drawn_from, len(run.members))


def steps_stand_first(rules: Rules) -> bool:
    """Whether only rematches (and the bye) count before the steps between groups."""
    order = [level for level in order_of(rules) if level not in ("rematches", "second_byes", "bye_height")]
    return order[:1] == ["distance"]


class _RunGraph:
    """Edges with their costs. Nodes are the run's players, stand-ins for the groups above and below, then the bye."""

    def __init__(self, run: Run, stand_ins: int, lot_bits: int, drawn_from: tuple[int, *tuple[int | str, ...]]) -> None:
        """Number the nodes. Lots are drawn in the order in which edges are added."""
        count = len(run.members)
        odd_below = (run.odd_above + count - bool(run.may_have_bye)) % 2
        ups = 0 if run.above is None else stand_ins + (stand_ins + run.odd_above) % 2
        downs = 0 if run.below is None else stand_ins + (stand_ins + odd_below) % 2
        self.above, self.below = range(count, count + ups), range(count + ups, count + ups + downs)
        self.bye = count + ups + downs
        self.costs: dict[Edge, int] = {}
        self.steps: dict[Edge, int] = {}
        self.lot_bits = lot_bits
        self.lots = iter(lots(self.bye * (self.bye + 1) // 2, *drawn_from))

    def add(self, two: Edge, step: int, cost: int, *, crowds: bool = False) -> None:
        """Add an edge across ``step`` groups, with its lot; ``crowds`` if the player's club crowds that group."""
        self.steps[two] = step * step
        # Two bits fewer than in a whole round: with stand-ins there can be more edges than a round has games.
        # The lots themselves are small enough never to send a player into a crowded group.
        lot = next(self.lots) >> (40 - self.lot_bits)
        self.costs[two] = cost + (crowds << (self.lot_bits - 3)) + lot


def _settle(
    field: Field,
    scale: Scale,
    rules: Rules,
    run: Run,
    drawn_from: tuple[int, *tuple[int | str, ...]],
    stand_ins: int,
) -> Settled:
    members, count = run.members, len(run.members)
    graph = _RunGraph(run, stand_ins, scale.lot_bits, drawn_from)
    for i, j in combinations(range(count), 2):
        step = field.group[members[i]] - field.group[members[j]]
        graph.add((i, j), step, pair_cost(field, scale, rules, members[i], members[j]))
    for i in range(count):
        _add_ways_out(graph, field, scale, run, i)
    for two in (*combinations(graph.above, 2), *combinations(graph.below, 2)):
        graph.add(two, 0, 0)
    if run.above is not None and run.below is not None:
        step = run.above - run.below
        for two in product(graph.above, graph.below):
            graph.add(two, step, step * step * scale.unit.distance)
    chosen = cheapest_matching(graph.bye + bool(run.may_have_bye), graph.costs)
    return Settled(
        charge=sum(graph.costs[two] for two in chosen),
        pairs=tuple((members[i], members[j]) for i, j in chosen if j < count),
        up=tuple(members[i] for i, j in chosen if i < count and j in graph.above),
        down=tuple(members[i] for i, j in chosen if i < count and j in graph.below),
        past=sum(i in graph.above and j in graph.below for i, j in chosen),
        bye=next((members[i] for i, j in chosen if j == graph.bye), None),
        steps=sum(graph.steps[two] for two in chosen),
    )


def _add_ways_out(graph: _RunGraph, field: Field, scale: Scale, run: Run, i: int) -> None:
    """The edges of a run's player to the groups above and below, and to the bye."""
    member, unit = run.members[i], scale.unit
    group, club = field.group[member], field.club[member]
    if run.above is not None:
        step = run.above - group
        for k in graph.above:
            graph.add((i, k), step, step * step * unit.distance, crowds=club == run.crowd_above != "")
    if run.below is not None:
        step = group - run.below
        cost = step_cost(unit, step, floated=field.seats[member].floats > 0)
        for k in graph.below:
            graph.add((i, k), step, cost, crowds=club == run.crowd_below != "")
    if member in run.may_have_bye:
        graph.add((i, graph.bye), 0, 0)


def runs_between(field: Field, broad: Sequence[int], bye_group: int | None, may_have_bye: Sequence[int]) -> list[Run]:
    """The runs from the top of the field to the bottom: above, between and below the ``broad`` groups.

    ``broad`` are group numbers from the top. One of ``may_have_bye`` in ``bye_group`` has the bye; None for an even
    field.
    """
    edges = [None, *broad, None]
    runs = []
    for above, below in pairwise(edges):
        top = max(field.group, default=0) + 1 if above is None else above
        bottom = -1 if below is None else below
        members = sorted(i for group, mates in field.members.items() if bottom < group < top for i in mates)
        all_above = sum(len(mates) for group, mates in field.members.items() if group >= top)
        paired_above = all_above - (bye_group is not None and bye_group >= top)
        here = tuple(may_have_bye) if bye_group is not None and bottom < bye_group < top else ()
        crowds = ("" if group is None else crowding_club(field, field.members[group]) for group in (above, below))
        runs.append(Run(tuple(members), above, below, bool(paired_above % 2), here, *crowds))
    return runs


def crowding_club(field: Field, members: Sequence[int]) -> str:
    """The club with about half of these players or more; "" if none has."""
    club, count = largest_club(field, members)
    return club if 2 * count >= len(members) - FEW else ""


def largest_club(field: Field, members: Sequence[int]) -> tuple[str, int]:
    """The largest club among these players, and its number of them; "" and 0 without clubs."""
    clubs = Counter(club for i in members if (club := field.club[i]))
    return clubs.most_common(1)[0] if clubs else ("", 0)
