"""Closed votes and marks in an archive: the counts are right, and who gave which is not told."""

from collections import Counter
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from events.setup.archive import _ballots, _marks

NOON = datetime(2026, 12, 5, 12, tzinfo=UTC)


@given(
    st.lists(
        st.tuples(st.integers(1, 9), st.integers(1, 9)).filter(lambda pair: pair[0] != pair[1]),
        max_size=9,
        unique_by=lambda pair: pair[0],
    )
)
def test_a_closed_vote_is_counted_right_and_nobody_is_read(votes: list[tuple[int, int]]) -> None:
    given_by = [{"id": n, "voter_id": voter, "for_id": chosen, "at": ""} for n, (voter, chosen) in enumerate(votes)]
    told = _ballots(given_by, NOON)
    assert Counter(row["for_id"] for row in told) == Counter(chosen for _, chosen in votes)
    assert {row["voter_id"] for row in told} == {voter for voter, _ in votes}
    assert all(row["voter_id"] != row["for_id"] for row in told)
    assert _ballots(told, NOON) == told, "an archive of an archive is the same"
    assert _ballots(given_by, None) == [], "an open vote is cast again"


@given(st.lists(st.tuples(st.integers(1, 4), st.integers(1, 5)), max_size=9))
def test_closed_marks_are_counted_right_and_nobody_is_read(marks: list[tuple[int, int]]) -> None:
    given_by = [{"id": n, "giver_id": 90 + n, "about_id": about, "mark": mark} for n, (about, mark) in enumerate(marks)]
    told = _marks(given_by, NOON)
    assert Counter((row["about_id"], row["mark"]) for row in told) == Counter(marks)
    assert [row["giver_id"] for row in told] == [row["giver_id"] for row in given_by]
    reverse = [{**row, "mark": mark} for row, mark in zip(given_by, [mark for _, mark in marks][::-1], strict=True)]
    if len({about for about, _ in marks}) == 1:
        assert _marks(reverse, NOON) == told, "the same marks from other hands are the same archive"
    assert _marks(given_by, None) == []
