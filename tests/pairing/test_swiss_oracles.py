"""The draw against two oracles that know nothing of its weights: every matching there is, and networkx."""

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import astuple, replace
from itertools import combinations
from random import Random
from typing import Any

import networkx
import pytest

from events.pairing.levels import count_levels
from events.pairing.seats import Draw
from events.pairing.swiss import draw
from tests.kit.profiles import at_length

pytestmark = pytest.mark.slow

SMALL = [range(start, start + 100) for start in range(0, 1000, 100)]
LARGE = [range(start, start + 50) for start in range(1000, 1500, 50)]
"""Seeds of events to ten players, and to sixty; a chunk is a case."""

FieldOf = Callable[[int, int, int], Any]
Vector = tuple[int, int, int, int, int, int]
BYE = "the bye"


def vectors(field: Any) -> dict[frozenset[str], Vector]:
    """What each possible pair, and each possible bye, adds to the levels; written from the docs' table."""
    groups = sorted({s.points for s in field.seats})
    apart = [set(two) for two in field.rules.keep_apart]
    clubs = {"always": True, "never": False, "first_round": field.round_number == 1}[field.rules.avoid_clubs]
    found: dict[frozenset[str], Vector] = {}
    for one, two in combinations(field.seats, 2):
        low, high = sorted((one, two), key=lambda s: float(s.points))
        step = groups.index(high.points) - groups.index(low.points)
        mates = clubs and one.club.strip() and one.club.strip().lower() == two.club.strip().lower()
        found[frozenset((one.id, two.id))] = (
            int(two.id in one.opponents or one.id in two.opponents),
            0,
            0,
            step * step,
            int(step > 0 and high.floats > 0),
            int(bool(mates) or {one.id, two.id} in apart),
        )
    if len(field.seats) % 2:
        for seat in field.seats:
            found[frozenset((seat.id, BYE))] = (0, int(seat.byes > 0), groups.index(seat.points), 0, 0, 0)
    return found


def total(parts: list[Vector]) -> Vector:
    a, b, c, d, e, f = (sum(part[k] for part in parts) for k in range(6))
    return a, b, c, d, e, f


def every_matching(players: list[str], cost: dict[frozenset[str], Vector]) -> Iterator[Vector]:
    if not players:
        yield 0, 0, 0, 0, 0, 0
        return
    first, *others = players
    for other in others:
        mine = cost[frozenset((first, other))]
        for rest in every_matching([p for p in others if p != other], cost):
            yield total([mine, rest])


def drawn(field: Any, seed: int) -> Draw:
    return draw(field.round_number, field.seats, seed=seed, rules=field.rules)


def check_against(best: Vector, field: Any, cost: dict[frozenset[str], Vector], result: Draw) -> None:
    edges = [frozenset((pair.a, pair.b)) for pair in result.pairs]
    edges += [] if result.bye is None else [frozenset((result.bye, BYE))]
    placed = sorted(id_ for edge in edges for id_ in edge if id_ != BYE)
    assert placed == sorted(seat.id for seat in field.seats)
    assert total([cost[edge] for edge in edges]) == best
    assert astuple(result.levels) == best
    assert count_levels(field.round_number, field.seats, result.pairs, result.bye, field.rules) == result.levels


@pytest.mark.parametrize("seeds", at_length(SMALL, SMALL[:4]), ids=str)
def test_no_matching_of_up_to_ten_players_has_better_levels(seeds: range, field_of: FieldOf) -> None:
    for seed in seeds:
        field = field_of(seed, *((1, 8) if seed % 4 else (9, 10)))
        cost = vectors(field)
        players = [seat.id for seat in field.seats] + ([BYE] if len(field.seats) % 2 else [])
        best = min(every_matching(players, cost))
        check_against(best, field, cost, drawn(field, seed))


@pytest.mark.parametrize("seeds", at_length(LARGE, LARGE[:4]), ids=str)
def test_networkx_finds_the_same_levels_on_the_complete_graph(seeds: range, field_of: FieldOf) -> None:
    for seed in seeds:
        field = field_of(seed, 11, 60)
        cost = vectors(field)
        graph = networkx.Graph()
        for edge, vector in cost.items():
            weight = 0
            for figure in vector:
                weight = weight * 10**6 + figure
            graph.add_edge(*edge, weight=weight)
        matching = networkx.min_weight_matching(graph)
        best = total([cost[frozenset(edge)] for edge in matching])
        check_against(best, field, cost, drawn(field, seed))


def words(text: str, count: int) -> list[int]:
    data = hashlib.shake_256(text.encode()).digest(4 * count)
    return [int.from_bytes(data[k : k + 4], "big") for k in range(0, 4 * count, 4)]


@pytest.mark.parametrize("seed", range(2000, 2030))
def test_anyone_can_draw_it_again_from_the_words_of_the_docs(seed: int, field_of: FieldOf) -> None:
    field = field_of(seed, 2, 20)
    cost = vectors(field)
    ids = sorted(s.id for s in field.seats)
    edges = [frozenset(two) for two in combinations(ids, 2)] + [
        e for id_ in ids if (e := frozenset((id_, BYE))) in cost
    ]
    graph = networkx.Graph()
    for edge, lot in zip(edges, words(f'[{seed},"overseer-swiss/2",{field.round_number}]', len(edges)), strict=True):
        weight = 0
        for figure in cost[edge]:
            weight = weight * 10**6 + figure
        graph.add_edge(*edge, weight=weight * 10**12 + lot)
    result = drawn(field, seed)
    found = {frozenset((p.a, p.b)) for p in result.pairs} | ({frozenset((result.bye, BYE))} if result.bye else set())
    assert found == {frozenset(edge) for edge in networkx.min_weight_matching(graph)}
    points = {s.id: s.points for s in field.seats}
    for pair in result.pairs:
        low, high = sorted((pair.a, pair.b))
        text = f'[{seed},"overseer-swiss/2",{field.round_number},"{low}","{high}"]'
        odd = hashlib.sha256(text.encode()).digest()[7] % 2
        if points[low] == points[high]:
            assert (pair.a, pair.b) == ((high, low) if odd else (low, high))
        else:
            assert points[pair.a] > points[pair.b]


@pytest.mark.parametrize("seed", range(30))
def test_the_order_in_which_anything_comes_in_changes_nothing(seed: int, field_of: FieldOf) -> None:
    field = field_of(seed, 2, 24)
    dice = Random(seed)
    seats = [
        type(s)(s.id, s.points, s.club, s.byes, s.floats, tuple(dice.sample(s.opponents, len(s.opponents))))
        for s in dice.sample(field.seats, len(field.seats))
    ]
    apart = tuple((b, a) for a, b in reversed(field.rules.keep_apart))
    again = draw(field.round_number, seats, seed=seed, rules=replace(field.rules, keep_apart=apart))
    assert again == drawn(field, seed)
