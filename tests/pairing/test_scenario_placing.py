"""Scenarios per table: none again for a player, all used evenly, lots among the rest."""

from collections import Counter
from random import Random

import pytest

from events.pairing.placing import place_pairs
from events.pairing.seats import Pair, Placement, Seat
from events.pairing.tables import Room, assign_scenarios

PAIRS = [Pair("a", "b"), Pair("c", "d"), Pair("e", "f")]


def test_a_pair_plays_what_neither_has_played() -> None:
    seats = [Seat("a", scenarios=("x",)), Seat("b", scenarios=("y",)), *(Seat(c) for c in "cdef")]
    for seed in range(20):
        found, placement = place_pairs(PAIRS, seats, Room(scenarios=("x", "y", "z")), seed=seed, round_number=2)
        assert found[0].scenario == "z"
        assert sorted(p.scenario or "" for p in found) == ["x", "y", "z"], "used evenly"
        assert placement == Placement()


def test_where_all_were_played_the_least_played_comes_again_and_the_note_says_so() -> None:
    seats = [Seat("a", scenarios=("x", "y", "x")), Seat("b", scenarios=("x", "y"))]
    found, placement = place_pairs(PAIRS[:1], seats, Room((4,), True, ("x", "y")), seed=1, round_number=4)
    assert (found[0].scenario, placement.scenario_repeats) == ("y", 2)
    text = "scenario again: both played it before; no scenario of the pool was played less by these two"
    assert found[0].notes == (text,)


def test_without_a_pool_no_table_has_a_scenario_of_its_own() -> None:
    found, _ = place_pairs(PAIRS, [Seat(c) for c in "abcdef"], Room(), seed=1, round_number=1)
    assert [pair.scenario for pair in found] == [None, None, None]


def test_a_pool_must_be_one() -> None:
    seats = [Seat(c) for c in "abcdef"]
    for pool in ((), ("x", "x"), tuple(f"s{k}" for k in range(201))):
        with pytest.raises(ValueError, match="a pool without repeats"):
            assign_scenarios(PAIRS, seats, pool, seed=1, round_number=1)
    assert assign_scenarios([], [], ("x",), seed=1, round_number=1) == ([], 0)


def test_the_order_of_the_pool_plays_no_part() -> None:
    dice = Random(2)
    pool = [f"s{k}" for k in range(7)]
    seats = [Seat(c, scenarios=tuple(dice.choices(pool, k=3))) for c in "abcdef"]
    once = assign_scenarios(PAIRS, seats, pool, seed=9, round_number=3)
    for _ in range(5):
        dice.shuffle(pool)
        dice.shuffle(seats)
        assert assign_scenarios(PAIRS, seats, pool, seed=9, round_number=3) == once


def test_a_large_hall_uses_all_evenly_although_lots_would_not() -> None:
    dice = Random(4)
    pool = tuple(f"s{k}" for k in range(7))
    seats = [Seat(f"p{i:04}", scenarios=tuple(dice.choices(pool, k=2))) for i in range(800)]
    pairs = [Pair(seats[2 * k].id, seats[2 * k + 1].id) for k in range(400)]
    names, again = assign_scenarios(pairs, seats, pool, seed=1, round_number=3)
    assert again == 0
    assert sorted(Counter(names).values()) == [57, 57, 57, 57, 57, 57, 58]
