"""The points table of a series of events. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from events.tournament.season import check_number
from validators.names import alphabetical

MOST_PLACES, MOST_POINTS, MOST_EVENTS = 100, 10_000, 100


@dataclass(frozen=True)
class Circuit:
    points: tuple[int, ...]
    """For the first place, the second, and so on; later places have none."""
    best: int | None = None
    """How many events of each player count. None: all."""

    def __post_init__(self) -> None:
        whole = all(type(point) is int and 0 <= point <= MOST_POINTS for point in self.points)
        if not whole or not 1 <= len(self.points) <= MOST_PLACES or list(self.points) != sorted(self.points)[::-1]:
            raise ValueError("points are whole numbers that do not rise from place to place")
        if self.best is not None:
            check_number(self.best, MOST_EVENTS, "the best 1 to {} events count")


@dataclass(frozen=True)
class Place:
    key: str
    """Matches the same player in several events."""
    name: str
    rank: int


@dataclass(frozen=True)
class CircuitRow:
    rank: int
    key: str
    """Of the player in all events."""
    name: str
    points: int
    events: tuple[int | None, ...]
    """The points of each event, in order; None where the player was not ranked."""
    counting: tuple[bool, ...]
    """Whether each event counts."""


def circuit_lines(circuit: Circuit, events: Sequence[Sequence[Place]]) -> list[CircuitRow]:
    """The lines of all players, best first. Ties go to the better single events, then share the rank."""
    made: dict[str, list[int | None]] = {}
    names: dict[str, str] = {}
    for number, places in enumerate(events):
        for place in places:
            names[place.key] = place.name  # the name in the newest event counts
            worth = circuit.points[place.rank - 1] if place.rank <= len(circuit.points) else 0
            made.setdefault(place.key, [None] * len(events))[number] = worth
    rows = []
    for key, points in made.items():
        order = sorted((n for n, part in enumerate(points) if part is not None), key=lambda n: (-(points[n] or 0), n))
        best = [points[n] or 0 for n in order]
        counting = tuple(n in order[: circuit.best] for n in range(len(points)))
        figures = (-sum(best[: circuit.best]), [-part for part in best if part])  # an event without points is as none
        rows.append((figures, names[key], key, tuple(points), counting))
    rows.sort(key=lambda row: (row[0], alphabetical(row[1])))
    ranked = [figures for figures, *_ in rows]
    return [
        CircuitRow(ranked.index(figures) + 1, key, name, -figures[0], points, counting)
        for figures, name, key, points, counting in rows
    ]
