"""The charts of standings and seasons, from standings that the reader may see."""

from collections.abc import Mapping, Sequence

from events.charts.drawing import Chart, Mark, faction_mark
from events.charts.lines import ChartLine, points_chart
from events.charts.ranks import rank_chart
from events.tournament.ranking import Row
from models.event import Event, EventState
from models.play import Player
from validators import FACTIONS

WEEK = 7


def mark_of_player(player: Player) -> Mark | None:
    """The mark of the player's faction; None without one."""
    return faction_mark(FACTIONS, player.faction) if player.faction else None


def rank_chart_of(
    event: Event, each: Sequence[Sequence[Row]], people: Mapping[str, Player], me: Player | None, *, final: bool
) -> Chart | None:
    """The ranks after each of these rounds, the reader's first; none for a season, whose rounds are open together.

    ``people`` by the rows' ids give the hues. ``final``: these are all complete rounds.
    """
    if event.season is not None or not each:
        return None
    ranks = [{row.id: row.rank for row in rows if not row.disqualified} for rows in each]
    last = [row for row in each[-1] if not row.disqualified]
    marks = [mark_of_player(people[row.id]) if row.id in people else None for row in last]
    lines = [
        ChartLine(row.name, tuple(after.get(row.id) for after in ranks), mark.hue if mark else None)
        for row, mark in zip(last, marks, strict=True)
    ]
    mine = [i for i, row in enumerate(last) if me is not None and row.id == str(me.id)]
    return rank_chart("ranks", lines, mine, final=final and event.state == EventState.FINISHED)


def points_chart_of(event: Event, each: Sequence[Sequence[Row]], people: Mapping[int, Player]) -> Chart | None:
    """The points in a season of drawn rounds after each of these rounds, the first players in their factions' hues.

    None where players challenge each other.
    """
    season = event.season
    if season is None or season.by_challenge or not each:
        return None
    points = [{row.id: row.points for row in rows} for rows in each]
    last = [row for row in each[-1] if not row.disqualified]
    marks = [mark_of_player(people[int(row.id)]) if int(row.id) in people else None for row in last]
    lines = [
        ChartLine(row.name, tuple(after.get(row.id) for after in points), mark.hue if mark else None)
        for row, mark in zip(last, marks, strict=True)
    ]
    return points_chart("points", lines, by_week=season.days == WEEK) if lines else None
