"""The draw against oracles: every matching there is, networkx, and the complete graph for large fields."""

import hashlib
from collections.abc import Iterator
from dataclasses import astuple, replace
from itertools import combinations
from random import Random

import networkx
import pytest

from events.tournament.figures import Entrant, Result, Scheme
from events.tournament.pairing import swiss
from events.tournament.pairing.groups import pair_by_groups
from events.tournament.pairing.levels import Field as PreparedField
from events.tournament.pairing.levels import Scale, count_levels, edge, field_of, scale_for
from events.tournament.pairing.notes import NoteKind
from events.tournament.pairing.seats import LEVELS, Levels, Pair, Rules, Seat
from events.tournament.pairing.swiss import ALGORITHM, BOUND, WINDOW, checked_field, complete, draw, levels_cost
from events.tournament.records import seats_from
from tests.kit.fields import Field, random_field
from tests.kit.profiles import full_run

pytestmark = pytest.mark.slow

Vector = tuple[int, ...]
Couple = frozenset[str | None]
"""Two players; or a player and None, for the bye."""


def vectors(field: Field) -> dict[Couple, Vector]:
    """What each possible pair and each possible bye adds to the levels, written from the table in the docs."""
    groups = sorted({s.points for s in field.seats})
    apart = [set(two) for two in field.rules.keep_apart]
    clubs = {"always": True, "never": False, "first_round": field.round_number == 1}[field.rules.avoid_clubs]
    found: dict[Couple, Vector] = {}
    for a_seat, two in combinations(field.seats, 2):
        low, high = sorted((a_seat, two), key=lambda s: float(s.points))
        step = groups.index(high.points) - groups.index(low.points)
        mates = clubs and a_seat.club.strip() and a_seat.club.strip().lower() == two.club.strip().lower()
        found[frozenset((a_seat.id, two.id))] = (
            int(two.id in a_seat.opponents or a_seat.id in two.opponents),
            0,
            0,
            step * step,
            int(step > 0 and high.floats > 0),
            int(bool(mates) or {a_seat.id, two.id} in apart),
        )
    if len(field.seats) % 2:
        for seat in field.seats:
            found[frozenset((seat.id, None))] = (0, int(seat.byes > 0), groups.index(seat.points), 0, 0, 0)
    return found


def every_round(ids: list[str]) -> list[list[Couple]]:
    """All ways to pair these players, with a bye for an odd number."""
    if not ids:
        return [[]]
    first, *others = ids
    byes: list[str | None] = [None] if len(ids) % 2 else []
    return [
        [frozenset((first, other)), *rest]
        for other in [*others, *byes]
        for rest in every_round([id_ for id_ in others if id_ != other])
    ]


def couples(pairs: tuple[Pair, ...], bye: str | None) -> list[Couple]:
    return [frozenset((p.a, p.b)) for p in pairs] + [frozenset((bye, None))] * (bye is not None)


def check(field: Field, seed: int) -> None:
    """The draw is the best of all, under the field's rules."""
    cost, rules = vectors(field), field.rules
    order = [LEVELS.index(x) for x in LEVELS if x in rules.banned and x not in rules.off]
    order += [LEVELS.index(x) for x in LEVELS if x not in (*rules.banned, *rules.off)]
    locked = {frozenset(pair) for pair in rules.locked}
    possible = [row for row in every_round([s.id for s in field.seats]) if locked <= set(row)]
    best = min(tuple(sum(cost[two][k] for two in row) for k in order) for row in possible)
    result = draw(field.round_number, field.seats, seed=seed, rules=rules)
    found = couples(result.pairs, result.bye)
    assert sorted(id_ for two in found for id_ in two if id_) == sorted(seat.id for seat in field.seats), seed
    assert locked <= set(found), seed
    levels = Levels(*(sum(cost[two][k] for two in found) for k in range(6)))
    assert result.levels == levels, seed
    assert count_levels(field.round_number, field.seats, result.pairs, result.bye, rules) == levels, seed
    assert tuple(astuple(levels)[k] for k in order) == best, seed


def with_levels_off_and_banned(rules: Rules, dice: Random) -> Rules:
    off, banned = (tuple(dice.sample(LEVELS, dice.randrange(3))) for _ in range(2))
    return replace(rules, off=off, banned=banned)


def switched(rules: Rules, ids: list[str], dice: Random) -> Rules:
    """The rules with levels off and banned, a locked pair, and a locked bye of an odd field, each likely or not."""
    rules = with_levels_off_and_banned(rules, dice)
    locked: tuple[tuple[str, str | None], ...] = ()
    if dice.random() < 0.5:
        text, other = dice.sample(ids, 2)
        locked = ((text, other),)
    if len(ids) % 2 and dice.random() < 0.5:
        locked += ((dice.choice([id_ for id_ in ids if all(id_ not in pair for pair in locked)]), None),)
    return replace(rules, locked=locked)


@pytest.mark.parametrize("seeds", full_run([range(300), range(300, 1000)], [range(300)]), ids=str)
def test_no_pairing_of_up_to_ten_players_has_better_levels(seeds: range) -> None:
    for seed in seeds:
        field = random_field(seed, *((1, 8) if seed % 6 else (9, 10)))
        check(field, seed)
        if 2 <= len(field.seats) <= 8 and seed % 2:
            check(replace(field, rules=switched(field.rules, [s.id for s in field.seats], Random(seed))), seed)


def words(text: str, count: int) -> list[int]:
    data = hashlib.shake_256(text.encode()).digest(4 * count)
    return [int.from_bytes(data[k : k + 4], "big") for k in range(0, 4 * count, 4)]


@pytest.mark.parametrize("seeds", full_run([range(1000, 1060), range(1060, 1400)], [range(1000, 1060)]), ids=str)
def test_documented_algorithm_gives_the_same_draw_for_up_to_60_players(seeds: range) -> None:
    """With networkx: the levels, then the lots, far enough apart in one number."""
    for seed in seeds:
        field = random_field(seed, 2, 60 if seed % 2 else 20)
        cost, ids = vectors(field), sorted(s.id for s in field.seats)
        edges: list[Couple] = [frozenset(two) for two in combinations(ids, 2)]
        edges += [e for id_ in ids if (e := frozenset((id_, None))) in cost]
        graph = networkx.Graph()
        start = f'[{seed},"overseer-swiss/2",{field.round_number}'
        for two, lot in zip(edges, words(f"{start}]", len(edges)), strict=True):
            levels = sum(figure * 10 ** (6 * (5 - k)) for k, figure in enumerate(cost[two]))
            graph.add_edge(*(id_ or "" for id_ in two), weight=levels * 10**12 + lot)
        best = {frozenset(id_ or None for id_ in edge) for edge in networkx.min_weight_matching(graph)}
        result = draw(field.round_number, field.seats, seed=seed, rules=field.rules)
        assert set(couples(result.pairs, result.bye)) == best, seed
        points = {s.id: s.points for s in field.seats}
        for pair in result.pairs:
            low, high = sorted((pair.a, pair.b))
            odd = hashlib.sha256(f'{start},"{low}","{high}"]'.encode()).digest()[7] % 2
            if points[low] == points[high]:
                assert (pair.a, pair.b) == ((high, low) if odd else (low, high)), seed
            else:
                assert points[pair.a] > points[pair.b], seed
        heights = [(points[pair.a], points[pair.b]) for pair in result.pairs]
        assert heights == sorted(heights, reverse=True), f"{seed}: pairs come from the top"


def prepared(round_number: int, seats: tuple[Seat, ...], rules: Rules) -> tuple[PreparedField, Scale]:
    everyone = checked_field(round_number, seats, rules)
    return field_of(round_number, everyone, rules), scale_for(everyone, rules)


def is_proven(number: int, seats: tuple[Seat, ...], rules: Rules, seed: int, broad_from: int) -> bool:
    """Whether the groups prove their draw best; the complete graph then costs the same, and never less than a bound."""
    field, scale = prepared(number, seats, rules)
    source = (seed, ALGORITHM, number)
    odd = len(field.seats) % 2
    best = levels_cost(field, scale, rules, complete(field, scale, rules, source))
    grouped = pair_by_groups(field, scale, rules, source, broad_from)
    if grouped is None:
        return False
    assert odd or grouped.bound <= best, seed
    if not grouped.pairs:
        return False
    chosen = [edge(i, j) for i, j in grouped.pairs]
    chosen += [] if grouped.bye is None else [(grouped.bye, len(field.seats))]
    assert sorted(i for two in chosen for i in two) == list(range(len(field.seats) + odd)), seed
    cost = levels_cost(field, scale, rules, chosen)
    assert cost != grouped.bound or cost == best, seed
    return cost == grouped.bound


@pytest.mark.parametrize("seeds", full_run([range(200), range(200, 1000)], [range(200)]), ids=str)
def test_the_bound_never_exceeds_the_best_cost_and_a_draw_that_meets_it_is_best(seeds: range) -> None:
    """Small, odd and crowded fields, cut as large ones are: groups of two and more count as broad."""
    proven = 0
    for seed in seeds:
        field, dice = random_field(seed, 6, 40), Random(seed)
        rules = with_levels_off_and_banned(field.rules, dice) if dice.random() < 0.4 else field.rules
        proven += is_proven(field.round_number, field.seats, rules, seed, 2 + seed % 4)
    assert proven > 0.4 * len(seeds), "the bound became looser"


@pytest.mark.parametrize("seeds", full_run([range(100), range(100, 600)], [range(100)]), ids=str)
def test_narrow_groups_between_broad_ones_are_nearly_always_proven(seeds: range) -> None:
    """Broad groups of 6 to 9 with runs of up to 4 narrow ones, few rematches: nearly every field has to be proven."""
    proven = 0
    for seed in seeds:
        dice = Random(seed)
        sizes = [
            size
            for _ in range(3)
            for size in (*(dice.randint(1, 2) for _ in range(dice.randrange(5))), dice.randint(6, 9))
        ]
        if dice.random() < 0.3:
            dice.shuffle(sizes)
        ids = [f"p{k}" for k in range(sum(sizes))]
        points = [3 * group for group, size in enumerate(sizes) for _ in range(size)]
        seats = tuple(
            Seat(
                id_,
                score,
                dice.choice(["Reds", "Reds", "Blues", ""]),
                byes=dice.choice([0, 0, 1]),
                floats=dice.choice([0, 0, 0, 1]),
                opponents=tuple(o for o in ids if o != id_ and dice.random() < 0.03),
            )
            for id_, score in zip(ids, points, strict=True)
        )
        proven += is_proven(4, seats, Rules("always"), seed, 6)
    assert proven > 0.89 * len(seeds), "the bound became looser"


def rounds(players: int, seed: int, last: int) -> Iterator[tuple[int, list[Seat]]]:
    """The seats of rounds 1 to ``last`` of an event with large clubs and drops, drawn by the draw under test."""
    dice = Random(seed)
    clubs = dice.choices(["Reds", "Blues", "Greens", ""], weights=[4, 3, 2, 1], k=players)
    people = [Entrant(f"p{k:04}", f"P{k}", club) for k, club in enumerate(clubs)]
    results: list[Result] = []
    for number in range(1, last + 1):
        seats = seats_from(results, people, Scheme(), number)
        yield number, seats
        drawn = draw(number, seats, seed=seed, rules=Rules("always"))
        results += [Result(number, p.a, p.b, dice.randint(0, 15), dice.randint(0, 15)) for p in drawn.pairs]
        results += [] if drawn.bye is None else [Result(number, drawn.bye, None)]
        people = [
            replace(p, dropped_after=number) if p.dropped_after is None and dice.random() < 0.05 else p for p in people
        ]


def test_large_field_costs_the_same_as_its_complete_graph_in_any_seat_order() -> None:
    rules = Rules("always")
    by_bound = 0
    for players, seed in ((161, 0), (180, 1)):
        for number, seats in rounds(players, seed, 5):
            result = draw(number, seats, seed=seed, rules=rules)
            field, scale = prepared(number, tuple(seats), rules)
            best = complete(field, scale, rules, (seed, ALGORITHM, number))
            assert result.certificate.proven, (seed, number)
            assert scale.cost(result.levels) == levels_cost(field, scale, rules, best), (seed, number)
            by_bound += result.certificate.by == BOUND
            assert draw(number, Random(number).sample(seats, len(seats)), seed=seed, rules=rules) == result
    assert by_bound >= 4


def broad_field(top: list[Seat], *, fresh: bool = True) -> list[Seat]:
    """These seats above a broad group that makes the field odd, too large for the complete graph at once."""
    count = 160 + (len(top) + 1) % 2
    return top + [Seat(f"q{k:03}", 3, byes=not fresh) for k in range(count)]


def assert_proven(seats: list[Seat], levels: Levels) -> None:
    """Proven by a bound, with these levels, at the costs of the complete graph."""
    result = draw(4, seats, seed=1)
    field, scale = prepared(4, tuple(seats), Rules())
    best = levels_cost(field, scale, Rules(), complete(field, scale, Rules(), (1, ALGORITHM, 4)))
    assert result.certificate.by == BOUND
    assert (result.levels, scale.cost(levels)) == (levels, best)


def test_narrow_group_of_players_who_have_all_met_is_paired_down_completely() -> None:
    """Ten players: more than the few stand-ins that are tried first."""
    ids = [f"p{k}" for k in range(10)]
    top = [Seat(id_, 9, opponents=tuple(o for o in ids if o != id_)) for id_ in ids]
    assert_proven(broad_field(top), Levels(distance=10))


def test_pair_across_several_groups_costs_the_whole_distance() -> None:
    """Thirteen stand above one player, who has the bye: one of them has to play two groups below."""
    top = [Seat(f"p{k:02}", 9, byes=1) for k in range(13)] + [Seat("alone", 6)]
    assert_proven(broad_field(top, fresh=False), Levels(bye_height=1, distance=4))


def test_large_field_without_a_proof_is_not_called_proven() -> None:
    """With every player on a different score there is no broad group to build a bound on."""
    seats = [Seat(f"p{k:03}", points=k, byes=k % 2, floats=1) for k in range(520)]
    result = draw(3, seats, seed=1)
    assert not result.certificate.proven
    assert result.certificate.by == WINDOW and str(swiss.NEIGHBOURS) in WINDOW
    assert len(result.pairs) == 260
    assert not any(note.kind == NoteKind.REMATCH_NEEDED for pair in result.pairs for note in pair.notes)


def test_chance_is_fair_in_a_large_group() -> None:
    """In a first round of 140, every pair is about equally likely."""
    seats = [Seat(f"p{k:03}") for k in range(140)]
    met = {frozenset((p.a, p.b)) for seed in range(200) for p in draw(1, seats, seed=seed).pairs}
    possible = 140 * 139 // 2
    expected = possible * (1 - (1 - 1 / 139) ** 200)
    assert abs(len(met) - expected) < 0.02 * possible
