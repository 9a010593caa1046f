"""A phone at a table of its own: its reports one after the other, each of the version that it knows."""

from tests.chaos.hall import Table
from tests.chaos.history import Sent


def next_report(table: Table, version: int) -> Sent:
    """The first side's report after so many, with figures that none of the five before it had; not sent yet."""
    of_a, of_b = version % 6, version // 6 % 6
    key = f"{table.game_id}-{version}-of-this-phone"
    fields = table.report("a", version, of_a, of_b, key)
    figures = {"a.objectives": of_a, "b.objectives": of_b}
    return Sent(table.game_id, "a", version, figures, key, fields, table.a)
