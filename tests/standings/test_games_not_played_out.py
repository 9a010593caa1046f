"""Conceded, unplayed and unfinished games, worked out by hand.

Round 1: Ann 10-4 Bob; Cy has 6-2 against Di and concedes; Ed bye. Round 2: Ann and Ed leave their game unplayed; Di 8-6
Bob by time; a judge awards Cy's 5-5 against Flo to Cy. The winners of whole games had 10, 8 and 5 VP, 7 2/3 on
average: a bye counts 8, and Di's 2 of the conceded game are raised to it.
"""

from dataclasses import replace

from events.play.figures import Entrant, Result, Scheme
from events.standings.ranking import cross_table, standings
from events.standings.records import mean_winning_vp, records, seats_from
from events.standings.trf import cells_of, worths

PLAYERS = [Entrant(name[0].lower(), name) for name in ("Ann", "Bob", "Cy", "Di", "Ed", "Flo")]
RESULTS = [
    Result(1, "a", "b", 10, 4, table=1),
    Result(1, "c", "d", 6, 2, table=2, won="b", ending="conceded_a"),
    Result(1, "e", None),
    Result(2, "a", "e", table=1, ending="not_played"),
    Result(2, "d", "b", 8, 6, table=2, ending="unfinished"),
    Result(2, "c", "f", 5, 5, table=3, won="a", ending="decided"),
]
PLAIN = Scheme()


def figures(scheme: Scheme) -> dict[str, tuple[int, int, int, str]]:
    made = records(RESULTS, PLAYERS, scheme)
    return {id_: (r.points, r.vp, r.vp_difference, f"{r.wins}-{r.draws}-{r.losses}") for id_, r in made.items()}


def test_event_settings_decide_what_endings_count() -> None:
    assert mean_winning_vp(RESULTS) == 8
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


def test_conceded_game_is_a_meeting_and_an_unplayed_one_is_not() -> None:
    seats = {seat.id: seat for seat in seats_from(RESULTS, PLAYERS, PLAIN, 3)}
    assert seats["a"].opponents == ("b",)
    assert seats["c"].opponents == ("d", "f")
    assert seats["a"].byes == 0


def test_arithmetic_and_cross_table_show_the_endings() -> None:
    how = {row.id: row.how for row in standings(RESULTS, PLAYERS, PLAIN)}
    assert how["d"]["vp"] == "8 (conceded) + 8 = 16"
    assert how["a"]["vp"] == "10 + 0 (game not played) = 10"
    drawn = {row.id: row.how for row in standings(RESULTS, PLAYERS, replace(PLAIN, not_played="draw"))}
    assert "1 game not played" in drawn["a"]["points"]
    cells = cross_table(RESULTS)
    found = [(one.outcome, one.vp) for one in (*cells["a", "e"], *cells["c", "d"], *cells["d", "c"])]
    assert found == [("–", None), ("L", 6), ("W", 2)]


def test_signs_of_the_report_file_are_worth_the_same_points() -> None:
    for scheme, sign in ((PLAIN, "-"), (replace(PLAIN, not_played="draw"), "H")):
        cells, worth = cells_of(RESULTS, scheme), worths(scheme)
        signs = {(id_, n): cells.get((id_, n), ("", "-", "Z"))[2] for id_ in "abcdef" for n in (1, 2)}
        points = {id_: sum(worth[signs[id_, n]] for n in (1, 2)) for id_ in "abcdef"}
        assert points == {id_: record.points for id_, record in records(RESULTS, PLAYERS, scheme).items()}
        assert signs["a", 2] == sign
