"""The effects of changed results on the standings and on drawn rounds. Stores nothing."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

from events.tournament.figures import Entrant, Result, Scheme
from events.tournament.pairing.explain import compared, explain, verdict
from events.tournament.pairing.levels import count_levels
from events.tournament.pairing.notes import Note
from events.tournament.pairing.request import Request, drawn_round
from events.tournament.pairing.seats import Levels, Pair
from events.tournament.ranking import Row, ranking_rows
from events.tournament.records import seats_from
from languages.message import message

Couple = tuple[str, str | None]
"""A pair, or the bye with None."""


@dataclass(frozen=True)
class Moved:
    before: Row
    after: Row

    def figures_changed(self) -> dict[str, list[int]]:
        """The rank, points and VP that differ, before and after."""
        pairs = {name: [getattr(self.before, name), getattr(self.after, name)] for name in ("rank", "points", "vp")}
        return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}


@dataclass(frozen=True)
class Reread:
    """A pair, or the bye (``b`` is None), whose notes change."""

    a: str
    b: str | None
    before: tuple[Note, ...]
    after: tuple[Note, ...]


@dataclass(frozen=True)
class RoundEffect:
    number: int
    moved: bool
    """Whether the draw's seats change, which makes an unpublished round stale."""
    reread: tuple[Reread, ...]
    stands: Levels
    """The costs of the current pairs with the new results."""
    best: Levels
    """The costs of a new draw with the new results, and the round's seed and rules."""
    verdict: str
    """The comparison of the two, in a sentence."""
    old_pairs: tuple[Couple, ...]
    """The current pairs that a new draw would not give."""
    new_pairs: tuple[Couple, ...]
    """The pairs that it would give instead."""
    team_size: int = 1
    """Above 1, the pairs are of teams."""


@dataclass(frozen=True)
class Paired:
    """A drawn round: its request and its current pairs, manual changes included."""

    request: Request
    pairs: tuple[Pair, ...]
    bye: str | None


def moved_lines(before: Sequence[Row], after: Sequence[Row]) -> tuple[Moved, ...]:
    """The players whose rank, points or VP differ, in the new order of the standings."""
    old = {row.id: row for row in before}
    lines = [Moved(old[row.id], row) for row in after if row.id in old]
    return tuple(line for line in lines if line.figures_changed())


def round_effect(
    played: Paired, before: Sequence[Result], after: Sequence[Result], entrants: Sequence[Entrant], scheme: Scheme
) -> RoundEffect:
    """The effect of the results ``after`` on a round that was drawn from ``before``.

    Players of the round who are no longer entrants keep their seat. Raises ValueError as ``records`` does.
    """
    old = reseated(played.request, before, entrants, scheme)
    new = reseated(played.request, after, entrants, scheme)
    notes = [_notes(request, played) for request in (old, new)]
    drawn = drawn_round(new)
    ours, now = _couples(played.pairs, played.bye), _couples(drawn.pairs, drawn.bye)
    stands = count_levels(new.round, new.seats, played.pairs, played.bye, new.rules)
    return RoundEffect(
        number=new.round,
        moved=old != new,
        reread=tuple(
            Reread(a, b, notes[0][a, b], notes[1][a, b]) for a, b in notes[0] if notes[0][a, b] != notes[1][a, b]
        ),
        stands=stands,
        best=drawn.levels,
        verdict=verdict(compared(asdict(stands), asdict(drawn.levels), new.rules), str(message("a draw made now"))),
        old_pairs=tuple(pair for key, pair in ours.items() if key not in now),
        new_pairs=tuple(pair for key, pair in now.items() if key not in ours),
    )


def reseated(request: Request, results: Sequence[Result], entrants: Sequence[Entrant], scheme: Scheme) -> Request:
    """The request with points, byes and floats from these results; with ranks if it was drawn by rank."""
    fresh = {seat.id: seat for seat in seats_from(results, entrants, scheme, request.round)}
    ranks: dict[str, int] = {}
    if any(seat.rank for seat in request.seats):
        earlier = [result for result in results if result.round < request.round]
        ranks = {row.id: row.rank for row in ranking_rows(earlier, entrants, scheme)}
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


def _couples(pairs: Sequence[Pair], bye: str | None) -> dict[frozenset[str | None], Couple]:
    couples: list[Couple] = [(pair.a, pair.b) for pair in pairs]
    return {frozenset(couple): couple for couple in (*couples, *([] if bye is None else [(bye, None)]))}


def _notes(request: Request, played: Paired) -> dict[Couple, tuple[Note, ...]]:
    pairs, bye = explain(request.round, request.seats, played.pairs, played.bye, request.rules)
    notes: dict[Couple, tuple[Note, ...]] = {(pair.a, pair.b): pair.notes for pair in pairs}
    return notes if played.bye is None else notes | {(played.bye, None): bye}
