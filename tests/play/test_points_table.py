"""Points tables: what is refused, and that a table is total, symmetric and monotone."""

from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.play.figures import Result, Scheme
from events.play.points_table import (
    BadTable,
    PointsTable,
    Step,
    as_document,
    as_lines,
    checked,
    from_document,
    in_words,
    preview,
    ranges,
    typed,
)

CLUB = typed("4: 11 9\n9: 13 7\n14: 16 4\nmore: 20 0", 10, 14)


@st.composite
def tables(draw: st.DrawFn) -> PointsTable:
    ends = draw(st.lists(st.integers(0, 60), unique=True, max_size=6).map(sorted))
    count = len(ends) + 1
    pool = sorted(draw(st.lists(st.integers(0, 100), min_size=2 * count + 2, max_size=2 * count + 2)))
    losers, middle, winners = pool[:count][::-1], pool[count : count + 2], pool[count + 2 :]
    steps = tuple(Step(*row) for row in zip([*ends, None], winners, losers, strict=True))
    bye = max(1, draw(st.integers(middle[0], winners[-1])))
    return PointsTable(steps, middle[0], min(bye, 100)) if winners[-1] else PointsTable((Step(None, 1, 0),), 0, 1)


VP = st.integers(-20, 120)


@given(tables(), VP, VP, st.sampled_from(("a", "b", "draw")), st.booleans())
def test_points_are_total_and_symmetric(
    table: PointsTable, a: int, b: int, won: Literal["a", "b", "draw"], conceded: bool
) -> None:
    assert checked(table) == table
    first, second = table.points(won, a, b, conceded=conceded)
    other: dict[str, Literal["a", "b", "draw"]] = {"a": "b", "b": "a", "draw": "draw"}
    assert table.points(other[won], b, a, conceded=conceded) == (second, first)
    assert min(first, second) >= 0 and max(first, second) <= 100
    assert first >= second if won == "a" else second >= first if won == "b" else first == second == table.draw


@given(tables(), VP, VP)
def test_one_more_vp_never_costs_a_point(table: PointsTable, a: int, b: int) -> None:
    def points(a: int, b: int) -> tuple[int, int]:
        return table.points("a" if a > b else "b" if b > a else "draw", a, b)

    (before, against), (after, against_then) = points(a, b), points(a + 1, b)
    assert after >= before and against_then <= against
    assert table.least <= before <= table.most


@given(tables())
def test_a_table_is_typed_and_stored_as_it_is(table: PointsTable) -> None:
    assert typed(as_lines(table), table.draw, table.bye) == table
    assert from_document(as_document(table)) == table
    assert len(ranges(table)) == len(table.steps) and in_words(table).startswith("A win by ")
    for difference, winner, loser in preview(table):
        assert table.points("b", 0, difference) == (loser, winner)


def test_what_no_table_can_be() -> None:
    for lines, draw, bye, field, said in (
        ("", 10, 14, "steps", "Enter at least one line"),
        ("five points", 10, 14, "steps", "Line 1: write the difference"),
        ("5: 12 8\n5: 14 6\nmore: 20 0", 10, 14, "steps", "Line 2: the difference must be more than 5"),
        ("5: 8 12\nmore: 20 0", 10, 14, "steps", "Line 1: the winner has fewer points"),
        ("5: 12 8", 10, 12, "steps", "End with a line for all higher differences"),
        ("more: 12 8\n9: 20 0", 10, 12, "steps", "Line 1: only the last line is for “more”"),
        ("5: 12 8\nmore: 101 0", 10, 12, "steps", "Line 2: points are at most 100"),
        ("5: 14 6\n9: 12 4\nmore: 20 0", 10, 12, "steps", "Line 2: a wider win must not be worth less"),
        ("5: 14 6\nmore: 20 7", 10, 12, "steps", "Line 2: a wider win must not be worth less to the winner, nor more"),
        ("10000: 14 6\nmore: 20 0", 10, 12, "steps", "Line 1: a difference is at most 9999"),
        ("more: 20 0\n" * 41, 10, 12, "steps", "At most 40 lines"),
        ("5: 12 8\nmore: 20 0", 7, 14, "draw", "between the closest loss and win: 8 to 12"),
        ("5: 12 8\nmore: 20 0", 13, 14, "draw", "between the closest loss and win: 8 to 12"),
        ("5: 12 8\nmore: 20 0", 10, 9, "bye", "between a draw and the widest win: 10 to 20"),
        ("5: 12 8\nmore: 20 0", 10, 21, "bye", "between a draw and the widest win: 10 to 20"),
    ):
        with pytest.raises(BadTable) as bad:
            typed(lines, draw, bye)
        assert bad.value.faults[0][0] == field and said in bad.value.faults[0][1], lines


def test_lines_are_read_as_people_write_them() -> None:
    for lines in (
        "5: 12 8\nmore: 20 0",
        "up to 5: 12:8\n\nMore 20-0",
        " 5 12 8 \r\nmore = 20, 0",
        "5: 12 – 8\nmore: 20 : 0",
    ):
        assert typed(lines, 10, 14).steps == (Step(5, 12, 8), Step(None, 20, 0)), lines


def test_special_results() -> None:
    assert CLUB.points("a", 12, 7) == (13, 7)
    assert CLUB.points("b", 12, 7) == (9, 11), "who wins from behind wins by the closest step"
    assert CLUB.points("draw", 12, 7) == (10, 10), "a draw is a draw, whatever the VP"
    assert CLUB.points("a", 0, 0, conceded=True) == (20, 0)
    assert ranges(CLUB) == [("0 to 4", 11, 9), ("5 to 9", 13, 7), ("10 to 14", 16, 4), ("15 or more", 20, 0)]


def test_a_scheme_goes_by_its_table() -> None:
    scheme = Scheme(win=CLUB.bye, draw=CLUB.draw, loss=CLUB.least, table=CLUB)
    assert scheme.most == 20
    assert scheme.points(Result(1, "a", "b", 3, 12)) == (7, 13)
    assert scheme.points(Result(1, "a", "b", 3, 12, won="a", ending="conceded_b")) == (20, 0)
    assert Scheme().points(Result(1, "a", "b", 3, 12)) == (0, 3)
    assert Scheme().most == 3
