"""The page of a series of events, with its circuit."""

from flask import Blueprint, abort, render_template
from flask.typing import ResponseReturnValue
from sqlmodel import col, select

from events.accounts import access
from events.accounts.loading import visitor
from events.hall.listed import finishing_places, winners
from events.play.players import player_counts
from events.setup.covers import pictures_of
from events.statistics.queries import counted_events
from events.tournament.circuit import circuit_in, circuit_lines
from events.web.parsing import name_key, series_slug
from events.web.request import db, now
from models.event import Event, EventState
from models.play import Player

blueprint = Blueprint("series", __name__)


@blueprint.get("/series/<slug>", endpoint="page")
def series(slug: str) -> ResponseReturnValue:
    """The events of a series: those to come, and the past ones with their winners."""
    query = select(Event).where(Event.series != "").order_by(col(Event.starts_on), col(Event.id))
    found = [one for one in db().exec(query) if series_slug(one.series) == slug]
    events = [one for one in found if access.may_find(visitor(), one)]
    if not events:
        abort(404)
    past = [one for one in reversed(events) if one.state == EventState.FINISHED]
    circuits = [circuit for one in events if (circuit := circuit_in(one.circuit))]
    circuit = circuits[-1] if circuits else None
    counted = past[::-1] if circuit else []
    entered = select(Player).where(col(Player.event_id).in_([one.id for one in counted if one.team_size == 1]))
    return render_template(
        "hall/series.html",
        name=events[-1].series,
        slug=slug,
        has_statistics=bool(counted_events(db(), slug)),
        circuit=circuit,
        counted=counted,
        lines=circuit_lines(circuit, [finishing_places(one) for one in counted]) if circuit else [],
        people={name_key(one.name): one for one in db().exec(entered.order_by(col(Player.event_id)))},
        newest=past[0] if past else None,
        coming=[one for one in events if one.state != EventState.FINISHED],
        past=[(one, winners(one)) for one in past],
        counts=player_counts(db(), events),
        pictures=pictures_of(db(), events),
        may_register=lambda one: access.may_register(one, now()),
    )
