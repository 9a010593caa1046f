"""The room of a round: what the event's settings and its players leave of tables and scenarios for the draw."""

from collections.abc import Iterable
from itertools import count, islice

from events.pairing.room import Room
from events.pairing.teams import blocks_of
from events.team_reading import is_team_event
from models.event import Event, Round


def room_of(event: Event, a_round: Round, games: int, fixed: Iterable[int] = ()) -> Room:
    """The tables in order, lowest first, and the pool where each table draws its scenario.

    Without a set number there are as many tables as ``games``, and the fixed tables beside them. In a team event
    ``games`` are matches, and the tables blocks of tables; all of them play one scenario.
    """
    out = frozenset(event.tables_out or ())
    if event.tables is None:
        wanted = games * event.team_size
        tables = list(islice((table for table in count(1) if table not in out), wanted))
        tables += [table for table in fixed if table not in out]
    else:
        tables = [table for table in range(1, event.tables + 1) if table not in out]
    if is_team_event(event):
        return Room(tuple(blocks_of(tables, event.team_size)), event.top_tables)
    pool = tuple(event.scenario_pool) if draws_for_each_table(event, a_round) else ()
    return Room(tuple(sorted(set(tables))), event.top_tables, pool)


def draws_for_each_table(event: Event, a_round: Round) -> bool:
    """Whether the tables of this round draw a scenario each: none was chosen for it, and the event says so."""
    chosen = a_round.scenario is not None and not a_round.scenario_drawn
    return event.scenario_per_table and not chosen and not is_team_event(event)
