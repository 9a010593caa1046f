"""The words for pairs and byes that people chose by hand."""

import pytest

from events.pairing.explain import explain, explain_bye
from events.pairing.seats import Pair, Rules, Seat

SEATS = [
    Seat("a", 6, "Reds", floats=2, opponents=("c",)),
    Seat("b", 6, "reds "),
    Seat("c", 3.5),
    Seat("d", 3.5, byes=1),
    Seat("e", 1),
]


def test_a_swapped_pair_says_what_is_odd_about_it_and_claims_nothing_more() -> None:
    pairs, notes = explain(1, SEATS, [Pair("a", "c"), Pair("b", "e", ("an old note",))], "d")
    assert pairs[0] == Pair(
        "a",
        "c",
        (
            "rematch: these two have met before",
            "pair-down from 6 to 3.5 points",
            "repeat pair-down: the higher player was paired down twice before",
        ),
    )
    assert pairs[1].notes == ("pair-down from 6 to 1 point",)
    assert notes == ("second bye: had one once before, while 4 players had none",)


def test_the_odd_group_is_named_whoever_made_the_pair() -> None:
    seats = [Seat("a", 3), Seat("b", 3), Seat("c", 3), Seat("d", 1)]
    pairs, notes = explain(2, seats, [Pair("a", "b"), Pair("d", "c")], None)
    assert pairs[1].notes == ("pair-down from 3 to 1 point: an odd number (3) on 3 points or more",)
    assert notes == ()


def test_club_mates_are_noted_where_they_are_kept_apart() -> None:
    pair = Pair("a", "b")
    assert explain(1, SEATS, [pair], None)[0][0].notes == ("same club: Reds",)
    assert explain(2, SEATS, [pair], None)[0][0].notes == ()
    assert explain(2, SEATS, [pair], None, Rules("always"))[0][0].notes == ("same club: Reds",)
    asked = explain(2, SEATS, [pair], None, Rules(keep_apart=(("b", "a"),)))[0][0].notes
    assert asked == ("kept apart: these two were to be kept apart",)


@pytest.mark.parametrize(
    ("bye", "words"),
    [
        ("e", "bye: lowest group without an earlier bye (1 point)"),
        ("c", "bye: on 3.5 points, while 1 player on fewer points had none"),
        ("a", "bye: on 6 points, while 2 players on fewer points had none"),
        ("d", "second bye: had one once before, while 4 players had none"),
    ],
)
def test_a_bye_given_by_hand(bye: str, words: str) -> None:
    assert explain_bye(SEATS, bye) == words


def test_a_second_bye_above_others_who_had_one_too() -> None:
    seats = [Seat("a", 6, byes=1), Seat("b", 3, byes=3), Seat("c", 0, byes=1)]
    assert explain_bye(seats, "a") == "second bye: on 6 points, while 2 players on fewer points had one too"
    assert explain_bye(seats, "c") == "second bye: every player has had one; lowest group (0 points)"
