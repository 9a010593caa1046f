"""Tables: which pair plays where, and what is said about it."""

from collections.abc import Sequence
from random import Random

import pytest

from events.pairing.placing import count_placement, explain_places, place_pairs
from events.pairing.seats import Pair, Placement, Seat
from events.pairing.tables import Room, table_order

TWO = (Pair("a", "b"), Pair("c", "d"))
THREE = (*TWO, Pair("e", "f"))


def placed(
    pairs: Sequence[Pair], seats: Sequence[Seat], tables: Sequence[int], *, top_first: bool = True, seed: int = 1
) -> tuple[list[int | None], Placement, list[tuple[str, ...]]]:
    room = Room(tuple(tables), top_first)
    found, placement = place_pairs(pairs, seats, room, seed=seed, round_number=2)
    return [pair.table for pair in found], placement, [pair.notes for pair in found]


def seats(**changed: Seat) -> list[Seat]:
    return [changed.get(c, Seat(c)) for c in "abcdef"]


def test_top_pairs_sit_on_the_first_tables_while_nobody_repeats() -> None:
    field = [Seat(c, tables=(7,)) for c in "abcdef"]
    assert placed(THREE, field, [4, 2, 3, 7]) == ([4, 2, 3], Placement(), [(), (), ()])
    assert place_pairs([], [], Room(), seed=1, round_number=1) == ((), Placement())


def test_without_a_list_there_are_as_many_tables_as_pairs() -> None:
    assert [p.table for p in place_pairs(THREE, seats(), Room(), seed=1, round_number=1)[0]] == [1, 2, 3]


def test_a_repeat_moves_the_pair_and_disturbs_the_order_little() -> None:
    tables, placement, notes = placed(THREE, seats(a=Seat("a", tables=(1,))), [1, 2, 3])
    assert (tables, placement, notes) == ([2, 1, 3], Placement(table_steps=2), [(), (), ()])


def test_where_all_tables_were_used_the_one_used_least_is_taken_and_the_note_says_so() -> None:
    field = [Seat("a", tables=(1, 2, 1)), Seat("b", tables=(1,))]
    tables, placement, notes = placed(TWO[:1], field, [1, 2])
    assert (tables, placement) == ([2], Placement(table_repeats=1, table_steps=1))
    assert notes == [("table again: one of the two sat at table 2 before; no placing has fewer repeats",)]


def test_a_fixed_table_is_kept_although_the_opponent_sat_there() -> None:
    field = seats(c=Seat("c", tables=(3, 3), fixed_table=3), d=Seat("d", tables=(3, 3)))
    tables, placement, notes = placed(THREE, field, [1, 2, 3])
    assert (tables, placement) == ([1, 3, 2], Placement(table_repeats=2, table_steps=2))
    text = "one of the two sat at table 3 twice before; no placing has fewer repeats and keeps the fixed tables"
    assert notes == [(), (f"table again: {text}",), ()]


def test_of_two_fixed_tables_in_one_pair_one_is_kept() -> None:
    field = seats(a=Seat("a", fixed_table=2), b=Seat("b", fixed_table=3, tables=(2,)))
    tables, placement, notes = placed(THREE, field, [1, 2, 3])
    assert (tables[0], placement) == (3, Placement(fixed_missed=1, table_steps=6))
    assert notes == [("fixed table 2 not kept: the opponent's table 3 is",), (), ()]


def test_of_two_pairs_that_want_one_table_one_gets_it() -> None:
    field = seats(a=Seat("a", fixed_table=2), d=Seat("d", fixed_table=2))
    tables, placement, notes = placed(THREE, field, [1, 2, 3])
    assert (tables, placement) == ([1, 2, 3], Placement(fixed_missed=1))
    assert notes == [("fixed table 2 not kept: another pair sits there",), (), ()]


def test_a_fixed_table_out_of_order_is_missed_and_said() -> None:
    tables, placement, notes = placed(THREE, seats(c=Seat("c", fixed_table=2)), [1, 3, 4])
    assert (tables, placement) == ([1, 3, 4], Placement(fixed_missed=1))
    assert notes[1] == ("fixed table 2 not kept: it is not among the tables in order",)


def test_a_fixed_table_is_no_repeat_for_who_has_it_fixed() -> None:
    tables, placement, notes = placed(TWO[:1], [Seat("a", tables=(2, 2), fixed_table=2), Seat("b")], [1, 2])
    assert (tables, placement, notes) == ([2], Placement(table_steps=1), [()])


def test_a_lot_decides_where_top_pairs_have_no_call_on_top_tables() -> None:
    tables = [placed(THREE, seats(), range(1, 9), top_first=False, seed=seed)[0] for seed in range(40)]
    assert len({tuple(one) for one in tables}) > 30
    assert {table for one in tables for table in one} == set(range(1, 9))
    first = table_order(Room(tuple(range(1, 9)), False), 3, seed=5, round_number=2)
    assert list(first[:3]) == tables[5], "nobody repeats, so the drawn order stands"


def test_a_hand_may_choose_any_table_and_it_is_counted_and_told_plainly() -> None:
    field = seats(a=Seat("a", tables=(9, 9)), b=Seat("b", tables=(9,)), c=Seat("c", fixed_table=1))
    hand = [Pair("a", "b", table=9), Pair("c", "d", table=2), Pair("e", "f", table=1)]
    assert count_placement(hand, field, (1, 2, 3)) == Placement(1, 3, (3 - 0) ** 2 + 0 + (0 - 2) ** 2, 0)
    assert explain_places(hand, field, (1, 2, 3)) == [
        ("table again: both sat at table 9 twice before",),
        ("fixed table 1 not kept: another pair sits there",),
        (),
    ]


def test_notes_of_the_draw_stay_before_those_of_the_place() -> None:
    field = [Seat("a", tables=(1,)), Seat("b")]
    found, _ = place_pairs([Pair("a", "b", ("rematch: ...",))], field, Room((1,)), seed=1, round_number=2)
    assert [note.partition(":")[0] for note in found[0].notes] == ["rematch", "table again"]


def test_too_few_tables_and_doubled_ones_are_refused() -> None:
    with pytest.raises(ValueError, match="2 pairs need as many tables, and only 1 are given"):
        placed(TWO, seats(), [5])
    with pytest.raises(ValueError, match="a table is listed twice"):
        placed(TWO, seats(), [5, 6, 5])


def test_the_order_in_which_seats_come_plays_no_part() -> None:
    dice = Random(3)
    field = [Seat(c, tables=tuple(dice.choices(range(1, 4), k=3))) for c in "abcdef"]
    once = placed(THREE, field, [1, 2, 3])
    for _ in range(10):
        dice.shuffle(field)
        assert placed(THREE, field, [1, 2, 3]) == once


def test_a_large_hall_is_placed_exactly() -> None:
    """Too large for one number a place: the levels are settled one after the other."""
    dice = Random(8)
    games = 600
    field = [
        Seat(
            f"p{i:04}",
            tables=tuple(dice.randint(max(1, i // 2 - 40), min(games, i // 2 + 40)) for _ in range(6)),
            fixed_table=dice.randint(1, games) if i % 300 == 0 else None,
        )
        for i in range(2 * games)
    ]
    pairs = [Pair(field[2 * k].id, field[2 * k + 1].id) for k in range(games)]
    tables, placement, _ = placed(pairs, field, range(1, games + 1))
    assert sorted(t for t in tables if t) == list(range(1, games + 1))
    fixed = {seat.id: seat.fixed_table for seat in field if seat.fixed_table}
    assert len(set(fixed.values())) == len(fixed) and placement.fixed_missed == 0
    assert all(fixed.get(p, t) == t for pair, t in zip(pairs, tables, strict=True) for p in (pair.a, pair.b))
