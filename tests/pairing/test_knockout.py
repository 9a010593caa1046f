"""The seeded bracket: its order, its byes, walk-overs, third place, and everybody's place at the end."""

from collections.abc import Callable
from itertools import pairwise
from random import Random

import pytest

from events.pairing.knockout import Bracket, bracket_order, draw_knockout, places, rounds, rounds_for, size_for, stage
from events.pairing.request import Format, Request, drawn_round, from_document, to_document
from events.pairing.seats import Draw, Seat

Wins = Callable[[str, str], str]


def seeds(count: int) -> tuple[str, ...]:
    """Ids whose names sort as their seeds do."""
    return tuple(f"s{place:02}" for place in range(1, count + 1))


def better(a: str, b: str) -> str:
    """The better seed always wins."""
    return min(a, b)


def played(count: int, wins: Wins, *, third_place: bool = False, gone: dict[int, set[str]] | None = None) -> list[Draw]:
    """Every round of a bracket; ``gone`` says who leaves before which round, from 1."""
    bracket, draws, left = Bracket(seeds(count), (), third_place), [], set[str]()
    for number in range(1, rounds_for(count) + 1):
        left |= (gone or {}).get(number, set())
        drawn = draw_knockout([Seat(x) for x in bracket.seeds if x not in left], bracket, "lot", 1)
        draws.append(drawn)
        won = [wins(pair.a, pair.b) for pair in drawn.pairs] + [one.id for one in drawn.idle]
        bracket = Bracket(bracket.seeds, (*bracket.through, tuple(won)), third_place)
    return draws


def final_places(draws: list[Draw], count: int, wins: Wins, *, third_place: bool = False) -> list[tuple[int, str, str]]:
    """The places after all of these rounds."""
    through = tuple(tuple([wins(p.a, p.b) for p in d.pairs] + [one.id for one in d.idle]) for d in draws)
    return [(p.place, p.id, p.how) for p in places(Bracket(seeds(count), through, third_place))]


def test_the_usual_order_of_eight() -> None:
    assert bracket_order(8) == (1, 8, 4, 5, 2, 7, 3, 6)
    assert bracket_order(2) == (1, 2)


@pytest.mark.parametrize("count", range(2, 65))
def test_every_size(count: int) -> None:
    size = size_for(count)
    assert size // 2 < count <= size == 2 ** rounds_for(count)
    order = bracket_order(size)
    assert sorted(order) == list(range(1, size + 1))
    # In each round of a bracket without surprises, the two who meet add up to the places left and one more.
    draws = played(count, better)
    assert len(draws) == rounds_for(count)
    for number, drawn in enumerate(draws):
        left = size >> number
        assert all(int(p.a[1:]) + int(p.b[1:]) == left + 1 for p in drawn.pairs)
        assert [p.a for p in drawn.pairs] == sorted(p.a for p in drawn.pairs), "the best seed's game comes first"
    # Everybody stands in the first round once; the top seeds have the byes, and only they.
    first = draws[0]
    standing = [x for p in first.pairs for x in (p.a, p.b)] + [one.id for one in first.idle]
    assert sorted(standing) == sorted(seeds(count))
    assert [one.id for one in first.idle] == list(seeds(size - count))
    assert not any(drawn.idle for drawn in draws[1:])
    # Each other player is beaten once: so many games as players, less one.
    assert sum(len(drawn.pairs) for drawn in draws) == count - 1


@pytest.mark.parametrize("count", range(3, 65))
def test_seeds_1_and_2_meet_in_the_final_alone(count: int) -> None:
    """Whoever wins elsewhere: with dice for all other games the two top seeds still meet last."""
    dice = Random(count)

    def wins(a: str, b: str) -> str:
        return min(a, b) if min(a, b) in ("s01", "s02") else dice.choice((a, b))

    meetings = [
        (number, {p.a, p.b})
        for number, drawn in enumerate(played(count, wins), start=1)
        for p in drawn.pairs
        if {p.a, p.b} == {"s01", "s02"}
    ]
    assert meetings == [(rounds_for(count), {"s01", "s02"})]


def test_every_pair_says_its_stage_and_its_seeds() -> None:
    draws = played(8, better, third_place=True)
    assert [p.notes[0] for p in draws[0].pairs] == [
        f"quarter-final: seed {n} against seed {9 - n}" for n in range(1, 5)
    ]
    assert [p.notes for p in draws[2].pairs] == [
        ("final: seed 1 against seed 2",),
        ("third place: seed 3 against seed 4",),
    ]
    assert draws[0].certificate.by == "seeded bracket of 8 by lot, quarter-finals"
    assert {d.algorithm for d in draws} == {"overseer-knockout/1"}
    assert stage(32) == stage(32, many=True) == "round of 32"


def test_who_met_before_the_cut_is_told() -> None:
    one, other = Seat("s01", opponents=("s02",)), Seat("s02", opponents=("s01",))
    (pair,) = draw_knockout([one, other], Bracket(("s01", "s02")), "lot", 1).pairs
    assert pair.notes == ("final: seed 1 against seed 2", "these two have met before the knockout")


def test_a_bracket_of_six_gives_the_top_two_a_bye() -> None:
    first = played(6, better)[0]
    assert [(one.id, one.notes[0]) for one in first.idle] == [
        (f"s0{n}", f"bye, quarter-final: seed {n} is through, for the bracket has an empty place") for n in (1, 2)
    ]
    assert [(p.a, p.b) for p in first.pairs] == [("s03", "s06"), ("s04", "s05")]


def test_whoever_leaves_gives_the_opponent_a_walk_over() -> None:
    draws = played(4, better, third_place=True, gone={2: {"s02"}})
    assert [one.notes for one in draws[1].idle] == [("walk-over, final: seed 1 wins it, for seed 2 is not here",)]
    assert [(p.a, p.b) for p in draws[1].pairs] == [("s03", "s04")], "third place is played all the same"
    assert final_places(draws, 4, better, third_place=True)[:2] == [
        (1, "s01", "won the final"),
        (2, "s02", "lost the final"),
    ]


def test_third_place_by_walk_over() -> None:
    draws = played(4, better, third_place=True, gone={2: {"s03"}})
    assert [one.id for one in draws[1].idle] == ["s04"]
    assert final_places(draws, 4, better, third_place=True)[2:] == [
        (3, "s04", "won the game for third place"),
        (4, "s03", "lost the game for third place"),
    ]


def test_where_both_have_left_the_next_opponent_meets_nobody() -> None:
    draws = played(8, better, gone={2: {"s01", "s04"}})
    assert [(p.a, p.b) for p in draws[1].pairs] == [("s02", "s03")]
    assert draws[1].idle == ()
    assert [(one.id, one.notes[0]) for one in draws[2].idle] == [
        ("s02", "walk-over, final: seed 2 wins it, for nobody came through to meet them")
    ]
    told = final_places(draws, 8, better)
    assert told[0][1:] == ("s02", "won the final")
    assert {id_ for _, id_, how in told if how == "out in the semi-finals"} == {"s01", "s04", "s03"}


def test_a_bracket_of_three_has_no_game_for_third_place() -> None:
    draws = played(3, better, third_place=True)
    assert [(p.a, p.b) for p in draws[1].pairs] == [("s01", "s02")]
    assert draws[1].idle == ()
    assert final_places(draws, 3, better, third_place=True)[2] == (3, "s03", "out in the semi-finals")


@pytest.mark.parametrize("third_place", [True, False])
@pytest.mark.parametrize("count", [2, 5, 8, 13, 32])
def test_places_are_everybody_once_the_later_out_the_higher(count: int, third_place: bool) -> None:
    dice = Random(count)
    memory: dict[tuple[str, str], str] = {}

    def wins(a: str, b: str) -> str:
        return memory.setdefault((a, b), dice.choice((a, b)))

    draws = played(count, wins, third_place=third_place)
    told = final_places(draws, count, wins, third_place=third_place)
    assert sorted(id_ for _, id_, _ in told) == sorted(seeds(count))
    assert [place for place, _, _ in told] == list(range(1, count + 1))
    last_round = {x: number for number, d in enumerate(draws) for p in d.pairs for x in (p.a, p.b)}
    assert [last_round[id_] for _, id_, _ in told] == sorted(last_round.values(), reverse=True)
    for one, two in pairwise(told):
        if one[2] == two[2]:
            assert one[1] < two[1], "out in the same round: by seed"


@pytest.mark.parametrize("seed", range(60))
def test_whatever_happens_the_bracket_goes_on(seed: int) -> None:
    """Players leave at any time, games without anybody have no winner: everybody still has one place, and one game."""
    dice = Random(seed)
    count = dice.randint(2, 20)
    bracket, left = Bracket(seeds(count), (), dice.random() < 0.5), set[str]()
    for number in range(rounds_for(count)):
        left |= {x for x in bracket.seeds if dice.random() < 0.15}
        drawn = draw_knockout([Seat(x) for x in bracket.seeds if x not in left], bracket, "lot", 1)
        seated = [x for p in drawn.pairs for x in (p.a, p.b)] + [one.id for one in drawn.idle]
        assert len(set(seated)) == len(seated)
        assert left.isdisjoint(seated)
        before = {x for won in bracket.through[-1:] for x in won} if number else set(bracket.seeds)
        last = number == rounds_for(count) - 1
        assert last or set(seated) <= before, "whoever lost plays no more, but for third place"
        won = [dice.choice((p.a, p.b)) for p in drawn.pairs if dice.random() > 0.1] + [one.id for one in drawn.idle]
        bracket = Bracket(bracket.seeds, (*bracket.through, tuple(won)), bracket.third_place)
        told = places(bracket)
        assert [p.place for p in told] == list(range(1, count + 1))
        assert {p.id for p in told} == set(bracket.seeds)
        assert len([p for p in told if p.how == "won the final"]) <= 1


def test_places_while_the_bracket_is_played() -> None:
    told = [(p.place, p.id, p.how) for p in places(Bracket(seeds(4), (("s04",),)))]
    assert told == [
        (1, "s02", "still in"), (2, "s03", "still in"), (3, "s04", "still in"), (4, "s01", "out in the semi-finals"),
    ]  # fmt: skip


def test_coming_rounds_show_who_is_known_by_now() -> None:
    _, (final, third) = rounds(Bracket(seeds(4), (("s04",),), third_place=True))
    assert (final.a, final.b, final.winner) == ("s04", None, None)
    assert (third.a, third.b, third.third) == ("s01", None, True)


@pytest.mark.parametrize(
    ("bracket", "said"),
    [
        (Bracket(("a",)), "needs two players"),
        (Bracket(("a", "a")), "a seed stands twice"),
        (Bracket(("a", "b"), (("a", "b"),)), "both went through"),
        (Bracket(("a", "b"), (("c",),)), "c went through without standing in round 1"),
        (Bracket(("a", "b"), (("a",), ("a",))), "has 1 rounds"),
        (Bracket(("a", "b"), (("a",),)), "the final is played"),
    ],
)
def test_a_bracket_that_cannot_be_is_refused_in_words(bracket: Bracket, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        draw_knockout([Seat("a"), Seat("b")], bracket, "lot", 1)


def test_a_round_is_redrawn_from_its_stored_request() -> None:
    seats = tuple(Seat(x, tables=(1,)) for x in "abcdefg")
    form = Format("knockout", ("c", "a"), "the organiser's order, then lots", third_place=True)
    request = Request(1, seats, 7, format=form)
    drawn = drawn_round(request)
    assert drawn_round(from_document(to_document(request))) == drawn
    assert [one.id for one in drawn.idle] == ["c"], "the organiser's first seed has the bye"
    assert drawn_round(Request(1, seats[::-1], 7, format=form)) == drawn, "the order of the seats plays no part"
    assert len({p.table for p in drawn.pairs}) == 3
    others = {drawn_round(Request(1, seats, seed, format=form)).pairs for seed in range(9)}
    assert len(others) > 1, "other seeds, other lots"
