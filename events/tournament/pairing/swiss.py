"""The Swiss draw: the best pairing of the whole field by the levels, with its certificate.

A small field is solved on its complete graph. A larger one is paired group by group, and a lower bound proves that no
better pairing exists. Without that proof, the complete graph or a window of it decides, and the certificate says which.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

from events.tournament.pairing.explain import explain
from events.tournament.pairing.groups import pair_by_groups
from events.tournament.pairing.levels import (
    Edge,
    Field,
    Scale,
    bye_cost,
    cheapest_matching,
    complete_costs,
    count_levels,
    edge,
    field_of,
    pair_cost,
    scale_for,
    with_lots,
)
from events.tournament.pairing.seats import PLAIN, Certificate, Draw, Pair, Rules, Seat, lot, lots
from languages.words import N_

ALGORITHM = "overseer-swiss/2"
COMPLETE = N_("minimum-weight perfect matching on the complete graph")
BOUND = N_("a lower bound met exactly: its groups allow no lower levels")
WINDOW = N_("a minimum-weight matching within a window of 40 neighbours in the order of points")

SMALL = 128
"""The most players whose complete graph is solved directly."""
LARGE = 512
"""The most players whose complete graph is the last resort; above that, a window of it."""
NEIGHBOURS = 40
"""The number of lower neighbours in each player's window."""


def draw(round_number: int, seats: Sequence[Seat], *, seed: int, rules: Rules = PLAIN) -> Draw:
    """Pair the seats for a round, with a bye if their number is odd; the order of the seats does not matter.

    Opponents and ``rules.keep_apart`` ids without a seat are ignored: they dropped. Pairs are sorted by the higher
    player's points, the lower player's points (both descending), then by lot. A lot also decides which of two equals is
    named first. Raises ValueError for an invalid field, or one too large to draw exactly.
    """
    everyone = checked_field(round_number, seats, rules)
    if not any(seat.rank for seat in everyone):
        rules = replace(rules, method="random")  # before round 1 there are no standings
    scale = scale_for(everyone, rules)
    field = field_of(round_number, everyone, rules)
    drawn_from = (seed, ALGORITHM, round_number)
    chosen, certificate = solve(field, scale, rules, drawn_from)
    free = field.seats
    couples = [(free[i], free[j]) for i, j in chosen if j < len(free)]
    bye = next((free[i].id for i, j in chosen if j == len(free)), None)
    by_id = {seat.id: seat for seat in everyone}
    couples += [(by_id[a], by_id[b]) for a, b in rules.locked if b is not None]
    bye = next((a for a, b in rules.locked if b is None), bye)
    pairs = in_order(couples, round_number, seed)
    levels = count_levels(round_number, everyone, pairs, bye, rules)
    noted, notes = explain(round_number, everyone, pairs, bye, rules, proven=certificate.proven)
    return Draw(noted, bye, levels, certificate, seed, ALGORITHM, notes)


def solve(field: Field, scale: Scale, rules: Rules, drawn_from: tuple[int, str, int]) -> tuple[list[Edge], Certificate]:
    """The edges of the pairing, with node n as the bye of an odd field, and its certificate.

    Raises RuntimeError if the pairing's cost is not the expected one, because no certificate could then be trusted.
    """
    count = len(field.seats)
    if count <= SMALL:
        return complete(field, scale, rules, drawn_from), Certificate(True, COMPLETE)
    grouped = pair_by_groups(field, scale, rules, drawn_from)
    if grouped is not None and grouped.pairs:
        chosen = sorted(edge(i, j) for i, j in grouped.pairs)
        chosen += [] if grouped.bye is None else [(grouped.bye, count)]
        cost = levels_cost(field, scale, rules, chosen)
        if cost < grouped.bound:
            raise RuntimeError("a pairing costs less than the bound below which there is none")
        if cost == grouped.bound:
            return chosen, Certificate(True, BOUND)
    if count <= LARGE:
        return complete(field, scale, rules, drawn_from), Certificate(True, COMPLETE)
    chosen = cheapest_matching(count + count % 2, window_costs(field, scale, rules, drawn_from))
    if grouped is not None and levels_cost(field, scale, rules, chosen) == grouped.bound:
        return chosen, Certificate(True, BOUND)
    return chosen, Certificate(False, WINDOW)


def complete(field: Field, scale: Scale, rules: Rules, drawn_from: tuple[int, str, int]) -> list[Edge]:
    """The cheapest matching of the complete graph. Raises RuntimeError if its cost is not that of its levels."""
    costs = complete_costs(field, scale, rules, drawn_from)
    chosen = cheapest_matching(len(field.seats) + len(field.seats) % 2, costs)
    if scale.levels_only(sum(costs[two] for two in chosen)) != levels_cost(field, scale, rules, chosen):
        raise RuntimeError("the draw weighed this pairing otherwise than its levels say")
    return chosen


def levels_cost(field: Field, scale: Scale, rules: Rules, chosen: Iterable[Edge]) -> int:
    count = len(field.seats)
    return sum(
        bye_cost(field, scale, i) if j == count else scale.levels_only(pair_cost(field, scale, rules, i, j))
        for i, j in chosen
    )


def window_costs(field: Field, scale: Scale, rules: Rules, drawn_from: tuple[int, str, int]) -> dict[Edge, int]:
    """The costs, with lots, of all byes and of the pairs within a window of the order of points."""
    count = len(field.seats)
    turn = lots(count, *drawn_from, "turns")
    row = sorted(range(count), key=lambda i: (-field.group[i], field.position[i], turn[i], i))
    costs = {
        edge(i, j): pair_cost(field, scale, rules, i, j)
        for k, i in enumerate(row)
        for j in row[k + 1 : k + 1 + NEIGHBOURS]
    }
    if count % 2:
        costs |= {(i, count): bye_cost(field, scale, i) for i in range(count)}
    return with_lots(costs, scale, drawn_from)


def checked_field(round_number: int, seats: Sequence[Seat], rules: Rules) -> list[Seat]:
    """The checked seats by id. Raises ValueError, with a message for users, for an invalid field."""
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
    if rules.method != "random" and any(seat.rank > 0 for seat in field) and not all(seat.rank > 0 for seat in field):
        raise ValueError(f"to draw by {rules.method}, every seat needs its rank in the standings, or none")
    check_locks(field, rules)
    return field


def check_locks(field: Sequence[Seat], rules: Rules) -> None:
    """Raises ValueError if the locked pairs cannot all be in one round of this field."""
    seat_ids = {seat.id for seat in field}
    placed: set[str] = set()
    for id_ in (id_ for pair in rules.locked for id_ in pair if id_ is not None):
        if id_ not in seat_ids:
            raise ValueError(f"{id_!r} is in a locked pair but has no seat")
        if id_ in placed:
            raise ValueError(f"{id_!r} is locked more than once")
        placed.add(id_)
    byes = sum(b is None for _, b in rules.locked)
    if byes > len(field) % 2:
        raise ValueError("a bye is locked" + (" although the field is even" if byes == 1 else " more than once"))


def in_order(couples: Iterable[tuple[Seat, Seat]], round_number: int, seed: int) -> tuple[Pair, ...]:
    """The couples as pairs, the higher player of each first, in the order that ``draw`` returns."""

    def pair(a: Seat, b: Seat) -> tuple[float, float, int, Pair]:
        a, b = sorted((a, b), key=lambda seat: seat.id)
        chance = lot(seed, ALGORITHM, round_number, a.id, b.id)
        if (b.points, chance % 2) > (a.points, 0):
            a, b = b, a
        return -a.points, -b.points, chance, Pair(a.id, b.id)

    return tuple(entry[3] for entry in sorted((pair(a, b) for a, b in couples), key=lambda entry: entry[:3]))
