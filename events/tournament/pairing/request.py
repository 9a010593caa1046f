"""The inputs of a draw as one value, and the cost of a manual pairing."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from events.tournament.pairing.explain import explain
from events.tournament.pairing.knockout import Bracket, draw_knockout, draw_round_robin, order_by_lot
from events.tournament.pairing.levels import count_levels
from events.tournament.pairing.notes import Note, NoteKind
from events.tournament.pairing.seats import PLAIN, Draw, Levels, Pair, Placement, Rules, Seat
from events.tournament.pairing.swiss import draw, in_order
from events.tournament.pairing.tables import PLAIN_ROOM, Room, count_placement, explain_places, place_pairs, table_order
from languages.words import N_, counted_points, gettext

Kind = Literal["swiss", "round_robin", "knockout"]


@dataclass(frozen=True)
class Format:
    """The format of one round, by default Swiss.

    ``order`` are ids: the seeds of a knockout, best first, or the places in a round robin's circle. In the first round
    all other players follow by lot, from the round's seed. ``order_by`` describes the order's origin.
    """

    kind: Kind = "swiss"
    order: tuple[str, ...] = ()
    order_by: str = ""
    through: tuple[tuple[str, ...], ...] = ()
    """In a knockout, the players who advanced from each round so far."""
    third_place: bool = False
    legs: int = 1
    """In a round robin, how many times each two players meet."""


SWISS = Format()


def draw_in_format(number: int, seats: Iterable[Seat], seed: int, rules: Rules, form: Format) -> Draw:
    """Round ``number`` drawn in its format, without tables. Raises ValueError with a message for users."""
    field = tuple(seats)
    if form.kind == "knockout":
        return draw_knockout(field, bracket_of_seats(form, field, seed), form.order_by, seed)
    if form.kind == "round_robin":
        return draw_round_robin(number, field, form.order, form.legs, seed)
    if form.kind != "swiss":
        raise ValueError(f"there is no format {form.kind!r}")
    return draw(number, field, seed=seed, rules=rules)


def bracket_of_seats(form: Format, seats: Iterable[Seat], seed: int) -> Bracket:
    """The bracket of a knockout round."""
    ids = () if form.through else [seat.id for seat in seats]
    return Bracket(order_by_lot(form.order, ids, seed), form.through, form.third_place)


@dataclass(frozen=True)
class Request:
    """A round to draw: the seats in any order, the seed of its lots, the rules and the room."""

    round: int
    seats: tuple[Seat, ...]
    seed: int
    rules: Rules = PLAIN
    room: Room = PLAIN_ROOM
    format: Format = SWISS
    ringer: Seat | None = None
    """The stand-in: in an odd field, the player with the bye plays against them."""


def drawn_round(request: Request) -> Draw:
    """The round drawn, with tables. Raises ValueError if that is impossible."""
    result = draw_in_format(request.round, request.seats, request.seed, request.rules, request.format)
    seats, room = request.seats, request.room
    if request.ringer is not None and request.ringer.id in {seat.id for seat in seats}:
        raise ValueError(f"{request.ringer.id!r} holds a seat and cannot stand in too")
    pairs, placement = place_pairs(result.pairs, seats, room, seed=request.seed, round_number=request.round)
    placed = replace(result, pairs=pairs, placement=placement)
    return (
        placed if request.ringer is None or result.bye is None else replace(placed, stand_in=_stand_in(request, placed))
    )


def _stand_in(request: Request, drawn: Draw) -> Pair:
    """The game between the player with the bye and the stand-in.

    At a free fixed table of either, else the first free table that both have used least; with the scenario that the
    player has played least.
    """
    order = table_order(request.room, len(drawn.pairs) + 1, seed=request.seed, round_number=request.round)
    taken = {pair.table for pair in drawn.pairs}
    seat = next(seat for seat in request.seats if seat.id == drawn.bye)
    ringer = request.ringer
    assert ringer is not None  # noqa: S101 - asked only with one
    used = (*seat.tables, *ringer.tables)
    fixed = {seat.fixed_table, ringer.fixed_table}
    table = min((table for table in order if table not in taken), key=lambda at: (at not in fixed, used.count(at)))
    scenario = min(request.room.scenarios, key=seat.scenarios.count, default=None)
    return Pair(seat.id, ringer.id, stand_in_notes(drawn.notes), table, scenario)


def stand_in_notes(bye_notes: Iterable[Note]) -> tuple[Note, ...]:
    """The notes on the stand-in's game: why its player would have the bye."""
    return (Note(NoteKind.STAND_IN), *bye_notes)


def of_the_field(request: Request, pairs: Iterable[Pair], bye: str | None) -> tuple[tuple[Pair, ...], str | None]:
    """The pairs and the bye as the levels count them: the stand-in's opponent counts as having the bye."""
    kept: list[Pair] = []
    for pair in pairs:
        if request.ringer is None or request.ringer.id not in (pair.a, pair.b):
            kept.append(pair)
        else:
            bye = pair.b if pair.a == request.ringer.id else pair.a
    return tuple(kept), bye


def to_document(request: Request) -> dict[str, Any]:
    return asdict(request)


def from_document(document: dict[str, Any]) -> Request:
    """The request that ``to_document`` wrote. Raises KeyError, TypeError or ValueError if it is invalid."""
    seats = [Seat(**{key: _tuples(value) for key, value in seat.items()}) for seat in document["seats"]]
    rules = Rules(**{key: _tuples(value) for key, value in document["rules"].items()})
    room = Room(**{key: _tuples(value) for key, value in document["room"].items()})
    form = Format(**{key: _tuples(value) for key, value in document.get("format", {}).items()})
    stands_in = document.get("ringer")
    ringer = Seat(**{key: _tuples(value) for key, value in stands_in.items()}) if stands_in else None
    return Request(document["round"], tuple(seats), document["seed"], rules, room, form, ringer)


def _tuples(value: Any) -> Any:
    return tuple(_tuples(item) for item in value) if isinstance(value, list | tuple) else value


BY_METHOD = {
    "random": N_("by lot"),
    "standing": N_("next to each other in the standings"),
    "fold": N_("top half against bottom half"),
}


@dataclass(frozen=True)
class Evaluation:
    """A pairing with its new notes and costs."""

    pairs: tuple[Pair, ...]
    """Top pair first."""
    bye_notes: tuple[Note, ...]
    levels: Levels
    placement: Placement

    @property
    def costs(self) -> dict[str, int]:
        return asdict(self.levels) | asdict(self.placement)


def evaluate(request: Request, pairs: Sequence[Pair], bye: str | None, *, proven: bool = False) -> Evaluation:
    """The notes and costs of these pairs at their tables; ``proven`` if they are a draw proven best.

    Raises KeyError or ValueError for pairs of other seats.
    """
    by_id = {seat.id: seat for seat in request.seats}
    levels = count_levels(request.round, request.seats, pairs, bye, request.rules)
    given = {frozenset((pair.a, pair.b)): pair for pair in pairs}
    couples = [(by_id[pair.a], by_id[pair.b]) for pair in pairs]
    ordered = [given[frozenset((p.a, p.b))] for p in in_order(couples, request.round, request.seed)]
    explained, bye_notes = explain(request.round, request.seats, ordered, bye, request.rules, proven=proven)
    tables = table_order(request.room, len(ordered), seed=request.seed, round_number=request.round)
    places = explain_places(ordered, request.seats, tables, proven=proven, vary=request.room.vary)
    return Evaluation(
        tuple(replace(pair, notes=(*pair.notes, *also)) for pair, also in zip(explained, places, strict=True)),
        bye_notes,
        levels,
        count_placement(ordered, request.seats, tables),
    )


def usual_reason(request: Request, a: Seat, b: Seat) -> str:
    if request.round == 1 or a.points != b.points:
        return gettext(BY_METHOD["random"])
    how = gettext(BY_METHOD[request.rules.method])
    return gettext("both on %(points)s, %(how)s", points=counted_points(a.points), how=how)
