"""Which kind of round is drawn, and what its format needs beside the seats."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from events.pairing.knockout import Bracket, draw_knockout
from events.pairing.meeting import draw_meeting
from events.pairing.round_robin import draw_round_robin, order_by_lot
from events.pairing.rules import Rules
from events.pairing.seats import Draw, Seat
from events.pairing.swiss import draw

Kind = Literal["swiss", "round_robin", "knockout", "meeting"]


@dataclass(frozen=True)
class Format:
    """The format of one round; a plain one is Swiss.

    ``order`` are ids: of a knockout the seeds, best first, of a round robin the places in the circle; in the first
    round whoever it leaves out follows by lot, from the round's seed. ``order_by`` says where it comes from.
    """

    kind: Kind = "swiss"
    order: tuple[str, ...] = ()
    order_by: str = ""
    through: tuple[tuple[str, ...], ...] = ()
    """Of a knockout: who went through in each of its rounds so far."""
    third_place: bool = False
    legs: int = 1
    """Of a round robin: how often everybody meets everybody."""


SWISS = Format()


def draw_in_format(number: int, seats: Iterable[Seat], seed: int, rules: Rules, form: Format) -> Draw:
    """Round ``number`` by its format, not yet placed at tables. Raises ValueError, in words."""
    field = tuple(seats)
    if form.kind == "knockout":
        return draw_knockout(field, bracket_of(form, field, seed), form.order_by, seed)
    if form.kind == "round_robin":
        return draw_round_robin(number, field, form.order, form.legs, seed)
    if form.kind == "meeting":
        return draw_meeting(field, rules, seed)
    if form.kind != "swiss":
        raise ValueError(f"there is no format {form.kind!r}")
    return draw(number, field, seed=seed, rules=rules)


def bracket_of(form: Format, seats: Iterable[Seat], seed: int) -> Bracket:
    """The bracket that a knockout round is drawn from."""
    ids = () if form.through else [seat.id for seat in seats]
    return Bracket(order_by_lot(form.order, ids, seed), form.through, form.third_place)
