"""The draw against oracles that know nothing of its weights: every matching there is, and networkx."""

import hashlib
from collections.abc import Iterator
from dataclasses import astuple, replace
from itertools import combinations
from random import Random

import networkx
import pytest

from events.pairing.levels import count_levels
from events.pairing.seats import LEVELS, Draw, Levels, Pair
from events.pairing.swiss import draw
from tests.kit.fields import Field, random_field
from tests.kit.profiles import at_length

pytestmark = pytest.mark.slow

Vector = tuple[int, int, int, int, int, int]
BYE = "the bye"


def vectors(field: Field) -> dict[frozenset[str], Vector]:
    """What each possible pair and each possible bye adds to the levels, written from the table in the docs."""
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


def weight(vector: Vector) -> int:
    """The levels as one number, far enough apart for small fields."""
    number = 0
    for figure in vector:
        number = number * 10**6 + figure
    return number


def drawn(field: Field, seed: int) -> Draw:
    return draw(field.round_number, field.seats, seed=seed, rules=field.rules)


def check_against(best: Vector, field: Field, cost: dict[frozenset[str], Vector], seed: int) -> None:
    result = drawn(field, seed)
    edges = [frozenset((pair.a, pair.b)) for pair in result.pairs]
    edges += [] if result.bye is None else [frozenset((result.bye, BYE))]
    placed = sorted(id_ for edge in edges for id_ in edge if id_ != BYE)
    assert placed == sorted(seat.id for seat in field.seats), seed
    assert total([cost[edge] for edge in edges]) == astuple(result.levels) == best, seed
    assert count_levels(field.round_number, field.seats, result.pairs, result.bye, field.rules) == result.levels


@pytest.mark.parametrize("seeds", at_length([range(400), range(400, 1000)], [range(400)]), ids=str)
def test_no_matching_of_up_to_ten_players_has_better_levels(seeds: range) -> None:
    for seed in seeds:
        field = random_field(seed, *((1, 8) if seed % 4 else (9, 10)))
        cost = vectors(field)
        players = [seat.id for seat in field.seats] + ([BYE] if len(field.seats) % 2 else [])
        check_against(min(every_matching(players, cost)), field, cost, seed)


@pytest.mark.parametrize("seeds", at_length([range(1000, 1200), range(1200, 1500)], [range(1000, 1120)]), ids=str)
def test_networkx_finds_the_same_levels_for_up_to_60_players(seeds: range) -> None:
    for seed in seeds:
        field = random_field(seed, 11, 60)
        cost = vectors(field)
        graph = networkx.Graph()
        for edge, vector in cost.items():
            graph.add_edge(*edge, weight=weight(vector))
        best = total([cost[frozenset(edge)] for edge in networkx.min_weight_matching(graph)])
        check_against(best, field, cost, seed)


def every_round(ids: list[str]) -> list[tuple[list[Pair], str | None]]:
    """All ways to pair these players, with a bye where they are odd."""
    if not ids:
        return [([], None)]
    first, *others = ids
    found: list[tuple[list[Pair], str | None]] = []
    if len(ids) % 2:
        found += [(pairs, first) for pairs, _ in every_round(others)]
    for other in others:
        rest = [id_ for id_ in others if id_ != other]
        found += [([Pair(first, other), *pairs], bye) for pairs, bye in every_round(rest)]
    return found


def check_switches(seed: int) -> None:
    field, dice = random_field(seed, 2, 8), Random(seed)
    ids = [seat.id for seat in field.seats]
    off, banned = (tuple(dice.sample(LEVELS, dice.randrange(3))) for _ in range(2))
    locked: tuple[tuple[str, str | None], ...] = ()
    if dice.random() < 0.5:
        one, other = dice.sample(ids, 2)
        locked = ((one, other),)
    if len(ids) % 2 and dice.random() < 0.5:
        (alone,) = dice.sample([id_ for id_ in ids if all(id_ not in pair for pair in locked)], 1)
        locked += ((alone, None),)
    rules = replace(field.rules, off=off, banned=banned, locked=locked)
    order = [x for x in LEVELS if x in banned and x not in off] + [x for x in LEVELS if x not in (*banned, *off)]

    def vector(levels: Levels) -> list[int]:
        return [getattr(levels, level) for level in order]

    def keeps_locks(pairs: list[Pair], bye: str | None) -> bool:
        together = {frozenset((p.a, p.b)) for p in pairs} | {frozenset((bye, None))}
        return all(frozenset(pair) in together for pair in locked)

    best = min(
        vector(count_levels(field.round_number, field.seats, pairs, bye, rules))
        for pairs, bye in every_round(ids)
        if keeps_locks(pairs, bye)
    )
    result = draw(field.round_number, field.seats, seed=seed, rules=rules)
    assert keeps_locks(list(result.pairs), result.bye), seed
    assert vector(result.levels) == best, seed
    placed = [id_ for p in result.pairs for id_ in (p.a, p.b)] + [id_ for id_ in (result.bye,) if id_]
    assert sorted(placed) == sorted(ids), seed


def test_levels_switched_off_or_banned_and_locked_pairs_are_obeyed() -> None:
    for seed in range(3000, 3150):
        check_switches(seed)


def words(text: str, count: int) -> list[int]:
    data = hashlib.shake_256(text.encode()).digest(4 * count)
    return [int.from_bytes(data[k : k + 4], "big") for k in range(0, 4 * count, 4)]


def test_the_draw_can_be_repeated_from_the_description_in_the_docs() -> None:
    for seed in range(2000, 2030):
        field = random_field(seed, 2, 20)
        cost = vectors(field)
        ids = sorted(s.id for s in field.seats)
        edges = [frozenset(two) for two in combinations(ids, 2)]
        edges += [e for id_ in ids if (e := frozenset((id_, BYE))) in cost]
        graph = networkx.Graph()
        lots = words(f'[{seed},"overseer-swiss/2",{field.round_number}]', len(edges))
        for edge, lot in zip(edges, lots, strict=True):
            graph.add_edge(*edge, weight=weight(cost[edge]) * 10**12 + lot)
        result = drawn(field, seed)
        found = {frozenset((p.a, p.b)) for p in result.pairs} | (
            {frozenset((result.bye, BYE))} if result.bye else set()
        )
        assert found == {frozenset(edge) for edge in networkx.min_weight_matching(graph)}, seed
        points = {s.id: s.points for s in field.seats}
        for pair in result.pairs:
            low, high = sorted((pair.a, pair.b))
            text = f'[{seed},"overseer-swiss/2",{field.round_number},"{low}","{high}"]'
            odd = hashlib.sha256(text.encode()).digest()[7] % 2
            if points[low] == points[high]:
                assert (pair.a, pair.b) == ((high, low) if odd else (low, high)), seed
            else:
                assert points[pair.a] > points[pair.b], seed


def test_the_draw_does_not_depend_on_the_order_of_its_input() -> None:
    for seed in range(30):
        field, dice = random_field(seed, 2, 24), Random(seed)
        seats = [
            replace(s, opponents=tuple(dice.sample(s.opponents, len(s.opponents))))
            for s in dice.sample(field.seats, len(field.seats))
        ]
        apart = tuple((b, a) for a, b in reversed(field.rules.keep_apart))
        again = draw(field.round_number, seats, seed=seed, rules=replace(field.rules, keep_apart=apart))
        assert again == drawn(field, seed), seed
