"""The bound of large fields held against the complete graph. Run: ``python -m benchmarks.bound [FIELDS] [EVENTS]``.

FIELDS small random fields, cut as large ones are, with levels switched at random: the bound must never exceed the
best, and what meets it must be the best. Then EVENTS whole events of 129 to 512 players, rounds 2 to 7: each level of
every draw must be what the complete graph gives.
"""

import sys
from collections import Counter
from dataclasses import replace
from random import Random

from benchmarks.pairing import rounds_of
from events.pairing.groups import pair_by_groups
from events.pairing.levels import edge, field_of, scale_for
from events.pairing.seats import LEVELS, Rules
from events.pairing.swiss import ALGORITHM, checked_field, complete, draw, levels_cost
from tests.kit.fields import random_field


def small_field(seed: int) -> str:
    """What one field said: no bound, a bound alone, proven or unproven; exits at the first lie."""
    dice = Random(seed)
    field = random_field(seed, 6, dice.choice([12, 20, 40]))
    rules = field.rules
    if dice.random() < 0.4:
        off, banned = (tuple(dice.sample(LEVELS, dice.randrange(3))) for _ in range(2))
        rules = replace(rules, off=off, banned=banned)
    everyone = checked_field(field.round_number, field.seats, rules)
    scale, free = scale_for(everyone, rules), field_of(field.round_number, everyone, rules)
    source = (seed, ALGORITHM, field.round_number)
    best = levels_cost(free, scale, rules, complete(free, scale, rules, source))
    grouped = pair_by_groups(free, scale, rules, source, dice.choice([2, 3, 4, 6]))
    odd = len(free.seats) % 2
    if grouped is None:
        return "no bound"
    if not odd and grouped.bound > best:
        sys.exit(f"field {seed}: the bound is above the best")
    if not grouped.pairs:
        return "bound alone"
    chosen = [edge(i, j) for i, j in grouped.pairs]
    chosen += [] if grouped.bye is None else [(grouped.bye, len(free.seats))]
    cost = levels_cost(free, scale, rules, chosen)
    if cost != grouped.bound:
        return "unproven"
    if cost != best:
        sys.exit(f"field {seed}: called proven, and is not the best")
    return "proven"


def main(fields: int, events: int) -> None:
    said = Counter(small_field(seed) for seed in range(fields))
    print(f"{fields} small fields, seeds 0 to {fields - 1}: {dict(sorted(said.items()))}; no bound above the best,")
    print("and each that was called proven equals the complete graph.")
    by = Counter[str]()
    for seed in range(events):
        players = Random(seed).randint(129, 512)
        for number, seats in rounds_of(players, seed):
            rules = Rules("always")
            result = draw(number, seats, seed=seed, rules=rules)
            everyone = checked_field(number, seats, rules)
            scale, field = scale_for(everyone, rules), field_of(number, everyone, rules)
            best = levels_cost(field, scale, rules, complete(field, scale, rules, (seed, ALGORITHM, number)))
            if scale.cost(result.levels) != best:
                sys.exit(f"event {seed}, round {number}: the levels are not those of the complete graph")
            by[result.certificate.by] += 1
    print(f"{events} events of 129 to 512 players, rounds 2 to 7: every draw has the levels of the complete graph.")
    for argument, count in by.most_common():
        print(f"  {count} by {argument}")


if __name__ == "__main__":
    main(*(int(text) for text in (sys.argv[1:] + ["20000", "20"][len(sys.argv) - 1 :])))
