"""The room that a round is played in: its tables in their order, and the scenarios laid out on them."""

from dataclasses import dataclass

from events.pairing.lots import lot

ALGORITHM = "overseer-room/1"
MOST_SCENARIOS = 200
"""More in a pool are refused: what they cost to place grows with their cube."""


@dataclass(frozen=True)
class Room:
    """Where a round is played: the tables that may be used, best first; those out of order are not among them.

    ``scenarios`` is the pool when each table has a scenario of its own; empty: one scenario for the round.
    """

    tables: tuple[int, ...] = ()
    """Empty: 1, 2, 3 ... as many as there are pairs."""
    top_first: bool = True
    """Top pairs sit on the first tables; otherwise the order of the tables is drawn by lot."""
    scenarios: tuple[str, ...] = ()


PLAIN_ROOM = Room()


def table_order(room: Room, games: int, *, seed: int, round_number: int) -> tuple[int, ...]:
    """The room's tables in the order in which the pairs of a round, top pair first, are wanted at them.

    Raises ValueError for fewer tables than games, and for one listed twice.
    """
    tables = room.tables or tuple(range(1, games + 1))
    if len(set(tables)) < len(tables):
        raise ValueError("a table is listed twice")
    if len(tables) < games:
        raise ValueError(f"{games} pairs need as many tables, and only {len(tables)} are given")
    if room.top_first:
        return tables
    return tuple(sorted(tables, key=lambda table: (lot(seed, ALGORITHM, round_number, "table", table), table)))
