"""The tables and scenarios of a round's pairs: the cheapest exact assignment, its costs, and notes on it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
from lap import lapjvx
from numpy.typing import NDArray

from events.tournament.pairing.notes import Figure, Note, NoteKind
from events.tournament.pairing.seats import Pair, Placement, Seat, lot, lot_grid

Level = NDArray[np.integer[Any]]
"""The cost of each row in each column on one level, in whole numbers from 0."""

EXACT = 2**53
"""Below this, whole numbers are exact in the solver's float64."""


def cheapest_assignment(levels: Sequence[Level], lots: NDArray[np.uint32]) -> list[int]:
    """A different column for each row, with the least sum on the first level, then on the second, and so on.

    All levels, and the lots, have the same shape, with at least one row and no more rows than columns. Between equal
    assignments the least sum of lots decides, using as many of each lot's 32 highest bits as the calculation allows to
    be exact. Raises ValueError if there is no assignment.
    """
    count = len(lots)
    rows = np.arange(count)
    total = levels[0].astype(np.float64)
    for level in levels[1:]:
        unit = int(level.max(axis=1).sum()) + 1
        if not _exact(count, int(total.max()) * unit + int(level.max())):
            # Only the best so far matter, with an upper bound of their best cost on the next level.
            columns = _solved(total)
            unit = int(level[rows, columns].sum()) + 1
            np.minimum(total, total[rows, columns].sum() + 1, out=total)
            level = np.minimum(level, unit)
        total *= unit
        total += level
        if not _exact(count, int(total.max())):
            raise ValueError(f"{count} pairs on {lots.shape[1]} tables are too many to be placed exactly")
    columns = _solved(total)
    best = int(total[rows, columns].sum())
    np.minimum(total, best + 1, out=total)
    bits = max((b for b in range(1, 33) if _exact(count, (best + 1) * count * 2**b + 2**b)), default=0)
    if not bits:
        return [int(column) for column in columns]
    total *= count * 2**bits
    total += lots >> np.uint32(32 - bits)
    return [int(column) for column in _solved(total)]


def _exact(rows: int, most: int) -> bool:
    """Whether the solver is exact with costs up to ``most``.

    It adds two costs to the prices of a row and of a column, and no price exceeds rows * most.
    """
    return (2 * rows + 2) * most < EXACT


def _solved(costs: NDArray[np.float64]) -> NDArray[np.intp]:
    """The column of each row."""
    columns: NDArray[np.intp] = lapjvx(costs, extend_cost=True, return_cost=False)[1]
    return columns


ALGORITHM = "overseer-room/1"
MOST_SCENARIOS = 200
"""The most scenarios in a pool. The time to place them grows with their cube."""


@dataclass(frozen=True)
class Room:
    """The usable tables of a round, best first, and its scenario pool.

    ``scenarios`` is the pool if each table has its own scenario; empty for one scenario for the round.
    """

    tables: tuple[int, ...] = ()
    """Empty means 1, 2, 3 ... for as many as there are pairs."""
    top_first: bool = True
    """Whether top pairs sit at the first tables; else the order of the tables is drawn by lot."""
    scenarios: tuple[str, ...] = ()
    vary: bool = True
    """Whether a table that a player has not had comes before the order of the tables."""


PLAIN_ROOM = Room()


def table_order(room: Room, games: int, *, seed: int, round_number: int) -> tuple[int, ...]:
    """The room's tables in the order in which they are given to the pairs of a round, top pair first.

    Raises ValueError for fewer tables than games, and for a repeated table.
    """
    tables = room.tables or tuple(range(1, games + 1))
    if len(set(tables)) < len(tables):
        raise ValueError("a table is listed twice")
    if len(tables) < games:
        raise ValueError(f"{games} pairs need as many tables, and only {len(tables)} are given")
    if room.top_first:
        return tables
    return tuple(sorted(tables, key=lambda table: (lot(seed, ALGORITHM, round_number, "table", table), table)))


FORBIDDEN = 2**52
"""More than any move costs: a path over all scenarios costs at most 2^32 for each of them."""


def assign_scenarios(
    pairs: Sequence[Pair], seats: Sequence[Seat], pool: Sequence[str], *, seed: int, round_number: int
) -> tuple[list[str], int]:
    """A scenario of the pool for each pair, in the order of the pairs, and how often players play theirs again.

    Minimises exactly, in this order: how often players have played their scenario before (each earlier time counts);
    the sum of the squared numbers of uses of each scenario in this round, so that all are used evenly; lots. Raises
    ValueError for a pool that is empty, too large, or lists a scenario twice.
    """
    if not pool or len(set(pool)) < len(pool) or len(pool) > MOST_SCENARIOS:
        raise ValueError(f"the scenarios must be a pool without repeats, of {MOST_SCENARIOS} at most")
    if not pairs:
        return [], 0
    names = sorted(pool)
    played = {seat.id: seat.scenarios for seat in seats}
    earlier = [(*played[pair.a], *played[pair.b]) for pair in pairs]
    again = np.array([[scenarios.count(name) for name in names] for scenarios in earlier])
    lots = lot_grid(len(pairs), len(names), seed, ALGORITHM, round_number, "scenarios").astype(np.int64)
    # Scenarios have no limit, so each pair takes one that its two players have played least. The levels below choose
    # among these.
    lots[again > again.min(axis=1, keepdims=True)] = FORBIDDEN
    chosen = _even(lots)
    return [names[k] for k in chosen], int(again[np.arange(len(pairs)), chosen].sum())


def _even(lots: NDArray[np.int64]) -> NDArray[np.intp]:
    """The column of each row, using columns evenly, then with the least sum of lots; never a forbidden place.

    Each row starts at its least lot, which is the best for that use of the columns. Then, as long as it helps, one more
    row moves from one column to another, through others in between if that is cheaper. Taking the cheapest path each
    time keeps it the best for that use of the columns. When no such move helps, none can: these are convex cost flows.
    (An assignment with a column for each use takes seconds for 2,048 pairs.)
    """
    columns = lots.shape[1]
    chosen: NDArray[np.intp] = lots.argmin(axis=1)
    evener = columns * 2**33  # more than the lots on any path
    while True:
        uses = np.bincount(chosen, minlength=columns)
        ways, movers = _moves(lots, chosen)
        ways, steps = _cheapest_ways(ways)
        # The change in the sum of squares from one more use here and one fewer there, and the lots on the path.
        gain = 2 * (uses[None, :] - uses[:, None] + 1) * evener + np.minimum(ways, FORBIDDEN)
        np.fill_diagonal(gain, 0)
        gain[ways >= FORBIDDEN // 2] = 0
        here, there = divmod(int(gain.argmin()), columns)
        if gain[here, there] >= 0:
            return chosen
        route = [here]
        while route[-1] != there:
            route.append(int(steps[route[-1], there]))
        for one, following in pairwise(route):
            chosen[movers[one, following]] = following


def _moves(lots: NDArray[np.int64], chosen: NDArray[np.intp]) -> tuple[NDArray[np.int64], NDArray[np.intp]]:
    """For each two columns, the least change in lots from moving one row from the first to the second, and that row."""
    columns = lots.shape[1]
    ways = np.full((columns, columns), FORBIDDEN)
    movers = np.zeros((columns, columns), dtype=np.intp)
    for column in range(columns):
        here = np.flatnonzero(chosen == column)
        if len(here):
            change = lots[here] - lots[here, column][:, None]
            least = change.argmin(axis=0)
            ways[column], movers[column] = change[least, np.arange(columns)], here[least]
    np.fill_diagonal(ways, 0)
    return ways, movers


def _cheapest_ways(ways: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.intp]]:
    """The cheapest path between each two columns through any others, and its first step (Floyd–Warshall)."""
    columns = len(ways)
    cheapest, steps = ways.copy(), np.tile(np.arange(columns), (columns, 1))
    for between in range(columns):
        over = cheapest[:, between, None] + cheapest[None, between, :]
        better = over < cheapest
        cheapest[better] = over[better]
        steps[better] = np.broadcast_to(steps[:, between, None], steps.shape)[better]
    return cheapest, steps


def assign_tables(
    pairs: Sequence[Pair],
    seats: Sequence[Seat],
    order: Sequence[int],
    *,
    seed: int,
    round_number: int,
    vary: bool = True,
) -> tuple[list[int], Placement]:
    """A table for each pair, in the order of the pairs, and what they weigh together.

    ``pairs`` are top pair first, and ``order`` has the tables as ``room.table_order`` returns them. Minimises exactly,
    in this order: players away from their fixed table; how often players sit at a table again (each earlier time
    counts; one's own fixed table does not); the sum of squared steps by which pairs are moved from "first pair, first
    table"; lots. Unless tables ``vary``, the squared steps come before tables again. Raises ValueError for more than
    can be placed exactly.
    """
    if not pairs:
        return [], Placement()
    by_id = {seat.id: seat for seat in seats}
    couples = [(by_id[pair.a], by_id[pair.b]) for pair in pairs]
    kept = _within_reach(couples, order)
    column = {order[k]: at for at, k in enumerate(kept)}
    shape = len(pairs), len(kept)
    repeats, missed = np.zeros(shape, np.int16), np.zeros(shape, np.int8)
    for row, couple in enumerate(couples):
        for seat in couple:
            for table in seat.tables:
                if table in column and table != seat.fixed_table:
                    repeats[row, column[table]] += 1
            if seat.fixed_table is not None:
                missed[row] += 1
                if seat.fixed_table in column:
                    missed[row, column[seat.fixed_table]] -= 1
    if not missed.any() and not (vary and repeats.diagonal().any()):
        return list(order[: len(pairs)]), Placement(table_repeats=int(repeats.diagonal().sum()))
    steps = (np.arange(len(pairs), dtype=np.int32)[:, None] - np.array(kept, dtype=np.int32)[None, :]) ** 2
    lots = lot_grid(len(pairs), len(order), seed, ALGORITHM, round_number, "tables")
    if len(kept) < len(order):
        lots = lots[:, kept]
    lower: list[Level] = [repeats, steps] if vary else [steps, repeats]
    levels = [missed, *lower] if missed.any() else lower
    columns = cheapest_assignment(levels, lots)
    weighed = (int(level[np.arange(len(pairs)), columns].sum()) for level in (missed, repeats, steps))
    return [order[kept[k]] for k in columns], Placement(*weighed)


def _within_reach(couples: Sequence[tuple[Seat, Seat]], order: Sequence[int]) -> list[int]:
    """The positions in ``order`` that a best assignment can use, ascending; few of them in a large hall.

    If pair i were away from a fixed table at place k > i + (pairs - 1) + its used tables, then one of the places from i
    to k would be free, unused by it, and nearer.
    """
    used = max(len({*a.tables, *b.tables}) for a, b in couples)
    fixed = {seat.fixed_table for couple in couples for seat in couple}
    return [k for k, table in enumerate(order) if k < 2 * len(couples) - 1 + used or table in fixed]


def block_tables(block: int, size: int) -> range:
    """The adjacent tables of a block, the lowest for board 1; blocks count from 1."""
    return range((block - 1) * size + 1, block * size + 1)


def block_of(table: int, size: int) -> int:
    """The block of a table."""
    return (table - 1) // size + 1


def blocks_of(tables: Iterable[int], size: int) -> list[int]:
    """The blocks whose tables are all usable, best first."""
    usable = set(tables)
    blocks = {block_of(table, size) for table in usable}
    return [block for block in sorted(blocks) if usable.issuperset(block_tables(block, size))]


def place_pairs(
    pairs: Sequence[Pair], seats: Sequence[Seat], room: Room, *, seed: int, round_number: int
) -> tuple[tuple[Pair, ...], Placement]:
    """The same pairs, top pair first, each with its table and, if the room has a pool, its scenario.

    Notes on unusual places are added to the pairs. Raises ValueError if there are too few tables.
    """
    order = table_order(room, len(pairs), seed=seed, round_number=round_number)
    tables, weighed = assign_tables(pairs, seats, order, seed=seed, round_number=round_number, vary=room.vary)
    scenarios: Sequence[str | None] = [None] * len(pairs)
    if room.scenarios:
        scenarios, again = assign_scenarios(pairs, seats, room.scenarios, seed=seed, round_number=round_number)
        weighed = replace(weighed, scenario_repeats=again)
    placed = [
        replace(pair, table=table, scenario=scenario)
        for pair, table, scenario in zip(pairs, tables, scenarios, strict=True)
    ]
    counted = count_placement(placed, seats, order)
    if counted != weighed:
        raise RuntimeError(f"the placing weighed {weighed} what counts {counted}")
    notes = explain_places(placed, seats, order, proven=True, vary=room.vary)
    noted = (replace(pair, notes=(*pair.notes, *added)) for pair, added in zip(placed, notes, strict=True))
    return tuple(noted), counted


def count_placement(pairs: Sequence[Pair], seats: Sequence[Seat], order: Sequence[int]) -> Placement:
    """The cost of these tables and scenarios on each level, top pair first; also for manual changes.

    ``order`` has the tables as ``table_order`` returns them; other tables count as after the last. Raises KeyError for
    a pair without seats.
    """
    by_id = {seat.id: seat for seat in seats}
    at = {table: place for place, table in enumerate(order)}
    missed = again = steps = scenarios = 0
    for place, pair in enumerate(pairs):
        for seat in (by_id[pair.a], by_id[pair.b]):
            if seat.fixed_table is not None and seat.fixed_table != pair.table:
                missed += 1
            if pair.table is not None and pair.table != seat.fixed_table:
                again += seat.tables.count(pair.table)
            if pair.scenario is not None:
                scenarios += seat.scenarios.count(pair.scenario)
        if pair.table is not None:
            steps += (place - at.get(pair.table, len(order))) ** 2
    return Placement(missed, again, steps, scenarios)


def explain_places(
    pairs: Sequence[Pair], seats: Sequence[Seat], order: Sequence[int], *, proven: bool = False, vary: bool = True
) -> list[tuple[Note, ...]]:
    """Notes on each pair's unusual table and scenario; ``proven`` if the placing is known to be the best.

    Unless the tables ``vary``, their order comes before tables again, and the notes say so.
    """
    by_id = {seat.id: seat for seat in seats}
    couples = [(by_id[pair.a], by_id[pair.b]) for pair in pairs]
    fixed = {seat.fixed_table for couple in couples for seat in couple}

    def notes(pair: Pair, couple: tuple[Seat, Seat]) -> Iterator[Note]:
        for seat, other in (couple, couple[::-1]):
            wanted = seat.fixed_table
            if wanted is not None and wanted != pair.table:
                yield _missed(wanted, other, pair.table, order)
        if pair.table is not None:
            often = [seat.tables.count(pair.table) for seat in couple if seat.fixed_table != pair.table]
            if any(often):
                best = "in_order" if not vary else "repeats" if fixed == {None} else "repeats_fixed"
                yield Note(NoteKind.TABLE_AGAIN, {**_repeats(often), "table": pair.table} | _proof(best, proven))
        if pair.scenario is not None:
            often = [seat.scenarios.count(pair.scenario) for seat in couple]
            if any(often):
                yield Note(NoteKind.SCENARIO_AGAIN, _repeats(often) | _proof("scenarios", proven))

    return [tuple(notes(pair, couple)) for pair, couple in zip(pairs, couples, strict=True)]


def _missed(wanted: int, other: Seat, table: int | None, order: Sequence[int]) -> Note:
    """Why a fixed table was not kept."""
    if wanted not in order:
        return Note(NoteKind.FIXED_TABLE_OUT, {"table": wanted})
    if table is not None and other.fixed_table == table:
        return Note(NoteKind.FIXED_TABLE_OPPONENT, {"table": wanted, "other_table": table})
    return Note(NoteKind.FIXED_TABLE_TAKEN, {"table": wanted})


def _repeats(often: Sequence[int]) -> dict[str, Figure]:
    return {"who": sum(map(bool, often)), "often": max(often)}


def _proof(best: str, proven: bool) -> dict[str, Figure]:
    return {"best": best} if proven else {}
