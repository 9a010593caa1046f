"""Round robin: everybody meets everybody once, or twice with the sides changed, by the circle method.

The last place stands still and the others turn by one step a round (Kirkman, 1847; the Berger tables of chess are the
same schedule in other numbers). In an odd field the last place is empty: whoever would play it has the bye, everybody
once.
"""

from collections.abc import Iterable, Sequence

from events.pairing.lots import lot
from events.pairing.seats import Certificate, Draw, Idle, Levels, Pair, Seat

ALGORITHM = "overseer-round-robin/1"


def rounds_for(players: int, legs: int = 1) -> int:
    """How many rounds so many players take: one less than they are, in an odd field as many; for each leg."""
    return legs * max(players - 1 + players % 2, 0)


def circle(places: int, number: int) -> list[tuple[int, int]]:
    """Who meets whom in round ``number``, from 1, of an even number of places, counted from 0; sides change by leg.

    The first of a pair is side A. Over a leg nobody's games on either side differ by more than one.
    """
    turns = places - 1
    leg, turn = divmod(number - 1, turns)
    pairs = [(turn, turns) if turn % 2 == 0 else (turns, turn)]
    pairs += [((turn + step) % turns, (turn - step) % turns) for step in range(1, places // 2)]
    return [(b, a) for a, b in pairs] if leg % 2 else pairs


def order_by_lot(given: Sequence[str], ids: Iterable[str], seed: int) -> tuple[str, ...]:
    """The ``given`` order, and everybody else after it in the order of their lots."""
    rest = [id_ for id_ in ids if id_ not in given]
    return (*given, *sorted(rest, key=lambda id_: (lot(seed, "order", id_), id_)))


def draw_round_robin(number: int, seats: Iterable[Seat], order: Sequence[str], legs: int, seed: int) -> Draw:
    """Round ``number`` of the circle for those who hold a seat; who meets nobody, or somebody who is not here, is idle.

    ``order`` has everybody's place in the circle, also of those who have left; seats that it does not name follow by
    lot. Raises ValueError for a round that the circle does not have.
    """
    here = {seat.id for seat in seats}
    everybody = order_by_lot(order, here, seed)
    last = rounds_for(len(everybody), legs)
    if not 1 <= number <= last:
        raise ValueError(f"a round robin of {len(everybody)} has {last} rounds, and this would be round {number}")
    pairs: list[Pair] = []
    bye: str | None = None
    idle: list[Idle] = []
    notes: tuple[str, ...] = ()
    for place_a, place_b in circle(len(everybody) + len(everybody) % 2, number):
        a, b = (everybody[p] if p < len(everybody) else None for p in (place_a, place_b))
        present = [id_ for id_ in (a, b) if id_ in here]
        if a is not None and b is not None and len(present) == 2:
            pairs.append(Pair(a, b, (f"circle: place {place_a + 1} against place {place_b + 1}",)))
        elif present and None in (a, b):
            bye, notes = present[0], ("bye: an odd field, everybody has one in turn",)
        elif present:
            gone = place_b if present[0] == a else place_a
            idle.append(Idle(present[0], (f"walk-over: place {gone + 1} of the circle is not here",)))
    by = f"circle method, round {number} of {last}"
    return Draw(tuple(pairs), bye, Levels(), Certificate(True, by), seed, ALGORITHM, notes, idle=tuple(idle))
