"""The player meeting before round 1: everybody is seated in pairs to hear the announcements; no game is played."""

from collections.abc import Iterable
from dataclasses import replace

from events.pairing.rules import Rules
from events.pairing.seats import Draw, Seat
from events.pairing.swiss import draw

ALGORITHM = "overseer-meeting/1"
THIRD_CHAIR = "odd field: a third chair at the last table"


def draw_meeting(seats: Iterable[Seat], rules: Rules, seed: int) -> Draw:
    """Seat everybody by lot, club mates and those to be kept apart at different tables where it can be.

    It is drawn as a round 1 without any history, so its certificate is that of the Swiss draw. The odd one out, who
    stands where a round has its bye, takes a third chair. Raises ValueError as the Swiss draw does.
    """
    bare = [Seat(seat.id, club=seat.club) for seat in seats]
    drawn = draw(1, bare, seed=seed, rules=Rules(avoid_clubs="always", keep_apart=rules.keep_apart))
    notes = (THIRD_CHAIR,) if drawn.bye else ()
    return replace(drawn, algorithm=ALGORITHM, notes=notes)
