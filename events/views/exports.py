"""What other programs take from an event."""

from flask import Blueprint, Response, abort, request
from flask.typing import ResponseReturnValue

from events.csv_sheets import players_csv, round_csv, standings_csv
from events.public_rounds import public_round_views
from events.reading import completed_rounds, round_view
from events.standings_trf import standings_trf
from events.typed import whole_number
from events.views.request import db, event_or_404, shown_round_or_404
from models.event import Event

blueprint = Blueprint("exports", __name__)


@blueprint.get("/e/<slug>/standings.trf")
def standings(slug: str) -> ResponseReturnValue:
    """Standings and history for chess tools, after the last complete round or after an earlier one."""
    event = event_or_404(slug)
    after = _after(event)
    response = Response(standings_trf(db(), event, after), mimetype="text/plain")
    response.headers["Content-Disposition"] = f'attachment; filename="{event.slug}-after-round-{after}.trf"'
    return response


@blueprint.get("/e/<slug>/players.csv")
def players_sheet(slug: str) -> ResponseReturnValue:
    """Who is entered, for a spreadsheet."""
    event = event_or_404(slug)
    return _csv(event, "players", players_csv(db(), event))


@blueprint.get("/e/<slug>/rounds/<int:number>/round.csv")
def round_sheet(slug: str, number: int) -> ResponseReturnValue:
    """A round's pairings and its results so far, for a spreadsheet."""
    event = event_or_404(slug)
    the_round = shown_round_or_404(event, number)
    return _csv(event, f"round-{number}", round_csv(db(), event, round_view(db(), event, the_round)))


@blueprint.get("/e/<slug>/standings.csv")
def standings_sheet(slug: str) -> ResponseReturnValue:
    """The standings after the last complete round or after an earlier one, for a spreadsheet."""
    event = event_or_404(slug)
    after = _after(event)
    return _csv(event, f"standings-after-{after}", standings_csv(db(), event, after))


def _after(event: Event) -> int:
    """The complete round that the address asks for, the last if it asks for none; 404 for any other."""
    complete = completed_rounds(public_round_views(db(), event))
    after = request.args.get("after", complete, type=whole_number)
    if not 0 <= after <= complete:
        abort(404)
    return after


def _csv(event: Event, name: str, data: bytes) -> ResponseReturnValue:
    response = Response(data, mimetype="text/csv")
    response.headers["Content-Disposition"] = f'attachment; filename="{event.slug}-{name}.csv"'
    return response
