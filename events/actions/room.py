"""The room of a round: what the event's settings and its players leave of tables and scenarios for the draw."""

from collections.abc import Iterable
from itertools import count, islice

from events.pairing.room import Room
from events.pairing.teams import block_tables, blocks_of
from events.team_reading import is_team_event
from models.event import Event, Round


def room_of(event: Event, a_round: Round, games: int, fixed: Iterable[int] = ()) -> Room:
    """The tables in order, lowest first, and the pool where each table draws its scenario.

    Without a set number there are as many tables as ``games``, and the fixed tables beside them. In a team event
    ``games`` are matches, and the tables and ``fixed`` blocks of tables; all of them play one scenario.
    """
    if is_team_event(event):
        out = frozenset(event.tables_out or ())
        return Room(tuple(_blocks(event, games, fixed, out)), event.top_tables)
    pool = tuple(event.scenario_pool) if draws_for_each_table(event, a_round) else ()
    return Room(tuple(tables_of(event, games, fixed)), event.top_tables, pool)


def tables_of(event: Event, games: int, fixed: Iterable[int] = ()) -> list[int]:
    """The numbers of the tables that can be used, lowest first: all that are set, else enough for so many games and
    the fixed ones beside them.
    """
    out = frozenset(event.tables_out or ())
    if event.tables is not None:
        return [table for table in range(1, event.tables + 1) if table not in out]
    enough = islice((table for table in count(1) if table not in out), games)
    return sorted({*enough, *(table for table in fixed if table not in out)})


def _blocks(event: Event, matches: int, fixed: Iterable[int], out: frozenset[int]) -> list[int]:
    """The blocks of which every table is in order, lowest first."""
    size = event.team_size
    if event.tables is not None:
        return blocks_of((table for table in range(1, event.tables + 1) if table not in out), size)
    whole = (block for block in count(1) if out.isdisjoint(block_tables(block, size)))
    beside = {block for block in fixed if out.isdisjoint(block_tables(block, size))}
    return sorted({*islice(whole, matches), *beside})


def draws_for_each_table(event: Event, a_round: Round) -> bool:
    """Whether the tables of this round draw a scenario each: none was chosen for it, and the event says so."""
    chosen = a_round.scenario is not None and not a_round.scenario_drawn
    return event.scenario_per_table and not chosen and not is_team_event(event)
