"""Teams, worked out by hand: boards and tables, what a match is worth, and how teams are ranked."""

from dataclasses import replace

import pytest

from events.play.figures import Entrant, Result, Scheme
from events.play.team_queries import board_order
from events.standings.records import Record, records
from events.standings.team_ranking import (
    Board,
    Match,
    Worth,
    block_tables,
    blocks_of,
    board_tables,
    match_boards,
    match_worth,
    team_results,
    team_standings,
    team_tie_breaks,
    team_words,
)

SCHEME = Scheme(seed=7)
PLAYERS = {"r": "r1 r2", "b": "b1 b2", "g": "g1 g2"}
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
    people = [Entrant(one, one) for ids in PLAYERS.values() for one in ids.split()]
    return records(GAMES, people, Scheme(bye_vp=BYE_VP))


def test_match_is_worth_the_sum_of_its_boards() -> None:
    worth = [match_worth(match, book()) for match in MATCHES if match.b]
    assert worth == [
        (Worth(6, 15), Worth(0, 7)),
        (Worth(4, 17), Worth(1, 8)),
        (Worth(3, 7), Worth(3, 1 + BYE_VP)),  # the walk-over is a win with a bye's victory points
    ]


def test_match_is_won_by_board_points_not_by_victory_points() -> None:
    results, points = team_results(MATCHES, book())
    assert [(r.a, r.b, r.winner) for r in results if r.b] == [("r", "b", "a"), ("b", "g", "a"), ("g", "r", "draw")]
    assert points[3, "r"] == points[3, "g"] == 3
    narrow = [Result(1, "r1", "b1", 20, 0), Result(1, "b2", "r2", 1, 0), Result(1, "b3", "r3", 1, 0)]
    people = [Entrant(one, one) for game in narrow for one in (game.a, game.b or "")]
    boards = (Board(1, "r1", "b1"), Board(2, "r2", "b2"), Board(3, "r3", "b3"))
    ((result,), _) = team_results([Match(1, "r", "b", 1, boards)], records(narrow, people, SCHEME))
    assert (result.winner, result.vp_a, result.vp_b) == ("b", 20, 2)
    undecided = (Board(1, "r1", "b1"), Board(2, "r2", "b2"))
    assert match_worth(Match(9, "r", "b", 1, undecided), book()) == (Worth(), Worth()), "not decided yet"


def test_team_standings_show_the_arithmetic() -> None:
    rows = team_standings(MATCHES, TEAMS, book(), SCHEME)
    # Two matches were won: with 6 and 4 board points, 15 and 17 VP. A bye counts 5 board points and 16 VP.
    assert [(r.rank, r.name, r.points, [f.shown for f in r.figures][:3]) for r in rows] == [
        (1, "Reds", 7, ["14", "40", "1.000"]),
        (2, "Blues", 6, ["9", "40", "1.250"]),
        (3, "Greens", 4, ["9", "31", "1.750"]),
    ]
    reds, blues, greens = (row.how for row in rows)
    assert reds["points"] == "1 win × 3 + 1 draw × 1 + 1 bye × 3 = 7"
    assert reds["board_points"] == "6 against Blues + 3 against Greens + 5 (bye) = 14"
    assert reds["vp"] == "15 + 9 + 16 (bye) = 40"
    assert reds["sos"] == "mean of Blues 3/2, Greens 1/2 = 1.000"
    assert blues["board_points"] == "0 against Reds + 4 against Greens + 5 (bye) = 9"
    assert greens["points"] == "1 draw × 1 + 1 loss × 0 + 1 bye × 3 = 4"
    assert [row.byes for row in rows] == [1, 1, 1]


def test_team_s_bye_is_worth_what_the_scenario_of_its_round_gives() -> None:
    people = [Entrant(one, one) for ids in PLAYERS.values() for one in ids.split()]
    games = [replace(game, scenario=f"S{game.round}" if game.b else None) for game in GAMES]
    for scheme, label, vp in (
        (Scheme(seed=7, by_scenario=True), "VP", {"r": 15 + 17 + 1 + 7, "b": 7 + 17, "g": 15 + 8 + 7}),
        # boards 71:29 and 63:38, then 50:50 and 100:0, then 88:13, which is also what the empty board gives
        (Scheme(seed=7, by_scenario=True, shares=True), "VP share",
         {"r": 134 + 150 + 13 + 88, "b": 67 + 150, "g": 134 + 50 + 88}),
    ):  # fmt: skip
        found = team_standings(MATCHES, TEAMS, records(games, people, scheme), scheme)
        assert {row.id: row.vp for row in found} == vp, label
        assert [shown for id_, shown, _ in team_tie_breaks(scheme) if id_ == "vp"] == [label]


def test_notes_of_the_draw_name_teams() -> None:
    assert team_words("table again: both sat at table 2 before", 3) == "table again: both sat at tables 4 to 6 before"
    assert team_words("repeat pair-down: the higher player was paired down", 3).endswith("higher team was paired down")
    assert team_words("rematch: no pairing of these 6 players has fewer", 2).endswith("these 6 teams has fewer")


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
        ({"y": 4}, [5, 4, 6]),  # board 2 at table 4, board 1 takes the next free one
        ({"z": 4, "k": 6}, [6, 5, 4]),
        ({"x": 5, "l": 5}, [5, 4, 6]),  # two who need the same table: the lower board has it
        ({"x": 1}, [4, 5, 6]),  # a table of another block
    ]
    for fixed, tables in cases:
        assert list(dict(sorted(board_tables(2, 3, boards, fixed).items())).values()) == tables, fixed


def test_tables_of_a_match_are_adjacent() -> None:
    assert [list(block_tables(block, 3)) for block in (1, 2)] == [[1, 2, 3], [4, 5, 6]]
    assert blocks_of(range(1, 12), 3) == [1, 2, 3], "tables 10 and 11 make no block of three"
    assert blocks_of([1, 2, 3, 4, 6, 7, 8, 9], 3) == [1, 3], "table 5 is out of order"
    assert blocks_of([], 3) == []
