"""The draw against oracles that know nothing of its weights: every matching there is, and networkx."""

import hashlib
from dataclasses import astuple, replace
from itertools import combinations
from random import Random

import networkx
import pytest

from events.pairing.levels import count_levels
from events.pairing.seats import LEVELS, Levels, Pair, Rules
from events.pairing.swiss import draw
from tests.kit.fields import Field, random_field
from tests.kit.profiles import at_length

pytestmark = pytest.mark.slow

Vector = tuple[int, ...]
Couple = frozenset[str | None]
"""Two players; or a player and None, for the bye."""


def vectors(field: Field) -> dict[Couple, Vector]:
    """What each possible pair and each possible bye adds to the levels, written from the table in the docs."""
    groups = sorted({s.points for s in field.seats})
    apart = [set(two) for two in field.rules.keep_apart]
    clubs = {"always": True, "never": False, "first_round": field.round_number == 1}[field.rules.avoid_clubs]
    found: dict[Couple, Vector] = {}
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
            found[frozenset((seat.id, None))] = (0, int(seat.byes > 0), groups.index(seat.points), 0, 0, 0)
    return found


def every_round(ids: list[str]) -> list[list[Couple]]:
    """All ways to pair these players, with a bye where they are odd."""
    if not ids:
        return [[]]
    first, *others = ids
    byes: list[str | None] = [None] if len(ids) % 2 else []
    return [
        [frozenset((first, other)), *rest]
        for other in [*others, *byes]
        for rest in every_round([id_ for id_ in others if id_ != other])
    ]


def couples(pairs: tuple[Pair, ...], bye: str | None) -> list[Couple]:
    return [frozenset((p.a, p.b)) for p in pairs] + [frozenset((bye, None))] * (bye is not None)


def check(field: Field, seed: int) -> None:
    """The draw is the best of all, under the field's rules."""
    cost, rules = vectors(field), field.rules
    order = [LEVELS.index(x) for x in LEVELS if x in rules.banned and x not in rules.off]
    order += [LEVELS.index(x) for x in LEVELS if x not in (*rules.banned, *rules.off)]
    locked = {frozenset(pair) for pair in rules.locked}

    def weighed(found: list[Couple]) -> Vector:
        return tuple(sum(cost[two][k] for two in found) for k in order)

    best = min(weighed(one) for one in every_round([s.id for s in field.seats]) if locked <= set(one))
    result = draw(field.round_number, field.seats, seed=seed, rules=rules)
    found = couples(result.pairs, result.bye)
    assert sorted(id_ for two in found for id_ in two if id_) == sorted(seat.id for seat in field.seats), seed
    assert locked <= set(found), seed
    levels = Levels(*(sum(cost[two][k] for two in found) for k in range(6)))
    assert result.levels == levels, seed
    assert count_levels(field.round_number, field.seats, result.pairs, result.bye, rules) == levels, seed
    assert tuple(astuple(levels)[k] for k in order) == best, seed


def switched(rules: Rules, ids: list[str], dice: Random) -> Rules:
    """The rules with levels off and banned, a locked pair, and a locked bye of an odd field, each likely or not."""
    off, banned = (tuple(dice.sample(LEVELS, dice.randrange(3))) for _ in range(2))
    locked: tuple[tuple[str, str | None], ...] = ()
    if dice.random() < 0.5:
        one, other = dice.sample(ids, 2)
        locked = ((one, other),)
    if len(ids) % 2 and dice.random() < 0.5:
        locked += ((dice.choice([id_ for id_ in ids if all(id_ not in pair for pair in locked)]), None),)
    return replace(rules, off=off, banned=banned, locked=locked)


@pytest.mark.parametrize("seeds", at_length([range(300), range(300, 1000)], [range(300)]), ids=str)
def test_no_pairing_of_up_to_ten_players_has_better_levels(seeds: range) -> None:
    for seed in seeds:
        field = random_field(seed, *((1, 8) if seed % 6 else (9, 10)))
        check(field, seed)
        if 2 <= len(field.seats) <= 8 and seed % 2:
            check(replace(field, rules=switched(field.rules, [s.id for s in field.seats], Random(seed))), seed)


def words(text: str, count: int) -> list[int]:
    data = hashlib.shake_256(text.encode()).digest(4 * count)
    return [int.from_bytes(data[k : k + 4], "big") for k in range(0, 4 * count, 4)]


@pytest.mark.parametrize("seeds", at_length([range(1000, 1090), range(1090, 1400)], [range(1000, 1090)]), ids=str)
def test_the_draw_of_up_to_60_players_can_be_repeated_from_the_description_in_the_docs(seeds: range) -> None:
    """With networkx: the levels, then the lots, far enough apart in one number."""
    for seed in seeds:
        field = random_field(seed, 2, 60 if seed % 2 else 20)
        cost, ids = vectors(field), sorted(s.id for s in field.seats)
        edges: list[Couple] = [frozenset(two) for two in combinations(ids, 2)]
        edges += [e for id_ in ids if (e := frozenset((id_, None))) in cost]
        graph = networkx.Graph()
        start = f'[{seed},"overseer-swiss/2",{field.round_number}'
        for edge, lot in zip(edges, words(f"{start}]", len(edges)), strict=True):
            levels = sum(figure * 10 ** (6 * (5 - k)) for k, figure in enumerate(cost[edge]))
            graph.add_edge(*(id_ or "" for id_ in edge), weight=levels * 10**12 + lot)
        best = {frozenset(id_ or None for id_ in edge) for edge in networkx.min_weight_matching(graph)}
        result = draw(field.round_number, field.seats, seed=seed, rules=field.rules)
        assert set(couples(result.pairs, result.bye)) == best, seed
        points = {s.id: s.points for s in field.seats}
        for pair in result.pairs:
            low, high = sorted((pair.a, pair.b))
            odd = hashlib.sha256(f'{start},"{low}","{high}"]'.encode()).digest()[7] % 2
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
        assert again == draw(field.round_number, field.seats, seed=seed, rules=field.rules), seed
