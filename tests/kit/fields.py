"""Random fields of players for tests of the draw, by seed."""

from dataclasses import dataclass
from random import Random

from events.tournament.pairing.seats import Rules, Seat


@dataclass(frozen=True)
class Field:
    round_number: int
    seats: tuple[Seat, ...]
    rules: Rules


def random_field(seed: int, fewest: int, most: int) -> Field:
    """A field of ``fewest`` to ``most`` players in which every level can have a cost."""
    dice = Random(seed)
    count = dice.randint(fewest, most)
    ids = [f"p{i}" for i in range(count)]
    met = dice.choice([0.0, 0.15, 0.4, 0.8])
    odd_scores: list[list[float]] = [[], [0.5], [1, 7]]
    scores = [3 * s for s in range(dice.randint(1, 5))] + dice.choice(odd_scores)
    clubs = dice.choice([["", "Reds"], ["", "Reds", " reds", "Blues", "BLUES "], ["Reds"], [f"c{i}" for i in range(9)]])
    byes = dice.choice([[0], [0, 0, 1], [0, 1, 2], [1]])
    floats = dice.choice([[0], [0, 1], [0, 0, 2]])
    seats = tuple(
        Seat(
            id=id_,
            points=dice.choice(scores),
            club=dice.choice(clubs),
            byes=dice.choice(byes),
            floats=dice.choice(floats),
            opponents=tuple(o for o in [*ids, "dropped"] if o != id_ and dice.random() < met),
        )
        for id_ in dice.sample(ids, count)
    )
    apart = [two for _ in range(dice.randrange(4)) if len(two := dice.sample([*ids, "gone"], 2)) == 2]
    return Field(
        round_number=dice.choice([1, 1, 2, 5]),
        seats=seats,
        rules=Rules(dice.choice(["first_round", "always", "never"]), tuple((a, b) for a, b in apart)),
    )
