"""The Swiss draw: levels, notes, refusals, lots; draws by hand; tables and scenarios against every placing."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, replace
from itertools import permutations, product
from random import Random

import pytest
import rustworkx

from events.tournament.pairing.assignment import cheapest_assignment
from events.tournament.pairing.explain import certificate_in_words, compared, explain, explain_bye, judged, verdict
from events.tournament.pairing.levels import SOLVER_BITS, cheapest_matching, count_levels, scale_for, with_lots
from events.tournament.pairing.notes import Note, NoteKind
from events.tournament.pairing.seats import PLAIN, Certificate, Levels, Method, Pair, Placement, Rules, Seat
from events.tournament.pairing.swiss import draw
from events.tournament.pairing.tables import (
    Room,
    assign_scenarios,
    count_placement,
    explain_places,
    place_pairs,
)
from events.tournament.pairing.words import sentences

METHODS: tuple[Method, ...] = ("standing", "fold")


def met(seats: Iterable[Seat], *games: str) -> list[Seat]:
    """The seats after these games, each named by two letters."""
    return [replace(s, opponents=tuple(game.replace(s.id, "") for game in games if s.id in game)) for s in seats]


ABC, ABCD = ([Seat(c) for c in letters] for letters in ("abc", "abcd"))
REDS = [Seat(f"p{i}", club=" Reds"[i % 2 :]) for i in range(6)]
DRAWN: tuple[tuple[int, list[Seat], Rules, Levels, set[str]], ...] = (
    (1, [], PLAIN, Levels(), set()),
    (2, [Seat("a", byes=3)], PLAIN, Levels(second_byes=1), {"bye: the only player in the field"}),
    (3, met(ABCD, "bc", "bd", "cd"), PLAIN, Levels(rematches=1),
     {"rematch: no pairing of these 4 players has fewer than 1"}),
    (1, REDS, PLAIN, Levels(kept_apart=3), {"same club: Reds"}),
    (2, REDS, PLAIN, Levels(), set()),
    (2, REDS, Rules("always"), Levels(kept_apart=3), {"same club: Reds"}),
    (1, REDS, Rules("never"), Levels(), set()),
    (1, [Seat("c", club="  "), Seat("d")], PLAIN, Levels(), set()),  # no club is no clash
    (1, [Seat("a", 3, "Reds"), Seat("b", 3, "Reds"), *ABCD[2:]], Rules(keep_apart=(("b", "a"), ("a", "gone"))),
     Levels(kept_apart=1), {"kept apart: these two were to be kept apart", "same club: Reds"}),
    (2, met([Seat("a", 3.5), Seat("b", 3.5), Seat("c", 1), Seat("d", 1)], "ab"), PLAIN, Levels(distance=2),
     {"3.5 against 1 point: on the whole no draw without a rematch is nearer"}),
    (2, met([Seat("a", 6), Seat("b", 3), Seat("c", 0)], "ab"), PLAIN, Levels(bye_height=1, distance=4),
     {"bye: on 3 points, while 1 player on fewer points had none; any other choice forces more rematches",
      "6 against 0 points: an odd number (1) on 6 points or more"}),
    (4, [Seat("a", 6, byes=1), Seat("b", 3, byes=1), Seat("c", 0, byes=2)], PLAIN, Levels(second_byes=1, distance=1),
     {"second bye: every player has had one; lowest group (0 points)",
      "6 against 3 points: an odd number (1) on 6 points or more"}),
    (3, [replace(s, byes=int(s.id == "c")) for s in met(ABC, "ac", "bc")], PLAIN, Levels(second_byes=1),
     {"second bye: had one once before, while 2 players had none; any other choice forces more rematches"}),
)  # fmt: skip
"""Round, field and rules; the costs, and every note."""


def test_levels_and_notes_of_a_draw() -> None:
    for number, seats, rules, levels, notes in DRAWN:
        for seed in range(5):
            drawn = draw(number, seats, seed=seed, rules=rules)
            found = {*sentences([*drawn.notes, *(note for pair in drawn.pairs for note in pair.notes)])}
            assert (drawn.levels, found) == (levels, notes), seats
    spelled = [Seat("a", club="Straße "), Seat("b", club="STRASSE"), Seat("c", club="  "), Seat("d")]
    for seed in range(10):
        met_first = {f"{pair.a}{pair.b}" for pair in draw(1, spelled, seed=seed).pairs}
        assert not met_first & {"ab", "ba"}, "case and blanks do not count"


def ranked(*points: int) -> list[Seat]:
    """Seats "1", "2" ... by their standing, the best first."""
    return [Seat(str(k), points=p, rank=k) for k, p in enumerate(points, start=1)]


def test_groups_are_paired_by_standing_or_fold() -> None:
    expected = ({"1-2", "3-4", "5-6", "7-8"}, {"1-3", "2-4", "5-7", "6-8"})
    for method, pairs in zip(METHODS, expected, strict=True):
        rules = Rules(method=method)
        for seed in range(5):
            found = draw(3, ranked(6, 6, 6, 6, 3, 3, 3, 3), seed=seed, rules=rules).pairs
            assert {f"{min(p.a, p.b)}-{max(p.a, p.b)}" for p in found} == pairs, method
        odd = draw(3, ranked(6, 6, 6, 3, 3, 3), seed=1, rules=rules).pairs
        assert ("3", "4") in {(p.a, p.b) for p in odd}, "the last of an odd group meets the first of the next"
        after_a_game = met(ranked(6, 6, 6, 6), "12", "34")
        assert draw(3, after_a_game, seed=1, rules=rules).levels == Levels(), "no order pays for a rematch"
        assert draw(1, ABCD, seed=3, rules=rules).pairs == draw(1, ABCD, seed=3).pairs, "there is no standing yet"


@pytest.mark.slow
def test_large_group_keeps_its_order_except_for_near_exchanges() -> None:
    for seed, method in enumerate(METHODS):
        dice = Random(seed)
        seats = [Seat(f"p{k:03}", dice.choice([0, 3, 6]), dice.choice("RGB"), rank=k) for k in range(1, 201)]
        rules = Rules("always", method=method)
        result = draw(2, seats, seed=seed, rules=rules)
        place = {s.id: k for k, s in enumerate(sorted(seats, key=lambda s: (-s.points, s.rank)))}
        points = {s.id: s.points for s in seats}
        sizes = Counter(points.values())
        off = [
            abs(abs(place[p.a] - place[p.b]) - (1 if method == "standing" else sizes[points[p.a]] // 2))
            for p in result.pairs
            if points[p.a] == points[p.b]
        ]
        assert result.levels.rematches == result.levels.kept_apart == 0
        assert sum(places <= 12 for places in off) > 0.8 * len(off)
        assert result == draw(2, dice.sample(seats, len(seats)), seed=seed, rules=rules)


def test_impossible_requests_are_refused() -> None:
    for number, seats, rules, message in (
        (0, [], PLAIN, "round 0: rounds are counted from 1"),
        (1, [Seat("a"), Seat("b"), Seat("a")], PLAIN, "two seats have the id 'a'"),
        (1, [Seat("a", points=float("nan"))], PLAIN, "seat 'a': nan is no number of points"),
        (1, [Seat("a", byes=-1)], PLAIN, "seat 'a': byes and pair-downs are counted from 0"),
        (1, [Seat("a", floats=-1)], PLAIN, "seat 'a': byes and pair-downs are counted from 0"),
        (1, [Seat("a", opponents=("a",))], PLAIN, "seat 'a' stands among its own opponents"),
        (1, [Seat("a")], Rules(keep_apart=(("b", "b"),)), "'b' cannot be kept apart from itself"),
        (1, ABCD, Rules(locked=(("a", "z"),)), "'z' is in a locked pair but has no seat"),
        (1, ABCD, Rules(locked=(("a", "b"), ("b", "c"))), "'b' is locked more than once"),
        (1, ABCD, Rules(locked=(("a", None),)), "a bye is locked although the field is even"),
        (1, ABC, Rules(locked=(("a", None), ("b", None))), "a bye is locked more than once"),
        (1, [*ABC, Seat("d", rank=1)], Rules(method="fold"),
         "to draw by fold, every seat needs its rank in the standings, or none"),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=r".") as refused:
            draw(number, seats, seed=1, rules=rules)
        assert str(refused.value) == message
    for pairs, bye, message in (
        ([Pair("a", "z")], None, "'z' is paired but has no seat"),
        ([Pair("a", "b")], "a", "'a' is placed more than once"),
    ):
        with pytest.raises(ValueError, match=message):
            count_levels(1, ABCD[:2], pairs, bye)
    with pytest.raises(ValueError, match="60000 players on 60000 scores are too many to be drawn exactly"):
        scale_for([Seat(str(i), points=i) for i in range(60_000)], PLAIN)


def test_published_draws_can_be_drawn_again_by_later_versions() -> None:
    """If this fails, ``ALGORITHM`` needs a new number."""
    result = draw(1, [Seat(c) for c in "abcdefg"], seed=2026)
    assert result.algorithm == "overseer-swiss/2"
    assert [(pair.a, pair.b) for pair in result.pairs] == [("b", "a"), ("f", "c"), ("e", "g")]
    assert result.bye == "d"
    large = draw(1, [Seat(f"{k:03}") for k in range(131)], seed=2026)
    assert [(pair.a, pair.b) for pair in large.pairs[:3]] == [("091", "121"), ("124", "028"), ("100", "040")]
    assert large.bye == "031"


def test_no_level_can_outweigh_the_one_above_it() -> None:
    methods: tuple[Method, ...] = ("random", "fold")
    for players in (1, 2, 3, 10, 511, 2048):
        for every in (1, 3, 10**6):
            for method in methods:
                rules = Rules(method=method, off=("bye_height",), banned=("kept_apart", "distance"))
                scale = scale_for([Seat(f"p{i}", points=i // every) for i in range(players)], rules)
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
                    assert unit > below, (players, every, method, level)
                    below += unit * most[level]
                assert below < 2**SOLVER_BITS
                assert scale.lot_bits >= 10
                costs = dict.fromkeys(product((0,), range(1, 100)), 0)
                lots = with_lots(costs, scale, (2026, "edges", 1))
                assert max(lots.values()).bit_length() == scale.lot_bits


def test_the_solver_is_exact_up_to_its_limit_and_refuses_more() -> None:
    assert cheapest_matching(2, {(0, 1): 2**SOLVER_BITS - 1}) == [(0, 1)]
    with pytest.raises(OverflowError, match="121 bits"):
        cheapest_matching(2, {(0, 1): 2**SOLVER_BITS})
    high = 2**SOLVER_BITS - 2
    costs = {(0, 1): high, (2, 3): 0, (0, 2): high - 1, (1, 3): 2, (0, 3): high, (1, 2): 1}
    assert cheapest_matching(4, costs) == [(0, 1), (2, 3)]
    assert cheapest_matching(4, costs | {(0, 2): high - 3}) == [(0, 2), (1, 3)]


def levels(**counts: int) -> dict[str, int]:
    return asdict(Levels()) | counts


def test_the_first_level_that_differs_decides() -> None:
    costs = compared(levels(distance=4), levels(distance=4))
    assert (judged(costs), {cost.difference for cost in costs}) == ("same", {"="})
    assert verdict(costs) == "As good as the best draw."
    costs = compared(levels(rematches=2, distance=1), levels(rematches=1, distance=3))
    assert judged(costs) == "worse"
    assert [(c.level.key, c.difference, c.judged) for c in costs if c.judged != "same"] == [
        ("rematches", "+1", "worse"), ("distance", "\N{MINUS SIGN}2", "better"),
    ]  # fmt: skip
    assert verdict(costs) == (
        "Worse than the best draw: 1 more rematch. 2 fewer steps apart in points, which counts less."
    )
    other = compared(levels(rematches=1, distance=3), levels(rematches=2, distance=1))
    assert judged(other) == "better"
    assert verdict(other, "the draft").startswith("Better than the draft: 1 fewer rematch.")
    assert verdict(compared(levels(bye_height=2), levels())) == ("Worse than the best draw: the bye 2 groups higher.")
    moved = compared(levels() | {"table_steps": 12}, levels() | {"table_steps": 0})
    assert verdict(moved) == (
        "As good as the best draw except for tables and scenarios: pairs sit further from the order of the tables."
    )
    again, steps = levels() | {"table_repeats": 1, "table_steps": 0}, levels() | {"table_repeats": 0, "table_steps": 2}
    assert (judged(compared(again, steps)), judged(compared(again, steps, vary=False))) == ("worse", "better")


def test_levels_that_are_off_are_ignored_and_banned_ones_come_first() -> None:
    here, there = levels(rematches=1), levels(kept_apart=1)
    assert judged(compared(here, there)) == "worse"
    assert judged(compared(here, there, Rules(off=("rematches",)))) == "better"
    banned = compared(here, there, Rules(banned=("kept_apart",)))
    assert (judged(banned), banned[0].level.key) == ("better", "kept_apart")
    assert "best pairing found" in certificate_in_words(Certificate(False, "best found within window 30"))
    costs = compared(levels() | {"table_repeats": 2, "fixed": 1}, levels(kept_apart=1) | {"table_repeats": 0})
    assert (costs[-1].level.key, costs[-1].difference, judged(costs)) == ("table_repeats", "+2", "better")


SEATS = [
    Seat("a", 6, "Reds", floats=2, opponents=("c",)),
    Seat("b", 6, "reds "),
    Seat("c", 3.5),
    Seat("d", 3.5, byes=1),
    Seat("e", 1),
]


def test_manual_pair_names_its_faults_and_claims_no_proof() -> None:
    pairs, notes = explain(1, SEATS, [Pair("a", "c"), Pair("b", "e", (Note(NoteKind.LOCKED),))], "d")
    assert sentences(pairs[0].notes) == (
        "rematch: these two were paired before",
        "6 against 3.5 points",
        "repeat pair-down: the higher player was paired down twice before",
    )
    assert sentences(pairs[1].notes) == ("6 against 1 point",)
    assert sentences(notes) == ("second bye: had one once before, while 4 players had none",)
    odd_group = [Seat("a", 3), Seat("b", 3), Seat("c", 3), Seat("d", 1)]
    pairs, notes = explain(2, odd_group, [Pair("a", "b"), Pair("d", "c")], None)
    assert sentences(pairs[1].notes) == ("3 against 1 point: an odd number (3) on 3 points or more",)
    assert notes == ()


def test_manual_bye_is_explained() -> None:
    all_had_one = [Seat("a", 6, byes=1), Seat("b", 3, byes=3), Seat("c", 0, byes=1)]
    for seats, bye, words in (
        (SEATS, "e", "bye: lowest group without an earlier bye (1 point)"),
        (SEATS, "c", "bye: on 3.5 points, while 1 player on fewer points had none"),
        (SEATS, "d", "second bye: had one once before, while 4 players had none"),
        (all_had_one, "a", "second bye: on 6 points, while 2 players on fewer points had one too"),
        (all_had_one, "c", "second bye: every player has had one; lowest group (0 points)"),
    ):
        assert sentences([explain_bye(seats, bye)]) == (words,)


POOL = ("attack", "brawl", "chase", "dig")


def case(seed: int) -> tuple[list[Pair], list[Seat], Room]:
    """Up to 5 pairs on up to 6 tables, with everything that moves a placing, likely or not."""
    dice = Random(seed)
    tables = dice.sample(range(1, 9), dice.randint(1, 6))
    games = dice.randint(1, min(5, len(tables)))
    rounds, fixed = dice.randrange(5), dice.choice([0, 0.2, 0.6])
    pool = dice.sample(POOL, dice.randint(1, 4))
    seats = [
        Seat(
            f"p{i}",
            tables=tuple(dice.choices([*tables, 99], k=rounds)),
            scenarios=tuple(dice.choices([*pool, "gone"], k=rounds)),
            fixed_table=dice.randint(1, 8) if dice.random() < fixed else None,
        )
        for i in range(2 * games)
    ]
    pairs = [Pair(f"p{2 * i}", f"p{2 * i + 1}") for i in range(games)]
    dice.shuffle(seats)
    return pairs, seats, Room(tuple(tables), dice.random() < 0.7, tuple(pool), dice.random() < 0.7)


def text(seed: int, *names: str | int) -> bytes:
    written = (str(name) if isinstance(name, int) else f'"{name}"' for name in (seed, *names))
    return f"[{','.join(written)}]".encode()


def grid(rows: int, columns: int, seed: int, what: str) -> list[list[int]]:
    data = hashlib.shake_256(text(seed, "overseer-room/1", 3, what)).digest(4 * rows * columns)
    words = [int.from_bytes(data[4 * k : 4 * k + 4], "big") for k in range(rows * columns)]
    return [words[row * columns : (row + 1) * columns] for row in range(rows)]


def table_cost(pairs: Sequence[Pair], seats: Sequence[Seat], room: Room, seed: int) -> Callable[..., tuple[int, ...]]:
    by_id = {seat.id: seat for seat in seats}
    drawn = {t: hashlib.sha256(text(seed, "overseer-room/1", 3, "table", t)).hexdigest()[:16] for t in room.tables}
    order = list(room.tables) if room.top_first else sorted(room.tables, key=lambda t: drawn[t])
    lots = grid(len(pairs), len(order), seed, "tables")

    def cost(tables: Sequence[int]) -> tuple[int, ...]:
        sat = [(by_id[p], t) for pair, t in zip(pairs, tables, strict=True) for p in (pair.a, pair.b)]
        again = sum(seat.tables.count(table) for seat, table in sat if seat.fixed_table != table)
        steps = sum((order.index(table) - place) ** 2 for place, table in enumerate(tables))
        return (
            sum(seat.fixed_table not in (None, table) for seat, table in sat),
            *((again, steps) if room.vary else (steps, again)),
            sum(lots[place][order.index(table)] for place, table in enumerate(tables)),
        )

    return cost


def scenario_cost(
    pairs: Sequence[Pair], seats: Sequence[Seat], room: Room, seed: int
) -> Callable[..., tuple[int, ...]]:
    by_id = {seat.id: seat for seat in seats}
    names = sorted(room.scenarios)
    lots = grid(len(pairs), len(names), seed, "scenarios")
    again = [
        {name: (by_id[pair.a].scenarios + by_id[pair.b].scenarios).count(name) for name in names} for pair in pairs
    ]

    def cost(scenarios: Sequence[str]) -> tuple[int, ...]:
        return (
            sum(again[place][name] for place, name in enumerate(scenarios)),
            sum(uses**2 for uses in Counter(scenarios).values()),
            sum(lots[place][names.index(name)] for place, name in enumerate(scenarios)),
        )

    return cost


@pytest.mark.slow
def test_placing_of_tables_is_the_best_and_lots_choose_among_equals() -> None:
    for seed in range(120):
        pairs, seats, room = case(seed)
        found, placement = place_pairs(pairs, seats, room, seed=seed, round_number=3)
        tables, scenarios = tuple(p.table for p in found), tuple(p.scenario for p in found)
        at, of = table_cost(pairs, seats, room, seed), scenario_cost(pairs, seats, room, seed)
        assert tables == min(permutations(room.tables, len(pairs)), key=at), seed
        assert scenarios == min(product(room.scenarios, repeat=len(pairs)), key=of), seed
        again, steps = placement.table_repeats, placement.table_steps
        middle = (again, steps) if room.vary else (steps, again)
        counted = (placement.fixed_missed, *middle, placement.scenario_repeats)
        assert counted == (*at(tables)[:3], of(scenarios)[0]), seed


def test_placing_among_equals_has_the_lowest_lots() -> None:
    """Seeds found by search: from the first even choice only a further move has the least lots."""
    for seed in (156, 439, 827):
        dice = Random(seed)
        pool = POOL[: dice.randint(3, 4)]
        games = dice.randint(4, 7)
        seats = [Seat(f"p{i}", scenarios=tuple(s for s in pool if dice.random() < 0.35)) for i in range(2 * games)]
        pairs = [Pair(f"p{2 * i}", f"p{2 * i + 1}") for i in range(games)]
        of = scenario_cost(pairs, seats, Room(scenarios=pool), seed)
        found, _ = place_pairs(pairs, seats, Room(scenarios=pool), seed=seed, round_number=3)
        assert tuple(p.scenario for p in found) == min(product(pool, repeat=games), key=of), seed


def test_levels_too_large_for_one_number_are_settled_in_turn() -> None:
    for seed in range(60):
        dice = Random(seed)
        rows, columns = dice.randint(2, 4), dice.randint(4, 5)
        layers = [
            [dice.choices(worths, k=columns) for _ in range(rows)]
            for worths in ([0, 1, 2**20], [0, 2**14, 2**22], [0, 5, 5, 2**18])
        ]
        lots = [[dice.getrandbits(32) for _ in range(columns)] for _ in range(rows)]
        costs = {
            chosen: tuple(sum(layer[row][column] for row, column in enumerate(chosen)) for layer in layers)
            for chosen in permutations(range(columns), rows)
        }
        assert costs[tuple(cheapest_assignment(layers, lots))] == min(costs.values()), seed


def test_assignment_costs_the_same_as_a_matching_by_another_solver() -> None:
    for seed in range(150):
        dice = Random(seed)
        rows = dice.randint(1, 12)
        columns = dice.randint(rows, 16)
        costs = [[dice.randrange(dice.choice((2, 40, 2**40))) for _ in range(columns)] for _ in range(rows)]
        graph = rustworkx.PyGraph[None, int](multigraph=False)
        graph.add_nodes_from([None] * (rows + columns))
        graph.add_edges_from([(row, rows + at, cost) for row, line in enumerate(costs) for at, cost in enumerate(line)])
        matched = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=lambda cost: 2**41 - cost)
        chosen = cheapest_assignment([costs], [[0] * columns] * rows)
        assert len(set(chosen)) == rows
        best = sum(costs[min(two)][max(two) - rows] for two in matched)
        assert sum(line[at] for line, at in zip(costs, chosen, strict=True)) == best, seed


TWO = (Pair("a", "b"), Pair("c", "d"))
THREE = (*TWO, Pair("e", "f"))


def seats(**changed: Seat) -> list[Seat]:
    return [changed.get(c, Seat(c)) for c in "abcdef"]


ONE_AGAIN = "table again: one of the two sat at table"
PLACED: tuple[tuple[Sequence[Pair], list[Seat], Sequence[int], list[int], Placement, list[str]], ...] = (
    (TWO[:1], [Seat("a", tables=(1, 2, 1)), Seat("b", tables=(1,))], [1, 2], [2],
     Placement(table_repeats=1, table_steps=1), [f"{ONE_AGAIN} 2 before; no placing has fewer repeats"]),
    (THREE, seats(c=Seat("c", tables=(3, 3), fixed_table=3), d=Seat("d", tables=(3, 3))), [1, 2, 3], [1, 3, 2],
     Placement(table_repeats=2, table_steps=2),
     ["", f"{ONE_AGAIN} 3 twice before; no placing has fewer repeats and keeps the fixed tables", ""]),
    (TWO[:1], [Seat("a", tables=(2, 2), fixed_table=2), Seat("b")], [1, 2], [2], Placement(table_steps=1), [""]),
    (TWO[:1], [Seat("a", fixed_table=30), Seat("b")], range(1, 31), [30], Placement(table_steps=29**2), [""]),
    (THREE, seats(a=Seat("a", fixed_table=2), b=Seat("b", fixed_table=3, tables=(2,))), [1, 2, 3], [3, 1, 2],
     Placement(fixed_missed=1, table_steps=6), ["fixed table 2 not kept: the opponent's table 3 is", "", ""]),
    (THREE, seats(a=Seat("a", fixed_table=2), d=Seat("d", fixed_table=2)), [1, 2, 3], [1, 2, 3],
     Placement(fixed_missed=1), ["fixed table 2 not kept: another pair sits there", "", ""]),
    (THREE, seats(c=Seat("c", fixed_table=2)), [1, 3, 4], [1, 3, 4],
     Placement(fixed_missed=1), ["", "fixed table 2 not kept: it is not among the tables in order", ""]),
)  # fmt: skip
"""Pairs, seats and tables; each pair's table, the costs, and each pair's note."""


def test_fixed_tables_come_before_repeats_and_notes_say_why() -> None:
    for pairs, field, tables, expected, cost, notes in PLACED:
        found, placement = place_pairs(pairs, field, Room(tuple(tables)), seed=1, round_number=2)
        assert ([pair.table for pair in found], placement) == (expected, cost)
        assert ["".join(sentences(pair.notes)) for pair in found] == notes
    again = [Seat("a", tables=(1,)), Seat("b")]
    found, _ = place_pairs([Pair("a", "b", (Note(NoteKind.REMATCH),))], again, Room((1,)), seed=1, round_number=2)
    kinds = [note.kind for note in found[0].notes]
    assert kinds == [NoteKind.REMATCH, NoteKind.TABLE_AGAIN], "notes of the draw first"


def test_pairs_stay_in_the_order_of_tables_where_the_event_wants_it() -> None:
    field = seats(a=Seat("a", tables=(1,)))
    for vary, tables, again, note in (
        (True, [2, 1, 3], 0, ()),
        (False, [1, 2, 3], 1, (f"{ONE_AGAIN} 1 before; the order of tables comes first here",)),
    ):
        found, placement = place_pairs(THREE, field, Room((1, 2, 3), vary=vary), seed=1, round_number=2)
        assert ([pair.table for pair in found], placement.table_repeats) == (tables, again)
        assert sentences(found[0].notes) == note


def test_tables_set_by_hand_are_counted_and_explained() -> None:
    field = seats(a=Seat("a", tables=(9, 9)), b=Seat("b", tables=(9,)), c=Seat("c", fixed_table=1))
    hand = [Pair("a", "b", table=9), Pair("c", "d", table=2), Pair("e", "f", table=1)]
    assert count_placement(hand, field, (1, 2, 3)) == Placement(1, 3, (3 - 0) ** 2 + 0 + (0 - 2) ** 2, 0)
    assert [sentences(place) for place in explain_places(hand, field, (1, 2, 3))] == [
        ("table again: both sat at table 9 twice before",),
        ("fixed table 1 not kept: another pair sits there",),
        (),
    ]


def test_the_least_played_scenario_is_repeated_with_a_note() -> None:
    field = [Seat("a", scenarios=("x", "y", "x")), Seat("b", scenarios=("x", "y"))]
    found, placement = place_pairs(TWO[:1], field, Room((4,), True, ("x", "y")), seed=1, round_number=4)
    assert (found[0].scenario, placement.scenario_repeats) == ("y", 2)
    text = "scenario again: both played it before; no scenario of the pool was played less by these two"
    assert sentences(found[0].notes) == (text,)


def test_too_few_repeated_and_too_many_places_are_refused() -> None:
    for tables, words in (([5], "2 pairs need as many tables, and only 1 are given"), ([5, 6, 5], "listed twice")):
        with pytest.raises(ValueError, match=words):
            place_pairs(TWO, seats(), Room(tuple(tables)), seed=1, round_number=2)
    for pool in ((), ("x", "x"), tuple(f"s{k}" for k in range(201))):
        with pytest.raises(ValueError, match="a pool without repeats"):
            assign_scenarios(THREE, seats(), pool, seed=1, round_number=1)
    assert assign_scenarios([], [], ("x",), seed=1, round_number=1) == ([], 0)
    assert cheapest_assignment([[[0, 0]]], [[1, 0]]) == [1], "every bit of a lot counts"
