"""The named odd fields, what a draw refuses, its lots, and the scale of its costs."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, replace

import pytest

from events.pairing.levels import SOLVER_BITS, cheapest_matching, count_levels, order_of, scale_for
from events.pairing.seats import PLAIN, Draw, Levels, Method, Pair, Rules, Seat
from events.pairing.swiss import draw


def couples(result: Draw) -> set[frozenset[str]]:
    return {frozenset((pair.a, pair.b)) for pair in result.pairs}


def met(seats: Iterable[Seat], *games: str) -> list[Seat]:
    """The seats after these games, each named by two letters."""
    return [replace(s, opponents=tuple(game.replace(s.id, "") for game in games if s.id in game)) for s in seats]


def test_an_empty_field_is_an_empty_round() -> None:
    assert (draw(1, [], seed=1).pairs, draw(1, [], seed=1).bye) == ((), None)


def test_one_player_alone_has_the_bye() -> None:
    result = draw(2, [Seat("a", byes=3)], seed=1)
    assert (result.pairs, result.bye, result.levels.second_byes) == ((), "a", 1)
    assert result.notes == ("bye: the only player in the field",)


def test_the_star_is_paired_with_the_one_rematch_it_needs() -> None:
    seats = met([Seat(c) for c in "abcd"], "bc", "bd", "cd")
    for seed in range(10):
        result = draw(3, seats, seed=seed)
        assert result.levels.rematches == 1
        notes = [pair.notes for pair in result.pairs]
        assert sorted(notes) == [(), ("rematch: no pairing of these 4 players has fewer than 1",)]


def test_one_legal_pair_among_four_is_found() -> None:
    seats = met([Seat(c) for c in "abcd"], "ac", "ad", "bc", "bd", "cd")
    assert couples(draw(4, seats, seed=5)) == {frozenset("ab"), frozenset("cd")}


def test_an_exhausted_round_robin_is_paired_again_and_says_so() -> None:
    seats = met([Seat(c) for c in "abcdef"], *(x + y for x in "abcdef" for y in "abcdef" if x < y))
    result = draw(6, seats, seed=2)
    assert result.levels == Levels(rematches=3)
    assert all(p.notes == ("rematch: no pairing of these 6 players has fewer than 3",) for p in result.pairs)


def test_a_game_that_only_one_of_the_two_remembers_is_a_rematch() -> None:
    seats = [Seat("a", opponents=("b",)), Seat("b"), Seat("c"), Seat("d")]
    for seed in range(10):
        assert frozenset("ab") not in couples(draw(2, seats, seed=seed))


def test_everyone_in_one_club_still_plays() -> None:
    seats = [Seat(f"p{i}", club=" Reds"[i % 2 :]) for i in range(6)]
    result = draw(1, seats, seed=1)
    assert result.levels == Levels(kept_apart=3)
    assert all(pair.notes == ("same club: Reds",) for pair in result.pairs)
    assert draw(2, seats, seed=1).levels == Levels()
    assert draw(2, seats, seed=1, rules=Rules("always")).levels == Levels(kept_apart=3)
    assert draw(1, seats, seed=1, rules=Rules("never")).levels == Levels()


def test_clubs_are_compared_without_case_and_blanks_and_no_club_is_no_clash() -> None:
    seats = [Seat("a", club="Straße "), Seat("b", club="STRASSE"), Seat("c", club="  "), Seat("d")]
    for seed in range(10):
        assert frozenset("ab") not in couples(draw(1, seats, seed=seed))
    assert draw(1, seats[2:], seed=1).levels.kept_apart == 0


def test_kept_apart_by_wish_and_by_club_counts_once_and_bows_to_the_groups() -> None:
    seats = [Seat("a", 3, "Reds"), Seat("b", 3, "reds"), Seat("c"), Seat("d")]
    result = draw(1, seats, seed=1, rules=Rules(keep_apart=(("b", "a"), ("a", "gone"))))
    assert result.levels == Levels(kept_apart=1)
    assert result.pairs[0].notes == ("kept apart: these two were to be kept apart", "same club: Reds")
    parted = draw(2, [replace(s, points=0) for s in seats], seed=1, rules=Rules(keep_apart=(("a", "b"),)))
    assert frozenset("ab") not in couples(parted)


def test_all_dropped_but_three() -> None:
    seats = [
        Seat("a", 9, opponents=("x", "b", "y"), byes=0),
        Seat("b", 6, opponents=("a", "z", "x"), byes=0),
        Seat("c", 3, opponents=("y", "x", "z"), byes=1),
    ]
    result = draw(4, seats, seed=7)
    assert result.bye == "b"
    assert couples(result) == {frozenset("ac")}
    assert result.levels == Levels(bye_height=1, distance=4)
    assert result.notes == ("bye: lowest group without an earlier bye (6 points)",)


def test_the_bye_goes_to_the_lowest_group_that_has_had_none() -> None:
    seats = [Seat("a", 6), Seat("b", 3), Seat("c", 3), Seat("d", 0, byes=1), Seat("e", 0, byes=1)]
    byes = {draw(3, seats, seed=seed).bye for seed in range(20)}
    assert byes == {"b", "c"}


def test_a_bye_moves_up_only_to_save_a_rematch() -> None:
    seats = met([Seat("a", 6), Seat("b", 3), Seat("c", 0)], "ab")
    result = draw(2, seats, seed=1)
    assert result.bye == "b"
    assert result.notes == (
        "bye: on 3 points, while 1 player on fewer points had none; any other choice forces more rematches",
    )


def test_a_second_bye_comes_only_to_save_a_rematch() -> None:
    seats = [replace(s, byes=int(s.id == "c")) for s in met([Seat(c) for c in "abc"], "ac", "bc")]
    result = draw(3, seats, seed=1)
    assert result.bye == "c"
    assert result.levels == Levels(second_byes=1)
    assert result.notes == (
        "second bye: had one once before, while 2 players had none; any other choice forces more rematches",
    )


def test_when_all_have_had_a_bye_the_lowest_gets_the_second() -> None:
    result = draw(4, [Seat("a", 6, byes=1), Seat("b", 3, byes=1), Seat("c", 0, byes=2)], seed=1)
    assert result.bye == "c"
    assert result.notes == ("second bye: every player has had one; lowest group (0 points)",)


def test_an_odd_group_sends_one_down_and_not_the_same_player_again() -> None:
    seats = [
        Seat("a", 6, floats=1),
        Seat("b", 6),
        Seat("c", 6, floats=2),
        Seat("d", 4),
        Seat("e", 4),
        Seat("f", 4),
    ]
    for seed in range(10):
        result = draw(3, seats, seed=seed)
        assert result.levels == Levels(distance=1)
        down = next(pair for pair in result.pairs if pair.notes)
        assert down.a == "b"
        assert down.notes == ("pair-down from 6 to 4 points: an odd number (3) on 6 points or more",)


def test_a_pair_down_that_no_odd_group_asks_for_says_what_it_avoids() -> None:
    seats = met([Seat("a", 3.5), Seat("b", 3.5), Seat("c", 1), Seat("d", 1)], "ab")
    notes = {note for pair in draw(2, seats, seed=1).pairs for note in pair.notes}
    assert notes == {"pair-down from 3.5 to 1 point: nothing nearer without a rematch or a worse bye"}


def test_an_odd_group_explains_one_pair_down_but_not_three() -> None:
    seats = met([Seat(c, 6) for c in "abc"] + [Seat(c, 4) for c in "def"], "ab", "ac", "bc")
    result = draw(3, seats, seed=1)
    assert result.levels == Levels(distance=3)
    notes = {note for pair in result.pairs for note in pair.notes}
    assert notes == {"pair-down from 6 to 4 points: nothing nearer without a rematch or a worse bye"}


def test_pairs_come_from_the_top_and_the_higher_player_first() -> None:
    seats = [Seat(f"p{i}", points) for i, points in enumerate([0, 9, 6, 6, 3, 9, 3, 6, 0, 3])]
    points = {seat.id: seat.points for seat in seats}
    for seed in range(10):
        shown = [(points[pair.a], points[pair.b]) for pair in draw(5, seats, seed=seed).pairs]
        assert shown == [(9, 9), (6, 6), (6, 3), (3, 3), (0, 0)]


def test_the_same_seed_draws_the_same_round_and_another_round_draws_other_lots() -> None:
    seats = [Seat(f"p{i}") for i in range(20)]
    assert draw(1, seats, seed=4) == draw(1, seats, seed=4)
    assert draw(1, seats, seed=4).pairs != draw(1, seats, seed=5).pairs
    assert draw(1, seats, seed=4).pairs != draw(2, seats, seed=4).pairs


def test_a_published_draw_can_be_drawn_again_by_a_later_version() -> None:
    """Whoever changes what this seed draws owes ``ALGORITHM`` a new number."""
    result = draw(1, [Seat(c) for c in "abcdefg"], seed=2026)
    assert result.algorithm == "overseer-swiss/2"
    assert [(pair.a, pair.b) for pair in result.pairs] == [("b", "a"), ("f", "c"), ("e", "g")]
    assert result.bye == "d"
    large = draw(1, [Seat(f"{k:03}") for k in range(131)], seed=2026)
    assert [(pair.a, pair.b) for pair in large.pairs[:3]] == [("091", "121"), ("124", "028"), ("100", "040")]
    assert large.bye == "031"


def test_round_one_is_fair() -> None:
    seats = [Seat(c) for c in "abcde"]
    rounds = [draw(1, seats, seed=seed) for seed in range(600)]
    byes = Counter(r.bye for r in rounds)
    assert set(byes) == set("abcde")
    assert all(80 < count < 160 for count in byes.values()), byes
    games = Counter(two for r in rounds for two in couples(r))
    assert len(games) == 10
    assert all(80 < count < 160 for count in games.values()), games
    first = Counter(pair.a < pair.b for r in rounds for pair in r.pairs)
    assert 500 < first[True] < 700, first


@pytest.mark.parametrize(
    ("round_number", "seats", "apart", "message"),
    [
        (0, [], [], "round 0: rounds are counted from 1"),
        (1, [Seat("a"), Seat("b"), Seat("a")], [], "two seats have the id 'a'"),
        (1, [Seat("a", points=float("nan"))], [], "seat 'a': nan is no number of points"),
        (1, [Seat("a", byes=-1)], [], "seat 'a': byes and pair-downs are counted from 0"),
        (1, [Seat("a", floats=-1)], [], "seat 'a': byes and pair-downs are counted from 0"),
        (1, [Seat("a", opponents=("a",))], [], "seat 'a' stands among its own opponents"),
        (1, [Seat("a")], [("b", "b")], "'b' cannot be kept apart from itself"),
    ],
)
def test_what_cannot_be_meant_is_refused(
    round_number: int, seats: list[Seat], apart: list[tuple[str, str]], message: str
) -> None:
    with pytest.raises(ValueError, match=r".") as refused:
        draw(round_number, seats, seed=1, rules=Rules(keep_apart=tuple(apart)))
    assert str(refused.value) == message


@pytest.mark.parametrize("players", [1, 2, 3, 10, 511, 2048])
@pytest.mark.parametrize("every", [1, 3, 10**6])
@pytest.mark.parametrize("method", ["random", "fold"])
def test_no_level_can_outweigh_the_one_above_it(players: int, every: int, method: Method) -> None:
    rules = Rules(method=method, off=("bye_height",), banned=("kept_apart", "distance"))
    seats = [Seat(f"p{i}", points=i // every) for i in range(players)]
    scale = scale_for(seats, rules)
    games, steps = (players + 1) // 2, (players - 1) // every
    most = asdict(Levels(games, 1, steps, games * steps**2, games, games))
    below = games * (2**scale.lot_bits - 1)
    if method == "fold":
        assert scale.order > below
        below += scale.order * games * players**2
    assert scale.floor > below
    assert scale.unit.bye_height == 0
    for level in ("repeat_floats", "second_byes", "rematches", "kept_apart", "distance"):
        unit = getattr(scale.unit, level)
        assert unit > below
        below += unit * most[level]
    assert below < 2**SOLVER_BITS
    assert scale.lot_bits >= 10


def test_banned_levels_stand_above_all_others_and_those_switched_off_nowhere() -> None:
    assert order_of(Rules(off=("distance", "second_byes"), banned=("kept_apart", "bye_height"))) == [
        "bye_height", "kept_apart", "rematches", "repeat_floats",
    ]  # fmt: skip


def test_a_field_too_large_to_be_drawn_exactly_is_refused_in_words() -> None:
    with pytest.raises(ValueError, match="60000 players on 60000 scores are too many to be drawn exactly"):
        scale_for([Seat(str(i), points=i) for i in range(60_000)], PLAIN)


def test_the_solver_is_never_given_more_bits_than_it_can_reckon_with() -> None:
    assert cheapest_matching(2, {(0, 1): 2**SOLVER_BITS - 1}) == [(0, 1)]
    with pytest.raises(OverflowError, match="121 bits"):
        cheapest_matching(2, {(0, 1): 2**SOLVER_BITS})


def test_the_solver_is_right_with_costs_of_all_the_bits_it_is_given() -> None:
    high = 2**SOLVER_BITS - 2
    costs = {(0, 1): high, (2, 3): 0, (0, 2): high - 1, (1, 3): 2, (0, 3): high, (1, 2): 1}
    assert cheapest_matching(4, costs) == [(0, 1), (2, 3)]
    assert cheapest_matching(4, costs | {(0, 2): high - 3}) == [(0, 2), (1, 3)]


def test_levels_of_a_round_changed_by_hand() -> None:
    seats = [
        Seat("a", 6, "Reds", floats=1, opponents=("c",)),
        Seat("b", 4, "Reds"),
        Seat("c", 3),
        Seat("d", 0, byes=1),
        Seat("e", 0),
    ]
    levels = count_levels(1, seats, [Pair("c", "a"), Pair("e", "b")], "d", Rules(keep_apart=(("b", "e"),)))
    assert levels == Levels(rematches=1, second_byes=1, bye_height=0, distance=8, repeat_floats=1, kept_apart=1)
    partly = count_levels(1, seats, [Pair("a", "b")], None)
    assert partly == Levels(distance=1, repeat_floats=1, kept_apart=1)
    assert count_levels(1, seats, [], "a") == Levels(bye_height=3)
    with pytest.raises(ValueError, match="'z' is paired but has no seat"):
        count_levels(1, seats, [Pair("a", "z")], None)
    with pytest.raises(ValueError, match="'a' is placed more than once"):
        count_levels(1, seats, [Pair("a", "b")], "a")
