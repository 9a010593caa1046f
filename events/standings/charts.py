"""The charts of standings pages, from standings that the reader may see."""

from collections.abc import Sequence

from events.charts.drawing import Chart
from events.charts.lines import Line
from events.charts.ranks import rank_chart
from events.tournament.ranking import Row
from models.event import Event, EventState
from models.play import Player


def rank_chart_of(event: Event, each: Sequence[Sequence[Row]], me: Player | None, *, final: bool) -> Chart | None:
    """The ranks after each of these rounds, the reader's first; none for a season, whose rounds are open together.

    ``final``: these are all complete rounds.
    """
    if event.season is not None or not each:
        return None
    ranks = [{row.id: row.rank for row in rows if not row.dropped and not row.disqualified} for rows in each]
    last = [row for row in each[-1] if not row.disqualified]
    lines = [Line(row.name, tuple(after.get(row.id) for after in ranks)) for row in last]
    own = [i for i, row in enumerate(last) if me is not None and row.id == str(me.id)]
    return rank_chart("ranks", lines, own, final=final and event.state == EventState.FINISHED)
