"""Records and seats from results: byes, pair-downs, drops, late entries, and results that are refused."""

import pytest

from events.pairing.seats import Seat
from events.play.figures import Entrant, Result, Scheme
from events.standings.records import bye_worth, mean_winning_vp, records, seats_from

PLAYERS = [Entrant(c, c.upper()) for c in "abcde"]
RESULTS = [
    Result(1, "a", "b", 10, 4, table=1),
    Result(1, "c", "d", 6, 6, table=2),
    Result(1, "e", None),
    Result(2, "a", "c", 8, 2, table=3),
    Result(2, "b", "e", 3, 7, table=1),
    Result(2, "d", None),
    Result(3, "e", "a", 9, 3, table=1),
    Result(3, "d", "b", 5, 5, table=2),
    Result(3, "c", None),
]


def test_bye_is_worth_the_mean_of_the_winners_rounded_half_up() -> None:
    assert mean_winning_vp(RESULTS) == 9  # 10, 8, 7 and 9: 8.5
    assert mean_winning_vp(RESULTS[:3]) == 10
    assert mean_winning_vp(RESULTS[1:3]) == 0  # a draw and a bye: nobody has won yet
    assert bye_worth(RESULTS, Scheme()) == 9
    assert bye_worth(RESULTS, Scheme(bye_vp=0)) == 0


def test_seats_ignore_results_of_their_round_and_later_ones() -> None:
    assert seats_from(RESULTS, PLAYERS, Scheme(), 2) == seats_from(RESULTS[:3], PLAYERS, Scheme(), 2)
    assert seats_from(RESULTS, PLAYERS, Scheme(), 1) == [Seat(c) for c in "abcde"]


def test_field_follows_drops_late_entries_and_reinstatement() -> None:
    people = [
        Entrant("a", "A"),
        Entrant("b", "B", dropped_after=2),
        Entrant("late", "L", "Reds", entered_round=3),
    ]
    results = [Result(1, "a", "b", 5, 1)]
    in_field = {n: [s.id for s in seats_from(results, people, Scheme(), n)] for n in (1, 2, 3)}
    assert in_field == {1: ["a", "b"], 2: ["a", "b"], 3: ["a", "late"]}
    back = [people[0], Entrant("b", "B"), people[2]]
    seats = seats_from(results, back, Scheme(), 3)
    assert [s.id for s in seats] == ["a", "b", "late"]
    assert seats[1].opponents == ("a",)
    assert seats[2] == Seat("late", club="Reds")


def test_a_bonus_does_not_count_for_the_draw() -> None:
    people = [Entrant("a", "A", bonus=2), Entrant("b", "B")]
    results = [Result(1, "b", "a", 5, 1)]
    assert records(results, people, Scheme())["a"].points == 2
    assert [s.points for s in seats_from(results, people, Scheme(), 2)] == [0, 3]


def test_points_follow_the_scheme() -> None:
    by_id = records(RESULTS, PLAYERS, Scheme(win=20, draw=10, loss=5))
    assert {id_: one.points for id_, one in by_id.items()} == {"a": 45, "b": 20, "c": 35, "d": 40, "e": 60}


def test_contradictory_results_and_entrants_are_refused() -> None:
    for results, message in (
        ([Result(1, "a", "x", 1, 0)], "round 1: 'x' has a result but is no entrant"),
        ([Result(1, "a", "a", 1, 0)], "round 1: 'a' has more than one result"),
        ([Result(2, "a", "b", 1, 0), Result(2, "b", None)], "round 2: 'b' has more than one result"),
    ):
        with pytest.raises(ValueError, match=message):
            records(results, PLAYERS, Scheme())
    with pytest.raises(ValueError, match="two entrants have the id 'a'"):
        records([], [Entrant("a", "A"), Entrant("a", "Ann")], Scheme())


def test_scheme_that_rewards_losing_or_counts_below_zero_is_refused() -> None:
    for points in ((0, 0, 0), (1, 2, 0), (3, 0, 1), (3, 1, -1)):
        with pytest.raises(ValueError, match="a win must be worth more"):
            Scheme(*points)
    for late_points, vp_cap in ((-1, None), (0, 0)):
        with pytest.raises(ValueError, match="are counted from 0"):
            Scheme(late_points=late_points, vp_cap=vp_cap)
