"""What another set of results would change: the standings, the worth of byes, and how later rounds read.

Nothing here stores or draws anything for good: an organiser looks at it before a correction is made.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

from events.pairing.explain import compared, explain, verdict
from events.pairing.levels import count_levels
from events.pairing.request import Request, drawn_round
from events.pairing.seats import Levels, Pair
from events.play.figures import Entrant, Result, Scheme
from events.standings.ranking import Row, standings
from events.standings.records import seats_from


@dataclass(frozen=True)
class Moved:
    """A player whose line in the standings changes."""

    before: Row
    after: Row


@dataclass(frozen=True)
class Reread:
    """A pair (or, without ``b``, the bye) of a round of which other things are to be said than before."""

    a: str
    b: str | None
    before: tuple[str, ...]
    after: tuple[str, ...]


@dataclass(frozen=True)
class RoundEffect:
    """What other results do to a round that was drawn before them."""

    number: int
    moved: bool
    """Whether its seats change at all: a round that is only drawn is then stale."""
    reread: tuple[Reread, ...]
    stands: Levels
    """What the pairs as they are cost by the new results."""
    best: Levels
    """What the engine would reach by the new results, with the seed and the rules of the round."""
    verdict: str
    """The two held against each other, in a sentence."""
    otherwise: int
    """How many of its pairs the engine would draw otherwise by the new results, and not by the old ones."""


@dataclass(frozen=True)
class Paired:
    """A drawn round as it stands: what it was drawn from, and its pairs, changes by hand included."""

    request: Request
    pairs: tuple[Pair, ...]
    bye: str | None


def moved_lines(before: Sequence[Row], after: Sequence[Row]) -> tuple[Moved, ...]:
    """The players whose rank, points or VP differ, in the order of the standings after."""
    old = {row.id: row for row in before}
    lines = [Moved(old[row.id], row) for row in after if row.id in old]
    return tuple(one for one in lines if _figures(one.before) != _figures(one.after))


def round_effect(
    played: Paired, before: Sequence[Result], after: Sequence[Result], entrants: Sequence[Entrant], scheme: Scheme
) -> RoundEffect:
    """What the results ``after`` say of a round that was drawn while those ``before`` held.

    Players of the round that are no entrants any more keep the seat they had. Raises ValueError as ``records`` does.
    """
    old = reseated(played.request, before, entrants, scheme)
    new = reseated(played.request, after, entrants, scheme)
    said = [_notes(request, played) for request in (old, new)]
    drawn = drawn_round(new)
    drawn_before = drawn_round(old) if old != new else drawn
    ours = {frozenset((p.a, p.b)) for p in played.pairs} | {frozenset((played.bye,))}
    kept = [{frozenset((p.a, p.b)) for p in one.pairs} | {frozenset((one.bye,))} for one in (drawn_before, drawn)]
    stands = count_levels(new.round, new.seats, played.pairs, played.bye, new.rules)
    return RoundEffect(
        number=new.round,
        moved=old != new,
        reread=tuple(Reread(a, b, said[0][a, b], said[1][a, b]) for a, b in said[0] if said[0][a, b] != said[1][a, b]),
        stands=stands,
        best=drawn.levels,
        verdict=verdict(compared(asdict(stands), asdict(drawn.levels), new.rules), "what the engine would draw now"),
        otherwise=len((ours & kept[0]) - kept[1]),
    )


def reseated(request: Request, results: Sequence[Result], entrants: Sequence[Entrant], scheme: Scheme) -> Request:
    """The same request with the points, byes and floats, and the ranks it was drawn by, that these results make."""
    fresh = {seat.id: seat for seat in seats_from(results, entrants, scheme, request.round)}
    ranks: dict[str, int] = {}
    if any(seat.rank for seat in request.seats):
        earlier = [result for result in results if result.round < request.round]
        ranks = {row.id: row.rank for row in standings(earlier, entrants, scheme)}
    seats = tuple(
        replace(
            seat,
            points=fresh[seat.id].points,
            byes=fresh[seat.id].byes,
            floats=fresh[seat.id].floats,
            rank=ranks.get(seat.id, 0) if seat.rank else 0,
        )
        if seat.id in fresh
        else seat
        for seat in request.seats
    )
    return replace(request, seats=seats)


def _figures(row: Row) -> tuple[int, int, int]:
    return row.rank, row.points, row.vp


def _notes(request: Request, played: Paired) -> dict[tuple[str, str | None], tuple[str, ...]]:
    pairs, bye = explain(request.round, request.seats, played.pairs, played.bye, request.rules)
    said: dict[tuple[str, str | None], tuple[str, ...]] = {(pair.a, pair.b): pair.notes for pair in pairs}
    return said if played.bye is None else said | {(played.bye, None): bye}
