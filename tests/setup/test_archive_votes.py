"""Closed votes and marks in an archive: the counts are right, and nobody can tell who gave which."""

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
def test_closed_vote_keeps_its_counts_and_hides_the_voters(votes: list[tuple[int, int]]) -> None:
    given_by = [{"id": n, "voter_id": voter, "for_id": chosen, "at": ""} for n, (voter, chosen) in enumerate(votes)]
    kept = _ballots(given_by, NOON)
    assert Counter(row["for_id"] for row in kept) == Counter(chosen for _, chosen in votes)
    assert {row["voter_id"] for row in kept} == {voter for voter, _ in votes}
    assert all(row["voter_id"] != row["for_id"] for row in kept)
    assert _ballots(kept, NOON) == kept, "an archive of an archive is the same"
    assert _ballots(given_by, None) == [], "an open vote is cast again"


@given(st.lists(st.tuples(st.integers(1, 4), st.integers(1, 5)), max_size=9))
def test_closed_marks_keep_their_counts_and_hide_the_givers(marks: list[tuple[int, int]]) -> None:
    given_by = [{"id": n, "giver_id": 90 + n, "about_id": about, "mark": mark} for n, (about, mark) in enumerate(marks)]
    kept = _marks(given_by, NOON)
    assert Counter((row["about_id"], row["mark"]) for row in kept) == Counter(marks)
    assert [row["giver_id"] for row in kept] == [row["giver_id"] for row in given_by]
    reverse = [{**row, "mark": mark} for row, mark in zip(given_by, [mark for _, mark in marks][::-1], strict=True)]
    if len({about for about, _ in marks}) == 1:
        assert _marks(reverse, NOON) == kept, "the same marks from other hands are the same archive"
    assert _marks(given_by, None) == []
