"""The player meeting: everybody seated in pairs, club mates apart where it can be."""

import pytest

from events.pairing.request import Format, Request, drawn_round
from events.pairing.seats import Rules, Seat

MEETING = Format("meeting")


def test_club_mates_sit_apart_whatever_the_event_s_rounds_do() -> None:
    seats = tuple(Seat(f"p{n}", club="Reds" if n < 4 else "Blues") for n in range(8))
    for seed in range(10):
        drawn = drawn_round(Request(0, seats, seed, Rules("never"), format=MEETING))
        assert drawn.levels.kept_apart == 0
        assert sorted(x for p in drawn.pairs for x in (p.a, p.b)) == [f"p{n}" for n in range(8)]
        assert [p.table for p in drawn.pairs] == [1, 2, 3, 4]
    assert drawn.algorithm == "overseer-meeting/1"
    assert drawn.certificate.proven


def test_where_it_cannot_be_the_seating_says_so() -> None:
    drawn = drawn_round(Request(0, tuple(Seat(x, club="Reds") for x in "abcd"), 1, format=MEETING))
    assert [p.notes for p in drawn.pairs] == [("same club: Reds",)] * 2


def test_nothing_of_the_event_so_far_counts() -> None:
    """A player who enters late, a bye or an earlier opponent: it is no round."""
    fresh = tuple(Seat(x) for x in "abcde")
    old = tuple(Seat(x, points=n, byes=n, opponents=tuple(set("abcde") - {x})) for n, x in enumerate("abcde"))
    for seed in range(5):
        assert drawn_round(Request(0, old, seed, format=MEETING)) == drawn_round(
            Request(0, fresh, seed, format=MEETING)
        )


def test_the_odd_one_takes_a_third_chair() -> None:
    drawn = drawn_round(Request(0, tuple(Seat(x) for x in "abc"), 1, format=MEETING))
    assert len(drawn.pairs) == 1
    assert drawn.bye in {"a", "b", "c"}
    assert drawn.notes == ("odd field: a third chair at the last table",)


def test_there_is_no_other_kind_of_round() -> None:
    with pytest.raises(ValueError, match="there is no format 'league'"):
        drawn_round(Request(1, (Seat("a"), Seat("b")), 1, format=Format("league")))  # type: ignore[arg-type]
