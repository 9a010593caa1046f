"""The time and memory of one draw. Run: ``python -m benchmarks.pairing [EVENTS] [SIZE ...]``, from the checkout.

Every event is played from its seed: nine tenths of the players are in three clubs, 5 % drop after each round, results
are random, and every round is drawn with club-mates kept apart. Rounds 2 to 7 are timed. Each size runs in its own
process, which gives its peak memory. The last columns are the sums of the draws' costs: a fast but bad draw would show
there.
"""

import json
import math
import resource
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from random import Random
from statistics import median
from time import perf_counter

from events.tournament.figures import Entrant, Result, Scheme
from events.tournament.pairing.seats import Rules, Seat
from events.tournament.pairing.swiss import draw
from events.tournament.records import seats_from

LAST = 7
SIZES = (16, 64, 128, 256, 512, 1024, 2048, 4096)
RULES = Rules("always")


def entrants(count: int, dice: Random) -> list[Entrant]:
    clubs = dice.choices(["Reds", "Blues", "Greens", ""], weights=[4, 3, 2, 1], k=count)
    return [Entrant(f"p{i:04}", f"Player {i}", club) for i, club in enumerate(clubs)]


def rounds_of(count: int, seed: int) -> Iterator[tuple[int, list[Seat]]]:
    """The seats of rounds 2 to 7 of one event."""
    dice = Random(seed)
    people = entrants(count, dice)
    results: list[Result] = []
    for number in range(1, LAST + 1):
        seats = seats_from(results, people, Scheme(), number)
        if number > 1:
            yield number, seats
        drawn = draw(number, seats, seed=seed, rules=RULES)
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


def measure(count: int, events: int) -> dict[str, object]:
    """One size: the seconds of every draw, whether it is proven, the sums of costs, and the peak memory in MiB."""
    seconds: list[float] = []
    proofs: list[bool] = []
    costs = [0, 0, 0, 0]
    for seed in range(events):
        for number, seats in rounds_of(count, seed):
            start = perf_counter()
            result = draw(number, seats, seed=seed, rules=RULES)
            seconds.append(perf_counter() - start)
            proofs.append(result.certificate.proven)
            levels = result.levels
            found = (levels.rematches, levels.distance, levels.repeat_floats, levels.kept_apart)
            costs = [one + other for one, other in zip(costs, found, strict=True)]
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"seconds": seconds, "proofs": proofs, "costs": costs, "memory": memory}


def main(events: int, sizes: list[int]) -> None:
    print(f"One draw, {events} seeded events, rounds 2 to {LAST}, milliseconds")
    print(f"{'players':>8}{'median':>9}{'most':>9}{'proven':>9}{'MiB':>6}{'rematches':>11}{'distance':>10}", end="")
    print(f"{'repeats':>9}{'clubs':>7}")
    medians: dict[int, float] = {}
    for count in sizes:
        command = [sys.executable, "-m", "benchmarks.pairing", "--measure", str(count), str(events)]
        found = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        seconds, proofs = found["seconds"], found["proofs"]
        medians[count] = median(seconds)
        rematches, distance, repeats, clubs = found["costs"]
        print(
            f"{count:>8}{medians[count] * 1000:>9.1f}{max(seconds) * 1000:>9.1f}{sum(proofs) / len(proofs):>9.1%}"
            f"{found['memory']:>6.0f}{rematches:>11}{distance:>10}{repeats:>9}{clubs:>7}",
            flush=True,
        )
    for before, last in pairwise(sizes):
        power = math.log(medians[last] / medians[before]) / math.log(last / before)
        print(f"From {before} to {last} players the median grows as their number to the power of {power:.2f}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--measure"]:
        json.dump(measure(int(sys.argv[2]), int(sys.argv[3])), sys.stdout)
    else:
        main(int(sys.argv[1]) if len(sys.argv) > 1 else 20, [int(size) for size in sys.argv[2:]] or list(SIZES))
