"""The page of a series of events, with its circuit, and the circuit as a file."""

from flask import Blueprint, abort, render_template
from flask.typing import ResponseReturnValue
from sqlmodel import col, select

from events.public.listed import winners
from events.public.series_table import series_events, series_table
from events.standings.statistics_queries import counted_events
from events.store.players import places_left_in, player_counts
from events.store.rounds import never_played
from events.tournament.circuit import CircuitRow
from events.visitors import access
from events.visitors.loading import visitor
from events.web.answers import csv_answer
from events.web.csv_cells import csv_bytes
from events.web.parsing import name_key
from events.web.request import db, now
from models.event import EventState
from models.play import Player

blueprint = Blueprint("series", __name__)


@blueprint.get("/series/<slug>", endpoint="page")
def series(slug: str) -> ResponseReturnValue:
    events = series_events(db(), visitor(), slug) or abort(404)
    past = [event for event in reversed(events) if event.state == EventState.FINISHED]
    table = series_table(events)
    single = [event.id for event in past if event.team_size == 1] if table.circuit else []
    entered = select(Player).where(col(Player.event_id).in_(single))
    return render_template(
        "hall/series.html",
        name=events[-1].series,
        slug=slug,
        has_statistics=bool(counted_events(db(), slug)),
        table=table,
        people={name_key(player.name): player for player in db().exec(entered.order_by(col(Player.event_id)))},
        newest=past[0] if past else None,
        coming=[event for event in events if event.state != EventState.FINISHED and not never_played(event, now())],
        past=[(event, winners(event)) for event in past],
        counts=player_counts(db(), events),
        left=places_left_in(db(), events),
        may_register=lambda event: access.may_register(event, now()),
    )


@blueprint.get("/series/<slug>/points.csv")
def points_csv(slug: str) -> ResponseReturnValue:
    """The points table as a CSV file; points that do not count are in brackets."""
    table = series_table(series_events(db(), visitor(), slug))
    if not table.lines:
        abort(404)
    heads = ["Rank", "Player", *(f"{event.name} {event.starts_on.isoformat()}" for event in table.counted), "Points"]
    rows = [[line.rank, line.name, *_cells(line), line.points] for line in table.lines]
    return csv_answer(slug, "points", csv_bytes([heads, *rows]))


def _cells(line: CircuitRow) -> list[int | str]:
    shown = zip(line.events, line.counting, strict=True)
    return ["" if points is None else points if counts else f"({points})" for points, counts in shown]
