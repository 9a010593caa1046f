"""The winners of awards, from the final standings and the soft scores. Pure."""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from languages.message import Text

Kind = Literal["place", "team", "overall", "painted", "painted_vote", "sport", "most_vp", "faction", "spoon", "own"]


@dataclass(frozen=True)
class Contender:
    """A player with the figures used for awards. ``stays`` is False for dropped and disqualified players."""

    id: str
    rank: int
    faction: str
    vp: int
    overall: Fraction
    painting: Fraction
    votes: int
    sport: Fraction
    stays: bool = True
    team: tuple[str, int | None] = ("", None)
    """The name of the player's team, and its place among the teams of which somebody stays."""
    how: Text = ""
    """How the place in a knockout was won; "" if points gave the rank."""


@dataclass(frozen=True)
class Wanted:
    """One award, in the event's order; ``named`` are the manually named winners."""

    id: int
    kind: Kind
    place: int | None = None
    named: tuple[tuple[str, str], ...] = ()
    """Pairs of faction ("" for none) and player."""


@dataclass(frozen=True)
class Won:
    award: int
    faction: str
    winners: tuple[str, ...]
    """Several winners share the award; empty if nobody qualifies."""
    level: tuple[str, ...] = ()
    """Players with the winning figure but a lower rank."""
    by_hand: bool = False


def award_winners(wanted: Sequence[Wanted], field: Sequence[Contender], *, least: int, one_each: bool) -> list[Won]:
    """The winners of all awards, in their order.

    The best figure wins. Ties go to the higher rank, and equal ranks share the award. Dropped and disqualified players
    win only if named; for an award of a place, those behind them move up. A faction needs ``least`` players for an
    award of its own; it goes to the best without a place that has an award, so that it gives no place away. With
    ``one_each`` a player wins at most one award, places not counted.
    """
    winners: list[Won] = []
    done: set[str] = set()
    placed = {id_ for award in wanted if award.kind == "place" for id_ in _one(award, "", field, ()).winners}
    for award in wanted:
        taken = {*(done if one_each else ()), *(placed if award.kind == "faction" else ())}
        for won in _of(award, field, least, taken):
            winners.append(won)
            done |= set(won.winners)
    return winners


def _of(award: Wanted, field: Sequence[Contender], least: int, done: Collection[str]) -> Iterator[Won]:
    if award.kind == "faction":
        sizes = Counter(contender.faction for contender in field if contender.faction)
        large = [faction for faction in sorted(sizes, key=str.casefold) if sizes[faction] >= least]
        for faction in large:
            yield _one(award, faction, [contender for contender in field if contender.faction == faction], done)
        if not large:
            yield Won(award.id, "", ())
        return
    yield _one(award, "", field, done)


def _one(award: Wanted, faction: str, field: Sequence[Contender], done: Collection[str]) -> Won:
    named = tuple(player for of, player in award.named if of == faction)
    if named:
        return Won(award.id, faction, named, by_hand=True)
    here = [contender for contender in field if contender.stays]
    if award.kind == "place":
        gone = [contender.rank for contender in field if not contender.stays]
        places = {contender.id: contender.rank - sum(rank < contender.rank for rank in gone) for contender in here}
        return Won(award.id, faction, tuple(id_ for id_, place in places.items() if place == award.place))
    if award.kind == "team":
        return Won(award.id, faction, tuple(contender.id for contender in here if contender.team[1] == award.place))
    if award.kind == "own":
        return Won(award.id, faction, ())
    best = _best([contender for contender in here if contender.id not in done], MEASURES[award.kind])
    first = min((contender.rank for contender in best), default=0)
    if award.kind == "spoon":
        first = max((contender.rank for contender in best), default=0)
    winners = tuple(contender.id for contender in best if contender.rank == first)
    return Won(award.id, faction, winners, tuple(contender.id for contender in best if contender.rank != first))


Measure = Callable[[Contender], Fraction | None]


def _best(field: Sequence[Contender], measure: Measure) -> list[Contender]:
    """The contenders with the highest figure; those whose figure is None are ignored."""
    figures = {contender.id: value for contender in field if (value := measure(contender)) is not None}
    most = max(figures.values(), default=None)
    return [contender for contender in field if most is not None and figures.get(contender.id) == most]


def _counted(value: Fraction | int) -> Fraction | None:
    """The figure; None for 0, because a zero wins no award."""
    return Fraction(value) if value > 0 else None


MEASURES: dict[Kind, Measure] = {
    "overall": lambda contender: contender.overall,
    "painted": lambda contender: _counted(contender.painting),
    "painted_vote": lambda contender: _counted(contender.votes),
    "sport": lambda contender: _counted(contender.sport),
    "most_vp": lambda contender: _counted(contender.vp),
    "faction": lambda contender: Fraction(-contender.rank),
    "spoon": lambda contender: Fraction(contender.rank),
}
