"""The standings of an event with a knockout: its places first, then everybody else as the other rounds rank them."""

from collections.abc import Sequence
from dataclasses import replace

from events.pairing.knockout import Place
from events.pairing.standings import Row


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
