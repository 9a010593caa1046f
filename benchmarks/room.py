"""How long placing a round takes. Run: ``python benchmarks/room.py [ROUNDS]``, from the checkout.

Halls in which every player has sat at a table near their place in each earlier round, some at the same one twice,
one in fifty with a fixed table, and has played one of twelve scenarios each time; from a seed each. The last columns
say what the placings cost together.
"""

import resource
import sys
from random import Random
from statistics import median
from time import perf_counter

from events.pairing.placing import place_pairs
from events.pairing.seats import Pair, Placement, Seat
from events.pairing.tables import Room

PAIRS = (8, 16, 32, 64, 128, 256, 512, 1024, 2048)
POOL = tuple(f"scenario-{k:02}" for k in range(12))


def hall(count: int, played: int, dice: Random, *, fixed: float) -> list[Seat]:
    """Two seats for each pair, the top pair's first."""
    return [
        Seat(
            f"p{i:05}",
            tables=tuple(min(count, max(1, round(i / 2 + dice.gauss(0, count / (2 + r))))) for r in range(played)),
            scenarios=tuple(dice.choices(POOL, k=played)),
            fixed_table=dice.randint(1, count) if dice.random() < fixed else None,
        )
        for i in range(2 * count)
    ]


def main(rounds: int) -> None:
    print(f"rounds 2 to 7, {rounds} halls each; milliseconds")
    print("pairs  fixed  median    most  repeats  fixed missed  scenario repeats  memory MB")
    for count in PAIRS:
        for fixed in (0.0, 0.02):
            seconds: list[float] = []
            placed: list[Placement] = []
            for seed in range(rounds):
                for played in range(1, 7):
                    seats = hall(count, played, Random(1000 * seed + played), fixed=fixed)
                    pairs = [Pair(seats[2 * k].id, seats[2 * k + 1].id) for k in range(count)]
                    start = perf_counter()
                    placed.append(
                        place_pairs(pairs, seats, Room(scenarios=POOL), seed=seed, round_number=played + 1)[1]
                    )
                    seconds.append(perf_counter() - start)
            repeats, missed, again = (
                sum(getattr(one, name) for one in placed)
                for name in ("table_repeats", "fixed_missed", "scenario_repeats")
            )
            memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
            print(
                f"{count:5}  {fixed:5.0%}  {1000 * median(seconds):6.1f}  {1000 * max(seconds):6.1f}  {repeats:7}  "
                f"{missed:12}  {again:16}  {memory:9}"
            )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
