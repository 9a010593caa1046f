"""Which slide the hall shows when: pages in step, none skipped, each shown long enough."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from events.hall.projector import (
    COLUMNS,
    ROOM,
    ROWS,
    SECONDS,
    SIZES,
    TURNING,
    Moment,
    Slide,
    by_name,
    fit,
    line_showing,
    showing,
    slides,
    width,
)

NINE = datetime(2026, 12, 5, 9, tzinfo=UTC)


def test_list_is_split_into_even_pages() -> None:
    for players, pages in ((0, 1), (1, 1), (32, 1), (33, 1), (34, 2), (120, 4), (500, 16)):
        those = slides(["names"], {"names": players})
        assert those == [Slide("names", page, pages, players) for page in range(1, pages + 1)]
        shown = [row for slide in those for row in range(players)[slide.rows]]
        assert shown == list(range(players))
        sizes = [len(range(players)[slide.rows]) for slide in those]
        assert max(sizes) - min(sizes) <= 1, "no page of three names after full ones"
        assert max(sizes) <= min(ROWS["names"], those[0].columns * those[0].lines)
        assert {slide.lines for slide in those} == {max(1, -(-max(sizes) // those[0].columns))}


def test_few_names_are_set_larger_and_many_fill_full_slides() -> None:
    def shape(view: str, count: int) -> tuple[int, int, int]:
        first = slides([view], {view: count})[0]
        return first.columns, first.lines, first.size

    assert shape("names", 200) == (3, 10, 100)
    assert shape("names", 11) == (2, 6, 150)
    assert shape("pairings", 6) == (1, 6, 125)
    assert shape("standings", 11) == (1, 11, 100)
    assert shape("names", 2)[2] == max(SIZES)
    for view in ROWS:
        for count in range(1, 300):
            one = slides([view], {view: count})[0]
            assert one.size * one.lines <= 100 * ROWS[view] // COLUMNS[view], "it fits the height"
            assert one.room >= ROOM[view] * 0.75, "names keep most of their letters"


def test_empty_list_is_left_out_unless_it_is_alone() -> None:
    assert slides(["clock", "standings"], {"standings": 0}) == [Slide("clock", 1, 1)]
    assert slides(["standings"], {"standings": 0}) == [Slide("standings", 1, 1)]
    assert showing([Slide("clock", 1, 1)], NINE, NINE + timedelta(days=1)) == (Slide("clock", 1, 1), None)


@given(
    names=st.integers(0, 300), tables=st.integers(0, 300), microseconds=st.integers(0, 10**12),
    moment=st.sampled_from(Moment),
)  # fmt: skip
def test_every_slide_stays_its_time_and_the_next_follows(
    names: int, tables: int, microseconds: int, moment: Moment
) -> None:
    those = slides(TURNING[moment], {"names": names, "pairings": tables, "standings": names})
    now = NINE + timedelta(microseconds=microseconds)
    slide, turns = showing(those, NINE, now)
    if turns is None:
        assert len(those) == 1
        return
    assert now < turns <= now + timedelta(seconds=SECONDS[slide.view])
    assert showing(those, NINE, turns - timedelta(microseconds=1)) == (slide, turns)
    following = showing(those, NINE, turns)[0]
    places = [place for place, one in enumerate(those) if one == slide]
    assert following in [those[(place + 1) % len(those)] for place in places]
    assert showing(those, NINE, NINE)[0] == those[0]


def test_announcements_take_turns() -> None:
    assert line_showing(0, NINE, NINE) == line_showing(1, NINE, NINE + timedelta(hours=1)) == (0, None)
    assert [line_showing(3, NINE, NINE + timedelta(seconds=s))[0] for s in (0, 9.9, 10, 20, 30)] == [0, 0, 1, 2, 0]
    assert line_showing(2, NINE, NINE + timedelta(seconds=12))[1] == NINE + timedelta(seconds=20)


def test_names_sort_without_accents_and_long_ones_are_set_smaller() -> None:
    names = ["šimić", "zoë", "weber", "øst", "ünal", "simon", "łoś", "lund", "æsa"]
    assert sorted(names, key=by_name) == ["æsa", "łoś", "lund", "øst", "šimić", "simon", "ünal", "weber", "zoë"]
    sizes = {
        "Ada": (3, "fit-1"), "Ada Lovelace": (12, "fit-1"), "Ada Lovelacent": (14, "fit-2"), "A" * 15: (15, "fit-3"),
        "太郎": (4, "fit-1"), "e\u0301": (1, "fit-1"), "Featherstonehaugh Cholmondeley": (30, "fit-3"),
    }  # fmt: skip
    assert {text: (width(text), fit(text, 12)) for text in sizes} == sizes
    assert [fit("Bartholomew Featherstonehaugh-Cholmondeley", 12, high) for high in (1.3, 1.5, 2)] == [
        "fit-5", "fit-4", "fit-3",
    ]  # fmt: skip
