"""Tables against every possible assignment."""

from itertools import permutations
from random import Random

import pytest

from events.pairing.seats import Pair, Seat
from events.pairing.tables import assign_tables


def test_top_pairs_sit_on_the_first_tables_while_nobody_repeats() -> None:
    seats = [Seat(c, tables=(7,)) for c in "abcdef"]
    pairs = [Pair("a", "b"), Pair("c", "d"), Pair("e", "f")]
    assert assign_tables(pairs, seats, [4, 2, 3, 7]) == [4, 2, 3]
    assert assign_tables([], [], []) == []


def test_a_repeat_moves_the_pair_and_disturbs_the_order_little() -> None:
    seats = [Seat("a", tables=(1,)), Seat("b"), Seat("c"), Seat("d"), Seat("e"), Seat("f")]
    pairs = [Pair("a", "b"), Pair("c", "d"), Pair("e", "f")]
    assert assign_tables(pairs, seats, [1, 2, 3]) == [2, 1, 3]


def test_where_all_tables_were_used_the_one_used_least_is_taken() -> None:
    seats = [Seat("a", tables=(1, 2, 1)), Seat("b", tables=(1,))]
    assert assign_tables([Pair("a", "b")], seats, [1, 2]) == [2]


@pytest.mark.parametrize("seed", range(60))
def test_no_assignment_has_fewer_repeats_or_is_nearer_to_the_order(seed: int) -> None:
    dice = Random(seed)
    tables = dice.sample(range(1, 20), dice.randint(3, 6))
    games = dice.randint(1, min(5, len(tables)))
    seats = [Seat(f"p{i}", tables=tuple(dice.choices(tables, k=dice.randrange(5)))) for i in range(2 * games)]
    pairs = [Pair(f"p{2 * i}", f"p{2 * i + 1}") for i in range(games)]
    used = {seat.id: seat.tables for seat in seats}

    def cost(assigned: tuple[int, ...]) -> tuple[int, int]:
        repeats = sum(used[p.a].count(t) + used[p.b].count(t) for p, t in zip(pairs, assigned, strict=True))
        return repeats, sum((tables.index(t) - place) ** 2 for place, t in enumerate(assigned))

    assert cost(tuple(assign_tables(pairs, seats, tables))) == min(map(cost, permutations(tables, games)))


def test_too_few_tables_and_doubled_ones_are_refused() -> None:
    seats = [Seat(c) for c in "abcd"]
    pairs = [Pair("a", "b"), Pair("c", "d")]
    with pytest.raises(ValueError, match="2 pairs need as many tables, and only 1 are given"):
        assign_tables(pairs, seats, [5])
    with pytest.raises(ValueError, match="a table is listed twice"):
        assign_tables(pairs, seats, [5, 6, 5])
