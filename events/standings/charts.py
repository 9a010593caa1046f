"""The charts of standings and seasons, from standings that the reader may see."""

from collections.abc import Sequence

from events.charts.drawing import Chart
from events.charts.lines import Line, points_chart
from events.charts.ranks import rank_chart
from events.tournament.ranking import Row
from events.tournament.season import season_in
from models.event import Event, EventState
from models.play import Player

WEEK = 7


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


def points_chart_of(event: Event, each: Sequence[Sequence[Row]]) -> Chart | None:
    """The points in a season of drawn rounds after each of these rounds; None where players challenge each other."""
    season = season_in(event.season)
    if season is None or season.by_challenge or not each:
        return None
    points = [{row.id: row.points for row in rows} for rows in each]
    lines = [Line(row.name, tuple(after.get(row.id) for after in points)) for row in each[-1] if not row.disqualified]
    return points_chart("points", lines, heading="Week" if season.days == WEEK else "Round") if lines else None
