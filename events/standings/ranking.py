"""The standings: tournament points, then tie-breaks, each figure with its arithmetic; knockout places; cross table."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm
from typing import Literal

from events.pairing.knockout import Place
from events.play.figures import Entrant, Figure, Result, Scheme, minus
from events.standings.records import Record, bye_worth, records, worths
from events.standings.tie_breaks import TIE_BREAKS, UNPLAYED, Book, TieBreak, vp, vp_difference


@dataclass(frozen=True)
class Cell:
    """One game as the player of the row sees it; without VP it was not played, for one of them did not come.

    An ``outcome`` of "–" is a game to which both came, and which was not played.
    """

    round: int
    outcome: Literal["W", "D", "L", "–"]
    vp: int | None = None
    vp_against: int | None = None


def cross_table(results: Iterable[Result]) -> dict[tuple[str, str], tuple[Cell, ...]]:
    """The games of each two who met, from both sides, by the round; byes stand in no cell."""
    cells: dict[tuple[str, str], list[Cell]] = {}
    for r in sorted(results, key=lambda r: r.round):
        if r.b is None:
            continue
        for side, own, other, gained, against in (("a", r.a, r.b, r.vp_a, r.vp_b), ("b", r.b, r.a, r.vp_b, r.vp_a)):
            if r.absent is not None:
                cell = Cell(r.round, "L" if r.absent in (side, "both") else "W")
            elif not r.played:
                cell = Cell(r.round, "–")
            else:
                cell = Cell(r.round, "D" if r.winner == "draw" else "W" if r.winner == side else "L", gained, against)
            cells.setdefault((own, other), []).append(cell)
    return {pair: tuple(games) for pair, games in cells.items()}


@dataclass(frozen=True)
class Row:
    """One player's line. ``played``, wins, draws and losses are games at the table; byes stand apart."""

    rank: int
    """From 1; shared where every figure is equal."""
    id: str
    name: str
    dropped: bool
    played: int
    wins: int
    draws: int
    losses: int
    byes: int
    """Byes from the draw."""
    points: int
    vp: int
    vp_difference: int
    figures: tuple[Figure, ...]
    """One for each of the scheme's tie-breaks, in its order."""
    how: dict[str, str]
    """How each figure was made, in a line: "points", "vp", "vp_difference" and every tie-break by its id."""
    unplayed: tuple[str, ...] = ()
    """Every round without a game in words, in order: "bye", "no-show"."""
    disqualified: bool = False


def standings(results: Sequence[Result], entrants: Iterable[Entrant], scheme: Scheme) -> list[Row]:
    """Everyone's rows, best first, from finished and confirmed results; players level in all stand by name.

    Whoever is disqualified stands behind all others. For the standings after round n, give the results of rounds 1 to
    n. Raises ValueError for an unknown or repeated tie-break, and as ``records`` does.
    """
    book = Book(records(results, entrants, scheme), scheme, bye_worth(results, scheme))
    ranked = [record for record in book.records.values() if not record.entrant.ringer]
    by_name = sorted(ranked, key=lambda r: (r.entrant.name.casefold(), r.entrant.id))
    figures: dict[str, list[Figure]] = {record.entrant.id: [] for record in by_name}
    level = split([record.entrant.id for record in by_name], lambda id_: not book.records[id_].entrant.disqualified)
    level = [part for tied in level for part in split(tied, lambda id_: book.records[id_].points)]
    for tie_break in chosen(scheme.tie_breaks):
        for tied in level:
            for id_ in tied:
                figures[id_].append(tie_break.function(book, id_, tied))
        level = [part for tied in level for part in split(tied, lambda id_: figures[id_][-1].value)]
    rows: list[Row] = []
    for tied in level:
        rank = len(rows) + 1
        rows += [_row(rank, book, book.records[id_], tuple(figures[id_])) for id_ in tied]
    return rows


def chosen(ids: Sequence[str]) -> list[TieBreak]:
    """The tie-breaks of these ids. Raises ValueError, in words, for one that is unknown or named twice."""
    for id_ in ids:
        if id_ not in TIE_BREAKS:
            raise ValueError(f"there is no tie-break {id_!r}; there are {', '.join(TIE_BREAKS)}")
    if len(set(ids)) < len(ids):
        raise ValueError("a tie-break is named twice")
    return [TIE_BREAKS[id_] for id_ in ids]


def split(ids: Sequence[str], value: Callable[[str], Fraction | int]) -> list[list[str]]:
    """The ids in groups of equal value, the highest first; inside a group the order stays.

    They are compared as whole numbers over one denominator: the same order, far quicker.
    """
    if len(ids) == 1:
        return [list(ids)]
    values = [value(id_) for id_ in ids]
    below = lcm(*(one.denominator for one in values))
    groups: dict[int, list[str]] = {}
    for id_, one in zip(ids, values, strict=True):
        groups.setdefault(one.numerator * (below // one.denominator), []).append(id_)
    return [groups[v] for v in sorted(groups, reverse=True)]


def _row(rank: int, book: Book, record: Record, figures: tuple[Figure, ...]) -> Row:
    id_ = record.entrant.id
    of_tie_breaks = {name: figure.how for name, figure in zip(book.scheme.tie_breaks, figures, strict=True)}
    how = {"points": points_how(record, book.scheme)} | of_tie_breaks
    for name, function in (("vp", vp), ("vp_difference", vp_difference)):
        if name not in how:
            how[name] = function(book, id_, ()).how
    return Row(
        rank=rank,
        id=id_,
        name=record.entrant.name,
        dropped=record.entrant.dropped_after is not None,
        played=len(record.games),
        wins=record.wins,
        draws=record.draws,
        losses=record.losses,
        byes=len(record.bye_rounds),
        unplayed=tuple(UNPLAYED[one.kind][0] for one in record.unplayed if one.kind != "late" or one.points),
        points=record.points,
        vp=record.vp,
        vp_difference=record.vp_difference,
        figures=figures,
        how=how,
        disqualified=record.entrant.disqualified,
    )


def points_how(record: Record, scheme: Scheme) -> str:
    """ "2 wins x 3 + 1 draw x 1 + 1 bye x 3 + 2 bonus = 12"."""
    counts = [
        (record.wins, "win", "wins", scheme.win),
        (record.draws, "draw", "draws", scheme.draw),
        (record.losses, "loss", "losses", scheme.loss),
    ]
    for kind, (points, _) in worths(scheme, 0).items():
        if points or kind != "late":
            counts.append((sum(one.kind == kind for one in record.unplayed), *UNPLAYED[kind], points))
    terms = [f"{n} {one if n == 1 else many} × {worth}" for n, one, many, worth in counts if n]
    if record.entrant.bonus:
        terms.append(f"{minus(record.entrant.bonus)} {record.entrant.bonus_for}")
    return f"{' + '.join(terms) or 'nothing to add'} = {minus(record.points)}"


def final_places(rows: Sequence[Row], places: Sequence[Place]) -> list[Row]:
    """The rows in their final order, ranks to match; ``how["place"]`` tells how a place in the knockout came about.

    Whoever was not in the knockout keeps the order of the rows below it, shared ranks too; whoever is disqualified
    stands with them, and the places behind move up. Raises KeyError for a place of somebody without a row.
    """
    by_id = {row.id: row for row in rows}
    out = [place.place for place in places if by_id[place.id].disqualified]
    places = [place for place in places if not by_id[place.id].disqualified]
    first = [
        replace(by_id[p.id], rank=p.place - sum(one < p.place for one in out), how=by_id[p.id].how | {"place": p.how})
        for p in places
    ]
    done = {place.id for place in places}
    rest = [row for row in rows if row.id not in done]
    ranks: dict[int, int] = {}
    for number, row in enumerate(rest, start=len(first) + 1):
        ranks.setdefault(row.rank, number)
    return [*first, *(replace(row, rank=ranks[row.rank]) for row in rest)]
