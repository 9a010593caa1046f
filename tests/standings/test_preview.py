"""What other results would change: rows of the standings, and the notes of a round drawn before."""

from dataclasses import replace

from events.pairing.request import Request, drawn_round
from events.pairing.seats import Levels, Pair
from events.play.figures import Entrant, Result, Scheme
from events.results.preview import Paired, moved_lines, reseated, round_effect
from events.standings.ranking import standings
from events.standings.records import seats_from

PEOPLE = [Entrant(id_, name) for id_, name in (("a", "Ann"), ("b", "Bob"), ("c", "Cy"), ("d", "Di"))]
SCHEME = Scheme(tie_breaks=("vp",))
ROUND_1 = [Result(1, "a", "b", 10, 4), Result(1, "c", "d", 6, 2)]
TURNED = [Result(1, "a", "b", 4, 10), ROUND_1[1]]


def round_2(seed: int = 5) -> Paired:
    request = Request(2, tuple(seats_from(ROUND_1, PEOPLE, SCHEME, 2)), seed)
    drawn = drawn_round(request)
    assert {frozenset((p.a, p.b)) for p in drawn.pairs} == {frozenset("ac"), frozenset("bd")}
    return Paired(request, drawn.pairs, drawn.bye)


def test_changed_rows_have_their_figures_before_and_after() -> None:
    before, after = (standings(results, PEOPLE, SCHEME) for results in (ROUND_1, TURNED))
    moved = {one.after.name: (one.before, one.after) for one in moved_lines(before, after)}
    assert set(moved) == {"Ann", "Bob"}
    assert [(row.rank, row.points, row.vp) for row in moved["Ann"]] == [(1, 3, 10), (3, 0, 4)]
    assert [(row.rank, row.points, row.vp) for row in moved["Bob"]] == [(3, 0, 4), (1, 3, 10)]
    assert moved_lines(before, before) == ()


def test_round_drawn_before_gets_other_notes() -> None:
    effect = round_effect(round_2(), ROUND_1, TURNED, PEOPLE, SCHEME)
    assert effect.moved
    down = ("pair-down from 3 to 0 points",)
    assert {frozenset((one.a, one.b or "")): (one.before, one.after) for one in effect.reread} == {
        frozenset("ac"): ((), down), frozenset("bd"): ((), down),
    }  # fmt: skip
    assert (effect.stands, effect.best) == (Levels(distance=2), Levels())
    assert effect.verdict.startswith("Worse than a draw made now: 2 more steps apart in points.")
    assert effect.otherwise == 2
    by_hand = Paired(round_2().request, (Pair("a", "b"), Pair("c", "d")), None)
    assert round_effect(by_hand, ROUND_1, TURNED, PEOPLE, SCHEME).otherwise == 0, "the engine drew neither pair before"


def test_bye_gets_another_note() -> None:
    people = [*PEOPLE, Entrant("e", "Ed")]
    first = [*ROUND_1, Result(1, "e", None)]
    request = Request(2, tuple(seats_from(first, people, SCHEME, 2)), 1)
    played = Paired(request, (Pair("a", "c"), Pair("e", "d")), "b")
    turned = [TURNED[0], ROUND_1[1], first[2]]
    effect = round_effect(played, first, turned, people, SCHEME)
    bye = next(one for one in effect.reread if one.b is None)
    assert bye.before == ("bye: lowest group without an earlier bye (0 points)",)
    assert bye.after == ("bye: on 3 points, while 2 players on fewer points had none",)


def test_ranks_change_only_in_a_round_drawn_by_rank() -> None:
    request = round_2().request
    assert {seat.rank for seat in reseated(request, TURNED, PEOPLE, SCHEME).seats} == {0}
    by_rank = replace(request, seats=tuple(replace(seat, rank=9) for seat in request.seats))
    assert {seat.id: seat.rank for seat in reseated(by_rank, TURNED, PEOPLE, SCHEME).seats} == {
        "b": 1, "c": 2, "a": 3, "d": 4,
    }  # fmt: skip
    gone = [one for one in PEOPLE if one.id != "d"]
    kept = reseated(request, ROUND_1[:1], gone, SCHEME)
    assert next(seat for seat in kept.seats if seat.id == "d") == next(s for s in request.seats if s.id == "d")
