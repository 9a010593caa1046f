"""The time for standings. Run: ``python benchmarks/standings.py [RUNS]``, from the checkout.

A seeded event of 1,000 players over 8 rounds: pairs and results are random, players drop and enter late, an odd field
has a bye. Timed are the standings with the arithmetic of every figure, by the default tie-breaks and by all tie-breaks,
and the seats of the next round.
"""

import sys
from collections.abc import Callable, Sequence
from random import Random
from statistics import median
from time import perf_counter, process_time

from events.tournament.figures import Entrant, Result, Scheme
from events.tournament.ranking import standings
from events.tournament.records import seats_from
from events.tournament.tie_breaks import TIE_BREAKS

PLAYERS, ROUNDS = 1000, 8


def event(seed: int, players: int = PLAYERS, rounds: int = ROUNDS) -> tuple[list[Result], list[Entrant]]:
    """The results of an event, and its players."""
    dice = Random(seed)
    people = [
        Entrant(
            f"p{n}",
            f"Player {n}",
            f"Club {n % 40}",
            bonus=dice.choice([0, 0, 1]),
            dropped_after=dice.randint(1, rounds) if dice.random() < 0.2 else None,
            entered_round=2 if dice.random() < 0.02 else 1,
        )
        for n in range(players)
    ]
    results = []
    for number in range(1, rounds + 1):
        here = [
            p.id for p in people if p.entered_round <= number and (p.dropped_after is None or p.dropped_after >= number)
        ]
        dice.shuffle(here)
        if len(here) % 2:
            results.append(Result(number, here.pop(), None))
        for table, (a, b) in enumerate(zip(here[::2], here[1::2], strict=True), start=1):
            results.append(Result(number, a, b, dice.randint(0, 15), dice.randint(0, 15), table))
    return results, people


def timed(work: Callable[[], object], runs: int) -> tuple[Sequence[float], Sequence[float]]:
    """Wall-clock and processor seconds of each run; other work on the machine changes the second less."""
    wall, processor = [], []
    for _ in range(runs):
        start, worked = perf_counter(), process_time()
        work()
        wall.append(perf_counter() - start)
        processor.append(process_time() - worked)
    return wall, processor


def main(runs: int) -> None:
    results, people = event(1)
    every = Scheme(seed=1, tie_breaks=tuple(TIE_BREAKS))
    print(f"{PLAYERS} players, {ROUNDS} rounds, {len(results)} results, {runs} runs, milliseconds")
    print(f"{'':40}{'median':>10}{'most':>10}{'processor, median':>20}")
    for name, work in (
        ("standings, " + ", ".join(Scheme().tie_breaks), lambda: standings(results, people, Scheme(seed=1))),
        (f"standings, all {len(every.tie_breaks)} tie-breaks", lambda: standings(results, people, every)),
        ("seats of the next round", lambda: seats_from(results, people, Scheme(), ROUNDS + 1)),
    ):
        wall, processor = timed(work, runs)
        print(f"{name:40}{median(wall) * 1000:>10.1f}{max(wall) * 1000:>10.1f}{median(processor) * 1000:>20.1f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20)
