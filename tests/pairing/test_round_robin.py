"""The circle: everybody meets everybody, byes once each, sides balanced; and what happens when somebody leaves."""

from collections import Counter

import pytest

from events.pairing.knockout import draw_round_robin, order_by_lot, rounds_of_robin
from events.pairing.request import Format, Request, drawn_round, from_document, to_document
from events.pairing.seats import Draw, Seat


def drawn(count: int, legs: int = 1, gone: frozenset[str] = frozenset()) -> list[Draw]:
    """All rounds of a round robin."""
    ids = [f"p{n}" for n in range(count)]
    here = [Seat(x) for x in ids if x not in gone]
    return [draw_round_robin(number, here, ids, legs, 1) for number in range(1, rounds_of_robin(count, legs) + 1)]


@pytest.mark.parametrize("legs", [1, 2])
@pytest.mark.parametrize("count", range(2, 41))
def test_everybody_meets_everybody(count: int, legs: int) -> None:
    draws = drawn(count, legs)
    ids = {f"p{n}" for n in range(count)}
    assert len(draws) == legs * (count - 1 if count % 2 == 0 else count)
    met = Counter(frozenset((p.a, p.b)) for d in draws for p in d.pairs)
    assert set(met.values()) == {legs}
    assert len(met) == count * (count - 1) // 2
    for d in draws:
        seated = [x for p in d.pairs for x in (p.a, p.b)] + [d.bye] * (d.bye is not None)
        assert sorted(map(str, seated)) == sorted(ids), "everybody once a round"
    byes = Counter(d.bye for d in draws if d.bye is not None)
    assert byes == (dict.fromkeys(ids, legs) if count % 2 else {})
    first, second = Counter(p.a for d in draws for p in d.pairs), Counter(p.b for d in draws for p in d.pairs)
    balance = {first[x] - second[x] for x in ids}
    assert balance <= ({0} if count % 2 or legs == 2 else {-1, 1})


def test_in_the_second_leg_the_sides_are_changed() -> None:
    draws = drawn(6, legs=2)
    for one, other in zip(draws[:5], draws[5:], strict=True):
        assert [(p.a, p.b) for p in one.pairs] == [(p.b, p.a) for p in other.pairs]


def test_whoever_leaves_gives_the_others_a_walk_over() -> None:
    gone = drawn(5, gone=frozenset({"p3"}))
    idle = [one for d in gone for one in d.idle]
    assert sorted(one.id for one in idle) == ["p0", "p1", "p2", "p4"]
    assert {one.notes for one in idle} == {("walk-over: place 4 of the circle is not here",)}
    assert Counter(d.bye for d in gone) == {"p0": 1, "p1": 1, "p2": 1, "p4": 1, None: 1}


def test_each_round_says_where_it_stands() -> None:
    draws = drawn(7)
    assert draws[2].certificate.by == "circle method, round 3 of 7"
    assert draws[2].notes == ("bye: an odd field, everybody has one in turn",)
    assert draws[0].pairs[0].notes == ("circle: place 2 against place 7",)
    with pytest.raises(ValueError, match="a round robin of 4 has 3 rounds, and this would be round 4"):
        draw_round_robin(4, [Seat(x) for x in "abcd"], "abcd", 1, 1)


def test_the_order_is_drawn_from_the_seed_and_the_round_redrawn_from_its_request() -> None:
    seats = tuple(Seat(x) for x in "abcdef")
    orders = {order_by_lot((), "abcdef", seed) for seed in range(9)}
    assert len(orders) > 5
    assert order_by_lot(("d", "x"), "fedcba", 3)[:2] == ("d", "x"), "who has left keeps the place"
    request = Request(2, seats, 5, format=Format("round_robin", legs=2))
    assert drawn_round(request) == drawn_round(from_document(to_document(request)))
    assert drawn_round(request) == drawn_round(Request(2, seats[::-1], 5, format=request.format))
