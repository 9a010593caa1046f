"""Formats other than Swiss (bracket, circle), and stand-ins."""

from collections import Counter
from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest

from events.tournament.pairing import knockout
from events.tournament.pairing.knockout import Bracket
from events.tournament.pairing.notes import Note, NoteKind
from events.tournament.pairing.request import Format, Request, drawn_round, from_document, of_the_field, to_document
from events.tournament.pairing.seats import Draw, Pair, Seat
from events.tournament.pairing.tables import Room
from events.tournament.pairing.words import sentences


def seeds(count: int) -> tuple[str, ...]:
    """Ids whose names sort as their seeds do."""
    return tuple(f"s{place:02}" for place in range(1, count + 1))


def through(drawn: Draw) -> tuple[str, ...]:
    return tuple([min(pair.a, pair.b) for pair in drawn.pairs] + [idle.id for idle in drawn.idle])


def played(count: int, *, third_place: bool = False, gone: dict[int, set[str]] | None = None) -> list[Draw]:
    """Every round of a bracket won by the better seeds; ``gone`` has the players who leave before each, from 1."""
    bracket, draws, left = Bracket(seeds(count), (), third_place), [], set[str]()
    for number in range(1, knockout.rounds_for(count) + 1):
        left |= (gone or {}).get(number, set())
        drawn = knockout.draw_knockout([Seat(x) for x in bracket.seeds if x not in left], bracket, "lot", 1)
        draws.append(drawn)
        bracket = Bracket(bracket.seeds, (*bracket.through, through(drawn)), third_place)
    return draws


def final_places(draws: list[Draw], count: int, *, third_place: bool = False) -> list[tuple[int, str, str]]:
    bracket = Bracket(seeds(count), tuple(map(through, draws)), third_place)
    return [(p.place, p.id, str(p.how)) for p in knockout.places(bracket)]


def test_brackets_of_every_size_place_seeds_and_byes_correctly() -> None:
    assert knockout.bracket_order(8) == (1, 8, 4, 5, 2, 7, 3, 6)
    assert knockout.bracket_order(2) == (1, 2)
    for count in range(2, 35):
        size = knockout.size_for(count)
        assert size // 2 < count <= size == 2 ** knockout.rounds_for(count)
        assert sorted(knockout.bracket_order(size)) == list(range(1, size + 1))
        # In each round of a bracket without surprises, the seeds of a pair add up to the places left and one more.
        draws = played(count)
        assert len(draws) == knockout.rounds_for(count)
        for number, drawn in enumerate(draws):
            left = size >> number
            assert all(int(p.a[1:]) + int(p.b[1:]) == left + 1 for p in drawn.pairs)
            assert [p.a for p in drawn.pairs] == sorted(p.a for p in drawn.pairs), "the best seed's game comes first"
        # Everybody is in the first round once; only the top seeds have byes.
        first = draws[0]
        entered = [x for p in first.pairs for x in (p.a, p.b)] + [idle.id for idle in first.idle]
        assert sorted(entered) == sorted(seeds(count))
        assert [idle.id for idle in first.idle] == list(seeds(size - count))
        assert not any(drawn.idle for drawn in draws[1:])
        assert sum(len(drawn.pairs) for drawn in draws) == count - 1


def test_every_pair_names_its_stage_and_its_seeds() -> None:
    draws = played(8, third_place=True)
    notes = [sentences(p.notes) for p in draws[0].pairs]
    assert notes == [(f"quarter-final: seed {n} against seed {9 - n}",) for n in range(1, 5)]
    assert [sentences(p.notes) for p in draws[2].pairs] == [
        ("final: seed 1 against seed 2",),
        ("third place: seed 3 against seed 4",),
    ]
    assert draws[0].certificate.by == "lot"
    assert {d.algorithm for d in draws} == {"overseer-knockout/1"}
    assert str(knockout.stage(32)) == str(knockout.stage(32, many=True)) == "round of 32"
    seat, other = Seat("s01", opponents=("s02",)), Seat("s02", opponents=("s01",))
    (pair,) = knockout.draw_knockout([seat, other], Bracket(("s01", "s02")), "lot", 1).pairs
    assert sentences(pair.notes) == ("final: seed 1 against seed 2", "these two were paired before the knockout")
    first = played(6)[0]
    assert [(idle.id, *sentences(idle.notes)) for idle in first.idle] == [
        (f"s0{n}", f"bye, quarter-final: seed {n} is through, for the bracket has an empty place") for n in (1, 2)
    ]
    assert [(p.a, p.b) for p in first.pairs] == [("s03", "s06"), ("s04", "s05")]


def test_opponent_of_a_player_who_left_wins_by_walk_over() -> None:
    draws = played(4, third_place=True, gone={2: {"s02"}})
    assert [sentences(idle.notes) for idle in draws[1].idle] == [
        ("walk-over, final: seed 1 wins it, for seed 2 is not here",)
    ]
    assert [(p.a, p.b) for p in draws[1].pairs] == [("s03", "s04")], "third place is still played"
    assert final_places(draws, 4, third_place=True)[:2] == [
        (1, "s01", "won the final"),
        (2, "s02", "lost the final"),
    ]
    draws = played(4, third_place=True, gone={2: {"s03"}})
    assert [idle.id for idle in draws[1].idle] == ["s04"]
    assert final_places(draws, 4, third_place=True)[2:] == [
        (3, "s04", "won the game for third place"),
        (4, "s03", "lost the game for third place"),
    ]


def test_opponent_of_a_pair_that_both_left_has_no_game() -> None:
    draws = played(8, gone={2: {"s01", "s04"}})
    assert [(p.a, p.b) for p in draws[1].pairs] == [("s02", "s03")]
    assert draws[1].idle == ()
    assert [(idle.id, *sentences(idle.notes)) for idle in draws[2].idle] == [
        ("s02", "walk-over, final: seed 2 wins it, for nobody came through to meet them")
    ]
    found = final_places(draws, 8)
    assert found[0][1:] == ("s02", "won the final")
    assert {id_ for _, id_, how in found if how == "out in the semi-final"} == {"s01", "s04", "s03"}


def test_bracket_continues_although_players_leave_and_places_higher_who_stays_longer() -> None:
    for seed in range(40):
        dice, chance = Random(seed), 0.15 * (seed % 2)
        count = dice.randint(2, 20)
        bracket, left, last = Bracket(seeds(count), (), dice.random() < 0.5), set[str](), dict[str, int]()
        for number in range(1, knockout.rounds_for(count) + 1):
            left |= {x for x in bracket.seeds if dice.random() < chance}
            drawn = knockout.draw_knockout([Seat(x) for x in bracket.seeds if x not in left], bracket, "lot", 1)
            seated = [x for p in drawn.pairs for x in (p.a, p.b)] + [idle.id for idle in drawn.idle]
            assert len(set(seated)) == len(seated), seed
            assert left.isdisjoint(seated), seed
            before = set(bracket.through[-1]) if bracket.through else set(bracket.seeds)
            final = number == knockout.rounds_for(count)
            assert final or set(seated) <= before, f"{seed}: losers play for third place alone"
            last |= dict.fromkeys(seated, number)
            won = [dice.choice((p.a, p.b)) for p in drawn.pairs if dice.random() >= chance]
            won += [idle.id for idle in drawn.idle]
            bracket = Bracket(bracket.seeds, (*bracket.through, tuple(won)), bracket.third_place)
            found = knockout.places(bracket)
            assert chance or all(a_place.place <= at for at, a_place in enumerate(found, start=1)), seed
            assert [p.place for p in found] == sorted(p.place for p in found), seed
            assert len({p.place for p in found}) == len({str(p.how) for p in found}), (
                f"{seed}: one place for each round"
            )
            assert {p.id for p in found} == set(bracket.seeds), seed
            assert len([p for p in found if str(p.how) == "won the final"]) <= 1, seed
        if not chance:
            assert [last[p.id] for p in found] == sorted(last.values(), reverse=True), seed
            for place, two in pairwise(found):
                assert place.how != two.how or place.id < two.id, "out in the same round: by seed"


def test_game_without_a_winner_leaves_a_bye_and_no_winner_of_the_final() -> None:
    seats = [Seat(id_) for id_ in seeds(4)]
    semis = Bracket(seeds(4), (("s01",),), third_place=True, complete=True)
    final = knockout.draw_knockout(seats, semis, "lot", 1)
    assert (final.pairs, [idle.id for idle in final.idle]) == ((), ["s01"]), "the only loser of a semi-final is third"
    assert {round_.open for round_ in knockout.rounds(semis)[1]} == {True, False}
    won = replace(semis, through=(("s01",), ("s01",)))
    assert [(p.place, p.id) for p in knockout.places(won)] == [(1, "s01"), (3, "s02"), (3, "s03"), (3, "s04")]
    played_out = replace(semis, through=(("s01", "s02"), ()))
    assert [(p.place, p.id, str(p.how)) for p in knockout.places(played_out)] == [
        (2, "s01", "lost the final"), (2, "s02", "lost the final"),
        (3, "s03", "out in the semi-final"), (3, "s04", "out in the semi-final"),
    ]  # fmt: skip
    nobody = Bracket(seeds(4), ((),), third_place=True, complete=True)
    assert not knockout.in_play(nobody)
    assert {p.place for p in knockout.places(nobody)} == {3}


def test_later_rounds_show_the_players_known_so_far() -> None:
    bracket = Bracket(seeds(4), (("s04",),), third_place=True)
    _, (final, third) = knockout.rounds(bracket)
    assert (final.a, final.b, final.winner) == ("s04", None, None)
    assert (third.a, third.b, third.third) == ("s01", None, True)
    assert [(p.place, p.id, str(p.how)) for p in knockout.places(replace(bracket, third_place=False))] == [
        (1, "s02", "still in"), (1, "s03", "still in"), (1, "s04", "still in"), (3, "s01", "out in the semi-final"),
    ]  # fmt: skip


def test_impossible_brackets_are_refused() -> None:
    for bracket, words in (
        (Bracket(("a",)), "needs two players"),
        (Bracket(("a", "a")), "a seed stands twice"),
        (Bracket(("a", "b"), (("a", "b"),)), "both went through"),
        (Bracket(("a", "b"), (("c",),)), "c went through without standing in round 1"),
        (Bracket(("a", "b"), (("a",), ("a",))), "has 1 rounds"),
        (Bracket(("a", "b"), (("a",),)), "the final is played"),
    ):
        with pytest.raises(ValueError, match=words):
            knockout.draw_knockout([Seat("a"), Seat("b")], bracket, "lot", 1)


def test_missing_seeds_of_a_knockout_are_drawn_by_lot() -> None:
    seats = tuple(Seat(x, tables=(1,)) for x in "abcdefg")
    form = Format("knockout", ("c", "a"), "the organiser's order, then lots", third_place=True)
    request = Request(1, seats, 7, format=form)
    drawn = drawn_round(request)
    assert [idle.id for idle in drawn.idle] == ["c"], "the organiser's first seed has the bye"
    assert drawn_round(Request(1, seats[::-1], 7, format=form)) == drawn, "the order of the seats does not matter"
    assert len({p.table for p in drawn.pairs}) == 3
    others = {drawn_round(Request(1, seats, seed, format=form)).pairs for seed in range(9)}
    assert len(others) > 1, "other seeds, other lots"


def circled(count: int, legs: int = 1, gone: frozenset[str] = frozenset()) -> list[Draw]:
    ids = [f"p{n}" for n in range(count)]
    here = [Seat(x) for x in ids if x not in gone]
    return [
        knockout.draw_round_robin(number, here, ids, legs, 1)
        for number in range(1, knockout.rounds_of_robin(count, legs) + 1)
    ]


def test_every_pair_meets_in_a_round_robin() -> None:
    for count in range(2, 12):
        for legs in (1, 2):
            draws = circled(count, legs)
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
            assert {first[x] - second[x] for x in ids} <= ({0} if count % 2 or legs == 2 else {-1, 1}), (
                "sides are balanced"
            )
    draws = circled(6, legs=2)
    for draw, other in zip(draws[:5], draws[5:], strict=True):
        assert [(p.a, p.b) for p in draw.pairs] == [(p.b, p.a) for p in other.pairs], "sides change in the second leg"


def test_round_robin_names_rounds_and_places_and_gives_walk_overs() -> None:
    draws = circled(5, gone=frozenset({"p3"}))
    idle = [idle for d in draws for idle in d.idle]
    assert sorted(an_idle.id for an_idle in idle) == ["p0", "p1", "p2", "p4"]
    assert {sentences(an_idle.notes) for an_idle in idle} == {("bye: place 4 of the circle is not here",)}
    assert Counter(d.bye for d in draws) == {"p0": 1, "p1": 1, "p2": 1, "p4": 1, None: 1}
    draws = circled(7)
    assert draws[2].certificate.by == "the circle method"
    assert sentences(draws[2].notes) == ("bye: an odd field, everybody has one in turn",)
    assert sentences(draws[0].pairs[0].notes) == ("circle: place 2 against place 7",)
    with pytest.raises(ValueError, match="a round robin of 4 has 3 rounds, and this would be round 4"):
        knockout.draw_round_robin(4, [Seat(x) for x in "abcd"], "abcd", 1, 1)


def test_order_of_a_round_robin_is_drawn_from_the_seed() -> None:
    seats = tuple(Seat(x) for x in "abcdef")
    assert len({knockout.order_by_lot((), "abcdef", seed) for seed in range(9)}) > 5
    assert knockout.order_by_lot(("d", "x"), "fedcba", 3)[:2] == ("d", "x"), "a player who left keeps the place"
    request = Request(2, seats, 5, format=Format("round_robin", legs=2))
    assert drawn_round(request) == drawn_round(Request(2, seats[::-1], 5, format=request.format))


FIVE = tuple(Seat(c, points) for c, points in zip("abcde", (6, 3, 3, 3, 0), strict=True))
PLAIN = Request(3, FIVE, 7, room=Room((1, 2, 3, 4)))
WITH = replace(PLAIN, ringer=Seat("r", tables=(3,)))


def test_the_player_with_the_bye_meets_the_stand_in() -> None:
    plain, drawn = drawn_round(PLAIN), drawn_round(WITH)
    notes = (Note(NoteKind.STAND_IN), Note(NoteKind.BYE_LOWEST, {"points": 0}))
    assert sentences(notes)[0] == "a stand-in in place of the bye"
    assert drawn == replace(plain, stand_in=Pair("e", "r", notes, table=4))
    assert [pair.table for pair in drawn.pairs] == [1, 2], "table 3 is free, but the stand-in has sat there before"
    seats = tuple(replace(seat, scenarios=("raid",)) for seat in FIVE)
    by_table = drawn_round(replace(WITH, seats=seats, room=Room((1, 2, 3), scenarios=("raid", "hold"))))
    assert by_table.stand_in
    assert (by_table.stand_in.table, by_table.stand_in.scenario) == (3, "hold")
    four = replace(WITH, seats=FIVE[:4])
    assert drawn_round(four) == drawn_round(replace(four, ringer=None)), "not needed in an even field"
    with pytest.raises(ValueError, match="'a' holds a seat and cannot stand in too"):
        drawn_round(replace(PLAIN, ringer=FIVE[0]))


def test_request_with_a_stand_in_is_stored_and_counted() -> None:
    assert from_document(to_document(WITH)) == WITH
    before_stand_ins = to_document(PLAIN)
    del before_stand_ins["ringer"]
    assert from_document(before_stand_ins) == PLAIN
    pairs = (Pair("a", "b"), Pair("r", "c"))
    assert of_the_field(WITH, pairs, None) == ((Pair("a", "b"),), "c"), "the levels count it as the bye"
    assert of_the_field(PLAIN, pairs[:1], "c") == ((Pair("a", "b"),), "c")
