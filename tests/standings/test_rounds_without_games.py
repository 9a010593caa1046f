"""Whole events calculated by hand: byes, no-shows, stand-ins, missed rounds, late entries, unfinished games."""

from dataclasses import replace
from fractions import Fraction

from events.tournament.figures import OF_VP, Entrant, Outcome, Result, Scheme
from events.tournament.pairing.seats import Seat
from events.tournament.ranking import Row, cross_table, ranking_rows, unplayed_words
from events.tournament.records import Record, Unplayed, mean_winning_vp, records, seats_from
from events.tournament.tie_breaks import TIE_BREAKS
from events.tournament.trf import cells_of, symbol_worths

PLAYERS = [
    Entrant("a", "Ann", painting=4),
    Entrant("b", "Bob", sportsmanship=2),
    Entrant("c", "Cy"),
    Entrant("d", "Di", conduct=-2),
    Entrant("e", "Ed"),
    Entrant("r", "Ria", ringer=True),
]
RESULTS = [
    Result(1, "a", "b", 10, 4, table=1),
    Result(1, "c", "d", 6, 6, table=2),
    Result(1, "e", None),
    Result(2, "a", "c", table=1, absent="b"),
    Result(2, "e", "d", 7, 3, table=2),
    Result(2, "b", None, asked=True),
    Result(3, "e", "a", 9, 3, table=1),
    Result(3, "d", "b", 5, 5, table=2),
    Result(3, "c", "r", 8, 2, table=3),
]
"""Round 1: Ann 10-4 Bob, Cy 6-6 Di, Ed bye. Round 2: Cy does not come to Ann; Bob asked for a bye; Ed 7-3 Di.
Round 3: Ed 9-3 Ann, Bob 5-5 Di, Cy 8-2 against the stand-in. The winners had 10, 7, 9 and 8 VP, 8.5 on average: a bye
counts 9, a bye asked for, as a draw, half of it, 5.
"""


PLAIN = Scheme()


def rows(scheme: Scheme = PLAIN, results: list[Result] = RESULTS) -> dict[str, Row]:
    return {row.id: row for row in ranking_rows(results, PLAYERS, scheme)}


def record(id_: str, results: list[Result], scheme: Scheme = PLAIN) -> Record:
    return records(results, PLAYERS, scheme)[id_]


def test_standings_match_the_figures_worked_out_by_hand() -> None:
    found = [
        (r.rank, r.name, r.points, r.vp, r.vp_difference, r.played, r.byes, tuple(map(str, unplayed_words(r))))
        for r in ranking_rows(RESULTS, PLAYERS, Scheme())
    ]
    assert found == [
        (1, "Ed", 9, 25, 10, 2, 1, ("bye",)),
        (2, "Ann", 6, 22, 0, 2, 0, ("win by no-show",)),
        (3, "Cy", 4, 14, 6, 2, 0, ("no-show",)),
        (4, "Di", 2, 14, -4, 3, 0, ()),
        (5, "Bob", 2, 14, -6, 2, 0, ("bye asked for",)),
    ]


def test_each_tie_break() -> None:
    worked_out: dict[str, dict[str, int | str]] = {
        # points per game in the field: Ann 3/2, Bob 1/2, Cy 1/1 (Ria is no opponent), Di 2/3, Ed 6/2
        "sos": {"a": "7/4", "b": "13/12", "c": "2/3", "d": "3/2", "e": "13/12"},
        # by hand from the line above: Ann met Bob and Ed, Bob met Ann and Di, Cy met Di, and so on
        "esos": {"a": "13/12", "b": "13/8", "c": "3/2", "d": "17/18", "e": "13/8"},
        # shares of 3 a game: Ann 1/2, Bob 1/6 (1/3), Cy 1/3, Di 2/9 (1/3), Ed 1
        "omw": {"a": "2/3", "b": "5/12", "c": "1/3", "d": "5/9", "e": "5/12"},
        "buchholz": {"a": 7, "b": 5, "c": 2, "d": 8, "e": 5},
        "buchholz_cut1": {"a": 6, "b": 3, "c": 0, "d": 7, "e": 3},
        "buchholz_median": {"a": 0, "b": 0, "c": 0, "d": 1, "e": 0},
        "wins": {"a": 1, "b": 0, "c": 1, "d": 0, "e": 2},
        "painting": {"a": 4, "b": 0, "c": 0, "d": 0, "e": 0},
        "sportsmanship": {"a": 0, "b": 2, "c": 0, "d": 0, "e": 0},
        "conduct": {"a": 0, "b": 0, "c": 0, "d": -2, "e": 0},
    }
    elsewhere = {"vp", "vp_difference", "vp_share", "head_to_head", "lots", "second", "third"}  # in other files
    assert worked_out.keys() == TIE_BREAKS.keys() - elsewhere
    for tie_break, values in worked_out.items():
        found = {id_: row.figures[0].value for id_, row in rows(Scheme(tie_breaks=(tie_break,))).items()}
        assert found == {id_: Fraction(value) for id_, value in values.items()}, tie_break


def test_tie_breaks_that_follow_victory_points_are_listed() -> None:
    changed = [replace(result, vp_a=result.vp_a**2, vp_b=result.vp_b**2) for result in RESULTS]
    follow = set()
    for id_ in TIE_BREAKS:
        before, after = (rows(Scheme(tie_breaks=(id_,), seed=3), results) for results in (RESULTS, changed))
        if [row.figures[0].value for row in before.values()] != [row.figures[0].value for row in after.values()]:
            follow.add(id_)
    assert follow == set(OF_VP)


def test_figures_explain_rounds_without_a_game() -> None:
    found = rows(Scheme(tie_breaks=("vp", "vp_difference", "sos", "wins", "painting", "lots"), seed=3))
    assert str(found["a"].how["points"]) == "1 win × 3 + 1 loss × 0 + 1 win by no-show × 3 = 6"
    assert str(found["a"].how["vp"]) == "10 + 3 + 9 (win by no-show) = 22"
    assert str(found["a"].how["sos"]) == "mean of Bob 1/2, Ed 6/2 = 1.750"
    assert str(found["a"].how["wins"]) == "1 of 2 games won at the table"
    assert str(found["a"].how["painting"]) == "4 for painting, set by the organiser"
    assert str(found["b"].how["points"]) == "1 draw × 1 + 1 loss × 0 + 1 bye asked for × 1 = 2"
    assert str(found["b"].how["vp"]) == "4 + 5 + 5 (bye asked for) = 14"
    assert str(found["c"].how["points"]) == "1 win × 3 + 1 draw × 1 + 1 no-show × 0 = 4"
    assert str(found["c"].how["vp"]) == "6 + 8 + 0 (no-show) = 14"
    assert str(found["c"].how["vp_difference"]) == "(6 − 6) + (8 − 2) = 6"
    assert str(found["c"].how["sos"]) == "mean of Di 2/3 = 0.667", "the stand-in is nobody's opponent"
    assert "of 5 from the draw number 3" in str(found["c"].how["lots"]), "nor is one drawn"


def test_seats_of_the_next_round() -> None:
    assert seats_from(RESULTS, PLAYERS, Scheme(), 4) == [
        Seat("a", 6, byes=1, opponents=("b", "c", "e"), tables=(1, 1)),
        Seat("b", 2, opponents=("a", "d"), tables=(1, 2)),
        Seat("c", 4, byes=2, opponents=("d", "a"), tables=(2, 3)),
        Seat("d", 2, opponents=("c", "e", "b"), tables=(2, 2, 2)),
        Seat("e", 9, byes=1, floats=1, opponents=("d", "a"), tables=(2, 1)),
    ]


def test_byes_are_worth_what_the_event_sets() -> None:
    cases: tuple[tuple[Outcome, int, int, int], ...] = (("win", 3, 9, 1), ("draw", 1, 5, 0), ("loss", 0, 0, 0))
    for worth, points, vp, byes in cases:
        scheme = Scheme(asked_bye=worth)
        assert record("b", RESULTS, scheme).unplayed == (Unplayed(2, "asked", points, vp),)
        seat = next(seat for seat in seats_from(RESULTS, PLAYERS, scheme, 4) if seat.id == "b")
        assert (seat.points, seat.byes) == (1 + points, byes), "only a free win rules out the next bye"
    found = rows(Scheme(bye_vp=7))
    assert (found["e"].vp, found["a"].vp, found["b"].vp) == (9 + 7 + 7, 10 + 3 + 7, 4 + 5 + 4)


def test_no_show_of_both_counts_nothing_and_a_result_replaces_a_no_show() -> None:
    both = [Result(1, "a", "b", 9, 1, absent="both"), Result(1, "c", "d", 4, 2)]
    found = rows(results=both)
    assert [(found[c].points, found[c].vp, tuple(map(str, unplayed_words(found[c])))) for c in "ab"] == [
        (0, 0, ("no-show",))
    ] * 2
    assert mean_winning_vp(both) == 4, "the figures of an unplayed game do not count"
    played = [replace(r, vp_a=2, vp_b=8, absent=None) if r.absent else r for r in RESULTS]
    seats = {seat.id: seat for seat in seats_from(played, PLAYERS, Scheme(), 4)}
    assert (seats["a"].byes, seats["a"].opponents, seats["c"].points) == (0, ("b", "c", "e"), 7)


def test_missed_round_counts_nothing() -> None:
    results = [
        Result(n, *pair, 5, 1) for n, pair in enumerate((("a", "b"), ("b", "c"), ("c", "d"), ("a", "d")), start=1)
    ]
    back = record("a", results)
    assert back.unplayed == (Unplayed(2, "missed", 0, 0), Unplayed(3, "missed", 0, 0))
    assert str(rows(results=results)["a"].how["points"]) == "2 wins × 3 + 2 rounds missed × 0 = 6"
    assert record("b", results).unplayed == (), "who has not played since may have left"
    assert record("e", results).unplayed == ()


def test_late_entry_gets_the_points_that_the_event_sets() -> None:
    results = [Result(1, "a", "b", 5, 1), Result(2, "a", "c", 5, 1), Result(3, "d", "c", 5, 1)]
    people = [replace(p, entered_round=3) if p.id == "d" else p for p in PLAYERS]
    for points, how in ((0, "1 win × 3 = 3"), (1, "1 win × 3 + 2 rounds before entry × 1 = 5")):
        scheme = Scheme(late_points=points)
        row = next(row for row in ranking_rows(results, people, scheme) if row.id == "d")
        assert (row.points, str(row.how["points"])) == (3 + 2 * points, how)
        seat = next(seat for seat in seats_from(results[:2], people, scheme, 3) if seat.id == "d")
        assert (seat.points, seat.byes) == (2 * points, 0), "they are drawn in the group of these points"


def test_vp_difference_of_a_game_can_be_limited() -> None:
    found = rows(Scheme(tie_breaks=("vp_difference",), vp_cap=4))
    assert {id_: row.vp_difference for id_, row in found.items()} == {"a": 0, "b": -4, "c": 4, "d": -4, "e": 8}
    assert str(found["e"].how["vp_difference"]) == "(7 − 3) + (9 − 3, counted as 4) = 8"
    assert str(found["b"].how["vp_difference"]) == "(4 − 10, counted as −4) + (5 − 5) = −4"


def test_byes_and_concessions_are_worth_what_their_own_scenario_gives() -> None:
    """S1 scores hundreds, S3 at most seven: 240 and 300 win, then 5 and 4, which is 137 on average over all."""
    results = [
        Result(1, "a", "b", 240, 160, scenario="S1"),
        Result(1, "c", "d", 300, 100, scenario="S1"),
        Result(1, "e", None),
        Result(2, "e", "a", 5, 2, scenario="S3"),
        Result(2, "c", "b", 4, 3, scenario="S3"),
        Result(2, "d", None),
        Result(3, "a", "c", 0, 1, won="a", scenario="S3", ending="conceded_b"),
        Result(3, "d", "b", 205, 210, won="draw", scenario="S1"),
        Result(3, "e", None, asked=True),
    ]
    for scheme, vp in (
        (Scheme(), {"a": 240 + 2 + 137, "b": 160 + 3 + 210, "c": 300 + 4 + 1, "d": 100 + 137 + 205, "e": 137 + 5 + 69}),
        # a bye is worth 270 in S1 and 4.5 in S3, both together 137.25
        (Scheme(by_scenario=True),
         {"a": 240 + 2 + 5, "b": 160 + 3 + 210, "c": 300 + 4 + 1, "d": 100 + 5 + 205, "e": 270 + 5 + 69}),
        # 60:40 and 75:25, then 5/7 to 2/7 and 4/7 to 3/7; a bye is worth 67.5 and 64, both together 65.75
        (Scheme(by_scenario=True, shares=True),
         {"a": 60 + 29 + 64, "b": 40 + 43 + 50, "c": 75 + 57 + 36, "d": 25 + 64 + 50, "e": 68 + 71 + 33}),
    ):  # fmt: skip
        found = rows(scheme, results)
        assert {id_: row.vp for id_, row in found.items()} == vp, scheme
        assert [found[id_].points for id_ in "abcde"] == [6, 1, 6, 4, 7], "shares decide no game"
        assert str(found["a"].how["vp"]).endswith(f"(conceded) = {vp['a']}")
    assert str(found["a"].how["vp"]) == "60 (240 of 400) + 29 (2 of 7) + 64 (conceded) = 153"
    assert str(found["c"].how["vp"]).endswith("57 (4 of 7) + 36 (conceding) = 168"), (
        "ahead by 1 to 0 when they conceded"
    )
    assert str(found["d"].how["vp"]) == "25 (100 of 400) + 50 (draw) + 64 (bye) = 139"
    drawn = [Result(1, "a", "b", 100, 95, won="draw", scenario="S1"), Result(1, "c", None), results[3]]
    for scheme, worth in ((Scheme(by_scenario=True), 0), (Scheme(by_scenario=True, shares=True), 71)):
        assert record("c", drawn, scheme).vp == worth, "nobody has won in S1: only shares compare with S3"


def test_share_of_a_game() -> None:
    for a, b, shares in (
        (1, 7, (13, 88)), (7, 1, (88, 13)), (1, 0, (100, 0)), (0, 0, (50, 50)), (-2, 5, (0, 100)),
        (1000, 999, (50, 50)),
    ):  # fmt: skip
        result = Result(1, "a", "b", a, b)
        assert (result.in_shares.vp_a, result.in_shares.vp_b, result.in_shares.winner) == (*shares, result.winner), (
            a,
            b,
        )
    tie, beaten = Result(1, "a", "b", 5, 0, won="draw"), Result(1, "a", "b", 0, 0, won="a")
    assert [(a_result.in_shares.vp_a, a_result.in_shares.vp_b) for a_result in (tie, beaten)] == [(50, 50), (0, 0)]


SIX_PLAYERS = [Entrant(name[0].lower(), name) for name in ("Ann", "Bob", "Cy", "Di", "Ed", "Flo")]
ENDED = [
    Result(1, "a", "b", 10, 4, table=1),
    Result(1, "c", "d", 6, 2, table=2, won="b", ending="conceded_a"),
    Result(1, "e", None),
    Result(2, "a", "e", table=1, ending="not_played"),
    Result(2, "d", "b", 8, 6, table=2, ending="unfinished"),
    Result(2, "c", "f", 5, 5, table=3, won="a", ending="decided"),
]
"""Round 1: Ann 10-4 Bob; Cy has 6-2 against Di and concedes; Ed bye. Round 2: Ann and Ed leave their game unplayed; Di
8-6 Bob by time; a judge awards Cy's 5-5 against Flo to Cy. The winners of whole games had 10, 8 and 5 VP, 7 2/3 on
average: a bye counts 8, and Di's 2 of the conceded game are raised to it.
"""


def figures(scheme: Scheme) -> dict[str, tuple[int, int, int, str]]:
    made = records(ENDED, SIX_PLAYERS, scheme)
    return {id_: (r.points, r.vp, r.vp_difference, f"{r.wins}-{r.draws}-{r.losses}") for id_, r in made.items()}


def test_event_settings_decide_what_endings_count() -> None:
    assert mean_winning_vp(ENDED) == 8
    assert figures(PLAIN) == {
        "a": (3, 10, 6, "1-0-0"),
        "b": (0, 10, -8, "0-0-2"),
        "c": (3, 11, -2, "1-0-1"),
        "d": (6, 16, 4, "2-0-0"),
        "e": (3, 8, 0, "0-0-0"),
        "f": (0, 5, 0, "0-0-1"),
    }
    other = figures(replace(PLAIN, conceded_vp="scored", not_played="draw"))
    assert other["d"] == (6, 10, -2, "2-0-0")
    assert other["c"] == (3, 11, 4, "1-0-1")
    assert (other["a"], other["e"]) == ((4, 10, 6, "1-0-0"), (4, 8, 0, "0-0-0"))


def test_conceded_game_is_a_meeting_an_unplayed_one_is_not_and_both_are_shown() -> None:
    seats = {seat.id: seat for seat in seats_from(ENDED, SIX_PLAYERS, PLAIN, 3)}
    assert seats["a"].opponents == ("b",)
    assert seats["c"].opponents == ("d", "f")
    assert seats["a"].byes == 0
    how = {
        row.id: {name: str(text) for name, text in row.how.items()} for row in ranking_rows(ENDED, SIX_PLAYERS, PLAIN)
    }
    assert how["d"]["vp"] == "8 (conceded) + 8 = 16"
    assert how["a"]["vp"] == "10 + 0 (game not played) = 10"
    drawn = {
        row.id: {name: str(text) for name, text in row.how.items()}
        for row in ranking_rows(ENDED, SIX_PLAYERS, replace(PLAIN, not_played="draw"))
    }
    assert "1 game not played" in drawn["a"]["points"]
    cells = cross_table(ENDED)
    found = [(cell.outcome, cell.vp) for cell in (*cells["a", "e"], *cells["c", "d"], *cells["d", "c"])]
    assert found == [("–", None), ("L", 6), ("W", 2)]


def test_signs_of_the_report_file_are_worth_the_same_points() -> None:
    for scheme, sign in ((PLAIN, "-"), (replace(PLAIN, not_played="draw"), "H")):
        cells, worth = cells_of(ENDED, scheme), symbol_worths(scheme)
        signs = {(id_, n): cells.get((id_, n), ("", "-", "Z"))[2] for id_ in "abcdef" for n in (1, 2)}
        points = {id_: sum(worth[signs[id_, n]] for n in (1, 2)) for id_ in "abcdef"}
        assert points == {id_: record.points for id_, record in records(ENDED, SIX_PLAYERS, scheme).items()}
        assert signs["a", 2] == sign
