"""All that a round is drawn from, as one value: what is stored with the round, published, and drawn again."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from typing import Any

from events.pairing.formats import SWISS, Format, draw_in_format
from events.pairing.placing import place_pairs
from events.pairing.room import PLAIN_ROOM, table_order
from events.pairing.room import Room as Room  # part of a request for all who make one
from events.pairing.rules import PLAIN, Rules
from events.pairing.seats import Draw, Pair, Seat


@dataclass(frozen=True)
class Request:
    """A round to be drawn: the seats in any order, the seed of its lots, the rules and the room."""

    round: int
    seats: tuple[Seat, ...]
    seed: int
    rules: Rules = PLAIN
    room: Room = PLAIN_ROOM
    format: Format = SWISS
    ringer: Seat | None = None
    """Who stands in where the field is odd: the player with the bye plays them instead."""


def drawn_round(request: Request) -> Draw:
    """The round drawn and placed. Raises ValueError, in words, for what cannot be drawn or placed."""
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
    """The player with the bye against the stand-in: at a fixed table of theirs if that is left, else at the first table
    left over that both know least; and there with the scenario that the player knows least.
    """
    order = table_order(request.room, len(drawn.pairs) + 1, seed=request.seed, round_number=request.round)
    taken = {pair.table for pair in drawn.pairs}
    seat = next(seat for seat in request.seats if seat.id == drawn.bye)
    ringer = request.ringer
    assert ringer is not None  # noqa: S101 - asked only with one
    known = (*seat.tables, *ringer.tables)
    fixed = {seat.fixed_table, ringer.fixed_table}
    table = min((table for table in order if table not in taken), key=lambda at: (at not in fixed, known.count(at)))
    scenario = min(request.room.scenarios, key=seat.scenarios.count, default=None)
    return Pair(seat.id, ringer.id, stand_in_notes(drawn.notes), table, scenario)


def stand_in_notes(bye_notes: Iterable[str]) -> tuple[str, ...]:
    """Why a player meets the stand-in: why they would have had the bye."""
    return ("a stand-in in place of the bye", *bye_notes)


def of_the_field(request: Request, pairs: Iterable[Pair], bye: str | None) -> tuple[tuple[Pair, ...], str | None]:
    """The pairs and the bye as the levels count them: whoever plays the stand-in has the bye."""
    kept: list[Pair] = []
    for pair in pairs:
        if request.ringer is None or request.ringer.id not in (pair.a, pair.b):
            kept.append(pair)
        else:
            bye = pair.b if pair.a == request.ringer.id else pair.a
    return tuple(kept), bye


def to_document(request: Request) -> dict[str, Any]:
    """The request as JSON can hold it."""
    return asdict(request)


def from_document(document: dict[str, Any]) -> Request:
    """The request that ``to_document`` wrote. Raises KeyError, TypeError or ValueError for anything else."""
    seats = [Seat(**{key: _tuples(value) for key, value in seat.items()}) for seat in document["seats"]]
    rules = Rules(**{key: _tuples(value) for key, value in document["rules"].items()})
    room = Room(**{key: _tuples(value) for key, value in document["room"].items()})
    form = Format(**{key: _tuples(value) for key, value in document.get("format", {}).items()})
    stands_in = document.get("ringer")
    ringer = Seat(**{key: _tuples(value) for key, value in stands_in.items()}) if stands_in else None
    return Request(document["round"], tuple(seats), document["seed"], rules, room, form, ringer)


def _tuples(value: Any) -> Any:
    return tuple(_tuples(one) for one in value) if isinstance(value, list | tuple) else value
