"""What an organiser switches: levels off and banned, how groups are paired inside, pairs locked."""

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from events.pairing.levels import count_levels
from events.pairing.seats import LEVELS, Levels, Method, Pair, Rules, Seat
from events.pairing.swiss import draw

FieldOf = Callable[[int, int, int], Any]


def every_round(ids: list[str]) -> list[tuple[list[Pair], str | None]]:
    """All ways to pair these players, with a bye where they are odd."""
    if not ids:
        return [([], None)]
    first, *others = ids
    found: list[tuple[list[Pair], str | None]] = []
    if len(ids) % 2:
        found += [(pairs, first) for pairs, _ in every_round(others)]
    for other in others:
        rest = [id_ for id_ in others if id_ != other]
        found += [([Pair(first, other), *pairs], bye) for pairs, bye in every_round(rest)]
    return found


@pytest.mark.parametrize("seed", range(3000, 3150))
def test_switched_levels_and_locks_are_obeyed_as_every_possible_round_shows(seed: int, field_of: FieldOf) -> None:
    field = field_of(seed, 2, 8)
    dice = Random(seed)
    ids = [seat.id for seat in field.seats]
    off = tuple(dice.sample(LEVELS, dice.randrange(3)))
    banned = tuple(dice.sample(LEVELS, dice.randrange(3)))
    locked: tuple[tuple[str, str | None], ...] = ()
    if dice.random() < 0.5:
        one, other = dice.sample(ids, 2)
        locked = ((one, other),)
    if len(ids) % 2 and dice.random() < 0.5:
        (alone,) = dice.sample([id_ for id_ in ids if all(id_ not in pair for pair in locked)], 1)
        locked += ((alone, None),)
    rules = replace(field.rules, off=off, banned=banned, locked=locked)
    order = [x for x in LEVELS if x in banned and x not in off] + [x for x in LEVELS if x not in (*banned, *off)]

    def vector(levels: Levels) -> list[int]:
        return [getattr(levels, level) for level in order]

    def stands(pairs: list[Pair], bye: str | None) -> bool:
        together = {frozenset((p.a, p.b)) for p in pairs} | {frozenset((bye, None))}
        return all(frozenset(pair) in together for pair in locked)

    best = min(
        vector(count_levels(field.round_number, field.seats, pairs, bye, rules))
        for pairs, bye in every_round(ids)
        if stands(pairs, bye)
    )
    result = draw(field.round_number, field.seats, seed=seed, rules=rules)
    assert stands(list(result.pairs), result.bye)
    assert vector(result.levels) == best
    placed = [id_ for p in result.pairs for id_ in (p.a, p.b)] + [id_ for id_ in (result.bye,) if id_]
    assert sorted(placed) == sorted(ids)


def test_a_banned_rematch_is_still_better_than_no_game() -> None:
    seats = [Seat("a", opponents=("b",)), Seat("b", opponents=("a",))]
    assert draw(2, seats, seed=1, rules=Rules(banned=("rematches",))).levels == Levels(rematches=1)


def test_clubs_as_good_as_forbidden_cost_the_groups() -> None:
    seats = [Seat("a", 6, "Reds"), Seat("b", 6, "Reds"), Seat("c", 3, "Blues"), Seat("d", 3, "Blues")]
    assert draw(2, seats, seed=1, rules=Rules("always")).levels == Levels(kept_apart=2)
    assert draw(2, seats, seed=1, rules=Rules("always", banned=("kept_apart",))).levels == Levels(distance=2)
    assert draw(2, seats, seed=1, rules=Rules("always", off=("distance",))).levels == Levels(distance=2)


def ranked(*points: int) -> list[Seat]:
    """Seats "1", "2" ... by their standing, the best first."""
    return [Seat(str(k), points=p, rank=k) for k, p in enumerate(points, start=1)]


def met(seats: list[Seat], *games: tuple[str, str]) -> list[Seat]:
    return [replace(s, opponents=tuple(b if s.id == a else a for a, b in games if s.id in (a, b))) for s in seats]


@pytest.mark.parametrize(
    ("method", "pairs"),
    [
        ("standing", {"1-2", "3-4", "5-6", "7-8"}),
        ("fold", {"1-3", "2-4", "5-7", "6-8"}),
    ],
)
def test_inside_a_group_the_standings_pair(method: Method, pairs: set[str]) -> None:
    seats = ranked(6, 6, 6, 6, 3, 3, 3, 3)
    for seed in range(5):
        found = draw(3, seats, seed=seed, rules=Rules(method=method)).pairs
        assert {f"{min(p.a, p.b)}-{max(p.a, p.b)}" for p in found} == pairs


@pytest.mark.parametrize("method", ["standing", "fold"])
def test_the_last_of_an_odd_group_meets_the_first_of_the_next(method: Method) -> None:
    found = draw(3, ranked(6, 6, 6, 3, 3, 3), seed=1, rules=Rules(method=method)).pairs
    assert ("3", "4") in {(p.a, p.b) for p in found}


def test_no_order_inside_groups_pays_for_a_rematch() -> None:
    seats = met(ranked(6, 6, 6, 6), ("1", "2"), ("3", "4"))
    for method in ("standing", "fold"):
        levels = draw(3, seats, seed=1, rules=Rules(method=method)).levels
        assert levels == Levels()


@pytest.mark.parametrize("method", ["standing", "fold"])
@pytest.mark.parametrize("seed", range(4))
def test_a_large_group_is_paired_by_its_order_and_repaired_nearby(method: Method, seed: int) -> None:
    dice = Random(seed)
    seats = [Seat(f"p{k:03}", dice.choice([0, 3, 6]), dice.choice("RGB"), rank=k) for k in range(1, 201)]
    result = draw(2, seats, seed=seed, rules=Rules("always", method=method))
    rank = {s.id: s.rank for s in sorted(seats, key=lambda s: (-s.points, s.rank))}
    place = {id_: k for k, id_ in enumerate(rank)}
    points = {s.id: s.points for s in seats}
    off = []
    for pair in result.pairs:
        if points[pair.a] == points[pair.b]:
            size = sum(p == points[pair.a] for p in points.values())
            off.append(abs(abs(place[pair.a] - place[pair.b]) - (1 if method == "standing" else size // 2)))
    assert result.levels.rematches == result.levels.kept_apart == 0
    assert sum(places <= 12 for places in off) > 0.8 * len(off)
    assert result == draw(2, dice.sample(seats, len(seats)), seed=seed, rules=Rules("always", method=method))


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        (Rules(locked=(("a", "z"),)), "'z' is in a locked pair but has no seat"),
        (Rules(locked=(("a", "b"), ("b", "c"))), "'b' is locked more than once"),
        (Rules(locked=(("a", None),)), "a bye is locked although the field is even"),
    ],
)
def test_rules_that_cannot_be_meant_are_refused(rules: Rules, message: str) -> None:
    with pytest.raises(ValueError, match=r".") as refused:
        draw(1, [Seat(c) for c in "abcd"], seed=1, rules=rules)
    assert str(refused.value) == message


def test_without_any_standing_a_round_is_drawn_by_lot_and_half_a_standing_is_refused() -> None:
    seats = [Seat(c) for c in "abcd"]
    assert draw(1, seats, seed=3, rules=Rules(method="fold")).pairs == draw(1, seats, seed=3).pairs
    with pytest.raises(ValueError, match="to draw by fold, every seat needs its rank in the standings, or none"):
        draw(1, [*seats[:3], Seat("d", rank=1)], seed=3, rules=Rules(method="fold"))


def test_two_locked_byes_are_refused() -> None:
    with pytest.raises(ValueError, match="a bye is locked more than once"):
        draw(1, [Seat(c) for c in "abc"], seed=1, rules=Rules(locked=(("a", None), ("b", None))))


def test_everything_locked_leaves_nothing_to_draw() -> None:
    locked = (("a", "b"), ("c", None))
    result = draw(1, [Seat(c) for c in "abc"], seed=1, rules=Rules(locked=locked))
    assert ({(p.a, p.b) for p in result.pairs} <= {("a", "b"), ("b", "a")}, result.bye) == (True, "c")
