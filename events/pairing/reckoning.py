"""A pairing that somebody made or changed by hand: what it costs, and why each pair is what it is."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

from events.pairing.explain import explain, points
from events.pairing.levels import count_levels
from events.pairing.placing import count_placement, explain_places
from events.pairing.request import Request
from events.pairing.room import table_order
from events.pairing.seats import Levels, Pair, Placement, Seat
from events.pairing.swiss import in_order

BY_METHOD = {
    "random": "by lot",
    "standing": "next to each other in the standings",
    "fold": "top half against bottom half",
}


@dataclass(frozen=True)
class Reckoned:
    """A pairing with its notes written anew, and its costs."""

    pairs: tuple[Pair, ...]
    """Top pair first."""
    bye_notes: tuple[str, ...]
    levels: Levels
    placement: Placement

    @property
    def costs(self) -> dict[str, int]:
        """Every level by its name, the placing after the pairs."""
        return asdict(self.levels) | asdict(self.placement)


def reckon(request: Request, pairs: Sequence[Pair], bye: str | None, *, proven: bool = False) -> Reckoned:
    """What these pairs of the request's seats, at their tables, cost and say; ``proven``: it is a draw proven best.

    Raises KeyError or ValueError for pairs of other seats.
    """
    by_id = {seat.id: seat for seat in request.seats}
    levels = count_levels(request.round, request.seats, pairs, bye, request.rules)
    given = {frozenset((pair.a, pair.b)): pair for pair in pairs}
    couples = [(by_id[pair.a], by_id[pair.b]) for pair in pairs]
    ordered = [given[frozenset((p.a, p.b))] for p in in_order(couples, request.round, request.seed)]
    noted, bye_notes = explain(request.round, request.seats, ordered, bye, request.rules, proven=proven)
    tables = table_order(request.room, len(ordered), seed=request.seed, round_number=request.round)
    places = explain_places(ordered, request.seats, tables, proven=proven)
    return Reckoned(
        tuple(replace(pair, notes=(*pair.notes, *also)) for pair, also in zip(noted, places, strict=True)),
        bye_notes,
        levels,
        count_placement(ordered, request.seats, tables),
    )


def usual_reason(request: Request, a: Seat, b: Seat) -> str:
    """Why two play each other about whom nothing odd is to be said."""
    if request.round == 1 or a.points != b.points:
        return "by lot"
    return f"both on {points(a.points)}, {BY_METHOD[request.rules.method]}"
