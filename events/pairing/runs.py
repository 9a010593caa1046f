"""The least that narrow groups can cost between broad ones: a bound that needs no complete graph.

Cut a field into broad groups and the runs of narrow groups between them. In any pairing, charge each pair to the
runs that it touches: a pair inside a run in full; a pair that leaves a run for a broad group, or passes over
it, by its squared steps up to the broad groups' edges, and by the higher player's earlier pair-downs when that player
is in the run. A sum's square is no less than the sum of its parts' squares, so no pairing pays less than it is
charged, and how many pairs cross the upper edge of a run is odd or even as the number of players above it. So
the least charge of each run, found exactly with as many stand-ins for broad groups as it has players, adds up
to a lower bound for the whole field. A pairing that reaches it is proven best.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise, product

from events.pairing.costs import Edge, Field, Scale, edge, order_of, pair_cost
from events.pairing.lots import lots
from events.pairing.rules import Rules
from events.pairing.solver import cheapest_matching

STAND_INS = 6
"""So many stand-ins for each broad group are tried first."""
FEW = 4
"""So many more or less than half a group still make a club that crowds it."""


@dataclass(frozen=True)
class Run:
    """Narrow groups in a row: their players, and the numbers of the broad groups beside them, if there are any."""

    members: tuple[int, ...]
    above: int | None
    below: int | None
    odd_above: bool
    """Whether the number of players to be paired above this run is odd."""
    may_have_bye: tuple[int, ...] = ()
    """Where the bye falls into this run: those who may have it."""
    crowd_above: str = ""
    crowd_below: str = ""
    """The club that crowds the broad group there: among equals its players do not go to it."""


@dataclass(frozen=True)
class Settled:
    """A run at its least charge: who plays inside it, who goes up or down, and how many pairs pass it by."""

    charge: int
    """With order and lots."""
    pairs: tuple[Edge, ...]
    up: tuple[int, ...]
    down: tuple[int, ...]
    past: int
    bye: int | None
    steps: int
    """The squared steps that it is charged with."""


def settle(
    field: Field, scale: Scale, rules: Rules, run: Run, drawn_from: tuple[int, *tuple[int | str, ...]]
) -> Settled:
    """The run at its least charge; ``drawn_from`` names the lots that choose among equals.

    As many stand-ins as players always do. Few do where no pairing with more of them can be cheaper: each costs a
    step, and nothing but a rematch is dearer.
    """
    few = _settle(field, scale, rules, run, drawn_from, STAND_INS)
    rematches = any(edge(i, j) in field.met for i, j in few.pairs)
    if len(run.members) <= STAND_INS or (few.steps <= STAND_INS and not rematches and steps_stand_first(rules)):
        return few
    return _settle(field, scale, rules, run, drawn_from, len(run.members))


def steps_stand_first(rules: Rules) -> bool:
    """Whether, for a given bye, no level but rematches stands above the steps between groups."""
    order = [level for level in order_of(rules) if level not in ("rematches", "second_byes", "bye_height")]
    return order[:1] == ["distance"]


def _settle(
    field: Field,
    scale: Scale,
    rules: Rules,
    run: Run,
    drawn_from: tuple[int, *tuple[int | str, ...]],
    stand_ins: int,
) -> Settled:
    members, unit = run.members, scale.unit
    count = len(members)
    odd_below = (run.odd_above + count - bool(run.may_have_bye)) % 2
    ups = 0 if run.above is None else stand_ins + (stand_ins + run.odd_above) % 2
    downs = 0 if run.below is None else stand_ins + (stand_ins + odd_below) % 2
    above, below = range(count, count + ups), range(count + ups, count + ups + downs)
    bye = count + ups + downs
    lot = iter(lots(bye * (bye + 1) // 2, *drawn_from))
    costs: dict[Edge, int] = {}
    steps: dict[Edge, int] = {}

    def offer(two: Edge, step: int, cost: int, *, crowds: bool = False) -> None:
        steps[two] = step * step
        # Two bits fewer than in a whole round, for with the stand-ins there can be more edges than a round has games;
        # and lots proper are so small that they never send a player into a crowd.
        costs[two] = cost + (crowds << (scale.lot_bits - 3)) + (next(lot) >> (40 - scale.lot_bits))

    for i, j in combinations(range(count), 2):
        step = field.group[members[i]] - field.group[members[j]]
        offer((i, j), step, pair_cost(field, scale, rules, members[i], members[j]))
    for i, member in enumerate(members):
        group, club = field.group[member], field.club[member]
        if run.above is not None:
            step = run.above - group
            for k in above:
                offer((i, k), step, step * step * unit.distance, crowds=club == run.crowd_above != "")
        if run.below is not None:
            step = group - run.below
            cost = step * step * unit.distance + (field.seats[member].floats > 0) * unit.repeat_floats
            for k in below:
                offer((i, k), step, cost, crowds=club == run.crowd_below != "")
        if member in run.may_have_bye:
            offer((i, bye), 0, 0)
    for two in (*combinations(above, 2), *combinations(below, 2)):
        offer(two, 0, 0)
    if run.above is not None and run.below is not None:
        step = run.above - run.below
        for two in product(above, below):
            offer(two, step, step * step * unit.distance)
    chosen = cheapest_matching(bye + bool(run.may_have_bye), costs)
    return Settled(
        charge=sum(costs[two] for two in chosen),
        pairs=tuple((members[i], members[j]) for i, j in chosen if j < count),
        up=tuple(members[i] for i, j in chosen if i < count and j in above),
        down=tuple(members[i] for i, j in chosen if i < count and j in below),
        past=sum(i in above and j in below for i, j in chosen),
        bye=next((members[i] for i, j in chosen if j == bye), None),
        steps=sum(steps[two] for two in chosen),
    )


def runs_between(field: Field, broad: Sequence[int], bye_group: int | None, may_have_bye: Sequence[int]) -> list[Run]:
    """The runs from the top to the bottom of the field: one above, between and below the ``broad`` groups.

    ``broad`` are group numbers from the top. In ``bye_group``, None for an even field, one of ``may_have_bye`` has the
    bye.
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
        crowds = ("" if beside is None else crowding_club(field, field.members[beside]) for beside in (above, below))
        runs.append(Run(tuple(members), above, below, bool(paired_above % 2), here, *crowds))
    return runs


def crowding_club(field: Field, members: Sequence[int]) -> str:
    """The club whose players are about as many as all others among these, or more; "" where none is."""
    club, count = largest_club(field, members)
    return club if 2 * count >= len(members) - FEW else ""


def largest_club(field: Field, members: Sequence[int]) -> tuple[str, int]:
    """The club with the most of these players, and how many; "" and 0 where none has a club that is looked at."""
    clubs = Counter(club for i in members if (club := field.club[i]))
    return clubs.most_common(1)[0] if clubs else ("", 0)
