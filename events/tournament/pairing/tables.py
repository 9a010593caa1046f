"""The tables and scenarios of a round's pairs: the cheapest exact assignment, its costs, and notes on it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from events.tournament.pairing.assignment import cheapest_assignment
from events.tournament.pairing.notes import Figure, Note, NoteKind
from events.tournament.pairing.seats import Pair, Placement, Seat, lot, lot_grid

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
    again = [[scenarios.count(name) for name in names] for scenarios in earlier]
    grid = lot_grid(len(pairs), len(names), seed, ALGORITHM, round_number, "scenarios")
    # Scenarios have no limit, so each pair takes one that its two players have played least. The levels below choose
    # among these.
    allowed = [
        {column: drawn for column, drawn in enumerate(lots) if counts[column] == least}
        for counts, lots, least in zip(again, grid, map(min, again), strict=True)
    ]
    chosen = _even(allowed, len(names))
    return [names[k] for k in chosen], sum(counts[k] for counts, k in zip(again, chosen, strict=True))


def _even(lots: Sequence[Mapping[int, int]], columns: int) -> list[int]:
    """The column of each row among those with a lot, using columns evenly, then with the least sum of lots.

    Rows come one by one. A new one takes the cheapest column, from which others may move on: taking the cheapest path
    each time keeps it the best for the rows so far, for these are convex cost flows. (An assignment with a column for
    each use takes seconds for 2,048 pairs.)
    """
    evener = columns * 2**33  # more than the lots on any path
    rows_of: list[list[int]] = [[] for _ in range(columns)]
    moves: list[dict[int, tuple[int, int]]] = [{} for _ in range(columns)]
    """From each column to others: the least change in lots by moving a row there, and that row."""
    for row, ours in enumerate(lots):
        costs, before, reached = dict(ours), dict.fromkeys(ours, -1), list(ours)
        for column in reached:  # grows; Bellman and Ford
            for other, (change, _) in moves[column].items():
                if other not in costs or costs[column] + change < costs[other]:
                    costs[other], before[other] = costs[column] + change, column
                    reached.append(other)
        column = min(costs, key=lambda number: costs[number] + 2 * len(rows_of[number]) * evener)
        route = [column]
        while before[column] >= 0:
            column = before[column]
            mover = moves[column][route[-1]][1]
            rows_of[column].remove(mover)
            rows_of[route[-1]].append(mover)
            route.append(column)
        rows_of[column].append(row)
        for column in route:
            moves[column] = {}
            for mover, (other, drawn) in ((number, to) for number in rows_of[column] for to in lots[number].items()):
                move = drawn - lots[mover][column], mover
                if other != column:
                    moves[column][other] = min(moves[column].get(other, move), move)
    chosen = {row: column for column, rows in enumerate(rows_of) for row in rows}
    return [chosen[row] for row in range(len(lots))]


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
    table"; lots. Unless tables ``vary``, the squared steps come before tables again.
    """
    if not pairs:
        return [], Placement()
    by_id = {seat.id: seat for seat in seats}
    couples = [(by_id[pair.a], by_id[pair.b]) for pair in pairs]
    kept = _within_reach(couples, order)
    column = {order[k]: at for at, k in enumerate(kept)}
    repeats, missed = ([[0] * len(kept) for _ in pairs] for _ in range(2))
    for row, couple in enumerate(couples):
        for seat in couple:
            for table in seat.tables:
                if table in column and table != seat.fixed_table:
                    repeats[row][column[table]] += 1
            if seat.fixed_table is not None:
                missed[row] = [count + 1 for count in missed[row]]
                if seat.fixed_table in column:
                    missed[row][column[seat.fixed_table]] -= 1
    in_order = sum(repeats[row][row] for row in range(len(pairs)))
    if not any(map(any, missed)) and not (vary and in_order):
        return list(order[: len(pairs)]), Placement(table_repeats=in_order)
    steps = [[(row - at) ** 2 for at in kept] for row in range(len(pairs))]
    lots = lot_grid(len(pairs), len(order), seed, ALGORITHM, round_number, "tables")
    if len(kept) < len(order):
        lots = [tuple(row[at] for at in kept) for row in lots]
    lower = [repeats, steps] if vary else [steps, repeats]
    levels = [missed, *lower] if any(map(any, missed)) else lower
    columns = cheapest_assignment(levels, lots)
    weighed = (
        sum(row[column] for row, column in zip(level, columns, strict=True)) for level in (missed, repeats, steps)
    )
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
    if wanted not in order:
        return Note(NoteKind.FIXED_TABLE_OUT, {"table": wanted})
    if table is not None and other.fixed_table == table:
        return Note(NoteKind.FIXED_TABLE_OPPONENT, {"table": wanted, "other_table": table})
    return Note(NoteKind.FIXED_TABLE_TAKEN, {"table": wanted})


def _repeats(often: Sequence[int]) -> dict[str, Figure]:
    return {"who": sum(map(bool, often)), "often": max(often)}


def _proof(best: str, proven: bool) -> dict[str, Figure]:
    return {"best": best} if proven else {}
