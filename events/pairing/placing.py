"""The tables and scenarios of a round's pairs, with their costs and notes."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from events.pairing.explain import times
from events.pairing.seats import Pair, Placement, Seat
from events.pairing.tables import Room, assign_scenarios, assign_tables, table_order


def place_pairs(
    pairs: Sequence[Pair], seats: Sequence[Seat], room: Room, *, seed: int, round_number: int
) -> tuple[tuple[Pair, ...], Placement]:
    """The same pairs, top pair first, each with its table and, if the room has a pool, its scenario.

    Notes on unusual places are added to the pairs. Raises ValueError if there are too few tables.
    """
    order = table_order(room, len(pairs), seed=seed, round_number=round_number)
    tables, weighed = assign_tables(pairs, seats, order, seed=seed, round_number=round_number)
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
    notes = explain_places(placed, seats, order, proven=True)
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
    pairs: Sequence[Pair], seats: Sequence[Seat], order: Sequence[int], *, proven: bool = False
) -> list[tuple[str, ...]]:
    """Notes on each pair's unusual table and scenario; ``proven`` if the placing is known to be the best."""
    by_id = {seat.id: seat for seat in seats}
    couples = [(by_id[pair.a], by_id[pair.b]) for pair in pairs]
    fixed = {seat.fixed_table for couple in couples for seat in couple}

    def notes(pair: Pair, couple: tuple[Seat, Seat]) -> Iterator[str]:
        for seat, other in (couple, couple[::-1]):
            wanted = seat.fixed_table
            if wanted is not None and wanted != pair.table:
                yield f"fixed table {wanted} not kept: {_why(wanted, other, pair.table, order)}"
        if pair.table is not None:
            often = [seat.tables.count(pair.table) for seat in couple if seat.fixed_table != pair.table]
            if any(often):
                best = "no placing has fewer repeats" + (" and keeps the fixed tables" if fixed != {None} else "")
                yield f"table again: {_who(often)} sat at table {pair.table} {_often(often)}" + _proof(best, proven)
        if pair.scenario is not None:
            often = [seat.scenarios.count(pair.scenario) for seat in couple]
            if any(often):
                best = "no scenario of the pool was played less by these two"
                yield f"scenario again: {_who(often)} played it {_often(often)}" + _proof(best, proven)

    return [tuple(notes(pair, couple)) for pair, couple in zip(pairs, couples, strict=True)]


def _why(wanted: int, other: Seat, table: int | None, order: Sequence[int]) -> str:
    if wanted not in order:
        return "it is not among the tables in order"
    if other.fixed_table is not None and other.fixed_table == table:
        return f"the opponent's table {table} is"
    return "another pair sits there"


def _who(often: Sequence[int]) -> str:
    return "both" if sum(map(bool, often)) == 2 else "one of the two"


def _often(often: Sequence[int]) -> str:
    most = max(often)
    return "before" if most == 1 else f"{times(most)} before"


def _proof(best: str, proven: bool) -> str:
    return f"; {best}" if proven else ""
