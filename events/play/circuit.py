"""The points table of a series: points for places, the best events of each player. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

MOST_PLACES, MOST_POINTS, MOST_EVENTS = 100, 10_000, 100


@dataclass(frozen=True)
class Circuit:
    """The rules of a points table."""

    points: tuple[int, ...]
    """For the first place, the second, and so on; later places have none."""
    best: int | None = None
    """How many events of each player count. None: all."""

    def __post_init__(self) -> None:
        whole = all(type(one) is int and 0 <= one <= MOST_POINTS for one in self.points)
        if not whole or not 1 <= len(self.points) <= MOST_PLACES or list(self.points) != sorted(self.points)[::-1]:
            raise ValueError("points are whole numbers that do not rise from place to place")
        if self.best is not None and (type(self.best) is not int or not 1 <= self.best <= MOST_EVENTS):
            raise ValueError(f"the best 1 to {MOST_EVENTS} events count")


@dataclass(frozen=True)
class Place:
    """A player's rank in one event."""

    key: str
    """What players of several events are matched by."""
    name: str
    rank: int


@dataclass(frozen=True)
class Line:
    """One player of the table."""

    rank: int
    name: str
    points: int
    events: tuple[int | None, ...]
    """The points of each event, in order; None where the player has no place."""
    counting: tuple[bool, ...]
    """Whether each of them counts."""


def circuit_in(document: Mapping[str, Any] | None) -> Circuit | None:
    """The table as an event stores it; None for none. Raises TypeError or ValueError for anything else."""
    return None if document is None else Circuit(**{**document, "points": tuple(document["points"])})


def circuit_document(circuit: Circuit | None) -> dict[str, Any] | None:
    """The table as an event stores it."""
    return None if circuit is None else asdict(circuit) | {"points": list(circuit.points)}


def table_of(circuit: Circuit, events: Sequence[Sequence[Place]]) -> list[Line]:
    """The lines of all players, best first; equal points rank by the better single events, then share the rank."""
    made: dict[str, list[int | None]] = {}
    names: dict[str, str] = {}
    for number, places in enumerate(events):
        for place in places:
            names[place.key] = place.name  # as in the newest event
            worth = circuit.points[place.rank - 1] if place.rank <= len(circuit.points) else 0
            made.setdefault(place.key, [None] * len(events))[number] = worth
    rows = []
    for key, points in made.items():
        order = sorted((n for n, one in enumerate(points) if one is not None), key=lambda n: (-(points[n] or 0), n))
        counting = {*order[: circuit.best]}
        best = [points[n] or 0 for n in order]
        rows.append(((-sum(best[: circuit.best]), [-one for one in best]), names[key], points, counting))
    rows.sort(key=lambda row: (row[0], row[1].casefold()))
    lines: list[Line] = []
    for number, (figures, name, points, counting) in enumerate(rows):
        shared = number and figures == rows[number - 1][0]
        rank = lines[-1].rank if shared else number + 1
        lines.append(Line(rank, name, -figures[0], tuple(points), tuple(n in counting for n in range(len(points)))))
    return lines
