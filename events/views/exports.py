"""What other programs take from an event."""

from flask import Blueprint, Response, abort, request
from flask.typing import ResponseReturnValue

from events.reading import completed_rounds, round_views
from events.standings_trf import standings_trf
from events.views.request import db, event_or_404

blueprint = Blueprint("exports", __name__)


@blueprint.get("/e/<slug>/standings.trf")
def standings(slug: str) -> ResponseReturnValue:
    """Standings and history for chess tools, after the last complete round or after an earlier one."""
    event = event_or_404(slug)
    complete = completed_rounds(round_views(db(), event))
    after = request.args.get("after", complete, type=int)
    if not 0 <= after <= complete:
        abort(404)
    response = Response(standings_trf(db(), event, after), mimetype="text/plain")
    response.headers["Content-Disposition"] = f'attachment; filename="{event.slug}-after-round-{after}.trf"'
    return response
