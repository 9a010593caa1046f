"""Standings of players and of teams, worked out by hand: tie-breaks, the cross table, seats, boards and tables."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.store.team_queries import board_order
from events.tournament.figures import Entrant, Figure, Result, Scheme, decimal, mean
from events.tournament.pairing.seats import Seat
from events.tournament.pairing.tables import block_tables, blocks_of
from events.tournament.ranking import Cell, Row, cross_table, ranking_rows, split
from events.tournament.records import Record, bye_worth, mean_winning_vp, records, seats_from
from events.tournament.team_ranking import (
    Board,
    Match,
    Worth,
    board_tables,
    match_boards,
    match_worth,
    team_ranking_rows,
    team_results,
    team_tie_breaks,
)
from events.tournament.tie_breaks import TIE_BREAKS

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
    rows = ranking_rows(results, PLAYERS, Scheme(tie_breaks=(tie_break,), seed=1))
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
        assert (str(figure.shown), str(figure.how)) == (shown, how), tie_break


def test_row_explains_its_fixed_columns() -> None:
    people = [Entrant("a", "Ann", bonus=2), *PLAYERS[1:], Entrant("late", "Lu", entered_round=4)]
    rows = by_id(ranking_rows(RESULTS, people, Scheme()))
    assert rows["a"].points == 8
    assert str(rows["a"].how["points"]) == "2 wins × 3 + 1 loss × 0 + 2 bonus = 8"
    assert str(rows["d"].how["points"]) == "2 draws × 1 + 1 bye × 3 = 5"
    assert str(rows["d"].how["vp"]) == "6 + 5 + 9 (bye) = 20"
    assert str(rows["late"].how["points"]) == "nothing to add = 0"
    assert str(rows["late"].how["sos"]) == "no opponents yet"
    assert rows["late"].rank == 6


def test_byes_and_bonuses_of_opponents_do_not_count() -> None:
    people = [Entrant("b", "Bob", bonus=50) if p.id == "b" else p for p in PLAYERS]
    more = [*RESULTS, Result(4, "b", None)]
    for tie_break in ("sos", "esos", "omw", "buchholz"):
        scheme = Scheme(tie_breaks=(tie_break,))
        after = {row.id: row.figures[0] for row in ranking_rows(more, people, scheme)}
        assert after == figures(tie_break)


def test_opponent_met_twice_counts_twice() -> None:
    results = [Result(1, "a", "b", 1, 0), Result(2, "a", "b", 2, 0), Result(3, "a", "c", 0, 5)]
    assert [figures(name, results)["a"].value for name in ("buchholz", "sos")] == [3, 1]
    assert str(figures("buchholz_cut1", results)["a"].how) == "Bob 0 + Cy 3 = 3; left out: Bob"


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
        rows = ranking_rows(results, PLAYERS, Scheme(tie_breaks=("head_to_head",)))[:3]
        assert len({row.points for row in rows}) == 1
        assert [(row.rank, row.id, str(row.how["head_to_head"])) for row in rows] == expected


def test_head_to_head_compares_only_players_still_level() -> None:
    results = [Result(1, "a", "b", 9, 8), Result(1, "c", "d", 9, 0), Result(2, "b", "d", 2, 0)]
    rows = by_id(ranking_rows(results, PLAYERS, Scheme(tie_breaks=("head_to_head",))))
    assert {str(rows[c].how["head_to_head"]) for c in "abc"} == {"does not count: the 3 level players have not all met"}
    after_vp = by_id(ranking_rows(results, PLAYERS, Scheme(tie_breaks=("vp", "head_to_head"))))
    assert str(after_vp["a"].how["head_to_head"]) == "does not count: the 2 level players have not all met"
    assert str(after_vp["b"].how["head_to_head"]) == "nobody is level at this point"


def test_equal_figures_share_a_rank_and_skip_the_next() -> None:
    results = [Result(1, "b", "a", 5, 2), Result(1, "d", "c", 5, 2)]
    rows = ranking_rows(results, PLAYERS, Scheme(tie_breaks=("vp", "sos")))
    assert [(row.rank, row.name) for row in rows] == [(1, "Bob"), (1, "Di"), (3, "Ann"), (3, "Cy"), (5, "Ed")]


def test_lots_follow_the_seed_and_late_entries_change_no_order() -> None:
    rows = ranking_rows([], PLAYERS, Scheme(tie_breaks=("lots",), seed=3))
    assert [row.rank for row in rows] == [1, 2, 3, 4, 5]
    assert [str(row.figures[0].shown) for row in rows] == ["1", "2", "3", "4", "5"]
    assert str(rows[0].how["lots"]) == "drawn 1 of 5 from the draw number 3; the lowest goes first"
    later = ranking_rows([], [*PLAYERS, Entrant("f", "Flo")], Scheme(tie_breaks=("lots",), seed=3))
    assert [row.id for row in later if row.id != "f"] == [row.id for row in rows]
    orders = {tuple(r.id for r in ranking_rows([], PLAYERS, Scheme(tie_breaks=("lots",), seed=s))) for s in range(20)}
    assert len(orders) > 10


def test_every_tie_break_names_its_source() -> None:
    for tie_break in TIE_BREAKS.values():
        assert "Source: " in (tie_break.function.__doc__ or "")


def test_decimals_are_rounded_half_up_from_the_exact_value() -> None:
    values = {"0": "0.000", "2/3": "0.667", "-2/3": "−0.667", "1/2000": "0.001", "-1/9999": "0.000", "5/2": "2.500"}
    assert {value: str(decimal(Fraction(value))) for value in values} == values


@given(st.lists(st.fractions(-9, 60, max_denominator=12), max_size=12))
def test_mean_and_split_are_exact(values: list[Fraction]) -> None:
    assert mean(values) == (sum(values, Fraction()) / len(values) if values else 0)
    value = {str(n): number for n, number in enumerate(values)}
    parts = split(list(value), value.__getitem__)
    assert [{value[id_] for id_ in part} for part in parts] == [{number} for number in sorted({*values}, reverse=True)]
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


def test_bye_is_worth_the_mean_of_the_winners_rounded_half_up() -> None:
    assert mean_winning_vp(RESULTS) == 9  # 10, 8, 7 and 9: 8.5
    assert mean_winning_vp(RESULTS[:3]) == 10
    assert mean_winning_vp(RESULTS[1:3]) == 0  # a draw and a bye: nobody has won yet
    assert [bye_worth(RESULTS, scheme) for scheme in (Scheme(), Scheme(bye_vp=0))] == [9, 0]


def test_seats_ignore_bonuses_and_results_of_their_round_and_later_ones() -> None:
    assert seats_from(RESULTS, PLAYERS, Scheme(), 2) == seats_from(RESULTS[:3], PLAYERS, Scheme(), 2)
    assert seats_from(RESULTS, PLAYERS, Scheme(), 1) == [Seat(c) for c in "abcde"]
    people = [Entrant("a", "A", bonus=2), Entrant("b", "B")]
    assert [s.points for s in seats_from([Result(1, "b", "a", 5, 1)], people, Scheme(), 2)] == [0, 3]


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


def test_contradictory_results_entrants_and_schemes_are_refused() -> None:
    twice = [Entrant("a", "A"), Entrant("a", "Ann")]
    for results, people, tie_breaks, message in (
        ([Result(1, "a", "x", 1, 0)], PLAYERS, (), "round 1: 'x' has a result but is no entrant"),
        ([Result(1, "a", "a", 1, 0)], PLAYERS, (), "round 1: 'a' has more than one result"),
        ([Result(2, "a", "b", 1, 0), Result(2, "b", None)], PLAYERS, (), "round 2: 'b' has more than one result"),
        ([], twice, (), "two entrants have the id 'a'"),
        ([], PLAYERS, ("vp", "luck"), "there is no tie-break 'luck'; there are vp, "),
        ([], PLAYERS, ("vp", "vp"), "a tie-break is named twice"),
    ):
        with pytest.raises(ValueError, match=message):
            ranking_rows(results, people, Scheme(tie_breaks=tie_breaks))
    for points in ((0, 0, 0), (1, 2, 0), (3, 0, 1), (3, 1, -1)):
        with pytest.raises(ValueError, match="a win must be worth more"):
            Scheme(*points)
    for late_points, vp_cap in ((-1, None), (0, 0)):
        with pytest.raises(ValueError, match="are counted from 0"):
            Scheme(late_points=late_points, vp_cap=vp_cap)


SCHEME = Scheme(seed=7)
TEAM_PLAYERS = {"r": "r1 r2", "b": "b1 b2", "g": "g1 g2"}
TEAMS = [Entrant("r", "Reds"), Entrant("b", "Blues"), Entrant("g", "Greens")]
GAMES = [
    Result(1, "r1", "b1", 10, 4),  # Reds 3 + 3, Blues 0 + 0
    Result(1, "r2", "b2", 5, 3),
    Result(1, "g1", None),
    Result(1, "g2", None),
    Result(2, "b1", "g1", 8, 8),  # Blues 1 + 3, Greens 1 + 0
    Result(2, "b2", "g2", 9, 0),
    Result(2, "r1", None),
    Result(2, "r2", None),
    Result(3, "g1", "r1", 7, 1),  # Greens 3; board 2 is empty on their side, so Reds 3 by walk-over
    Result(3, "r2", None),
    Result(3, "b1", None),
    Result(3, "b2", None),
]
MATCHES = [
    Match(1, "r", "b", 1, (Board(1, "r1", "b1"), Board(2, "r2", "b2"))),
    Match(1, "g", None),
    Match(2, "b", "g", 1, (Board(1, "b1", "g1"), Board(2, "b2", "g2"))),
    Match(2, "r", None),
    Match(3, "g", "r", 1, (Board(1, "g1", "r1"), Board(2, None, "r2"))),
    Match(3, "b", None),
]
BYE_VP = 8
"""A player's bye: the winners had 10, 5, 9 and 7 VP, 7.75 on average."""


def book() -> dict[str, Record]:
    people = [Entrant(text, text) for ids in TEAM_PLAYERS.values() for text in ids.split()]
    return records(GAMES, people, Scheme(bye_vp=BYE_VP))


def test_match_is_won_by_board_points_not_by_victory_points() -> None:
    results, points = team_results(MATCHES, book())
    assert [(r.a, r.b, r.winner) for r in results if r.b] == [("r", "b", "a"), ("b", "g", "a"), ("g", "r", "draw")]
    assert points[3, "r"] == points[3, "g"] == 3
    narrow = [Result(1, "r1", "b1", 20, 0), Result(1, "b2", "r2", 1, 0), Result(1, "b3", "r3", 1, 0)]
    people = [Entrant(text, text) for game in narrow for text in (game.a, game.b or "")]
    boards = (Board(1, "r1", "b1"), Board(2, "r2", "b2"), Board(3, "r3", "b3"))
    ((result,), _) = team_results([Match(1, "r", "b", 1, boards)], records(narrow, people, SCHEME))
    assert (result.winner, result.vp_a, result.vp_b) == ("b", 20, 2)
    undecided = (Board(1, "r1", "b1"), Board(2, "r2", "b2"))
    assert match_worth(Match(9, "r", "b", 1, undecided), book()) == (Worth(), Worth()), "not decided yet"


def test_team_standings_show_the_arithmetic() -> None:
    rows = team_ranking_rows(MATCHES, TEAMS, book(), SCHEME)
    # Two matches were won: with 6 and 4 board points, 15 and 17 VP. A bye counts 5 board points and 16 VP.
    assert [(r.rank, r.name, r.points, [str(f.shown) for f in r.figures][:3]) for r in rows] == [
        (1, "Reds", 7, ["14", "40", "1.000"]),
        (2, "Blues", 6, ["9", "40", "1.250"]),
        (3, "Greens", 4, ["9", "31", "1.750"]),
    ]
    reds, blues, greens = ({name: str(text) for name, text in row.how.items()} for row in rows)
    assert reds["points"] == "1 win × 3 + 1 draw × 1 + 1 bye × 3 = 7"
    assert reds["board_points"] == "6 against Blues + 3 against Greens + 5 (bye) = 14"
    assert reds["vp"] == "15 + 9 + 16 (bye) = 40"
    assert reds["sos"] == "mean of Blues 3/2, Greens 1/2 = 1.000"
    assert blues["board_points"] == "0 against Reds + 4 against Greens + 5 (bye) = 9"
    assert greens["points"] == "1 draw × 1 + 1 loss × 0 + 1 bye × 3 = 4"
    assert [row.byes for row in rows] == [1, 1, 1]


def test_teams_bye_is_worth_what_its_scenario_gives() -> None:
    people = [Entrant(text, text) for ids in TEAM_PLAYERS.values() for text in ids.split()]
    games = [replace(game, scenario=f"S{game.round}" if game.b else None) for game in GAMES]
    for scheme, label, vp in (
        (Scheme(seed=7, by_scenario=True), "VP", {"r": 15 + 17 + 1 + 7, "b": 7 + 17, "g": 15 + 8 + 7}),
        # boards 71:29 and 63:38, then 50:50 and 100:0, then 88:13, which is also what the empty board gives
        (Scheme(seed=7, by_scenario=True, shares=True), "VP share",
         {"r": 134 + 150 + 13 + 88, "b": 67 + 150, "g": 134 + 50 + 88}),
    ):  # fmt: skip
        found = team_ranking_rows(MATCHES, TEAMS, records(games, people, scheme), scheme)
        assert {row.id: row.vp for row in found} == vp, label
        assert [shown for id_, shown, _ in team_tie_breaks(scheme) if id_ == "vp"] == [label]


HERE: list[tuple[str, int | None]] = [("x", 1), ("y", 2), ("z", 3)]


def test_board_order() -> None:
    cases: list[tuple[list[tuple[str, int | None]], tuple[str | None, ...], list[str | None]]] = [
        (HERE, (), ["x", "y", "z"]),
        ([HERE[0], HERE[2]], (), ["x", None, "z"]),  # a missing player's board stays empty
        ([("x", 3), ("n", None), ("z", 3)], (), ["z", "n", "x"]),  # two stored at one board, and one at none
        (HERE, ("z", "x", "y"), ["z", "x", "y"]),
        ([HERE[0], HERE[2]], ("z", "y", "x"), ["z", None, "x"]),  # one of the chosen has left
        ([HERE[0], HERE[2]], (None, "x", "z"), [None, "x", "z"]),  # the captain leaves board 1 empty
        (HERE, ("z", None, "x"), ["z", "y", "x"]),  # one came after the choice
        (HERE, ("x", "x", "stranger"), ["x", "y", "z"]),
        ([], (), [None, None, None]),
    ]
    for here, chosen, order in cases:
        assert board_order(3, here, chosen) == order, (here, chosen)
    with pytest.raises(ValueError, match="3 players for 2 boards"):
        board_order(2, HERE)


def test_boards_are_matched_in_order_and_empty_ones_left_out() -> None:
    assert match_boards(["x", None, None, "z"], ["k", "l", None, None]) == (
        Board(1, "x", "k"),
        Board(2, None, "l"),
        Board(4, "z", None),
    )


def test_fixed_table_is_kept_inside_the_block() -> None:
    boards = (Board(1, "x", "k"), Board(2, "y", "l"), Board(3, "z", None))
    cases: list[tuple[dict[str, int], list[int]]] = [
        ({}, [4, 5, 6]),
        ({"y": 4}, [5, 4, 6]),  # board 2 at table 4, board 1 at the next free table
        ({"z": 4, "k": 6}, [6, 5, 4]),
        ({"x": 5, "l": 5}, [5, 4, 6]),  # two need the same table: the lower board gets it
        ({"x": 1}, [4, 5, 6]),  # a table of another block
    ]
    for fixed, tables in cases:
        assert list(dict(sorted(board_tables(2, 3, boards, fixed).items())).values()) == tables, fixed


def test_tables_of_a_match_are_adjacent() -> None:
    assert [list(block_tables(block, 3)) for block in (1, 2)] == [[1, 2, 3], [4, 5, 6]]
    assert blocks_of(range(1, 12), 3) == [1, 2, 3], "tables 10 and 11 make no block of three"
    assert blocks_of([1, 2, 3, 4, 6, 7, 8, 9], 3) == [1, 3], "table 5 is out of order"
    assert blocks_of([], 3) == []
