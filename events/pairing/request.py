"""All that a round is drawn from, as one value: what is stored with the round, published, and drawn again."""

from dataclasses import asdict, dataclass, replace
from typing import Any

from events.pairing.formats import SWISS, Format, draw_in_format
from events.pairing.placing import place_pairs
from events.pairing.room import PLAIN_ROOM
from events.pairing.room import Room as Room  # part of a request for all who make one
from events.pairing.rules import PLAIN, Rules
from events.pairing.seats import Draw, Seat


@dataclass(frozen=True)
class Request:
    """A round to be drawn: the seats in any order, the seed of its lots, the rules and the room."""

    round: int
    seats: tuple[Seat, ...]
    seed: int
    rules: Rules = PLAIN
    room: Room = PLAIN_ROOM
    format: Format = SWISS


def drawn_round(request: Request) -> Draw:
    """The round drawn and placed. Raises ValueError, in words, for what cannot be drawn or placed."""
    result = draw_in_format(request.round, request.seats, request.seed, request.rules, request.format)
    seats, room = request.seats, request.room
    pairs, placement = place_pairs(result.pairs, seats, room, seed=request.seed, round_number=request.round)
    return replace(result, pairs=pairs, placement=placement)


def to_document(request: Request) -> dict[str, Any]:
    """The request as JSON can hold it."""
    return asdict(request)


def from_document(document: dict[str, Any]) -> Request:
    """The request that ``to_document`` wrote. Raises KeyError, TypeError or ValueError for anything else."""
    seats = [Seat(**{key: _tuples(value) for key, value in seat.items()}) for seat in document["seats"]]
    rules = Rules(**{key: _tuples(value) for key, value in document["rules"].items()})
    room = Room(**{key: _tuples(value) for key, value in document["room"].items()})
    form = Format(**{key: _tuples(value) for key, value in document.get("format", {}).items()})
    return Request(document["round"], tuple(seats), document["seed"], rules, room, form)


def _tuples(value: Any) -> Any:
    return tuple(_tuples(one) for one in value) if isinstance(value, list | tuple) else value
