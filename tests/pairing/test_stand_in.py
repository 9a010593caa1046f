"""A stand-in in a request: drawn, placed and stored like everything else that a round is drawn from."""

from dataclasses import replace

import pytest

from events.pairing.request import Request, drawn_round, from_document, of_the_field, to_document
from events.pairing.seats import Pair, Seat
from events.pairing.tables import Room

FIVE = tuple(Seat(c, points) for c, points in zip("abcde", (6, 3, 3, 3, 0), strict=True))
PLAIN = Request(3, FIVE, 7, room=Room((1, 2, 3, 4)))
WITH = replace(PLAIN, ringer=Seat("r", tables=(3,)))


def test_who_would_have_the_bye_plays_the_stand_in_at_a_table() -> None:
    plain, drawn = drawn_round(PLAIN), drawn_round(WITH)
    notes = ("a stand-in in place of the bye", "bye: lowest group without an earlier bye (0 points)")
    assert drawn == replace(plain, stand_in=Pair("e", "r", notes, table=4))
    assert [pair.table for pair in drawn.pairs] == [1, 2], "table 3 is free, but the stand-in has sat there before"


def test_the_stand_in_s_table_has_a_scenario_of_its_own() -> None:
    seats = tuple(replace(seat, scenarios=("raid",)) for seat in FIVE)
    drawn = drawn_round(replace(WITH, seats=seats, room=Room((1, 2, 3), scenarios=("raid", "hold"))))
    assert drawn.stand_in
    assert (drawn.stand_in.table, drawn.stand_in.scenario) == (3, "hold")


def test_with_an_even_field_the_stand_in_steps_aside() -> None:
    four = replace(WITH, seats=FIVE[:4])
    assert drawn_round(four) == drawn_round(replace(four, ringer=None))


def test_the_request_is_stored_and_read_back() -> None:
    for request in (PLAIN, WITH):
        assert from_document(to_document(request)) == request
    before_stand_ins = to_document(PLAIN)
    del before_stand_ins["ringer"]
    assert from_document(before_stand_ins) == PLAIN


def test_the_levels_see_the_stand_in_s_game_as_the_bye() -> None:
    pairs = (Pair("a", "b"), Pair("r", "c"))
    assert of_the_field(WITH, pairs, None) == ((Pair("a", "b"),), "c")
    assert of_the_field(PLAIN, pairs[:1], "c") == ((Pair("a", "b"),), "c")


def test_a_stand_in_with_a_seat_is_refused() -> None:
    with pytest.raises(ValueError, match="'a' holds a seat and cannot stand in too"):
        drawn_round(replace(PLAIN, ringer=FIVE[0]))
