"""How long a draw and the standings take. Run: ``python benchmarks/pairing.py [EVENTS]``, from the checkout.

Every event is played from its seed: nine tenths of the players in three clubs, 5 % dropping after each round,
results by dice, and the draw under test pairs every round. Rounds 2 to 5 are timed; the last columns sum up
what those draws cost, so that a fast but bad draw could not hide.
"""

import sys
from random import Random
from statistics import median
from time import perf_counter

from events.pairing.results import Entrant, Result, Scheme, seats_from
from events.pairing.rules import Rules
from events.pairing.standings import standings
from events.pairing.swiss import draw

ROUNDS = 5
SIZES = (16, 32, 64, 128, 256, 512)


def entrants(count: int, dice: Random) -> list[Entrant]:
    clubs = dice.choices(["Reds", "Blues", "Greens", ""], weights=[4, 3, 2, 1], k=count)
    return [Entrant(f"p{i:04}", f"Player {i}", club) for i, club in enumerate(clubs)]


def play(count: int, seed: int) -> tuple[list[float], list[int], list[Result], list[Entrant]]:
    """One event: seconds of each timed draw, rematches, distance and repeat floats; what was played."""
    dice = Random(seed)
    people = entrants(count, dice)
    results: list[Result] = []
    seconds: list[float] = []
    costs = [0, 0, 0]
    for number in range(1, ROUNDS + 1):
        seats = seats_from(results, people, Scheme(), number)
        start = perf_counter()
        drawn = draw(number, seats, seed=seed, rules=Rules("always"))
        if number > 1:
            seconds.append(perf_counter() - start)
            levels = drawn.levels
            costs = [
                c + x for c, x in zip(costs, (levels.rematches, levels.distance, levels.repeat_floats), strict=True)
            ]
        results += [
            Result(number, pair.a, pair.b, dice.randint(0, 15), dice.randint(0, 15), table)
            for table, pair in enumerate(drawn.pairs, start=1)
        ]
        if drawn.bye is not None:
            results.append(Result(number, drawn.bye, None))
        people = [
            Entrant(p.id, p.name, p.club, dropped_after=number)
            if p.dropped_after is None and dice.random() < 0.05
            else p
            for p in people
        ]
    return seconds, costs, results, people


def main(events: int) -> None:
    print(f"One draw, {events} seeded events of {ROUNDS} rounds each, rounds 2 to {ROUNDS}, milliseconds")
    print(f"{'players':>8}{'median':>10}{'most':>10}{'rematches':>11}{'distance':>10}{'repeats':>9}")
    for count in SIZES:
        played = [play(count, seed) for seed in range(events)]
        seconds = [s for event in played for s in event[0]]
        rematches, distance, repeats = (sum(event[1][k] for event in played) for k in range(3))
        print(
            f"{count:>8}{median(seconds) * 1000:>10.1f}{max(seconds) * 1000:>10.1f}"
            f"{rematches:>11}{distance:>10}{repeats:>9}"
        )
    times = []
    for seed in range(events):
        _, _, results, people = play(200, seed)
        start = perf_counter()
        standings(results, people, Scheme(seed=seed))
        times.append(perf_counter() - start)
    print(f"Standings, 200 players x {ROUNDS} rounds: {median(times) * 1000:.1f}, most {max(times) * 1000:.1f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
