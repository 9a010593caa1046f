"""The earlier results as a round's draw counted them, and the seats that follow from them."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass, fields
from functools import cache
from itertools import groupby
from typing import Any, Literal

from pydantic import TypeAdapter

from events.tournament.pairing.seats import Seat
from events.tournament.pairing.words import plain_number as shown
from languages.message import Message, joined, message
from languages.words import N_


@dataclass(frozen=True)
class Past:
    """One earlier game, missed round or ruling, as the draw counted it.

    Without ``b`` it concerns one player. Points are tournament points. An ``open`` game had no result yet, as in a
    round robin, whose rounds run at the same time.
    """

    after: int
    """The round after which the entry counts."""
    kind: Literal["game", "stand-in", "no-show", "not played", "bye", "asked", "late", "ruling", "open"]
    a: str
    b: str | None = None
    points_a: float = 0
    points_b: float = 0
    free: tuple[str, ...] = ()
    """The players for whom the entry counts as a bye: both of a no-show, in older files only the one who came."""
    table: int | None = None
    """None if it was not played or had no table."""
    scenario: str | None = None

    @property
    def sides(self) -> Iterator[tuple[str, str | None, float]]:
        yield self.a, self.b, self.points_a
        if self.b is not None:
            yield self.b, self.a, self.points_b

    @property
    def meets(self) -> bool:
        """Whether pairing the two again is a rematch: after a game, and after a no-show that counts for both."""
        return self.kind == "game" or (self.kind == "no-show" and len(self.free) == 2)

    @property
    def scored(self) -> tuple[float, ...]:
        """The points of a played game, the higher first; () for other entries."""
        return tuple(sorted((self.points_a, self.points_b), reverse=True)) if self.kind in ("game", "stand-in") else ()

    @property
    def bye_is_due(self) -> bool:
        """Whether it counts as a bye for the right players. Requested byes may count or not, as the event sets."""
        if self.kind == "asked":
            return self.free in ((), (self.a,))
        if self.kind == "stand-in":
            return self.free in ((self.a,), (self.b,))
        if self.kind == "no-show" and len(self.free) == 2:
            return self.free == (self.a, self.b)
        if self.kind == "no-show" and self.points_a != self.points_b:
            return self.free == (self.a if self.points_a > self.points_b else self.b,)
        return self.free == ((self.a,) if self.kind == "bye" else ())


def to_rows(past: Iterable[Past]) -> list[list[Any]]:
    """The results in stored form: each entry's fields in order."""
    return [list(astuple(history)) for history in past]


def past_in(rows: Iterable[Sequence[Any]]) -> tuple[Past, ...]:
    """The results that ``to_rows`` wrote. Raises TypeError or ValueError if they are invalid."""
    names = [field.name for field in fields(Past)]
    return _past().validate_python([dict(zip(names, row, strict=True)) for row in rows])


@cache
def _past() -> TypeAdapter[tuple[Past, ...]]:
    return TypeAdapter(tuple[Past, ...])


def faults_in(past: Sequence[Past], number: int, name: Callable[[str], str]) -> Iterator[Message]:
    """Impossible results before round ``number``, a sentence each; ``name`` returns the name of an id."""
    seen = set[tuple[int, str]]()
    win, draw = usual_points(past)
    both_lost = win[1:] * 2  # by a judge's decision
    for history in past:
        ids = [id_ for id_, _, _ in history.sides]
        who = joined(map(name, ids), "and")
        if history.after >= number:
            yield message(
                "results: one of round %(after)s stands before round %(number)s", after=history.after, number=number
            )
        elif history.kind != "ruling" and (
            len(set(ids)) < len(ids) or not seen.isdisjoint((history.after, i) for i in ids)
        ):
            text = N_("results: %(names)s have another result in round %(number)s")
            yield message(text, names=who, number=history.after)
        elif history.kind != "ruling":
            seen |= {(history.after, id_) for id_ in ids}
        scored, usual = history.scored, draw if history.points_a == history.points_b else win
        if scored and scored not in (usual, both_lost):
            text = N_("results: %(names)s, round %(number)s: %(points)s, and other games give %(usual)s")
            yield message(text, names=who, number=history.after, points=_points(scored), usual=_points(usual))
        if win and (history.kind == "bye" or (scored and scored == draw)) and not 0 <= history.points_a <= win[0]:
            text = N_("results: %(names)s, round %(number)s: %(points)s, and a win gives %(usual)s")
            yield message(text, names=who, number=history.after, points=shown(history.points_a), usual=shown(win[0]))
        if not history.bye_is_due:
            text = N_("results: %(names)s, round %(number)s: it counts as a bye for %(free)s")
            free = joined(map(name, history.free), "and") if history.free else message("nobody")
            yield message(text, names=who, number=history.after, free=free)


def both_won(past: Sequence[Past], name: Callable[[str], str]) -> Iterator[Message]:
    win, _ = usual_points(past)
    for history in past:
        if win and history.scored == (win[0], win[0]):
            who = joined((name(id_) for id_, _, _ in history.sides), "and")
            text = N_("that %(names)s had %(points)s, a win's points for both, in round %(number)s")
            yield message(text, names=who, points=_points(history.scored), number=history.after)


def usual_points(past: Iterable[Past]) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """The most frequent points of a decided game and of a draw; () for none. Normally all are the same."""
    scored = Counter(history.scored for history in past if history.scored)
    decided, drawn = ([few for few in scored if (few[0] > few[1]) == won] for won in (True, False))
    return max(decided, key=scored.__getitem__, default=()), max(drawn, key=scored.__getitem__, default=())


def _points(scored: tuple[float, ...]) -> str:
    return " : ".join(map(shown, scored))


def seats_after(past: Iterable[Past], number: int, ids: Sequence[str]) -> list[Seat]:
    """The seats of these players for round ``number``, in this order, calculated from the earlier results.

    A player was paired down in each game against an opponent with fewer points.
    """
    counted = sorted((entry for entry in past if entry.after < number), key=lambda history: history.after)
    points, floats = defaultdict[str, float](int), defaultdict[str, int](int)
    lines = defaultdict[str, list[tuple[Past, str | None]]](list)
    for _, of_round in groupby(counted, key=lambda history: history.after):
        sides = [(entry, *side) for entry in of_round for side in entry.sides]
        for history, own, other, _ in sides:
            lines[own].append((history, other))
            floats[own] += history.kind == "game" and other is not None and points[own] > points[other]
        for _, own, _, gained in sides:
            points[own] += gained
    return [
        Seat(
            id=id_,
            points=points[id_],
            byes=sum(id_ in entry.free for entry, _ in lines[id_]),
            floats=floats[id_],
            opponents=tuple(other for entry, other in lines[id_] if entry.meets and other is not None),
            tables=tuple(entry.table for entry, _ in lines[id_] if entry.table is not None),
            scenarios=tuple(entry.scenario for entry, _ in lines[id_] if entry.scenario is not None),
        )
        for id_ in ids
    ]
