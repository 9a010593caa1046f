"""Standings, every tie-break, the cross table, records and seats, against figures worked out by hand."""

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.pairing.seats import Seat
from events.play.figures import Entrant, Figure, Result, Scheme, decimal, mean
from events.standings.ranking import Cell, Row, cross_table, split, standings
from events.standings.records import bye_worth, mean_winning_vp, records, seats_from
from events.standings.tie_breaks import TIE_BREAKS

# Tournament points in games: a 6, b 1, c 1, d 2, e 6; c, d and e also have a bye each, worth 3 and 9 VP.
PLAYERS = [Entrant(name[0].lower(), name) for name in ("Ann", "Bob", "Cy", "Di", "Ed")]
RESULTS = [
    Result(1, "a", "b", 10, 4),
    Result(1, "c", "d", 6, 6),
    Result(1, "e", None),
    Result(2, "a", "c", 8, 2),
    Result(2, "b", "e", 3, 7),
    Result(2, "d", None),
    Result(3, "e", "a", 9, 3),
    Result(3, "d", "b", 5, 5),
    Result(3, "c", None),
]


def figures(tie_break: str, results: list[Result] = RESULTS) -> dict[str, Figure]:
    rows = standings(results, PLAYERS, Scheme(tie_breaks=(tie_break,), seed=1))
    return {row.id: row.figures[0] for row in rows}


def by_id(rows: list[Row]) -> dict[str, Row]:
    return {row.id: row for row in rows}


def test_each_figure_shows_how_it_was_made() -> None:
    for tie_break, player, shown, how in (
        ("vp", "e", "25", "7 + 9 + 9 (bye) = 25"),
        ("vp_difference", "c", "−6", "(6 − 6) + (2 − 8) = −6"),
        ("sos", "a", "1.278", "mean of Bob 1/3, Cy 1/2, Ed 6/2 = 1.278"),
        ("esos", "d", "1.750", "mean of Cy 1.500, Bob 2.000 = 1.750"),
        ("omw", "a", "0.556", "mean of Bob 0.333, Cy 0.333, Ed 1.000 = 0.556"),
        ("buchholz", "a", "8", "Bob 1 + Cy 1 + Ed 6 = 8"),
        ("buchholz_cut1", "a", "7", "Cy 1 + Ed 6 = 7; left out: Bob"),
        ("buchholz_median", "e", "0", "nothing to add = 0; left out: Bob, Ann"),
        ("wins", "e", "2", "2 of 2 games won at the table"),
        ("head_to_head", "e", "–", "nobody is level at this point"),
    ):
        figure = figures(tie_break)[player]
        assert (figure.shown, figure.how) == (shown, how), tie_break


def test_row_explains_its_fixed_columns() -> None:
    people = [Entrant("a", "Ann", bonus=2), *PLAYERS[1:], Entrant("late", "Lu", entered_round=4)]
    rows = by_id(standings(RESULTS, people, Scheme()))
    assert rows["a"].points == 8
    assert rows["a"].how["points"] == "2 wins × 3 + 1 loss × 0 + 2 bonus = 8"
    assert rows["d"].how["points"] == "2 draws × 1 + 1 bye × 3 = 5"
    assert rows["d"].how["vp"] == "6 + 5 + 9 (bye) = 20"
    assert rows["late"].how["points"] == "nothing to add = 0"
    assert rows["late"].how["sos"] == "no opponents yet"
    assert rows["late"].rank == 6


def test_byes_and_bonuses_of_opponents_do_not_count() -> None:
    people = [Entrant("b", "Bob", bonus=50) if p.id == "b" else p for p in PLAYERS]
    more = [*RESULTS, Result(4, "b", None)]
    for tie_break in ("sos", "esos", "omw", "buchholz"):
        scheme = Scheme(tie_breaks=(tie_break,))
        after = {row.id: row.figures[0] for row in standings(more, people, scheme)}
        assert after == figures(tie_break)


def test_opponent_met_twice_counts_twice() -> None:
    results = [Result(1, "a", "b", 1, 0), Result(2, "a", "b", 2, 0), Result(3, "a", "c", 0, 5)]
    assert [figures(one, results)["a"].value for one in ("buchholz", "sos")] == [3, 1]
    assert figures("buchholz_cut1", results)["a"].how == "Bob 0 + Cy 3 = 3; left out: Bob"


def test_head_to_head_orders_players_who_have_all_met() -> None:
    ab, bc, ca = (Result(n, a, b, 5, 1) for n, (a, b) in enumerate((("a", "b"), ("b", "c"), ("c", "a")), start=1))
    others = [Result(3, "b", "d", 5, 1), Result(4, "c", "d", 9, 1), Result(5, "c", "e", 9, 1)]
    not_met = [Result(1, "a", "b", 2, 2), bc, Result(3, "a", "d", 5, 1), Result(4, "c", "d", 5, 1),
               Result(5, "c", "e", 2, 2)]  # fmt: skip
    no = "does not count: "
    for results, expected in (
        ([ab, bc, Result(3, "c", "a", 1, 5), *others], [
            (1, "a", "3 (win against Bob) + 3 (win against Cy) = 6"),
            (2, "b", "0 (loss against Ann) + 3 (win against Cy) = 3"),
            (3, "c", "0 (loss against Bob) + 0 (loss against Ann) = 0"),
        ]),
        ([ab, bc, ca], [(1, id_, f"{no}the games among the 3 level players do not order them all") for id_ in "abc"]),
        (not_met, [(1, id_, f"{no}the 3 level players have not all met") for id_ in "abc"]),
    ):  # fmt: skip
        rows = standings(results, PLAYERS, Scheme(tie_breaks=("head_to_head",)))[:3]
        assert len({row.points for row in rows}) == 1
        assert [(row.rank, row.id, row.how["head_to_head"]) for row in rows] == expected


def test_head_to_head_compares_only_players_still_level() -> None:
    results = [Result(1, "a", "b", 9, 8), Result(1, "c", "d", 9, 0), Result(2, "b", "d", 2, 0)]
    rows = by_id(standings(results, PLAYERS, Scheme(tie_breaks=("head_to_head",))))
    assert {rows[c].how["head_to_head"] for c in "abc"} == {"does not count: the 3 level players have not all met"}
    after_vp = by_id(standings(results, PLAYERS, Scheme(tie_breaks=("vp", "head_to_head"))))
    assert after_vp["a"].how["head_to_head"] == "does not count: the 2 level players have not all met"
    assert after_vp["b"].how["head_to_head"] == "nobody is level at this point"


def test_equal_figures_share_a_rank_and_skip_the_next() -> None:
    results = [Result(1, "b", "a", 5, 2), Result(1, "d", "c", 5, 2)]
    rows = standings(results, PLAYERS, Scheme(tie_breaks=("vp", "sos")))
    assert [(row.rank, row.name) for row in rows] == [(1, "Bob"), (1, "Di"), (3, "Ann"), (3, "Cy"), (5, "Ed")]


def test_lots_follow_the_seed_and_late_entries_change_no_order() -> None:
    rows = standings([], PLAYERS, Scheme(tie_breaks=("lots",), seed=3))
    assert [row.rank for row in rows] == [1, 2, 3, 4, 5]
    assert [row.figures[0].shown for row in rows] == ["1", "2", "3", "4", "5"]
    assert rows[0].how["lots"] == "drawn 1 of 5 from the stored seed 3; the lowest goes first"
    later = standings([], [*PLAYERS, Entrant("f", "Flo")], Scheme(tie_breaks=("lots",), seed=3))
    assert [row.id for row in later if row.id != "f"] == [row.id for row in rows]
    orders = {tuple(r.id for r in standings([], PLAYERS, Scheme(tie_breaks=("lots",), seed=s))) for s in range(20)}
    assert len(orders) > 10


def test_order_of_results_and_side_of_a_player_do_not_matter() -> None:
    for seed in range(10):
        dice = Random(seed)
        turned = [
            Result(r.round, r.b, r.a, r.vp_b, r.vp_a) if r.b is not None and dice.random() < 0.5 else r for r in RESULTS
        ]
        scheme = Scheme(tie_breaks=tuple(TIE_BREAKS), seed=seed)
        again = standings(dice.sample(turned, len(turned)), dice.sample(PLAYERS, len(PLAYERS)), scheme)
        assert again == standings(RESULTS, PLAYERS, scheme), seed


def test_unknown_and_repeated_tie_breaks_are_refused() -> None:
    with pytest.raises(ValueError, match="there is no tie-break 'luck'; there are vp, "):
        standings([], PLAYERS, Scheme(tie_breaks=("vp", "luck")))
    with pytest.raises(ValueError, match="a tie-break is named twice"):
        standings([], PLAYERS, Scheme(tie_breaks=("vp", "vp")))


def test_every_tie_break_names_its_source() -> None:
    for tie_break in TIE_BREAKS.values():
        assert "Source: " in (tie_break.function.__doc__ or "")


def test_decimals_are_rounded_half_up_from_the_exact_value() -> None:
    values = {"0": "0.000", "2/3": "0.667", "-2/3": "−0.667", "1/2000": "0.001", "-1/9999": "0.000", "5/2": "2.500"}
    assert {value: decimal(Fraction(value)) for value in values} == values


@given(st.lists(st.fractions(-9, 60, max_denominator=12), max_size=30))
def test_mean_and_split_are_exact(values: list[Fraction]) -> None:
    assert mean(values) == (sum(values, Fraction()) / len(values) if values else 0)
    value = {str(n): one for n, one in enumerate(values)}
    parts = split(list(value), value.__getitem__)
    assert [{value[id_] for id_ in part} for part in parts] == [{one} for one in sorted({*values}, reverse=True)]
    assert [part for part in parts if part != sorted(part, key=int)] == [], "inside a group the order stays"


def test_each_game_is_shown_from_both_sides() -> None:
    found = cross_table([Result(2, "a", "b", 4, 7), Result(1, "b", "a", 3, 3), Result(1, "c", None)])
    assert found == {
        ("a", "b"): (Cell(1, "D", 3, 3), Cell(2, "L", 4, 7)),
        ("b", "a"): (Cell(1, "D", 3, 3), Cell(2, "W", 7, 4)),
    }
    assert cross_table([Result(1, "a", "b", 9, 1, won="b")])["a", "b"] == (Cell(1, "L", 9, 1),)
    assert cross_table([Result(1, "a", "b", absent="b")]) == {("a", "b"): (Cell(1, "W"),), ("b", "a"): (Cell(1, "L"),)}
    assert cross_table([Result(1, "a", "b", absent="both")])["a", "b"] == (Cell(1, "L"),)


# ---- records and seats


def test_bye_is_worth_the_mean_of_the_winners_rounded_half_up() -> None:
    assert mean_winning_vp(RESULTS) == 9  # 10, 8, 7 and 9: 8.5
    assert mean_winning_vp(RESULTS[:3]) == 10
    assert mean_winning_vp(RESULTS[1:3]) == 0  # a draw and a bye: nobody has won yet
    assert [bye_worth(RESULTS, scheme) for scheme in (Scheme(), Scheme(bye_vp=0))] == [9, 0]


def test_seats_ignore_results_of_their_round_and_later_ones() -> None:
    assert seats_from(RESULTS, PLAYERS, Scheme(), 2) == seats_from(RESULTS[:3], PLAYERS, Scheme(), 2)
    assert seats_from(RESULTS, PLAYERS, Scheme(), 1) == [Seat(c) for c in "abcde"]


def test_field_follows_drops_late_entries_and_reinstatement() -> None:
    people = [Entrant("a", "A"), Entrant("b", "B", dropped_after=2), Entrant("late", "L", "Reds", entered_round=3)]
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
